"""Worked examples as boxes: what they tell in sentences, and pictures of what they come to.

An example that the rulebook tells speaks in its sentences. One of our own says what is allowed and
what is not, and by which rule; what a picture shows is said below it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.values import Position
from rulewright.site.draw.picture import Picture
from rulewright.site.draw.position import PositionPicture
from rulewright.site.model.book import Book
from rulewright.site.model.example_steps import given, steps, tried
from rulewright.site.rulebook.content import ExampleBox, Sentence
from rulewright.site.words.event_text import arguments, player
from rulewright.syntax.node import Node, replace
from rulewright.translate.wording import Wording

MOST_SAID = 3
MOST_REFUSED = 2
MOST_THROWS = 2
MOST_DETAILS = 2
Key = TypeVar("Key", bound=Hashable)


class _Told(Node):
    """Something that may or may not be done: in which words, by whom, what and with what, and by
    which rule."""

    key: str
    who: str
    what: str
    details: str
    reason: str


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
        """What may be done and what these clauses forbid: of each player what is allowed first,
        what is forbidden for the same reason in one sentence."""
        say = self._wording
        told = list(self._told_steps(played, clauses))
        for (who, what), found in _grouped(told, lambda each: (each.who, each.what)):
            good = _details(each for each in found if each.key == "allowed")
            refused = [each for each in found if each.key != "allowed"]
            reasons = list(_grouped(refused, lambda each: each.reason))
            if good and reasons:
                reason, bad = reasons.pop(0)
                yield say("allowed_but", who=who, what=what, good=good, bad=_details(bad),
                          reason=reason)  # fmt: skip
            elif len(refused) < len(found):
                yield say("allowed", who=who, what=f"{what} ({good})" if good else what)
            for reason, bad in reasons:
                details = _details(bad)
                said = f"{what} ({details})" if details else what
                yield say(bad[0].key, who=who, what=said, reason=reason)

    def _told_steps(self, played: PlayedExample, clauses: set[str]) -> Iterator[_Told]:
        """What is done and refused, without what pictures show."""
        wording, seats = self._wording, played.example.seats
        scene = self._scene(played)
        for step in steps(played):
            match step.line:
                case c.ExampleEvent(by=by) if by is not None and step.happened:
                    transition = step.happened[0].transition
                    event = step.happened[0].event
                    if event is not None and transition.params and not scene.lays(event):
                        who = _capital(player(by, seats, wording))
                        yield self._told_of("allowed", who, transition, event, "", played)
                case c.ExpectedRefusal():
                    event = tried(step.line.event, played.instance, step.before)
                    transition = played.instance.transitions[event.name]
                    needed = [
                        each
                        for each in transition.requirements
                        if not clauses.isdisjoint(each.clauses)
                    ]
                    reason = _reason(needed, step.line.because)
                    if not reason or scene.lays(event):
                        continue
                    key = "cannot_happen" if event.by is None else "not_allowed"
                    who = "" if event.by is None else _capital(player(event.by, seats, wording))
                    yield self._told_of(key, who, transition, event, reason, played)
                case _:
                    pass

    def _told_of(
        self, key: str, who: str, transition: c.Transition, event: Event, reason: str,
        played: PlayedExample,
    ) -> _Told:  # fmt: skip
        said = arguments(
            transition, event.arguments, played.instance, self._wording, played.example.seats
        )
        what = transition.prose or self._wording.name(transition.name)
        return _Told(key, who, what, ", ".join(said), reason)

    def _scene(self, played: PlayedExample) -> PositionPicture:
        return self._book.scene(played.instance, played.example.seats, on_table=True)

    def _pictures(self, played: PlayedExample) -> Iterator[Picture]:
        """What is given where the example tells of it, the dice, what is refused and by which rule,
        and what it all comes to."""
        scene, say = self._scene(played), self._wording
        thrown: list[Picture] = []
        refused: list[Picture] = []
        for step in steps(played):
            match step.line:
                case c.ExampleEvent(by=None) if step.happened and step.happened[0].event:
                    thrown += scene.chance_pictures(step.happened[0].event)
                case c.ExpectedRefusal():
                    event = tried(step.line.event, played.instance, step.before)
                    transition = played.instance.transitions[event.name]
                    reason = _reason(transition.requirements, step.line.because)
                    caption = say("refused_so", reason=reason) if reason else say("refused")
                    refused += scene.tried_pictures(event, step.before, caption)
                case _:
                    pass
        begin = given(played)
        told = _tells_of_what_is_given(played)
        end = _first_laid(played, scene) if told else played.position
        assert end is not None
        changed = list(scene.pictures(end, begin))
        on_board = bool(refused) or any(each.is_board for each in changed)
        before = list(scene.board_pictures(begin, say("before"))) if on_board else []
        if told and not before:
            before = [_captioned(each) for each in scene.pictures(begin)]
            shown = {each.caption for each in before}
            changed = [each for each in map(_captioned, changed) if each.caption in shown]
        elif not changed and not before:
            changed = list(scene.pictures(begin))
        if (changed and len(thrown) == 1) or (not changed and len(thrown) <= MOST_THROWS):
            yield from thrown
        yield from before
        yield from refused[:MOST_REFUSED]
        after = "allowed_so" if refused else "after"
        for each in changed:
            key = each.key or (say("newly_laid") if each.is_board and before else "")
            if on_board and each.is_board:
                yield replace(each, caption=say(after), key=key)
            elif told and before:
                yield replace(each, caption=say("afterwards", who=_capital(each.caption)), key=key)
            else:
                yield replace(_captioned(each), key=key)


def _captioned(picture: Picture) -> Picture:
    shown: Picture = replace(picture, caption=_capital(picture.caption))
    return shown


def _first_laid(played: PlayedExample, scene: PositionPicture) -> Position | None:
    """The position after the first move that lays something on a board, else after the last."""
    for each in played.happened:
        if each.event is not None and scene.lays(each.event):
            return each.after
    return played.position


def _tells_of_what_is_given(played: PlayedExample) -> bool:
    """Whether an example first of all says something of the position it begins in."""
    return isinstance(played.example.lines[0], c.Expectation)


def _grouped(
    told: Iterable[_Told], key: Callable[[_Told], Key]
) -> Iterator[tuple[Key, list[_Told]]]:
    """What has the same key, in the order of the first of each."""
    found: dict[Key, list[_Told]] = {}
    for each in told:
        found.setdefault(key(each), []).append(each)
    yield from found.items()


def _details(told: Iterable[_Told]) -> str:
    """With what things are done, a few of them."""
    said = dict.fromkeys(each.details for each in told if each.details)
    return "; ".join(list(said)[:MOST_DETAILS])


def _reason(needed: Iterable[c.Requirement], because: Iterable[str]) -> str:
    """The sentences of what is not met, as far as it is among these requirements."""
    prose = {each.label: each.prose for each in needed}
    reasons = [prose.get(each) for each in because]
    return "; ".join(each for each in reasons if each)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
