"""Plays with an engine that is told what happens next when the spec has gone on for a while.

The spec alone decides how a random game goes on, so it is played some events ahead, and the engine
is then held to all of them, one after the other. Over pipes requests are written a few at a time,
for most of the time goes into waiting; and in this process, too, each of the two is quicker if it
is not interrupted by the other after every event. What is expected after each event is kept, and
compared with what the engine says after that event. A game that goes wrong in this way is played
again one request at a time, and only that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from checker.conform.coverage import Coverage
from checker.conform.engine import Engine, Json, Refusal
from checker.conform.referee import Referee
from checker.conform.side_by_side import Pair, Parted, copied
from checker.play.compile.layout import State
from checker.play.compiled import Happening
from checker.play.encoding import decode_variables

Due: TypeAlias = "tuple[str, dict[str, Json], bool, dict[str, Json]]"
"""A request, whether it should be granted, and how things should stand then."""


class PairAhead(Pair):
    """The spec and an engine at one table, the spec ahead. What it raises says that a game went
    wrong, but not in which event."""

    def __init__(self, referee: Referee, engine: Engine, coverage: Coverage) -> None:
        super().__init__(referee, engine, coverage)
        self._due: list[Due] = []
        """What the engine has not answered yet."""
        self._sent = 0
        """How much of that it has been sent."""

    def begin(self, state: State, load: bool = False) -> None:
        self.catch_up()
        super().begin(state, load)

    def _playing(self) -> Callable[[Happening], None]:
        advance, writers, due = self.advance, self.referee.event_writers, self._due
        asks_for_state, most = self._asks_for_state, self.engine.ahead

        def play(event: Happening) -> None:
            due.append(("apply", writers[event[0]](event), True, advance(event).copy()))
            if asks_for_state:
                self._ask("state", {}, True)
            if len(due) - self._sent >= most:
                self.catch_up(most)

        return play

    def probe(self, event: Happening) -> None:
        self.coverage.refused(self.referee.machine.broken(self.state, event))
        self._refused(self.referee.event_json(event))

    def probe_nonsense(self, event: Mapping[str, Json]) -> None:
        self.coverage.refused(())
        self._refused(copied(event))

    def compare_legal(self) -> None:
        self.catch_up()
        super().compare_legal()

    def compare_scores(self) -> None:
        self.catch_up()
        super().compare_scores()

    def catch_up(self, most: int = 0) -> None:
        """Waits for the answers that are due, until only so many are."""
        due, answers = self._due, self.engine.answers()
        self.engine.send(due[self._sent :])
        now = due[: max(len(due) - most, 0)]
        del due[: len(now)]
        self._sent = len(due)
        for verb, given, ok, expected in now:
            try:
                reported = answers[verb](given)
            except Refusal as refusal:
                if ok:
                    raise Parted("refused", self.game(), refusal.why) from None
                continue
            if not ok:
                raise Parted("accepted", self.game())
            if reported != expected:
                self._look_at(reported, expected)

    def _refused(self, event: dict[str, Json]) -> None:
        self._ask("apply", event, False)
        if "state" in self.engine.can:
            self._ask("state", {}, True)

    def _ask(self, verb: str, given: dict[str, Json], ok: bool) -> None:
        self._due.append((verb, given, ok, self.expected.copy()))

    def _look_at(self, reported: dict[str, Json] | None, expected: dict[str, Json]) -> None:
        if reported is None:
            self.coverage.unreported += not self._asks_for_state
            return
        position = decode_variables(expected, self.referee.instance)
        if found := self.referee.mismatches(position, reported):
            raise Parted("state", self.game(), mismatches=found)
