"""Plays the worked examples of a spec, line by line, and says where one goes wrong.

An example passes if the position it is given satisfies every invariant, each event is allowed and
leaves all properties intact, each refusal happens for the reasons named, and each expectation
holds. How it is shown is left to others; `text_picture` draws the position it ended in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.io.notation import seat, write, write_event
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate, perform
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position, start_of
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.operations import place
from rulewright.play.semantics.rules import (
    TakenTransition,
    apply,
    broken_always,
    broken_invariants,
    failing,
)
from rulewright.play.semantics.values import Position, stray
from rulewright.syntax.node import Node, Span

SIGNS = {"equal": "==", "unequal": "!=", "less": "<", "less_equal": "<=", "greater": ">",
         "greater_equal": ">=", "subset": "<=", "sub_bag": "<=", "proper_subset": "<",
         "proper_sub_bag": "<", "member": "in", "bag_member": "in"}  # fmt: skip


class ExampleFailure(Node):
    """Why an example does not pass: its line, what was expected and found, and where the rules
    themselves came to a stop (`cause`), if they did. Whether an event is `refused` that should be
    allowed."""

    span: Span
    message: str
    help: str | None = None
    expected: str | None = None
    got: str | None = None
    cause: Span | None = None
    refused: bool = False


class PlayedExample(Node):
    """How an example went: what happened, which requirements refused what they should, which did so
    alone in which move, and the position it ended in (None if it did not come to one)."""

    example: c.Example
    instance: Instance
    failure: ExampleFailure | None
    position: Position | None
    happened: tuple[TakenTransition, ...]
    refusals: tuple[c.Requirement, ...]
    alone: tuple[tuple[str, str], ...]

    @property
    def passed(self) -> bool:
        return self.failure is None


def play_examples(spec: c.Spec, variant: Callable[[str], c.Spec]) -> Iterator[PlayedExample]:
    """Plays one example after the other, each under the variant it asks for."""
    for example in spec.examples:
        core = spec if example.variant is None else variant(example.variant)
        there = next(each for each in core.examples if each.name == example.name)
        yield play_example(core, there)


def play_example(spec: c.Spec, example: c.Example) -> PlayedExample:
    """Plays one example of this very core."""
    instance = Instance(spec, example.players, dict(example.readings))
    game = _Game(instance, example)
    failure = None
    try:
        game.play()
    except _Stop as stop:
        failure = stop.failure
    return PlayedExample(
        example, instance, failure, game.position, tuple(game.happened), tuple(game.refusals),
        tuple(game.alone),
    )  # fmt: skip


def beginning(instance: Instance, example: c.Example) -> Position | None:
    """The position in which an example begins, if a game can begin like that: what is given is
    only what is open at the start, and the rules allow it."""
    try:
        usual = initial_position(instance)
        env = Environment(instance, usual, dict(usual))
        perform(example.given, env)
        begun = initial_position(instance, start_of(instance, env.now))
    except (EvaluationError, UsageError):
        return None
    return begun if begun == env.now else None


class _Stop(Exception):  # noqa: N818 - an example that fails is an ordinary outcome
    def __init__(self, failure: ExampleFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class _Game:
    def __init__(self, instance: Instance, example: c.Example) -> None:
        self.instance = instance
        self.example = example
        self.position: Position | None = None
        self.happened: list[TakenTransition] = []
        self.refusals: list[c.Requirement] = []
        self.alone: list[tuple[str, str]] = []

    def play(self) -> None:
        span = self.example.span
        try:
            position = self._given()
            for line in self.example.lines:
                span = line.span
                position = self._line(line, position)
                self.position = position
        except EvaluationError as error:
            raise _Stop(ExampleFailure(span, error.message, cause=error.span)) from error

    def _given(self) -> Position:
        """The position to begin with, which must be a possible one as far as can be told."""
        try:
            before = initial_position(self.instance)
        except UsageError as error:
            raise _Stop(ExampleFailure(self.example.span, error.message, error.help)) from error
        env = Environment(self.instance, before, dict(before))
        perform(self.example.given, env)
        self.position = env.now
        for broken in broken_invariants(self.instance, env.now):
            given = self.example.given
            span = Span(given[0].span.start, given[-1].span.end) if given else self.example.span
            message = f"the position given breaks the invariant `{broken.name}`"
            raise _Stop(ExampleFailure(span, message, broken.prose))
        return env.now

    def _line(
        self, line: c.ExampleEvent | c.ExpectedRefusal | c.Expectation, position: Position
    ) -> Position:
        match line:
            case c.ExampleEvent():
                return self._event(line, position)
            case c.ExpectedRefusal():
                self._refusal(line, position)
            case c.Expectation():
                self._expectation(line.condition, position)
        return position

    def _event(self, line: c.ExampleEvent, position: Position) -> Position:
        event = self._played(line, position)
        refused = failing(self.instance, position, event)
        if refused:
            raise _Stop(
                ExampleFailure(
                    line.span,
                    f"{self._who(event)} cannot do this: {_reasons(refused)}",
                    expected=f"{write_event(event, self.instance)} is allowed",
                    got="refused by " + ", ".join(each.label for each in refused),
                    refused=True,
                )
            )
        for happened in apply(self.instance, position, event):
            self.happened.append(happened)
            self.position = happened.after
            broken = [
                *broken_invariants(self.instance, happened.after),
                *broken_always(self.instance, happened),
            ]
            if broken:
                name = happened.transition.name
                message = f"`{name}` breaks the {broken[0].kind} property `{broken[0].name}`"
                raise _Stop(ExampleFailure(line.span, message, broken[0].prose))
        return self.happened[-1].after

    def _refusal(self, line: c.ExpectedRefusal, position: Position) -> None:
        event = self._played(line.event, position)
        refused = failing(self.instance, position, event)
        labels = [each.label for each in refused]
        expected = "refused" + (f" by {', '.join(line.because)}" if line.because else "")
        if not refused:
            message = f"{self._who(event)} can do this, nothing refuses it"
            raise _Stop(ExampleFailure(line.span, message, expected=expected, got="allowed"))
        others = [label for label in line.because if label not in labels]
        if others:
            message = f"this is refused, but not by {' or '.join(f'`{each}`' for each in others)}"
            got = f"refused by {', '.join(labels)}"
            raise _Stop(ExampleFailure(line.span, message, _reasons(refused), expected, got))
        if len(labels) == 1:
            self.alone.append((event.name, labels[0]))
        self.refusals += [
            each for each in refused if each.label in line.because or len(labels) == 1
        ]

    def _expectation(self, condition: c.Expr, position: Position) -> None:
        """Whether a condition holds; of several, the first that does not is reported."""
        if isinstance(condition, c.Binary) and condition.operator == "and":
            self._expectation(condition.left, position)
            self._expectation(condition.right, position)
            return
        env = Environment(self.instance, position)
        if evaluate(condition, env):
            return
        failure = ExampleFailure(condition.span, "this does not hold")
        if isinstance(condition, c.Binary) and condition.operator in SIGNS:
            left, right = (
                write(evaluate(side, env), side.type, self.instance)
                for side in (condition.left, condition.right)
            )
            name = place(condition.left)
            got = left if name in ("this", left) else f"{name} == {left}"
            expected = f"{SIGNS[condition.operator]} {right}"
            message = f"this does not hold: expected {expected}, got {got}"
            failure = ExampleFailure(condition.span, message, None, expected, got)
        raise _Stop(failure)

    def _played(self, line: c.ExampleEvent, position: Position) -> Event:
        """An event with its arguments worked out."""
        transition = self.instance.transitions[line.transition]
        arguments: dict[str, Any] = {}
        for param, argument in zip(transition.params, line.arguments):
            value = arguments[param.name] = evaluate(argument, Environment(self.instance, position))
            if stray(value, param.type, self.instance) is not None:
                message = f"`{param.name}` is outside {y.show(param.type)}"
                raise EvaluationError(message, argument.span)
        return Event(line.transition, line.by, arguments)

    def _who(self, event: Event) -> str:
        return "chance" if event.by is None else f"`{seat(event.by, self.example.seats)}`"


def _reasons(refused: Sequence[c.Requirement]) -> str:
    return "; ".join(
        f"`{each.label}`" + (f" ({each.prose})" if each.prose else "") for each in refused
    )
