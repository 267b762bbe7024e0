"""From values as the compiled player keeps them straight to JSON, the way engines write it.

What `writer` writes is made anew each time, so whoever gets it may keep and change it; states are
written in parts that are shared from one to the next.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile import host
from checker.play.compile.layout import Layout, State, bits
from checker.play.values import is_sparse

Writer: TypeAlias = Callable[[Any], Any]
StateWriter: TypeAlias = "Callable[[State, State, dict[str, Any]], None]"
MOST_REMEMBERED = 2_000
MOST_SUBSETS = 1 << 12
MOST_WRITTEN_OUT = 16
"""Maps with more keys than this are written in a loop."""
FEW_LEAVES = 6
"""Parts of a map with fewer values than this are written anew rather than compared."""


def writer(type: y.Type, layout: Layout) -> Writer:
    """What turns a value of a type into JSON."""
    match type:
        case y.Enum(_, members):
            return interned(members).__getitem__
        case y.Grid(_, width, height):
            names = [
                y.square_name(column, row)
                for row in range(1, height + 1)
                for column in range(1, width + 1)
            ]
            return names.__getitem__
        case y.Option(inner):
            inside = writer(inner, layout)
            if inside is _same:
                return _same
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


def interned(names: tuple[str, ...]) -> tuple[str, ...]:
    """The same names as Python keeps those in its code, so that they are quickly found equal."""
    return tuple(map(sys.intern, names))


class StateWriting:
    """Writes the states of a layout. What does it is called after every event of every game, so it
    is written out as Python text, which holds no name of a spec; parts that stay are kept, and none
    is changed in place. The same value may be the same list each time if they may be `shared`."""

    def __init__(self, layout: Layout, shared: bool = True) -> None:
        self._layout = layout
        self._shared = shared
        self._known: dict[str, Any] = {}
        self._strings = Strings()
        self._leaves: dict[y.Type, str] = {}
        self._texts: dict[str, str] = {}
        self._writers: dict[tuple[str, ...], StateWriter] = {}

    def writer(self, names: tuple[str, ...]) -> StateWriter:
        """What brings some variables of a state up to date that was written before: it is given
        the state, the state as it was then, and what was written."""
        if names not in self._writers:
            lines = ["def write(state, was, written):", "    pass"]
            for name in names:
                lines.append(f"    written[{self._strings.name(name)}] = {self._text(name)}")
            host.run("\n".join(lines), self._known, self._strings.of_name)
            self._writers[names] = self._known["write"]
        return self._writers[names]

    def _text(self, name: str) -> str:
        """A variable as an expression."""
        if name not in self._texts:
            slots = self._layout.slots[name]
            self._texts[name] = self._part(
                slots.keys, slots.base, slots.inner, f"written[{self._strings.name(name)}]"
            )
        return self._texts[name]

    def _part(self, keys: tuple[y.Type, ...], base: int, inner: y.Type, old: str) -> str:
        """A part of a variable, from a slot on; `old` stands for what was written of it before."""
        if not keys:
            return self._leaf(inner).format(f"state[{base}]")
        width = prod(len(self._layout.values(each)) for each in keys[1:])
        parts = []
        for number, name in enumerate(_names(keys[0], self._layout, self._strings)):
            at = base + number * width
            before = f"{old}[{name}]" if isinstance(keys[0], y.Enum) else f"{old}[{number}][1]"
            text = self._part(keys[1:], at, inner, before)
            if width >= FEW_LEAVES:
                leaves = f"{at}:{at + width}"
                text = f"({before} if state[{leaves}] == was[{leaves}] else {text})"
            parts.append(text)
        return _map_text(keys[0], parts, self._layout, self._strings)

    def _is_small(self, type: y.Set) -> bool:
        """Whether there are so few sets of a type that all are written once and for all."""
        layout = self._layout
        return layout.is_bits(type.element) and layout.all_bits(type.element) < MOST_SUBSETS

    def _leaf(self, type: y.Type) -> str:
        """How the text of a value becomes that of its JSON, which may be shared."""
        if type not in self._leaves:
            write, name = writer(type, self._layout), f"write_{len(self._leaves)}"
            if write is _same:
                self._leaves[type] = "{}"
            elif isinstance(type, y.Enum):
                self._known[name] = interned(type.members)
                self._leaves[type] = name + "[{}]"
            elif self._shared and isinstance(type, y.Set) and self._is_small(type):
                subsets = range(self._layout.all_bits(type.element) + 1)
                self._known[name] = [write(each) for each in subsets]
                self._leaves[type] = name + "[{}]"
            elif self._shared and is_hashable(type, self._layout):
                self._known[name] = Remembered(write)
                self._leaves[type] = name + "[{}]"
            else:
                self._known[name] = write
                self._leaves[type] = name + "({})"
        return self._leaves[type]


def event_writer(transition: c.Transition, layout: Layout) -> Writer:
    """What turns an event of a transition into JSON. It is called for every event of every game,
    so it is written out as one expression."""
    known: dict[str, Any] = {}
    strings = Strings()
    given = [
        f"{strings.name(param.name)}: "
        f"{_written_out(f'event[{at}]', param.type, layout, known, strings)}"
        for at, param in enumerate(transition.params, start=2)
    ]
    kind, name = strings.name(transition.kind), strings.name(transition.name)
    by = f"{strings.name('by')}: event[1], " if transition.kind == "move" else ""
    args = f"{strings.name('args')}: {{{', '.join(given)}}}"
    text = f"def write(event):\n    return {{{kind}: {name}, {by}{args}}}"
    host.run(text, known, strings.of_name)
    return known["write"]  # type: ignore[no-any-return]


class Strings:
    """Strings that generated text needs, each under a name that is made from a number."""

    def __init__(self) -> None:
        self.of_name: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def name(self, string: str) -> str:
        """The name that stands for a string in the text."""
        if string not in self._names:
            name = self._names[string] = f"constant_{len(self._names)}"
            self.of_name[name] = string
        return self._names[string]


def _written_out(
    value: str, type: y.Type, layout: Layout, known: dict[str, Any], strings: Strings
) -> str:
    """The text that turns a value into JSON; of a short map, part by part."""
    write = writer(type, layout)
    if write is _same:
        return value
    if isinstance(type, y.Map) and not layout.is_sparse(type):
        keys = layout.values(type.key)
        if len(keys) <= MOST_WRITTEN_OUT:
            parts = [
                _written_out(f"{value}[{at}]", type.value, layout, known, strings)
                for at in range(len(keys))
            ]
            return _map_text(type.key, parts, layout, strings)
    name = f"write_{len(known)}"
    if isinstance(type, y.Enum):
        known[name] = interned(type.members)
        return f"{name}[{value}]"
    known[name] = write
    return f"{name}({value})"


def _map_text(key: y.Type, parts: Sequence[str], layout: Layout, strings: Strings) -> str:
    """The text of a map with these parts."""
    named = zip(_names(key, layout, strings), parts)
    if isinstance(key, y.Enum):
        return f"{{{', '.join(f'{name}: {part}' for name, part in named)}}}"
    return f"[{', '.join(f'[{name}, {part}]' for name, part in named)}]"


def _names(key: y.Type, layout: Layout, strings: Strings) -> list[str]:
    """The text of each key of a map."""
    keys = [writer(key, layout)(each) for each in layout.values(key)]
    return [strings.name(each) if isinstance(each, str) else repr(each) for each in keys]


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


class Remembered(dict[Any, Any]):
    """Values as JSON, each written once; sets of a few elements come again and again."""

    def __init__(self, write: Writer) -> None:
        self._write = write

    def __missing__(self, value: Any) -> Any:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        found = self[value] = self._write(value)
        return found


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
