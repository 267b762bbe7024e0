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

from checker.change.lockstep import Game
from checker.change.pair import Mismatch
from checker.change.question import BOTH, CHANGED
from checker.change.subject import Subject
from checker.change.witness import Witness
from checker.syntax.node import Node
from checker.vc.context import Setting

EQUAL, INCOMPARABLE = "equal", "incomparable"
PROVED, BOUNDED, UNKNOWN = "proved", "bounded", "unknown"
UNTOUCHED = "not touched by the change"
"""What is noted of a subject that is word for word the same."""


class Difference(Node):
    """One way in which a subject differs: a witness and, if one was found, a game that leads to
    it. `turns` were looked through without finding one; `example` names the worked example that
    the witness comes from, if it does."""

    way: str
    setting: Setting
    witness: Witness
    game: Game | None
    turns: int
    example: str | None = None


class Verdict(Node):
    """The verdict on one subject."""

    subject: Subject
    verdict: str
    proof: str
    notes: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()


class Compared(Node):
    """All verdicts, and the state variables that are not fully compared."""

    verdicts: tuple[Verdict, ...]
    mismatches: tuple[Mismatch, ...]
    settings: tuple[Setting, ...]


def verdict_of(
    subject: Subject, differences: Sequence[Difference], open_ways: Mapping[str, str],
    leaned: Iterable[str],
) -> Verdict:  # fmt: skip
    """The verdict that differences amount to; `open_ways` were not decided, with the reason, and
    `leaned` are the invariants without which there would be more differences."""
    ways = {each.way for each in differences}
    notes = [f"whether it is {way} could not be decided: {why}" for way, why in open_ways.items()]
    if subject.old is None and subject.kind not in ("start", "result"):
        notes.append("it is new")
    if subject.new is None and subject.kind not in ("start", "result"):
        notes.append("it is gone")
    if CHANGED in ways or (subject.kind == "start" and len(ways) == 2):
        verdict = CHANGED
    elif len(ways) == 2:
        verdict = INCOMPARABLE
    else:
        verdict = next(iter(ways), EQUAL)
    if verdict == EQUAL and (labels := sorted(set(leaned))):
        sides = {each.partition(": ")[0] for each in labels} - {BOTH}
        by_them = f" by the {sides.pop()} rules" if len(sides) == 1 else ""
        shown = ", ".join(f"`{each.partition(': ')[2]}`" for each in labels)
        notes.append(f"it differs only where no game{by_them} goes, by the proved {shown}")
    if open_ways:
        proof = UNKNOWN
    elif all(each.game is not None for each in differences):
        proof = PROVED
    else:
        proof = BOUNDED
    return Verdict(subject, verdict, proof, tuple(notes), tuple(differences))
