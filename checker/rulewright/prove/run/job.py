"""What one worker does at a time: build a query or two, ask, and say what was found.

A job is small and says by itself all that a worker must know, so that workers share nothing but
the specs they were started with, and answers. What a job finds depends on nothing but the job if
its worker has been prepared for its setting and has done no other; `workers` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress

from rulewright.kernel.ledger import NEVER, SAFE
from rulewright.kernel.outcome import Outcome, WitnessGame
from rulewright.kernel.query import Query
from rulewright.kernel.symmetry import seats_alike
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge.case_split import choices, split
from rulewright.prove.discharge.goal_slicing import GoalSlicer
from rulewright.prove.discharge.question_budgets import (
    AT_ONCE,
    BRIEF,
    HASTY,
    ONE_CASE,
    SOON,
    UNSEEN,
    USUAL,
    QuestionBudget,
)
from rulewright.prove.discharge.ranking_search import falls
from rulewright.prove.invariants.houdini import InvariantSearch, broken_in
from rulewright.prove.invariants.state_samples import positions
from rulewright.prove.run.claim_order import inductive_claims
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.search.portfolio import SearchPortfolio
from rulewright.prove.search.random_search import play_at_random
from rulewright.prove.verdict import sanity_checks
from rulewright.prove.verdict.cross_check import examples_against, targets
from rulewright.prove.verdict.undecided import undecided_outcomes
from rulewright.prove.verdict.vacuity import vacuity_checks, vacuity_evidence
from rulewright.simulate.compiled.compiled_game import compiled_game
from rulewright.smt.encode.symbolic_values import UnboundedError
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT
from rulewright.smt.solver.work_limit import WorkLimitError
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.syntax.node import Node, replace
from rulewright.vc import conditions
from rulewright.vc.commutation import commuting
from rulewright.vc.context import ProofContext

AGAIN = ("begins", "preserved", "steps", "stuck", "order", "ends")
"""Jobs whose questions are asked again with helper invariants."""
PLAYING = ("possible", "refute", "everywhere", "bearing", "contradict", "strengthen")
"""Jobs that play games."""
SECOND = "second solver"
"""The name and kind of what says how often a second solver was asked."""
SEED = 18
"""Of the random games that what is proved is held against: not those that were played before."""
MANY_TERMS = 300_000
"""So many terms take some 150 MB; they are not taken along to another setting."""


class Job(Node):
    """Something to do in a setting: `kind` says what, `subject` for which transition."""

    configuration: Configuration
    kind: str
    subject: str = ""
    fixed: tuple[tuple[str, int], ...] = ()
    only: tuple[str, ...] = ()
    of: str = "invariant"
    """For games that refute, the kind of what they refute."""
    count: int = 1
    """So many different games."""
    guide: WitnessGame | None = None
    """A game that shows the same under other readings, or without the variant."""
    turns: int = 0
    """So many turns has one that shows the same with fewer players."""
    brief: bool = False
    """Only what is soon found is looked for."""


def jobs_for(spec: c.Spec, configuration: Configuration, first: bool) -> list[Job]:
    """All jobs of an induction in one setting; `first` of the settings is also asked what would be
    asked in vain of the others. Where seats are alike, the first stands for all."""
    jobs = [Job(configuration, "possible", p.name) for p in spec.properties if p.kind == "possible"]
    jobs += [Job(configuration, "ends", each.name) for each in spec.ends]
    jobs += [
        Job(configuration, kind) for kind in ("theorems", "begins", "assumptions", "steps", "stuck")
    ]
    movers = 1 if seats_alike(spec) else configuration.players
    for transition in spec.transitions:
        seats = range(1, movers + 1) if transition.mover else [None]
        for seat in seats:
            fixed = ((str(transition.mover), seat),) if seat is not None else ()
            jobs.append(Job(configuration, "preserved", transition.name, fixed))
    if any(each.simultaneous for each in spec.phases):
        jobs.append(Job(configuration, "order"))
    if first:
        jobs.append(Job(configuration, "bearing"))
    return jobs


class Worker:
    """Does jobs on the specs it was given, by variant."""

    def __init__(
        self, specs: Mapping[str | None, c.Spec], effort: ProverOptions, cache: Cache,
        many_terms: int = MANY_TERMS,
    ) -> None:  # fmt: skip
        self._specs = specs
        self._many_terms = many_terms
        self._effort = effort
        self._cache = cache
        self._narrow = GoalSlicer(effort, cache)
        self._context: ProofContext | None = None
        self._settled = False
        self._games: SearchPortfolio | None = None
        self._hard: set[tuple[str, str]] = set()
        self.tell: Callable[[Outcome], object] | None = None
        """Told of each outcome as it is found."""

    def prepare(self, job: Job) -> None:
        """Prepares what all jobs of a configuration need: the proof context and, for jobs that
        play, the compiled game. What cannot be prepared the jobs report."""
        self._cache.catch_up()
        with suppress(UnboundedError, EvaluationError, UsageError):
            instance = self.context(job.configuration).instance
            if job.kind in PLAYING:
                compiled_game(instance)

    def context(self, configuration: Configuration) -> ProofContext:
        if self._context is None or self._context.configuration != configuration:
            context = ProofContext(self._specs[configuration.variant], configuration, self._terms())
            self._settled = conditions.begins_settled(context)
            self._games = SearchPortfolio(context, self._effort, self._cache)
            self._context = context
        return self._context

    def _terms(self) -> TermBuilder:
        """Terms for another setting: those of the last one, so that what is asked of both is the
        same question; new ones when they have become many."""
        known = self._context.terms if self._context is not None else None
        return TermBuilder() if known is None or known.size() > self._many_terms else known

    def run(self, job: Job) -> list[Outcome]:
        """Does a job; what cannot be encoded or played is unknown, with the reason."""
        second = self._effort.second
        before = (second.asked, second.undecided) if second is not None else (0, 0)
        found: list[Outcome] = []
        try:
            for each in self._outcomes(job):
                found.append(each)
                if self.tell is not None:
                    self.tell(each)
            if second is not None and second.asked > before[0]:
                asked, undecided = second.asked - before[0], second.undecided - before[1]
                found.append(
                    Outcome(SECOND, SECOND, SAT, SAT, None, (), 0.0, str(undecided), None,
                            depth=asked)
                )  # fmt: skip
            return found
        except (UnboundedError, EvaluationError, WorkLimitError) as error:
            left = undecided_outcomes(self._specs[job.configuration.variant], job, str(error))
            return [*found, *left]

    def _outcomes(self, job: Job) -> Iterator[Outcome]:
        context = self.context(job.configuration)
        assert self._games is not None
        if job.kind == "possible":
            if job.brief:
                yield self._games.soon(job.subject, job.count)
            else:
                yield self._games.possible(job.subject, job.count, job.guide, job.turns)
            return
        if job.kind == "refute":
            yield self._games.breaking(job.subject, job.of, job.count)
            return
        if job.kind == "everywhere":
            yield self._games.everywhere(job.subject, job.of, job.count)
            return
        if job.kind == "bearing":
            yield from _seen_in_play(context, job)
            return
        if job.kind == "contradict":
            yield from _contradicted(context, job, self._effort)
            return
        if job.kind == "strengthen":
            yield from self._strengthened(context, job)
            return
        if job.kind == "ends":
            yield from falls(
                context, job.subject, self._effort, self._cache, self._narrow, self._settled
            )
            return
        if job.kind == "preserved":
            yield from self._preserved_by_all(context, job)
            return
        if job.kind == "stuck" and (not job.only or "goes_on" in job.only):
            going = [each.name for each in context.spec.phases if not each.final]
            for phase in going or [""]:
                yield self._goes_on(context.in_phase(phase), AT_ONCE if job.brief else USUAL)
        for query in self._written(context, self._queries(context, job)):
            query.goals = [each for each in query.goals if not job.only or each.name in job.only]
            budget = AT_ONCE if job.brief else USUAL
            if job.kind in ("vacuity", "possible_event"):
                budget = UNSEEN
            yield from self._answered(context, query, budget)

    def _goes_on(self, context: ProofContext, budget: QuestionBudget) -> Outcome:
        """Asks whether there is always a way on in a phase; first with what is soon asked."""
        chosen = _with_a_choice(context)
        if chosen:
            with self._writing(context):
                query = conditions.stuck(context, without=chosen)
            (found,) = self._narrow.answers(context, query, SOON, shown=False)
            if found.result == UNSAT:
                return found
        with self._writing(context):
            query = conditions.stuck(context)
        (found,) = self._answered(context, query, budget)
        return found

    def _written(self, context: ProofContext, queries: Iterator[Query]) -> Iterator[Query]:
        """Queries as they are written, each in the time that one question has."""
        while True:
            with self._writing(context):
                query = next(queries, None)
            if query is None:
                return
            yield query

    def _writing(self, context: ProofContext) -> AbstractContextManager[None]:
        return context.terms.watch.within(self._effort.timeout)

    def _queries(self, context: ProofContext, job: Job) -> Iterator[Query]:
        match job.kind:
            case "theorems":
                yield sanity_checks.theorems(context)
            case "begins":
                yield conditions.begins(context)
                yield conditions.begins_safely(context)
            case "assumptions":
                yield sanity_checks.consistent(context)
            case "steps":
                yield conditions.steps(context)
            case "stuck":
                if not job.only or "safe" in job.only:
                    yield from conditions.counted_safely(context)
            case "vacuity":
                yield sanity_checks.vacuous(context)
            case "order":
                yield from commuting(context, self._settled)
            case _:
                transition = context.instance.transitions[job.subject]
                yield sanity_checks.possible_event(context, transition, self._settled)

    def _preserved_by_all(self, context: ProofContext, job: Job) -> Iterator[Outcome]:
        """Asks about a transition in each of its phases, by the player that the job names. Where
        seats are alike, the first stands for all, unless the order of players shows."""
        transition = context.instance.transitions[job.subject]
        named = dict(job.fixed).get(str(transition.mover), 0)
        alike = named == 1 and seats_alike(context.spec)
        for phase in transition.phases or ("",):
            with self._writing(context):
                here = context.in_phase(phase)
            found = []
            for each in self._preserved(here, transition, job):
                found.append(each)
                yield each
            if alike and not all(len(each.covers) == job.configuration.players for each in found):
                for seat in range(2, job.configuration.players + 1):
                    other = replace(job, fixed=((str(transition.mover), seat),))
                    yield from self._preserved(here, transition, other)

    def _preserved(
        self, context: ProofContext, transition: c.Transition, job: Job
    ) -> Iterator[Outcome]:
        """Asks about a transition, claim by claim, so that one that is too much to be written down
        in time takes no other with it; what is too hard at once is asked case by case."""
        fixed = dict(job.fixed)
        claims = inductive_claims(context.spec)
        names = [each for each in claims if not job.only or each in job.only]
        cases = split(context, transition, fixed)
        many = [] if cases or job.brief else choices(context, transition, fixed)
        hard: set[str] = set()
        if cases:
            hard = {name for owner, name in self._hard if owner == transition.name}
            hard &= set(names)
        budget = AT_ONCE if job.brief else BRIEF if cases or many else USUAL
        with self._writing(context):
            query = conditions.preserved(context, transition, fixed, self._settled, _nothing)
        for name in names:
            if name in hard:
                continue
            try:
                with self._writing(context):
                    query.goals = conditions.preserved(
                        context, transition, fixed, self._settled, name.__eq__
                    ).goals
            except WorkLimitError as error:
                if many:
                    hard.add(name)
                else:
                    yield from _undecided(context, job, name, error)
                continue
            for found in self._answered(context, query, budget):
                known_to_fail = found.name in context.instance.accepted
                if found.result == UNKNOWN and (cases or many) and not (known_to_fail or job.brief):
                    hard.add(found.name)
                    if cases:
                        self._hard.add((transition.name, found.name))
                else:
                    yield found
        if SAFE[0] in names:
            with self._writing(context):
                query = conditions.asked_safely(context, transition, fixed, self._settled)
            yield from self._narrow.answers(context, query, AT_ONCE if job.brief else USUAL)
        for case in cases if hard else []:
            with self._writing(context):
                query = conditions.preserved(
                    context, transition, case, self._settled, hard.__contains__
                )
            yield from self._narrow.answers(context, query)
        for name in [each for each in names if each in hard and many]:
            yield from self._case_by_case(context, transition, job, name, many)

    def _case_by_case(
        self, context: ProofContext, transition: c.Transition, job: Job, name: str,
        many: list[dict[str, int]],
    ) -> Iterator[Outcome]:  # fmt: skip
        """Asks about a claim for each thing that can be chosen; where one of them is too hard,
        about all of them at once."""
        told: list[Outcome] = []
        try:
            for case in many:
                with self._writing(context):
                    query = conditions.preserved(
                        context, transition, case, self._settled, name.__eq__
                    )
                told += self._narrow.answers(context, query, ONE_CASE)
                if told and told[-1].result != UNSAT:
                    break
            else:
                yield from told
                return
            with self._writing(context):
                query = conditions.preserved(
                    context, transition, dict(job.fixed), self._settled, name.__eq__
                )
        except WorkLimitError as error:
            yield from _undecided(context, job, name, error)
            return
        yield from self._answered(context, query, USUAL)

    def _answered(
        self, context: ProofContext, query: Query, budget: QuestionBudget
    ) -> Iterator[Outcome]:
        """The answers to a query. What the spec knows to fail is asked hastily: a game shows it."""
        known = context.instance.accepted
        failing = [each for each in query.goals if each.name in known]
        query.goals = [each for each in query.goals if each.name not in known]
        yield from self._narrow.answers(context, query, budget)
        if failing:
            query.goals = failing
            yield from self._narrow.answers(context, query, HASTY)

    def _strengthened(self, context: ProofContext, job: Job) -> Iterator[Outcome]:
        """Asks again what failed, with helper invariants that are found first and are then claims
        like any other. What random games break is past helping."""
        possible = [p for p in context.spec.properties if p.kind == "possible"]
        open_names = set(job.only)
        for property in possible:
            if property.name in job.only:
                decided = list(self._never(context, property))
                if decided and decided[-1].result == UNSAT:
                    open_names.discard(property.name)
                    yield from decided
        if not open_names:
            return
        seen = positions(context.instance, self._effort.timeout)
        names = tuple(
            each for each in job.only if each in open_names and not broken_in(context, each, seen)
        )
        found = InvariantSearch(context, self._settled)
        if names:
            found.find(seen, self._effort.helping)
        if not found.helpers():
            return
        helpers = tuple(found.helpers())
        spec = replace(context.spec, properties=(*context.spec.properties, *helpers))
        worker = Worker({context.configuration.variant: spec}, self._effort, self._cache)
        only = (*names, *(each.name for each in helpers))
        for each in jobs_for(spec, job.configuration, first=False):
            if each.kind in AGAIN and (each.kind != "ends" or each.subject in names):
                yield from worker.run(replace(each, only=only))
        for property in possible:
            if property.name in names:
                yield from worker.excluded(job.configuration, property.name)

    def excluded(self, configuration: Configuration, name: str) -> Iterator[Outcome]:
        """Whether the invariants exclude what a property says can be."""
        context = self.context(configuration)
        property = next(each for each in context.spec.properties if each.name == name)
        with self._writing(context):
            query = conditions.impossible(context, property)
        yield from self._narrow.answers(context, query, HASTY)

    def _never(self, context: ProofContext, property: c.Property) -> Iterator[Outcome]:
        """That nothing ever is as a property says can be, if the invariants say so or that is
        preserved by itself. The last outcome says whether it is so."""
        (told,) = self.excluded(context.configuration, property.name)
        if told.result == UNSAT:
            yield told
            return
        name = NEVER + property.name
        claim = c.Unary(property.span, y.BOOL, "not", property.claim)
        denied = replace(property, kind="invariant", claim=claim, name=name)
        spec = replace(context.spec, properties=(*context.spec.properties, denied))
        worker = Worker({context.configuration.variant: spec}, self._effort, self._cache)
        for job in jobs_for(spec, context.configuration, first=False):
            if job.kind in ("begins", "preserved"):
                for each in worker.run(replace(job, only=(name,))):
                    yield each
                    if each.result != UNSAT:
                        return


def _nothing(_: str) -> bool:
    return False


def _undecided(context: ProofContext, job: Job, name: str, error: Exception) -> list[Outcome]:
    """That a claim was not decided, and why."""
    return undecided_outcomes(context.spec, replace(job, only=(name,)), str(error))


def _with_a_choice(context: ProofContext) -> list[c.Transition]:
    """What takes a choice besides who does it, if something that takes none can happen here: where
    a player can pass, say, that is soon asked and there is no need to look at what else."""
    here = [
        each
        for each in context.spec.transitions
        if each.kind != "step" and (not each.phases or context.phase in (*each.phases, ""))
    ]
    chosen = [each for each in here if each.params]
    return chosen if len(chosen) < len(here) else []


def _contradicted(context: ProofContext, job: Job, effort: ProverOptions) -> Iterator[Outcome]:
    """Worked examples and random games that contradict what is called proved."""
    sought = targets(context.instance, job.only)
    shown = examples_against(context.instance, sought)
    if shown is not None:
        name, game = shown
        yield Outcome(name, "contradiction", UNSAT, SAT, None, (), 0.0, "", None, game=game)
        return
    found = play_at_random(
        context.instance, sought, effort.searching, seed=SEED, most=job.count
    )  # fmt: skip
    for name, games in found.items():
        for game in games:
            yield Outcome(name, "contradiction", UNSAT, SAT, None, (), 0.0, "", None, game=game)


def _seen_in_play(context: ProofContext, job: Job) -> Iterator[Outcome]:
    """What examples and random games show to matter."""
    seen = vacuity_evidence(context.instance, job.only)
    for each in vacuity_checks(context.spec):
        if (each.where, each.name) in seen:
            yield Outcome(each.name, each.kind, SAT, SAT, None, (), 0.0, "", each.where)
