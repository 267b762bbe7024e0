"""Questions about how a game flows: steps, simultaneous moves, and positions without a way on.

As in `obligations`, every function says what *unsatisfiable* means, and asks nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from checker.meaning import core as c
from checker.meaning import types as y
from checker.prove.ground import Ground
from checker.prove.sheet import Goal, Sheet
from checker.smt import board as b
from checker.smt.scene import Scene
from checker.smt.statement import State
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.text import Labelled
from checker.smt.value import Counts, Entries, Maybe, Members, Sym, same

LISTED = 400
"""A transition with at most so many choices of parameters is tried with each of them."""


def same_state(ground: Ground, left: State, right: State) -> Term:
    """True where two positions are the same."""
    return ground.terms.every(same(ground.terms, left[name], right[name]) for name in left)


def steps(ground: Ground) -> Sheet:
    """From any position in which all invariants hold. Unsatisfiable, for `one_step`: where two
    steps are due, it does not matter which is taken; for `steps_stop`: after so many steps as
    there are, taken one after another, none is due."""
    terms = ground.terms
    all_steps = ground.instance.of_kind("step")
    due = {step.name: _allowed(ground, step, ground.state, {}) for step in all_steps}
    after = {step.name: ground.statements.take(step, ground.state, {}).after for step in all_steps}
    differing = [
        terms.every((
            due[one.name], due[other.name],
            terms.no(same_state(ground, after[one.name], after[other.name])),
        ))
        for one, other in combinations(all_steps, 2)
    ]  # fmt: skip
    state: State = ground.state
    for _ in all_steps:
        state = one_step(ground, state)
    goals = [
        Goal("one_step", "steps", terms.either(differing), note="two different steps are due"),
        Goal("steps_stop", "steps", ground.step_due(state), note="steps go on and on"),
    ]
    ground.world.take_hazards()
    return Sheet("steps", ground.invariants, goals if all_steps else [], ground.state)


def one_step(ground: Ground, state: State) -> State:
    """The position after the first step that is due, the same one if none is."""
    result: State = state
    for step in reversed(ground.instance.of_kind("step")):
        allowed = _allowed(ground, step, state, {})
        if allowed is not FALSE:
            after = ground.statements.take(step, state, {}).after
            result = ground.statements.joined(allowed, after, result)
    return result


def commuting(ground: Ground) -> Iterator[Sheet]:
    """Two players with a move each, in a simultaneous phase and a position where all invariants
    hold. Unsatisfiable, for `order`: both orders are allowed or neither is, no step comes between
    them, and they lead to the same position."""
    terms = ground.terms
    phases = [each.name for each in ground.spec.phases if each.simultaneous]
    moves = [each for each in ground.instance.of_kind("move") if set(each.phases) & set(phases)]
    seats = range(1, ground.instance.players + 1)
    for one, other in product(moves, repeat=2):
        for left, right in combinations(seats, 2):
            first = {**ground.parameters(one), str(one.mover): terms.number(left)}
            second = {**ground.parameters(other, "'"), str(other.mover): terms.number(right)}
            goal = _order(ground, (one, first), (other, second))
            here = ground.phase_is(ground.state, phases)
            assumed = [*ground.invariants, Labelled("a simultaneous phase", here)]
            yield Sheet(f"order {one.name} {other.name}", assumed, [goal], ground.state)


def _order(
    ground: Ground, one: tuple[c.Transition, State], other: tuple[c.Transition, State]
) -> Goal:
    terms = ground.terms

    def both(
        first: tuple[c.Transition, State], second: tuple[c.Transition, State]
    ) -> tuple[Term, Term, State]:
        taken = ground.statements.take(first[0], ground.state, first[1])
        allowed = terms.every(each.holds for each in taken.asked)
        then = ground.statements.take(second[0], taken.after, second[1])
        between = ground.step_due(taken.after)
        return allowed, terms.every((terms.no(between), *(a.holds for a in then.asked))), then.after

    allowed, still, after = both(one, other)
    allowed_too, still_too, after_too = both(other, one)
    ground.world.take_hazards()
    fine = terms.every((still, still_too, same_state(ground, after, after_too)))
    negated = terms.every((allowed, allowed_too, terms.no(fine)))
    return Goal("order", "order", negated, note=f"{one[0].name} and {other[0].name}")


def stuck(ground: Ground) -> Sheet:
    """Unsatisfiable: in every position short of a final phase in which all invariants hold, a
    step is due or some move or chance event is allowed."""
    terms = ground.terms
    final = [each.name for each in ground.spec.phases if each.final]
    going = terms.no(ground.phase_is(ground.state, final)) if final else TRUE
    silent = [
        terms.no(_somehow(ground, transition))
        for transition in ground.spec.transitions
        if transition.kind != "step"
    ]
    blocked = terms.every((going, terms.no(ground.step_due(ground.state)), *silent))
    ground.world.take_hazards()
    goal = Goal("goes_on", "flow", blocked, note="nobody can do anything")
    return Sheet("goes_on", ground.invariants, [goal], ground.state)


def _somehow(ground: Ground, transition: c.Transition) -> Term:
    """True where some choice of mover and parameters is allowed."""
    choices = _choices(ground, transition)
    if choices is not None:
        return ground.terms.either(
            _allowed(ground, transition, ground.state, each) for each in choices
        )
    locals = {
        name: _bound(ground, type, f"{b.bound_prefix}{name}")
        for name, type in ground.parameter_types(transition).items()
    }
    allowed = _allowed(ground, transition, ground.state, locals)
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
        dropped = _dropped(each.claim) if each.kind == "invariant" else None
        if dropped is not None:
            holds = ground.ex.term(dropped, Scene(ground.state))
            goals.append(Goal(each.name, "vacuity", ground.terms.no(holds), "sat"))
    ground.world.take_hazards()
    return Sheet("vacuity", ground.invariants, goals, ground.state)


def _dropped(claim: c.Expr) -> c.Expr | None:
    """The claim with what follows `implies` replaced by nothing at all; None without one."""
    match claim:
        case c.Binary(span=span, type=type, operator="implies", left=left):
            return c.Binary(span, type, "implies", left, c.Literal(span, y.BOOL, False))
        case c.Quantify(span=span, type=type, kind="all", binders=binders, where=where, body=body):
            inner = _dropped(body)
            return inner and c.Quantify(span, type, "all", binders, where, inner)
        case _:
            return None
