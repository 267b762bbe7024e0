"""What the text of a rulebook leaves open: its questions with the positions where the answers part,
and the holes, each with what shows it."""

from __future__ import annotations

from checker.meaning import core as c
from checker.meaning.names import OBLIGATIONS
from checker.site.book import Book
from checker.site.markdown import (
    anchor,
    cited,
    link,
    listed,
    page,
    plain,
    sentence,
    spoken,
    title,
)
from checker.site.marks import SIGNS
from checker.site.parting import shown_parting
from checker.site.verdicts import REFUTED, UNKNOWN, Standing
from checker.site.witness import shown_game


def questions_page(book: Book) -> str:
    """What the text leaves open, and how it is read."""
    lines = [f"# Open questions of {plain(book.spec.title)}", ""]
    lines += ["What the rulebook does not say. Each question has its answers; ◉ marks how these "
              "pages read it. Below stands where another answer makes a difference.",
              ""]  # fmt: skip
    for reading in book.spec.readings:
        heading = f"{anchor(f'reading-{reading.name}')}{title(reading.name)}"
        lines += [f"## {heading}", "", sentence(reading.prose), ""]
        for option in reading.options:
            sign = "**◉" if option.name == reading.default else "○"
            close = "** (as read here)" if option.name == reading.default else ""
            name = plain(spoken(option.name))
            lines.append(f"- {sign} {name}{close}: {plain(option.prose)}")
        lines += ["", f"Asked of {cited(reading.clauses)}.", ""]
        played = [
            each.example.name
            for each in book.played
            if any(name == reading.name for name, _ in each.example.readings)
        ]
        if played:
            links = [link(title(each), "examples.md", f"example-{each}") for each in played]
            lines += [f"Played in {listed(links)}.", ""]
        lines += shown_parting(book, reading)
        lines += _failing_under(book, reading.name)
    return page(lines)


def holes_page(book: Book) -> str:
    """Properties that the text does not give, each with the reason."""
    lines = [f"# Holes found in {plain(book.spec.title)}", ""]
    lines += ["What one would expect of the game and what fails under some reading of the text: "
              "why, what the prover says of it in this version, and the example that plays it.",
              ""]  # fmt: skip
    for each in holes(book):
        lines += [
            f"## {anchor(f'hole-{each.subject}')}{title(each.subject)}",
            "",
            *hole(book, each),
        ]
    return page(lines)


def hole(book: Book, found: c.Acceptance) -> list[str]:
    """One thing that fails: what was expected, why it fails, and what shows it."""
    lines: list[str] = []
    claim = book.claims.get(found.subject)
    expected = claim.prose if claim is not None else OBLIGATIONS.get(found.subject)
    if expected:
        lines += [f"Expected: {plain(expected)}.", ""]
    readings = {} if found.under is None else {found.under[0]: found.under[1]}
    if found.under is not None:
        reading, option = found.under
        where = link(plain(spoken(reading)), "questions.md", f"reading-{reading}")
        lines += [f"Fails where {where} is read as *{plain(spoken(option))}*: "
                  f"{plain(found.reason)}.", ""]  # fmt: skip
    else:
        lines += [f"Fails: {plain(found.reason)}.", ""]
    standing = book.standing(found.subject, readings)
    game = shown_game(book, standing)
    lines += [f"{SIGNS[standing.word]} {_hole_word(standing)}", "", *game]
    return lines + _played_under(book, found.under, drawn=not game)


def questions(book: Book) -> list[str]:
    """The open questions, one a line."""
    return [
        f"- {link(title(each.name), 'questions.md', f'reading-{each.name}')}: "
        f"{plain(each.prose)}"
        for each in book.spec.readings
    ]  # fmt: skip


def holes(book: Book) -> list[c.Acceptance]:
    """The accepted refutations."""
    return [each for each in book.spec.acceptances if each.finding == "refuted"]


def _hole_word(standing: Standing) -> str:
    """What is known of a hole, in words."""
    if standing.word == REFUTED:
        return "refuted by the prover, with a game that shows it:"
    reasons = sorted({each.reason for each in standing.verdicts if each.reason})
    why = f" ({plain('; '.join(reasons))})" if reasons and standing.word == UNKNOWN else ""
    return f"the prover has not found a game for it: {standing.word}{why}."


def _played_under(book: Book, under: tuple[str, str] | None, drawn: bool) -> list[str]:
    """The worked examples that are played under a reading, the end of the first one drawn."""
    found = [each for each in book.played if each.passed and under in each.example.readings]
    if not found:
        return []
    links = [link(title(each.example.name), "examples.md", f"example-{each.example.name}")
             for each in found]  # fmt: skip
    lines = [f"▶ Played by the rules in {listed(links)}.", ""]
    first = found[0]
    if drawn and first.position is not None:
        lines += [book.scene(first.instance, first.example.seats).show(first.position, near=True)]
    return [*lines, ""]


def _failing_under(book: Book, reading: str) -> list[str]:
    found = [each for each in holes(book) if each.under is not None and each.under[0] == reading]
    if not found:
        return []
    links = [link(title(each.subject), "holes.md", f"hole-{each.subject}") for each in found]
    return [f"What fails under another answer: {listed(links)}.", ""]
