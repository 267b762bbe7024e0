"""What an engine was asked in a conformance check and what it answered, to be asked of another.

Of an engine that conforms every answer is right. Another that answers all the same questions alike
conforms as well, and what the spec has to say need not be worked out again to know it. What answers
otherwise is held to the spec itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from rulewright.conform.engine.protocol import (
    Answer,
    Engine,
    EngineFault,
    EngineRefusal,
    Json,
    Request,
)
from rulewright.play.semantics.errors import UsageError

T = TypeVar("T")
REFUSED = "refused"
"""Stands for a refusal among the answers, all others of which are objects, lists or nothing."""


class Asked(NamedTuple):
    """A question and its answer."""

    verb: str
    given: tuple[Json, ...]
    answer: Json


class Record(NamedTuple):
    """What an engine that can do this was asked and answered."""

    can: frozenset[str]
    asked: Sequence[Asked]


class Recorder(Engine):
    """An engine that passes everything on to another, and keeps what was asked and answered."""

    def __init__(self, engine: Engine) -> None:
        self.name, self.game, self.can = engine.name, engine.game, engine.can
        self.ahead, self.late = engine.ahead, engine.late
        self._asked: list[Asked] = []
        self._engine = engine

    def record(self) -> Record:
        """What there is so far; then a new one begins."""
        asked, self._asked = self._asked, []
        return Record(self.can, asked)

    def new(self, setup: dict[str, Json]) -> dict[str, Json] | None:
        return self._noted(self._engine.new, setup)

    def apply(self, event: dict[str, Json]) -> dict[str, Json] | None:
        return self._noted(self._engine.apply, event)

    def state(self) -> dict[str, Json]:
        return self._noted(self._engine.state)

    def legal(self) -> list[Json]:
        return self._noted(self._engine.legal)

    def load(self, state: dict[str, Json]) -> dict[str, Json] | None:
        return self._noted(self._engine.load, state)

    def score(self) -> dict[str, Json]:
        return self._noted(self._engine.score)

    def send(self, requests: Iterable[Request]) -> None:
        """Each is passed on when its answer is wanted."""

    def answers(self) -> Mapping[str, Answer]:
        return {
            "apply": lambda write, event: self.apply(write(event)),
            "state": lambda *_: self.state(),
        }

    def restart(self) -> None:
        self._engine.restart()

    def close(self) -> None:
        self._engine.close()

    def _noted(self, ask: Callable[..., T], *given: Json) -> T:
        try:
            answer = ask(*given)
        except EngineRefusal:
            self._asked.append(Asked(ask.__name__, given, REFUSED))
            raise
        kept = dict(answer) if isinstance(answer, dict) else answer
        self._asked.append(Asked(ask.__name__, given, kept))
        return answer


def answers_alike(engine: Engine, record: Record) -> bool:
    """Whether an engine would be asked the same questions, and gives the same answers."""
    try:
        return engine.can == record.can and all(
            _answer(engine, each) == each.answer for each in record.asked
        )
    except (EngineFault, UsageError, MemoryError):
        return False


def _answer(engine: Engine, asked: Asked) -> Json:
    try:
        return getattr(engine, asked.verb)(*asked.given)
    except EngineRefusal:
        return REFUSED
