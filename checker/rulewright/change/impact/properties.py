"""What becomes of every property: still proved, lost, gained, or open; for each number of players.

The part of a proof that the change can touch (`affected_proofs`) is asked of both specs. The rest
is the same on both sides and is asked once. What is asked depends on the specs and the options,
never on what a cache holds. What a game breaks is refuted. What is `possible` is shown by a
game; where a few at random do not show it, others are looked for only on request. The thorough have
both specs proved from beginning to end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from rulewright.change.impact.affected_proofs import (
    AffectedProofs,
    affected_jobs,
    affected_witnesses,
    other_jobs,
)
from rulewright.change.impact.property_status import (
    NOT_ASKED,
    SHAKY,
    PropertyDiff,
    PropertyStatus,
    property_statuses,
    worst,
)
from rulewright.change.impact.witness_transfer import as_shown, still_witnessed, witnessed_at_random
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.meaning.names.symbol_table import OBLIGATIONS
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.run.job import Job
from rulewright.prove.run.proof_result import QUIET
from rulewright.prove.run.prover import HELPED, prove
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.verdict.verdict import REFUTED, UNKNOWN
from rulewright.prove.verdict.verdict import Verdict as Proof
from rulewright.syntax.node import replace

Breaking = Callable[[Instance], Mapping[str, tuple[Event, ...]]]
"""Games by the new rules that break a property, by its name."""
Playing = Callable[[Instance, Collection[str]], Mapping[str, tuple[Event, ...]]]
"""The same, for properties that are not proved any more."""


Sides: TypeAlias = tuple[dict[str, PropertyStatus], dict[str, PropertyStatus]]
"""What is known of each property by the old rules and by the new."""


class ChangeProver:
    """Proves what a change can touch."""

    def __init__(
        self, timeout: float, folder: Path | None, processes: int | None,
        say: Callable[[str], None], thorough: bool = False, complete: bool = False,
    ) -> None:  # fmt: skip
        """`complete` leaves no property unasked."""
        self._effort = ProverOptions(timeout)
        self._folder = folder
        self._processes = processes
        self._say = say
        self._thorough = thorough
        self._complete = complete

    def standings(
        self, specs: Mapping[str | None, c.Spec], settings: Sequence[Configuration],
        only: Iterable[str] = (),
    ) -> dict[Configuration, dict[str, PropertyStatus]]:  # fmt: skip
        """What `prove` says of each property, or of these only, by variant and setting."""
        found = {}
        for proved in prove(specs, settings, self._run(specs), only):
            configuration = proved.configuration
            instance = _played_by(specs[configuration.variant], configuration)
            found[configuration] = {
                each.name: _as_proved(each, instance)
                for each in proved.verdicts
                if each.kind not in QUIET
            }
        return found

    def fates(
        self, old: c.Spec, new: c.Spec, settings: Sequence[Configuration], touch: AffectedProofs,
        breaking: Breaking, playing: Playing = lambda *_: {},
    ) -> list[PropertyDiff]:  # fmt: skip
        """Every property of either spec that the change can touch, those of the new one first.
        What a game breaks is not asked about and not assumed in any further proof; what fails now
        is not assumed in another attempt at those that leaned on it. For what is not proved any
        more in the end, games are played once more."""
        games = _broken(breaking(first := _played_by(new, settings[0])), first)
        if self._thorough:
            return _fates(old, new, self._proved(old, new, settings, ()), games)
        found: list[Sides] = []
        at_once = self._sides(old, new, settings, touch, frozenset(games))
        for configuration in settings:
            before, after = at_once[configuration]
            failing = _failing(before, after)
            while failing and any(each.note == SHAKY for each in after.values()):
                dropped = frozenset({*failing, *games})
                again = self._sides(old, new, [configuration], touch, dropped)[configuration]
                after = {**after, **again[1]}
                if _failing(before, after) == failing:
                    break
                failing = _failing(before, after)
            if found and failing:
                games = {**_broken(breaking(here := _played_by(new, configuration)), here), **games}
            found.append((before, after))
        for configuration, (before, after) in zip(settings, found):
            missed = _unproved(before, after) - games.keys()
            if missed:
                here = _played_by(new, configuration)
                games |= _broken(playing(here, sorted(missed)), here)
        possible = self._possible(old, new, settings, affected_witnesses(new, touch))
        return [*_fates(old, new, found, games), *_fates(old, new, possible, {})]

    def _proved(
        self, old: c.Spec, new: c.Spec, settings: Sequence[Configuration], only: Iterable[str]
    ) -> list[Sides]:
        """What `prove` says of both specs in each setting."""
        one, other = (
            self.standings({spec.variant: spec}, _played_as(spec, settings), only).values()
            for spec in (old, new)
        )
        return list(zip(one, other))

    def _possible(
        self, old: c.Spec, new: c.Spec, settings: Sequence[Configuration], names: Collection[str]
    ) -> list[Sides]:
        """What is said to be possible, shown by games of the old rules that the new ones let be
        played too. Only the complete have others looked for."""
        found: list[Sides] = []
        for configuration, theirs in zip(settings, _played_as(old, settings)):
            one, other = _played_by(old, theirs), _played_by(new, configuration)
            by_old = witnessed_at_random(one, names)
            by_new = still_witnessed(other, names, by_old)
            before = {name: as_shown(name, by_old, one) for name in names}
            after = {name: as_shown(name, by_new, other) for name in names}
            found.append((before, after))
        missing = {
            name for name in names
            if any(after[name].verdict == NOT_ASKED for _, after in found)
        }  # fmt: skip
        if not missing or not self._complete:
            return found
        anew = self._proved(old, new, settings, sorted(missing))
        return [
            (before | _only(missing, one), after | _only(missing, other))
            for (before, after), (one, other) in zip(found, anew)
        ]

    def _sides(
        self, old: c.Spec, new: c.Spec, settings: Sequence[Configuration], touch: AffectedProofs,
        broken: frozenset[str],
    ) -> dict[Configuration, Sides]:  # fmt: skip
        """What is known on either side in each setting; nothing leans on what is broken. Settings
        are asked together, so that no core waits for another."""
        kept = tuple(each for each in new.properties if each.name not in broken)
        new = replace(new, properties=kept)

        def touched(spec: c.Spec) -> list[Job]:
            return [job for each in settings for job in affected_jobs(spec, each, touch)]

        jobs = touched(old), touched(new)
        if not any(jobs):
            return {each: ({}, {}) for each in settings}
        before, after = self._asked(old, jobs[0]), self._asked(new, jobs[1])
        rest = {each: self._rest(old, each, touch) for each in settings}
        dependencies = [_leaning(done, broken) for done in chain(*rest.values())]
        again = self._asked(new, [job for job in dependencies if job.only])
        sides = {}
        for each in settings:
            known = [outcome for _, outcomes in rest[each] for outcome in outcomes]
            same = [outcome for outcome in known if outcome.name not in touch.claims | broken
                    and not broken & set(outcome.used)]  # fmt: skip
            anew = [*after.get(each, []), *same, *again.get(each, [])]
            told = ((old, [*before.get(each, []), *known]), (new, anew))
            one, other = (
                property_statuses(spec, each.players, self._helped(spec, each, outcomes))
                for spec, outcomes in told
            )
            sides[each] = one, other
        return sides

    def _helped(
        self, spec: c.Spec, configuration: Configuration, outcomes: list[Outcome]
    ) -> list[Outcome]:
        """The answers, those that failed replaced where helper invariants are found for them."""
        known = {each.subject for each in spec.acceptances}
        failing = {e.name for e in outcomes if e.kind in HELPED and e.result != e.wants} - known
        if not failing:
            return outcomes
        job = Job(configuration, "strengthen", only=tuple(sorted(failing)))
        again = self._asked(spec, [job]).get(configuration, [])
        failed = {each.name for each in again if each.result != each.wants}
        helped = {each.name for each in again} - failed
        kept = [each for each in outcomes if each.name not in helped]
        return [*kept, *(each for each in again if each.name in helped)]

    def _rest(
        self, old: c.Spec, configuration: Configuration, touch: AffectedProofs
    ) -> list[tuple[Job, list[Outcome]]]:
        """What is the same on both sides."""
        return list(
            self._run({configuration.variant: old}).outcomes(other_jobs(old, configuration, touch))
        )

    def _asked(self, spec: c.Spec, jobs: Sequence[Job]) -> dict[Configuration, list[Outcome]]:
        found: dict[Configuration, list[Outcome]] = {}
        for job, outcomes in self._run({job.configuration.variant: spec for job in jobs}).outcomes(
            jobs
        ):
            found.setdefault(job.configuration, []).extend(outcomes)
        return found

    def _run(self, specs: Mapping[str | None, c.Spec]) -> Scheduler:
        return Scheduler(
            specs, self._effort, self._folder, self._processes,
            lambda done, all_of_them: self._say(f"proving: {done} of {all_of_them}"),
        )  # fmt: skip


def _fates(
    old: c.Spec, new: c.Spec, found: Sequence[Sides], games: Mapping[str, PropertyStatus]
) -> list[PropertyDiff]:
    """Every property with what is known of it for all numbers of players together."""
    names = dict.fromkeys([*(n for pair in found for n in pair[1]), *games,
                           *(n for pair in found for n in pair[0])])  # fmt: skip
    fates = []
    for name in names:
        kind, prose = _words(new, name) or _words(old, name) or ("flow", OBLIGATIONS[name])
        one, other = (worst(pair[side].get(name) for pair in found) for side in (0, 1))
        fates.append(PropertyDiff(name, kind, prose, one, games.get(name) or other))
    return fates


def _as_proved(verdict: Proof, instance: Instance) -> PropertyStatus:
    """What `prove` says of a property."""
    note = SHAKY if verdict.rests_on_unproved else verdict.reason or ""
    game = verdict.game
    if game is None:
        return PropertyStatus(verdict.verdict, note)
    if verdict.verdict == REFUTED:
        note = "a game breaks it"
    return PropertyStatus(verdict.verdict, note, game.events, instance)


def _failing(before: Mapping[str, PropertyStatus], after: Mapping[str, PropertyStatus]) -> set[str]:
    """The properties whose own proof fails on the new side, and did not on the old."""
    return _unproved(before, after) - OBLIGATIONS.keys()


def _unproved(
    before: Mapping[str, PropertyStatus], after: Mapping[str, PropertyStatus]
) -> set[str]:
    """The same, and what every spec is asked."""
    found = {n for n, each in after.items() if each.verdict == UNKNOWN and each.note != SHAKY}
    return {n for n in found if n not in before or before[n].verdict != UNKNOWN}


def _broken(
    games: Mapping[str, tuple[Event, ...]], instance: Instance
) -> dict[str, PropertyStatus]:
    return {
        name: PropertyStatus(REFUTED, "a game breaks it", events, instance)
        for name, events in games.items()
    }


def _only(
    names: Collection[str], standings: Mapping[str, PropertyStatus]
) -> dict[str, PropertyStatus]:
    return {name: each for name, each in standings.items() if name in names}


def _played_as(spec: c.Spec, settings: Sequence[Configuration]) -> list[Configuration]:
    """The same ways to play, of a spec that may be another variant."""
    return [Configuration(each.players, each.readings, spec.variant) for each in settings]


def _played_by(spec: c.Spec, configuration: Configuration) -> Instance:
    return Instance(spec, configuration.players, dict(configuration.readings))


def _leaning(done: tuple[Job, list[Outcome]], broken: frozenset[str]) -> Job:
    """A job once more, for what its proofs owe to something broken."""
    job, outcomes = done
    names = {each.name for each in outcomes if broken & set(each.used)} - broken
    return Job(job.configuration, job.kind, job.subject, job.fixed, tuple(sorted(names)))


def _words(spec: c.Spec, name: str) -> tuple[str, str] | None:
    known = {each.name: (each.kind, each.prose or "") for each in spec.properties}
    known |= {each.name: ("ends", each.prose or "") for each in spec.ends}
    return known.get(name)
