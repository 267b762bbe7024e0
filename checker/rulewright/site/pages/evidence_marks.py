"""The marks of a clause: what speaks for it, each with a link to the evidence.

A mark has a sign and a word, so that colour only underlines what it says.
"""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import (
    BOUNDED,
    CITED,
    EMPTY,
    IDLE,
    NOT_YET,
    PARTLY,
    PROVED,
    REFUTED,
    STALE,
    UNKNOWN,
    UNTESTED,
    WITNESSED,
    EarnedEvidence,
    PublishedStatus,
)
from rulewright.site.words.links import example_file
from rulewright.site.words.markdown import link, plain
from rulewright.syntax.node import Node, replace

SIGNS = {
    PROVED: "✓",
    WITNESSED: "✓",
    IDLE: "–",
    PARTLY: "◐",
    BOUNDED: "◐",
    REFUTED: "✗",
    UNKNOWN: "?",
    STALE: "⌛",
    NOT_YET: "○",
    EMPTY: "△",
}
LOOKS = {
    PROVED: "good", WITNESSED: "good", PARTLY: "half", BOUNDED: "half", REFUTED: "bad",
    UNKNOWN: "half", STALE: "half", NOT_YET: "open", IDLE: "quiet",
    EMPTY: "half",
}  # fmt: skip
WORST_FIRST = (REFUTED, UNKNOWN, STALE, NOT_YET, PARTLY, BOUNDED, WITNESSED, PROVED, EMPTY, IDLE)


class EvidenceMark(Node):
    """A sign, a word, where it leads, and how it looks: good, half, bad, open, ask or quiet."""

    sign: str
    word: str
    page: str
    anchor: str
    look: str

    def markdown(self) -> str:
        short, because, rest = self.word.partition(", and shown")  # the reason may be broken
        inside = f"{self.sign}&nbsp;{short.replace(' ', '&nbsp;')}{because}{rest}"
        shown = link(inside, self.page, self.anchor) if self.page else inside
        return f'<span class="rw-mark rw-{self.look}">{shown}</span>'


def mark_of(
    name: str, status: PublishedStatus, claim: c.Property | c.Ends | None = None
) -> EvidenceMark:
    """The mark of one property."""
    word = status.word
    if word == NOT_YET and isinstance(claim, c.Property) and claim.kind == "possible":
        word_shown = "not witnessed yet"
    elif word == BOUNDED:
        depth = max((each.depth or 0 for each in status.verdicts), default=0)
        word_shown = f"bounded, {depth} turns" if depth else word
    else:
        word_shown = word
    return EvidenceMark(SIGNS[word], word_shown, "holds.md", f"property-{name}", LOOKS[word])


def marks(book: Book, clause: c.Clause) -> list[EvidenceMark]:
    """Everything that speaks for a clause, or is still missing. What holds counts only if breaking
    the clause would show, and the first mark says where."""
    if clause.kind == "aside":
        return [EvidenceMark("·", "aside", "", "", "quiet")]
    claimed = [
        each
        for kind in ("property", "possible")
        if (each := _claims(book, clause.name, book.cited_by(clause.name, kind))) is not None
    ]
    found = []
    if clause.kind == "may" and not book.cited_by(clause.name, "possible"):
        cited = book.cited_by(clause.name, "example")
        uses = [each for each in book.exercised.get(clause.name, []) if each in cited]
        if uses:
            file = example_file(book.spec, uses[0])
            found.append(EvidenceMark("✓", "witnessed", file, f"example-{uses[0]}", "good"))
    examples = book.cited_by(clause.name, "example")
    if examples:
        found.append(_examples(book, clause.name, examples))
    found = _sensitive(book, clause.name, claimed, found)
    readings = book.cited_by(clause.name, "reading")
    if readings:
        found.append(
            EvidenceMark("?", "open question", "questions.md", f"reading-{readings[0]}", "ask")
        )
    return found or [
        EvidenceMark("○", "no evidence yet", "trace.md", f"trace-{clause.name}", "open")
    ]


def _sensitive(
    book: Book, clause: str, claimed: list[EvidenceMark], played: list[EvidenceMark]
) -> list[EvidenceMark]:
    """The marks as far as they bite: what holds is only half a mark if nothing shows that breaking
    the clause would be noticed, and so is what claims hold where only an example notices."""
    earned = book.earned(clause)
    if not any(each.look == "good" for each in (*claimed, *played)):
        return [*claimed, *played]
    if earned is not None and earned.word == CITED:
        first, *others = [*claimed, *played]
        weak = replace(first, sign="△", word=CITED, look="half")
        return [weak, *(each for each in others if each.look != "good")]
    if earned is None or not earned.bites:
        how = "not tested yet" if earned is None else f"but {earned.word}"
        return [_weakened(each, how) for each in (*claimed, *played)]
    by = f"and shown to matter by {plain(earned.noticed_by or '')} {_refuted(book, earned)}"
    if earned.noticed_by not in book.claims:
        claimed = [_weakened(each, f"but {UNTESTED}") for each in claimed]
    found = [*claimed, *played]
    whole = [each for each in found if each.look == "good"]
    return [
        replace(each, word=f"{each.word}, {by}") if each in whole[:1] else each for each in found
    ]


def _weakened(mark: EvidenceMark, how: str) -> EvidenceMark:
    if mark.look != "good":
        return mark
    weak: EvidenceMark = replace(mark, sign="◐", word=f"{mark.word} {how}", look="half")
    return weak


def _refuted(book: Book, earned: EarnedEvidence) -> str:
    """What the mistake does to what notices it."""
    claim = book.claims.get(earned.noticed_by or "")
    does = "refutes it"
    if claim is None:
        does = "fails it"
    elif isinstance(claim, c.Property) and claim.kind == "possible":
        does = "takes it away"
    return f"({plain(earned.mistake or '')} {does})"


def _claims(book: Book, clause: str, names: list[str]) -> EvidenceMark | None:
    """One mark for all properties that cite a clause: the worst of them speaks for all. What says
    nothing, or nothing about the clause, does not count."""
    if not names:
        return None
    telling = [name for name in names if not book.says_nothing(name, clause)]
    if not telling:
        return EvidenceMark(SIGNS[EMPTY], EMPTY, "holds.md", f"property-{names[0]}", LOOKS[EMPTY])
    names = telling
    worst = min(names, key=lambda name: WORST_FIRST.index(book.status(name).word))
    mark = mark_of(worst, book.status(worst), book.claims.get(worst))
    if len(names) == 1:
        return mark
    word = f"{mark.word} ×{len(names)}" if mark.look == "good" else mark.word
    return EvidenceMark(mark.sign, word, "trace.md", f"trace-{clause}", mark.look)


def _examples(book: Book, clause: str, names: list[str]) -> EvidenceMark:
    failed = [each.example.name for each in book.played if not each.passed]
    bad = [name for name in names if name in failed]
    if bad:
        file = example_file(book.spec, bad[0])
        return EvidenceMark("✗", "example fails", file, f"example-{bad[0]}", "bad")
    word = "example played" if len(names) == 1 else f"examples played ×{len(names)}"
    page = _trace(clause)
    if len(names) == 1:
        page = example_file(book.spec, names[0]), f"example-{names[0]}"
    return EvidenceMark("▶", word, *page, "good")


def _trace(clause: str) -> tuple[str, str]:
    return "trace.md", f"trace-{clause}"
