"""Two specs: what has to be shown for them to say the same, and whether that is shown.

A subject is what both can be asked about: how games begin, a move, chance event or step, a result,
which phases end a game. It owes something for every way to differ, phase and seat. Only here are
two specs called equal, one of them stricter, or a mutant equivalent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rulewright.kernel.ledger import SAFE, Key, LedgerEntry, proved
from rulewright.kernel.obligations import Obligation
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import Subject, deciding, same, subjects
from rulewright.meaning.dependencies import Dependencies

STRICTER, LOOSER, CHANGED = "stricter", "looser", "changed"
EQUAL, INCOMPARABLE = "equal", "incomparable"
SILENT, BOTH = "no answer", "both"
"""That one side allows what the other does not refuse, but has no answer to. And a mark."""
MARKS = (("", "old", BOTH), ("new", BOTH))
"""How labels of assumptions begin (`both: NAME`), by the spec that they are about."""
SAME = {STRICTER: "asked", LOOSER: "asked", CHANGED: "done"}
"""Rule SAME: the part of a transition that decides if it differs in a way."""
Chosen = tuple[tuple[str, str], ...]


def required(subject: Subject, players: int) -> list[Obligation]:
    """Rule EQUAL: what has to be shown of a subject, in every phase and by every seat."""
    ways: tuple[str, ...] = (STRICTER, LOOSER, CHANGED)
    if subject.kind in ("result", "end"):
        ways = (CHANGED,)
    elif subject.kind == "start" or subject.old is None or subject.new is None:
        ways = (STRICTER, LOOSER)
    shapes = [each for each in (subject.old, subject.new) if isinstance(each, c.Transition)]
    phases = dict.fromkeys(name for each in shapes for name in each.phases) or ("",)
    moves = subject.kind == "result" or any(each.mover is not None for each in shapes)
    seats = range(1, players + 1) if moves else (0,)
    name = f"{subject.kind} {subject.name}"
    ruled = [(w, how) for w in ways for how in ("", SILENT)[: 2 if shapes and w != CHANGED else 1]]
    return [
        Obligation(w, name, at, seat, how) for w, how in ruled for at in phases for seat in seats
    ]


class Comparison:
    """The ledger of two specs in one way to play, each with the options `chosen` for its readings.
    Where it is `safely` done, that the old one is safe is taken for granted, and to be proved."""

    def __init__(
        self, old: c.Spec, new: c.Spec, players: int, chosen: tuple[Chosen, Chosen] = ((), ()),
        safely: bool = False,
    ) -> None:  # fmt: skip
        self.specs = old, new
        self._players = players
        self._chosen = chosen
        self._safely = safely
        self._refuted: set[Obligation] = set()

    def note(self, outcome: Outcome, *known: Mapping[Key, LedgerEntry]) -> bool:
        """Rule CIRCLE: takes a refutation, if all that it rests on is proved of either spec."""
        rests = zip(self.rests(outcome), (*map(proved, known), frozenset(), frozenset()))
        refuted = outcome.result == outcome.wants == "unsat" and not outcome.fixed
        taken = refuted and all(claims <= firm for claims, firm in rests)
        self._refuted |= set(outcome.covers) if taken else set()
        return taken

    def carry(self, outcome: Outcome, subject: Subject, *known: Mapping[Key, LedgerEntry]) -> bool:
        """Rule READINGS: takes a refutation from where the usual readings are taken, if nothing
        was used and the subject does not lean on those that are taken otherwise here."""
        leans: set[tuple[str, str]] = set()
        for spec, shape in zip(self.specs, (subject.old, subject.new)):
            leans |= Dependencies(spec).of(deciding(spec, shape)).keys()
        apart = leans.isdisjoint(("reading", name) for each in self._chosen for name, _ in each)
        return apart and set(outcome.used) <= {"", SAFE[0]} and self.note(outcome, *known)

    def rests(self, outcome: Outcome) -> tuple[set[Key], set[Key]]:
        """The claims about the old and the new spec that a refutation rests on."""
        used = [label.rpartition(": ") for label in outcome.used]
        found: list[set[Key]] = []
        for spec, marks in zip(self.specs, MARKS):
            names = {(name, "invariant") for mark, _, name in used if mark in marks}
            found.append(names & {(each.name, each.kind) for each in spec.properties})
        return found[0] | ({SAFE} if self._safely else set()), found[1]

    def open(self, subject: Subject) -> set[str]:
        """The ways to differ of which something is left."""
        owed = required(subject, self._players)
        left = {each.part for each in owed if each not in self._refuted}
        apart = {name for name, _ in set(self._chosen[0]) ^ set(self._chosen[1])}
        return {way for way in left if not same(*self.specs, subject, apart, SAME[way])}

    def equivalent(self) -> bool:
        """Rule EQUAL: whether nobody can tell the two apart."""
        return not any(map(self.open, subjects(*self.specs, {})))


def word(subject: Subject, seen: Collection[str], open: Collection[str]) -> str | None:
    """Rules EQUAL, STRICTER: what a subject is that was seen to differ in some ways, None while
    others are open in one of the comparisons."""
    if set(open) - set(seen):
        return None
    if CHANGED in seen or (subject.kind == "start" and len(seen) == 2):
        return CHANGED
    return INCOMPARABLE if len(seen) == 2 else next(iter(seen), EQUAL)
