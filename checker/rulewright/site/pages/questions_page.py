"""What the text of a rulebook leaves open: its questions with the positions where the answers part,
and the holes, each with what shows it."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.site.model.book import Book
from rulewright.site.model.example_failures import (
    CHANGES,
    CIRCLES,
    FAILS,
    NO_CLOSER,
    STUCK,
    STUCK_AS_PROPOSED,
    FailingExample,
    example_failures,
)
from rulewright.site.model.reading_differences import reading_difference
from rulewright.site.model.verdicts import REFUTED, UNKNOWN, PublishedStatus
from rulewright.site.model.witness import shown_game
from rulewright.site.pages.evidence_marks import SIGNS
from rulewright.site.words.links import (
    answer,
    called,
    expectation,
    pointing,
    to_example,
    to_hole,
    to_question,
)
from rulewright.site.words.markdown import anchor, cited, heading, page, plain, spoken

HOW = {
    FAILS: "it fails in this position",
    CHANGES: "it fails in the transition from this position",
    CIRCLES: "the game returns to this position",
    NO_CLOSER: "a turn has passed without bringing the end closer",
    STUCK: "nobody can do anything",
    STUCK_AS_PROPOSED: "none of the moves that the spec proposes is legal (not every move can be "
    "tried)",
}


def questions_page(book: Book) -> str:
    """What the text leaves open, and how it is read."""
    lines = [f"# Open questions of {plain(book.spec.title)}", ""]
    lines += ["Questions that the rulebook leaves open, with their possible answers. ◉ marks the "
              "default answer, which these pages use. Below each question is a position in which "
              "another answer makes a difference.",
              ""]  # fmt: skip
    for reading in book.spec.readings:
        here = anchor(f"reading-{reading.name}")
        lines += [f"## {here}{heading(reading.prose, reading.name)}", "", called(reading.name), ""]
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
            lines += pointing("Played in", [to_example(book.spec, each) for each in played])
        lines += reading_difference(book, reading)
        lines += _failing_under(book, reading.name)
    return page(lines)


def holes_page(book: Book) -> str:
    """Properties that the text does not give, each with the reason."""
    lines = [f"# Holes found in {plain(book.spec.title)}", ""]
    lines += ["Properties that one would expect, but that fail under some reading of the rulebook. "
              "Each is shown with the reason, the verdict of the prover and an example.",
              ""]  # fmt: skip
    for each in holes(book):
        name = each.subject
        expected = heading(expectation(book.spec, name), name)
        lines += [f"## {anchor(f'hole-{name}')}Not always so: {expected}", "", called(name), ""]
        lines += [*_why(book, each), *_shown(book, each)]
    return page(lines)


def hole(book: Book, found: c.Acceptance) -> list[str]:
    """One thing that fails: what was expected, why it fails, and what shows it."""
    expected = plain(expectation(book.spec, found.subject))
    return [f"Expected: {expected}.", "", *_why(book, found), *_shown(book, found)]


def _why(book: Book, found: c.Acceptance) -> list[str]:
    if found.under is None:
        return [f"Fails: {plain(found.reason)}.", ""]
    return [f"Fails where {answer(book.spec, *found.under)}. Why: {plain(found.reason)}.", ""]


def _shown(book: Book, found: c.Acceptance) -> list[str]:
    """What the prover says of something that fails, and the examples in which it does."""
    readings = {} if found.under is None else {found.under[0]: found.under[1]}
    status = book.status(found.subject, readings)
    game = shown_game(book, status)
    lines = [f"{SIGNS[status.word]} {_hole_word(status)}", "", *game]
    return lines + _played(book, found, drawn=not game)


def questions(book: Book) -> list[str]:
    """The open questions, one a line."""
    return [f"- {to_question(each)}" for each in book.spec.readings]


def holes(book: Book) -> list[c.Acceptance]:
    """The accepted refutations."""
    return [each for each in book.spec.acceptances if each.finding == "refuted"]


def _hole_word(status: PublishedStatus) -> str:
    """What is known of a hole, in words."""
    if status.word == REFUTED:
        return "refuted by the prover, with this game:"
    reasons = sorted({each.reason for each in status.verdicts if each.reason})
    why = f" ({plain('; '.join(reasons))})" if reasons and status.word == UNKNOWN else ""
    return f"the prover has found no game: {status.word}{why}."


def _played(book: Book, found: c.Acceptance, drawn: bool) -> list[str]:
    """The worked examples in which something fails, the position where it does so in the first."""
    shown = [
        failing
        for each in book.played
        if each.passed and (found.under is None or found.under in each.example.readings)
        if (failing := example_failures(each, found.subject)) is not None
    ]
    if not shown:
        return []
    links = [to_example(book.spec, each.played.example.name) for each in shown]
    lines = pointing("▶ Fails in the worked example" + "s" * (len(links) > 1), links)
    where = "There" if len(shown) == 1 else "In the first of them"
    return lines + (_drawn(book, shown[0], where) if drawn else [])


def _drawn(book: Book, failing: FailingExample, where: str) -> list[str]:
    """Where something fails; a change that is at fault, with the position before it."""
    played = failing.played
    scene = book.scene(played.instance, played.example.seats)
    if failing.before is None:
        return [f"{where} {HOW[failing.how]}:", "", scene.show(failing.position, near=True), ""]
    changed = scene.show(failing.position, failing.before, near=True)
    return [f"{where} {HOW[failing.how]}:", "", scene.show(failing.before, near=True), "",
            "and this is the position after it:", "", changed, ""]  # fmt: skip


def _failing_under(book: Book, reading: str) -> list[str]:
    found = [each for each in holes(book) if each.under is not None and each.under[0] == reading]
    if not found:
        return []
    links = [to_hole(book.spec, each.subject) for each in found]
    return pointing("What fails under another answer", links)
