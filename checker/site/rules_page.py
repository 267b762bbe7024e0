"""The pages that say how a game is played: at a glance, its rules in reading order, its turn."""

from __future__ import annotations

from itertools import groupby

from checker.meaning import core as c
from checker.play.examples import Played
from checker.site.book import Book
from checker.site.flow import KINDS, SIGNS, diagram, ways
from checker.site.markdown import (
    anchor,
    code,
    counted,
    link,
    listed,
    page,
    plain,
    ranged,
    sentence,
    spoken,
    table,
    title,
)
from checker.site.marks import marks
from checker.site.questions_page import holes
from checker.site.trace_page import gap
from checker.site.verdicts import NOT_YET, STALE

ABOUT = "about.md"
"""A page about the spec that somebody may write by hand, beside those that are made."""
KIND_WORDS = {"must": "must", "never": "never", "may": "may", "can": "can happen",
              "example": "example", "aside": "aside"}  # fmt: skip


def front_page(book: Book, others: dict[str, str]) -> str:
    """The game at a glance; `others` are its other pages by file."""
    spec = book.spec
    lines = [f"# {plain(spec.title)}", ""]
    lines += [f"For {ranged(range(spec.least, spec.most + 1))} players. {_sources(spec)}", ""]
    pictured = showcase(book)
    if pictured is not None:
        assert pictured.position is not None
        scene = book.scene(pictured.instance, pictured.example.seats)
        lines += [scene.show_best(pictured.position), ""]
        where = link(plain(title(pictured.example.name)), "examples.md",
                     f"example-{pictured.example.name}")  # fmt: skip
        lines += [f"*At the end of the worked example {where}.*", ""]
    lines += ["## Where things stand", *_standing(book, others)]
    return page(lines)


def rules_page(book: Book) -> str:
    """Every clause in reading order, with its marks and how it is carried out."""
    lines = [
        f"# The rules of {plain(book.spec.title)}",
        "",
        "Every sentence of the rulebook in our own words and in its order. A mark says what speaks "
        "for a sentence and leads there; below a sentence stands how it is carried out.",
    ]
    for section, clauses in groupby(book.spec.clauses, lambda each: each.name.partition(".")[0]):
        lines += ["", f"## {title(section)}", ""]
        for clause in clauses:
            lines += _clause(book, clause)
    if book.spec.assumptions:
        lines += ["", "## Taken from outside the text", "", *assumptions(book)]
    return page(lines)


def assumptions(book: Book) -> list[str]:
    """What is taken from outside the text, one a line, with how sure it is."""
    return [
        f"- {sentence(each.prose)} *({each.confidence} confidence)*"
        for each in book.spec.assumptions
    ]


def turn_page(book: Book) -> str:
    """Setup, phases and what can be done in each."""
    spec = book.spec
    instance, position = book.beginning()
    lines = [f"# Setup and turn of {plain(spec.title)}", "", "## Setup", ""]
    lines += [f"- {sentence(each.prose or each.label)}" for each in spec.start]
    lines += [f"- {sentence(each)}" for each in _open_choices(spec)]
    drawn = book.scene(instance).show_sheet(position)
    if drawn:
        lines += ["", drawn, ""]
    kinds = ", ".join(f"{SIGNS[kind]} {words}" for kind, words in KINDS.items())
    lines += ["", "## The phases", ""]
    lines += [f'<div class="rw-scroll">{diagram(spec)}</div>', ""]
    lines += [f"*{kinds}. An arrow leads to where an event can take the game.*"]
    for phase in spec.phases:
        lines += ["", f"### {title(phase.name)}", ""]
        if phase.prose:
            lines += [sentence(phase.prose), ""]
        for way in ways(spec)[phase.name]:
            lines += _event(way.transition, way.targets)
    lines += ["", "## What there is to know of a position", *_glossed_state(spec)]
    return page(lines)


def showcase(book: Book) -> Played | None:
    """The example whose last position has most to see, of those that play the usual game; none if
    there is nothing to draw."""
    usual = [e for e in book.played if e.example.variant is None and not e.example.readings]
    shown = [each for each in usual if each.passed]

    def seen(played: Played) -> int:
        scene = book.scene(played.instance)
        position = played.position
        players = range(1, played.instance.players + 1)
        return 0 if position is None else max(scene.seen(position, each) for each in players)

    best = max(shown, key=seen, default=None)
    return best if best is not None and seen(best) else None


def _clause(book: Book, clause: c.Clause) -> list[str]:
    shown = " ".join(each.markdown() for each in marks(book, clause))
    where = [f"{source}&nbsp;{place}" for source, place in clause.places]
    kind = [] if clause.kind == "aside" else [KIND_WORDS[clause.kind]]
    places = " · ".join([*kind, ", ".join(where)])
    lines = [f"{anchor(f'clause-{clause.name}')}{plain(clause.prose)} {shown} "
             f'<small title="clause {clause.name}">{places}</small>',
             ""]  # fmt: skip
    carried = [
        book.carried[name]
        for name in book.cited_by(clause.name, "rule", "move")
        if name in book.carried and book.carried[name].prose
    ]
    if carried:
        said = dict.fromkeys(
            f"<li><em>{plain(spoken(each.label.rpartition('.')[2]))}</em>: {plain(each.prose)}</li>"
            for each in carried
        )
        lines += [f'<ul class="rw-how">{"".join(said)}</ul>', ""]
    return lines


def _event(transition: c.Transition, targets: tuple[str, ...]) -> list[str]:
    """One thing that can happen in a phase: what it needs, where it leads."""
    prose = f": {plain(transition.prose)}" if transition.prose else ""
    sign = SIGNS[transition.kind]
    lines = [f"**{sign} {plain(spoken(transition.name))}** ({KINDS[transition.kind]}){prose}"]
    if targets:
        leads = listed([f"*{plain(spoken(each))}*" for each in targets]).replace(" and ", " or ")
        lines[0] += f" → {leads}"
    needs = [each for each in transition.requirements if each.prose]
    shown = [each for each in needs if each.label.rpartition(".")[2] not in ("phase", "once")]
    lines += ["", *(f"- {plain(each.prose or '')}" + _cites(each.clauses) for each in shown), ""]
    return lines


def _cites(clauses: tuple[str, ...]) -> str:
    if not clauses:
        return ""
    links = ", ".join(link(code(each), "rules.md", f"clause-{each}") for each in clauses)
    return f" ({links})"


def _open_choices(spec: c.Spec) -> list[str]:
    """What is different from game to game when it begins."""
    return [
        f"{each.prose or spoken(each.name)}: chosen when the game begins"
        for each in spec.variables
        if each.initial is None
    ]


def _glossed_state(spec: c.Spec) -> list[str]:
    """What there is to know of a position, in words."""
    rows = [
        (plain(spoken(each.name)), plain(each.prose or ""),
         ("each player" if each.owned else "all") + (", hidden" if each.hidden else ""))
        for each in spec.variables
        if each.prose
    ]  # fmt: skip
    return table(("what", "meaning", "whose"), rows)


def _standing(book: Book, others: dict[str, str]) -> list[str]:
    """The other pages with the numbers behind them, and the version they are of."""
    spec = book.spec
    standings = {name: book.standing(name) for name in book.claims}
    proved = sum(each.holds for each in standings.values())
    played = sum(each.passed for each in book.played)
    gaps = sum(bool(gap(book, each)) for each in spec.clauses)
    facts = {
        "rules.md": f"{len(spec.clauses)} sentences of the rulebook in reading order",
        "turn.md": f"{counted(len(spec.phases), 'phase')}, as a diagram",
        "examples.md": f"{played} of {len(book.played)} play as they are told",
        "holds.md": f"{proved} of {len(standings)} properties proved or witnessed",
        "questions.md": f"{counted(len(spec.readings), 'question')} that the text leaves open",
        "holes.md": f"{counted(len(holes(book)), 'thing')} one would expect and that fail",
        "variants.md": counted(len(spec.variants), "other way") + " to play",
        "trace.md": f"{counted(gaps, 'sentence')} without all the evidence they need"
        if gaps
        else "every sentence has the evidence it needs",
        "glossary.md": f"{counted(len(spec.terms), 'word')} with their translations",
        ABOUT: "where the data comes from, how sure it is, what was found",
    }
    rows = [(link(words, page), facts[page]) for page, words in others.items()]
    lines = table(("page", "what is there"), rows)
    words = {each.word for each in standings.values()}
    if words == {NOT_YET}:
        lines += ["No verdicts were given to these pages, so nothing on them is called proved.", ""]
    elif STALE in words:
        lines += ["**The spec has changed since it was proved:** what was proved of another "
                  "version is called stale, not proved.", ""]  # fmt: skip
    return [*lines, f"These pages are of the spec with the hash {code(book.hash)}.", ""]


def _sources(spec: c.Spec) -> str:
    names = [plain(each.title) for each in spec.sources]
    return f"Written from: {listed(names)}." if names else ""
