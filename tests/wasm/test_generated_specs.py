"""Law: whole specs that nobody wrote, which together use the whole language, are played alike by
the compiled game and the evaluator: in positions of games and in any others, whether listed or at
random, errors with their places included."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

import pytest

from fuzz.generate.specs import draft
from rulewright.frontend import check_text
from rulewright.meaning.core import Spec
from rulewright.play.semantics import rules
from rulewright.play.semantics.chance import outcomes
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.values import Position
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.moves import transitions
from rulewright.wasm.runtime.link import ASK
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame
from tests.meaning.states import Dice, any_position, any_value
from tests.play.agreement import Answer, answer
from tests.wasm.agreement import comparable

SPECS = 12
"""In a batch."""
FIRST = 600_000
"""The number of the first spec; other tests use the lowest."""
BEGINNINGS = 10
LONGEST = 8
ANYWHERE = 6
"""Positions that need not be of any game."""
GAMES, EVENTS = 3, 12
"""Games at random, and how far they are followed."""
STEPS = 40
"""So many after one event, and they do not stop."""


def said(ask: Callable[[], Any]) -> Answer:
    """What comes of asking, also where it is too much to ask."""
    try:
        return comparable(answer(ask))
    except UsageError as error:
        return ("usage", error.message)


def usable(number: int) -> Spec | None:
    """A spec with all that is claimed of it, or with nothing if that makes no sense."""
    made = draft(number)
    return check_text("made.rules", made.text()).spec or check_text(
        "made.rules", made.text(())
    ).spec  # fmt: skip


class Comparison:
    """A generated spec with some number of players, and what was compared in it."""

    def __init__(self, spec: Spec, players: int, seed: int) -> None:
        self.random, self.dice, self.seed = Random(seed), Dice(seed), seed
        readings = {each.name: self.random.choice(each.options).name for each in spec.readings}
        self.instance = Instance(spec, players, readings)
        self.game = WasmGame(self.instance, parts=ASK)
        self.playing = WasmGame(self.instance, parts=frozenset(("play",)))
        self.compared = 0

    def same(self, ask: Callable[[], Any], expected: Answer, *where: Any) -> None:
        assert said(ask) == expected, (self.seed, *where)
        self.compared += 1

    def run(self) -> None:
        starts = list(islice(initial_positions(self.instance), BEGINNINGS))
        positions = [each for start in starts[:2] for each in self.walk(start)]
        positions += [any_position(self.instance, self.dice.below(10**6)) for _ in range(ANYWHERE)]
        for before, position in zip([positions[0], *positions], positions):
            self.game.load(position)
            with suppress(Unsupported):
                self.compare(before, position)
        if starts:
            for number in range(GAMES):
                self.follow(number)

    def walk(self, position: Position) -> Iterator[Position]:
        """The positions of a game, as the evaluator plays it."""
        with suppress(EvaluationError, UsageError):
            for _ in range(LONGEST):
                yield position
                events = [*legal_moves(self.instance, position)]
                events += [event for event, _ in outcomes(self.instance, position)]
                if not events:
                    return
                position = rules.apply(self.instance, position, self.random.choice(events))[
                    -1
                ].after

    def compare(self, before: Position, position: Position) -> None:
        """What can happen in a position, what refuses events, where they lead, what holds."""
        instance, game = self.instance, self.game
        moves = said(lambda: list(legal_moves(instance, position)))
        drawn = said(lambda: outcomes(instance, position))
        self.same(game.legal, moves, position)
        self.same(game.outcomes, drawn, position)
        events = [*self.any_events()]
        if moves[0] == "value":
            events += self.random.sample(moves[1], min(3, len(moves[1])))
        for event in events:
            self.compare_event(position, event)
        broken = said(lambda: rules.broken_invariants(instance, position))
        self.same(lambda: game.broken("invariant"), broken, position)
        happened = rules.TakenTransition(
            instance.spec.transitions[0], None, before, position, ()
        )  # fmt: skip
        broken = said(lambda: rules.broken_always(instance, happened))
        self.same(lambda: game.broken("always", before), broken, before, position)
        if moves[0] == drawn[0] == "value":
            with suppress(LimitError):
                chosen = game.choose(self.seed)
                possible = [*moves[1], *(each for each, _ in drawn[1])]
                assert chosen in possible if chosen else not possible or self.is_over(position)

    def is_over(self, position: Position) -> bool:
        return rules.is_final(self.instance, position)

    def any_events(self) -> Iterator[Event]:
        """Events with any arguments."""
        for each in self.instance.spec.transitions:
            for _ in range(0 if each.kind == "step" else 2):
                given = {p.name: any_value(p.type, self.instance, self.dice) for p in each.params}
                by = 1 + self.dice.below(self.instance.players) if each.mover else None
                yield Event(each.name, by, given)

    def compare_event(self, position: Position, event: Event) -> None:
        instance, game = self.instance, self.game
        failing = said(lambda: rules.failing(instance, position, event))
        self.same(lambda: game.failing(event), failing, position, event)
        allowed = ("value", not failing[1]) if failing[0] == "value" else failing
        self.same(lambda: game.allows(event), allowed, position, event)
        if failing == ("value", []):
            after = self.after(position, event)

            def played() -> Position:
                game.apply(event)
                return game.position

            self.same(played, after, position, event)
            game.load(position)

    def follow(self, number: int) -> None:
        """A game at random, as the module plays it, and by the evaluator."""
        playing = self.playing
        try:
            playing.start(self.seed, number)
            for _ in range(EVENTS):
                before = playing.position
                ended = playing.advance()
                if not playing.moved_on:
                    return
                event = playing.events.decode(playing.memory, playing.events.chosen)
                after = self.after(before, event)
                assert after == ("value", playing.position), (self.seed, before, event)
                self.compared += 1
                if ended is not None:
                    return
        except EvaluationError as error:
            found = comparable(("error", error.message, error.span))
            assert found in self.errors(before), (self.seed, before)
        except (LimitError, Unsupported):
            return

    def after(self, position: Position, event: Event) -> Answer:
        """Where an event leads, as the evaluator has it."""
        return said(lambda: rules.apply(self.instance, position, event)[-1].after)

    def errors(self, position: Position) -> list[Answer]:
        """Where the evaluator gives up if it goes on from a position in any way."""
        moves = said(lambda: list(legal_moves(self.instance, position)))
        drawn = said(lambda: [event for event, _ in outcomes(self.instance, position)])
        events = [each for found in (moves, drawn) if found[0] == "value" for each in found[1]]
        happened = [self.after(position, each) for each in events]
        return [each for each in (moves, drawn, *happened) if each[0] == "error"]


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The evaluator takes long to find out that ten thousand steps do not stop."""
    monkeypatch.setattr(rules, "MOST_STEPS", STEPS)
    monkeypatch.setattr(transitions, "MOST_STEPS", STEPS)


@pytest.mark.parametrize("batch", range(4))
def test_generated_specs_agree(batch: int):
    compared = 0
    for number in range(FIRST + batch * SPECS, FIRST + (batch + 1) * SPECS):
        spec = usable(number)
        if spec is None:
            continue
        for players in range(spec.least, spec.most + 1):
            with suppress(EvaluationError):  # some begin with what is no value of its type
                comparison = Comparison(spec, players, number)
                comparison.run()
                compared += comparison.compared
    assert compared > 60 * SPECS
