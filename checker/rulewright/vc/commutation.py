"""Rule ORDER: in a simultaneous phase it does not matter who of two players moves first.

Whatever follows another move at once could also have come before it: it was allowed before that
move, no step comes between the two, and both orders lead to the same position. Then any order of
the answers to one phase can be turned into seat order, two neighbours at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.kernel.obligations import Obligation, pairs
from rulewright.kernel.query import Goal, Query
from rulewright.kernel.symmetry import seats_alike
from rulewright.meaning import core as c
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.symbolic_values import Sym, SymbolicSet
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.terms.term import FALSE, Term
from rulewright.syntax.node import Node
from rulewright.vc.conditions import SETTLED, same_state
from rulewright.vc.context import ProofContext

ANSWERED = "answered"


class MovePair(Node):
    """Two players with a move each, and where it matters in which order they take them."""

    moves: tuple[c.Transition, c.Transition]
    locals: tuple[dict[str, Sym], dict[str, Sym]]
    here: Term
    differs: Term


def commuting(context: ProofContext, settled: bool) -> Iterator[Query]:
    """Two players with a move each, in a simultaneous phase and a position where all invariants
    hold and, if games begin so, no step is due. Unsatisfiable, for `commutation`: it does not
    matter who is first. Where seats are alike, pairs that turning the table makes the same are
    asked once."""
    for phase in context.spec.phases:
        if phase.simultaneous:
            here = context.in_phase(phase.name)
            assumed = list(here.invariants)
            if settled:
                assumed.append(LabelledAssertion(SETTLED, here.terms.no(here.step_due(here.state))))
            for pair, covers in _pairs_to_ask(here):
                names = [each.name for each in pair.moves]
                note = " and ".join(names)
                goal = Goal("order", "order", pair.differs, "unsat", note, covers)
                happens = tuple(zip(pair.moves, pair.locals))
                label = f"order {' '.join(names)}"
                yield Query(label, assumed, [goal], here.state, happens=happens)


def _pairs_to_ask(context: ProofContext) -> Iterator[tuple[MovePair, tuple[Obligation, ...]]]:
    """All pairs of a phase, but for those that turning the table makes one of the others."""
    players = context.instance.players
    every = [each for each in pairs(context.spec, players) if each.phase == context.phase]
    classes: dict[Obligation, list[Obligation]] = {}
    for each in every:
        first = each
        if seats_alike(context.spec):
            turned = (_turned(each, by, players) for by in range(players))
            first = min((t for t in turned if t in every), key=every.index)
        classes.setdefault(first, []).append(each)
    hidden = context.world.hidden
    found = [(pair_of(context, context.state, each), tuple(all)) for each, all in classes.items()]
    if context.minds_order(hidden):
        found = [(pair_of(context, context.state, each), (each,)) for each in every]
    yield from found


def _turned(pair: Obligation, by: int, players: int) -> Obligation:
    """The same pair with the table turned by so many seats; of the same move by two players, the
    smaller seat is named first."""
    left, right = ((seat - 1 + by) % players + 1 for seat in (pair.seat, pair.other_seat))
    if pair.transition == pair.other and left > right:
        left, right = right, left
    return Obligation("pair", pair.transition, pair.phase, left, pair.other, right)


def pair_of(context: ProofContext, state: State, about: Obligation) -> MovePair:
    """The two moves of a pair from a position, with unknown parameters."""
    one = context.instance.transitions[about.transition]
    other = context.instance.transitions[about.other]
    number = context.terms.number
    first = {**context.parameters(one), str(one.mover): number(about.seat)}
    second = {**context.parameters(other, "'"), str(other.mover): number(about.other_seat)}
    here = context.phase_is(state, [about.phase])
    moves = [_Move(context, state, one, first), _Move(context, state, other, second)]
    ends = [context.statements.take(b.move, a.after, b.given).after for a, b in _both(moves)]
    same = same_state(context, *ends)
    differs = context.terms.either(_before(context, state, a, b, same) for a, b in _both(moves))
    context.world.take_hazards()
    return MovePair((one, other), (first, second), here, differs)


class _Move:
    """A move from a position: whether it is allowed, where it leads, whether a step follows."""

    def __init__(
        self, context: ProofContext, state: State, move: c.Transition, given: dict[str, Sym]
    ) -> None:
        self.move = move
        self.given = given
        taken = context.statements.take(move, state, given)
        self.allowed = context.terms.every(each.holds for each in taken.asked)
        self.after = taken.after
        self.due = context.step_due(self.after)


def _both(moves: Sequence[_Move]) -> Iterator[tuple[_Move, _Move]]:
    """Two moves in either order."""
    yield moves[0], moves[1]
    yield moves[1], moves[0]


def _before(context: ProofContext, state: State, one: _Move, other: _Move, same: Term) -> Term:
    """True where the first move is allowed and it matters that it comes first: the second, which is
    allowed too, cannot follow at once or leads elsewhere; or it is allowed only now."""
    terms = context.terms
    then = context.allowed(other.move, one.after, other.given)
    disagree = terms.both(other.allowed, terms.no(terms.every((terms.no(one.due), then, same))))
    enabled = terms.both(terms.no(other.allowed), _enabled(context, state, one, other, then))
    return terms.both(one.allowed, terms.either((disagree, enabled)))


def _enabled(context: ProofContext, state: State, one: _Move, other: _Move, then: Term) -> Term:
    """True where the second move may be allowed only after the first: at once, in the same phase
    and before the answers are gathered anew; or after a step that the first sets off while the
    second player has not answered yet, wherever that leads."""
    terms = context.terms
    answered, before = one.after[ANSWERED], state[ANSWERED]
    seat, second = (each.given[str(each.move.mover)] for each in (one, other))
    assert isinstance(answered, SymbolicSet) and isinstance(before, SymbolicSet)
    assert isinstance(seat, Term) and isinstance(second, Term)
    stays = [terms.no(one.due), answered.flags.get(seat.value, FALSE), then]
    phase, here = one.after.get("phase"), state.get("phase")
    if isinstance(phase, Term) and isinstance(here, Term):
        stays.append(terms.equal(phase, here))
    waits = terms.no(before.flags.get(second.value, FALSE))
    return terms.either((terms.every(stays), terms.both(one.due, waits)))
