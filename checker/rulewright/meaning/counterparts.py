"""Counterparts: what of two specs belongs together, and so is compared.

Moves, chance events and steps are matched by name, or by what they were called before; everything
that either spec has is there once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.dependencies import Dependencies
from rulewright.meaning.names.symbol_table import RESULTS
from rulewright.syntax.node import Node, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KINDS = ("move", "chance event", "step")
"""Kinds of declarations that are transitions, as they are called where something is renamed."""


class Subject(Node):
    """What is compared; `old` or `new` is None where it is not there. `first` are the steps that
    come before a step by the old rules only, and by the new rules only."""

    kind: str
    name: str
    old: c.Transition | c.Function | None = None
    new: c.Transition | c.Function | None = None
    first: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


def subjects(old: c.Spec, new: c.Spec, renamed: Mapping[tuple[str, str], str]) -> list[Subject]:
    """Everything there is in either spec, once; `renamed` says what was called otherwise."""
    before = {each.name: each for each in old.transitions}
    was = {now: name for (kind, name), now in renamed.items() if kind in KINDS}
    found = []
    for each in new.transitions:
        name = was.get(each.name, "" if each.name in was.values() else each.name)
        same = before.get(name)
        known = same if same is not None and same.kind == each.kind else None
        found.append(Subject(each.kind, each.name, known, each))
    kept = {id(each.old) for each in found}
    gone = [Subject(each.kind, each.name, each) for each in old.transitions if id(each) not in kept]
    results = [Subject("result", name, old.function(name), new.function(name)) for name in RESULTS]
    ends = [{(each.name, each.final) for each in spec.phases} for spec in (old, new)]
    differ = {name for name, _ in ends[0] - ends[1]} & {name for name, _ in ends[1] - ends[0]}
    over = [Subject("end", "end")] if differ else []
    results = [each for each in results if _of_player(each.old) or _of_player(each.new)]
    return [Subject("start", "start"), *_in_order(old, found), *gone, *results, *over]


def _of_player(function: c.Transition | c.Function | None) -> bool:
    return function is not None and [type(each.type) for each in function.params] == [y.Player]


def _in_order(old: c.Spec, found: list[Subject]) -> Iterator[Subject]:
    """The subjects, each step with the steps that come before it on one side only: the first step
    that is due is the one that runs. Steps that only one side has are subjects of their own."""
    steps = [each.name for each in old.transitions if each.kind == "step"]
    both = [(e, steps.index(e.old.name)) for e in found if e.kind == "step" and e.old is not None]
    for subject in found:
        for at, (each, place) in enumerate(both):
            if each is subject:
                by_old = tuple(steps[other] for _, other in both[at:] if other < place)
                by_new = tuple(one.name for one, other in both[:at] if other > place)
                subject = replace(subject, first=(by_old, by_new))
        yield subject


# ---- what is the same on both sides


def same(
    old: c.Spec, new: c.Spec, subject: Subject, apart: Collection[str] = (), part: str = ""
) -> bool:
    """Whether a subject is the same core on both sides, with all that it leans on, none of which is
    a reading that is taken `apart`; or whether a part of it is, what is `asked` or `done`."""
    lacking = subject.kind != "start" and (subject.old is None or subject.new is None)
    if lacking or any(subject.first):
        return False
    before, after = deciding(old, subject.old, part), deciding(new, subject.new, part)
    leans = Dependencies(old).of(before)
    alike = before == after and leans == Dependencies(new).of(after)
    return bool(alike) and leans.keys().isdisjoint(("reading", each) for each in apart)


def deciding(spec: c.Spec, shape: c.Transition | c.Function | None, part: str = "") -> Any:
    """The parts of a spec that decide what is said of a subject; without a shape, of beginning."""
    if isinstance(shape, c.Function):
        return shape.params, shape.type, shape.body
    if shape is None:
        begins = tuple((each.name, each.type, each.initial) for each in spec.variables)
        return begins, tuple(each.condition for each in spec.start)
    asked = () if part == "done" else tuple(each.condition for each in shape.requirements)
    done = () if part == "asked" else shape.body
    return shape.params, shape.mover, shape.phases, shape.weight, asked, done


# ---- parameters


def parameters(subject: Subject) -> dict[str, tuple[c.Param, c.Param]]:
    """The parameters that belong together, as both sides have them, by what the new one calls
    them; some are missing where one side has more."""
    if subject.old is None or subject.new is None:
        return {}
    before = {each.name: each for each in subject.old.params}
    after = {each.name: each for each in subject.new.params}
    spare = iter([each for name, each in before.items() if name not in after])
    pairs = ((before.get(name) or next(spare, None), each) for name, each in after.items())
    return {each.name: (was, each) for was, each in pairs if was is not None}


def differing_parameters(subject: Subject) -> str | None:
    """Why two transitions cannot be compared choice by choice, None if they can."""
    if subject.old is None or subject.new is None:
        return None
    matched = parameters(subject)
    if not len(matched) == len(subject.old.params) == len(subject.new.params):
        return "it has other parameters"
    unlike = [
        name for name, (was, now) in matched.items()
        if not agree(was.type, now.type) and not _numbers(was, now)
    ]  # fmt: skip
    return f"its parameter `{unlike[0]}` has another type" if unlike else None


def _numbers(was: c.Param, now: c.Param) -> bool:
    """Whether both are numbers: a range that has grown or shrunk is compared all the same."""
    return isinstance(was.type, y.Int) and isinstance(now.type, y.Int)


def agree(old: y.Type, new: y.Type) -> bool:
    """Whether two types have the same values; how many may play at most is left aside."""
    match old, new:
        case y.Player(), y.Player():
            return True
        case y.Map(key, inner), y.Map(other_key, other):
            return agree(key, other_key) and agree(inner, other)
        case (y.Set(inner), y.Set(other)) | (y.Bag(inner), y.Bag(other)):
            return agree(inner, other)
        case y.Option(inner), y.Option(other):
            return agree(inner, other)
        case _:
            return old == new
