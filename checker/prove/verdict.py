"""What is known of a property in one setting, put together from the answers to its questions.

    proved    it holds in every position of every game, of any length
    bounded   it holds for games of so many turns, and no further was looked
    refuted   a game shows that it does not
    unknown   neither; where induction fails, at which position

A `possible` is proved by a game and refuted by a proof that there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.play.event import Event
from checker.syntax.node import Node, replace

PROVED, BOUNDED, REFUTED, UNKNOWN = "proved", "bounded", "refuted", "unknown"
POSITION = "position"
"""What is counted where all positions of a game were gone through, rather than turns."""


class Game(Node):
    """A game that shows something: where it begins, what happens, where it has led. `stopped` says
    what the last event asks for that has no value; from `loop` on, after so many events, the game
    can go on for ever as it has. It is `shortest` where no game of fewer turns shows the same."""

    start: Mapping[str, Any]
    events: tuple[Event, ...]
    end: Mapping[str, Any]
    turns: int
    stopped: str | None = None
    loop: int | None = None
    shortest: bool = False


class Outcome(Node):
    """What a worker found out about one goal. `wants` and `result` are the solver's words."""

    name: str
    kind: str
    wants: str
    result: str
    reason: str | None
    used: tuple[str, ...]
    seconds: float
    note: str
    transition: str | None
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()
    game: Game | None = None
    depth: int | None = None
    more: tuple[Game, ...] = ()
    """Other games that show the same."""
    complete: bool = False
    """That there are no longer games than were looked at."""


class Verdict(Node):
    """The verdict on one property in one setting."""

    name: str
    kind: str
    verdict: str
    reason: str | None
    seconds: float
    used: tuple[str, ...]
    depth: int | None = None
    game: Game | None = None
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()
    note: str = ""
    more: tuple[Game, ...] = ()
    accepted: str | None = None
    """Why it is known and left as it is, where the spec says so."""
    by_playing: bool = False
    """That it rests on games written down as terms."""
    explored: bool = False
    """That all positions were gone through: it rests on nothing else."""
    rests_on_unproved: bool = False
    """That there is a proof, from something that is not proved."""


def changed(known: Verdict, /, **changes: Any) -> Verdict:
    """The same verdict with some of it changed."""
    result: Verdict = replace(known, **changes)
    return result


def combined(name: str, kind: str, outcomes: list[Outcome]) -> Verdict:
    """The verdict of an induction: proved if every part of it is."""
    seconds = sum(each.seconds for each in outcomes)
    used = tuple(dict.fromkeys(label for each in outcomes for label in each.used))
    for each in outcomes:
        if each.result == "sat" and each.wants == "unsat":
            if kind == "theorem":
                return Verdict(name, kind, REFUTED, "it is not so", seconds, ())
            return Verdict(
                name, kind, UNKNOWN, "the induction fails", seconds, (), None, None,
                each.position, each.events, _after(each),
            )  # fmt: skip
    for each in outcomes:
        if each.result == "unknown":
            return Verdict(name, kind, UNKNOWN, each.reason, seconds, (), note=_after(each))
        if each.result != each.wants:
            return Verdict(name, kind, REFUTED, "there is no such position", seconds, each.used)
    return Verdict(name, kind, PROVED, None, seconds, used)


def _after(outcome: Outcome) -> str:
    if outcome.transition is None or outcome.transition == outcome.note:
        return f"after {outcome.transition}" if outcome.transition else outcome.note
    return f"by {outcome.transition}: {outcome.note}" if outcome.note else outcome.transition


def refuted(verdict: Verdict, searched: Outcome) -> Verdict:
    """The verdict on what induction does not prove, after games were looked for that break it. If
    there are none at all it is proved, if there are none up to some length it is bounded."""
    seconds = verdict.seconds + searched.seconds
    if searched.game is not None and searched.reason is not None:
        return changed(verdict, reason=searched.reason, seconds=seconds, game=searched.game)
    if searched.game is not None:
        return changed(
            verdict, verdict=REFUTED, reason=None, seconds=seconds, used=(),
            depth=searched.game.turns, game=searched.game, more=searched.more,
        )  # fmt: skip
    if searched.reason is not None and "bug of ours" in searched.reason:
        return changed(verdict, reason=searched.reason, seconds=seconds)
    if verdict.kind not in ("invariant", "always", "flow"):
        return changed(verdict, seconds=seconds)
    if searched.complete and searched.note == POSITION:
        reason = f"games reach {_counted(searched)}, and all were looked at"
        return Verdict(verdict.name, verdict.kind, PROVED, reason, seconds, (), explored=True)
    if searched.complete:
        reason = f"no game goes on for more than {_counted(searched)}, and all were looked at"
        return Verdict(
            verdict.name, verdict.kind, PROVED, reason, seconds, (), searched.depth,
            by_playing=True,
        )  # fmt: skip
    if searched.depth:
        return changed(
            verdict, verdict=BOUNDED, seconds=seconds, depth=searched.depth, by_playing=True,
            reason=f"no game of up to {_counted(searched)} breaks it",
        )  # fmt: skip
    return changed(verdict, seconds=seconds)


def _counted(searched: Outcome) -> str:
    """`3 turns`: how far games were looked at."""
    return f"{searched.depth} {searched.note}{'' if searched.depth == 1 else 's'}"


def possible(name: str, outcome: Outcome) -> Verdict:
    """A `possible` is proved by a game, refuted by a proof that there is none."""
    seconds, game = outcome.seconds, outcome.game
    if game is not None:
        return Verdict(
            name, "possible", PROVED, None, seconds, (), game.turns, game, more=outcome.more
        )
    if outcome.result == "unsat":
        return Verdict(
            name, "possible", REFUTED, "no game gets there", seconds, outcome.used,
            by_playing=outcome.complete and outcome.note != POSITION,
            explored=outcome.complete and outcome.note == POSITION,
        )  # fmt: skip
    reason = outcome.reason
    if outcome.depth:
        reason = f"no game of up to {_counted(outcome)} gets there, then {reason}"
    return Verdict(name, "possible", UNKNOWN, reason, seconds, (), outcome.depth)


def finding(name: str, kind: str, outcomes: list[Outcome]) -> Verdict:
    """What should matter and does not: a requirement that decides nothing in any transition, a
    transition that cannot happen, a property whose condition never comes about."""
    seconds = sum(each.seconds for each in outcomes)
    if any(each.result == "sat" for each in outcomes):
        return Verdict(name, kind, PROVED, None, seconds, ())
    if any(each.result == "unknown" for each in outcomes):
        return Verdict(name, kind, UNKNOWN, "not decided", seconds, ())
    reason = {
        "requirement": "decides nothing: whatever it refuses is refused without it",
        "vacuity": "says nothing: what it is about never comes about",
        "transition": "can never happen",
    }[kind]
    return Verdict(name, kind, REFUTED, reason, seconds, ())
