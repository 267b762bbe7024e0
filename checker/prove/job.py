"""What one worker does at a time: build a sheet or two, ask, and say what was found.

A job is small and says by itself all that a worker must know, so that workers share nothing but
the specs they were started with. Grounds are kept for the next job in the same setting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from time import perf_counter

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.errors import EvaluationError
from checker.prove import flow, obligations
from checker.prove.ask import Found
from checker.prove.bearing import bearing, should_matter
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.games import Games
from checker.prove.ground import Ground, Setting
from checker.prove.lost import lost
from checker.prove.manner import BRIEF, HASTY, SOON, UNSEEN, USUAL, Manner
from checker.prove.measure import falls
from checker.prove.narrow import Narrow
from checker.prove.sample import positions
from checker.prove.sheet import Sheet
from checker.prove.strengthen import Strengthening, broken_in
from checker.prove.symmetry import seats_alike
from checker.prove.verdict import Game, Outcome
from checker.smt.number import Terms
from checker.smt.solver import SAT, UNKNOWN, UNSAT
from checker.smt.value import UnboundedError
from checker.smt.watch import LateError
from checker.syntax.node import Node, replace

AGAIN = ("begins", "preserved", "steps", "stuck", "order", "ends")
"""Jobs whose questions are asked again with helper invariants."""
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
        self._ground: Ground | None = None
        self._settled = False
        self._games: Games | None = None
        self._hard: set[tuple[str, str]] = set()

    def ground(self, setting: Setting) -> Ground:
        if self._ground is None or self._ground.setting != setting:
            ground = Ground(self._specs[setting.variant], setting, self._terms())
            self._settled = obligations.begins_settled(ground)
            self._games = Games(ground, self._effort, self._cache)
            self._ground = ground
        return self._ground

    def _terms(self) -> Terms:
        """Terms for another setting: those of the last one, so that what is asked of both is the
        same question; new ones when they have become many."""
        known = self._ground.terms if self._ground is not None else None
        return Terms() if known is None or known.size() > MANY_TERMS else known

    def run(self, job: Job) -> list[Outcome]:
        """Does a job; what cannot be encoded or played is unknown, with the reason."""
        try:
            return list(self._outcomes(job))
        except (UnboundedError, EvaluationError, LateError) as error:
            return lost(self._specs[job.setting.variant], job, str(error))

    def _outcomes(self, job: Job) -> Iterator[Outcome]:
        ground = self.ground(job.setting)
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
            yield from _seen_in_play(ground, job)
            return
        if job.kind == "strengthen":
            yield from self._strengthened(ground, job)
            return
        if job.kind == "ends":
            yield from falls(
                ground, job.subject, self._effort, self._cache, self._narrow, self._settled
            )
            return
        if job.kind == "preserved":
            transition = ground.instance.transitions[job.subject]
            hidden = ground.world.hidden
            yield from self._preserved_in_phases(ground, transition, job)
            if self._stands_for_all(transition, job) and ground.minds_order(hidden):
                for seat in range(2, job.setting.players + 1):
                    other = replace(job, fixed=((str(transition.mover), seat),))
                    yield from self._preserved_in_phases(ground, transition, other)
            return
        if job.kind == "stuck" and (not job.only or "goes_on" in job.only):
            for here in flow.short_of_the_end(ground):
                yield self._goes_on(here)
        for sheet in self._written(ground, self._sheets(ground, job)):
            sheet.goals = [each for each in sheet.goals if not job.only or each.name in job.only]
            manner = USUAL
            if job.kind in ("vacuity", "possible_event"):
                manner = UNSEEN
            for found in self._answered(ground, sheet, manner):
                yield outcome(sheet, found)

    def _goes_on(self, ground: Ground) -> Outcome:
        """Asks whether there is always a way on in a phase; first with what is soon asked."""
        chosen = flow.with_a_choice(ground)
        if chosen:
            with self._writing(ground):
                sheet = flow.stuck(ground, without=chosen)
            (found,) = self._narrow.answers(ground, sheet, SOON, shown=False)
            if found.result == UNSAT:
                return outcome(sheet, found)
        with self._writing(ground):
            sheet = flow.stuck(ground)
        (found,) = self._answered(ground, sheet, USUAL)
        return outcome(sheet, found)

    def _written(self, ground: Ground, sheets: Iterator[Sheet]) -> Iterator[Sheet]:
        """Sheets as they are written, each in the time that one question has."""
        while True:
            with self._writing(ground):
                sheet = next(sheets, None)
            if sheet is None:
                return
            yield sheet

    def _writing(self, ground: Ground) -> AbstractContextManager[None]:
        return ground.terms.watch.within(self._effort.timeout)

    def _sheets(self, ground: Ground, job: Job) -> Iterator[Sheet]:
        match job.kind:
            case "theorems":
                yield obligations.theorems(ground)
            case "begins":
                yield obligations.begins(ground)
                yield obligations.begins_safely(ground)
            case "assumptions":
                yield obligations.consistent(ground)
            case "steps":
                yield flow.steps(ground)
            case "stuck":
                if not job.only or "safe" in job.only:
                    yield from obligations.counted_safely(ground)
            case "vacuity":
                yield flow.vacuous(ground)
            case "order":
                yield from flow.commuting(ground)
            case _:
                transition = ground.instance.transitions[job.subject]
                yield obligations.possible_event(ground, transition, self._settled)

    def _stands_for_all(self, transition: c.Transition, job: Job) -> bool:
        """Whether no other job asks about the other players."""
        first = ((str(transition.mover), 1),)
        return job.fixed == first and seats_alike(self._specs[job.setting.variant])

    def _preserved_in_phases(
        self, ground: Ground, transition: c.Transition, job: Job
    ) -> Iterator[Outcome]:
        with self._writing(ground):
            grounds = ground.in_phases(transition)
        for narrowed in grounds:
            yield from self._preserved(narrowed, transition, job)

    def _preserved(self, ground: Ground, transition: c.Transition, job: Job) -> Iterator[Outcome]:
        """Asks about a transition; what is too hard at once is asked case by case."""
        fixed = dict(job.fixed)
        if not job.only or "safe" in job.only:
            with self._writing(ground):
                sheet = obligations.asked_safely(ground, transition, fixed, self._settled)
            for found in self._narrow.answers(ground, sheet):
                yield outcome(sheet, found)
        cases = obligations.split(ground, transition, fixed)
        hard: set[str] = set()
        if cases:
            hard = {name for owner, name in self._hard if owner == transition.name}
        if job.only:
            hard &= set(job.only)
        with self._writing(ground):
            sheet = obligations.preserved(
                ground, transition, fixed, self._settled,
                lambda name: name not in hard and (not job.only or name in job.only),
            )  # fmt: skip
        for found in self._answered(ground, sheet, BRIEF if cases else USUAL):
            known_to_fail = found.goal.name in ground.instance.accepted
            if found.result == UNKNOWN and cases and not known_to_fail:
                hard.add(found.goal.name)
                self._hard.add((transition.name, found.goal.name))
            else:
                yield outcome(sheet, found)
        for case in cases if hard else []:
            with self._writing(ground):
                sheet = obligations.preserved(
                    ground, transition, case, self._settled, hard.__contains__
                )
            for found in self._narrow.answers(ground, sheet):
                yield outcome(sheet, found)

    def _answered(self, ground: Ground, sheet: Sheet, manner: Manner) -> Iterator[Found]:
        """The answers to a sheet. What the spec knows to fail is asked hastily: a game shows it."""
        known = ground.instance.accepted
        failing = [each for each in sheet.goals if each.name in known]
        sheet.goals = [each for each in sheet.goals if each.name not in known]
        yield from self._narrow.answers(ground, sheet, manner)
        if failing:
            sheet.goals = failing
            yield from self._narrow.answers(ground, sheet, HASTY)

    def _strengthened(self, ground: Ground, job: Job) -> Iterator[Outcome]:
        """Asks again what failed, with helper invariants that are found first. What random games
        break is past helping."""
        possible = [p for p in ground.spec.properties if p.kind == "possible"]
        never = [self._never(ground, each) for each in possible if each.name in job.only]
        decided = [each for each in never if each is not None]
        yield from decided
        open_names = set(job.only) - {each.name for each in decided}
        if not open_names:
            return
        seen = positions(ground.instance, self._effort.timeout)
        names = tuple(
            each for each in job.only if each in open_names and not broken_in(ground, each, seen)
        )
        found = Strengthening(ground, self._settled)
        if names:
            found.find(seen, self._effort.helping)
        helpers = found.labelled()
        if not helpers:
            return
        self._ground = ground.with_helpers(helpers)
        try:
            for each in jobs_for(ground.spec, job.setting, first=False):
                if each.kind in AGAIN and (each.kind != "ends" or each.subject in names):
                    for answer in self._outcomes(replace(each, only=names)):
                        yield replace(answer, used=found.rests(answer.used))
            for property in possible:
                if property.name in names:
                    with self._writing(ground):
                        sheet = obligations.impossible(self._ground, property)
                    (told,) = self._narrow.answers(self._ground, sheet)
                    yield outcome(sheet, replace(told, used=found.rests(told.used)))
        finally:
            self._ground = ground

    def _never(self, ground: Ground, property: c.Property) -> Outcome | None:
        """That nothing ever is as a property says can be, if the invariants say so or that is
        preserved by itself."""
        with self._writing(ground):
            sheet = obligations.impossible(ground, property)
        (told,) = self._narrow.answers(ground, sheet, HASTY)
        if told.result == UNSAT:
            return outcome(sheet, told)
        claim = c.Unary(property.span, y.BOOL, "not", property.claim)
        denied = replace(property, kind="invariant", claim=claim)
        others = (each for each in ground.spec.properties if each is not property)
        spec = replace(ground.spec, properties=(*others, denied))
        worker = Worker({ground.setting.variant: spec}, self._effort, self._cache)
        used: dict[str, None] = {}
        began = perf_counter()
        for job in jobs_for(spec, ground.setting, first=False):
            if job.kind in ("begins", "preserved"):
                for each in worker.run(replace(job, only=(property.name,))):
                    if each.result != UNSAT:
                        return None
                    used.update(dict.fromkeys(each.used))
        used.pop(property.name, None)
        seconds = perf_counter() - began
        return Outcome(
            property.name, "possible", UNSAT, UNSAT, None, tuple(used), seconds, "", None
        )


def _seen_in_play(ground: Ground, job: Job) -> Iterator[Outcome]:
    """What examples and random games show to matter."""
    seen = bearing(ground.instance, job.only)
    for each in should_matter(ground.spec):
        if (each.where, each.name) in seen:
            yield Outcome(each.name, each.kind, SAT, SAT, None, (), 0.0, "", each.where)


def outcome(sheet: Sheet, found: Found) -> Outcome:
    """What was found, without the terms it was found with."""
    goal = found.goal
    return Outcome(
        goal.name, goal.kind, goal.wants, found.result, found.reason, found.used, found.seconds,
        goal.note, sheet.transition.name if sheet.transition is not None else None,
        found.position, found.events,
    )  # fmt: skip
