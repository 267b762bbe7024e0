"""What one worker does at a time: build a query or two, ask, and say what was found.

A job is small and says by itself all that a worker must know, so that workers share nothing but
the specs they were started with. Grounds are kept for the next job in the same setting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager

from checker.kernel.ledger import NEVER
from checker.kernel.outcome import Game, Outcome
from checker.kernel.query import Query
from checker.kernel.symmetry import seats_alike
from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.errors import EvaluationError
from checker.prove import sanity
from checker.prove.at_random import play_at_random
from checker.prove.bearing import bearing, should_matter
from checker.prove.cache import Cache
from checker.prove.crosscheck import examples_against, targets
from checker.prove.effort import Effort
from checker.prove.games import Games
from checker.prove.lost import lost
from checker.prove.manner import BRIEF, HASTY, SOON, UNSEEN, USUAL, Manner
from checker.prove.measure import falls
from checker.prove.narrow import Narrow
from checker.prove.sample import positions
from checker.prove.splitting import split
from checker.prove.strengthen import Strengthening, broken_in
from checker.smt.number import Terms
from checker.smt.solver import SAT, UNKNOWN, UNSAT
from checker.smt.value import UnboundedError
from checker.smt.watch import LateError
from checker.syntax.node import Node, replace
from checker.vc import questions
from checker.vc.context import ProofContext, Setting
from checker.vc.order import commuting

AGAIN = ("begins", "preserved", "steps", "stuck", "order", "ends")
"""Jobs whose questions are asked again with helper invariants."""
SECOND = "second solver"
"""The name and kind of what says how often a second solver was asked."""
SEED = 18
"""Of the random games that what is proved is held against: not those that were played before."""
MANY_TERMS = 300_000
"""So many terms take some 150 MB; they are not taken along to another setting."""


class Job(Node):
    """Something to do in a setting: `kind` says what, `subject` for which transition."""

    setting: Setting
    kind: str
    subject: str = ""
    fixed: tuple[tuple[str, int], ...] = ()
    only: tuple[str, ...] = ()
    of: str = "invariant"
    """For games that refute, the kind of what they refute."""
    count: int = 1
    """So many different games."""
    guide: Game | None = None
    """A game that shows the same under other readings, or without the variant."""
    turns: int = 0
    """So many turns has one that shows the same with fewer players."""


def jobs_for(spec: c.Spec, setting: Setting, first: bool) -> list[Job]:
    """All jobs of an induction in one setting; `first` of the settings is also asked what would be
    asked in vain of the others. Where seats are alike, the first stands for all."""
    jobs = [Job(setting, "possible", p.name) for p in spec.properties if p.kind == "possible"]
    jobs += [Job(setting, "ends", each.name) for each in spec.ends]
    jobs += [Job(setting, kind) for kind in ("theorems", "begins", "assumptions", "steps", "stuck")]
    movers = 1 if seats_alike(spec) else setting.players
    for transition in spec.transitions:
        seats = range(1, movers + 1) if transition.mover else [None]
        for seat in seats:
            fixed = ((str(transition.mover), seat),) if seat is not None else ()
            jobs.append(Job(setting, "preserved", transition.name, fixed))
    if any(each.simultaneous for each in spec.phases):
        jobs.append(Job(setting, "order"))
    if first:
        jobs.append(Job(setting, "bearing"))
    return jobs


class Worker:
    """Does jobs on the specs it was given, by variant."""

    def __init__(self, specs: Mapping[str | None, c.Spec], effort: Effort, cache: Cache) -> None:
        self._specs = specs
        self._effort = effort
        self._cache = cache
        self._narrow = Narrow(effort, cache)
        self._context: ProofContext | None = None
        self._settled = False
        self._games: Games | None = None
        self._hard: set[tuple[str, str]] = set()

    def context(self, setting: Setting) -> ProofContext:
        if self._context is None or self._context.setting != setting:
            context = ProofContext(self._specs[setting.variant], setting, self._terms())
            self._settled = questions.begins_settled(context)
            self._games = Games(context, self._effort, self._cache)
            self._context = context
        return self._context

    def _terms(self) -> Terms:
        """Terms for another setting: those of the last one, so that what is asked of both is the
        same question; new ones when they have become many."""
        known = self._context.terms if self._context is not None else None
        return Terms() if known is None or known.size() > MANY_TERMS else known

    def run(self, job: Job) -> list[Outcome]:
        """Does a job; what cannot be encoded or played is unknown, with the reason."""
        second = self._effort.second
        before = (second.asked, second.undecided) if second is not None else (0, 0)
        try:
            found = list(self._outcomes(job))
            if second is not None and second.asked > before[0]:
                asked, undecided = second.asked - before[0], second.undecided - before[1]
                found.append(
                    Outcome(SECOND, SECOND, SAT, SAT, None, (), 0.0, str(undecided), None,
                            depth=asked)
                )  # fmt: skip
            return found
        except (UnboundedError, EvaluationError, LateError) as error:
            return lost(self._specs[job.setting.variant], job, str(error))

    def _outcomes(self, job: Job) -> Iterator[Outcome]:
        context = self.context(job.setting)
        assert self._games is not None
        if job.kind == "possible":
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
                yield self._goes_on(context.in_phase(phase))
        for query in self._written(context, self._queries(context, job)):
            query.goals = [each for each in query.goals if not job.only or each.name in job.only]
            manner = USUAL
            if job.kind in ("vacuity", "possible_event"):
                manner = UNSEEN
            yield from self._answered(context, query, manner)

    def _goes_on(self, context: ProofContext) -> Outcome:
        """Asks whether there is always a way on in a phase; first with what is soon asked."""
        chosen = _with_a_choice(context)
        if chosen:
            with self._writing(context):
                query = questions.stuck(context, without=chosen)
            (found,) = self._narrow.answers(context, query, SOON, shown=False)
            if found.result == UNSAT:
                return found
        with self._writing(context):
            query = questions.stuck(context)
        (found,) = self._answered(context, query, USUAL)
        return found

    def _written(self, context: ProofContext, querys: Iterator[Query]) -> Iterator[Query]:
        """Querys as they are written, each in the time that one question has."""
        while True:
            with self._writing(context):
                query = next(querys, None)
            if query is None:
                return
            yield query

    def _writing(self, context: ProofContext) -> AbstractContextManager[None]:
        return context.terms.watch.within(self._effort.timeout)

    def _queries(self, context: ProofContext, job: Job) -> Iterator[Query]:
        match job.kind:
            case "theorems":
                yield sanity.theorems(context)
            case "begins":
                yield questions.begins(context)
                yield questions.begins_safely(context)
            case "assumptions":
                yield sanity.consistent(context)
            case "steps":
                yield questions.steps(context)
            case "stuck":
                if not job.only or "safe" in job.only:
                    yield from questions.counted_safely(context)
            case "vacuity":
                yield sanity.vacuous(context)
            case "order":
                yield from commuting(context, self._settled)
            case _:
                transition = context.instance.transitions[job.subject]
                yield sanity.possible_event(context, transition, self._settled)

    def _preserved_by_all(self, context: ProofContext, job: Job) -> Iterator[Outcome]:
        """Asks about a transition in each of its phases, by the player that the job names. Where
        seats are alike, the first stands for all, unless the order of players shows."""
        transition = context.instance.transitions[job.subject]
        named = dict(job.fixed).get(str(transition.mover), 0)
        alike = named == 1 and seats_alike(context.spec)
        for phase in transition.phases or ("",):
            with self._writing(context):
                here = context.in_phase(phase)
            found = list(self._preserved(here, transition, job))
            yield from found
            if alike and not all(len(each.covers) == job.setting.players for each in found):
                for seat in range(2, job.setting.players + 1):
                    other = replace(job, fixed=((str(transition.mover), seat),))
                    yield from self._preserved(here, transition, other)

    def _preserved(
        self, context: ProofContext, transition: c.Transition, job: Job
    ) -> Iterator[Outcome]:
        """Asks about a transition; what is too hard at once is asked case by case."""
        fixed = dict(job.fixed)
        if not job.only or "safe" in job.only:
            with self._writing(context):
                query = questions.asked_safely(context, transition, fixed, self._settled)
            yield from self._narrow.answers(context, query)
        cases = split(context, transition, fixed)
        hard: set[str] = set()
        if cases:
            hard = {name for owner, name in self._hard if owner == transition.name}
        if job.only:
            hard &= set(job.only)
        with self._writing(context):
            query = questions.preserved(
                context, transition, fixed, self._settled,
                lambda name: name not in hard and (not job.only or name in job.only),
            )  # fmt: skip
        for found in self._answered(context, query, BRIEF if cases else USUAL):
            known_to_fail = found.name in context.instance.accepted
            if found.result == UNKNOWN and cases and not known_to_fail:
                hard.add(found.name)
                self._hard.add((transition.name, found.name))
            else:
                yield found
        for case in cases if hard else []:
            with self._writing(context):
                query = questions.preserved(
                    context, transition, case, self._settled, hard.__contains__
                )
            yield from self._narrow.answers(context, query)

    def _answered(self, context: ProofContext, query: Query, manner: Manner) -> Iterator[Outcome]:
        """The answers to a query. What the spec knows to fail is asked hastily: a game shows it."""
        known = context.instance.accepted
        failing = [each for each in query.goals if each.name in known]
        query.goals = [each for each in query.goals if each.name not in known]
        yield from self._narrow.answers(context, query, manner)
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
        found = Strengthening(context, self._settled)
        if names:
            found.find(seen, self._effort.helping)
        if not found.helpers():
            return
        helpers = tuple(found.helpers())
        spec = replace(context.spec, properties=(*context.spec.properties, *helpers))
        worker = Worker({context.setting.variant: spec}, self._effort, self._cache)
        only = (*names, *(each.name for each in helpers))
        for each in jobs_for(spec, job.setting, first=False):
            if each.kind in AGAIN and (each.kind != "ends" or each.subject in names):
                yield from worker.run(replace(each, only=only))
        for property in possible:
            if property.name in names:
                yield from worker.excluded(job.setting, property.name)

    def excluded(self, setting: Setting, name: str) -> Iterator[Outcome]:
        """Whether the invariants exclude what a property says can be."""
        context = self.context(setting)
        property = next(each for each in context.spec.properties if each.name == name)
        with self._writing(context):
            query = questions.impossible(context, property)
        yield from self._narrow.answers(context, query, HASTY)

    def _never(self, context: ProofContext, property: c.Property) -> Iterator[Outcome]:
        """That nothing ever is as a property says can be, if the invariants say so or that is
        preserved by itself. The last outcome says whether it is so."""
        (told,) = self.excluded(context.setting, property.name)
        if told.result == UNSAT:
            yield told
            return
        name = NEVER + property.name
        claim = c.Unary(property.span, y.BOOL, "not", property.claim)
        denied = replace(property, kind="invariant", claim=claim, name=name)
        spec = replace(context.spec, properties=(*context.spec.properties, denied))
        worker = Worker({context.setting.variant: spec}, self._effort, self._cache)
        for job in jobs_for(spec, context.setting, first=False):
            if job.kind in ("begins", "preserved"):
                for each in worker.run(replace(job, only=(name,))):
                    yield each
                    if each.result != UNSAT:
                        return


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


def _contradicted(context: ProofContext, job: Job, effort: Effort) -> Iterator[Outcome]:
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
    seen = bearing(context.instance, job.only)
    for each in should_matter(context.spec):
        if (each.where, each.name) in seen:
            yield Outcome(each.name, each.kind, SAT, SAT, None, (), 0.0, "", each.where)
