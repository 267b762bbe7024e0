"""Plays with an engine that is told what happens next before it has answered for what was before.

Over pipes most of the time goes into waiting, and the spec alone decides how a random game goes on:
so requests are written a few at a time, and answers are compared when they come. A game that goes
wrong in this way is played again one request at a time, and only that counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from checker.conform.coverage import Coverage
from checker.conform.engine import Json, Refusal, granted
from checker.conform.process import ProcessEngine
from checker.conform.referee import Referee
from checker.conform.side_by_side import Pair, Parted
from checker.play.compile.layout import State
from checker.play.compiled import Happening
from checker.syntax.node import Node

AHEAD = 32
"""Requests that are written together; at most about twice as many are unanswered."""


class Due(Node):
    """An answer that is due: whether the request should be granted, and how things should stand
    then, as the compiled player has it and as engines write it."""

    ok: bool
    state: State
    expected: Mapping[str, Json]


class PairAhead(Pair):
    """The spec and an engine at one table, the spec ahead. What it raises says that a game went
    wrong, but not in which event."""

    def __init__(self, referee: Referee, engine: ProcessEngine, coverage: Coverage) -> None:
        super().__init__(referee, engine, coverage)
        self._process = engine
        self._unsent: list[dict[str, Json]] = []
        self._due: deque[Due] = deque()

    def begin(self, state: State, load: bool = False) -> None:
        self.catch_up()
        super().begin(state, load)

    def _playing(self) -> Callable[[Happening], None]:
        def play(event: Happening) -> None:
            self.advance(event)
            self._ask({"do": "apply", **self.referee.event_json(event)}, True)
            if self._asks_for_state:
                self._ask({"do": "state"}, True)

        return play

    def probe(self, event: Happening) -> None:
        self.coverage.refused(self.referee.machine.broken(self.state, event))
        self._refused(self.referee.event_json(event))

    def probe_nonsense(self, event: Mapping[str, Json]) -> None:
        self.coverage.refused(())
        self._refused(event)

    def compare_legal(self) -> None:
        self.catch_up()
        super().compare_legal()

    def compare_scores(self) -> None:
        self.catch_up()
        super().compare_scores()

    def catch_up(self, most: int = 0) -> None:
        """Waits for the answers that are due, until only so many are."""
        self._process.send(self._unsent)
        self._unsent = []
        while len(self._due) > most:
            self._check(self._process.receive(), self._due.popleft())

    def _refused(self, event: Mapping[str, Json]) -> None:
        self._ask({"do": "apply", **event}, False)
        if "state" in self.engine.can:
            self._ask({"do": "state"}, True)

    def _ask(self, request: dict[str, Json], ok: bool) -> None:
        self._unsent.append(request)
        self._due.append(Due(ok, self.state[:], self.expected.copy()))
        if len(self._unsent) >= AHEAD:
            self.catch_up(AHEAD)

    def _check(self, said: dict[str, Json], due: Due) -> None:
        try:
            reported = granted(said if "ok" in said or not due.ok else {"ok": True, **said})
        except Refusal as refusal:
            if due.ok:
                raise Parted("refused", self.game(), refusal.why) from None
            return
        if not due.ok:
            raise Parted("accepted", self.game())
        if reported is not None and reported != due.expected:
            found = self.referee.mismatches(due.state, reported)
            if found:
                raise Parted("state", self.game(), mismatches=found)
