"""What has to be shown for each claim, enumerated from the core alone.

A claim is a property of the spec, or something that every spec is asked. Each rule of induction
gives it a list of obligations: the start, and every move, chance event and step, in every phase it
belongs to, by every seat. A claim is proved only if nothing on its list is left (`ledger`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations

from rulewright.meaning import core as c
from rulewright.syntax.node import Node


class Obligation(Node):
    """One thing that a claim needs: at the `start`, by a transition (whether it is allowed has a
    value: `asked`; what it does: `taken`), in a `position`, or of a `pair` of moves. Where no phase
    is named it is about all of them at once."""

    part: str
    transition: str = ""
    phase: str = ""
    seat: int = 0
    other: str = ""
    other_seat: int = 0


START = Obligation("start")


def required(spec: c.Spec, players: int, kind: str) -> list[Obligation]:
    """Everything that a claim of a kind needs, in a game with so many players."""
    match kind:
        case "invariant":  # Rule INDUCTION
            return [START, *_transitions(spec, players, "taken")]
        case "always":  # Rule ALWAYS
            return [*_transitions(spec, players, "taken")]
        case "playing":  # Rule SAFE, as far as it is needed to go from one position to the next
            asked = _transitions(spec, players, "asked")
            return [START, *asked, *_transitions(spec, players, "taken")]
        case "safety":  # Rule SAFE
            over = [Obligation("result", phase=each.name) for each in spec.phases if each.final]
            return [*required(spec, players, "playing"), *over]
        case "flow":  # Rule GOES ON
            going = [Obligation("position", phase=p.name) for p in spec.phases if not p.final]
            return [START, *(going or [Obligation("position")])]
        case "steps" | "possible":  # Rules STEPS, EXCLUDED
            return [Obligation("position")]
        case "order":  # Rule ORDER
            return [*pairs(spec, players)]
        case _:
            return []


def transitions(spec: c.Spec, players: int) -> Iterator[tuple[c.Transition, str, int]]:
    """Every transition in every phase it belongs to (none: any phase), by every seat (0: nobody's
    move)."""
    for transition in spec.transitions:
        for phase in transition.phases or ("",):
            for seat in range(1, players + 1) if transition.mover is not None else (0,):
                yield transition, phase, seat


def _transitions(spec: c.Spec, players: int, part: str) -> Iterator[Obligation]:
    for transition, phase, seat in transitions(spec, players):
        yield Obligation(part, transition.name, phase, seat)


def pairs(spec: c.Spec, players: int) -> Iterator[Obligation]:
    """Every two moves in a simultaneous phase by two players, whoever is named first."""
    for phase in spec.phases:
        if phase.simultaneous:
            moves = [m for m in spec.transitions if m.mover is not None and phase.name in m.phases]
            for one, other in combinations_with_replacement(moves, 2):
                for left, right in permutations(range(1, players + 1), 2):
                    if one is not other or left < right:
                        yield Obligation("pair", one.name, phase.name, left, other.name, right)
