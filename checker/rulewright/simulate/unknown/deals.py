"""Whether anything that is not known makes a recorded game legal.

The events are played one after the other with values to be found in the place of what is unknown;
each requirement adds to what has to hold of them. Where events may be left out of the record, they
are put in wherever they can happen. Nothing is guessed: an event that no values allow is illegal
whatever the deal, and values that are found are played again by the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, apply, broken_invariants, is_final
from rulewright.play.semantics.values import Position
from rulewright.simulate.unknown.fresh import can_be_sought, fresh, worth
from rulewright.simulate.unknown.names import Unknown
from rulewright.simulate.unknown.path import Dead, GivenUp, Link, Questions, Trial, outcomes
from rulewright.simulate.unknown.statements import Open, Player, Refusal, opened
from rulewright.simulate.unknown.symbols import Condition, both, is_open
from rulewright.simulate.unknown.touched import Touched, flows_into
from rulewright.syntax.node import Node
from rulewright.system.work_budget import EVALUATED, Allowance

WORK = 100
"""So many seconds' worth of work for one game."""
MOST_CHOICES = 2000
"""Ways to fill in what is left out of one event, besides values that are looked for."""


class Line(Node):
    """A recorded event: the arguments that are known, and what is said of the state after it."""

    transition: c.Transition
    by: int | None
    arguments: Mapping[str, Any]
    state: Mapping[str, Any]


class Found(Node):
    """What came of a game. `events` are those that can be legal, `finished` says whether the game
    can be over then. Of a legal one, `start` and `played` are a deal that makes it so: where it
    begins and all its events. Else `refused_by` has the requirements that stand in the way;
    `differs` says that the event is legal but for the recorded state; `given_up` that there was
    too much to try."""

    events: int
    finished: bool
    start: Position | None
    played: Sequence[Event]
    refused_by: tuple[c.Requirement, ...]
    differs: bool
    given_up: bool


class _World:
    """One way a game may have gone so far."""

    __slots__ = ("at", "before", "done", "events", "link")

    def __init__(self, link: Link, at: Open, events: int, done: Any, before: _World | None) -> None:
        self.link = link
        self.at = at
        self.events = events
        self.done = done
        self.before = before


class Differs(Dead):
    """A state that cannot be as it was recorded."""


class Deals:
    """Looks for what makes one game legal. `unknown` says what a record need not have; `begin` and
    `condition` are the position it begins in and what holds of it."""

    def __init__(
        self,
        instance: Instance,
        begin: Position,
        condition: Condition,
        requirements: Sequence[c.Requirement],
        unknown: Unknown,
        midway: bool,
    ) -> None:
        self.instance = instance
        self._begin = begin
        self._condition = condition
        self._requirements = requirements
        self._left_out = unknown.left_out
        self._context = unknown.context
        self._midway = midway
        self._touched = Touched(instance)
        self._questions = Questions(Allowance(WORK), unknown.context)
        self._furthest = 0
        self._reasons: list[Dead] = []
        self._names = 0

    def find(self, lines: Sequence[Line]) -> Found:
        """What comes of these events."""
        try:
            world = self._search(lines)
            return self._wrong(given_up=False) if world is None else self._checked(world, lines)
        except GivenUp:
            return self._wrong(given_up=True)

    def _wrong(self, given_up: bool) -> Found:
        labels: dict[str, c.Requirement] = {}
        for each in self._reasons:
            if isinstance(each, Refusal) and each.requirement is not None:
                labels.setdefault(each.requirement.label, each.requirement)
        differs = any(isinstance(each, Differs) for each in self._reasons)
        refused: tuple[c.Requirement, ...] = () if given_up else tuple(labels.values())
        return Found(self._furthest, False, None, (), refused, differs, given_up)

    # ---- the search

    def _search(self, lines: Sequence[Line]) -> _World | None:
        """The first way that is found to the end of the record, depth first."""
        ways = [self._beginnings()]
        while ways:
            world = next(ways[-1], None)
            if world is None:
                ways.pop()
            elif world.events == len(lines):
                return world
            else:
                ways.append(self._after(world, lines))
        return None

    def _beginnings(self) -> Iterator[_World]:
        first = Link(None, True, None)
        at = opened(self._begin)

        def begin(trial: Trial) -> Open:
            trial.insist(self._condition)
            player = Player(self.instance, self._touched, trial)
            for each in self._requirements:
                player.need(at, each, {})
            if self._midway and at.variables:
                self._suppose_invariants(player, at)
            return at

        for link, there in outcomes(self._questions, first, begin, self._reasons):
            yield _World(link, there, 0, None, None)

    def _suppose_invariants(self, player: Player, at: Open) -> None:
        """A position in the middle of a game has what all positions have. Those invariants that
        ask too much at once are left to the check of what is found."""
        for each in self.instance.spec.properties:
            if each.kind != "invariant" or each.name in self.instance.accepted:
                continue
            if not self._touched.open(each.claim, frozenset(), at.variables):
                continue
            trial = Trial(self._questions, player.trial.link, ())
            aside = Player(self.instance, self._touched, trial)
            try:
                condition = aside.condition(at, each.claim)
            except (Dead, EvaluationError):
                continue
            if not trial.others:
                player.trial.insist(condition)

    def _after(self, world: _World, lines: Sequence[Line]) -> Iterator[_World]:
        """The ways on: the next recorded event, then those that may have been left out."""
        line = lines[world.events]
        dead: list[Dead] = []
        further = False
        for by, known in self._choices(line.transition, line.by, line.arguments):
            for each in self._played(world, line.transition, by, known, line, dead):
                further = True
                yield each
        for transition in self._left_out:
            for by, known in self._choices(transition, None, {}):
                for each in self._played(world, transition, by, known, None, None):
                    further = True
                    yield each
        if not further:
            self._blame(world.events, dead)

    def _blame(self, events: int, dead: Sequence[Dead]) -> None:
        if events > self._furthest:
            self._furthest, self._reasons = events, []
        if events == self._furthest:
            self._reasons += dead

    def _choices(
        self, transition: c.Transition, by: int | None, known: Mapping[str, Any]
    ) -> Iterator[tuple[int | None, dict[str, Any]]]:
        """What an event can be, but for values that are looked for."""
        instance = self.instance
        sought = flows_into(instance, transition, instance.variables)
        places: dict[str, list[Any]] = {}
        if transition.mover is not None:
            places[""] = [by] if by is not None else list(instance.order(instance.player))
        for param in transition.params:
            if param.name in known:
                places[param.name] = [known[param.name]]
            elif param.name not in sought or not can_be_sought(param.type):
                values = list(instance.order(param.type)) if can_be_sought(param.type) else []
                if not 0 < len(values) <= MOST_CHOICES:
                    raise UsageError(
                        f"`{param.name}` of `{transition.name}` has too many values to look for",
                        "it has to be in the record",
                    )
                places[param.name] = values
        for chosen in product(*places.values()):
            found = dict(zip(places, chosen))
            yield found.pop("", None), found

    def _played(
        self, world: _World, transition: c.Transition, by: int | None, known: Mapping[str, Any],
        line: Line | None, dead: list[Dead] | None,
    ) -> Iterator[_World]:  # fmt: skip
        self._questions.charge(EVALUATED)
        in_phase = transition.requirements[0]
        if "phase" not in world.at.variables and not evaluate(
            in_phase.condition, Environment(self.instance, world.at.position)
        ):
            if dead is not None:
                dead.append(Refusal(in_phase))
            return
        arguments = dict(known)
        holds: list[Condition] = []
        for param in transition.params:
            if param.name not in arguments:
                self._names += 1
                name = f"{transition.name}.{param.name}#{self._names}"
                arguments[param.name], condition = fresh(
                    param.type, name, self.instance, self._context
                )
                holds.append(condition)

        def happen(trial: Trial) -> Open:
            trial.insist(both(*holds))
            player = Player(self.instance, self._touched, trial)
            after = player.happen(world.at, transition, by, arguments)
            if line is not None:
                for name, value in line.state.items():
                    same = player.evaluator.equal(after.position[name], value)
                    try:
                        trial.insist(same)
                    except Dead:
                        raise Differs from None
            return after

        done = (transition, by, arguments)
        events = world.events + (line is not None)
        for link, after in outcomes(self._questions, world.link, happen, dead):
            yield _World(link, after, events, done, world)

    # ---- what is found

    def _checked(self, world: _World, lines: Sequence[Line]) -> Found:
        """A deal, played again by the evaluator: only that counts."""
        model = self._questions.model(world.link, True)
        begin = {name: worth(value, model) for name, value in self._begin.items()}
        played = []
        at: _World | None = world
        while at is not None and at.done is not None:
            transition, by, arguments = at.done
            values = {name: worth(value, model) for name, value in arguments.items()}
            given = {each.name: values[each.name] for each in transition.params}
            played.append(Event(transition.name, by, given))
            at = at.before
        played.reverse()
        unsure = any(is_open(each) for each in self._begin.values())
        if self._midway and unsure and broken_invariants(self.instance, begin):
            return self._wrong(given_up=True)
        position = begin
        try:
            for event in played:
                position = apply(self.instance, position, event)[-1].after
        except EvaluationError:  # a number that was taken to lie in its range
            return self._wrong(given_up=True)
        except Refused as error:
            raise AssertionError(f"the deal that was found is not legal: {error}") from error
        finished = is_final(self.instance, position)
        return Found(len(lines), finished, begin, played, (), False, False)
