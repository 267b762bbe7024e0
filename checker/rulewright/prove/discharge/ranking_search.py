"""That the game ends: what is proposed to `kernel.ranking`, and where a measure does not fall.

Where the kernel does not accept the proof, one round is played with every choice open, from any
position in the phase of the measure in which all invariants hold. A position from which the measure
does not fall is shown; that there is none proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

from rulewright.kernel.outcome import Outcome, SolverResult
from rulewright.kernel.query import Goal, Query
from rulewright.kernel.ranking import MEASURE as OF_MEASURE
from rulewright.kernel.ranking import (
    TRIED,
    BoundedMeasure,
    Ranking,
    RankingClaim,
    StateCondition,
    lower,
)
from rulewright.kernel.refutation import Problem
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge.ask_solver import ask
from rulewright.prove.discharge.goal_slicing import GoalSlicer
from rulewright.prove.discharge.question_budgets import HASTY, LIGHT, USUAL, QuestionBudget
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.search.unrolling import Unrolling
from rulewright.prove.verdict.validate_model import LONG, NEGATIVE, STAYS
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.statement import State
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT
from rulewright.smt.solver.work_limit import WorkLimitError
from rulewright.smt.terms.term import FALSE, Term
from rulewright.syntax.node import replace
from rulewright.vc.context import ProofContext

ROUNDS = 8
"""Events for each player within which the phase must be entered again."""
LATE = "a round is too much to be written down in time"
NOT_SHOWN = "it was not shown that the measure falls on every circle of phases"


def falls(
    context: ProofContext,
    name: str,
    effort: ProverOptions,
    cache: Cache,
    narrow: GoalSlicer,
    settled: bool,
) -> Iterator[Outcome]:
    """Whether a measure falls in every round; how many rounds there are at most is the depth."""
    ends = next(each for each in context.spec.ends if each.name == name)
    began = perf_counter()
    try:
        with context.terms.watch.within(effort.measuring):
            shown = _Tried(context, ends, narrow, settled).shown()
    except WorkLimitError:
        shown = None
    seconds = perf_counter() - began
    if shown is not None:
        yield replace(shown, seconds=seconds)
        return
    open_end = Outcome(name, "ends", UNSAT, UNKNOWN, NOT_SHOWN, (), seconds, "", None)
    if name in context.instance.accepted:  # a game shows it better than a position
        yield open_end
        return
    try:
        with context.terms.watch.within(effort.timeout):
            query = fallen(context.in_phase(ends.at), ends)
    except WorkLimitError:
        yield Outcome(name, "ends", UNSAT, UNKNOWN, LATE, (), seconds, "", None)
        return
    yield from (found for found in ask(context, query, effort, cache) if found.result == SAT)
    yield open_end


class _Tried:
    """Attempts at one measure: in vain as cheaply as can be, then with more work."""

    def __init__(
        self, context: ProofContext, ends: c.Ends, narrow: GoalSlicer, settled: bool
    ) -> None:
        self._context = context
        self._narrow = narrow
        self._gave_up = False
        self._trying = LIGHT
        self._ranking = Ranking(context, ends, settled, self._work)

    def shown(self) -> Outcome | None:
        claims, numbers = proposed(self._context, self._ranking)
        shown = self._ranking.ends_by(claims, numbers)
        if shown is None and self._gave_up:
            self._trying = HASTY
            shown = self._ranking.ends_by(claims, numbers)
        return shown

    def _work(self, query: Query, problems: Sequence[Problem], kind: str) -> list[SolverResult]:
        budget: QuestionBudget = HASTY
        if kind == OF_MEASURE:
            budget = USUAL
        elif kind == TRIED:
            budget = self._trying
        found = self._narrow.work(self._context, query, problems, budget, shown=False)
        if kind == TRIED:
            self._gave_up = self._gave_up or any(each.result == UNKNOWN for each in found)
        return found


def proposed(
    context: ProofContext, ranking: Ranking
) -> tuple[list[RankingClaim], list[BoundedMeasure]]:
    """What is worth trying: that the measure has fallen anywhere in a phase, where a truth of the
    state holds or does not, where somebody has answered; each also where no step of the phase would
    lower it. And of every variable how much there is of it, or is left."""
    spec, seats = context.spec, y.Player(context.spec.least, context.spec.most)
    conditions = [("", StateCondition())]
    for name, variable in context.instance.variables.items():
        if isinstance(variable.type, y.Bool):
            conditions.append((name, StateCondition(name)))
            conditions.append((f"not {name}", StateCondition(name, denied=True)))
        if variable.type == y.Set(seats):
            conditions += [
                (
                    f"{'somebody' if ranking.alike else seat} in {name}",
                    StateCondition(name, seat=seat),
                )
                for seat in range(1, context.instance.players + 1)
            ]
    claims = []
    for phase in spec.phases:
        steps = [t.name for t in spec.transitions if t.kind == "step" and phase.name in t.phases]
        for name, condition in conditions if not phase.final else []:
            claims.append(RankingClaim(phase.name, name, condition))
            if steps:
                stays = StateCondition(
                    condition.variable, condition.denied, condition.seat, (*steps,)
                )
                claims.append(RankingClaim(phase.name, f"{name}, and no step lowers it", stays))
    numbers = [
        BoundedMeasure(name, sign) for name in context.instance.variables for sign in (1, -1)
    ]
    return claims, numbers


def fallen(context: ProofContext, ends: c.Ends) -> Query:
    """From any position in the phase of a measure in which all invariants hold. Satisfiable, for
    the first goal: some part of the measure is negative or without a value there; for the second:
    after some round the measure is not less than before; for the third: some round is longer than
    was looked at."""
    terms = context.terms
    round = Unrolling(context, True, context.state, ends.at, ends.at)
    context.world.take_hazards()
    before = _measure(context, ends, context.state)
    unsafe = terms.no(context.safe(context.world.take_hazards()))
    negative = terms.either([*(terms.less(part, terms.number(0)) for part in before), unsafe])
    returns: list[Term] = []
    so_far = terms.truth(True)
    open_end = FALSE
    for _ in range(ROUNDS * context.instance.players):
        if not round.extend():
            break
        slot = round.slots[-1]
        so_far = terms.both(so_far, slot.allowed)
        state = slot.passed[-1]
        entered = terms.both(so_far, context.phase_is(state, [ends.at]))
        if entered is not FALSE:
            less = lower(terms, _measure(context, ends, state), before)
            returns.append(terms.both(entered, terms.no(less)))
        so_far = open_end = terms.both(so_far, slot.going)
        if round.done():
            break
    context.world.take_hazards()
    goals = [
        Goal(f"{ends.name}", "ends", negative, note=NEGATIVE),
        Goal(f"{ends.name}", "ends", terms.either(returns), note=STAYS),
        Goal(f"{ends.name}", "ends", open_end, note=LONG),
    ]
    label = f"ends {ends.name}"
    return Query(label, context.invariants, goals, context.state, happens=round.events)


def _measure(context: ProofContext, ends: c.Ends, state: State) -> list[Term]:
    return [context.ex.term(part, SymbolicEnvironment(state)) for part in ends.measure]
