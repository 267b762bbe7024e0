"""Proves a spec: all settings, all properties, one verdict each.

The induction comes first. Where it fails, a game that breaks the property is looked for; where none
is found, the position at which the induction fails is shown for what it is, not found reachable.
How answers become verdicts is in `verdict`, what a proof rests on in `resting`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from checker.meaning import core as c
from checker.play.instance import Instance
from checker.prove.ground import Setting
from checker.prove.job import Job, jobs_for
from checker.prove.lost import decides
from checker.prove.resting import needed, resting
from checker.prove.run import Run
from checker.prove.verdict import (
    PROVED,
    REFUTED,
    UNKNOWN,
    Outcome,
    Verdict,
    changed,
    combined,
    finding,
    possible,
    refuted,
)
from checker.syntax.node import NOWHERE, Node, replace

BROKEN_BY_GAMES = ("invariant", "always", "safety", "steps", "order", "flow", "ends")
"""Kinds of what a game can break."""
HELPED = (*BROKEN_BY_GAMES, "possible")
"""Kinds of what helper invariants may prove, or refute."""
FINDINGS = ("vacuity", "possible_event")
"""Jobs that look for what should matter and does not."""
QUIET = ("requirement", "vacuity", "transition")
"""Kinds of findings: what should matter and does not."""
ACCEPTED_AS = {"requirement": "redundant", "vacuity": "vacuous", "transition": "vacuous"}
"""What the spec calls a finding that it accepts; all others are `refuted`."""

EXPLORED = ("invariant", "always", "flow", "safety")
"""Kinds of what is decided by going through all positions."""

Answers = dict[Setting, dict[tuple[str, str], list[Outcome]]]
"""By setting, and by name and kind of what was asked."""
Hunted = dict[tuple[Setting, str, str], Outcome]
"""What came of looking for games, by setting, and by name and kind of what they break."""


class Proved(Node):
    """All verdicts in one setting, and how many questions they took."""

    setting: Setting
    verdicts: tuple[Verdict, ...]
    questions: int
    seconds: float


def prove(
    specs: Mapping[str | None, c.Spec], settings: Sequence[Setting], run: Run, only: Iterable[str],
    count: int = 1,
) -> list[Proved]:  # fmt: skip
    """The verdicts in every setting, with so many games where games show something."""
    wanted = tuple(only)
    answers: Answers = {each: {} for each in settings}
    games: Hunted = {}
    asked: set[str] = set()
    while not asked or wanted:
        jobs = [
            replace(job, count=count)
            for number, setting in enumerate(settings)
            for job in _narrowed(specs[setting.variant], setting, number == 0, wanted)
        ]
        _ask(run, [each for each in jobs if _usual(each, answers) is None], answers)
        _ask(run, _guided(jobs, answers), answers)
        games |= _everywhere(run, answers, games, count)
        _strengthen(run, specs, answers, asked, games)
        if not wanted:
            break
        asked |= set(wanted)
        rests = (needed(specs[each.variant], groups) for each, groups in answers.items())
        wanted = tuple(sorted(set().union(*rests) - asked))
    _ask(run, _in_other_settings(specs, settings, answers), answers, settings[0])
    failing = [
        Job(setting, "refute", name, of=kind, count=count)
        for setting, groups in answers.items()
        for (name, kind), outcomes in groups.items()
        if kind in BROKEN_BY_GAMES and combined(name, kind, outcomes).verdict != PROVED
        and (setting, name, kind) not in games
    ]  # fmt: skip
    games |= {(job.setting, job.subject, job.of): found[0] for job, found in run.outcomes(failing)}
    proved = [
        _proved(specs[setting.variant], setting, groups, games)
        for setting, groups in answers.items()
    ]
    return _again(specs, proved, run, count)


def _again(
    specs: Mapping[str | None, c.Spec], proved: list[Proved], run: Run, count: int
) -> list[Proved]:
    """Asks again for what rests on an invariant that does not hold, without assuming that one."""
    failing = {
        (each.setting.variant, verdict.name)
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
        if names and any(variant == each.setting.variant for variant, _ in failing):
            (other,) = prove(weaker, [each.setting], run.on(weaker), names, count)
            each = _merged(each, other, names)
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


def _merged(proved: Proved, other: Proved, names: tuple[str, ...]) -> Proved:
    """The verdicts, those of some names from another run."""
    anew = {(each.name, each.kind): each for each in other.verdicts if each.name in names}
    verdicts = tuple(anew.get((each.name, each.kind), each) for each in proved.verdicts)
    questions, seconds = proved.questions + other.questions, proved.seconds + other.seconds
    return Proved(proved.setting, verdicts, questions, seconds)


def _ask(run: Run, jobs: Sequence[Job], answers: Answers, setting: Setting | None = None) -> None:
    """Gathers the answers to some jobs, each in its setting or all in one."""
    for job, outcomes in run.outcomes(jobs):
        for each in outcomes:
            answers[setting or job.setting].setdefault((each.name, each.kind), []).append(each)


def _usual(job: Job, answers: Answers) -> Setting | None:
    """For a job that looks for a game under other readings than the default ones, or in a variant:
    the setting in which it is looked for first."""
    usual = Setting(job.setting.players, (), None)
    led = job.kind == "possible" and job.setting != usual and usual in answers
    return usual if led else None


def _guided(jobs: Sequence[Job], answers: Answers) -> list[Job]:
    """The jobs that follow a game, with the game, if there is one."""
    found = []
    for job in jobs:
        usual = _usual(job, answers)
        if usual is not None:
            known = answers[usual].get((job.subject, job.kind), ())
            found.append(replace(job, guide=known[0].game if known else None))
    return found


def _everywhere(run: Run, answers: Answers, known: Hunted, count: int) -> Hunted:
    """What is decided by going through all positions of games that have few, or by games at random
    in a moment, of all that no induction proves. Whether something has no value is also asked of
    what is counted in the end, so that no game shows it does not say that there is none."""
    jobs = [
        Job(setting, "everywhere", name, of=kind, count=count)
        for setting, groups in answers.items()
        for (name, kind), outcomes in groups.items()
        if kind in EXPLORED and (setting, name, kind) not in known
        and _verdict(name, kind, outcomes, None).verdict == UNKNOWN
    ]  # fmt: skip
    found = {(job.setting, job.subject, job.of): told for job, [told] in run.outcomes(jobs)}
    return {
        key: told for key, told in found.items()
        if told.game is not None or (told.complete and key[2] != "safety")
    }  # fmt: skip


def _strengthen(
    run: Run, specs: Mapping[str | None, c.Spec], answers: Answers, tried: set[str], games: Hunted
) -> None:
    """Puts proofs with helper invariants, where they are found, in the place of inductions that
    fail. What the spec knows to fail is left alone."""
    jobs = []
    for setting, groups in answers.items():
        known = {each.subject for each in specs[setting.variant].acceptances}
        failing = {
            name
            for (name, kind), outcomes in groups.items()
            if kind in HELPED
            and (setting, name, kind) not in games
            and _verdict(name, kind, outcomes, None).verdict == UNKNOWN
        }
        names = tuple(sorted(failing - tried - known))
        jobs += [Job(setting, "strengthen", only=names)] if names else []
    again: Answers = {setting: {} for setting in answers}
    _ask(run, jobs, again)
    for setting, groups in again.items():
        for (name, kind), outcomes in groups.items():
            if combined(name, kind, outcomes).verdict == PROVED:
                answers[setting][name, kind] = outcomes


def _narrowed(spec: c.Spec, setting: Setting, first: bool, only: tuple[str, ...]) -> list[Job]:
    """The jobs that have to do with the properties somebody asked for."""
    jobs = jobs_for(spec, setting, first)
    if not only:
        return jobs
    narrow = [replace(each, only=only) for each in jobs if each.kind not in FINDINGS]
    return [each for each in narrow if decides(spec, each)]


def _in_other_settings(
    specs: Mapping[str | None, c.Spec], settings: Sequence[Setting], answers: Answers
) -> list[Job]:
    """What decides nothing in the first setting, or nothing that is known of, may decide something
    in another. What the spec accepts is left alone, unless it is known to be so."""
    silent: dict[tuple[str, str], list[str]] = {}
    accepted = {each.subject for each in specs[settings[0].variant].acceptances}
    for (name, kind), outcomes in answers[settings[0]].items():
        silently = ("unsat",) if name in accepted else ("unsat", "unknown")
        if kind in QUIET and all(each.result in silently for each in outcomes):
            for each in outcomes:
                asked = "vacuity" if each.transition is None else "possible_event"
                silent.setdefault((asked, each.transition or ""), []).append(name)
    return [
        Job(setting, kind, subject, only=tuple(dict.fromkeys(names)))
        for setting in settings[1:]
        for (kind, subject), names in silent.items()
    ]


def _proved(
    spec: c.Spec, setting: Setting, groups: Mapping[tuple[str, str], list[Outcome]],
    games: Hunted,
) -> Proved:  # fmt: skip
    verdicts = [
        _verdict(name, kind, outcomes, games.get((setting, name, kind)))
        for (name, kind), outcomes in groups.items()
        if kind not in QUIET
    ]
    verdicts = resting(spec, verdicts)
    verdicts += [finding(*key, found) for key, found in groups.items() if key[1] in QUIET]
    names = [*(each.name for each in spec.properties), *(each.name for each in spec.ends)]
    order = {name: number for number, name in enumerate(names)}
    verdicts.sort(key=lambda each: order.get(each.name, -1))
    outcomes = [each for group in groups.values() for each in group]
    outcomes += [each for key, each in games.items() if key[0] == setting]
    verdicts = [_accepted(spec, setting, each) for each in verdicts]
    return Proved(setting, tuple(verdicts), len(outcomes), sum(each.seconds for each in outcomes))


def _verdict(name: str, kind: str, outcomes: list[Outcome], game: Outcome | None) -> Verdict:
    if kind == "possible":
        return possible(name, outcomes[0])
    verdict = combined(name, kind, outcomes)
    if kind == "ends" and verdict.verdict == PROVED:
        return changed(verdict, depth=outcomes[0].depth)
    return verdict if game is None else refuted(verdict, game)


def _accepted(spec: c.Spec, setting: Setting, verdict: Verdict) -> Verdict:
    """The verdict, with the reason for which the spec does not claim what it says."""
    readings = Instance(spec, setting.players, dict(setting.readings)).readings
    for each in spec.acceptances:
        if verdict.verdict != PROVED and accepts(each, verdict, readings):
            return changed(verdict, accepted=each.reason)
    return verdict


def accepts(acceptance: c.Acceptance, verdict: Verdict, readings: Mapping[str, str]) -> bool:
    """Whether something the spec accepts is what a verdict under these readings is about."""
    under = acceptance.under
    return (
        acceptance.subject == verdict.name
        and acceptance.finding == ACCEPTED_AS.get(verdict.kind, "refuted")
        and (under is None or readings.get(under[0]) == under[1])
    )
