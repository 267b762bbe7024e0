"""Property status by the old and by the new rules: proved, refuted, unknown, not asked.

What is proved is for the kernel's ledger to say: every obligation of a property is answered, and
everything that the answers used is proved too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.kernel.ledger import Key, entry, proved
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.meaning.names.symbol_table import OBLIGATIONS
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.prove.verdict.verdict import BOUNDED, PROVED, REFUTED, UNKNOWN
from rulewright.syntax.node import Node

NOT_ASKED = "not asked"
SHAKY = "its proof leans on something that is not proved"
LOST, GAINED, SAME, OPEN = "lost", "gained", "same", "open"


class PropertyStatus(Node):
    """What is known of a property on one side; `events` are a game that shows that it does not
    hold (of a `possible`: that it does), played by `instance`."""

    verdict: str
    note: str = ""
    events: tuple[Event, ...] | None = None
    instance: Instance | None = None


class PropertyDiff(Node):
    """A property on both sides; None where it is not there."""

    name: str
    kind: str
    prose: str
    old: PropertyStatus | None
    new: PropertyStatus | None

    @property
    def fate(self) -> str:
        """lost, gained, same, open (not decided on the new side) or not asked."""
        if self.new is not None and self.new.verdict == NOT_ASKED:
            return NOT_ASKED
        if self.old is None or self.new is None:
            held = self.new is None or self.new.verdict == PROVED
            return SAME if held else OPEN
        before, after = self.old.verdict, self.new.verdict
        if before == after:
            return SAME
        if after == REFUTED:
            return LOST
        if after in (UNKNOWN, BOUNDED):
            return SAME if before in (REFUTED, UNKNOWN) else OPEN
        return GAINED if after == PROVED else SAME


def worst(standings: Iterable[PropertyStatus | None]) -> PropertyStatus | None:
    """What is known for all numbers of players together."""
    order = (REFUTED, UNKNOWN, BOUNDED, NOT_ASKED, PROVED)
    known = [each for each in standings if each is not None]
    return min(known, key=lambda each: order.index(each.verdict), default=None)


def property_statuses(
    spec: c.Spec, players: int, outcomes: Iterable[Outcome]
) -> dict[str, PropertyStatus]:
    """What the answers to all questions about a spec amount to, for each property."""
    found: dict[Key, list[Outcome]] = {}
    for each in outcomes:
        found.setdefault((each.name, each.kind), []).append(each)
    entries = {key: entry(spec, players, *key, told) for key, told in found.items()}
    firm = proved(entries)
    known: dict[str, list[PropertyStatus]] = {}
    for key, told in found.items():
        here = _standing(told, key in firm, entries[key].rests is not None)
        known.setdefault(key[0], []).append(here)
    names = [*(e.name for e in spec.properties), *(e.name for e in spec.ends), *OBLIGATIONS]
    shown = {name: worst(known.get(name, ())) for name in names}
    return {name: each for name, each in shown.items() if each is not None}


def _standing(outcomes: Sequence[Outcome], firm: bool, by_itself: bool) -> PropertyStatus:
    """What the answers to all questions about a property amount to, if they are `firm`, or hold
    only `by_itself` if something does that is not proved."""
    if firm:
        game = next((each.game for each in outcomes if each.game is not None), None)
        return PropertyStatus(PROVED, events=game.events if game is not None else None)
    if by_itself:
        return PropertyStatus(UNKNOWN, SHAKY)
    for each in outcomes:
        if each.result == "unknown":
            return PropertyStatus(UNKNOWN, each.reason or "the solver gave up")
        if each.result != each.wants:
            if each.wants == "sat" or each.kind == "theorem":
                return PropertyStatus(
                    REFUTED, "it is proved impossible" if each.wants == "sat" else ""
                )
            place = each.transition or each.note
            return PropertyStatus(
                UNKNOWN, f"it fails in a position that the invariants allow, by {place}"
            )
    return PropertyStatus(UNKNOWN, "not everything that its proof needs was decided")
