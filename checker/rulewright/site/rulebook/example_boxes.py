"""Worked examples as boxes: what they tell in sentences, and pictures of what they come to.

An example that the rulebook tells speaks in its sentences. One of our own says what is allowed and
what is not, and by which rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample
from rulewright.site.draw.picture import Picture
from rulewright.site.model.book import Book
from rulewright.site.model.example_steps import given, steps, tried
from rulewright.site.rulebook.content import ExampleBox, Sentence
from rulewright.site.words.event_text import arguments, player
from rulewright.syntax.node import replace
from rulewright.translate.wording import Wording

MOST_SAID = 3
MOST_REFUSED = 2


class ExampleBoxes:
    """The boxes of a book. Each example is shown once."""

    def __init__(self, book: Book, wording: Wording) -> None:
        self._book = book
        self._wording = wording
        self._shown: set[str] = set()
        self._told: set[str] = set()

    def told(self, clauses: Iterable[c.Clause]) -> Iterator[ExampleBox]:
        """The examples that these sentences tell."""
        wanted = {each.name: each for each in clauses if each.kind == "example"}
        prose = {each.name: each for each in self._book.spec.clauses if each.kind == "example"}
        for played in self._book.played:
            cited = [each for each in played.example.clauses if each in prose]
            cited = [each for each in prose if each in cited and each not in self._told]
            if played.passed and any(each in wanted for each in cited) and self._is_new(played):
                self._told.update(cited)
                sentences = tuple(Sentence(prose[each].prose, each) for each in cited)
                yield self._box(played, sentences)

    def own(self, clauses: Iterable[c.Clause]) -> Iterator[ExampleBox]:
        """The first example that shows what one of these sentences forbids, by the usual rules."""
        names = {each.name for each in clauses}
        for played in self._book.played:
            shown = played.example
            usual = played.passed and shown.variant is None and not shown.readings
            if not usual or self._book.is_told(shown) or names.isdisjoint(shown.clauses):
                continue
            shows = any(not names.isdisjoint(each.clauses) for each in played.refusals)
            if shows and self._is_new(played):
                told = list(dict.fromkeys(self._said(played, names)))[:MOST_SAID]
                said = tuple(Sentence(_capital(each)) for each in told)
                yield self._box(played, said)
                return

    def _is_new(self, played: PlayedExample) -> bool:
        new = played.example.name not in self._shown
        self._shown.add(played.example.name)
        return new

    def _box(self, played: PlayedExample, sentences: tuple[Sentence, ...]) -> ExampleBox:
        shown = played.example
        title = shown.prose or self._wording.name(shown.name)
        if [each.words.removesuffix(".") for each in sentences] == [title]:
            sentences = ()  # the title says it all
        return ExampleBox(shown.name, title, sentences, tuple(self._pictures(played)))

    def _said(self, played: PlayedExample, clauses: set[str]) -> Iterator[str]:
        """What may be done, and what these clauses forbid."""
        wording, seats = self._wording, played.example.seats
        for step in steps(played):
            match step.line:
                case c.ExampleEvent(by=by) if by is not None and step.happened:
                    transition = step.happened[0].transition
                    event = step.happened[0].event
                    if event is None or not transition.params:
                        continue
                    what = self._what(transition, event.arguments, played)
                    yield wording("allowed", who=_capital(player(by, seats, wording)), what=what)
                case c.ExpectedRefusal():
                    event = tried(step.line.event, played.instance, step.before)
                    transition = played.instance.transitions[event.name]
                    what = self._what(transition, event.arguments, played)
                    needed = {
                        each.label: each.prose
                        for each in transition.requirements
                        if not clauses.isdisjoint(each.clauses)
                    }
                    reasons = [needed.get(each) for each in step.line.because]
                    reason = "; ".join(each for each in reasons if each)
                    if not reason:
                        continue
                    if event.by is None:
                        yield wording("cannot_happen", what=what, reason=reason)
                    else:
                        who = _capital(player(event.by, seats, wording))
                        yield wording("not_allowed", who=who, what=what, reason=reason)
                case _:
                    pass

    def _what(
        self, transition: c.Transition, values: Mapping[str, Any], played: PlayedExample
    ) -> str:
        said = arguments(transition, values, played.instance, self._wording, played.example.seats)
        details = f" ({', '.join(said)})" if said else ""
        return f"{transition.prose or self._wording.name(transition.name)}{details}"

    def _pictures(self, played: PlayedExample) -> Iterator[Picture]:
        """The dice if they are thrown once, what is refused, and what it all comes to."""
        scene = self._book.scene(played.instance, played.example.seats)
        wording = self._wording
        thrown = []
        refused: list[Picture] = []
        for step in steps(played):
            match step.line:
                case c.ExampleEvent(by=None) if step.happened and step.happened[0].event:
                    thrown += scene.chance_pictures(step.happened[0].event)
                case c.ExpectedRefusal():
                    event = tried(step.line.event, played.instance, step.before)
                    refused += scene.tried_pictures(event, step.before, wording("refused"))
                case _:
                    pass
        begin, end = given(played), played.position
        assert end is not None
        if isinstance(played.example.lines[0], c.Expectation):  # it tells of what is given
            yield from scene.pictures(begin)
            return
        if len(thrown) == 1:
            yield thrown[0]
        before = list(scene.board_pictures(begin, wording("before")))
        changed = list(scene.pictures(end, begin))
        compared = bool(before) and any(each.is_board for each in changed)
        if compared:
            yield from before
        yield from refused[:MOST_REFUSED]
        for each in changed or scene.pictures(begin):
            after = wording("after") if compared and each.is_board else _capital(each.caption)
            yield replace(each, caption=after)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
