"""Replay as tasks: the recorded games in one piece of a file, each checked, and what they come to.

What comes back does not grow with the games: counts, the games that are wrong up to some number of
them, and one row for each game only if somebody wants those. Lines are counted from the beginning
of the piece; whoever puts pieces together knows how many came before.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import IO, Any

from rulewright.distribute.shape import Either, Row, read_json
from rulewright.distribute.work import Work, interrupted
from rulewright.frontend import LoadedSpec
from rulewright.play.io.trace import Header
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.game import Rules
from rulewright.simulate.replay import RecordedGame, TraceFault, TraceNotice, replay
from rulewright.simulate.tasks.spec_text import opened, with_spec
from rulewright.simulate.tasks.trace_files import Piece, PieceStream, UnreadableError
from rulewright.syntax.node import Node
from rulewright.system.interrupts import StoppedError

MOST_SHOWN = 100
"""Games that are wrong; the rest are counted."""
OFTEN = 1000
"""So many games, and whoever waits is told."""
STDIN = "-"
COUNTED = (
    "games", "events", "finished", "illegal", "elsewhere", "unreadable", "undecided", "lines",
)  # fmt: skip
_GAME = {
    "file": str, "game": int, "players": Either(int, None), "verdict": str,
    "line": Either(int, None), "events": int, "message": Either(str, None), "requirements": [str],
    "clauses": [str], "event": Either({str: object}, None),
}  # fmt: skip
WRITTEN = {
    "counts": dict.fromkeys(COUNTED, int), "clauses": {str: int},
    "wrong": [{"data": {**_GAME, "line": int}, "message": str, "help": Either(str, None)}],
    "notices": [{"line": int, "message": str, "help": Either(str, None), "before": int}],
    "rows": [{**_GAME, "finished": bool}], "deals": [str],
}  # fmt: skip
"""The form of an answer."""


class PieceSummary(Node):
    """What the games in one piece come to: how many of what, by which clauses and requirements the
    illegal ones are, and the first that are wrong, as JSON."""

    file: str
    counts: Mapping[str, int]
    clauses: Mapping[str, int]
    wrong: Sequence[Mapping[str, Any]]
    notices: Sequence[Mapping[str, Any]]
    rows: Sequence[Mapping[str, Any]]
    deals: Sequence[str]
    """The lines of the games that had parts unknown, with what was found."""


class FilesWork(Work[list[Piece]]):
    """Finding the files: one task, for whoever has them."""

    kind = "traces"
    everywhere = True

    def __init__(self, arguments: Sequence[str]) -> None:
        self.title = "finding the files"
        self._arguments = list(arguments)

    def __len__(self) -> int:
        return 1

    def task(self, number: int) -> str:
        return json.dumps(self._arguments)

    def read(self, number: int, answer: str) -> list[Piece]:
        return [Piece(*each) for each in read_json(answer, [Row(str, int, int)])]


class ReplayWork(Work[PieceSummary]):
    """Replaying some pieces; `rows` asks for one row for each game. Where that is done in this
    process, `heard` is told now and then how many games of a piece there were."""

    kind = "replay"

    def __init__(
        self, checked: LoadedSpec, parts: Sequence[Piece], strict: bool, rows: bool,
        heard: Callable[[int], None], unknown: Sequence[str] = (),
    ) -> None:  # fmt: skip
        assert checked.spec is not None
        self.title = f"replaying games of {checked.spec.name}"
        self._shared = with_spec(checked, strict=strict, rows=rows, unknown=list(unknown))
        self._pieces = parts
        self._heard = heard

    def __len__(self) -> int:
        return len(self._pieces)

    def task(self, number: int) -> str:
        each = self._pieces[number]
        return json.dumps([each.file, each.start, each.end])

    def shared(self) -> str:
        return self._shared

    def answered_here(self, shared: str, number: int) -> str:
        return _replayed(shared, self.task(number), self._heard)

    def read(self, number: int, answer: str) -> PieceSummary:
        found = read_json(answer, WRITTEN)
        counts, clauses = found["counts"], found["clauses"]
        if any(many < 0 for many in (*counts.values(), *clauses.values())):
            raise ValueError("there are no fewer games than none")
        if len(found["wrong"]) > MOST_SHOWN or len(found["notices"]) > 2 * MOST_SHOWN:
            raise ValueError("these are too many")
        return PieceSummary(
            self._pieces[number].file, counts, clauses, found["wrong"], found["notices"],
            found["rows"], found["deals"],
        )  # fmt: skip


def perform(shared: str, task: str) -> str:
    """Replays one piece."""
    return _replayed(shared, task, lambda _: None)


def _replayed(shared: str, task: str, heard: Callable[[int], None]) -> str:
    file, start, end = json.loads(task)
    tally = _Tally(file, opened(shared)[1]["rows"], heard)
    try:
        _replay(Piece(file, start, end), shared, tally)
    except StoppedError as ending:
        raise interrupted(ending, tally.written()) from None
    return tally.written()


def _replay(piece: Piece, shared: str, tally: _Tally) -> None:
    checked, how = opened(shared)
    assert checked.spec is not None
    rules = _rules(shared)

    def game_of(header: Header) -> CompiledGame:
        return rules.compiled(header.players, header.readings, header.variant)

    name, strict = checked.spec.name, how["strict"]

    def games(stream: IO[str]) -> Iterator[RecordedGame | TraceNotice]:
        if not how["unknown"]:
            return replay(stream, name, checked.hash, game_of, strict)
        from rulewright.simulate.unknown.reading import replay_unknown

        def instance_of(header: Header) -> Instance:
            return rules.instance(header.players, header.readings, header.variant)

        return replay_unknown(stream, name, checked.hash, instance_of, strict, how["unknown"])

    try:
        if piece.file == STDIN:
            for found in games(sys.stdin):
                tally.add(found)
            return
        stream = PieceStream(piece)
        for found in games(stream.text):
            if stream.lines or piece.start == 0:  # no game need begin in a piece, but in a file
                tally.add(found)
        tally.counts["lines"] = stream.lines
    except (OSError, UnicodeDecodeError, UnreadableError) as error:
        reason = str(error)
        if not isinstance(error, UnreadableError):
            reason = (getattr(error, "strerror", None) or "it is not text in UTF-8").lower()
        message = f"the file cannot be read: {reason}"
        wrong = TraceFault(1, "unreadable", message, "name a file with recorded games")
        tally.add(RecordedGame(1, None, 0, False, wrong))


@lru_cache(maxsize=1)
def _rules(shared: str) -> Rules:
    """The rules, compiled once for all pieces."""
    return Rules(opened(shared)[0])


class _Tally:
    """What was found in a piece so far; only games that are wrong are kept, and not too many."""

    def __init__(self, file: str, rows: bool, heard: Callable[[int], None]) -> None:
        self.file = file
        self._heard = heard
        self.counts = dict.fromkeys(COUNTED, 0)
        self.clauses: Counter[str] = Counter()
        self.wrong: list[dict[str, Any]] = []
        self.notices: list[dict[str, Any]] = []
        self.rows: list[dict[str, Any]] | None = [] if rows else None
        self.deals: list[str] = []

    def add(self, found: RecordedGame | TraceNotice) -> None:
        """One more game, or something worth saying."""
        if isinstance(found, TraceNotice):
            if len(self.notices) < 2 * MOST_SHOWN:
                said = {"line": found.line, "message": found.message, "help": found.help}
                self.notices.append(said | {"before": len(self.wrong)})
            return
        counts, wrong = self.counts, found.wrong
        counts["games"] += 1
        if counts["games"] % OFTEN == 0:
            self._heard(counts["games"])
        counts["events"] += found.events
        counts["finished"] += found.finished
        if wrong is not None:
            illegal = wrong.kind not in {"unreadable", "undecided"}
            counts["illegal"] += illegal
            counts["undecided"] += wrong.kind == "undecided"
            counts["elsewhere"] += wrong.kind == "differs"
            counts["unreadable"] += wrong.kind == "unreadable"
            self.clauses.update({name for each in wrong.refused_by for name in each.clauses})
            if len(self.wrong) < MOST_SHOWN:
                message = f"{wrong.message}{_because(wrong)}"
                data = self._data(found, wrong)
                self.wrong.append({"data": data, "message": message, "help": wrong.help})
        self.deals += found.deal or ()
        if self.rows is not None:
            self.rows.append(self._data(found, wrong) | {"finished": found.finished})

    def _data(self, game: RecordedGame, wrong: TraceFault | None) -> dict[str, Any]:
        refused_by = () if wrong is None else wrong.refused_by
        event = None if wrong is None or wrong.event is None else dict(wrong.event)
        return {
            "file": self.file,
            "game": game.line,
            "players": game.players,
            "verdict": "legal" if wrong is None else wrong.kind,
            "line": None if wrong is None else wrong.line,
            "events": game.events,
            "message": None if wrong is None else wrong.message,
            "requirements": [each.label for each in refused_by],
            "clauses": sorted({name for each in refused_by for name in each.clauses}),
            "event": event,
        }

    def written(self) -> str:
        return json.dumps({
            "counts": self.counts, "clauses": self.clauses, "wrong": self.wrong,
            "notices": self.notices, "rows": self.rows or [], "deals": self.deals,
        })  # fmt: skip


def _because(wrong: TraceFault) -> str:
    """The requirements that refuse, each with its sentence and clauses."""
    said = []
    for each in wrong.refused_by:
        cites = f" [{', '.join(each.clauses)}]" if each.clauses else ""
        said.append(f"{each.label}{f': {each.prose}' if each.prose else ''}{cites}")
    return f", refused by {'; '.join(said)}" if said else ""
