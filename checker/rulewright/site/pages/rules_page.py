"""The first pages of a game: the game at a glance, and its rules in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample
from rulewright.play.io.notation import write
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.report.text_width import counted
from rulewright.site.model.book import Book, ClauseCarrier
from rulewright.site.model.verdicts import NOT_YET, STALE
from rulewright.site.pages.evidence_marks import marks
from rulewright.site.pages.evidence_page import gap
from rulewright.site.pages.questions_page import holes
from rulewright.site.words.links import answer, example_pages, to_example
from rulewright.site.words.markdown import (
    anchor,
    code,
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

ABOUT = "about.md"
"""A page about the spec that somebody may write by hand, beside those that are made."""
MOST_TOPICS = 4
LONGEST_VALUE = 40
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
        where = to_example(spec, pictured.example.name)
        lines += [f"*At the end of the worked example* {where}.", ""]
    lines += ["## The pages", *_standing(book, others)]
    return page(lines)


def rules_page(book: Book) -> str:
    """Every clause in reading order, with its marks and how it is carried out."""
    lines = [
        f"# The rules of {plain(book.spec.title)}",
        "",
        "Every sentence of the rulebook, in its order and in our own words. The marks beside a "
        "sentence link to its evidence. Below it stands how the spec carries it out.",
    ]
    for section, found in groupby(book.spec.clauses, _section):
        clauses = list(found)
        lines += ["", f"## {_section_title(section, clauses)}", ""]
        for clause in clauses:
            lines += _clause(book, clause)
    known = {each.name for each in book.spec.clauses}
    rest = [each for each in book.spec.assumptions if known.isdisjoint(each.clauses)]
    if rest:
        lines += ["", "## Taken from outside the text", ""]
        lines += [f"- {_assumed(each)}" for each in rest]
    return page(lines)


def assumptions(book: Book) -> list[str]:
    """What is taken from outside the text, one a line, with how sure it is."""
    return [f"- {_assumed(each)}" for each in book.spec.assumptions]


def _assumed(found: c.Assumption) -> str:
    return f"{sentence(found.prose)} *({plain(found.confidence)} confidence)*"


def _notes(book: Book, clause: c.Clause) -> list[str]:
    """How a clause is read where the text leaves it open, and what is assumed about it."""
    notes: list[str] = []
    for reading in book.spec.readings:
        if clause.name in reading.clauses:
            notes += [f"? {answer(book.spec, reading.name, reading.default)}.", ""]
    for each in book.spec.assumptions:
        if clause.name in each.clauses:
            notes += [f"△ Not from the text: {_assumed(each)}", ""]
    return notes


def sentences(spec: c.Spec) -> int:
    """How many sentences of the rulebook there are: several clauses may come from one."""
    return len({each.places[0] if each.places else each.name for each in spec.clauses})


def _section(clause: c.Clause) -> str | None:
    """The number of the section of the rulebook in which a clause stands, as the first source
    counts them; None if its place names none."""
    section, dot, _ = clause.places[0][1].partition(".") if clause.places else ("", "", "")
    return section if dot else None


def _section_title(section: str | None, clauses: Sequence[c.Clause]) -> str:
    """What a section is about, by the first words of the names of its clauses; those that only
    tell an example say nothing of that."""
    topics = [each for each in clauses if each.kind != "example"] or clauses
    names = list(dict.fromkeys(each.name.partition(".")[0] for each in topics))
    more = " …" if len(names) > MOST_TOPICS else ""
    said = title(", ".join(names[:MOST_TOPICS])) + more
    return said if section is None else f"Section {plain(section)}: {said}"


def showcase(book: Book) -> PlayedExample | None:
    """The example whose last position has most to see, of those that play the usual game; none if
    there is nothing to draw."""
    usual = [e for e in book.played if e.example.variant is None and not e.example.readings]
    shown = [each for each in usual if each.passed]

    def seen(played: PlayedExample) -> int:
        scene = book.scene(played.instance)
        position = played.position
        players = range(1, played.instance.players + 1)
        return 0 if position is None else max(scene.seen(position, each) for each in players)

    best = max(shown, key=seen, default=None)
    return best if best is not None and seen(best) else None


def _clause(book: Book, clause: c.Clause) -> list[str]:
    shown = " ".join(each.markdown() for each in marks(book, clause))
    where = [f"{plain(source)}&nbsp;{plain(place)}" for source, place in clause.places]
    kind = [] if clause.kind == "aside" else [KIND_WORDS[clause.kind]]
    places = " · ".join([*kind, ", ".join(where)])
    lines = [f"{anchor(f'clause-{clause.name}')}{plain(clause.prose)} {shown} "
             f'<small title="clause {plain(clause.name)}">{places}</small>',
             ""]  # fmt: skip
    carried = [
        book.carried[name]
        for name in book.cited_by(clause.name, "rule", "move")
        if name in book.carried and book.carried[name].prose
    ]
    if carried:
        said = dict.fromkeys(
            f"<li><em>{plain(spoken(each.label.rpartition('.')[2]))}</em>: {plain(each.prose)}"
            f"{_value(book, each)}</li>"
            for each in carried
        )
        lines += [f'<ul class="rw-how">{"".join(said)}</ul>', ""]
    return lines + _notes(book, clause)


def _value(book: Book, carried: ClauseCarrier) -> str:
    """The value of a constant, if it is short enough to read."""
    constant = next((each for each in book.spec.constants if each.name == carried.label), None)
    if constant is None:
        return ""
    instance = Instance(book.spec)
    value = evaluate(constant.value, Environment(instance, {}))
    words = write(value, constant.value.type, instance)
    return f": <b>{plain(words)}</b>" if len(words) <= LONGEST_VALUE else ""


def _standing(book: Book, others: dict[str, str]) -> list[str]:
    """The other pages with the numbers behind them, and the version they are of."""
    spec = book.spec
    standings = {name: book.status(name) for name in book.claims}
    proved = sum(each.holds for each in standings.values())
    played = sum(each.passed for each in book.played)
    told = sum(each.passed and book.is_told(each.example) for each in book.played)
    gaps = sum(bool(gap(book, each)) for each in spec.clauses)
    facts = {
        "play.md": "the rulebook to play from",
        "try.md": "the game to press on, in the browser",
        "rules.md": f"{counted(sentences(spec), 'sentence')} of the rulebook in reading order",
        "turn.md": f"{counted(len(spec.phases), 'phase')}, as a diagram",
        "examples.md": f"{played} of {len(book.played)} play as expected"
        + (f", {told} of them told by the rulebook" if told else ""),
        "holds.md": f"{proved} of {len(standings)} properties proved or witnessed",
        "questions.md": f"{counted(len(spec.readings), 'question')} that the rulebook leaves open",
        "holes.md": f"{counted(len(holes(book)), 'thing')} one would expect and that fail",
        "variants.md": counted(len(spec.variants), "other way") + " to play",
        "trace.md": f"{counted(gaps, 'clause')} with missing evidence"
        if gaps
        else "every sentence has its evidence",
        "glossary.md": f"{counted(len(spec.terms), 'word')} with their translations",
        ABOUT: "the sources of the spec, and what was found",
    }
    named = example_pages(spec)
    rows = [
        (
            link(words, page),
            facts.get(page, "more of the same" if page in named else "in another language"),
        )
        for page, words in others.items()
    ]
    lines = table(("page", "content"), rows)
    words = {each.word for each in standings.values()}
    if words == {NOT_YET}:
        lines += [
            "The game was not proved when these pages were made, so nothing here is called proved.",
            "",
        ]
    elif STALE in words:
        lines += ["**The spec has changed since it was proved.** Verdicts on another version are "
                  "called stale.", ""]  # fmt: skip
    return [*lines, f"Made from the spec with the hash {code(book.hash)}.", ""]


def _sources(spec: c.Spec) -> str:
    names = [plain(each.title) for each in spec.sources]
    return f"Written from: {listed(names)}." if names else ""
