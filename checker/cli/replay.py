"""Checks recorded games against the rules: the first illegal event of each, and its clause.

A trace has one JSON object a line; a header begins a game, and a file may hold many. Files are
read line by line, so their size does not matter. `-` reads from standard input.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from checker.cli.exits import FAILS, HOLDS, UNDECIDED, UNUSABLE
from checker.cli.options import add_format, add_limit
from checker.cli.outcome import STATUS, counted, gravest
from checker.cli.playing import read_spec
from checker.cli.progress import Progress
from checker.cli.specs import report_on
from checker.front import Checked
from checker.message import Diagnostic
from checker.play.compiled import Machine
from checker.play.game import Rules
from checker.play.replay import Game, Notice, Wrong, replay
from checker.play.trace import Header
from checker.report.emit import emit
from checker.report.record import Result
from checker.stopping import StoppedError

MOST_SHOWN = 100
"""Games that are wrong; the rest are counted."""
OFTEN = 1000
"""So many games, and the progress is shown anew."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `replay`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument("traces", metavar="TRACE", nargs="+", help="a recorded game; - for stdin")
    parser.add_argument(
        "--strict", action="store_true", help="refuse games of another version of the rules"
    )
    add_limit(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Replays all files and reports on what is wrong."""
    checked = read_spec(options.spec)
    tally = _Tally(checked)
    stopped: str | None = None
    file = options.traces[0]
    with Progress(sys.stderr) as progress:
        try:
            for file in options.traces:
                for found in _games(file, checked, options.strict):
                    tally.add(file, found)
                    if tally.games % OFTEN == 0:
                        progress.say(f"replaying {file}: {counted(tally.games, 'game')}")
        except StoppedError as end:
            stopped = end.why
            tally.exits.add(UNDECIDED)
    report = report_on(
        "replay",
        [checked],
        results=tally.results,
        summary=tally.summary() | ({} if stopped is None else {"stopped": stopped}),
        exit=gravest(tally.exits),
        found=tally.diagnostics,
        closing=tally.closing()
        + ("" if stopped is None else f"\nnot all was replayed, {file} not to its end: {stopped}"),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


class _Tally:
    """What was found so far; only games that are wrong are kept, and not too many of them."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.games = self.events = self.finished = self.illegal = self.unreadable = 0
        self.elsewhere = 0
        """Those of the illegal whose events are legal, but lead elsewhere than recorded."""
        self.results: list[Result] = []
        self.diagnostics: list[Diagnostic] = []
        self.exits = {HOLDS}

    def add(self, file: str, found: Game | Notice) -> None:
        if isinstance(found, Notice):
            message = f"line {found.line}: {found.message}"
            self._say(file, found.line, "RW512", "warning", message, found.help)
            return
        self.games += 1
        self.events += found.events
        self.finished += found.finished
        if found.wrong is None:
            return
        illegal = found.wrong.kind != "unreadable"
        self.illegal += illegal
        self.elsewhere += found.wrong.kind == "differs"
        self.unreadable += not illegal
        exit_code = FAILS if illegal else UNUSABLE
        self.exits.add(exit_code)
        if len(self.results) < MOST_SHOWN:
            wrong = found.wrong
            code = "RW511" if illegal else "RW512"
            message = f"line {wrong.line}: {wrong.message}{_because(wrong)}"
            self._say(file, wrong.line, code, "error", message, wrong.help)
            data = _data(file, found, wrong)
            shown = (self.diagnostics[-1],)
            self.results.append(Result(file, STATUS[exit_code], data, (), shown))

    def _say(
        self, file: str, line: int, code: str, severity: str, message: str, help: str | None
    ) -> None:
        if len(self.diagnostics) < 2 * MOST_SHOWN:
            self.diagnostics.append(
                Diagnostic(file, line, 1, line, 1, code, severity, message, help)
            )

    def summary(self) -> dict[str, object]:
        return {
            "games": self.games,
            "legal": self.games - self.illegal - self.unreadable,
            "illegal": self.illegal,
            "unreadable": self.unreadable,
            "finished": self.finished,
            "events": self.events,
        }

    def closing(self) -> str:
        wrong = (
            (self.illegal - self.elsewhere, "illegal"),
            (self.elsewhere, "not as recorded"),
            (self.unreadable, "unreadable"),
        )
        parts = [f"{number} {what}" for number, what in wrong if number]
        hidden = self.illegal + self.unreadable - len(self.results)
        if hidden > 0:
            parts.append(f"{hidden} of them not shown")
        return f"replayed {counted(self.games, 'game')}, {counted(self.events, 'event')}: " + (
            ", ".join(parts) or "all legal"
        )


def _games(file: str, checked: Checked, strict: bool) -> Iterator[Game | Notice]:
    assert checked.spec is not None
    rules = Rules(checked)

    def machine_of(header: Header) -> Machine:
        return rules.machine(header.players, header.readings, header.variant)

    try:
        with _opened(file) as stream:
            yield from replay(stream, checked.spec.name, checked.hash, machine_of, strict)
    except (OSError, UnicodeDecodeError) as error:
        reason = (getattr(error, "strerror", None) or "it is not text in UTF-8").lower()
        message = f"the file cannot be read: {reason}"
        wrong = Wrong(1, "unreadable", message, "name a file with recorded games")
        yield Game(1, None, 0, False, wrong)


@contextmanager
def _opened(file: str) -> Iterator[IO[str]]:
    if file == "-":
        yield sys.stdin
        return
    with open(file, encoding="utf-8") as stream:
        yield stream


def _because(wrong: Wrong) -> str:
    """The requirements that refuse, each with its sentence and clauses."""
    said = []
    for each in wrong.refused_by:
        cites = f" [{', '.join(each.clauses)}]" if each.clauses else ""
        said.append(f"{each.label}{f': {each.prose}' if each.prose else ''}{cites}")
    return f", refused by {'; '.join(said)}" if said else ""


def _data(file: str, game: Game, wrong: Wrong) -> dict[str, object]:
    return {
        "file": file,
        "game": game.line,
        "players": game.players,
        "verdict": wrong.kind,
        "line": wrong.line,
        "events": game.events,
        "message": wrong.message,
        "requirements": [each.label for each in wrong.refused_by],
        "clauses": sorted({name for each in wrong.refused_by for name in each.clauses}),
        "event": dict(wrong.event) if wrong.event is not None else None,
    }
