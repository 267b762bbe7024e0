"""Pipelined lockstep: the spec plays some events ahead, then the engine answers them all.

The spec alone decides how a random game goes on, so it is played some events ahead, and the engine
is then held to all of them, one after the other. Over pipes requests are written a few at a time,
for most of the time goes into waiting; and in this process, too, each of the two is quicker if it
is not interrupted by the other after every event. The state after each event is kept, and what the
engine says after that event is compared with it. A game that goes wrong in this way is played
again one request at a time, and only that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulewright.conform.engine.protocol import Answer, Engine, Json, Request
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.stages.lockstep import Due, EngineLockstep, copied
from rulewright.simulate.compiled.compiled_game import Happening, State


class PipelinedLockstep(EngineLockstep):
    """The spec and an engine at one table, the spec ahead. What it raises says that a game went
    wrong, but not in which event."""

    def __init__(self, oracle: Oracle, engine: Engine, coverage: Coverage) -> None:
        super().__init__(oracle, engine, coverage)
        self._due: list[Due] = []
        """What the engine has not been held to yet."""
        self._sent = 0
        """How much of that it has been sent."""

    def begin(self, state: State, load: bool = False) -> None:
        self.catch_up()
        super().begin(state, load)

    def compare_legal(self) -> None:
        self.catch_up()
        super().compare_legal()

    def compare_scores(self) -> None:
        self.catch_up()
        super().compare_scores()

    def catch_up(self, late: int = 0) -> None:
        """Holds the engine to what is due, but for the last events."""
        due = self._due
        if not due:
            return
        self.engine.send(self._requests(due[self._sent :]))
        now = due[: max(len(due) - late, 0)]
        del due[: len(now)]
        self._sent = len(due)
        self._hold(now)

    def _accepting(self) -> Callable[[Happening, State], None]:
        due, most, late = self._due, self.engine.ahead, self.engine.late

        def accept(event: Happening, now: State) -> None:
            due.append((event, now))
            self.now = now
            if len(due) - self._sent >= most:
                self.catch_up(late)

        return accept

    def attempt(self, act: Callable[..., None], *given: Any) -> None:
        act(*given)  # what goes wrong ahead is played again, one request at a time

    def _refuse(self, event: Happening | Mapping[str, Json]) -> None:
        self._due.append((event, None))

    def _answers(self) -> Mapping[str, Answer]:
        return self.engine.answers()

    def _requests(self, due: list[Due]) -> Iterator[Request]:
        """What the engine is asked to hold it to what is due."""
        event_json, asks_for_state = self.oracle.event_json, self._asks_for_state
        for event, now in due:
            yield "apply", copied(event) if isinstance(event, Mapping) else event_json(event)
            if asks_for_state or (now is None and "state" in self.engine.can):
                yield "state", {}
