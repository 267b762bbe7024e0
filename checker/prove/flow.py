"""Questions about how a game flows: steps, simultaneous moves, and positions without a way on.

As in `obligations`, every function says what *unsatisfiable* means, and asks nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from checker.meaning import core as c
from checker.meaning import types as y
from checker.prove.ground import Ground
from checker.prove.obligations import without_then
from checker.prove.sheet import Goal, Sheet
from checker.smt import board as b
from checker.smt.scene import Scene
from checker.smt.statement import State
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.text import Labelled
from checker.smt.value import Counts, Entries, Maybe, Members, Sym, same
from checker.syntax.node import Node

LISTED = 400
"""A transition with at most so many choices of parameters is tried with each of them."""


def same_state(ground: Ground, left: State, right: State) -> Term:
    """True where two positions are the same."""
    return ground.terms.every(same(ground.terms, left[name], right[name]) for name in left)


def steps(ground: Ground) -> Sheet:
    """From any position in which all invariants hold. Unsatisfiable, for `one_step`: where two
    steps are due, it does not matter which is taken; for `steps_stop`: after so many steps as
    there are, taken one after another, none is due."""
    differ, due = two_steps(ground, ground.state), many_steps(ground, ground.state)
    goals = [
        Goal("one_step", "steps", differ, note="two different steps are due"),
        Goal("steps_stop", "steps", due, note="steps go on and on"),
    ]
    there = ground.instance.of_kind("step")
    return Sheet("steps", ground.invariants, goals if there else [], ground.state)


def two_steps(ground: Ground, state: State) -> Term:
    """True where two steps are due that lead to different positions."""
    terms = ground.terms
    all_steps = ground.instance.of_kind("step")
    due = {step.name: _allowed(ground, step, state, {}) for step in all_steps}
    after = {step.name: ground.statements.take(step, state, {}).after for step in all_steps}
    differing = [
        terms.every((
            due[one.name], due[other.name],
            terms.no(same_state(ground, after[one.name], after[other.name])),
        ))
        for one, other in combinations(all_steps, 2)
    ]  # fmt: skip
    ground.world.take_hazards()
    return terms.either(differing)


def many_steps(ground: Ground, state: State) -> Term:
    """True where after so many steps as there are one is still due."""
    for _ in ground.instance.of_kind("step"):
        state = one_step(ground, state)
    due = ground.step_due(state)
    ground.world.take_hazards()
    return due


def one_step(ground: Ground, state: State) -> State:
    """The position after the first step that is due, the same one if none is."""
    result: State = state
    for step in reversed(ground.instance.of_kind("step")):
        allowed = _allowed(ground, step, state, {})
        if allowed is not FALSE:
            after = ground.statements.take(step, state, {}).after
            result = ground.statements.joined(allowed, after, result)
    return result


class Pair(Node):
    """Two players with a move each, and where it matters in which order they take them."""

    moves: tuple[c.Transition, c.Transition]
    locals: tuple[Mapping[str, Sym], Mapping[str, Sym]]
    here: Term
    differs: Term


def commuting(ground: Ground) -> Iterator[Sheet]:
    """Two players with a move each, in a simultaneous phase and a position where all invariants
    hold. Unsatisfiable, for `order`: both orders are allowed or neither is, no step comes between
    them, and they lead to the same position."""
    for pair in pairs(ground, ground.state):
        names = [each.name for each in pair.moves]
        goal = Goal("order", "order", pair.differs, note=" and ".join(names))
        assumed = [*ground.invariants, Labelled("a simultaneous phase", pair.here)]
        happens = tuple(zip(pair.moves, pair.locals))
        yield Sheet(f"order {' '.join(names)}", assumed, [goal], ground.state, happens=happens)


def pairs(ground: Ground, state: State) -> Iterator[Pair]:
    """All pairs of moves of different players in the simultaneous phases."""
    terms = ground.terms
    phases = [each.name for each in ground.spec.phases if each.simultaneous]
    moves = [each for each in ground.instance.of_kind("move") if set(each.phases) & set(phases)]
    seats = range(1, ground.instance.players + 1)
    here = ground.phase_is(state, phases)
    for one, other in product(moves, repeat=2):
        for left, right in combinations(seats, 2):
            first = {**ground.parameters(one), str(one.mover): terms.number(left)}
            second = {**ground.parameters(other, "'"), str(other.mover): terms.number(right)}
            differs = _order(ground, state, (one, first), (other, second))
            yield Pair((one, other), (first, second), here, differs)


def _order(
    ground: Ground, state: State, one: tuple[c.Transition, State],
    other: tuple[c.Transition, State],
) -> Term:  # fmt: skip
    terms = ground.terms

    def both(
        first: tuple[c.Transition, State], second: tuple[c.Transition, State]
    ) -> tuple[Term, Term, State]:
        taken = ground.statements.take(first[0], state, first[1])
        allowed = terms.every(each.holds for each in taken.asked)
        then = ground.statements.take(second[0], taken.after, second[1])
        between = ground.step_due(taken.after)
        return allowed, terms.every((terms.no(between), *(a.holds for a in then.asked))), then.after

    allowed, still, after = both(one, other)
    allowed_too, still_too, after_too = both(other, one)
    ground.world.take_hazards()
    fine = terms.every((still, still_too, same_state(ground, after, after_too)))
    return terms.every((allowed, allowed_too, terms.no(fine)))


def stuck(ground: Ground) -> Sheet:
    """Unsatisfiable: in every position short of a final phase in which all invariants hold, a
    step is due or some move or chance event is allowed."""
    blocked = no_way_on(ground, ground.state)
    goal = Goal("goes_on", "flow", blocked, note="nobody can do anything")
    return Sheet("goes_on", ground.invariants, [goal], ground.state)


def no_way_on(ground: Ground, state: State) -> Term:
    """True where the game is not over, no step is due and nothing else is allowed."""
    terms = ground.terms
    final = [each.name for each in ground.spec.phases if each.final]
    going = terms.no(ground.phase_is(state, final)) if final else TRUE
    silent = [
        terms.no(_somehow(ground, state, transition))
        for transition in ground.spec.transitions
        if transition.kind != "step"
    ]
    blocked = terms.every((going, terms.no(ground.step_due(state)), *silent))
    ground.world.take_hazards()
    return blocked


def _somehow(ground: Ground, state: State, transition: c.Transition) -> Term:
    """True where some choice of mover and parameters is allowed."""
    choices = _choices(ground, transition)
    if choices is not None:
        return ground.terms.either(_allowed(ground, transition, state, each) for each in choices)
    locals = {
        name: _bound(ground, type, f"{b.bound_prefix}{name}")
        for name, type in ground.parameter_types(transition).items()
    }
    allowed = _allowed(ground, transition, state, locals)
    names = tuple(dict.fromkeys(leaf for value in locals.values() for leaf in _leaves(value)))
    never = ground.terms.no(allowed)
    if never is TRUE or never is FALSE or not names:
        return allowed
    return ground.terms.no(ground.terms.make("forall", (*names, never)))


def _bound(ground: Ground, type: y.Type, name: str) -> Sym:
    return ground.ex.shapes.fresh(type, name)


def _leaves(value: Sym) -> list[Term]:
    match value:
        case Term():
            return [value] if value.op == "variable" else []
        case Maybe(there=there, value=inner):
            return [there, *(_leaves(inner) if inner is not None else [])]
        case Members(flags=flags):
            return list(flags.values())
        case Counts(numbers=numbers):
            return list(numbers.values())
        case Entries(values=values):
            return [leaf for each in values.values() for leaf in _leaves(each)]
        case _:
            return []


def _choices(ground: Ground, transition: c.Transition) -> list[Mapping[str, Sym]] | None:
    """Every choice of mover and parameters, None if there are too many."""
    domains: list[list[Sym]] = []
    count = 1
    types = ground.parameter_types(transition)
    for type in types.values():
        if not y.is_scalar(type):
            return None
        codes = ground.world.domains.codes(type)
        count *= len(codes)
        if count > LISTED:
            return None
        numbers = (ground.terms.number(code) for code in codes)
        domains.append([ground.ex.shapes.scalar(each, type) for each in numbers])
    return [dict(zip(types, each)) for each in product(*domains)]


def _allowed(
    ground: Ground, transition: c.Transition, state: State, locals: Mapping[str, Sym]
) -> Term:
    return ground.terms.every(
        each.holds for each in ground.statements.ask(transition, state, locals)
    )


def vacuous(ground: Ground) -> Sheet:
    """Satisfiable, for an invariant of the form *if this, then that*: some position that the
    invariants allow has this, so that the invariant says something."""
    goals = []
    for each in ground.spec.properties:
        unguarded = without_then(each.claim) if each.kind == "invariant" else None
        if unguarded is not None:
            holds = ground.ex.term(unguarded, Scene(ground.state))
            goals.append(Goal(each.name, "vacuity", ground.terms.no(holds), "sat"))
    ground.world.take_hazards()
    return Sheet("vacuity", ground.invariants, goals, ground.state)
