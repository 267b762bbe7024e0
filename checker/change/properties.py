"""What becomes of every property that a change can touch: still proved, lost, gained, or open.

Only that part of a proof is asked for that the change can touch: transitions that do not mean the
same any more, and claims that are not the same. It is asked of both specs, with the cache of
`prove`. A property that leans on an invariant that is not proved is not proved either; one that a
game breaks is refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from checker.change.matching import same_bases
from checker.meaning import core as c
from checker.play.event import Event
from checker.prove.ask import Effort
from checker.prove.ground import Setting
from checker.prove.job import Job, jobs_for
from checker.prove.run import Run
from checker.prove.verdict import Outcome
from checker.syntax.node import Node

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"
FLOW = {
    "one_step": "where two steps are due, their order does not matter",
    "steps_stop": "steps come to an end",
    "order": "in a simultaneous phase the order of moves does not matter",
    "goes_on": "until the game is over something can happen",
}
"""What is proved of every spec without asking, by the names of the obligations."""
SHAKY = "its proof leans on an invariant that is not proved"
LOST, GAINED, SAME, OPEN = "lost", "gained", "same", "open"


class Standing(Node):
    """What is known of a property on one side; `events` are a game that shows that it does not
    hold (of a `possible`: that it does)."""

    verdict: str
    note: str = ""
    events: tuple[Event, ...] | None = None


class Fate(Node):
    """A property on both sides; None where it is not there."""

    name: str
    kind: str
    prose: str
    old: Standing | None
    new: Standing | None

    @property
    def fate(self) -> str:
        """lost, gained, same or open (not decided on the new side)."""
        if self.old is None or self.new is None:
            return SAME if self.new is None or self.new.verdict == PROVED else OPEN
        before, after = self.old.verdict, self.new.verdict
        if before == after:
            return SAME
        if before == PROVED:
            return LOST if after == REFUTED else OPEN
        return GAINED if after == PROVED else SAME


def fates(
    old: c.Spec, new: c.Spec, settings: tuple[Setting, Setting], prover: Prover,
    touched: Sequence[str], broken: Mapping[str, tuple[Event, ...]],
) -> list[Fate]:  # fmt: skip
    """Every property of either spec that the change can touch, those of the new one first.
    `touched` are the transitions that do not mean the same any more, `broken` what games by the
    new rules break."""
    changed = changed_claims(old, new)
    before = prover.standings(old, settings[0], touched, changed)
    after = prover.standings(new, settings[1], touched, changed)
    found = []
    for name in dict.fromkeys([*after, *before]):
        kind, prose = _words(new, name) or _words(old, name) or ("flow", FLOW.get(name, ""))
        one = before.get(name) or (Standing(PROVED) if name in _names(old) else None)
        other = after.get(name) or (Standing(PROVED) if name in _names(new) else None)
        if other is not None and name in broken:
            other = Standing(REFUTED, "a game breaks it", broken[name])
        found.append(Fate(name, kind, prose, one, other))
    return found


def changed_claims(old: c.Spec, new: c.Spec) -> frozenset[str]:
    """The properties that do not claim the same on both sides, or are only on one."""
    claims = [{each.name: each.claim for each in spec.properties} for spec in (old, new)]
    names = {*claims[0], *claims[1]}
    return frozenset(
        name for name in names
        if claims[0].get(name) != claims[1].get(name)
        or not same_bases(old, new, [claims[0].get(name)])
    )  # fmt: skip


def _names(spec: c.Spec) -> set[str]:
    """The properties that are there, whether or not the change can touch them."""
    return {*(each.name for each in spec.properties), *(each.name for each in spec.ends), *FLOW}


def _words(spec: c.Spec, name: str) -> tuple[str, str] | None:
    known = {each.name: (each.kind, each.prose or "") for each in spec.properties}
    known |= {each.name: ("ends", each.prose or "") for each in spec.ends}
    return known.get(name)


class Prover:
    """Proves whole specs, and looks for games that break what cannot be proved."""

    def __init__(
        self, timeout: float, folder: Path | None, processes: int | None,
        say: Callable[[str], None], thorough: bool = False,
    ) -> None:  # fmt: skip
        self._effort = Effort(timeout)
        self._folder = folder
        self._processes = processes
        self._say = say
        self._thorough = thorough

    def standings(
        self, spec: c.Spec, setting: Setting, touched: Sequence[str], changed: frozenset[str]
    ) -> dict[str, Standing]:
        """What is known, in a setting, of each property that the change can touch."""
        outcomes: dict[str, list[Outcome]] = {}
        for each in self._run(spec, _jobs(spec, setting, touched, changed, self._thorough)):
            outcomes.setdefault(each.name, []).append(each)
        shaky = _shaky(spec, outcomes)
        names = [*(each.name for each in spec.properties), *(each.name for each in spec.ends)]
        return {
            name: _standing(outcomes[name], name in shaky)
            for name in [*names, *FLOW]
            if name in outcomes
        }

    def _run(self, spec: c.Spec, jobs: Sequence[Job]) -> list[Outcome]:
        run = Run(
            {spec.variant: spec}, self._effort, self._folder, self._processes,
            lambda done, all_of_them: self._say(f"proving: {done} of {all_of_them}"),
        )  # fmt: skip
        return [each for _, outcomes in run.outcomes(jobs) for each in outcomes]


def _jobs(
    spec: c.Spec, setting: Setting, touched: Sequence[str], changed: frozenset[str], thorough: bool
) -> list[Job]:
    """The jobs whose answers the change can touch: all about a transition that has changed, about
    the others only what is claimed differently. Looking for games is for the thorough."""
    found = []
    names = tuple(sorted(changed))
    for job in jobs_for(spec, setting, first=False):
        match job.kind:
            case "preserved" if job.subject in touched:
                found.append(job)
            case "preserved" | "begins" | "theorems" if changed:
                found.append(Job(setting, job.kind, job.subject, job.fixed, names))
            case "order" | "steps" | "stuck" if touched:
                found.append(job)
            case "possible" | "ends" if thorough and (touched or changed):
                found.append(job)
            case _:
                continue
    return found


def _standing(outcomes: Sequence[Outcome], shaky: bool) -> Standing:
    """What the answers to all questions about a property amount to."""
    if not outcomes:
        return Standing(UNKNOWN, "nothing was asked")
    game = next((each.game for each in outcomes if each.game is not None), None)
    for each in outcomes:
        if each.result == "unknown":
            return Standing(UNKNOWN, each.reason or "the solver gave up")
        if each.result != each.wants:
            if each.wants == "sat" or each.kind == "theorem":
                return Standing(REFUTED, "it is proved impossible" if each.wants == "sat" else "")
            place = each.transition or each.note
            return Standing(
                UNKNOWN, f"it fails in a position that the invariants allow, by {place}"
            )
    if shaky:
        return Standing(UNKNOWN, SHAKY)
    return Standing(PROVED, events=game.events if game is not None else None)


def _shaky(spec: c.Spec, outcomes: dict[str, list[Outcome]]) -> set[str]:
    """The properties whose proofs lean, in the end, on an invariant that is not proved."""
    invariants = {each.name for each in spec.properties if each.kind == "invariant"}
    used = {
        name: {label for each in found for label in each.used} & invariants
        for name, found in outcomes.items()
    }
    bad = {
        name for name in invariants
        if any(each.result != each.wants for each in outcomes.get(name, []))
    }  # fmt: skip
    while True:
        more = {name for name, leaned in used.items() if leaned & bad} - bad
        if not more:
            return bad
        bad |= more
