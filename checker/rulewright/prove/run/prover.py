"""Proves a spec: all settings, all properties, one verdict each.

The induction comes first. Where it fails, a game that breaks the property is looked for; where none
is found, the position at which the induction fails is shown for what it is, not found reachable.
How answers become verdicts is in `verdict`; what is proved is for `kernel.ledger` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.kernel.ledger import (
    HELPER,
    NEVER,
    ON_SAFE,
    SAFE,
    STEPS_STOP,
    LedgerEntry,
    entry,
)
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.run.job import Job, jobs_for
from rulewright.prove.run.proof_result import (
    Asked,
    Claimed,
    Hunted,
    ProofResult,
    in_order,
    merged,
    proved_in,
    with_findings,
)
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.run.secrets import proved_secret, secrets
from rulewright.prove.verdict import cross_check
from rulewright.prove.verdict.undecided import decides
from rulewright.prove.verdict.vacuity import VacuityCheck, vacuity_checks
from rulewright.prove.verdict.verdict import (
    PROVED,
    REFUTED,
    UNKNOWN,
    Verdict,
    combined,
    possible,
)
from rulewright.smt.solver.solver import SAT, UNSAT
from rulewright.syntax.node import NOWHERE, replace

BROKEN_BY_GAMES = ("invariant", "always", "safety", "steps", "order", "flow", "ends")
"""Kinds of what a game can break."""
HELPED = (*BROKEN_BY_GAMES, "possible")
"""Kinds of what helper invariants may prove, or refute."""
CHEAP = ("theorems", "begins", "assumptions", "steps")
"""Jobs that are soon done, whatever becomes of the others."""
INDUCTIVE_JOBS = ("preserved", "stuck", "order")
"""Jobs that come before any search for games where time is limited."""
EXPLORED = ("invariant", "always", "flow", "safety")
"""Kinds of what is decided by going through all positions."""

Answers = dict[Configuration, dict[tuple[str, str], list[Outcome]]]
"""By setting, and by name and kind of what was asked."""


def prove(
    specs: Mapping[str | None, c.Spec],
    settings: Sequence[Configuration],
    run: Scheduler,
    only: Iterable[str],
    count: int = 1,
) -> list[ProofResult]:
    """The verdicts in every setting, with so many games where games show something."""
    asked_for = tuple(only)
    wanted = asked_for
    answers: Answers = {each: {} for each in settings}
    games: Hunted = {}
    looked: set[Claimed] = set()
    asked: set[str] = set()
    while not asked or wanted:
        jobs: list[Job] = [
            replace(job, count=count)
            for configuration in settings
            for job in _narrowed(
                specs[configuration.variant], configuration, configuration == settings[0], wanted
            )
        ]
        jobs.sort(
            key=lambda job: (job.kind != "possible", -job.configuration.players)
        )  # long ones first
        _ask(run, [each for each in jobs if each.kind in CHEAP], answers)
        jobs = [each for each in jobs if each.kind not in CHEAP]
        if run.hurried:
            jobs = _in_hurry(run, specs, jobs, answers)
        while leading := _leading(jobs, answers):
            _ask(run, [_led(each, answers) for each in leading], answers, awaited=True)
            jobs = [each for each in jobs if each not in leading]
        _ask(run, [_led(each, answers) for each in jobs], answers)
        games |= _everywhere(run, specs, answers, looked, count)
        _strengthen(run, specs, answers, asked, games)
        if not wanted:
            break
        asked |= set(wanted)
        rests = (_needed(specs[each.variant], groups) for each, groups in answers.items())
        wanted = tuple(sorted(set().union(*rests) - asked))
    asked_in: Asked = {}
    if not only:
        _findings(run, specs, settings, answers, asked_in)
    failing = [
        Job(configuration, "refute", name, of=kind, count=count)
        for configuration, groups in answers.items()
        for (name, kind), outcomes in groups.items()
        if kind in BROKEN_BY_GAMES and not name.startswith((HELPER, NEVER))
        and _combined(specs, configuration, name, kind, outcomes).verdict != PROVED
        and (configuration, name, kind) not in games
    ]  # fmt: skip
    games |= {
        (job.configuration, job.subject, job.of): found[0] for job, found in run.outcomes(failing)
    }
    proved = [
        proved_in(specs[configuration.variant], configuration, groups, games)
        for configuration, groups in answers.items()
    ]
    proved[0] = with_findings(specs, proved, answers[settings[0]], asked_in)
    proved = _again(specs, proved, run, count)
    _cross_check(specs, proved, games, run)
    return _with_secrets(specs, proved, run, asked_for, count)


def _with_secrets(
    specs: Mapping[str | None, c.Spec], proved: list[ProofResult], run: Scheduler,
    only: tuple[str, ...], count: int,
) -> list[ProofResult]:  # fmt: skip
    """The same with what is claimed to be secret, which is decided of pairs of games."""
    names = secrets(specs, only)
    if not names:
        return proved
    settings = [each.configuration for each in proved]
    pairs: dict[Configuration, ProofResult] = {}

    def of_pairs(
        twins: Mapping[str | None, c.Spec], names: Sequence[str]
    ) -> Mapping[Configuration, Sequence[Verdict]]:
        for each in prove(twins, settings, run.on(twins), names, count):
            pairs[each.configuration] = each
        return {configuration: each.verdicts for configuration, each in pairs.items()}

    told = proved_secret(specs, names, of_pairs)
    return [
        replace(
            each,
            verdicts=tuple(
                in_order(
                    specs[each.configuration.variant],
                    [*each.verdicts, *told.get(each.configuration, ())],
                )
            ),
            questions=each.questions + pairs[each.configuration].questions,
            seconds=each.seconds + pairs[each.configuration].seconds,
        )
        for each in proved
    ]


def _cross_check(
    specs: Mapping[str | None, c.Spec], proved: Sequence[ProofResult], games: Hunted, run: Scheduler
) -> None:
    """Holds what is proved against the games that were found; where the rules are as usual, also
    against examples and random games."""
    jobs = []
    for each in proved:
        configuration = each.configuration
        claimed = cross_check.claims(each.verdicts)
        instance = Instance(
            specs[configuration.variant], configuration.players, dict(configuration.readings)
        )
        found = [game for v in each.verdicts for game in (v.game, *v.more) if game is not None]
        found += [
            o.game for key, o in games.items() if key[0] == configuration and o.game is not None
        ]
        shown = cross_check.contradicted(instance, cross_check.targets(instance, claimed), found)
        if shown is not None:
            raise cross_check.ContradictionError(instance, configuration, *shown)
        if not configuration.readings and configuration.players == proved[0].configuration.players:
            jobs.append(Job(configuration, "contradict", only=claimed, count=cross_check.EVENTS))
    for job, outcomes in run.outcomes(jobs):
        for told in outcomes:
            if told.game is not None:
                configuration = job.configuration
                instance = Instance(
                    specs[configuration.variant],
                    configuration.players,
                    dict(configuration.readings),
                )
                raise cross_check.ContradictionError(instance, configuration, told.name, told.game)


def _again(
    specs: Mapping[str | None, c.Spec], proved: list[ProofResult], run: Scheduler, count: int
) -> list[ProofResult]:
    """Asks again for what rests on an invariant that does not hold, without assuming that one."""
    failing = {
        (each.configuration.variant, verdict.name)
        for each in proved
        for verdict in each.verdicts
        if verdict.kind == "invariant" and verdict.accepted is None and _fails(verdict)
    }
    resting_on = [
        (each, tuple(v.name for v in each.verdicts if v.rests_on_unproved)) for each in proved
    ]
    if not failing or not any(names for _, names in resting_on):
        return proved
    weaker = {
        variant: replace(spec, acceptances=(*spec.acceptances, *_known(failing, variant)))
        for variant, spec in specs.items()
    }
    found = []
    for each, names in resting_on:
        if names and any(variant == each.configuration.variant for variant, _ in failing):
            (other,) = prove(weaker, [each.configuration], run.on(weaker), names, count)
            each = merged(each, other, names)
        found.append(each)
    return found


def _fails(verdict: Verdict) -> bool:
    """Whether an invariant is broken by a game, or its induction fails at some position."""
    return verdict.verdict == REFUTED or (
        verdict.verdict != PROVED and verdict.position is not None
    )


def _known(failing: set[tuple[str | None, str]], variant: str | None) -> list[c.Acceptance]:
    names = sorted(name for of, name in failing if of == variant)
    return [c.Acceptance(NOWHERE, "refuted", name, None, "") for name in names]


def _ask(
    run: Scheduler,
    jobs: Sequence[Job],
    answers: Answers,
    configuration: Configuration | None = None,
    asked_in: Asked | None = None,
    awaited: bool = False,
) -> None:
    """Gathers the answers to some jobs, each in its setting or all in one."""
    for job, outcomes in run.outcomes(jobs, awaited):
        for each in outcomes:
            if asked_in is not None:
                asked_in[id(each)] = job.configuration
            answers[configuration or job.configuration].setdefault(
                (each.name, each.kind), []
            ).append(each)


def _in_hurry(
    run: Scheduler, specs: Mapping[str | None, c.Spec], jobs: Sequence[Job], answers: Answers
) -> list[Job]:
    """Asks what is soon answered in every job of an induction before anything that is not, then
    what games show at once, then the rest of the inductions; the jobs that are left."""
    inductive = [each for each in jobs if each.kind in INDUCTIVE_JOBS]
    left = []
    for job, outcomes in run.outcomes([replace(each, brief=True) for each in inductive]):
        spec = specs[job.configuration.variant]
        unsure = {(each.name, each.kind) for each in outcomes if each.result != each.wants}
        told = {(each.name, each.kind) for each in outcomes} - unsure
        for each in outcomes:
            if (each.name, each.kind) in told:
                answers[job.configuration].setdefault((each.name, each.kind), []).append(each)
        names = tuple(name for name, kind in decides(spec, job) if (name, kind) not in told)
        if names:
            left.append(replace(job, brief=False, only=names))
    _ask(run, [each for each in jobs if each.kind == "bearing"], answers)
    shown = [each for each in jobs if each.kind == "possible"]
    open_ones = []
    for job, outcomes in run.outcomes([replace(each, brief=True) for each in shown]):
        if any(each.game is not None for each in outcomes):
            answers[job.configuration].setdefault((job.subject, job.kind), []).extend(outcomes)
        else:
            open_ones.append(replace(job, brief=False))
    _ask(run, left, answers)
    done = (*INDUCTIVE_JOBS, "bearing", "possible")
    return [*(each for each in jobs if each.kind not in done), *open_ones]


def _before(job: Job, answers: Answers) -> Job | None:
    """For a job that looks for a game: the job that looks for it where that is easier, without
    other readings or variants, and then with the fewest players."""
    configuration = job.configuration
    fewest = min(each.players for each in answers)
    for easier in (Configuration(configuration.players, (), None), Configuration(fewest, (), None)):
        if job.kind == "possible" and easier != configuration and easier in answers:
            before: Job = replace(job, configuration=easier)
            return before
    return None


def _leading(jobs: Sequence[Job], answers: Answers) -> list[Job]:
    """The jobs that others wait for and that wait for none themselves."""
    before = {job: _before(job, answers) for job in jobs}
    awaited = set(before.values())
    return [job for job in jobs if job in awaited and before[job] not in before]


def _led(job: Job, answers: Answers) -> Job:
    """A job that looks for a game, with what is known of the game that was looked for before."""
    before = _before(job, answers)
    if before is None:
        return job
    known = answers[before.configuration].get((job.subject, job.kind), ())
    game = known[0].game if known else None
    if before.configuration.players == job.configuration.players:
        led: Job = replace(job, guide=game)
    else:
        led = replace(job, turns=game.turns if game is not None else 0)
    return led


def _everywhere(
    run: Scheduler,
    specs: Mapping[str | None, c.Spec],
    answers: Answers,
    looked: set[Claimed],
    count: int,
) -> Hunted:
    """What is decided by going through all positions of games that have few, or by games at random
    in a moment, of all that no induction proves."""
    jobs = [
        Job(configuration, "everywhere", name, of=kind, count=count)
        for configuration, groups in answers.items()
        for (name, kind), outcomes in groups.items()
        if kind in EXPLORED and (configuration, name, kind) not in looked
        and _combined(specs, configuration, name, kind, outcomes).verdict == UNKNOWN
    ]  # fmt: skip
    looked.update((job.configuration, job.subject, job.of) for job in jobs)
    found = {(job.configuration, job.subject, job.of): told for job, [told] in run.outcomes(jobs)}
    return {key: told for key, told in found.items() if told.game is not None or told.complete}


def _strengthen(
    run: Scheduler,
    specs: Mapping[str | None, c.Spec],
    answers: Answers,
    tried: set[str],
    games: Hunted,
) -> None:
    """Puts proofs with helper invariants, where they are found, in the place of inductions that
    fail. What the spec knows to fail is left alone."""
    jobs = []
    for configuration, groups in answers.items():
        known = {each.subject for each in specs[configuration.variant].acceptances}
        failing = {
            name
            for (name, kind), outcomes in groups.items()
            if kind in HELPED
            and (configuration, name, kind) not in games
            and _open(specs, configuration, name, kind, outcomes)
        }
        names = tuple(sorted(failing - tried - known))
        jobs += [Job(configuration, "strengthen", only=names)] if names else []
    again: Answers = {configuration: {} for configuration in answers}
    _ask(run, jobs, again)
    for configuration, groups in again.items():
        for (name, kind), outcomes in groups.items():
            if name.startswith((HELPER, NEVER)):
                answers[configuration].setdefault((name, kind), []).extend(outcomes)
            elif kind == "possible":
                answers[configuration][name, kind] += outcomes
            elif _combined(specs, configuration, name, kind, outcomes).verdict == PROVED:
                answers[configuration][name, kind] = outcomes


def _combined(
    specs: Mapping[str | None, c.Spec], configuration: Configuration, name: str, kind: str,
    outcomes: Sequence[Outcome],
) -> Verdict:  # fmt: skip
    return combined(specs[configuration.variant], configuration.players, name, kind, outcomes)


def _open(
    specs: Mapping[str | None, c.Spec], configuration: Configuration, name: str, kind: str,
    outcomes: Sequence[Outcome],
) -> bool:  # fmt: skip
    """Whether a claim is neither shown nor contradicted by games."""
    if kind == "possible":
        nothing = LedgerEntry(None)
        found = entry(specs[configuration.variant], configuration.players, name, kind, outcomes)
        return possible(name, outcomes, found, nothing).verdict == UNKNOWN
    return _combined(specs, configuration, name, kind, outcomes).verdict == UNKNOWN


def _needed(spec: c.Spec, groups: Mapping[tuple[str, str], list[Outcome]]) -> set[str]:
    """The names of all that must be proved too, if these answers are to count."""
    invariants = {each.name for each in spec.properties if each.kind == "invariant"}
    used = {label for group in groups.values() for each in group for label in each.used}
    names = used & invariants
    if any(key in ON_SAFE for key in groups):
        names.add(SAFE[0])
    if any(kind in ("ends", "order") for _, kind in groups):
        names |= {STEPS_STOP[0]} if any(t.kind == "step" for t in spec.transitions) else set()
    return names


def _narrowed(
    spec: c.Spec, configuration: Configuration, first: bool, only: tuple[str, ...]
) -> list[Job]:
    """The jobs that have to do with the properties somebody asked for."""
    jobs = jobs_for(spec, configuration, first)
    if not only:
        return jobs
    narrow = [replace(each, only=only) for each in jobs]
    return [each for each in narrow if decides(spec, each)]


def _findings(
    run: Scheduler,
    specs: Mapping[str | None, c.Spec],
    settings: Sequence[Configuration],
    answers: Answers,
    asked_in: Asked,
) -> None:
    """Looks for what should matter and was not seen to matter in the first setting: in the games of
    the others, with other readings last, and then by the solver, there and elsewhere."""
    first, *others = settings
    spec, groups = specs[first.variant], answers[first]
    accepted = {each.subject for each in spec.acceptances}
    usual = [each for each in others if not each.readings and each.variant == first.variant]
    for ways in (usual, [each for each in others if each not in usual]):
        names = tuple(dict.fromkeys(each.name for each in _unseen(spec, groups)))
        names = tuple(name for name in names if name not in accepted)
        played = [Job(each, "bearing", only=names) for each in ways if names]
        _ask(run, played, answers, first, asked_in)
    _ask(run, _by_solver([first], _unseen(spec, groups)), answers, first, asked_in)
    # what the spec accepts is left alone, unless it is known to be so
    silent = [
        each for each in _unseen(spec, groups)
        if each.name not in accepted
        or all(told.result == UNSAT for told in groups.get((each.name, each.kind), ()))
    ]  # fmt: skip
    _ask(run, _by_solver(others, silent), answers, first, asked_in)


def _unseen(spec: c.Spec, groups: Mapping[tuple[str, str], list[Outcome]]) -> list[VacuityCheck]:
    """What should matter and is not known to, in any transition."""
    matters = {key for key, outcomes in groups.items() if any(o.result == SAT for o in outcomes)}
    return [each for each in vacuity_checks(spec) if (each.name, each.kind) not in matters]


def _by_solver(settings: Sequence[Configuration], sought: Sequence[VacuityCheck]) -> list[Job]:
    """The jobs that ask the solver about what should matter."""
    names: dict[tuple[str, str], list[str]] = {}
    for each in sought:
        kind = "vacuity" if each.where is None else "possible_event"
        names.setdefault((kind, each.where or ""), []).append(each.name)
    return [
        Job(configuration, kind, subject, only=tuple(only))
        for configuration in settings
        for (kind, subject), only in names.items()
    ]
