"""The verdict on each move, chance event, step, the beginning and the results.

    equal         the same in every position
    stricter      what the new rules allow, the old ones allowed, but not the other way round
    looser        the other way round
    incomparable  each allows something that the other refuses
    changed       both allow it, but it does something else

How sure that is: `proved` if equality is proved, or every difference is reached by a game;
`bounded` if a difference is in positions that the invariants allow, but no game was found that
gets there; `unknown` if the solver gave up on a part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.change.games.lockstep import DivergingGame
from rulewright.change.semantic.witness import Witness
from rulewright.kernel.comparison import BOTH, EQUAL, word
from rulewright.meaning.counterparts import Subject
from rulewright.play.semantics.instance import Configuration
from rulewright.syntax.node import Node
from rulewright.vc.product import UncomparedVariable

PROVED, BOUNDED, UNKNOWN = "proved", "bounded", "unknown"
UNTOUCHED = "not touched by the change"
"""What is noted of a subject that is word for word the same."""


class Difference(Node):
    """One way in which a subject differs: a witness and, if one was found, a game that leads to
    it. `turns` were looked through without finding one; `example` names the worked example that
    the witness comes from, if it does."""

    way: str
    configuration: Configuration
    witness: Witness
    game: DivergingGame | None
    turns: int
    example: str | None = None


class ComparisonVerdict(Node):
    """The verdict on one subject."""

    subject: Subject
    verdict: str
    proof: str
    notes: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()


class ComparisonResult(Node):
    """All verdicts, and the state variables that are not fully compared."""

    verdicts: tuple[ComparisonVerdict, ...]
    mismatches: tuple[UncomparedVariable, ...]
    settings: tuple[Configuration, ...]


def verdict_of(
    subject: Subject, differences: Sequence[Difference], open_ways: Mapping[str, str],
    leaned: Iterable[str],
) -> ComparisonVerdict:  # fmt: skip
    """The verdict that differences amount to; `open_ways` are those of which the kernel has
    something left, with the reason, and `leaned` are the invariants without which there would be
    more differences."""
    ways = {each.way for each in differences}
    notes = [f"whether it is {way} could not be decided: {why}" for way, why in open_ways.items()]
    if subject.old is None and subject.kind not in ("start", "result"):
        notes.append("it is new")
    if subject.new is None and subject.kind not in ("start", "result"):
        notes.append("it is gone")
    decided = word(subject, ways, open_ways.keys())
    verdict = decided or word(subject, ways, ()) or EQUAL
    if verdict == EQUAL and (labels := sorted(set(leaned))):
        sides = {each.partition(": ")[0] for each in labels} - {BOTH}
        by_them = f" by the {sides.pop()} rules" if len(sides) == 1 else ""
        shown = ", ".join(f"`{each.partition(': ')[2]}`" for each in labels)
        notes.append(f"it differs only where no game{by_them} goes, by the proved {shown}")
    if decided is None:
        proof = UNKNOWN
    elif all(each.game is not None for each in differences):
        proof = PROVED
    else:
        proof = BOUNDED
    return ComparisonVerdict(subject, verdict, proof, tuple(notes), tuple(differences))
