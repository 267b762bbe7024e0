"""Induction context: an unknown position in a given phase, and what may be assumed there.

A position is reached at the start, by an event, or by a step. Steps run only after an event, the
first that is due in the order of the file, until none is due; so an event happens where no step is
due, or at the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from rulewright.certify.smt.term import Term, Truth
from rulewright.certify.symbolic.evaluate import EvaluationContext, Evaluator, State
from rulewright.certify.symbolic.statements import StatementEvaluator, SymbolicTransition
from rulewright.certify.symbolic.symbolic_values import (
    BoardValue,
    ListedValue,
    OptionValue,
    Square,
    UnsupportedError,
    Value,
)
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance

FEW = 12
"""So many numbers of a variable are tried value by value."""
WHOLE = 1000
"""At the start and in theorems, grids of so many squares are written out."""


class InductionContext:
    """A spec in one setting, with an unknown position."""

    def __init__(self, spec: c.Spec, players: int, readings: Mapping[str, str]) -> None:
        self.spec = spec
        self.instance = Instance(spec, players, readings)
        self.ev = Evaluator(self.instance)
        self.t = self.ev.t
        self.performer = StatementEvaluator(self.ev)
        self.steps = [each for each in spec.transitions if each.kind == "step"]
        self.events = [each for each in spec.transitions if each.kind != "step"]
        self.seats = range(1, self.instance.players + 1)
        self._state = {
            name: self.ev.shapes.unknown(each.type, name)
            for name, each in self.instance.variables.items()
        }
        self._positions: dict[str | None, Position] = {}

    @cached_property
    def phases(self) -> list[str | None]:
        """The phases; only None where there are none."""
        return [each.name for each in self.spec.phases] or [None]

    def is_final(self, phase: str | None) -> bool:
        return phase in self.instance.final_phases

    def position(self, phase: str | None) -> Position:
        """Any position in a phase."""
        if phase not in self._positions:
            state = dict(self._state)
            if phase is not None:
                state["phase"] = self.phases.index(phase)
            self._positions[phase] = Position(self, phase, state)
        return self._positions[phase]

    def in_phase(self, state: State, phase: str | None) -> Truth:
        if phase is None:
            return True
        return self.t.equal(state["phase"], self.phases.index(phase))

    def claim(self, name: str) -> c.Property:
        return next(each for each in self.spec.properties if each.name == name)

    def invariants(self) -> list[c.Property]:
        """Those that are not known to fail."""
        return [
            each for each in self.spec.properties
            if each.kind == "invariant" and each.name not in self.instance.accepted
        ]  # fmt: skip

    def holds(self, e: c.Expr, now: State, before: State | None = None) -> Truth:
        """Whether a claim has a value and is true."""
        return self.ev.holds(e, EvaluationContext(now, now if before is None else before, {}))

    def cases(self, transition: c.Transition) -> Iterable[int | None]:
        """Who can take a transition."""
        return self.seats if transition.mover is not None else (None,)

    def locals(self, transition: c.Transition, seat: int | None) -> dict[str, Value]:
        """Unknown values for the parameters."""
        found = {
            each.name: self.ev.shapes.unknown(each.type, each.name) for each in transition.params
        }
        if transition.mover is not None:
            found[transition.mover] = seat
        return found

    def due(self, step: c.Transition, state: State) -> Truth:
        """Whether the conditions of a step have a value and hold."""
        asked, _ = self.performer.allowed(step, state, {})
        return self.t.both(*(held for _, held in asked))

    def settled(self, state: State, before: c.Transition | None = None) -> Truth:
        """That no step is due, or none that comes before another."""
        steps = self.steps if before is None else self.steps[: self.steps.index(before)]
        return self.t.both(*(self.t.no(self.due(each, state)) for each in steps))

    # ---- hints

    def squares(self, states: Iterable[State], locals: Mapping[str, Value]) -> list[Square]:
        """The squares that an event names or writes."""
        found = [each for each in locals.values() if isinstance(each, tuple)]
        for state in states:
            for value in state.values():
                found += _written(value)
        return list({id(each): each for each in found}.values())

    def splits(self, locals: Mapping[str, Value], state: State) -> list[Term]:
        """Unknowns worth trying value by value: parameters, then single numbers of the state."""
        found = [part for each in locals.values() if not isinstance(each, BoardValue)
                 for part in leaves(each)]  # fmt: skip
        for name, variable in self.instance.variables.items():
            type = variable.type.value if isinstance(variable.type, y.Map) else variable.type
            if y.is_scalar(type) and not isinstance(state[name], BoardValue):
                some = leaves(state[name])
                found += some if len(some) <= FEW else []
        return list(dict.fromkeys(found))


class Position:
    """Any position in a phase in which the invariants hold."""

    def __init__(self, context: InductionContext, phase: str | None, state: State) -> None:
        self.context = context
        self.phase = phase
        self.state = state
        self._taken: dict[tuple[str, int | None], tuple[SymbolicTransition, dict[str, Value]]] = {}

    @cached_property
    def hypotheses(self) -> dict[str, Truth]:
        """The invariants here by name; those that cannot be written down are left out."""
        found: dict[str, Truth] = {}
        for each in self.context.invariants():
            try:
                found[each.name] = self.context.holds(each.claim, self.state)
            except UnsupportedError:
                continue
        return found

    @cached_property
    def settled(self) -> Truth:
        return self.context.settled(self.state)

    def take(
        self, transition: c.Transition, seat: int | None
    ) -> tuple[SymbolicTransition, dict[str, Value]]:
        """A transition from here by a seat, with any values of its parameters."""
        key = transition.name, seat
        if key not in self._taken:
            locals = self.context.locals(transition, seat)
            taken = self.context.performer.take(transition, self.state, locals)
            self._taken[key] = taken, locals
        return self._taken[key]


def beginning(context: InductionContext) -> tuple[State, Truth, Truth]:
    """The first position: given values, and unknown ones; the requirements under `start`, and
    whether all of this is defined."""
    t, checks = context.t, list[Truth]()
    state: dict[str, Value] = {}
    for name, variable in context.instance.variables.items():
        if variable.initial is None:
            state[name] = context.ev.shapes.unknown(variable.type, f"{name}_first")
            continue
        value, defined = context.ev.worth(variable.initial, EvaluationContext({}, {}, {}))
        checks += [defined, context.ev.inside(value, variable.type)]
        state[name] = value
    held: Truth = True
    for each in context.spec.start:
        value, defined = context.ev.worth(each.condition, EvaluationContext(state, state, {}))
        checks.append(t.implies(held, defined))
        held = t.both(held, defined, value)
    return state, held, t.both(*checks)


def _written(value: Value) -> list[Square]:
    if not isinstance(value, BoardValue):
        return []
    match value.made:
        case ("written", held, square, _):
            return [*_written(held), square]
        case ("choice", _, one, other):
            return [*_written(one), *_written(other)]
        case _:
            return []


def leaves(value: Any) -> list[Term]:
    """The unknowns that a value is made of."""
    match value:
        case Term():
            return [value] if value.op == "unknown" else []
        case tuple():
            return [part for each in value for part in leaves(each)]
        case OptionValue():
            return [*leaves(value.none), *leaves(value.value)]
        case ListedValue():
            return [part for each in value.parts.values() for part in leaves(each)]
        case BoardValue():
            raise UnsupportedError("a large board that is to be found")
        case _:
            return []
