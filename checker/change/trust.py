"""Which invariants may be leaned on: those that are proved, with everything their proofs use.

Only the invariants that are needed are proved, and those that they need in turn. One that cannot be
proved takes with it all whose proofs used it, so that what is left stands by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from checker.kernel.context import Setting
from checker.meaning import core as c
from checker.prove.effort import Effort
from checker.prove.job import Job
from checker.prove.run import Run


class Trust:
    """Proves invariants when somebody asks for them."""

    def __init__(self, timeout: float, folder: Path | None, processes: int | None) -> None:
        self._effort = Effort(timeout)
        self._folder = folder
        self._processes = processes
        self._known: dict[tuple[int, Setting], _Proofs] = {}

    def proved(self, spec: c.Spec, setting: Setting, names: Iterable[str]) -> frozenset[str]:
        """The invariants among these, and those they need, that hold in every position."""
        key = id(spec), setting
        proofs = self._known.setdefault(key, _Proofs(spec, setting))
        return proofs.of(frozenset(names), self)

    def outcomes(self, spec: c.Spec, setting: Setting, names: Iterable[str]) -> dict[str, _Proof]:
        """Asks for the induction of some invariants."""
        only = tuple(sorted(names))
        jobs = [Job(setting, "begins", only=only)]
        for transition in spec.transitions:
            seats = range(1, setting.players + 1) if transition.mover else [None]
            for seat in seats:
                fixed = ((str(transition.mover), seat),) if seat is not None else ()
                jobs.append(Job(setting, "preserved", transition.name, fixed, only))
        run = Run(
            {setting.variant: spec}, self._effort, self._folder, self._processes, lambda *_: None
        )
        found = {name: _Proof() for name in only}
        for _, outcomes in run.outcomes(jobs):
            for each in outcomes:
                proof = found.get(each.name)
                if proof is not None:
                    proof.holds = proof.holds and each.result == each.wants
                    proof.used |= set(each.used)
        return found


class _Proof:
    """Whether each part of an induction holds, and what it used."""

    def __init__(self) -> None:
        self.holds = True
        self.used: set[str] = set()


class _Proofs:
    """What is known of the invariants of a spec in a setting."""

    def __init__(self, spec: c.Spec, setting: Setting) -> None:
        self._spec = spec
        self._setting = setting
        self._invariants = {each.name for each in spec.properties if each.kind == "invariant"}
        self._found: dict[str, _Proof] = {}

    def of(self, names: frozenset[str], trust: Trust) -> frozenset[str]:
        wanted = set(names) & self._invariants
        while open_names := wanted - self._found.keys():
            self._found |= trust.outcomes(self._spec, self._setting, open_names)
            for name in open_names:
                wanted |= self._found[name].used & self._invariants
        kept = {name for name in wanted if self._found[name].holds}
        while True:
            firm = {n for n in kept if (self._found[n].used & self._invariants) <= kept}
            if firm == kept:
                return frozenset(kept)
            kept = firm
