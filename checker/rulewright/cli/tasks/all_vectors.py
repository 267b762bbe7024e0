"""The test vectors of a spec as one task: finding them is one search, which cannot be split."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.vectors.vector_file import cached_lines
from rulewright.distribute.shape import Either, fits, read_json
from rulewright.distribute.work import Lost, Work
from rulewright.frontend import LoadedSpec
from rulewright.simulate.tasks.spec_text import opened, with_spec

Lines = list[dict[str, Any]]
_MUTANT = {"requirement": Either(str, None), "what": str}
_ALL = {
    "rulewright_vectors": int, "spec": str, "spec_hash": str, "seed": int, "vectors": int,
    "mutants": int, "equivalent": [{**_MUTANT, "given": [object]}],
    "undecided": [{**_MUTANT, "why": str}],
}  # fmt: skip
HEADER = Either(_ALL, {**_ALL, "stopped": str})
VECTOR = {
    "vector": int, "origin": str, "requirement": Either(str, None), "clauses": [str],
    "shows": [str], "mistakes": [{"mistake": int, "what": str, "told_by": [str]}],
    "setup": {str: object}, "position": {str: object}, "event": {str: object},
    "expected": {str: object}, "game": Either([{str: object}], None),
}  # fmt: skip
"""The form of an answer: a header, then vectors."""


class VectorsWork(Work[Lines]):
    """The vectors of a spec, as lines of JSON."""

    kind = "vectors"

    def __init__(
        self, checked: LoadedSpec, seed: int, say: Callable[[str], None],
        only: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        assert checked.spec is not None
        self.title = f"finding vectors of {checked.spec.name}"
        self._checked = checked
        self._seed = seed
        self._say = say
        self._only = None if only is None else list(only)

    def __len__(self) -> int:
        return 1

    def task(self, number: int) -> str:
        return json.dumps([self._seed, self._only])

    def shared(self) -> str:
        return with_spec(self._checked)

    def here(self, numbers: Iterable[int]) -> Iterator[tuple[int, Lines | Lost]]:
        for number in numbers:
            yield number, cached_lines(Oracles(self._checked), self._seed, self._say, self._only)

    def read(self, number: int, answer: str) -> Lines:
        found: Lines = read_json(answer, [{str: object}])
        header, *vectors = found
        if not fits(header, HEADER) or not fits(vectors, [VECTOR]):
            raise ValueError("these are no vectors")
        if header["spec_hash"] != self._checked.hash or header["vectors"] != len(vectors):
            raise ValueError("these are vectors of another spec")
        return found

    def written(self, number: int, answer: Lines) -> str:
        return json.dumps(answer)


def perform(shared: str, task: str) -> str:
    """Finds the vectors of a spec."""
    checked, _ = opened(shared)
    seed, only = json.loads(task)
    return json.dumps(cached_lines(Oracles(checked), seed, only=only))
