"""What is known of a property by the old rules and by the new: proved, refuted, unknown, not asked.

Answers to many questions are put together; one that leans, in the end, on something that is not
proved is not proved either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from checker.kernel.outcome import Outcome
from checker.meaning import core as c
from checker.meaning.names import OBLIGATIONS
from checker.play.event import Event
from checker.play.instance import Instance
from checker.prove.verdict import BOUNDED, PROVED, REFUTED, UNKNOWN
from checker.syntax.node import Node

AS_BEFORE = "as before"
"""What the change can touch of the proof holds; the rest was not asked."""
NOT_ASKED = "not asked"
SAFE = "safe"
SHAKY = "its proof leans on something that is not proved"
LOST, GAINED, SAME, OPEN = "lost", "gained", "same", "open"


class Standing(Node):
    """What is known of a property on one side; `events` are a game that shows that it does not
    hold (of a `possible`: that it does), played by `instance`."""

    verdict: str
    note: str = ""
    events: tuple[Event, ...] | None = None
    instance: Instance | None = None


class Fate(Node):
    """A property on both sides; None where it is not there."""

    name: str
    kind: str
    prose: str
    old: Standing | None
    new: Standing | None

    @property
    def fate(self) -> str:
        """lost, gained, same, open (not decided on the new side) or not asked."""
        if self.new is not None and self.new.verdict == NOT_ASKED:
            return NOT_ASKED
        if self.old is None or self.new is None:
            held = self.new is None or self.new.verdict in (PROVED, AS_BEFORE)
            return SAME if held else OPEN
        before, after = self.old.verdict, self.new.verdict
        if before == after:
            return SAME
        if after == REFUTED:
            return LOST
        if after in (UNKNOWN, BOUNDED):
            return SAME if before in (REFUTED, UNKNOWN) else OPEN
        return GAINED if after == PROVED and before != AS_BEFORE else SAME


def worst(standings: Iterable[Standing | None]) -> Standing | None:
    """What is known for all numbers of players together."""
    order = (REFUTED, UNKNOWN, BOUNDED, NOT_ASKED, AS_BEFORE, PROVED)
    known = [each for each in standings if each is not None]
    return min(known, key=lambda each: order.index(each.verdict), default=None)


def standings(spec: c.Spec, outcomes: Iterable[Outcome], whole: bool) -> dict[str, Standing]:
    """What the answers amount to; `whole` says that they are all there are."""
    found: dict[str, list[Outcome]] = {}
    for each in outcomes:
        found.setdefault(each.name, []).append(each)
    shaky = _shaky(spec, found)
    names = [
        *(each.name for each in spec.properties),
        *(each.name for each in spec.ends),
        *OBLIGATIONS,
    ]
    held = PROVED if whole else AS_BEFORE
    return {name: _standing(found[name], name in shaky, held) for name in names if name in found}


def _standing(outcomes: Sequence[Outcome], shaky: bool, held: str) -> Standing:
    """What the answers to all questions about a property amount to."""
    game = next((each.game for each in outcomes if each.game is not None), None)
    for each in outcomes:
        if each.result == "unknown":
            return Standing(UNKNOWN, each.reason or "the solver gave up")
        if each.result != each.wants:
            if each.wants == "sat" or each.kind == "theorem":
                return Standing(REFUTED, "it is proved impossible" if each.wants == "sat" else "")
            place = each.transition or each.note
            return Standing(
                UNKNOWN, f"it fails in a position that the invariants allow, by {place}"
            )
    if shaky:
        return Standing(UNKNOWN, SHAKY)
    return Standing(held, events=game.events if game is not None else None)


def _shaky(spec: c.Spec, outcomes: Mapping[str, list[Outcome]]) -> set[str]:
    """The properties whose proofs lean, in the end, on something that is not proved: an invariant,
    or that nothing leaves its range."""
    kinds = {each.name: each.kind for each in spec.properties}
    base = {*(name for name, kind in kinds.items() if kind == "invariant"), SAFE}
    leaning = {
        name: ({label for each in found for label in each.used} & base) | {SAFE}
        for name, found in outcomes.items()
        if kinds.get(name) != "theorem" and not any(each.game is not None for each in found)
    }
    bad = {
        name for name in base
        if any(e.result != e.wants for e in outcomes.get(name, []))
    }  # fmt: skip
    while True:
        more = {name for name, leaned in leaning.items() if leaned & bad} - bad
        if not more:
            return bad
        bad |= more
