"""Proves a spec: all settings, all properties, one verdict each.

The induction comes first. Where it fails, a game that breaks the property is looked for; where none
is found, the position at which the induction fails is shown for what it is, not found reachable.
How answers become verdicts is in `verdict`; what is proved is for `kernel.ledger` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from checker.kernel.ledger import HELPER, NEVER, SAFE, STEPS_STOP, Entry, entry, missing
from checker.kernel.outcome import Outcome
from checker.meaning import core as c
from checker.play.instance import Instance
from checker.prove import crosscheck
from checker.prove.bearing import Mattering, should_matter
from checker.prove.job import SECOND, Job, jobs_for
from checker.prove.lost import decides
from checker.prove.run import Run
from checker.prove.verdict import (
    PROVED,
    REFUTED,
    UNKNOWN,
    Verdict,
    changed,
    combined,
    finding,
    possible,
    refuted,
)
from checker.smt.solver import SAT, UNSAT
from checker.syntax.node import NOWHERE, Node, replace
from checker.vc.context import Setting

BROKEN_BY_GAMES = ("invariant", "always", "safety", "steps", "order", "flow", "ends")
"""Kinds of what a game can break."""
HELPED = (*BROKEN_BY_GAMES, "possible")
"""Kinds of what helper invariants may prove, or refute."""
QUIET = ("requirement", "vacuity", "transition")
"""Kinds of findings: what should matter and does not."""
ACCEPTED_AS = {"requirement": "redundant", "vacuity": "vacuous", "transition": "vacuous"}
"""What the spec calls a finding that it accepts; all others are `refuted`."""

EXPLORED = ("invariant", "always", "flow", "safety")
"""Kinds of what is decided by going through all positions."""

Answers = dict[Setting, dict[tuple[str, str], list[Outcome]]]
"""By setting, and by name and kind of what was asked."""
Claimed = tuple[Setting, str, str]
"""A setting, and the name and kind of what is claimed in it."""
Asked = dict[int, Setting]
"""Where an outcome was asked about, by its identity."""
Hunted = dict[Claimed, Outcome]
"""What came of looking for games, by setting, and by name and kind of what they break."""


class Proved(Node):
    """All verdicts in one setting, and how many questions they took."""

    setting: Setting
    verdicts: tuple[Verdict, ...]
    questions: int
    seconds: float
    second: tuple[int, int] = (0, 0)
    """How many questions a second solver was asked, and how many it did not decide."""


def prove(
    specs: Mapping[str | None, c.Spec], settings: Sequence[Setting], run: Run, only: Iterable[str],
    count: int = 1,
) -> list[Proved]:  # fmt: skip
    """The verdicts in every setting, with so many games where games show something."""
    wanted = tuple(only)
    answers: Answers = {each: {} for each in settings}
    games: Hunted = {}
    looked: set[Claimed] = set()
    asked: set[str] = set()
    while not asked or wanted:
        jobs: list[Job] = [
            replace(job, count=count)
            for setting in settings
            for job in _narrowed(specs[setting.variant], setting, setting == settings[0], wanted)
        ]
        jobs.sort(key=lambda job: (job.kind != "possible", -job.setting.players))  # long ones first
        while jobs:
            later = [each for each in jobs if _before(each, answers) in jobs]
            now = [each for each in jobs if each not in later]
            _ask(run, [_led(each, answers) for each in now], answers)
            jobs = later
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
        Job(setting, "refute", name, of=kind, count=count)
        for setting, groups in answers.items()
        for (name, kind), outcomes in groups.items()
        if kind in BROKEN_BY_GAMES and not name.startswith((HELPER, NEVER))
        and _combined(specs, setting, name, kind, outcomes).verdict != PROVED
        and (setting, name, kind) not in games
    ]  # fmt: skip
    games |= {(job.setting, job.subject, job.of): found[0] for job, found in run.outcomes(failing)}
    proved = [
        _proved(specs[setting.variant], setting, groups, games)
        for setting, groups in answers.items()
    ]
    proved[0] = _with_findings(specs, proved, answers[settings[0]], asked_in)
    proved = _again(specs, proved, run, count)
    _cross_check(specs, proved, games, run)
    return proved


def _cross_check(
    specs: Mapping[str | None, c.Spec], proved: Sequence[Proved], games: Hunted, run: Run
) -> None:
    """Holds what is proved against the games that were found; where the rules are as usual, also
    against examples and random games."""
    jobs = []
    for each in proved:
        setting = each.setting
        claimed = crosscheck.claims(each.verdicts)
        instance = Instance(specs[setting.variant], setting.players, dict(setting.readings))
        found = [game for v in each.verdicts for game in (v.game, *v.more) if game is not None]
        found += [o.game for key, o in games.items() if key[0] == setting and o.game is not None]
        shown = crosscheck.contradicted(instance, crosscheck.targets(instance, claimed), found)
        if shown is not None:
            raise crosscheck.ContradictionError(instance, setting, *shown)
        if not setting.readings and setting.players == proved[0].setting.players:
            jobs.append(Job(setting, "contradict", only=claimed, count=crosscheck.EVENTS))
    for job, outcomes in run.outcomes(jobs):
        for told in outcomes:
            if told.game is not None:
                setting = job.setting
                instance = Instance(specs[setting.variant], setting.players, dict(setting.readings))
                raise crosscheck.ContradictionError(instance, setting, told.name, told.game)


def _with_findings(
    specs: Mapping[str | None, c.Spec], proved: Sequence[Proved],
    groups: Mapping[tuple[str, str], list[Outcome]], asked_in: Asked,
) -> Proved:  # fmt: skip
    """The verdicts of the first setting, with the findings. That something never comes about counts
    only if the invariants that say so are proved where it was asked."""
    firm = {
        each.setting: {
            v.name for v in each.verdicts if (v.kind, v.verdict) == ("invariant", PROVED)
        }
        for each in proved
    }
    first = proved[0]
    spec = specs[first.setting.variant]
    invariants = {each.name for each in spec.properties if each.kind == "invariant"}
    verdicts = list(first.verdicts)
    for key, outcomes in groups.items():
        if key[1] in QUIET:
            verdict = finding(*key, outcomes)
            rests = {
                label
                for each in outcomes
                for label in set(each.used) & invariants
                if label not in firm[asked_in.get(id(each), first.setting)]
            }
            if verdict.verdict == REFUTED and rests:
                reason = f"not decided: that would rest on `{min(rests)}`, which is not proved"
                verdict = changed(verdict, verdict=UNKNOWN, reason=reason)
            verdicts.append(_accepted(spec, first.setting, verdict))
    verdicts = _in_order(spec, verdicts)
    changed_first: Proved = replace(first, verdicts=tuple(verdicts))
    return changed_first


def _in_order(spec: c.Spec, verdicts: list[Verdict]) -> list[Verdict]:
    """Verdicts in the order of the spec, what every spec is asked first."""
    names = [*(each.name for each in spec.properties), *(each.name for each in spec.ends)]
    order = {name: number for number, name in enumerate(names)}
    return sorted(verdicts, key=lambda each: order.get(each.name, -1))


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
    second = tuple(a + b for a, b in zip(proved.second, other.second))
    return Proved(proved.setting, verdicts, questions, seconds, (second[0], second[1]))


def _ask(
    run: Run, jobs: Sequence[Job], answers: Answers, setting: Setting | None = None,
    asked_in: Asked | None = None,
) -> None:  # fmt: skip
    """Gathers the answers to some jobs, each in its setting or all in one."""
    for job, outcomes in run.outcomes(jobs):
        for each in outcomes:
            if asked_in is not None:
                asked_in[id(each)] = job.setting
            answers[setting or job.setting].setdefault((each.name, each.kind), []).append(each)


def _before(job: Job, answers: Answers) -> Job | None:
    """For a job that looks for a game: the job that looks for it where that is easier, without
    other readings or variants, and then with the fewest players."""
    setting = job.setting
    fewest = min(each.players for each in answers)
    for easier in (Setting(setting.players, (), None), Setting(fewest, (), None)):
        if job.kind == "possible" and easier != setting and easier in answers:
            before: Job = replace(job, setting=easier)
            return before
    return None


def _led(job: Job, answers: Answers) -> Job:
    """A job that looks for a game, with what is known of the game that was looked for before."""
    before = _before(job, answers)
    if before is None:
        return job
    known = answers[before.setting].get((job.subject, job.kind), ())
    game = known[0].game if known else None
    if before.setting.players == job.setting.players:
        led: Job = replace(job, guide=game)
    else:
        led = replace(job, turns=game.turns if game is not None else 0)
    return led


def _everywhere(
    run: Run, specs: Mapping[str | None, c.Spec], answers: Answers, looked: set[Claimed], count: int
) -> Hunted:
    """What is decided by going through all positions of games that have few, or by games at random
    in a moment, of all that no induction proves. Whether something has no value is also asked of
    what is counted in the end, so that no game shows it does not say that there is none."""
    jobs = [
        Job(setting, "everywhere", name, of=kind, count=count)
        for setting, groups in answers.items()
        for (name, kind), outcomes in groups.items()
        if kind in EXPLORED and (setting, name, kind) not in looked
        and _combined(specs, setting, name, kind, outcomes).verdict == UNKNOWN
    ]  # fmt: skip
    looked.update((job.setting, job.subject, job.of) for job in jobs)
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
            and _open(specs, setting, name, kind, outcomes)
        }
        names = tuple(sorted(failing - tried - known))
        jobs += [Job(setting, "strengthen", only=names)] if names else []
    again: Answers = {setting: {} for setting in answers}
    _ask(run, jobs, again)
    for setting, groups in again.items():
        for (name, kind), outcomes in groups.items():
            if name.startswith((HELPER, NEVER)):
                answers[setting].setdefault((name, kind), []).extend(outcomes)
            elif kind == "possible":
                answers[setting][name, kind] += outcomes
            elif _combined(specs, setting, name, kind, outcomes).verdict == PROVED:
                answers[setting][name, kind] = outcomes


def _combined(
    specs: Mapping[str | None, c.Spec], setting: Setting, name: str, kind: str,
    outcomes: Sequence[Outcome],
) -> Verdict:  # fmt: skip
    return combined(specs[setting.variant], setting.players, name, kind, outcomes)


def _open(
    specs: Mapping[str | None, c.Spec], setting: Setting, name: str, kind: str,
    outcomes: Sequence[Outcome],
) -> bool:  # fmt: skip
    """Whether a claim is neither shown nor contradicted by games."""
    if kind == "possible":
        nothing = Entry(None)
        found = entry(specs[setting.variant], setting.players, name, kind, outcomes)
        return possible(name, outcomes, found, nothing).verdict == UNKNOWN
    return _combined(specs, setting, name, kind, outcomes).verdict == UNKNOWN


def _needed(spec: c.Spec, groups: Mapping[tuple[str, str], list[Outcome]]) -> set[str]:
    """The names of all that must be proved too, if these answers are to count."""
    invariants = {each.name for each in spec.properties if each.kind == "invariant"}
    used = {label for group in groups.values() for each in group for label in each.used}
    names = {SAFE[0], *(used & invariants)}
    if any(kind in ("ends", "order") for _, kind in groups):
        names |= {STEPS_STOP[0]} if any(t.kind == "step" for t in spec.transitions) else set()
    return names


def _narrowed(spec: c.Spec, setting: Setting, first: bool, only: tuple[str, ...]) -> list[Job]:
    """The jobs that have to do with the properties somebody asked for."""
    jobs = jobs_for(spec, setting, first)
    if not only:
        return jobs
    narrow = [replace(each, only=only) for each in jobs]
    return [each for each in narrow if decides(spec, each)]


def _findings(
    run: Run, specs: Mapping[str | None, c.Spec], settings: Sequence[Setting], answers: Answers,
    asked_in: Asked,
) -> None:  # fmt: skip
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


def _unseen(spec: c.Spec, groups: Mapping[tuple[str, str], list[Outcome]]) -> list[Mattering]:
    """What should matter and is not known to, in any transition."""
    matters = {key for key, outcomes in groups.items() if any(o.result == SAT for o in outcomes)}
    return [each for each in should_matter(spec) if (each.name, each.kind) not in matters]


def _by_solver(settings: Sequence[Setting], sought: Sequence[Mattering]) -> list[Job]:
    """The jobs that ask the solver about what should matter."""
    names: dict[tuple[str, str], list[str]] = {}
    for each in sought:
        kind = "vacuity" if each.where is None else "possible_event"
        names.setdefault((kind, each.where or ""), []).append(each.name)
    return [
        Job(setting, kind, subject, only=tuple(only))
        for setting in settings
        for (kind, subject), only in names.items()
    ]


def _proved(
    spec: c.Spec, setting: Setting, groups: Mapping[tuple[str, str], list[Outcome]],
    games: Hunted,
) -> Proved:  # fmt: skip
    entries = {
        key: entry(spec, setting.players, *key, outcomes)
        for key, outcomes in groups.items()
        if key[1] not in (*QUIET, SECOND)
    }
    verdicts = []
    for (name, kind), outcomes in groups.items():
        if kind not in (*QUIET, SECOND) and not name.startswith((HELPER, NEVER)):
            found = games.get((setting, name, kind))
            verdicts.append(_verdict(spec, setting, entries, (name, kind), outcomes, found))
    verdicts = [_with_helpers(each, groups) for each in _circle(entries, verdicts)]
    verdicts = _in_order(spec, verdicts)
    outcomes = [each for group in groups.values() for each in group]
    outcomes += [each for key, each in games.items() if key[0] == setting]
    verdicts = [_accepted(spec, setting, each) for each in verdicts]
    told = groups.get((SECOND, SECOND), ())
    second = sum(each.depth or 0 for each in told), sum(int(each.note) for each in told)
    seconds = sum(each.seconds for each in outcomes)
    return Proved(setting, tuple(verdicts), len(outcomes) - len(told), seconds, second)


def _with_helpers(verdict: Verdict, groups: Mapping[tuple[str, str], list[Outcome]]) -> Verdict:
    """The verdict, which also used what the helpers used that it used."""
    used = dict.fromkeys(verdict.used)
    waiting = list(used)
    while waiting:
        label = waiting.pop()
        for each in groups.get((label, "invariant"), ()) if label.startswith(HELPER) else ():
            waiting += [other for other in each.used if other not in used]
            used.update(dict.fromkeys(each.used))
    return verdict if len(used) == len(verdict.used) else changed(verdict, used=tuple(used))


def _verdict(
    spec: c.Spec, setting: Setting, entries: Mapping[tuple[str, str], Entry],
    key: tuple[str, str], outcomes: list[Outcome], game: Outcome | None,
) -> Verdict:  # fmt: skip
    name, kind = key
    if kind == "possible":
        never = entries.get((NEVER + name, "invariant"), Entry(None))
        return possible(name, outcomes, entries[key], never)
    verdict = combined(spec, setting.players, name, kind, outcomes)
    if kind == "ends" and verdict.verdict == PROVED:
        return changed(verdict, depth=outcomes[0].depth)
    return verdict if game is None else refuted(verdict, game)


def _circle(entries: Mapping[tuple[str, str], Entry], verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts, those taken back that rest on something that is not proved. What was shown by
    going through all positions rests on nothing else."""
    explored = {(each.name, each.kind) for each in verdicts if each.explored}
    alone = {key: Entry(frozenset()) for key in explored}
    failing = {
        (each.name, each.kind) for each in verdicts
        if each.verdict != PROVED and each.kind != "possible"
    }  # fmt: skip
    known = {key: Entry(None) if key in failing else each for key, each in entries.items()}
    lacking = missing({**known, **alone})
    found = []
    for each in verdicts:
        key = each.name, each.kind
        if each.kind == "possible" and each.verdict == REFUTED and not each.explored:
            never = (NEVER + each.name, "invariant")
            ways = [way for way in (key, never) if entries.get(way, Entry(None)).rests is not None]
            why = next((lacking[way] for way in ways if way in lacking), None)
            unproved = why if all(way in lacking for way in ways) else None
        else:
            unproved = lacking.get(key) if each.verdict == PROVED and each.game is None else None
        if unproved is not None:
            reason = f"the proof rests on `{unproved[0]}`, which is not proved"
            each = changed(each, verdict=UNKNOWN, reason=reason, depth=None, rests_on_unproved=True)
        found.append(each)
    return found


def _accepted(spec: c.Spec, setting: Setting, verdict: Verdict) -> Verdict:
    """The verdict, with the reason for which the spec does not claim what it says. What is left out
    of the assumptions because it fails has none."""
    readings = Instance(spec, setting.players, dict(setting.readings)).readings
    for each in spec.acceptances:
        if each.reason and verdict.verdict != PROVED and accepts(each, verdict, readings):
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
