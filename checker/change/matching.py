"""What of two specs belongs together, and what is word for word the same.

Moves, chance events and steps are matched by name, or by what they were called before. Two of them
mean the same without any question if they are the same core and so is everything they lean on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from checker.change.subject import Subject
from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.names import RESULTS
from checker.meaning.purity import variables_read, walk
from checker.syntax.node import replace


def subjects(old: c.Spec, new: c.Spec, renamed: Mapping[tuple[str, str], str]) -> Iterator[Subject]:
    """Everything that is compared: the beginning, what happens in play, the results."""
    yield Subject("start", "start")
    names = {"move": "move", "chance": "chance event", "step": "step"}
    before = {each.name: each for each in old.transitions}
    matched = set()
    found_in: list[Subject] = []
    for transition in new.transitions:
        kind = transition.kind
        was = next(
            (n for (k, n), now in renamed.items() if (k, now) == (names[kind], transition.name)),
            transition.name,
        )
        found = before.get(was)
        if found is not None and found.kind != kind:
            found = None
        matched.add(was if found is not None else None)
        found_in.append(Subject(kind, transition.name, found, transition))
    yield from _with_order(old, found_in)
    for gone in old.transitions:
        if gone.name not in matched:
            yield Subject(gone.kind, gone.name, gone, None)
    for name in RESULTS:
        functions = old.function(name), new.function(name)
        if any(each is not None and _of_player(each) for each in functions):
            yield Subject("result", name, *functions)


def _with_order(old: c.Spec, found: list[Subject]) -> Iterator[Subject]:
    """The subjects, each step with the steps that come before it on one side only: the first step
    that is due is the one that runs. Steps that only one side has are subjects of their own."""
    both = [each for each in found if each.kind == "step" and each.old is not None]
    places = {each.name: place for place, each in enumerate(old.transitions)}
    for subject in found:
        if subject not in both or not isinstance(subject.old, c.Transition):
            yield subject
            continue
        here, place = both.index(subject), places[subject.old.name]
        earlier = {other.name: both.index(other) < here for other in both}
        was = {o.name: places[o.old.name] < place for o in both if o.old is not None}
        names = {o.name: o.old.name for o in both if o.old is not None}
        by_old = tuple(names[name] for name in names if was[name] and not earlier[name])
        by_new = tuple(name for name in names if earlier[name] and not was[name])
        yield replace(subject, first=(by_old, by_new))


def _of_player(function: c.Function) -> bool:
    return [type(param.type) for param in function.params] == [y.Player]


def unchanged(old: c.Spec, new: c.Spec, subject: Subject) -> bool:
    """Whether a subject is the same core on both sides, with everything it leans on."""
    if subject.kind == "start":
        return _beginning(old) == _beginning(new) and same_bases(old, new, [
            *_beginning(old), *_beginning(new)])  # fmt: skip
    if subject.old is None or subject.new is None:
        return False
    if any(subject.first):
        return False
    bare = [_bare(each) for each in (subject.old, subject.new)]
    return bare[0] == bare[1] and same_bases(old, new, [bare[0]])


def _beginning(spec: c.Spec) -> list[Any]:
    return [
        *((each.name, each.type, each.initial) for each in spec.variables),
        *(each.condition for each in spec.start),
    ]


def _bare(each: c.Transition | c.Function) -> tuple[Any, ...]:
    """What a transition or function means, without its words."""
    if isinstance(each, c.Function):
        return each.params, each.type, each.body
    conditions = tuple(requirement.condition for requirement in each.requirements)
    return each.params, each.mover, each.phases, conditions, each.weight, each.body


def same_bases(old: c.Spec, new: c.Spec, roots: list[Any]) -> bool:
    """Whether all functions, effects, tables and variables that something uses are the same."""
    if old.readings != new.readings and _readings(old) != _readings(new):
        return False
    sides = [_Names(old), _Names(new)]
    waiting: list[Any] = list(roots)
    seen: set[tuple[str, str]] = set()
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            waiting.extend(here)
            continue
        if not isinstance(here, c.Core):
            continue
        for node in walk(here):
            key = _uses(node)
            if key is None or key in seen:
                continue
            seen.add(key)
            one, other = (side.of(key) for side in sides)
            if one != other:
                return False
            waiting.append(one)
    return True


def mentions(spec: c.Spec, subject: c.Transition | c.Function | None) -> set[str]:
    """The readings that something depends on, itself or by what it uses."""
    names = _Names(spec)
    waiting: list[Any] = [_bare(subject)] if subject is not None else []
    seen: set[tuple[str, str]] = set()
    found: set[str] = set()
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            waiting.extend(here)
        elif isinstance(here, c.Core):
            for node in walk(here):
                if isinstance(node, c.ReadingRef):
                    found.add(node.name)
                key = _uses(node)
                if key is not None and key not in seen:
                    seen.add(key)
                    waiting.append(names.of(key))
    return found


def beside(spec: c.Spec, reading: str) -> frozenset[str]:
    """The state variables that stand in a condition or function together with a reading."""
    functions = {each.name: each for each in spec.functions}
    bodies = [*(each.body for each in spec.transitions), *(each.body for each in spec.effects)]
    places: list[c.Expr] = [each.body for each in spec.functions]
    places += [each.condition for t in spec.transitions for each in t.requirements]
    places += [
        node.condition
        for body in bodies for each in body for node in walk(each) if isinstance(node, c.If)
    ]  # fmt: skip
    found = [
        variables_read(place, functions)
        for place in places
        if any(isinstance(node, c.ReadingRef) and node.name == reading for node in walk(place))
    ]
    return frozenset().union(*found)


def _readings(spec: c.Spec) -> list[tuple[str, tuple[str, ...], str]]:
    return [(r.name, tuple(o.name for o in r.options), r.default) for r in spec.readings]


def _uses(node: Any) -> tuple[str, str] | None:
    match node:
        case c.Call(function=name):
            return "function", name
        case c.Perform(effect=name):
            return "effect", name
        case c.TableRef(name=name):
            return "table", name
        case c.StateVar(name=name):
            return "variable", name
        case c.Assign(variable=name):
            return "variable", name
        case _:
            return None


class _Names:
    """What the names of a spec mean, without words."""

    def __init__(self, spec: c.Spec) -> None:
        self._known: dict[tuple[str, str], tuple[Any, ...]] = {
            **{("function", f.name): _bare(f) for f in spec.functions},
            **{("effect", e.name): (e.params, e.body) for e in spec.effects},
            **{("table", t.name): (t.type, t.data) for t in spec.tables},
            **{("variable", v.name): (v.type,) for v in spec.variables},
        }

    def of(self, key: tuple[str, str]) -> tuple[Any, ...] | None:
        return self._known.get(key)
