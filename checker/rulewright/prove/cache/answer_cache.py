"""Remembers answers by what was asked and by which program it was answered.

An answer is kept with the work it took. It stands for the same question again only if there is as
much work for it: whoever had less would have given up. And it takes that work out of what is left:
what else is then asked is the same, whether the answer was known or not.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.prove.cache.shared_answers import SharedAnswers
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT, SolverAnswer
from rulewright.syntax.node import replace
from rulewright.system.store import Store
from rulewright.system.toolchain import toolchain
from rulewright.system.work_budget import METER, MOST, units


class Cache:
    """Answers under a folder, None for no folder at all."""

    def __init__(self, folder: Path | None) -> None:
        self._store = Store(None if folder is None else str(folder))
        self._answers = SharedAnswers()

    def answer(
        self, key: str, seconds: float, work: int | None, ask: Callable[[], SolverAnswer]
    ) -> SolverAnswer:
        """The answer to a question with the work that so many seconds stand for, at most `work`: a
        known one if it took no more, or if it was given up after just as much; else as asked."""
        most = int(min(units(seconds), MOST if work is None else work, MOST))
        given_up = f"{key} within {most}"
        known = self._known(key)
        if known is None or known.work > most:
            told = self._answers.get(given_up)
            known = None if told is None else _read(told)
        if known is not None:
            METER.charge(known.work)
            return known
        answer = ask()
        if answer.result == UNKNOWN:
            self._answers.put(given_up, _written(answer))
        else:
            self._put(key, answer)
        return answer

    def catch_up(self) -> None:
        """Reads what the other processes of this run were answered, so that copies of this one know
        it already."""
        self._answers.catch_up()

    def _put(self, key: str, answer: SolverAnswer) -> None:
        kept = _written(answer)
        self._answers.put(key, kept)
        self.save(key, kept)

    def _known(self, key: str) -> SolverAnswer | None:
        """The answer to a question that was asked in this run, or is kept from another."""
        told = self._answers.get(key)
        found: SolverAnswer | None = self.load(key, _decided) if told is None else _read(told)
        return found

    def asked(self, key: str, ask: Callable[[], SolverAnswer | None]) -> SolverAnswer | None:
        """The answer to a question whose key says how much may be done for it; it takes as much
        work out of what is left, whether it is asked now or was asked before."""
        answer = self._known(key)
        if answer is not None:
            METER.charge(answer.work)
            return answer
        before = METER.spent
        answer = ask()
        if answer is not None and answer.result != UNKNOWN:
            self._put(key, replace(answer, work=METER.spent - before))
        return answer

    def load(self, key: str, read: Callable[[Any], Any] = lambda kept: kept) -> Any:
        """What was kept under a key, None if there is nothing or it cannot be read."""
        return self._store.load(f"{toolchain()} {key}", read)

    def save(self, key: str, content: Any) -> None:
        """Keeps something under a key, whole or not at all."""
        self._store.save(f"{toolchain()} {key}", content)


def _written(answer: SolverAnswer) -> dict[str, Any]:
    kept = {"result": answer.result, "core": answer.core, "model": answer.model}
    return {**kept, "reason": answer.reason, "work": answer.work}


def _read(kept: Any) -> SolverAnswer:
    """An answer as it was written; raises where it is none."""
    result, core, model, work = (kept[each] for each in ("result", "core", "model", "work"))
    if model is not None:
        model = {str(name): int(value) for name, value in model.items()}
    if not all(isinstance(each, str) for each in core):
        raise ValueError(core)
    return SolverAnswer(result, kept["reason"], tuple(core), model, int(work))


def _decided(kept: Any) -> SolverAnswer:
    """An answer that was kept on the disk, where only those are that decide something."""
    found = _read(kept)
    if found.result not in (SAT, UNSAT):
        raise ValueError(found.result)
    return found
