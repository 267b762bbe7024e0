"""Writes obligations down as questions, from the core. Answering them is somebody else's work.

Every function says what *unsatisfiable* means for the goals it writes down. Each goal names the
obligations it covers; where seats are alike (Rule SEATS), a question about the first seat covers
all. A question is built whole: no goal is left out because an assumption cannot hold, for then the
refutation names that assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rulewright.kernel.obligations import START, Obligation
from rulewright.kernel.query import Goal, Happens, Query
from rulewright.kernel.symmetry import seats_alike
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import results
from rulewright.smt.encode.environment import Hazard, SymbolicEnvironment
from rulewright.smt.encode.statement import EncodedTransition, State
from rulewright.smt.encode.symbolic_values import Sym, SymbolicMap, same
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.terms.term import FALSE, TRUE, Term
from rulewright.syntax.node import replace
from rulewright.vc.context import ProofContext
from rulewright.vc.enabledness import nothing_enabled

SETTLED, EARLIER = "no step is due", "no earlier step is due"
RESULT = "the result"
"""The label of the query that asks whether a result has a value."""
Wanted = Callable[[str], bool]


def everything(name: str) -> bool:
    return True


# ---- the start


def beginning(context: ProofContext) -> tuple[State, list[LabelledAssertion], list[Hazard]]:
    """The initial position: given values, and unknowns that what is under `start` allows."""
    state: dict[str, Sym] = {}
    context.world.take_hazards()
    for name, variable in context.instance.variables.items():
        if variable.initial is None:
            state[name] = context.ex.shapes.fresh(variable.type, f"{name} at the start")
            continue
        env = SymbolicEnvironment({})
        value = context.ex.value(variable.initial, env)
        message = f"`{name}` begins outside its range"
        context.ex.check(value, variable.type, env, message, variable.initial.span)
        state[name] = context.ex.shapes.fit(_whole(value, variable.type, context), variable.type)
    env = SymbolicEnvironment(state)
    asked = []
    for requirement in context.spec.start:
        holds = context.ex.term(requirement.condition, env)
        asked.append(LabelledAssertion(requirement.label, holds))
        env = env.where(holds)
    return state, asked, context.world.take_hazards()


def _whole(value: Sym, type: y.Type, context: ProofContext) -> Sym:
    """An initial value given to a map counts for each of its keys."""
    if isinstance(type, y.Map) and isinstance(value, SymbolicMap):
        codes = context.world.domains.codes(type.key)
        return SymbolicMap({code: value.values[code] for code in codes})
    return value


def begins(context: ProofContext) -> Query:
    """Satisfiable, for `begins`: there is an initial position. Unsatisfiable, for an invariant: it
    holds in every initial position; for `goes_on`: there is a way on from every one. No step has
    run before the first event, so that a step which is due there is no way on."""
    terms = context.terms
    state, asked, _ = beginning(context)
    goals = [Goal("begins", "start", TRUE, "sat")]
    goals += [
        Goal(each.label, "invariant", terms.no(each.term), note="at the start", covers=(START,))
        for each in context.claims("invariant", SymbolicEnvironment(state))
    ]
    stuck = nothing_enabled(context, state)
    goals.append(Goal("goes_on", "flow", stuck, note="nobody can begin", covers=(START,)))
    return Query("begins", asked, goals, state)


def begins_safely(context: ProofContext) -> Query:
    """Unsatisfiable: the initial values are in range, and what is under `start` has a value
    whatever is tried, not only where it holds."""
    state, _, hazards = beginning(context)
    return Query("begins", [], [_unharmed(context, hazards, (START,))], state)


def begins_settled(context: ProofContext) -> bool:
    """Rule SETTLED: whether it is plain that no step is due at the start of a game, and that this
    has a value."""
    state, _, _ = beginning(context)
    due = context.step_due(state)
    return due is FALSE and context.safe(context.world.take_hazards()) is TRUE


# ---- transitions


def assume(
    context: ProofContext, transition: c.Transition, fixed: Mapping[str, int], settled: bool
) -> tuple[EncodedTransition, list[LabelledAssertion]]:
    """A transition from the unknown position, and all that may be assumed of that position: the
    invariants, what the transition requires, and which steps are not due. `settled` says that games
    begin with no step due, so that moves and chance events only happen where none is. The same one
    is written down once."""
    key = transition.name, tuple(sorted(fixed.items())), settled
    world = context.world
    known = context.taken.get(key)
    if known is None:
        hidden = world.hidden
        found = _assume(context, transition, fixed, settled)
        context.taken[key] = *found, world.hidden - hidden
        return found
    taken, assumed, hidden = known
    world.hidden += hidden  # as if it had been written down again
    return taken, assumed


def _assume(
    context: ProofContext, transition: c.Transition, fixed: Mapping[str, int], settled: bool
) -> tuple[EncodedTransition, list[LabelledAssertion]]:
    terms = context.terms
    locals = context.parameters(transition)
    types = context.parameter_types(transition)
    for name, code in fixed.items():
        if code not in context.world.domains.codes(types[name]):
            raise AssertionError(f"{name} is never {code}")
        locals[name] = context.ex.shapes.scalar(terms.number(code), types[name])
    taken = context.statements.take(transition, context.state, locals)
    assumed = [
        *context.invariants,
        *(LabelledAssertion(each.requirement.label, each.holds) for each in taken.asked),
    ]
    if transition.kind == "step":
        due = context.step_due(context.state, before=transition)
        assumed.append(LabelledAssertion(EARLIER, terms.no(due)))
    elif settled:
        assumed.append(LabelledAssertion(SETTLED, terms.no(context.step_due(context.state))))
    context.world.take_hazards()
    return taken, assumed


def preserved(
    context: ProofContext, transition: c.Transition, fixed: Mapping[str, int], settled: bool,
    wanted: Wanted = everything,
) -> Query:  # fmt: skip
    """From any position in which all invariants hold, by this transition. Unsatisfiable, for an
    invariant: it holds afterwards; for an `always`: it holds of the two positions; for `safe`: on
    the way nothing leaves its range or looks up what is not there. Rule FRAME: what reads nothing
    that was written is as it was."""
    terms, hidden = context.terms, context.world.hidden
    taken, assumed = assume(context, transition, fixed, settled)
    goals = []
    before = {each.label: each.term for each in context.invariants}
    touched = {name for name in context.state if taken.after[name] is not context.state[name]}
    invariants = [p.name for p in context.spec.properties if p.kind == "invariant"]
    read = {n for n in invariants if wanted(n) and context.reads(n) & touched}
    goals += [
        Goal(name, "invariant", FALSE, note=transition.name)
        for name in invariants
        if wanted(name) and name not in read
    ]
    for each in context.claims("invariant", SymbolicEnvironment(taken.after), read.__contains__):
        if each.label in context.instance.accepted:  # known to fail: assumed for itself alone
            (held,) = context.claims(
                "invariant", SymbolicEnvironment(context.state), each.label.__eq__
            )
            broken = terms.both(held.term, terms.no(each.term))
        else:
            broken = FALSE if each.term is before[each.label] else terms.no(each.term)
        goals.append(Goal(each.label, "invariant", broken, note=transition.name))
    for each in context.claims("always", SymbolicEnvironment(context.state, taken.after), wanted):
        goals.append(Goal(each.label, "always", terms.no(each.term), note=transition.name))
    if wanted("safe"):
        goals.append(_unharmed(context, taken.body_hazards, ()))
    covers = _covered(context, "taken", transition, fixed, hidden)
    goals = [replace(each, covers=covers) for each in goals]
    keys = [key for key in taken.keys if key not in taken.locals.values()]
    case = {name: code for name, code in fixed.items() if name != transition.mover}
    return Query(
        transition.name, assumed, goals, context.state, transition, happens(taken), keys, case
    )


def asked_safely(
    context: ProofContext, transition: c.Transition, fixed: Mapping[str, int], settled: bool
) -> Query:
    """Unsatisfiable: wherever it is asked whether this transition is allowed, each requirement
    has a value, also where it or a later one turns out not to hold."""
    hidden = context.world.hidden
    taken, assumed = assume(context, transition, fixed, settled)
    labels = {each.requirement.label for each in taken.asked}
    known = [each for each in assumed if each.label not in labels]
    covers = _covered(context, "asked", transition, fixed, hidden)
    goals = [_unharmed(context, taken.hazards, covers)]
    label = f"{transition.name} asked"
    return Query(label, known, goals, context.state, transition, happens(taken))


def counted_safely(context: ProofContext) -> Iterator[Query]:
    """Unsatisfiable, for each phase in which the game is over: what says how it ended has a value
    for every player."""
    for phase in context.spec.phases:
        if phase.final:
            here = context.in_phase(phase.name)
            here.world.take_hazards()
            for function in results(context.instance):
                (player,) = function.params
                for seat in range(1, context.instance.players + 1):
                    named = {player.name: context.terms.number(seat)}
                    context.ex.value(function.body, SymbolicEnvironment(here.state, locals=named))
            goal = _unharmed(
                context, here.world.take_hazards(), (Obligation("result", phase=phase.name),)
            )
            yield Query(RESULT, here.invariants, [goal], here.state)


def _covered(
    context: ProofContext, part: str, transition: c.Transition, fixed: Mapping[str, int],
    hidden: int,
) -> tuple[Obligation, ...]:  # fmt: skip
    """The obligations that a question about one seat covers: where seats are alike, the first
    stands for all, unless the order of players shows in what was encoded since so much was hidden
    (Rule SEATS)."""
    phase = context.phase if transition.phases else ""
    seats: Sequence[int] = [0]
    if transition.mover is not None:
        seats = [fixed[transition.mover]] if transition.mover in fixed else []
        if seats == [1] and seats_alike(context.spec) and not context.minds_order(hidden):
            seats = range(1, context.instance.players + 1)
    return tuple(Obligation(part, transition.name, phase, seat) for seat in seats)


def _unharmed(
    context: ProofContext, hazards: Sequence[Hazard], covers: tuple[Obligation, ...]
) -> Goal:
    """That no hazard strikes."""
    note = "; ".join(dict.fromkeys(each.message for each in hazards))
    struck = context.terms.no(context.safe(hazards))
    return Goal("safe", "safety", struck, "unsat", note, covers, tuple(hazards))


def happens(taken: EncodedTransition) -> Happens:
    return () if taken.transition.kind == "step" else ((taken.transition, taken.locals),)


# ---- positions


def stuck(context: ProofContext, without: Sequence[c.Transition] = ()) -> Query:
    """Unsatisfiable, for a phase short of the end: in every position in which all invariants hold,
    a step is due or some move or chance event is allowed, even `without` some of them."""
    blocked = context.terms.both(
        nothing_enabled(context, context.state, without),
        context.terms.no(context.step_due(context.state)),
    )
    context.world.take_hazards()
    covers = (Obligation("position", phase=context.phase),)
    goal = Goal("goes_on", "flow", blocked, "unsat", "nobody can do anything", covers)
    return Query("goes_on", context.invariants, [goal], context.state)


def impossible(context: ProofContext, property: c.Property) -> Query:
    """Unsatisfiable: no position that the invariants allow is as the property says can be."""
    holds = context.claim(property.claim, SymbolicEnvironment(context.state))
    goal = Goal(property.name, "possible", holds, covers=(Obligation("position"),))
    return Query(f"possible {property.name}", context.invariants, [goal], context.state)


def steps(context: ProofContext) -> Query:
    """From any position in which all invariants hold. Unsatisfiable, for `one_step`: where two
    steps are due, it does not matter which is taken; for `steps_stop`: after so many steps as
    there are, taken one after another, none is due."""
    covers = (Obligation("position"),)
    differ, due = two_steps(context, context.state), many_steps(context, context.state)
    goals = [
        Goal("one_step", "steps", differ, "unsat", "two different steps are due", covers),
        Goal("steps_stop", "steps", due, "unsat", "steps go on and on", covers),
    ]
    there = context.instance.of_kind("step")
    return Query("steps", context.invariants, goals if there else [], context.state)


def two_steps(context: ProofContext, state: State) -> Term:
    """True where two steps are due that lead to different positions."""
    terms = context.terms
    all_steps = context.instance.of_kind("step")
    due = [context.allowed(step, state, {}) for step in all_steps]
    after = [context.statements.take(step, state, {}).after for step in all_steps]
    differing = []
    for one in range(len(all_steps)):
        for other in range(one):
            apart = terms.no(same_state(context, after[one], after[other]))
            differing.append(terms.every((due[one], due[other], apart)))
    context.world.take_hazards()
    return terms.either(differing)


def many_steps(context: ProofContext, state: State) -> Term:
    """True where after so many steps as there are one is still due."""
    if _in_order(context, state):
        return FALSE
    state = after_steps(context, state)
    due = context.step_due(state)
    context.world.take_hazards()
    return due


def _in_order(context: ProofContext, state: State) -> bool:
    """Whether it is plain that no step can come twice in a row of steps: none is followed, at once
    or later, by itself. Then there are no more in a row than there are steps."""
    steps = context.instance.of_kind("step")
    left = {}
    for one in steps:
        after = context.statements.take(one, state, {}).after
        left[one.name] = [o.name for o in steps if context.allowed(o, after, {}) is not FALSE]
    context.world.take_hazards()
    while left:
        last = [name for name, then in left.items() if not any(each in left for each in then)]
        if not last:
            return False
        for name in last:
            del left[name]
    return True


def after_steps(context: ProofContext, state: State) -> State:
    """The position after so many steps as there are, each the first that is due."""
    for _ in context.instance.of_kind("step"):
        state = one_step(context, state)
    return state


def one_step(context: ProofContext, state: State) -> State:
    """The position after the first step that is due, the same one if none is."""
    result: State = state
    for step in reversed(context.instance.of_kind("step")):
        allowed = context.allowed(step, state, {})
        if allowed is not FALSE:
            after = context.statements.take(step, state, {}).after
            result = context.statements.joined(allowed, after, result)
    return result


def same_state(context: ProofContext, left: State, right: State) -> Term:
    """True where two positions are the same."""
    return context.terms.every(same(context.terms, left[name], right[name]) for name in left)
