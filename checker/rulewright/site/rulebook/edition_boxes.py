"""What is played differently by two editions, as boxes for those who play: what may be done now or
comes of it, by which rule, with the dice and what lies there. Only what a game gets to is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.change.semantic.verdict import ComparisonVerdict, Difference
from rulewright.change.semantic.witness import SideJudgement, Witness
from rulewright.kernel.comparison import CHANGED, LOOSER
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.event import Event
from rulewright.site.draw.picture import Picture
from rulewright.site.draw.position import PositionPicture
from rulewright.site.model.book import Book
from rulewright.site.rulebook.content import ExampleBox, Sentence
from rulewright.site.words.event_text import arguments, player
from rulewright.syntax.node import replace

MOST_PICTURES = 4


class DifferenceBoxes:
    """The boxes of a comparison, each told once. `names` are those of the old spec, by kind, that
    are called otherwise now."""

    def __init__(
        self, verdicts: Sequence[ComparisonVerdict], old: Book, new: Book,
        names: Mapping[tuple[str, str], str],
    ) -> None:  # fmt: skip
        self._old = old
        self._new = new
        self._names = names
        self._say = new.wording
        self._told: set[str] = set()
        self._reached = [
            (f"{verdict.subject.name}-{at}", verdict, difference)
            for verdict in verdicts
            for at, difference in enumerate(verdict.differences)
            if difference.game is not None or difference.example is not None
        ]

    def about(self, clause: str) -> Iterator[ExampleBox]:
        """The differences in play that a clause has to do with."""
        for name, verdict, difference in self._reached:
            if clause in self.refusing(difference):
                yield from self._told_once(name, verdict, difference)

    def left(self) -> Iterator[ExampleBox]:
        """All that have not been told yet."""
        for name, verdict, difference in self._reached:
            yield from self._told_once(name, verdict, difference)

    def refusing(self, difference: Difference) -> set[str]:
        """The clauses by which either edition refuses something, as they are called now."""
        return {
            self._names.get(("clause", clause), clause)
            for said in difference.witness.said
            for needed in said.refused_by
            for clause in needed.clauses
        }

    def _told_once(
        self, name: str, verdict: ComparisonVerdict, difference: Difference
    ) -> Iterator[ExampleBox]:
        if name not in self._told:
            self._told.add(name)
            yield self._box(name, verdict, difference)

    def _box(self, name: str, verdict: ComparisonVerdict, difference: Difference) -> ExampleBox:
        game = difference.game
        witness = difference.witness if game is None else game.witness
        said = tuple(Sentence(each) for each in self._said(verdict, witness))
        pictures = tuple(self._pictures(witness))[:MOST_PICTURES]
        return ExampleBox(name, said[0].words.removesuffix("."), said[1:], pictures)

    def _said(self, verdict: ComparisonVerdict, witness: Witness) -> Iterator[str]:
        """What may be done now, may not be done any more or comes of it, by which rule."""
        say, subject = self._say, verdict.subject
        old, new = witness.said
        if witness.player is not None:
            who = _capital(player(witness.player, (), say))
            if isinstance(new.value, bool):
                yield say("edition_wins" if new.value else "edition_loses", who=who)
            else:
                what = say.name(subject.name)
                yield say("edition_result", who=who, what=what,
                          now=self._value(new.value), before=self._value(old.value))  # fmt: skip
            return
        shape = subject.new if subject.new is not None else subject.old
        if not isinstance(shape, c.Transition):
            yield say("edition_begins" if witness.way == LOOSER else "edition_begins_not")
            return
        book = self._new if witness.side else self._old
        told = next(each for each in book.spec.transitions if each.name in (
            shape.name, witness.event.name if witness.event else shape.name))  # fmt: skip
        what = self._what(told, witness.event, witness)
        kind = {CHANGED: "changed", LOOSER: "looser"}.get(witness.way, "stricter")
        if witness.event is not None and witness.event.by is not None:
            who = _capital(player(witness.event.by, (), say))
            yield say(f"edition_{kind}", who=who, what=what)
        else:
            yield say(f"edition_{kind}_alone", what=what)
        yield from self._reasons(old if kind == "looser" else new, kind)
        if kind == "changed":
            yield from self._outcomes(witness)

    def _what(self, told: c.Transition, event: Event | None, witness: Witness) -> str:
        what = told.prose or self._say.name(told.name)
        if event is None:
            return what
        said = arguments(told, event.arguments, witness.speaker, self._say)
        return f"{what} ({', '.join(said)})" if said else what

    def _reasons(self, said: SideJudgement, kind: str) -> Iterator[str]:
        book = self._old if kind == "looser" else self._new
        words = [book.carried[each.label].prose for each in said.refused_by
                 if each.label in book.carried]  # fmt: skip
        reason = "; ".join(dict.fromkeys(each for each in words if each))
        if reason:
            yield self._say("edition_was_refused" if kind == "looser" else "edition_refused",
                            reason=reason)  # fmt: skip

    def _outcomes(self, witness: Witness) -> Iterator[str]:
        """What either edition makes of it, where the two are different."""
        old, new = witness.said
        if old.after is None or new.after is None:
            return
        both = [dict(old.after), dict(new.after)]
        common = [
            name for name in both[0] if name in both[1] and name in witness.instances[0].variables
        ]
        for side, words in ((0, "edition_comes_before"), (1, "edition_comes_now")):
            book = (self._old, self._new)[side]
            scene = book.scene(witness.instances[side])
            here = both[side]
            there = {**here, **{name: both[1 - side][name] for name in common}}
            told = [f"{what}: {value}" for what, value in scene.different(here, there)]
            if told:
                yield self._say(words, what="; ".join(told))

    def _pictures(self, witness: Witness) -> Iterator[Picture]:
        """The dice, what it comes to, or what lies there; of something that comes to another end,
        either end."""
        if witness.player is not None:
            scene = self._new.scene(witness.instances[1])
            sheets = scene.sheet_pictures(dict(witness.positions[1]), witness.player, near=True)
            yield from (each for each in sheets if each.svg.startswith("<svg"))
            return
        sides = [at for at, each in enumerate(witness.said) if each.after is not None] or [1]
        event = witness.event
        scene = self._scene(witness, sides[0])
        if event is not None and event.by is not None:
            yield from scene.dice_pictures(dict(witness.positions[sides[0]]))
        elif event is not None and witness.way != CHANGED:
            yield from scene.chance_pictures(event)
        drawn = [self._drawn(witness, side) for side in sides]
        same = len({tuple(each.svg for each in shown) for shown in drawn}) == 1
        for side, shown in zip(sides[-1:] if same else sides, drawn):
            words = self._say(("before", "edition_now")[side])
            for each in shown:
                caption = each.caption if same else f"{words}: {each.caption}"
                yield replace(each, caption=_capital(caption))

    def _scene(self, witness: Witness, side: int) -> PositionPicture:
        return (self._old, self._new)[side].scene(witness.instances[side])

    def _drawn(self, witness: Witness, side: int) -> list[Picture]:
        """What changes by one edition, or what lies there."""
        scene, position = self._scene(witness, side), dict(witness.positions[side])
        after = witness.said[side].after
        changed = scene.pictures(dict(after), position) if after is not None else []
        return changed or scene.pictures(position)[:1]

    def _value(self, value: Any) -> str:
        return self._say.name(y.value_name(value))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
