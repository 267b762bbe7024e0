"""The truth about a small game: every position that games reach, gone through by the evaluator.

Nothing here is compiled, cached or solved: positions come from `play/semantics/rules` and
`play/semantics/evaluate`, and every choice of mover and parameters is tried. A game with too many
positions is gone through only in part; then `complete` is false, and what was not seen is not
called untrue."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from fuzz.truth.choices import MOST_CHOICES, TooManyError, beginnings, choices, event_of, key_of
from fuzz.truth.orders import Orders
from fuzz.truth.whole_games import Place, breaks_measure, in_order, most_rounds
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.constraint_search import search
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.evaluate import choices as bound
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import is_final, requirements, scores, take, unmet, winners
from rulewright.play.semantics.values import Position, stray

MOST_POSITIONS = 250
"""Positions that are gone through in one setting."""
MOST_TRIES = 6_000
"""Choices of mover and parameters that are asked about in one setting."""
LONGEST_CHAIN = 90
"""Steps after one event that are followed; a chain that neither ends nor repeats is left open."""
WIDE = 16
"""Keys of a map, or squares of a board; where there are more, fewer positions are gone through."""


class Passed(NamedTuple):
    """A transition from one position to the next; `event` is None for a step."""

    before: Position
    after: Position
    transition: c.Transition
    event: Event | None


class Truth:
    """What is so in one setting. `broken` are the names of what does not hold, with the fewest
    events and turns of a game that shows it; `reached` the same for what is possible."""

    def __init__(self) -> None:
        self.complete = True
        self.starts = 0
        self.positions = 0
        self.tries = 0
        self.broken: dict[tuple[str, str], tuple[int, int]] = {}
        self.reached: dict[str, tuple[int, int]] = {}
        self.open: set[str] = set()
        """Names of obligations that could not be judged everywhere."""
        self.endless = False
        self.rounds: dict[str, int | None] = {}
        """The most often a game is in the phase of a measure, None if that has no end."""
        self.consistent = False
        """Whether some position that was reached breaks no invariant that is assumed."""
        self.happened: set[str] = set()
        self.decisive: set[str] = set()
        """Labels of requirements that alone refuse something."""
        self.said: set[str] = set()
        """Properties whose condition comes about."""
        self.places: list[Place] = []
        self.passed: list[Passed] = []
        """Every transition that took place."""


def explored(instance: Instance, wide: int = 0) -> Truth:
    """Goes through every position that a game can reach, breadth first; through fewer where it is
    `wide`, for then it takes long to look at one."""
    share = min(1.0, WIDE / max(wide, widest(instance)))
    return _Exploring(instance, int(MOST_POSITIONS * share), int(MOST_TRIES * share)).all()


def widest(instance: Instance) -> int:
    """How many keys the widest map of the game has."""
    found = 1
    for variable in instance.variables.values():
        type = variable.type
        while isinstance(type, y.Map):
            found = max(found, len(instance.order(type.key)))
            type = type.value
    return found


class _Exploring:
    def __init__(self, instance: Instance, positions: int, tries: int) -> None:
        self.instance = instance
        self._positions = positions
        self._tries_left = tries
        self._looked: set[Any] = set()
        self.truth = Truth()
        self._known: dict[Any, Place] = {}
        self._steps = instance.of_kind("step")
        self._orders = Orders(instance)
        self._simultaneous = {p.name for p in instance.spec.phases if p.simultaneous}
        self._first: str = instance.spec.phases[0].name if instance.spec.phases else ""
        self._claims = {
            kind: [p for p in instance.spec.properties if p.kind == kind]
            for kind in ("invariant", "always", "possible", "theorem")
        }
        self._conditions = [
            (p, inner)
            for p in instance.spec.properties
            if (inner := unguarded(p.claim)) is not None
        ]

    def all(self) -> Truth:
        truth = self.truth
        self._theorems()
        try:
            starts, safe = beginnings(self.instance)
        except TooManyError:
            truth.complete = False
            return truth
        if not safe:
            self._break("safe", "safety", 0, 0)
        truth.starts = len(starts)
        waiting: deque[Place] = deque()
        for position in starts:
            self._look_at(position, 0, 0)
            self._due_at_start(position)
            self._visit(position, 0, 1, waiting)
        while waiting:
            if len(self._known) > self._positions or truth.tries > self._tries_left:
                truth.complete = False
                break
            self._go_on(waiting.popleft(), waiting)
        truth.places = list(self._known.values())
        truth.positions = len(truth.places)
        self._loops()
        return truth

    def _due_at_start(self, position: Position) -> None:
        """Steps only follow events. Whether it matters which of two is due at the start is nobody's
        business; that it is said to matter is not false either."""
        env = Environment(self.instance, position)
        with suppress(EvaluationError):
            if sum(not unmet(each.requirements, env) for each in self._steps) > 1:
                self.truth.open.add("one_step")

    # ---- one position

    def _visit(self, position: Position, events: int, turns: int, waiting: deque[Place]) -> Place:
        key = key_of(position)
        place = self._known.get(key)
        if place is None:
            place = self._known[key] = Place(
                len(self._known), position, events, turns, turns - self._begins(position)
            )
            waiting.append(place)
        return place

    def _begins(self, position: Position) -> bool:
        """Whether another turn begins here: games count them by the phase they began in."""
        return bool(position.get("phase") == self._first)

    def _go_on(self, place: Place, waiting: deque[Place]) -> None:
        instance, position, truth = self.instance, place.position, self.truth
        if is_final(instance, position):
            self._result(place)
            return
        legal: list[Event] = []
        refused: list[Event] = []
        uncertain = False
        for event in self._tries(position):
            if event is None:
                uncertain = True
                continue
            truth.tries += 1
            allowed = self._asked(position, event, place)
            if allowed is None:
                uncertain = True
            elif allowed:
                legal.append(event)
            else:
                refused.append(event)
        if not legal:
            if uncertain:
                truth.open.add("goes_on")
            else:
                self._break("goes_on", "flow", place.events, place.gone)
        outcome: list[tuple[Event, Position]] = []
        for event in legal:
            truth.happened.add(event.name)
            after = self._happen(place, event)
            if after is None:
                continue
            outcome.append((event, after))
            turns = place.turns + self._begins(after)
            place.after.append(self._visit(after, place.events + 1, turns, waiting))
        if position.get("phase") in self._simultaneous:
            for matters in self._orders.matters(position, outcome, refused):
                if matters is None:
                    truth.open.add("order")
                elif matters:
                    self._break("order", "order", place.events, place.gone)

    def _tries(self, position: Position) -> Iterator[Event | None]:
        """Every event that can be asked about here; None for what is too much to try."""
        phase = position.get("phase")
        for transition in self.instance.spec.transitions:
            if transition.kind == "step" or phase not in transition.phases:
                continue
            types: dict[str, y.Type] = {each.name: each.type for each in transition.params}
            if transition.mover is not None:
                types = {transition.mover: self.instance.player, **types}
            try:
                for values in choices(types, self.instance, MOST_CHOICES):
                    yield event_of(transition, values)
            except TooManyError:
                yield None
                self.truth.complete = False
                yield from self._searched(transition, types, position)

    def _searched(
        self, transition: c.Transition, types: Mapping[str, y.Type], position: Position
    ) -> Iterator[Event]:
        """Some events of a transition with too many choices to try: those that are proposed."""
        for proposal in transition.proposals[:1]:
            env = Environment(self.instance, position)
            movers = {n: t for n, t in types.items() if n == transition.mover}
            first, *rest = transition.params
            if rest:
                return
            try:
                for mover in search(movers, [], env, in_state=False):
                    inside = env.enter({**env.locals, **mover})
                    for each in list(bound(proposal.binders, proposal.where, inside))[:40]:
                        value = evaluate(proposal.value, each)
                        if stray(value, first.type, self.instance) is None:
                            yield event_of(transition, {**mover, first.name: value})
            except (EvaluationError, UsageError):
                return

    def _asked(self, position: Position, event: Event, place: Place) -> bool | None:
        """Whether an event is allowed, None if that has no value; notes which requirement alone
        stands in its way."""
        transition = self.instance.transitions[event.name]
        env = Environment(self.instance, position, locals=event.locals(transition))
        return self._weighed(requirements(transition), env, place.events, place.turns)

    def _weighed(self, needed: Any, env: Environment, events: int, turns: int) -> bool | None:
        failing: list[str] = []
        silent = False
        for requirement in needed:
            try:
                if not evaluate(requirement.condition, env):
                    failing.append(requirement.label)
            except EvaluationError:
                if not failing:
                    self._break("safe", "safety", events + 1, turns)
                    return None
                silent = True
        if len(failing) == 1 and not silent:
            self.truth.decisive.add(failing[0])
        return not failing

    # ---- what happens

    def _happen(self, place: Place, event: Event) -> Position | None:
        """Where an event and the steps after it lead; None if that has no value or no end."""
        events, turns = place.events + 1, place.turns
        transition = self.instance.transitions[event.name]
        before = place.position
        position = self._taken(before, transition, event, events, turns)
        been = set()
        while position is not None:
            self._between(before, position, events, turns)
            due = self._due(position, events, turns)
            if due is None:
                return None
            if not due:
                return position
            self._steps_agree(position, due, events, turns)
            key = key_of(position)
            if key in been:
                self._break("steps_stop", "steps", events, turns)
                self.truth.endless = True
                return None
            been.add(key)
            if len(been) > LONGEST_CHAIN:
                self.truth.complete = False
                self.truth.open.add("steps_stop")
                return None
            self.truth.happened.add(due[0].name)
            before, position = position, self._taken(position, due[0], None, events, turns)
        return None

    def _taken(
        self, position: Position, transition: c.Transition, event: Event | None, events: int,
        turns: int,
    ) -> Position | None:  # fmt: skip
        try:
            after = take(self.instance, position, transition, event).after
        except EvaluationError:
            self._break("safe", "safety", events, turns)
            return None
        self.truth.passed.append(Passed(position, after, transition, event))
        return after

    def _due(self, position: Position, events: int, turns: int) -> list[c.Transition] | None:
        """The steps that are due; None if asking the first of them has no value."""
        env = Environment(self.instance, position)
        due: list[c.Transition] = []
        for step in self._steps:
            if due:
                try:
                    if not unmet(step.requirements, env):
                        due.append(step)
                except EvaluationError:
                    self.truth.open.add("one_step")
                continue
            holds = True
            failing: list[str] = []
            silent = False
            for requirement in step.requirements:
                try:
                    if not evaluate(requirement.condition, env):
                        failing.append(requirement.label)
                        holds = False
                except EvaluationError:
                    if not failing:  # play stops at the first that fails
                        self._break("safe", "safety", events, turns)
                        return None
                    silent = True
            if len(failing) == 1 and not silent:
                self.truth.decisive.add(failing[0])
            if holds:
                due.append(step)
        return due

    def _steps_agree(
        self, position: Position, due: list[c.Transition], events: int, turns: int
    ) -> None:
        if len(due) < 2:
            return
        try:
            after = [key_of(take(self.instance, position, each, None).after) for each in due]
        except EvaluationError:
            self.truth.open.add("one_step")
            return
        if any(each != after[0] for each in after):
            self._break("one_step", "steps", events, turns)

    # ---- what is claimed

    def _theorems(self) -> None:
        for each in self._claims["theorem"]:
            if self._worth(each.claim, {}, {}) is not True:
                self._break(each.name, "theorem", 0, 0)

    def _look_at(self, position: Position, events: int, turns: int) -> None:
        key = key_of(position)
        if key in self._looked:  # by breadth first, not later than now
            return
        self._looked.add(key)
        fine = True
        for each in self._claims["invariant"]:
            if self._worth(each.claim, position, position) is not True:
                self._break(each.name, "invariant", events, turns)
                fine = fine and each.name in self.instance.accepted
        self.truth.consistent = self.truth.consistent or fine
        for each in self._claims["possible"]:
            if self._worth(each.claim, position, position) is True:
                known = self.truth.reached.get(each.name, (events, turns))
                self.truth.reached[each.name] = min(known[0], events), min(known[1], turns)
        self._note(position, position, "invariant")

    def _between(self, before: Position, after: Position, events: int, turns: int) -> None:
        self._look_at(after, events, turns)
        for each in self._claims["always"]:
            if self._worth(each.claim, before, after) is not True:
                self._break(each.name, "always", events, turns)
        self._note(before, after, "always")

    def _note(self, before: Position, after: Position, kind: str) -> None:
        for property, condition in self._conditions:
            if property.kind != kind or property.name in self.truth.said:
                continue
            if self._worth(condition, before, after) is False:
                self.truth.said.add(property.name)

    def _worth(self, claim: c.Expr, before: Position, after: Position) -> bool | None:
        try:
            return bool(evaluate(claim, Environment(self.instance, before, after)))
        except EvaluationError:
            return None

    def _result(self, place: Place) -> None:
        try:
            scores(self.instance, place.position)
            winners(self.instance, place.position)
        except EvaluationError:
            self._break("safe", "safety", place.events, place.gone)

    def _break(self, name: str, kind: str, events: int, turns: int) -> None:
        known = self.truth.broken.get((name, kind), (events, turns))
        self.truth.broken[name, kind] = min(known[0], events), min(known[1], turns)

    # ---- whole games

    def _loops(self) -> None:
        """Whether a game can go on for ever, and how often it can be in the phase of a measure."""
        truth = self.truth
        order = in_order(truth.places)
        truth.endless = truth.endless or order is None
        for ends in self.instance.spec.ends:
            truth.rounds[ends.name] = None if order is None else most_rounds(order, ends.at)
            for place in breaks_measure(self.instance, ends, truth.places):
                self._break(ends.name, "ends", place.events, place.gone)


def unguarded(claim: c.Expr) -> c.Expr | None:
    """A claim of the form *if this, then that*, without what follows; None for others. It is false
    where *this* comes about."""
    match claim:
        case c.Binary(span=span, type=type, operator="implies", left=left):
            return c.Binary(span, type, "implies", left, c.Literal(span, y.BOOL, False))
        case c.Quantify(span=span, type=type, kind="all", binders=binders, where=where, body=body):
            inner = unguarded(body)
            return inner and c.Quantify(span, type, "all", binders, where, inner)
        case _:
            return None
