"""Looks with the solver for a game that goes as nearly like another one as it may.

Where a variant does not let a game be played as it is, much of it can mostly stay: who does what,
and where. All of that is wished for at once, while chance is left open; wishes that contradict each
other are given up, the last argument of a move first, until the rest come true.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.kernel.outcome import Game
from checker.prove.search import LOGIC, MOST_TURNS, NOT_FINITE, found_in
from checker.prove.target import Sought
from checker.prove.turns import Turns
from checker.prove.unroll import Wish
from checker.smt.solver import SAT, UNSAT, Z3
from checker.smt.term import FALSE
from checker.smt.text import Labelled, script
from checker.smt.watch import LateError


def led(turns: Turns, target: Sought, guide: Game, seconds: float) -> Game | None:
    """A game that meets the target in the turn in which the guide does, None if none was found."""
    watch = turns.ground.terms.watch
    with watch.within(seconds):
        try:
            turn = _last_turn(turns, guide)
            return None if turn is None else _wished(turns, target, guide, turn)
        except LateError:
            return None


def _last_turn(turns: Turns, guide: Game) -> int | None:
    """The turn in which the guide is over; its slots are there by then."""
    for turn in range(MOST_TURNS):
        if not turns.reach(turn):
            return None
        if turns.unrolled.likeness(guide.events) is not None:
            return turn
    return None


def _wished(turns: Turns, target: Sought, guide: Game, turn: int) -> Game | None:
    unrolled, watch = turns.unrolled, turns.ground.terms.watch
    since, end = turns.spans[turn]
    wishes = [each for each in unrolled.likeness(guide.events) or () if each.term is not FALSE]
    goal = Labelled("game", target.goal(unrolled, since, end))
    text = script([goal, *(Labelled("wish", each.term) for each in wishes)])
    solver = Z3(text.text, None if NOT_FINITE.search(text.text) else LOGIC)
    asked, *switches = text.switches
    left = dict(zip(switches, wishes))
    while watch.left() > 0:
        answer = solver.check([asked, *left], watch.left(), list(text.names.values()))
        if answer.result == SAT and answer.model is not None:
            return found_in(turns, target, text, answer.model, end)
        given_up = _given_up([each for each in answer.core if each in left], left)
        if answer.result != UNSAT or not given_up:
            return None
        for switch in given_up:
            del left[switch]
    return None


def _given_up(core: Sequence[str], wishes: dict[str, Wish]) -> list[str]:
    """Of wishes that contradict each other, those to give up: of each move the last argument, or
    where it is not about arguments, what happens last."""
    last: dict[int, str] = {}
    for switch in wishes:  # in order
        if switch in core and wishes[switch].argument:
            last[wishes[switch].slot] = switch
    return list(last.values()) or [each for each in wishes if each in core][-1:]
