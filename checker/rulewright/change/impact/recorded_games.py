"""Recorded games by the old and the new rules: which become illegal, which end differently."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from rulewright.change.semantic.witness import labelled
from rulewright.meaning.core import Spec
from rulewright.play.io.notation import write_line
from rulewright.play.io.trace import Header, OpenedGame, RecordedEvent, TraceError, read_trace
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, apply, is_final, scores, winners
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node

SAME, ILLEGAL, ENDS, UNREADABLE = "same", "illegal", "ends differently", "unreadable"


class ReplayedGame(Node):
    """What became of one recorded game: at which line it parts, and how."""

    file: str
    line: int
    fate: str
    message: str = ""


class RecordedEnding(Node):
    """How a game stands after its last event, or at which line and why it stops."""

    stopped: int | None
    why: str
    over: bool
    scores: str
    winners: str


def replay_recorded(file: str, old: Spec, new: Spec) -> Iterator[ReplayedGame]:
    """Each game of a file, played again by both rules."""
    before, after = (list(_endings(file, spec, old.name)) for spec in (old, new))
    for (line, one), (_, other) in zip(before, after):
        yield ReplayedGame(file, line, *_compared(one, other))


def _compared(old: RecordedEnding, new: RecordedEnding) -> tuple[str, str]:
    if old.stopped is not None:
        return UNREADABLE, f"line {old.stopped}: it is no game by the old rules: {old.why}"
    if new.stopped is not None:
        return ILLEGAL, f"line {new.stopped}: {new.why}"
    if old.over != new.over:
        return ENDS, "it is over only by the " + ("old" if old.over else "new") + " rules"
    if (old.scores, old.winners) != (new.scores, new.winners):
        parts = [
            f"{what} {was} -> {now}"
            for what, was, now in (("scores", old.scores, new.scores),
                                   ("won by", old.winners, new.winners))
            if was != now
        ]  # fmt: skip
        return ENDS, ", ".join(parts)
    return SAME, ""


def _endings(file: str, spec: Spec, name: str) -> Iterator[tuple[int, RecordedEnding]]:
    """The games of a file by the rules of one spec."""

    def instance_of(header: Header) -> Instance:
        return Instance(spec, header.players, header.readings)

    try:
        with Path(file).open(encoding="utf-8") as stream:
            yield from _games(stream, name, instance_of)
    except UnicodeDecodeError as error:
        message = f"`{file}` cannot be read: it is not text in UTF-8"
        raise UsageError(message, "name a file with recorded games") from error


def _games(
    stream: IO[str], name: str, instance_of: Callable[[Header], Instance]
) -> Iterator[tuple[int, RecordedEnding]]:
    game: _Game | None = None
    for found in read_trace(stream, name, None, instance_of):
        match found:
            case OpenedGame(header=header, instance=instance, position=position):
                if game is not None:
                    yield game.line, game.ending()
                game = _Game(header.line, instance, position)
            case RecordedEvent(line=line, event=event):
                if game is not None:
                    game.play(line, event)
            case TraceError() if not found.warning:
                if game is None:
                    game = _Game(found.line, None, {})
                game.stop(found.line, found.message)
    if game is not None:
        yield game.line, game.ending()


class _Game:
    def __init__(self, line: int, instance: Instance | None, position: Position) -> None:
        self.line = line
        self._instance = instance
        self._position = position
        self._stopped: int | None = None
        self._why = ""

    def stop(self, line: int, why: str) -> None:
        if self._stopped is None:
            self._stopped, self._why = line, why

    def play(self, line: int, event: Event) -> None:
        if self._stopped is not None or self._instance is None:
            return
        try:
            self._position = apply(self._instance, self._position, event)[-1].after
        except Refused as refused:
            said = write_line(event, self._instance)
            reasons = "; ".join(labelled(each) for each in refused.failing)
            self.stop(line, f"`{said}` is refused by {reasons}")
        except (EvaluationError, UsageError) as error:
            self.stop(line, f"the rules give up: {error.message}")

    def ending(self) -> RecordedEnding:
        if self._stopped is not None or self._instance is None:
            return RecordedEnding(self._stopped or self.line, self._why, False, "", "")
        over = is_final(self._instance, self._position)
        kept = scores(self._instance, self._position) if over else None
        won = winners(self._instance, self._position) if over else None
        shown = ", ".join(str(each) for each in (kept or {}).values())
        return RecordedEnding(None, "", over, shown, ", ".join(map(str, won or [])) or "nobody")
