"""Faults in the spec of pairs of games, on which what is said of secrets rests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fuzz.faults.fault import Fault, Put
from rulewright.meaning import core as c
from rulewright.meaning.twin_games import PARTS, _Twins
from rulewright.syntax.node import replace


def own_things_overlooked(put: Put) -> None:
    original = _Twins._seen_alike

    def seen_alike(self: Any, variable: c.Variable, *values: c.Expr) -> Iterable[c.Expr]:
        return () if variable.hidden else original(self, variable, *values)

    put.at(_Twins, "_seen_alike", seen_alike)


def steps_in_one_overlooked(put: Put) -> None:
    original = _Twins._transitions

    def transitions(self: Any, each: c.Transition) -> Iterable[c.Transition]:
        made = original(self, each)
        return (one for one in made if each.kind != "step" or not one.name.endswith(PARTS))

    put.at(_Twins, "_transitions", transitions)


def shown_to_all(put: Put) -> None:
    original = _Twins._shown

    def shown(self: Any, each: c.Transition, *others: Any) -> Iterable[c.Expr]:
        to_all = tuple(replace(one, to=None) for one in each.shows)
        return original(self, replace(each, shows=to_all), *others)

    put.at(_Twins, "_shown", shown)


def _fault(function: Any, where: str, what: str) -> Fault:
    return Fault(function.__name__, where, what, function)


FAULTS = [
    _fault(own_things_overlooked, "_Twins._seen_alike", "one's own hidden things are not seen"),
    _fault(steps_in_one_overlooked, "_Twins._due_in_one", "a step in one game tells nothing"),
    _fault(shown_to_all, "_Twins._shown", "what is shown to one is shown to all"),
]
