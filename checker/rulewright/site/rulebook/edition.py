"""What is new in an edition, for those who play: sentences that were added, changed or taken out,
tables as they were and as they are, and positions in which something else may be done now.

The comparison of the rules says what differs in play; only what a game gets to is told. A sentence
that says the same in other words stands apart from those that change the game. That everything
else is played as before is said only if it is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.change.output.text import ChangeReport
from rulewright.change.semantic.verdict import PROVED
from rulewright.kernel.comparison import EQUAL
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.site.draw.picture import Picture
from rulewright.site.model.book import Book
from rulewright.site.rulebook.content import (
    Block,
    BookSection,
    DataTable,
    Pictures,
    Prose,
    Sentence,
)
from rulewright.site.rulebook.data_tables import as_table
from rulewright.site.rulebook.edition_boxes import DifferenceBoxes
from rulewright.syntax.node import replace

CODE = ("requirement", "constant", "table", "function", "effect", "move", "chance event", "step")
"""Kinds of pieces of a spec that say how a game goes."""


def whats_new(change: ChangeReport, old: Book, new: Book, names: Names) -> list[BookSection]:
    """The sections of the page; both books speak the same language. `names` are those of the old
    spec, by kind, that are called otherwise now."""
    return list(_Edition(change, old, new, names).sections())


Names = Mapping[tuple[str, str], str]


class _Edition:
    def __init__(self, change: ChangeReport, old: Book, new: Book, names: Names) -> None:
        self._change = change
        self._old = old
        self._new = new
        self._names = names
        self._say = new.wording
        self._before = {self._now("clause", each.name): each for each in old.spec.clauses}
        self._after = {each.name: each for each in new.spec.clauses}
        self._differing = [each for each in change.compared.verdicts if each.verdict != EQUAL]
        self._boxes = DifferenceBoxes(self._differing, old, new, names)
        self._told: set[str] = set()

    def sections(self) -> Iterator[BookSection]:
        say = self._say
        touched = self._touched() if self._differing else set()
        played = [*self._players(), *self._sentences(touched), *self._data(touched)]
        played += self._boxes.left()
        parts = {
            "edition_rules": played,
            "edition_words": list(self._sentences(set(self._after) | set(self._before))),
            "edition_questions": list(self._questions()),
            "edition_variants": list(self._variants()),
        }
        for name, blocks in parts.items():
            if blocks:
                yield BookSection(name, say(name), tuple(blocks))
        nothing = not any(parts.values())
        rest = say(self._rest(nothing, bool(played)))
        yield BookSection("edition_rest", say("edition_rest"), (_prose(rest),))

    def _rest(self, nothing: bool, differs: bool) -> str:
        """The key of what can be said of everything that is not mentioned."""
        change = self._change
        sure = change.stopped is None and not change.compared.mismatches and not change.apart
        if not sure or any(each.proof != PROVED for each in change.compared.verdicts):
            return "edition_unsure"
        return "edition_nothing" if nothing else "edition_same" if differs else "edition_as_before"

    def _now(self, kind: str, name: str) -> str:
        return self._names.get((kind, name), name)

    def _touched(self) -> set[str]:
        """The clauses that what changed in the rules carries out, or that refuse what is played
        differently."""
        changed = {each.name for each in self._change.story if each.kind in CODE}
        changed |= {each.was for each in self._change.story if each.kind in CODE and each.was}
        found = {
            self._now("clause", clause)
            for book in (self._old, self._new)
            for clause, cited in book.citations.items()
            if any(e.name in changed or e.name.partition(".")[0] in changed for e in cited)
        }
        for verdict in self._differing:
            for difference in verdict.differences:
                found |= self._boxes.refusing(difference)
        return found

    # ---- sentences

    def _players(self) -> Iterator[Block]:
        now, before = (
            self._say.ranged(str(each.spec.least), str(each.spec.most))
            for each in (self._new, self._old)
        )
        if now != before:
            yield self._replaced(
                self._say("players", number=now), self._say("players", number=before)
            )

    def _sentences(self, among: set[str]) -> Iterator[Block]:
        """The sentences among these clauses that are not as they were, in reading order, each with
        what it changes in play. Examples are no rules."""
        order = [*self._after, *(each for each in self._before if each not in self._after)]
        for name in order:
            before, now = self._before.get(name), self._after.get(name)
            if name not in among or name in self._told or "example" in _kinds(before, now):
                continue
            if before is not None and now is not None and before.prose == now.prose:
                continue
            self._told.add(name)
            if before is None and now is not None:
                yield Prose(self._say("edition_new"), (Sentence(now.prose, name),))
            elif now is None and before is not None:
                yield Prose(self._say("edition_gone"), (Sentence(before.prose, name),))
            elif before is not None and now is not None:
                yield self._replaced(now.prose, before.prose)
            yield from self._boxes.about(name)

    def _replaced(self, now: str, before: str) -> Prose:
        said = self._say("edition_before", words=before)
        return Prose(self._say("edition_now"), (Sentence(now), Sentence(said)))

    # ---- tables and numbers

    def _data(self, touched: set[str]) -> Iterator[Block]:
        """Tables that have other entries, and numbers of which no changed sentence speaks."""
        old = {self._now("table", each.name): each for each in self._old.spec.tables}
        for table in self._new.spec.tables:
            before = old.get(table.name)
            if before is not None and before.data != table.data:
                yield from self._table(before, table)
        constants = {self._now("constant", each.name): each for each in self._old.spec.constants}
        for each in self._new.spec.constants:
            was = constants.get(each.name)
            if was is None or not each.prose or self._told.intersection(each.clauses):
                continue
            match each.value, was.value:
                case c.Literal(value=now), c.Literal(value=then) if now != then:
                    said = f"{_capital(each.prose)}: {self._value(now)}."
                    yield self._replaced(said, f"{self._value(then)}.")
                case _:
                    pass

    def _table(self, before: c.TableData, now: c.TableData) -> Iterator[Block]:
        say = self._say
        was, drawn = as_table(before, say), as_table(now, say)
        if was is not None and drawn is not None:
            caption = now.prose or say.name(now.name)
            strip = drawn.column_heads and not drawn.row_heads
            if strip and was.rows[0] == drawn.rows[0]:
                rows = [("", *drawn.rows[0]), (say("before"), *was.rows[1]),
                        (say("edition_now"), *drawn.rows[1])]  # fmt: skip
                yield DataTable(caption, tuple(rows), True, True)
                return
            for words, each in (("edition_table_before", was), ("edition_table_now", drawn)):
                yield replace(each, caption=say(words, table=caption))
            return
        sheets = [self._sheet(book) for book in (self._old, self._new)]
        if sheets[0] != sheets[1]:
            for words, drawn_sheets in zip(("before", "edition_now"), sheets):
                yield _prose("", say(words))
                yield Pictures(tuple(drawn_sheets))

    def _sheet(self, book: Book) -> list[Picture]:
        instance, position = book.beginning()
        drawn = book.scene(instance).sheet_pictures(position)
        return [each for each in drawn if each.svg.startswith("<svg")]

    def _value(self, value: Any) -> str:
        return self._say.name(y.value_name(value))

    # ---- questions and variants

    def _questions(self) -> Iterator[Block]:
        say = self._say
        old = {self._now("reading", each.name): each for each in self._old.spec.readings}
        new = {each.name: each for each in self._new.spec.readings}
        for name, reading in new.items():
            before = old.get(name)
            usual = next(each.prose for each in reading.options if each.name == reading.default)
            if before is None:
                yield _prose(reading.prose, say("edition_asked"))
            elif reading.default != before.default and reading.default in {
                each.name for each in before.options
            }:
                yield _prose(say("edition_usual", question=reading.prose, answer=usual))
        for name, reading in old.items():
            if name not in new:
                yield _prose(reading.prose, say("edition_settled"))

    def _variants(self) -> Iterator[Block]:
        say = self._say
        old = {self._now("variant", each.name): each for each in self._old.spec.variants}
        new = {each.name: each for each in self._new.spec.variants}
        changed = {e.name for e in self._change.story if (e.kind, e.what) == ("variant", "changed")}
        for name, variant in new.items():
            if name not in old or name in changed:
                yield _prose(
                    _ended(variant.prose),
                    say("edition_new" if name not in old else "edition_other"),
                )
        for name, variant in old.items():
            if name not in new:
                yield _prose(_ended(variant.prose), say("edition_gone"))


def _kinds(*clauses: c.Clause | None) -> set[str]:
    return {each.kind for each in clauses if each is not None}


def _prose(words: str, title: str | None = None) -> Prose:
    return Prose(title, (Sentence(words),) if words else ())


def _ended(words: str) -> str:
    return words if words[-1:] in ".?!" else f"{words}."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
