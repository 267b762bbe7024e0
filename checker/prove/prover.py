"""Proves a spec: all settings, all properties, one verdict each.

The induction comes first. Where it fails, a game that breaks the property is looked for; where none
is found, the position at which the induction fails is shown for what it is, not found reachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from checker.meaning import core as c
from checker.prove.ground import Setting
from checker.prove.job import Job, jobs_for
from checker.prove.run import Run
from checker.prove.verdict import PROVED, REFUTED, UNKNOWN, Outcome, Verdict, combined
from checker.syntax.node import Node

OBLIGATIONS = {
    "begins": "a game can begin",
    "safe": "nothing leaves its range, every lookup finds something",
    "one_step": "it never matters which step is taken",
    "steps_stop": "steps come to an end",
    "order": "in simultaneous phases the order does not matter",
    "goes_on": "short of the end somebody can always do something",
    "assumptions": "the invariants do not contradict each other",
}
"""What every spec is asked without asking for it."""


NO_PROOF = ("theorem", "start", "sanity")
"""Kinds of verdicts that rest on no assumption."""


class Proved(Node):
    """All verdicts in one setting, and how many questions they took."""

    setting: Setting
    verdicts: tuple[Verdict, ...]
    questions: int
    seconds: float


def prove(
    specs: Mapping[str | None, c.Spec], settings: Sequence[Setting], run: Run, only: Iterable[str]
) -> list[Proved]:
    """The verdicts in every setting."""
    wanted = tuple(only)
    gathered: dict[Setting, dict[tuple[str, str], list[Outcome]]] = {each: {} for each in settings}
    asked: set[str] = set()
    while not asked or wanted:
        jobs = [
            job
            for number, setting in enumerate(settings)
            for job in _narrowed(jobs_for(specs[setting.variant], setting, number == 0), wanted)
        ]
        for job, outcomes in run.outcomes(jobs):
            for each in outcomes:
                gathered[job.setting].setdefault((each.name, each.kind), []).append(each)
        if not wanted:
            break
        asked |= set(wanted)
        wanted = tuple(sorted(_needed(specs, gathered) - asked))  # what the proofs rest on
    failing = [
        Job(setting, "refute", name)
        for setting, groups in gathered.items()
        for (name, kind), outcomes in groups.items()
        if kind in ("invariant", "always") and combined(name, kind, outcomes).verdict != PROVED
    ]
    games: dict[tuple[Setting, str], Outcome] = {}
    for job, outcomes in run.outcomes(failing):
        games[job.setting, job.subject] = outcomes[0]
    return [
        _proved(specs[setting.variant], setting, groups, games)
        for setting, groups in gathered.items()
    ]


def _needed(
    specs: Mapping[str | None, c.Spec],
    gathered: Mapping[Setting, Mapping[tuple[str, str], list[Outcome]]],
) -> set[str]:
    """The invariants that proofs used, and what every proof takes for granted."""
    found = {"safe"}
    for setting, groups in gathered.items():
        invariants = {p.name for p in specs[setting.variant].properties if p.kind == "invariant"}
        used = {label for group in groups.values() for each in group for label in each.used}
        found |= used & invariants
        if any(kind == "ends" for _, kind in groups):
            found.add("order")
    return found


def _resting(verdicts: list[Verdict], simultaneous: bool) -> list[Verdict]:
    """The verdicts, those taken back whose proof rests on something that is not proved: an
    invariant it used, that nothing leaves its range, for `ends` that the order does not matter."""
    while True:
        proved = {each.name for each in verdicts if each.verdict == PROVED}
        invariants = {each.name for each in verdicts if each.kind == "invariant"}
        changed = False
        for number, each in enumerate(verdicts):
            by_proof = each.verdict == PROVED and each.game is None and each.kind not in NO_PROOF
            by_proof |= each.verdict == REFUTED and each.game is None and each.kind == "possible"
            if not by_proof:
                continue
            rests = {*(set(each.used) & invariants), *({"safe"} - {each.name})}
            if each.kind == "ends" and simultaneous:
                rests.add("order")
            missing = sorted(rests - proved)
            if missing:
                reason = f"the proof rests on `{missing[0]}`, which is not proved"
                verdicts[number] = Verdict(
                    each.name, each.kind, UNKNOWN, reason, each.seconds, each.used
                )
                changed = True
        if not changed:
            return verdicts


def _narrowed(jobs: list[Job], only: tuple[str, ...]) -> list[Job]:
    """The jobs that have to do with the properties somebody asked for."""
    if not only:
        return jobs
    kinds = {
        "theorems", "begins", "preserved", "possible", "steps", "stuck", "order", "assumptions",
    }  # fmt: skip
    return [
        Job(each.setting, each.kind, each.subject, each.fixed, only)
        for each in jobs
        if each.kind in kinds or each.subject in only
    ]


def _proved(
    spec: c.Spec, setting: Setting, groups: Mapping[tuple[str, str], list[Outcome]],
    games: Mapping[tuple[Setting, str], Outcome],
) -> Proved:  # fmt: skip
    verdicts = [
        _verdict(name, kind, outcomes, games.get((setting, name)))
        for (name, kind), outcomes in groups.items()
        if kind not in ("requirement", "vacuity", "transition")
    ]
    verdicts = _resting(verdicts, any(each.simultaneous for each in spec.phases))
    verdicts += _findings(groups)
    names = [*(each.name for each in spec.properties), *(each.name for each in spec.ends)]
    order = {name: number for number, name in enumerate(names)}
    verdicts.sort(key=lambda each: order.get(each.name, -1))
    outcomes = [each for group in groups.values() for each in group]
    return Proved(setting, tuple(verdicts), len(outcomes), sum(each.seconds for each in outcomes))


def _verdict(name: str, kind: str, outcomes: list[Outcome], refuting: Outcome | None) -> Verdict:
    if kind == "possible":
        return _possible(name, outcomes[0])
    verdict = combined(name, kind, outcomes)
    if kind == "ends":
        depth = outcomes[0].depth
        return Verdict(
            name, kind, verdict.verdict, verdict.reason, verdict.seconds, verdict.used,
            depth if verdict.verdict == PROVED else None, None, verdict.position, verdict.event,
            verdict.note,
        )  # fmt: skip
    if refuting is None or refuting.game is None:
        return verdict
    return Verdict(
        name, kind, REFUTED, None, verdict.seconds + refuting.seconds, (), refuting.game.turns,
        refuting.game, verdict.position, verdict.event, verdict.note,
    )  # fmt: skip


def _possible(name: str, outcome: Outcome) -> Verdict:
    """A `possible` is proved by a game, refuted by a proof that there is none."""
    seconds = outcome.seconds
    if outcome.game is not None:
        turns = outcome.game.turns
        return Verdict(name, "possible", PROVED, None, seconds, (), turns, outcome.game)
    if outcome.result == "unsat":
        return Verdict(name, "possible", REFUTED, "no game gets there", seconds, outcome.used)
    return Verdict(name, "possible", UNKNOWN, outcome.reason, seconds, (), outcome.depth)


def _findings(groups: Mapping[tuple[str, str], list[Outcome]]) -> list[Verdict]:
    """What should matter and does not: a requirement that decides nothing in any transition, a
    transition that cannot happen, an invariant whose condition never holds."""
    found = []
    for (name, kind), outcomes in groups.items():
        if kind not in ("requirement", "vacuity", "transition"):
            continue
        seconds = sum(each.seconds for each in outcomes)
        if any(each.result == "sat" for each in outcomes):
            verdict, reason = PROVED, None
        elif any(each.result == "unknown" for each in outcomes):
            verdict, reason = UNKNOWN, "not decided"
        else:
            verdict = REFUTED
            reason = {
                "requirement": "decides nothing: it is redundant",
                "vacuity": "its condition never holds: it says nothing",
                "transition": "can never happen",
            }[kind]
        found.append(Verdict(name, kind, verdict, reason, seconds, ()))
    return found
