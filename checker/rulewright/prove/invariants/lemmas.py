"""Lemmas: invariants that others may lean on, proved when somebody asks for them.

Only the invariants that are needed are proved, and those that they need in turn. One that cannot be
proved takes with it all whose proofs used it, so that what is left stands by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulewright.kernel.ledger import HELPER, SAFE, Key, LedgerEntry, entry, proved
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.run.job import Job
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler


class Lemmas:
    """Proves invariants when somebody asks for them."""

    def __init__(self, timeout: float, folder: Path | None, processes: int | None) -> None:
        self._effort = ProverOptions(timeout)
        self._folder = folder
        self._processes = processes
        self._known: dict[tuple[int, Configuration], _Proofs] = {}

    def proved(
        self, spec: c.Spec, configuration: Configuration, names: Iterable[str]
    ) -> frozenset[str]:
        """The invariants among these, and those they need, that hold in every position."""
        key = id(spec), configuration
        proofs = self._known.setdefault(key, _Proofs(spec, configuration))
        return proofs.of(frozenset(names), self)

    def entries(
        self, spec: c.Spec, configuration: Configuration, names: Iterable[str]
    ) -> Mapping[Key, LedgerEntry]:  # fmt: skip
        """What is shown of these invariants, of those they need, and of whatever was asked for
        before: for the kernel to say which of them are proved."""
        self.proved(spec, configuration, names)
        return self._known[id(spec), configuration].entries

    def outcomes(
        self, spec: c.Spec, configuration: Configuration, names: Iterable[str]
    ) -> dict[str, list[Outcome]]:
        """Asks for the induction of some invariants, and whether nothing leaves its range."""
        only = tuple(sorted(names))
        jobs = [Job(configuration, "begins", only=only)]
        for transition in spec.transitions:
            seats = range(1, configuration.players + 1) if transition.mover else [None]
            for seat in seats:
                fixed = ((str(transition.mover), seat),) if seat is not None else ()
                jobs.append(Job(configuration, "preserved", transition.name, fixed, only))
        return self._run(spec, configuration, jobs)

    def strengthened(
        self, spec: c.Spec, configuration: Configuration, names: Iterable[str]
    ) -> dict[str, list[Outcome]]:
        """Asks again what failed, with helper invariants; theirs are among the outcomes."""
        return self._run(
            spec, configuration, [Job(configuration, "strengthen", only=tuple(sorted(names)))]
        )

    def _run(
        self, spec: c.Spec, configuration: Configuration, jobs: list[Job]
    ) -> dict[str, list[Outcome]]:
        run = Scheduler(
            {configuration.variant: spec},
            self._effort,
            self._folder,
            self._processes,
            lambda *_: None,
        )
        found: dict[str, list[Outcome]] = {}
        for _, outcomes in run.outcomes(jobs):
            for each in outcomes:
                found.setdefault(each.name, []).append(each)
        return found


class _Proofs:
    """What is known of the invariants of a spec in a setting."""

    def __init__(self, spec: c.Spec, configuration: Configuration) -> None:
        self._spec = spec
        self._setting = configuration
        self._invariants = {each.name for each in spec.properties if each.kind == "invariant"}
        self.entries: dict[Key, LedgerEntry] = {}

    def of(self, names: frozenset[str], lemmas: Lemmas) -> frozenset[str]:
        wanted = {(name, "invariant") for name in names & self._invariants}
        while open_claims := (wanted | {SAFE}) - self.entries.keys():
            found = lemmas.outcomes(self._spec, self._setting, [name for name, _ in open_claims])
            self._enter(open_claims, found)
            failing = [name for name, kind in open_claims if self.entries[name, kind].rests is None]
            if failing:
                found = lemmas.strengthened(self._spec, self._setting, failing)
                helpers = {(name, "invariant") for name in found if name.startswith(HELPER)}
                again = {key for key in open_claims if self.entries[key].rests is None}
                self._enter(helpers | again, found)
            for key in open_claims:
                wanted |= self.entries[key].rests or set()
        firm = proved(self.entries)
        return frozenset(name for name, kind in wanted & firm if kind == "invariant")

    def _enter(self, claims: Iterable[Key], found: dict[str, list[Outcome]]) -> None:
        """Notes what is shown of some claims. Results of a game are not leaned on."""
        for name, kind in claims:
            asked = "playing" if (name, kind) == SAFE else kind
            told = found.get(name, [])
            self.entries[name, kind] = entry(
                self._spec, self._setting.players, name, asked, told
            )  # fmt: skip
