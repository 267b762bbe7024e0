"""What becomes of every property: still proved, lost, gained, or open; for each number of players.

Only that part of a proof is asked for that the change can touch (`touch`), of both specs. The rest
is the same on both sides: it is asked only if a proof leans on it that would otherwise stand on
nothing. What is asked depends on the specs and the options, never on what a cache holds. What a
game breaks is refuted. What is `possible` is shown by a game; where a few at random do not show it,
others are looked for only on request. The thorough have both specs proved from beginning to end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from checker.change.possible import as_shown, shown_at_random, still_shown
from checker.change.standing import NOT_ASKED, SHAKY, Fate, Standing, standings, worst
from checker.change.touch import Touch, other_jobs, touched_jobs, touched_possible
from checker.kernel.outcome import Outcome
from checker.meaning import core as c
from checker.meaning.names import OBLIGATIONS
from checker.play.event import Event
from checker.play.instance import Instance
from checker.prove.effort import Effort
from checker.prove.job import Job
from checker.prove.prover import HELPED, QUIET, prove
from checker.prove.run import Run
from checker.prove.verdict import REFUTED, UNKNOWN
from checker.prove.verdict import Verdict as Proof
from checker.syntax.node import replace
from checker.vc.context import Setting

Breaking = Callable[[Instance], Mapping[str, tuple[Event, ...]]]
"""Games by the new rules that break a property, by its name."""
Playing = Callable[[Instance, Collection[str]], Mapping[str, tuple[Event, ...]]]
"""The same, for properties that are not proved any more."""


Sides: TypeAlias = tuple[dict[str, Standing], dict[str, Standing]]
"""What is known of each property by the old rules and by the new."""


class Prover:
    """Proves what a change can touch."""

    def __init__(
        self, timeout: float, folder: Path | None, processes: int | None,
        say: Callable[[str], None], thorough: bool = False, complete: bool = False,
    ) -> None:  # fmt: skip
        """`complete` leaves no property unasked."""
        self._effort = Effort(timeout)
        self._folder = folder
        self._processes = processes
        self._say = say
        self._thorough = thorough
        self._complete = complete

    def standings(
        self, specs: Mapping[str | None, c.Spec], settings: Sequence[Setting],
        only: Iterable[str] = (),
    ) -> dict[Setting, dict[str, Standing]]:  # fmt: skip
        """What `prove` says of each property, or of these only, by variant and setting."""
        found = {}
        for proved in prove(specs, settings, self._run(specs), only):
            setting = proved.setting
            instance = _played_by(specs[setting.variant], setting)
            found[setting] = {
                each.name: _as_proved(each, instance)
                for each in proved.verdicts
                if each.kind not in QUIET
            }
        return found

    def fates(
        self, old: c.Spec, new: c.Spec, settings: Sequence[Setting], touch: Touch,
        breaking: Breaking, playing: Playing = lambda *_: {},
    ) -> list[Fate]:  # fmt: skip
        """Every property of either spec that the change can touch, those of the new one first.
        What a game breaks is not asked about and not assumed in any further proof; what fails now
        is not assumed in another attempt at those that leaned on it. For what is not proved any
        more in the end, games are played once more."""
        games = _broken(breaking(first := _played_by(new, settings[0])), first)
        if self._thorough:
            return _fates(old, new, self._proved(old, new, settings, ()), games)
        found: list[Sides] = []
        at_once = self._sides(old, new, settings, touch, frozenset(games))
        for setting in settings:
            before, after = at_once[setting]
            failing = _failing(before, after)
            while failing and any(each.note == SHAKY for each in after.values()):
                dropped = frozenset({*failing, *games})
                again = self._sides(old, new, [setting], touch, dropped)[setting]
                after = {**after, **again[1]}
                if _failing(before, after) == failing:
                    break
                failing = _failing(before, after)
            if found and failing:
                games = {**_broken(breaking(here := _played_by(new, setting)), here), **games}
            found.append((before, after))
        for setting, (before, after) in zip(settings, found):
            missed = _unproved(before, after) - games.keys()
            if missed:
                here = _played_by(new, setting)
                games |= _broken(playing(here, sorted(missed)), here)
        possible = self._possible(old, new, settings, touched_possible(new, touch))
        return [*_fates(old, new, found, games), *_fates(old, new, possible, {})]

    def _proved(
        self, old: c.Spec, new: c.Spec, settings: Sequence[Setting], only: Iterable[str]
    ) -> list[Sides]:
        """What `prove` says of both specs in each setting."""
        one, other = (
            self.standings({spec.variant: spec}, _played_as(spec, settings), only).values()
            for spec in (old, new)
        )
        return list(zip(one, other))

    def _possible(
        self, old: c.Spec, new: c.Spec, settings: Sequence[Setting], names: Collection[str]
    ) -> list[Sides]:
        """What is said to be possible, shown by games of the old rules that the new ones let be
        played too. Only the complete have others looked for."""
        found: list[Sides] = []
        for setting, theirs in zip(settings, _played_as(old, settings)):
            one, other = _played_by(old, theirs), _played_by(new, setting)
            by_old = shown_at_random(one, names)
            by_new = still_shown(other, names, by_old)
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
        self, old: c.Spec, new: c.Spec, settings: Sequence[Setting], touch: Touch,
        broken: frozenset[str],
    ) -> dict[Setting, Sides]:  # fmt: skip
        """What is known on either side in each setting; nothing leans on what is broken. Settings
        are asked together, so that no core waits for another."""
        kept = tuple(each for each in new.properties if each.name not in broken)
        new = replace(new, properties=kept)

        def touched(spec: c.Spec) -> list[Job]:
            return [job for each in settings for job in touched_jobs(spec, each, touch)]

        before, after = self._asked(old, touched(old)), self._asked(new, touched(new))
        rest = {
            each: self._rest(old, each, touch, broken, before.get(each, []), after.get(each, []))
            for each in settings
        }  # fmt: skip
        leaning = [_leaning(done, broken) for done in chain(*(d or () for d in rest.values()))]
        again = self._asked(new, [job for job in leaning if job.only])
        sides = {}
        for each in settings:
            whole = rest[each] is not None
            known = [outcome for _, outcomes in rest[each] or () for outcome in outcomes]
            same = [outcome for outcome in known if outcome.name not in touch.claims | broken
                    and not broken & set(outcome.used)]  # fmt: skip
            anew = [*after.get(each, []), *same, *again.get(each, [])]
            sides[each] = (
                standings(old, self._helped(old, each, [*before.get(each, []), *known]), whole),
                standings(new, self._helped(new, each, anew), whole),
            )
        return sides

    def _helped(self, spec: c.Spec, setting: Setting, outcomes: list[Outcome]) -> list[Outcome]:
        """The answers, those that failed replaced where helper invariants are found for them."""
        known = {each.subject for each in spec.acceptances}
        failing = {e.name for e in outcomes if e.kind in HELPED and e.result != e.wants} - known
        if not failing:
            return outcomes
        job = Job(setting, "strengthen", only=tuple(sorted(failing)))
        again = self._asked(spec, [job]).get(setting, [])
        failed = {each.name for each in again if each.result != each.wants}
        helped = {each.name for each in again} - failed
        kept = [each for each in outcomes if each.name not in helped]
        return [*kept, *(each for each in again if each.name in helped)]

    def _rest(
        self, old: c.Spec, setting: Setting, touch: Touch, broken: frozenset[str],
        before: Sequence[Outcome], after: Sequence[Outcome],
    ) -> list[tuple[Job, list[Outcome]]] | None:  # fmt: skip
        """What is the same on both sides, None if nothing leans on it. That a cache knows it is
        no reason to say more than would be said without."""
        if not broken and not _leans_anew(before, after):
            return None
        return list(self._run({setting.variant: old}).outcomes(other_jobs(old, setting, touch)))

    def _asked(self, spec: c.Spec, jobs: Sequence[Job]) -> dict[Setting, list[Outcome]]:
        found: dict[Setting, list[Outcome]] = {}
        for job, outcomes in self._run({job.setting.variant: spec for job in jobs}).outcomes(jobs):
            found.setdefault(job.setting, []).extend(outcomes)
        return found

    def _run(self, specs: Mapping[str | None, c.Spec]) -> Run:
        return Run(
            specs, self._effort, self._folder, self._processes,
            lambda done, all_of_them: self._say(f"proving: {done} of {all_of_them}"),
        )  # fmt: skip


def _fates(
    old: c.Spec, new: c.Spec, found: Sequence[Sides], games: Mapping[str, Standing]
) -> list[Fate]:
    """Every property with what is known of it for all numbers of players together."""
    names = dict.fromkeys([*(n for pair in found for n in pair[1]), *games,
                           *(n for pair in found for n in pair[0])])  # fmt: skip
    fates = []
    for name in names:
        kind, prose = _words(new, name) or _words(old, name) or ("flow", OBLIGATIONS[name])
        one, other = (worst(pair[side].get(name) for pair in found) for side in (0, 1))
        fates.append(Fate(name, kind, prose, one, games.get(name) or other))
    return fates


def _as_proved(verdict: Proof, instance: Instance) -> Standing:
    """What `prove` says of a property."""
    note = SHAKY if verdict.rests_on_unproved else verdict.reason or ""
    game = verdict.game
    if game is None:
        return Standing(verdict.verdict, note)
    if verdict.verdict == REFUTED:
        note = "a game breaks it"
    return Standing(verdict.verdict, note, game.events, instance)


def _failing(before: Mapping[str, Standing], after: Mapping[str, Standing]) -> set[str]:
    """The properties whose own proof fails on the new side, and did not on the old."""
    return _unproved(before, after) - OBLIGATIONS.keys()


def _unproved(before: Mapping[str, Standing], after: Mapping[str, Standing]) -> set[str]:
    """The same, and what every spec is asked."""
    found = {n for n, each in after.items() if each.verdict == UNKNOWN and each.note != SHAKY}
    return {n for n in found if n not in before or before[n].verdict != UNKNOWN}


def _broken(games: Mapping[str, tuple[Event, ...]], instance: Instance) -> dict[str, Standing]:
    return {
        name: Standing(REFUTED, "a game breaks it", events, instance)
        for name, events in games.items()
    }


def _only(names: Collection[str], standings: Mapping[str, Standing]) -> dict[str, Standing]:
    return {name: each for name, each in standings.items() if name in names}


def _played_as(spec: c.Spec, settings: Sequence[Setting]) -> list[Setting]:
    """The same ways to play, of a spec that may be another variant."""
    return [Setting(each.players, each.readings, spec.variant) for each in settings]


def _played_by(spec: c.Spec, setting: Setting) -> Instance:
    return Instance(spec, setting.players, dict(setting.readings))


def _leaning(done: tuple[Job, list[Outcome]], broken: frozenset[str]) -> Job:
    """A job once more, for what its proofs owe to something broken."""
    job, outcomes = done
    names = {each.name for each in outcomes if broken & set(each.used)} - broken
    return Job(job.setting, job.kind, job.subject, job.fixed, tuple(sorted(names)))


def _leans_anew(before: Sequence[Outcome], after: Sequence[Outcome]) -> bool:
    """Whether something fails, or leans on something, that did not before."""
    failing = [{e.name for e in side if e.result != e.wants} for side in (before, after)]
    used = [{label for each in side for label in each.used} for side in (before, after)]
    return not (failing[1] <= failing[0] and used[1] <= used[0])


def _words(spec: c.Spec, name: str) -> tuple[str, str] | None:
    known = {each.name: (each.kind, each.prose or "") for each in spec.properties}
    known |= {each.name: ("ends", each.prose or "") for each in spec.ends}
    return known.get(name)
