"""Checks recorded games against the rules: the first illegal event of each, and its clause.

A trace has one JSON object a line; a header begins a game, and a file may hold many. TRACE is a
file, a pattern such as 'games/*.jsonl', or `-` for standard input. Files that end in .gz, .bz2, .xz
or .zst are compressed; those that end in .parquet have a column `game` with the lines of one game
in each row. Files are read piece by piece, so their size does not matter.

With --unknown NAME... a record may leave out what nobody knows, such as the tiles on the racks: is
there any deal under which the game is legal? NAME is a state variable, an event, or an argument of
one like deal.tile.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import FAILS, HOLDS, UNDECIDED, UNUSABLE
from rulewright.cli.exit_status import STATUS, counted, gravest
from rulewright.cli.inputs.open_game import read_spec
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.options import add_distribution, add_format, add_limit
from rulewright.cli.output.results_file import results_file
from rulewright.cli.progress import Progress
from rulewright.diagnostics import Diagnostic
from rulewright.distribute.backend import answers
from rulewright.frontend import LoadedSpec
from rulewright.play.semantics.errors import UsageError
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.simulate.tasks.replay import (
    MOST_SHOWN,
    STDIN,
    FilesWork,
    PieceSummary,
    ReplayWork,
)
from rulewright.system.atomic_write import whole_file
from rulewright.system.interrupts import StoppedError

_GRAVITY = {"unreadable": ("RW512", UNUSABLE), "undecided": ("RW511", UNDECIDED)}
"""The code and exit of what is neither legal nor illegal."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `replay`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument("traces", metavar="TRACE", nargs="+",
                        help="a file of recorded games, a pattern, or - for stdin")  # fmt: skip
    parser.add_argument(
        "--strict", action="store_true", help="refuse games of another version of the rules"
    )
    parser.add_argument(
        "--results", metavar="FILE",
        help="write a line for each game to FILE: JSON lines, or Parquet if it ends in .parquet",
    )  # fmt: skip
    parser.add_argument(
        "--unknown", metavar="NAME", nargs="+", action="extend", default=[],
        help="what a record need not say, and is looked for: a state variable, event or argument",
    )  # fmt: skip
    parser.add_argument(
        "--deal", metavar="FILE",
        help="with --unknown: write the legal games to FILE, with what was found filled in",
    )  # fmt: skip
    add_limit(parser)
    add_distribution(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Replays all files and reports on what is wrong."""
    if STDIN in options.traces and (options.cluster or options.shard):
        raise RefusalError("standard input cannot be split", "name files instead of `-`")
    checked = read_spec(options.spec)
    unknown = _unknown(checked, options)
    tally = _Tally(unknown)
    stopped: str | None = None
    with (
        Progress(sys.stderr) as progress,
        results_file(options.results) as rows,
        _deals_file(options.deal) as deal,
    ):
        try:
            [pieces] = answers(FilesWork(options.traces))

            def heard(games: int) -> None:
                games += tally.counts["games"]
                progress.say(f"replaying: {counted(games, 'game')} so far")

            rows_wanted = options.results is not None
            work = ReplayWork(checked, pieces, options.strict, rows_wanted, heard, unknown)
            for found in answers(work):
                rows.add(tally.add(found))
                deal(found.deals)
                heard(0)
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
        closing=tally.closing() + ("" if stopped is None else f"\nnot all was replayed: {stopped}"),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


@contextmanager
def _deals_file(file: str | None) -> Iterator[Callable[[Sequence[str]], None]]:
    """Where the lines of games go whose unknown parts were found, if somebody named a file."""
    if file is None:
        yield lambda lines: None
        return
    try:
        with whole_file(Path(file)) as stream:
            yield lambda lines: stream.writelines(f"{each}\n" for each in lines)
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise RefusalError(f"`{file}` cannot be written: {reason}", "name another file") from error


def _unknown(checked: LoadedSpec, options: Namespace) -> list[str]:
    """The names of what is unknown, all of which there are."""
    unknown = [name for each in options.unknown for name in each.split(",") if name]
    if options.deal is not None and not unknown:
        raise RefusalError("`--deal` writes down what was unknown", "add --unknown NAME")
    if unknown:
        from rulewright.simulate.unknown.names import check_names

        assert checked.spec is not None
        try:
            check_names(checked.spec, unknown)
        except UsageError as error:
            raise RefusalError(error.message, error.help or "") from None
    return unknown


class _Tally:
    """What was found so far; only games that are wrong are kept, and not too many of them."""

    def __init__(self, unknown: Sequence[str]) -> None:
        self._unknown = unknown
        self.counts: Counter[str] = Counter()
        self.clauses: Counter[str] = Counter()
        """How many games broke a clause with their first illegal event."""
        self.results: list[Result] = []
        self.diagnostics: list[Diagnostic] = []
        self.exits = {HOLDS}
        self._file: str | None = None
        self._lines = 0
        """Those of this file that were in the pieces before."""

    def add(self, piece: PieceSummary) -> list[dict[str, Any]]:
        """Adds the games of a piece; its rows, with the lines as the whole file has them."""
        if piece.file != self._file:
            self._file, self._lines = piece.file, 0
        notices = list(piece.notices)
        for number, each in enumerate(piece.wrong):
            while notices and notices[0]["before"] <= number:
                self._notice(piece.file, notices.pop(0))
            self._wrong(piece.file, each)
        for each in notices:
            self._notice(piece.file, each)
        counts = piece.counts
        self.exits |= {FAILS} if counts["illegal"] else set()
        self.exits |= {UNUSABLE} if counts["unreadable"] else set()
        self.exits |= {UNDECIDED} if counts["undecided"] else set()
        rows = [self._placed(each) for each in piece.rows]
        self.counts.update(counts)
        self.clauses.update(piece.clauses)
        self._lines += counts["lines"]
        return rows

    def _placed(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """A game with its lines as the whole file has them."""
        found = dict(data)
        for key in ("game", "line"):
            if found[key] is not None:
                found[key] += self._lines
        return found

    def _notice(self, file: str, each: Mapping[str, Any]) -> None:
        self._say(file, each["line"] + self._lines, "RW512", "warning", each)

    def _wrong(self, file: str, each: Mapping[str, Any]) -> None:
        if len(self.results) >= MOST_SHOWN:
            return
        data = self._placed(each["data"])
        code, exit = _GRAVITY.get(data["verdict"], ("RW511", FAILS))
        self._say(file, data["line"], code, "warning" if exit == UNDECIDED else "error", each)
        shown = (self.diagnostics[-1],)
        status = STATUS[exit]
        self.results.append(Result(file, status, data, (), shown))

    def _say(self, file: str, line: int, code: str, severity: str, said: Mapping[str, Any]) -> None:
        if len(self.diagnostics) < 2 * MOST_SHOWN:
            message = f"line {line}: {said['message']}"
            self.diagnostics.append(
                Diagnostic(file, line, 1, line, 1, code, severity, message, said["help"])
            )

    def summary(self) -> dict[str, object]:
        counts = self.counts
        return {
            "games": counts["games"],
            "legal": self._legal(),
            "illegal": counts["illegal"],
            "unreadable": counts["unreadable"],
            "finished": counts["finished"],
            "events": counts["events"],
            "clauses": dict(self._by_clause()),
            **({"unknown": self._unknown, "undecided": counts["undecided"]}
               if self._unknown else {}),
        }  # fmt: skip

    def _legal(self) -> int:
        counts = self.counts
        return counts["games"] - sum(counts[e] for e in ("illegal", "unreadable", "undecided"))

    def _by_clause(self) -> list[tuple[str, int]]:
        """The clauses that were broken, those most often broken first."""
        return sorted(self.clauses.items(), key=lambda each: (-each[1], each[0]))

    def _fine(self) -> str:
        names = ", ".join(f"`{each}`" for each in self._unknown)
        return f"all legal for some values of {names}" if names else "all legal"

    def closing(self) -> str:
        counts = self.counts
        wrong = (
            (counts["illegal"] - counts["elsewhere"], "illegal"),
            (counts["elsewhere"], "not as recorded"),
            (counts["unreadable"], "unreadable"),
            (counts["undecided"], "not decided"),
        )
        parts = [f"{number} {what}" for number, what in wrong if number]
        hidden = counts["games"] - self._legal() - len(self.results)
        if hidden > 0:
            parts.append(f"{hidden} of them not shown")
        games, events = counted(counts["games"], "game"), counted(counts["events"], "event")
        said = f"replayed {games}, {events}: {', '.join(parts) or self._fine()}"
        broken_off = counts["games"] - counts["finished"] - counts["unreadable"]
        broken_off -= counts["illegal"] + counts["undecided"]
        if broken_off > 0:
            said += f"\n{counted(broken_off, 'legal game')} of these broke off before the end"
        if counts["illegal"] > 1 and self.clauses:
            broken = (f"{name} {many}" for name, many in self._by_clause())
            said += f"\nby clause: {', '.join(broken)}"
        return said
