"""Random games as tasks: some numbers of games, and how each of them went.

A game depends on the seed and on its number alone, so it does not matter who plays it, or after
which other. Recorded games come back as the lines of a trace.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.distribute.shape import Either, Row, read_json
from rulewright.distribute.work import Work, interrupted
from rulewright.frontend import LoadedSpec
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.recording import Recorder, recorder
from rulewright.simulate.tasks.spec_text import opened, with_spec
from rulewright.simulate.watched_games import EventCounts, GameFault, GameOutcome, WatchedGames
from rulewright.syntax.node import Node, Span
from rulewright.system.interrupts import StoppedError

TOGETHER = 500
RECORDED_TOGETHER = 100
"""So many games are one task; fewer where they are recorded."""
COUNTED = ("events", "proposed", "decided")
WRITTEN = {
    "outcomes": [Row(
        int, Either(Row(str, str, Row(int, int), int), None), Either([Row(int, int)], None),
        Either([int], None),
    )],
    "counts": {name: {str: int} for name in COUNTED}, "trace": str,
    "refused": Either(Row(str, Either(str, None)), None),
}  # fmt: skip
"""The form of an answer."""


class PlayedGames(Node):
    """How some games with one number of players went; `refused` if the rules cannot be played."""

    players: int
    outcomes: tuple[GameOutcome, ...]
    counts: Mapping[str, Mapping[str, int]]
    trace: str
    refused: tuple[str, str | None] | None = None

    def add_to(self, counts: EventCounts) -> None:
        """Adds what was counted in these games."""
        for name in COUNTED:
            getattr(counts, name).update(self.counts[name])


class PlayWork(Work[PlayedGames]):
    """So many games for each number of players. `trace` is the name of the file that they are
    recorded in, if any; if its format holds one game, only the first is."""

    kind = "play"

    def __init__(
        self, checked: LoadedSpec, numbers: Sequence[int], games: int, seed: int, longest: int,
        readings: Mapping[str, str], variant: str | None, stop: bool, trace: str | None,
        states: bool, checks: bool = True,
    ) -> None:  # fmt: skip
        assert checked.spec is not None
        self.title = f"playing {checked.spec.name}"
        self._shared = with_spec(
            checked, seed=seed, longest=longest, readings=dict(readings), variant=variant,
            stop=stop, trace=trace, states=states, checks=checks,
        )  # fmt: skip
        one_only = trace is not None and trace.endswith(".itf.json")
        together = TOGETHER if trace is None or one_only else RECORDED_TOGETHER
        self._tasks: list[dict[str, Any]] = [
            {"players": players, "first": first, "games": min(together, games + 1 - first),
             "record": trace is not None}
            for players in numbers
            for first in range(1, games + 1, together)
        ]  # fmt: skip
        if one_only:
            for each in self._tasks[1:]:
                each["record"] = False

    def __len__(self) -> int:
        return len(self._tasks)

    def task(self, number: int) -> str:
        return json.dumps(self._tasks[number])

    def shared(self) -> str:
        return self._shared

    def read(self, number: int, answer: str) -> PlayedGames:
        found = read_json(answer, WRITTEN)
        asked = self._tasks[number]
        outcomes = tuple(_outcome(each) for each in found["outcomes"])
        if len(outcomes) > asked["games"]:
            raise ValueError("these are not the games that were asked for")
        message, help = found["refused"] or ("", None)
        said = (message, help) if found["refused"] else None
        return PlayedGames(asked["players"], outcomes, found["counts"], found["trace"], said)


def perform(shared: str, task: str) -> str:
    """Plays the games of one task."""
    checked, how = opened(shared)
    asked = json.loads(task)
    text = io.StringIO()
    outcomes: list[GameOutcome] = []
    counts: EventCounts | None = None
    refused = None
    try:
        try:
            games = WatchedGames(_instance(checked, asked["players"], how), how["checks"])
            counts = games.counts
            record = None
            if asked["record"]:
                record = recorder(text, how["trace"], checked, how["states"])
            for outcome in _played(games, asked, how, record):
                outcomes.append(outcome)
                if how["stop"] and outcome.fault is not None:
                    break
            if record is not None:
                record.close()
        except (UsageError, EvaluationError) as error:
            refused = [error.message, getattr(error, "help", None)]
    except StoppedError as end:
        raise interrupted(end, _written(outcomes, counts, text.getvalue(), None)) from None
    return _written(outcomes, counts, text.getvalue(), refused)


def _instance(checked: LoadedSpec, players: int, how: Mapping[str, Any]) -> Instance:
    variant = how["variant"]
    core = checked.spec if variant is None else checked.variant(variant)
    assert core is not None
    return Instance(core, players, how["readings"])


def _played(
    games: WatchedGames, asked: Mapping[str, Any], how: Mapping[str, Any], record: Recorder | None
) -> Iterator[GameOutcome]:
    """How each game goes, one after the other; those that are recorded, event by event."""
    seed, longest = how["seed"], how["longest"]
    number, last = asked["first"], asked["first"] + asked["games"] - 1
    while record is not None and number <= last:
        heard = record.game(games.instance)
        if heard is None:
            break
        yield games.listen(number, seed, heard, longest)
        number += 1
    yield from games.play(last + 1 - number, seed, longest, first=number)


def _written(
    outcomes: Sequence[GameOutcome], counts: EventCounts | None, trace: str, refused: Any
) -> str:
    counted = {name: dict(getattr(counts, name, {})) for name in COUNTED}
    return json.dumps({
        "outcomes": [
            [each.events, _fault(each.fault), _pairs(each.scores), each.winners]
            for each in outcomes
        ],
        "counts": counted, "trace": trace, "refused": refused,
    })  # fmt: skip


def _fault(fault: GameFault | None) -> list[Any] | None:
    return None if fault is None else [fault.kind, fault.message, list(fault.span), fault.events]


def _pairs(scores: Mapping[int, int] | None) -> list[list[int]] | None:
    return None if scores is None else [list(each) for each in scores.items()]


def _outcome(written: list[Any]) -> GameOutcome:
    events, fault, scores, winners = written
    found = None
    if fault is not None:
        kind, message, (start, end), after = fault
        found = GameFault(kind, message, Span(start, end), after)
    return GameOutcome(events, found, None if scores is None else dict(scores), winners)
