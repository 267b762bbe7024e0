"""What is known of a property in one setting, put together from the answers to its questions.

    proved    it holds in every position of every game, of any length
    bounded   it holds for games of so many turns, and no further was looked; or in all positions
              that games reach, by the compiled rules, which is no proof
    refuted   a game shows that it does not
    unknown   neither; where induction fails, at which position

A `possible` is proved by a game and refuted by a proof that there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.kernel.ledger import LedgerEntry, entry
from rulewright.kernel.outcome import Outcome, WitnessGame
from rulewright.meaning import core as c
from rulewright.play.semantics.event import Event
from rulewright.smt.open_place import OpenPlace
from rulewright.syntax.node import Node, replace

PROVED, BOUNDED, REFUTED, UNKNOWN = "proved", "bounded", "refuted", "unknown"
POSITION = "position"
"""What is counted where all positions of a game were gone through, rather than turns."""


class Verdict(Node):
    """The verdict on one property in one setting."""

    name: str
    kind: str
    verdict: str
    reason: str | None
    seconds: float
    used: tuple[str, ...]
    depth: int | None = None
    game: WitnessGame | None = None
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()
    note: str = ""
    more: tuple[WitnessGame, ...] = ()
    accepted: str | None = None
    """Why it is known and left as it is, where the spec says so."""
    explored: bool = False
    """That all positions were gone through: it rests on nothing else."""
    rests_on_unproved: bool = False
    """That there is a proof, from something that is not proved."""
    waits_for: str | None = None
    """What it comes down to that this is not proved."""
    places: tuple[OpenPlace, ...] = ()
    """Of `safe`: where something may have no value."""


def changed(known: Verdict, /, **changes: Any) -> Verdict:
    """The same verdict with some of it changed."""
    result: Verdict = replace(known, **changes)
    return result


def combined(
    spec: c.Spec, players: int, name: str, kind: str, outcomes: Sequence[Outcome]
) -> Verdict:
    """The verdict of an induction: proved if the ledger has an answer to every obligation."""
    seconds = sum(each.seconds for each in outcomes)
    places = _open_places(outcomes)
    for each in outcomes:
        if each.result == "sat" and each.wants == "unsat":
            if kind == "theorem":
                return Verdict(name, kind, REFUTED, "it is not so", seconds, ())
            return Verdict(
                name, kind, UNKNOWN, "the induction fails", seconds, (), None, None,
                each.position, each.events, _after(each), places=places,
            )  # fmt: skip
    found = entry(spec, players, name, kind, outcomes)
    whole = found.rests is not None and any(each.covers for each in outcomes)
    for each in outcomes:
        if each.result == "unknown" and not whole:
            note = _after(each)
            return Verdict(name, kind, UNKNOWN, each.reason, seconds, (), note=note, places=places)
        if each.result not in (each.wants, "unknown"):
            return Verdict(name, kind, REFUTED, "there is no such position", seconds, each.used)
    return shown(found, name, kind, outcomes)


def _open_places(outcomes: Sequence[Outcome]) -> tuple[OpenPlace, ...]:
    """Each place once, by where it is; rather with a position than without."""
    found: dict[tuple[tuple[int, int], str], OpenPlace] = {}
    for each in sorted((p for o in outcomes for p in o.places), key=lambda p: p.position is None):
        found.setdefault((each.span, each.what), each)
    return tuple(found[key] for key in sorted(found))


def shown(found: LedgerEntry, name: str, kind: str, outcomes: Sequence[Outcome]) -> Verdict:
    """What the ledger says of a claim by itself."""
    seconds = sum(each.seconds for each in outcomes)
    if found.rests is None:
        left = f"{len(found.open)} questions were not answered"
        return Verdict(name, kind, UNKNOWN, left, seconds, ())
    used = tuple(dict.fromkeys(label for each in outcomes for label in each.used))
    return Verdict(name, kind, PROVED, None, seconds, used)


def _after(outcome: Outcome) -> str:
    if outcome.transition is None or outcome.transition == outcome.note:
        return f"after {outcome.transition}" if outcome.transition else outcome.note
    return f"by {outcome.transition}: {outcome.note}" if outcome.note else outcome.transition


def refuted(verdict: Verdict, searched: Outcome) -> Verdict:
    """The verdict on what induction does not prove, after games were looked for that break it. If
    all positions were gone through it is proved, if no game up to some length breaks it it is
    bounded."""
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
    if verdict.kind not in ("invariant", "always", "flow", "safety"):
        return changed(verdict, seconds=seconds)
    if searched.complete and searched.note == POSITION:
        reason = f"games reach {_counted(searched)}, and all were looked at"
        return Verdict(verdict.name, verdict.kind, PROVED, reason, seconds, (), explored=True)
    if verdict.kind == "safety":  # no game asks for all that has to have a value
        return changed(verdict, seconds=seconds)
    if searched.depth and searched.note == POSITION:
        reason = f"it holds in all {_counted(searched)} that games reach, by the compiled rules"
        return changed(verdict, verdict=BOUNDED, seconds=seconds, reason=reason)
    if searched.depth:
        return changed(
            verdict, verdict=BOUNDED, seconds=seconds, depth=searched.depth,
            reason=f"no game of up to {_counted(searched)} breaks it",
        )  # fmt: skip
    return changed(verdict, seconds=seconds)


def _counted(searched: Outcome) -> str:
    """`3 turns`: how far games were looked at, and which."""
    unit, only, which = searched.note.partition(" with ")
    return f"{searched.depth:,} {unit}{'' if searched.depth == 1 else 's'}{only}{which}"


def possible(
    name: str, outcomes: Sequence[Outcome], excluded: LedgerEntry, never: LedgerEntry
) -> Verdict:
    """A `possible` is proved by a game. It is refuted if all positions were gone through, if the
    invariants exclude it, or if it is proved that it never comes about."""
    first = outcomes[0]
    seconds, game = sum(each.seconds for each in outcomes), first.game
    if game is not None:
        return Verdict(
            name, "possible", PROVED, None, seconds, (), game.turns, game, more=first.more
        )
    explored = first.complete and first.note == POSITION
    if explored or excluded.rests is not None or never.rests is not None:
        used = tuple(dict.fromkeys(label for each in outcomes for label in each.used))
        refuted = "no game gets there"
        return Verdict(name, "possible", REFUTED, refuted, seconds, used, explored=explored)
    reason = first.reason
    if first.depth and first.note == POSITION:
        reason = f"none of the {_counted(first)} that games reach shows it, by the compiled rules"
        return Verdict(name, "possible", UNKNOWN, reason, seconds, ())
    if first.depth:
        reason = (
            f"no game of up to {_counted(first)} gets there, then {reason or 'no longer games'}"
        )
    return Verdict(name, "possible", UNKNOWN, reason, seconds, (), first.depth)


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
