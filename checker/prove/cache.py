"""Remembers answers by what was asked and by which edition of the program it was answered.

An answer is kept with the work it took. It stands for the same question again only if there is as
much work for it: whoever had less would have given up. And it takes that work out of what is left:
what else is then asked is the same, whether the answer was known or not.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

from checker.budget import METER, units
from checker.prove.edition import edition
from checker.prove.manner import LITTLE
from checker.smt.solver import SAT, UNKNOWN, UNSAT, Answer
from checker.store import Store
from checker.syntax.node import replace


class Cache:
    """Answers under a folder, None for no folder at all. Whoever asks from other parts of the
    program than proofs do names them."""

    def __init__(self, folder: Path | None, *parts: str) -> None:
        self._store = Store(None if folder is None else str(folder))
        self._parts = parts

    def get(self, key: str, seconds: float | None = None, work: int | None = None) -> Answer | None:
        """The answer to a question asked before, if it took no more than the work that so many
        seconds stand for, and no more than `work`; where neither is known, if it took little."""
        given = [units(seconds)] if seconds is not None else []
        most = min([*given, *([work] if work is not None else [])], default=LITTLE)
        answer: Answer | None = self.load(key, _read)
        if answer is None or answer.work > most:
            return None
        METER.charge(answer.work)
        return answer

    def put(self, key: str, answer: Answer) -> None:
        kept = {"result": answer.result, "core": answer.core, "model": answer.model}
        self.save(key, {**kept, "work": answer.work})

    def asked(self, key: str, ask: Callable[[], Answer | None]) -> Answer | None:
        """The answer to a question whose key says how much may be done for it; it takes as much
        work out of what is left, whether it is asked now or was asked before."""
        answer = self.get(key, inf)
        if answer is None:
            before = METER.spent
            answer = ask()
            if answer is not None and answer.result != UNKNOWN:
                self.put(key, replace(answer, work=METER.spent - before))
        return answer

    def load(self, key: str, read: Callable[[Any], Any] = lambda kept: kept) -> Any:
        """What was kept under a key, None if there is nothing or it cannot be read."""
        return self._store.load(self._named(key), read)

    def save(self, key: str, content: Any) -> None:
        """Keeps something under a key, whole or not at all."""
        self._store.save(self._named(key), content)

    def _named(self, key: str) -> str:
        return f"{edition(*self._parts)} {key}"


def _read(kept: Any) -> Answer:
    """An answer as it was kept; raises where it is none."""
    result, core, model, work = (kept[each] for each in ("result", "core", "model", "work"))
    if model is not None:
        model = {str(name): int(value) for name, value in model.items()}
    if result not in (SAT, UNSAT) or not all(isinstance(each, str) for each in core):
        raise ValueError(result)
    return Answer(result, None, tuple(core), model, int(work))
