"""Questions about how a game flows: steps, simultaneous moves, and positions without a way on.

As in `obligations`, every function says what *unsatisfiable* means, and asks nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.rules import requirements
from checker.prove.ground import Ground
from checker.prove.obligations import without_then
from checker.prove.sheet import Goal, Sheet
from checker.prove.symmetry import seats_alike
from checker.smt.number import Terms
from checker.smt.restrict import replaced
from checker.smt.scene import Scene
from checker.smt.statement import State
from checker.smt.sums import bound_key
from checker.smt.term import BOOL, BOUND, FALSE, TRUE, Term
from checker.smt.value import Sym, leaves, same
from checker.syntax.node import Node

LISTED = 400
"""So many choices of parameters with few values are tried one by one."""
FLAGS = 4
"""Sets of so many possible elements are tried one by one as well."""


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
    if _in_order(ground, state):
        return FALSE
    for _ in ground.instance.of_kind("step"):
        state = one_step(ground, state)
    due = ground.step_due(state)
    ground.world.take_hazards()
    return due


def _in_order(ground: Ground, state: State) -> bool:
    """Whether it is plain that no step can come twice in a row of steps: none is followed, at once
    or later, by itself. Then there are no more in a row than there are steps."""
    steps = ground.instance.of_kind("step")
    left = {}
    for one in steps:
        after = ground.statements.take(one, state, {}).after
        left[one.name] = [o.name for o in steps if _allowed(ground, o, after, {}) is not FALSE]
    ground.world.take_hazards()
    while left:
        last = [name for name, then in left.items() if not any(each in left for each in then)]
        if not last:
            return False
        for name in last:
            del left[name]
    return True


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
    them, and they lead to the same position. Where seats are alike, the table is turned such that
    the first player takes the first move."""
    simultaneous = (each.name for each in ground.spec.phases if each.simultaneous)
    for here in map(ground.in_phase, simultaneous):
        for pair in _pairs_to_ask(here):
            names = [each.name for each in pair.moves]
            goal = Goal("order", "order", pair.differs, note=" and ".join(names))
            label, happens = f"order {' '.join(names)}", tuple(zip(pair.moves, pair.locals))
            yield Sheet(label, here.invariants, [goal], here.state, happens=happens)


def _pairs_to_ask(ground: Ground) -> Iterator[Pair]:
    """All pairs, but for those that turning the table makes one of the others."""
    ways = who_moves(ground)
    asked = ways
    if seats_alike(ground.spec):
        asked = [way for way in ways if way.stands_for_turned(ground.instance.players)]
    hidden = ground.world.hidden
    yield from (_pair(ground, ground.state, way) for way in asked)
    if ground.minds_order(hidden):
        yield from (_pair(ground, ground.state, way) for way in ways if way not in asked)


def pairs(ground: Ground, state: State) -> Iterator[Pair]:
    """All pairs of moves of different players in the simultaneous phases."""
    return (_pair(ground, state, way) for way in who_moves(ground))


class Way(Node):
    """Two moves, and who takes them."""

    moves: tuple[c.Transition, c.Transition]
    seats: tuple[int, int]

    def stands_for_turned(self, players: int) -> bool:
        """Whether it stands for all that it becomes when the table is turned. The first seat takes
        the first move; of the same move by two players, either can be the first."""
        (one, other), (left, right) = self.moves, self.seats
        return left == 1 and (one is not other or 2 * (right - left) <= players)


def who_moves(ground: Ground) -> list[Way]:
    """All ways to choose two players with a move each, whoever is named first."""
    phases = {each.name for each in ground.spec.phases if each.simultaneous}
    moves = [each for each in ground.instance.of_kind("move") if phases & set(each.phases)]
    seats = range(1, ground.instance.players + 1)
    return [
        Way((one, other), (left, right))
        for one, other in combinations_with_replacement(moves, 2)
        for left, right in permutations(seats, 2)
        if one is not other or left < right
    ]


def _pair(ground: Ground, state: State, way: Way) -> Pair:
    (one, other), (left, right) = way.moves, way.seats
    number = ground.terms.number
    first = {**ground.parameters(one), str(one.mover): number(left)}
    second = {**ground.parameters(other, "'"), str(other.mover): number(right)}
    phases = [each.name for each in ground.spec.phases if each.simultaneous]
    differs = _order(ground, state, (one, first), (other, second))
    return Pair(way.moves, (first, second), ground.phase_is(state, phases), differs)


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


def short_of_the_end(ground: Ground) -> list[Ground]:
    """The same ground, narrowed to each of the phases short of the end."""
    phases = [ground.in_phase(each.name) for each in ground.spec.phases if not each.final]
    return phases or [ground]


def stuck(ground: Ground, without: Sequence[c.Transition] = ()) -> Sheet:
    """Unsatisfiable, for a phase short of the end: in every position in which all invariants hold,
    a step is due or some move or chance event is allowed, even `without` some of them."""
    blocked = no_way_on(ground, ground.state, without)
    goal = Goal("goes_on", "flow", blocked, note="nobody can do anything")
    return Sheet("goes_on", ground.invariants, [goal], ground.state)


def with_a_choice(ground: Ground) -> list[c.Transition]:
    """What takes a choice besides who does it, if something that takes none can happen here: where
    a player can pass, say, that is soon asked and there is no need to look at what else."""
    here = [
        each
        for each in ground.spec.transitions
        if each.kind != "step" and _belongs(ground, ground.state, each)
    ]
    chosen = [each for each in here if each.params]
    return chosen if len(chosen) < len(here) else []


def no_way_on(ground: Ground, state: State, without: Sequence[c.Transition] = ()) -> Term:
    """True where the game is not over, no step is due and nothing else is allowed; or nothing else
    but what is left out."""
    terms = ground.terms
    final = [each.name for each in ground.spec.phases if each.final]
    going = terms.no(ground.phase_is(state, final)) if final else TRUE
    silent = [
        terms.no(_somehow(ground, state, transition))
        for transition in ground.spec.transitions
        if transition.kind != "step" and transition not in without
    ]
    blocked = terms.every((going, terms.no(ground.step_due(state)), *silent))
    ground.world.take_hazards()
    return blocked


def _belongs(ground: Ground, state: State, transition: c.Transition) -> bool:
    """Whether a transition can happen in the phase that a state is in, for all that is known."""
    return not transition.phases or ground.phase_is(state, transition.phases) is not FALSE


def _somehow(ground: Ground, state: State, transition: c.Transition) -> Term:
    """True only where some choice of mover and parameters is allowed. Parameters with few values
    are tried with each of them; a parameter for which something is proposed with that."""
    if not _belongs(ground, state, transition):
        return FALSE
    domains = ground.world.domains
    few: dict[str, y.Type] = {}
    count = 1
    for name, type in ground.parameter_types(transition).items():
        if y.is_scalar(type) and not domains.is_big(type):
            count *= len(domains.codes(type))
            if count <= LISTED:
                few[name] = type
    ways = []
    for codes in product(*(domains.codes(each) for each in few.values())):
        locals: dict[str, Sym] = {
            name: ground.ex.shapes.scalar(ground.terms.number(code), type)
            for code, (name, type) in zip(codes, few.items())
        }
        ways.append(_for_some(ground, state, transition, locals))
    return ground.terms.either(ways)


def _for_some(
    ground: Ground, state: State, transition: c.Transition, locals: Mapping[str, Sym]
) -> Term:
    """True where a transition is allowed for some values of the parameters that are not given. A
    board is not looked for."""
    terms = ground.terms
    rest = {k: t for k, t in ground.parameter_types(transition).items() if k not in locals}
    maps = [type for type in rest.values() if isinstance(type, y.Map)]
    if any(ground.world.domains.is_board(type) for type in maps):
        return FALSE
    if transition.proposals and list(rest) == [transition.params[0].name]:
        scene = Scene(state, state, locals)
        proposed = (_follows(transition, each) for each in transition.proposals)
        return terms.either(ground.ex.term(each, scene) for each in proposed)
    keys: list[tuple[Term, ...]] = []
    for number, (name, type) in enumerate(rest.items(), 10):
        if y.is_scalar(type):
            key = bound_key(terms, ground.world.domains.codes(type), number)
            value: Sym = ground.ex.shapes.scalar(key, type)
            keys.append((key,))
        else:
            value = _bound(ground, type, f"{BOUND}{name}")
            keys.append(tuple(dict.fromkeys(leaves(value))))
        locals = {**locals, name: value}
    never = terms.no(_allowed(ground, transition, state, locals))
    for names in reversed(keys):
        if len(names) <= FLAGS and all(each.sort == BOOL for each in names):
            never = _at_every_flag(ground.terms, names, never)
        elif never is not TRUE and never is not FALSE and names:
            never = terms.make("forall", (*names, never))
    return terms.no(never)


def _at_every_flag(terms: Terms, names: tuple[Term, ...], holds: Term) -> Term:
    """What holds whichever of some few flags are up, written out."""
    for name in names:
        holds = terms.every(replaced(terms, holds, name, each) for each in (TRUE, FALSE))
    return holds


def _follows(transition: c.Transition, proposal: c.Proposal) -> c.Expr:
    """That some choice of the proposal meets all requirements."""
    span = proposal.span
    met: c.Expr = c.Literal(span, y.BOOL, True)
    for each in reversed(requirements(transition)):
        met = c.Binary(span, y.BOOL, "and", each.condition, met)
    given = c.Let(span, y.BOOL, transition.params[0].name, proposal.value, met)
    if not proposal.binders:
        condition = proposal.where
        return given if condition is None else c.Binary(span, y.BOOL, "and", condition, given)
    return c.Quantify(span, y.BOOL, "some", proposal.binders, proposal.where, given)


def _bound(ground: Ground, type: y.Type, name: str) -> Sym:
    return ground.ex.shapes.fresh(type, name)


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
