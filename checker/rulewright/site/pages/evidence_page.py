"""Which evidence every sentence of a rulebook has, and where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.meaning import core as c
from rulewright.report.text_width import counted
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import EMPTY
from rulewright.site.pages.evidence_marks import SIGNS
from rulewright.site.words.links import example_file
from rulewright.site.words.markdown import (
    anchor,
    breakable,
    code,
    folded,
    link,
    named,
    page,
    plain,
    table,
)


def evidence_page(book: Book) -> str:
    """Which evidence each clause has, and where there is none."""
    lines = [f"# Traceability of {plain(book.spec.title)}", ""]
    lines += [
        "For each sentence of the rulebook: what carries it out, which properties state it, how "
        "many proofs use it, which examples show it, which mistake in it somebody notices, and how "
        "often it was tested on the reference engine. The last column says what is missing."
    ]
    coverage = book.verdicts.coverage(book.hash)
    rows = []
    for clause in book.spec.clauses:
        name = clause.name
        shown = link(code(name), "rules.md", f"clause-{name}")
        rows.append(
            [
                f"{anchor(f'trace-{name}')}{shown}<br><small>{plain(clause.kind)}</small>",
                named(book.cited_by(name, "rule", "move")),
                _claimed(book, name),
                _using(book.used_in_proofs(name)),
                _examples(book, name),
                _tested(book, name),
                _engine(clause, coverage),
                gap(book, clause),
            ]
        )
    headings = ["clause", "carried out by", "stated by", "proofs", "examples", "tested by",
                "engine", "gap"]  # fmt: skip
    if coverage is None:
        headings.remove("engine")
        rows = [[*row[:6], row[7]] for row in rows]
    open_ones = sum(bool(row[-1]) for row in rows)
    said = f"{open_ones} of {len(rows)} clauses have a gap." if open_ones else "There are no gaps."
    return page([*lines, "", said, *table(headings, rows)])


def gap(book: Book, clause: c.Clause) -> str:
    """What the kind of a clause asks for and nothing gives."""
    if clause.kind == "aside":
        return ""
    gaps: list[str] = []
    claims = book.cited_by(clause.name, "property", "possible")
    proved = any(
        book.status(name).holds and not book.says_nothing(name, clause.name) for name in claims
    )
    if clause.kind in ("must", "never", "can"):
        if not claims:
            gaps.append("no property")
        elif not proved:
            gaps.append("nothing proved")
    if clause.kind == "may" and not proved and not book.exercised.get(clause.name):
        gaps.append("never seen used")
    if clause.kind == "example" and not book.cited_by(clause.name, "example"):
        gaps.append("not played")
    earned = book.earned(clause.name)
    if earned is not None and not earned.bites and not earned.accepted:
        gaps.append(earned.word)
    return f"**△&nbsp;{', '.join(gaps)}**" if gaps else ""


def untested(book: Book) -> list[str]:
    """The clauses that nothing shows to matter, though the spec does not say why, and the claims
    that say nothing: what to tell whoever publishes it."""
    found = []
    for clause in book.spec.clauses:
        earned = book.earned(clause.name)
        if earned is not None and not earned.bites and not earned.accepted:
            broken, about = "it", clause.name
            if earned.unnoticed:
                broken, about = " or ".join(f"`{n}`" for n in earned.unnoticed), earned.unnoticed[0]
            found.append(
                f"the clause `{clause.name}` is {earned.word}: breaking {broken} would not show; "
                f'`accept untested {about} "..."` says why that is so'
            )
    asked = [each for each in book.spec.clauses if each.kind != "aside"]
    left = sum(book.earned(each.name) is None for each in asked)
    if why := book.verdicts.cut_short(book.hash):
        found.append(f"{counted(left, 'clause')} not tested: {why}")
    for (claim, cites), why in book.verdicts.trivial(book.hash).items():
        of = "" if cites is None else f" about the clause `{cites}`"
        found.append(f"the claim `{claim}` says nothing{of}: {why}")
    return found


def _claimed(book: Book, clause: str) -> str:
    links = []
    for name in book.cited_by(clause, "property", "possible"):
        word = book.status(name).word
        if book.status(name).holds and book.says_nothing(name, clause):
            word = EMPTY
        sign = SIGNS[word]
        links.append(f"{sign}&nbsp;{link(breakable(name), 'holds.md', f'property-{name}')}")
    return ", ".join(links)


def _examples(book: Book, clause: str) -> str:
    """The examples that cite a clause, then how many more make use of it."""
    cited = book.cited_by(clause, "example")
    links = [
        link(breakable(each), example_file(book.spec, each), f"example-{each}") for each in cited
    ]
    more = [each for each in book.exercised.get(clause, []) if each not in cited]
    if more:
        links.append(f"used by {len(more)}{' more' if cited else ''}")
    return ", ".join(links)


def _using(names: Sequence[str]) -> str:
    """The proofs that used something: their number, and their names when asked for."""
    if not names:
        return ""
    links = [link(code(each), "holds.md", f"property-{each}") for each in names]
    return folded(str(len(names)), ", ".join(links))


def _tested(book: Book, clause: str) -> str:
    """Who notices which mistake in what carries a clause out, or why nobody has to."""
    earned = book.earned(clause)
    if earned is None:
        return ""
    if not earned.bites and earned.accepted:
        return f"accepted: {plain(earned.accepted)}"
    if not earned.noticed_by:
        return ""
    left = f"; not shown: {named(earned.not_shown)}" if earned.not_shown else ""
    return f"{plain(earned.noticed_by)}: {code(earned.mistake or '')}{left}"


def _engine(clause: c.Clause, coverage: Mapping[str, int] | None) -> str:
    """How many steps of an engine made use of a clause that bears on play."""
    if coverage is None or clause.kind in ("aside", "example"):
        return ""
    steps = coverage.get(clause.name, 0)
    return str(steps) if steps else "**△&nbsp;0**"
