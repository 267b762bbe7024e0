"""From values as the compiled player keeps them straight to JSON, the way engines write it.

What `writer` writes is made anew each time, so whoever gets it may keep and change it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeAlias

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.layout import Layout, Slots, bits
from checker.play.values import is_sparse

Writer: TypeAlias = Callable[[Any], Any]
MOST_REMEMBERED = 2_000


def writer(type: y.Type, layout: Layout) -> Writer:
    """What turns a value of a type into JSON."""
    match type:
        case y.Enum(_, members):
            return members.__getitem__
        case y.Grid(_, width, height):
            names = [
                y.square_name(column, row)
                for row in range(1, height + 1)
                for column in range(1, width + 1)
            ]
            return names.__getitem__
        case y.Option(inner):
            inside = writer(inner, layout)
            return lambda value: None if value is None else inside(value)
        case y.Set(element):
            inside = writer(element, layout)
            if layout.is_bits(element):
                return lambda value: [inside(each) for each in bits(value)]
            return lambda value: [inside(each) for each in sorted(value)]
        case y.Bag(element):
            inside = writer(element, layout)
            return lambda bag: [inside(each) for each in sorted(bag) for _ in range(bag[each])]
        case y.Map():
            return _map_writer(type, layout)
        case _:
            return _same


def variable_writer(slots: Slots, layout: Layout) -> Writer:
    """What turns a variable of a state into JSON. What it gives out is remembered and shared: from
    one event to the next most of a variable stays as it was."""
    inside = writer(slots.inner, layout)
    hashable = is_hashable(slots.inner, layout)
    if isinstance(slots.inner, y.Set) and layout.is_bits(slots.inner.element):
        inside = _remembered(inside)
    if not slots.keys:
        at = slots.base
        return lambda state: inside(state[at])
    write = _nested(slots.keys, inside, layout, hashable)
    if hashable:
        write = _remembered(write)
    leaves = slice(slots.base, slots.base + slots.count)
    return lambda state: write(tuple(state[leaves]))


def _nested(keys: tuple[y.Type, ...], inside: Writer, layout: Layout, hashable: bool) -> Writer:
    """What writes a tuple of leaves."""
    if len(keys) == 1:
        below, width = inside, 1
    else:
        below = _nested(keys[1:], inside, layout, hashable)
        below = _remembered(below) if hashable else below
        width = prod(len(layout.values(each)) for each in keys[1:])
    names = [writer(keys[0], layout)(each) for each in layout.values(keys[0])]
    starts = [at * width for at in range(len(names))]
    by_name = isinstance(keys[0], y.Enum)

    def write(leaves: Any) -> Any:
        if width == 1:
            parts = [below(each) for each in leaves]
        else:
            parts = [below(leaves[at : at + width]) for at in starts]
        if by_name:
            return dict(zip(names, parts))
        return [[name, part] for name, part in zip(names, parts)]

    return write


def event_writer(transition: c.Transition, layout: Layout) -> Writer:
    """What turns an event of a transition into JSON. It is called for every event of every game,
    so it is written out as one expression."""
    known: dict[str, Any] = {}
    given = []
    for at, param in enumerate(transition.params, start=2):
        write = writer(param.type, layout)
        known[f"write{at}"] = write
        value = f"event[{at}]"
        given.append(f"{param.name!r}: " + (value if write is _same else f"write{at}({value})"))
    name, args = repr(transition.name), ", ".join(given)
    if transition.kind == "move":
        text = f"{{'move': {name}, 'by': event[1], 'args': {{{args}}}}}"
    else:
        text = f"{{'chance': {name}, 'args': {{{args}}}}}"
    return eval(f"lambda event: {text}", known)  # type: ignore[no-any-return]


def is_hashable(type: y.Type, layout: Layout) -> bool:
    """Whether values of a type can be keys of a dictionary."""
    match type:
        case y.Bag():
            return False
        case y.Option(inner):
            return is_hashable(inner, layout)
        case y.Map(_, inside):
            return not layout.is_sparse(type) and is_hashable(inside, layout)
        case _:
            return True


def _remembered(write: Writer) -> Writer:
    """Writes each value once; sets of a few elements come again and again."""
    known: dict[Any, Any] = {}

    def look_up(value: Any) -> Any:
        found = known.get(value)
        if found is None:
            if len(known) > MOST_REMEMBERED:
                known.clear()
            found = known[value] = write(value)
        return found

    return look_up


def _map_writer(type: y.Map, layout: Layout) -> Writer:
    inside, name = writer(type.value, layout), writer(type.key, layout)
    by_name = isinstance(type.key, y.Enum)
    if layout.is_sparse(type):
        every = None if is_sparse(type) else layout.values(type.key)

        def write_sparse(map: Any) -> Any:
            keys = sorted(map) if every is None else every
            pairs = [[name(key), inside(map[key]) if key in map else None] for key in keys]
            return dict(pairs) if by_name else pairs

        return write_sparse
    names = [name(each) for each in layout.values(type.key)]
    if by_name:
        return lambda map: {key: inside(each) for key, each in zip(names, map)}
    return lambda map: [[key, inside(each)] for key, each in zip(names, map)]


def _same(value: Any) -> Any:
    return value
