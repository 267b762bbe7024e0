"""Deliberate faults of the kernel, of `diff` and of equivalent mutants: something is not asked, not
counted, or taken for granted. Each is one function, changed as somebody might get it wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fuzz.faults.fault import Fault, Put
from rulewright.kernel import (
    comparison,
    exploration,
    ledger,
    outcome,
    ranking,
    refutation,
    symmetry,
)
from rulewright.kernel import obligations as owed
from rulewright.kernel.query import Query
from rulewright.meaning import counterparts
from rulewright.meaning.traversal import variables_read
from rulewright.play.semantics.rules import apply
from rulewright.prove.discharge import case_split
from rulewright.prove.discharge.case_split import split
from rulewright.prove.run.job import Worker
from rulewright.prove.search import explicit_state
from rulewright.prove.search.bmc import BmcResult
from rulewright.prove.verdict.verdict import POSITION
from rulewright.smt.solver.solver import UNKNOWN, UNSAT, Z3
from rulewright.smt.terms.case_split import case_splits as apart
from rulewright.smt.terms.term import FALSE, TRUE
from rulewright.syntax.node import replace
from rulewright.vc import commutation, conditions, context, difference


def _granted(query: Query, kinds: tuple[str, ...]) -> Query:
    """The query with the goals of some kinds taken to be shown."""
    query.goals = [
        replace(each, negated=FALSE) if each.kind in kinds else each for each in query.goals
    ]
    return query


def _granting(put: Put, name: str, *kinds: str) -> None:
    """Grants goals of some kinds in the queries that one function writes down."""
    original = getattr(conditions, name)

    def written(*arguments: Any, **more: Any) -> Any:
        found = original(*arguments, **more)
        if isinstance(found, Query):
            return _granted(found, kinds)
        return iter([_granted(each, kinds) for each in found])

    put.everywhere(original, written)


def refuted_assumed(put: Put) -> None:
    original = refutation.Problem.__init__

    def made(self: Any, assumed: Any, denied: Any) -> None:
        original(self, assumed, denied)
        if self._used:
            self._used = ()

    put.at(refutation.Problem, "__init__", made)


def circle_open(put: Put) -> None:
    put.everywhere(ledger.missing, lambda entries: {})


def core_forgotten(put: Put) -> None:
    original = refutation.Problem.ask

    def asked(self: Any, asking: Any, oracle: Any) -> Any:
        answer = original(self, asking, oracle)
        self._used = () if self._used else self._used
        return answer

    put.at(refutation.Problem, "ask", asked)
    put.at(refutation.Problem, "told", lambda self, core, labels: setattr(self, "_used", ()))


def gave_up_is_proved(put: Put) -> None:
    original = Z3.check

    def checked(self: Any, *arguments: Any, **more: Any) -> Any:
        answer = original(self, *arguments, **more)
        return replace(answer, result=UNSAT) if answer.result == UNKNOWN else answer

    put.at(Z3, "check", checked)


def anything_is_proved(put: Put) -> None:
    original = outcome.answered

    def answered(*arguments: Any) -> Any:
        return [
            replace(each, result=UNSAT) if each.result == UNKNOWN else each
            for each in original(*arguments)
        ]

    put.everywhere(original, answered)


def last_case_left_out(put: Put) -> None:
    original = refutation.Problem.by_cases

    def by_cases(self: Any, keys: Any) -> Any:
        parts = original(self, keys)
        if len(parts) > 1:
            labels, every = self._splits.pop()
            self._splits.append((labels, every[:-1]))
            return parts[:-1]
        return parts

    put.at(refutation.Problem, "by_cases", by_cases)


def last_way_left_out(put: Put) -> None:
    original = refutation.Problem.ways

    def ways(self: Any) -> Any:
        found = original(self)
        return found[:-1] if len(found) > 1 else found

    put.at(refutation.Problem, "ways", ways)


def any_case_is_whole(put: Put) -> None:
    put.at(ledger, "_whole", lambda spec, players, obligation, outcomes: bool(outcomes))
    put.everywhere(case_split.split, lambda *arguments: split(*arguments)[:1])


def first_phase_only(put: Put) -> None:
    required, preserved = owed.required, Worker._preserved

    def needed(spec: Any, players: int, kind: str) -> Any:
        first = {each.name: each.phases[:1] for each in spec.transitions}
        return [
            each
            for each in required(spec, players, kind)
            if not each.transition or each.phase in first[each.transition] or not each.phase
        ]

    def asked(self: Any, here: Any, transition: Any, job: Any) -> Iterator[Any]:
        if not transition.phases or here.phase == transition.phases[0]:
            yield from preserved(self, here, transition, job)

    put.everywhere(required, needed)
    put.at(Worker, "_preserved", asked)


def steps_not_asked(put: Put) -> None:
    required, preserved = owed.required, Worker._preserved

    def needed(spec: Any, players: int, kind: str) -> Any:
        steps = {each.name for each in spec.transitions if each.kind == "step"}
        return [each for each in required(spec, players, kind) if each.transition not in steps]

    def asked(self: Any, here: Any, transition: Any, job: Any) -> Iterator[Any]:
        if transition.kind != "step":
            yield from preserved(self, here, transition, job)

    put.everywhere(required, needed)
    put.at(Worker, "_preserved", asked)


def seats_always_alike(put: Put) -> None:
    put.everywhere(symmetry.seats_alike, lambda spec: True)


def seats_compared_alike(put: Put) -> None:
    more = symmetry.FAIR | {"less", "less_equal", "greater", "greater_equal"}
    put.at(symmetry, "FAIR", more)


def hidden_hazards_unnoticed(put: Put) -> None:
    put.at(context.ProofContext, "minds_order", lambda self, hidden: False)


def start_not_asked(put: Put) -> None:
    _granting(put, "begins", "invariant")


def stuck_at_start(put: Put) -> None:
    _granting(put, "begins", "flow")


def due_step_is_a_way_on(put: Put) -> None:
    original = conditions.begins

    def begins(here: Any) -> Any:
        state, _, _ = conditions.beginning(here)
        due = here.step_due(state)
        here.world.take_hazards()
        query = original(here)
        query.goals = [
            replace(each, negated=here.terms.both(each.negated, here.terms.no(due)))
            if each.kind == "flow"
            else each
            for each in query.goals
        ]
        return query

    put.everywhere(original, begins)


def always_settled(put: Put) -> None:
    put.everywhere(conditions.begins_settled, lambda here: True)


def later_steps_not_due(put: Put) -> None:
    original = context.ProofContext.step_due

    def step_due(self: Any, state: Any, before: Any = None) -> Any:
        if before is None:
            return original(self, state)
        others = [e for e in self.instance.of_kind("step") if e.name != before.name]
        return self.terms.either(self.allowed(each, state, {}) for each in others)

    put.at(context.ProofContext, "step_due", step_due)


def requirements_unguarded(put: Put) -> None:
    _granting(put, "asked_safely", "safety")


def effects_unguarded(put: Put) -> None:
    _granting(put, "preserved", "safety")


def start_unguarded(put: Put) -> None:
    _granting(put, "begins_safely", "safety")


def results_unguarded(put: Put) -> None:
    _granting(put, "counted_safely", "safety")


def steps_always_stop(put: Put) -> None:
    put.everywhere(conditions.many_steps, lambda here, state: FALSE)


def steps_always_agree(put: Put) -> None:
    put.everywhere(conditions.two_steps, lambda here, state: FALSE)


def functions_not_read(put: Put) -> None:
    put.at(context, "variables_read", lambda claim, functions: variables_read(claim, {}))


def enabling_ignored(put: Put) -> None:
    put.at(commutation, "_enabled", lambda *_: FALSE)


def outcome_of_orders_ignored(put: Put) -> None:
    put.at(commutation, "same_state", lambda here, left, right: TRUE)


def loop_before_measure(put: Put) -> None:
    original = ranking.Ranking._no_circle

    def no_circle(self: Any, numbers: Any) -> bool:
        every = self._edges
        inside = ranking._reached(self.ends.at, every)
        self._edges = [each for each in every if each.source in inside]
        try:
            return bool(original(self, numbers))
        finally:
            self._edges = every

    put.at(ranking.Ranking, "_no_circle", no_circle)


def circles_ignored(put: Put) -> None:
    put.at(ranking.Ranking, "_no_circle", lambda self, numbers: True)


def negative_measure(put: Put) -> None:
    put.at(ranking.Ranking, "_never_negative", lambda self: True)


def measure_may_stay(put: Put) -> None:
    original = ranking.lower
    put.everywhere(
        original, lambda terms, now, before, weak=False: original(terms, now, before, True)
    )


def one_round_less(put: Put) -> None:
    original = ranking.Ranking._most_rounds

    def most(self: Any) -> int | None:
        found = original(self)
        return None if found is None else found - 1

    put.at(ranking.Ranking, "_most_rounds", most)


def _none_found(put: Put) -> None:
    """The search that goes before has found nothing either: the kernel alone can object."""
    nothing = BmcResult((), 1, True, None, POSITION)
    put.everywhere(explicit_state.explore_all_states, lambda *_: nothing)


def only_where_steps_end(put: Put) -> None:
    _none_found(put)
    put.at(exploration, "apply", lambda *arguments: apply(*arguments)[-1:])


def chance_not_explored(put: Put) -> None:
    _none_found(put)
    put.at(exploration, "outcomes", lambda instance, position: [])


def _unasked(put: Put, *ways: str, how: str | None = None) -> None:
    """Some ways of two specs to differ, or some sorts of them, are neither owed nor asked about."""
    required, differences = comparison.required, difference.differences

    def left_out(way: str, sort: str) -> bool:
        return way in ways and how in (None, sort)

    def needed(subject: Any, players: int) -> Any:
        return [e for e in required(subject, players) if not left_out(e.part, e.other)]

    def asked(product: Any, subject: Any, ways: Any = difference.WAYS) -> Any:
        return [e for e in differences(product, subject, ways) if not left_out(e.way, e.how)]

    put.everywhere(required, needed)
    put.everywhere(differences, asked)


def _uncompared(put: Put, kind: str) -> None:
    """Nothing of a kind is compared."""
    original = counterparts.subjects

    def subjects(*specs: Any) -> Any:
        return [each for each in original(*specs) if each.kind != kind]

    put.everywhere(original, subjects)


def step_order_ignored(put: Put) -> None:
    put.at(counterparts, "_in_order", lambda old, found: iter(found))


def stricter_not_asked(put: Put) -> None:
    _unasked(put, comparison.STRICTER)


def looser_not_asked(put: Put) -> None:
    _unasked(put, comparison.LOOSER)


def changed_not_asked(put: Put) -> None:
    _unasked(put, comparison.CHANGED)


def silence_not_asked(put: Put) -> None:
    _unasked(put, comparison.STRICTER, comparison.LOOSER, how=comparison.SILENT)


def starts_not_compared(put: Put) -> None:
    _uncompared(put, "start")


def results_not_compared(put: Put) -> None:
    _uncompared(put, "result")


def steps_not_compared(put: Put) -> None:
    _uncompared(put, "step")


def odds_not_compared(put: Put) -> None:
    put.at(difference, "_odds", lambda *_: TRUE)


def first_seat_only(put: Put) -> None:
    original = difference._choices

    def chosen(product: Any, subject: Any) -> Any:
        found = original(product, subject)
        shapes = subject.old, subject.new
        movers = [getattr(each, "mover", None) for each in shapes]
        first = product.terms.number(1)
        old, new = ({**e, **({m: first} if m in e else {})} for e, m in zip(found, movers))
        return old, new

    put.at(difference, "_choices", chosen)


def every_invariant_trusted(put: Put) -> None:
    put.at(comparison.Comparison, "rests", lambda self, told: (set(), set()))


def readings_taken_alike(put: Put) -> None:
    original = counterparts.same
    put.everywhere(
        original, lambda old, new, it, apart=(), part="": original(old, new, it, (), part)
    )


def bases_not_compared(put: Put) -> None:
    def of(self: Any, roots: Any) -> Any:
        return {}

    put.at(counterparts, "Dependencies", type("Dependencies", (_Nothing,), {"of": of}))


class _Nothing:
    """Stands for dependencies that nobody has looked for."""

    def __init__(self, spec: Any) -> None:
        pass


def carried_anywhere(put: Put) -> None:
    put.at(comparison, "deciding", lambda spec, shape: ())


def last_part_left_out(put: Put) -> None:
    put.at(refutation, "case_splits", lambda *arguments: list(apart(*arguments))[:-1])


def _fault(function: Any, where: str, what: str) -> Fault:
    return Fault(function.__name__, where, what, function)


FAULTS = [
    _fault(refuted_assumed, "Problem.__init__", "a hypothesis that cannot hold is not named"),
    _fault(circle_open, "ledger.missing", "what is not proved counts as proved where it is used"),
    _fault(core_forgotten, "Problem.ask", "the hypotheses that a refutation used are forgotten"),
    _fault(gave_up_is_proved, "Z3.check", "a solver that gives up has refuted"),
    _fault(anything_is_proved, "outcome.answered", "a problem nobody refuted is refuted"),
    _fault(last_case_left_out, "Problem.by_cases", "the last value of an unknown is left out"),
    _fault(last_way_left_out, "Problem.ways", "the last way in which a goal fails is left out"),
    _fault(any_case_is_whole, "ledger._whole", "one case counts for all of them"),
    _fault(first_phase_only, "obligations.required", "a move is asked in its first phase only"),
    _fault(steps_not_asked, "obligations.required", "steps are not asked about"),
    _fault(seats_always_alike, "symmetry.seats_alike", "the first seat stands for all, always"),
    _fault(seats_compared_alike, "symmetry.FAIR", "comparing seats treats them alike"),
    _fault(hidden_hazards_unnoticed, "ProofContext.minds_order", "the first player hides hazards"),
    _fault(start_not_asked, "questions.begins", "invariants are not asked at the start"),
    _fault(stuck_at_start, "questions.begins", "a way on from the start is not asked"),
    _fault(due_step_is_a_way_on, "questions.begins", "a step that is due at the start is a way on"),
    _fault(always_settled, "questions.begins_settled", "no step is ever due where a move is made"),
    _fault(later_steps_not_due, "ProofContext.step_due", "of several steps none else is due"),
    _fault(requirements_unguarded, "questions.asked_safely", "requirements always have a value"),
    _fault(effects_unguarded, "questions.preserved", "effects never go wrong"),
    _fault(start_unguarded, "questions.begins_safely", "beginning never goes wrong"),
    _fault(results_unguarded, "questions.counted_safely", "results always have a value"),
    _fault(steps_always_stop, "questions.many_steps", "steps always stop"),
    _fault(steps_always_agree, "questions.two_steps", "it never matters which step comes first"),
    _fault(functions_not_read, "context.variables_read", "what functions read is not read"),
    _fault(enabling_ignored, "order._enabled", "moves that enable each other are not looked at"),
    _fault(outcome_of_orders_ignored, "order.same_state", "both orders lead to the same"),
    _fault(loop_before_measure, "Ranking._no_circle", "loops before the phase of a measure"),
    _fault(circles_ignored, "Ranking._no_circle", "no round goes on for ever"),
    _fault(negative_measure, "Ranking._never_negative", "a measure may be negative"),
    _fault(measure_may_stay, "ranking.lower", "a measure need not fall"),
    _fault(one_round_less, "Ranking._most_rounds", "one round less than there can be"),
    _fault(only_where_steps_end, "explore.apply", "positions between steps are not looked at"),
    _fault(chance_not_explored, "explore.outcomes", "what chance decides is not gone through"),
    _fault(step_order_ignored, "counterparts._in_order", "two specs: the order of steps"),
    _fault(stricter_not_asked, "comparison.required", "two specs: nothing is ever stricter"),
    _fault(looser_not_asked, "comparison.required", "two specs: nothing is ever looser"),
    _fault(changed_not_asked, "comparison.required", "two specs: what an event leads to"),
    _fault(silence_not_asked, "comparison.required", "two specs: one of them has no answer"),
    _fault(starts_not_compared, "counterparts.subjects", "two specs: how games begin"),
    _fault(results_not_compared, "counterparts.subjects", "two specs: scores and winners"),
    _fault(steps_not_compared, "counterparts.subjects", "two specs: what happens by itself"),
    _fault(odds_not_compared, "difference._odds", "two specs: how likely something is"),
    _fault(first_seat_only, "difference._choices", "two specs: only the first seat moves"),
    _fault(every_invariant_trusted, "Comparison.rests", "two specs: invariants are not proved"),
    _fault(readings_taken_alike, "counterparts.same", "two options of a reading are the same"),
    _fault(bases_not_compared, "counterparts.same", "two specs: what rules lean on is the same"),
    _fault(carried_anywhere, "Comparison.carry", "two specs: what readings bear on"),
    _fault(last_part_left_out, "Problem.apart", "the last way for two rules to part is left out"),
]
"""Seven of them are mistakes that were once made."""
