"""The evaluator and compiled code side by side, on many cases at a time.

Of several elements that a bag lacks, or that leave their type, the evaluator names the one it comes
to first; which one that is says nothing about the game, so it is left out of the comparison.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rulewright.play.semantics.instance import Instance
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.queries import LoadedProgram, Program
from tests.meaning.exprs import Evaluated, Performed
from tests.play import agreement
from tests.play.agreement import Answer

FIRST_MET = (
    (re.compile(r"holds .*, outside"), "holds one, outside"),
    (re.compile(r"\d+ of `.*` cannot be taken from (.*), which holds \d+"), r"taken from \1"),
)


def comparable(answer: Answer) -> Answer:
    """An answer without what depends on the order in which a collection was filled."""
    if answer[0] == "value":
        return answer
    message = answer[1]
    for pattern, plain in FIRST_MET:
        message = pattern.sub(plain, message)
    return ("error", message, answer[2])


class Batch:
    """Cases compiled into one module for each instance. `refused` are those that cannot be."""

    def __init__(self, cases: Sequence[Evaluated | Performed]) -> None:
        self.cases = cases
        self.refused = 0
        self._programs: dict[int, tuple[Instance, Program]] = {}
        self._names: dict[tuple[int, int], str | None] = {}
        for case in cases:
            key = self._key(case)
            if key not in self._names:
                self._names[key] = self._added(case)
        self._loaded: dict[int, LoadedProgram] = {
            key: program.load() for key, (_, program) in self._programs.items()
        }

    def compare(self) -> int:
        """Compares all that were compiled, and says how many that are."""
        compared = 0
        for case in self.cases:
            name = self._names[self._key(case)]
            if name is None:
                self.refused += 1
                continue
            loaded = self._loaded[id(case.instance)]
            try:
                found, said = self._answers(case, loaded, name)
            except Unsupported:
                self.refused += 1
                continue
            assert comparable(found) == comparable(said), case
            compared += 1
        return compared

    def _answers(
        self, case: Evaluated | Performed, loaded: LoadedProgram, name: str
    ) -> tuple[Answer, Answer]:
        if isinstance(case, Evaluated):
            loaded.place(case.now, case.before)
            said = agreement.evaluated(case.expression, case.instance, case.before, case.now)
            return agreement.answer(lambda: loaded.value(name)), said
        loaded.place(case.before)
        said = agreement.performed(case.statements, case.instance, case.before)
        return agreement.answer(lambda: loaded.perform(name)), said

    def _added(self, case: Evaluated | Performed) -> str | None:
        _, program = self._programs.setdefault(
            id(case.instance), (case.instance, Program(case.instance))
        )
        try:
            if isinstance(case, Evaluated):
                return program.expression(case.expression)
            return program.body(case.statements)
        except Unsupported:
            return None

    def _key(self, case: Any) -> tuple[int, int]:
        what = case.expression if isinstance(case, Evaluated) else case.statements
        return id(what), id(case.instance)
