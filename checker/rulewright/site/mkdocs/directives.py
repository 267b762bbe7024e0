"""Directives in hand-written pages: what stands between double square brackets is put in from the
spec, so that prose can quote rules and verdicts without ever falling behind them.

    [[clause SPEC NAME]]    the sentence with its marks
    [[rule SPEC LABEL]]     a requirement: its sentence and the clauses it comes from
    [[property SPEC NAME]]  the sentence with its verdict; also of what every spec owes
    [[proved SPEC NAME]]    the claim that it is proved; an error if it is not
    [[game SPEC NAME]]      the game that shows a property possible or refuted, if there is one
    [[example SPEC NAME]]   its last position; with a number after it, the one after so many lines
    [[best SPEC NAME]]      of that position only the boards and the fullest sheet
    [[hole SPEC NAME]]      what fails under some reading, why, and the game that shows it
    [[sheet SPEC]]  [[turn SPEC]]  [[table SPEC NAME]]  [[questions SPEC]]  [[assumptions SPEC]]

Nothing is put in within code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping

from rulewright.meaning.names.symbol_table import OBLIGATIONS
from rulewright.play.explain.examples import PlayedExample
from rulewright.site.model.book import Book
from rulewright.site.model.example_steps import position_after
from rulewright.site.model.page_cache import PageCache
from rulewright.site.model.phase_graph import phase_diagram
from rulewright.site.model.witness import shown_game
from rulewright.site.pages.evidence_marks import EvidenceMark, mark_of, marks
from rulewright.site.pages.page_list import FRONT
from rulewright.site.pages.questions_page import hole, holes, questions
from rulewright.site.pages.rules_page import assumptions
from rulewright.site.pages.variants_page import table_of
from rulewright.site.words.markdown import code, link, listed, plain, sentence, spoken

_PARTS = re.compile(
    r"(?P<code>^ *(?P<fence>```+|~~~+)[^\n]*\n.*?^ *(?P=fence)[ ]*$|`[^`\n]+`)"
    r"|\[\[(?P<words>[a-z]+(?: [\w./-]+)+)\]\]",
    re.MULTILINE | re.DOTALL,
)

_LINK = re.compile(r"\]\(([\w.-]+\.md)")

Where = Callable[[str, str], str]
"""The address of a page of a game, from the page that is written."""


class DirectiveError(Exception):
    """A directive that cannot be put in, or a claim that is not so; the message says why."""


class Directives:
    """Puts in what directives ask for, from a shelf if it is there."""

    def __init__(
        self, books: Mapping[str, Book], where: Where, page_cache: PageCache,
        shown: Callable[[str], str] = str,
    ) -> None:  # fmt: skip
        """`shown` is done to whatever is put in."""
        self._books = books
        self._where = where
        self._shelf = page_cache
        self._shown = shown
        self._kinds: dict[str, Callable[[Book, list[str]], str]] = {
            "clause": self._clause,
            "rule": self._rule,
            "property": self._property,
            "proved": self._proved,
            "game": self._game,
            "example": self._example,
            "best": self._best,
            "sheet": self._sheet,
            "turn": self._turn,
            "table": self._table,
            "hole": self._hole,
            "questions": lambda book, _: self._linked(book, questions(book)),
            "assumptions": lambda book, _: self._linked(book, assumptions(book)),
        }

    def put_in(self, text: str) -> tuple[str, list[str]]:
        """The text with every directive replaced, and what is wrong with those that are not."""
        wrong: list[str] = []

        def replaced(match: re.Match[str]) -> str:
            if match["code"]:
                return match[0]
            try:
                return self._replaced(match["words"].split())
            except DirectiveError as error:
                wrong.append(f"`{match[0]}`: {error}")
                return match[0]

        return _PARTS.sub(replaced, text), wrong

    def _replaced(self, words: list[str]) -> str:
        kind, name, *rest = words
        if kind not in self._kinds:
            raise DirectiveError(f"there is no directive `{kind}`; there are {_all(self._kinds)}")
        if name not in self._books:
            raise DirectiveError(f"there is no spec `{name}`; the site has {_all(self._books)}")
        book = self._books[name]
        what = f"[[{' '.join(words)}]] with links to {self._where(name, FRONT)}"
        return self._shown(self._shelf.take(book, what, lambda: self._kinds[kind](book, rest)))

    def _clause(self, book: Book, rest: list[str]) -> str:
        name = _one(rest)
        clause = next((each for each in book.spec.clauses if each.name == name), None)
        if clause is None:
            raise DirectiveError(f"`{book.name}` has no clause `{name}`")
        shown = [self._mark(book, each) for each in marks(book, clause)]
        return " ".join([plain(clause.prose), *shown])

    def _rule(self, book: Book, rest: list[str]) -> str:
        name = _one(rest)
        carried = book.carried.get(name)
        if carried is None:
            raise DirectiveError(f"`{book.name}` has no requirement or effect `{name}`")
        cited = [
            link(code(clause), f"{self._where(book.name, 'rules.md')}#clause-{clause}")
            for clause, found in book.citations.items()
            if any(each.name == name for each in found)
        ]
        return sentence(carried.prose or spoken(name)) + (f" ({', '.join(cited)})" if cited else "")

    def _property(self, book: Book, rest: list[str]) -> str:
        name = self._claimed(book, rest)
        claim = book.claims.get(name)
        prose = claim.prose if claim is not None else OBLIGATIONS[name]
        mark = self._mark(book, mark_of(name, book.status(name), claim))
        return f"{sentence(prose or spoken(name))} {mark}"

    def _proved(self, book: Book, rest: list[str]) -> str:
        name = self._claimed(book, rest)
        status = book.status(name)
        if not status.holds:
            raise DirectiveError(f"`{name}` of `{book.name}` is not proved: it is {status.word}")
        return self._mark(book, mark_of(name, status, book.claims.get(name)))

    def _game(self, book: Book, rest: list[str]) -> str:
        name = self._claimed(book, rest)
        shown = shown_game(book, book.status(name))
        if not shown:
            raise DirectiveError(f"there is no game for `{name}` of `{book.name}`")
        return "\n".join(shown)

    def _best(self, book: Book, rest: list[str]) -> str:
        played = _played(book, _one(rest))
        return book.scene(played.instance).show_best(position_after(played, sys.maxsize))

    def _example(self, book: Book, rest: list[str]) -> str:
        name, *after = rest or [""]
        played = _played(book, name)
        number = int(after[0]) if after and after[0].isdigit() else len(played.example.lines)
        scene = book.scene(played.instance, played.example.seats)
        return scene.show(position_after(played, number), near=True)

    def _sheet(self, book: Book, rest: list[str]) -> str:
        instance, position = book.beginning(rest[0] if rest else None)
        return book.scene(instance).show_sheet(position)

    def _turn(self, book: Book, rest: list[str]) -> str:
        return f'<div class="rw-scroll">{phase_diagram(book.spec)}</div>'

    def _table(self, book: Book, rest: list[str]) -> str:
        name = _one(rest)
        data = next((each for each in book.spec.tables if each.name == name), None)
        if data is None:
            raise DirectiveError(f"`{book.name}` has no table `{name}`")
        lines = table_of(data)
        if not lines:
            raise DirectiveError(f"the table `{name}` of `{book.name}` is too large for a page")
        return "\n".join(lines)

    def _hole(self, book: Book, rest: list[str]) -> str:
        name = _one(rest)
        found = [each for each in holes(book) if each.subject == name]
        if not found:
            raise DirectiveError(f"`{book.name}` accepts no refutation of `{name}`")
        return self._linked(book, [line for each in found for line in hole(book, each)])

    def _linked(self, book: Book, lines: list[str]) -> str:
        """Lines of a page of a game with their links as they are from the page that is written."""
        return _LINK.sub(lambda m: f"]({self._where(book.name, m[1])}", "\n".join(lines))

    def _claimed(self, book: Book, rest: list[str]) -> str:
        name = _one(rest)
        if name not in book.claims and name not in OBLIGATIONS:
            raise DirectiveError(f"`{book.name}` has no property `{name}`")
        return name

    def _mark(self, book: Book, mark: EvidenceMark) -> str:
        page = self._where(book.name, mark.page) if mark.page else ""
        return EvidenceMark(mark.sign, mark.word, page, mark.anchor, mark.look).markdown()


def _played(book: Book, name: str) -> PlayedExample:
    played = next((each for each in book.played if each.example.name == name), None)
    if played is None:
        raise DirectiveError(f"`{book.name}` has no example `{name}`")
    return played


def _one(rest: list[str]) -> str:
    if len(rest) != 1:
        raise DirectiveError("it needs one name after the spec")
    return rest[0]


def _all(names: Mapping[str, object]) -> str:
    return listed([f"`{each}`" for each in names]) or "none"
