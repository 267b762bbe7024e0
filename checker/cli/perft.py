"""Counts the lines of play from the start of a game, depth by depth.

Two programs that play by the same rules count the same. Chance decides by the seed, once in each
position; with --every-outcome all that chance can decide is counted instead.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from time import perf_counter

from checker.cli.exits import HOLDS, UNDECIDED
from checker.cli.options import add_format, add_limit, add_readings, add_variant, players
from checker.cli.outcome import counted
from checker.cli.playing import open_game, read_spec
from checker.cli.progress import Progress
from checker.cli.refusal import RefusalError
from checker.cli.run import whole
from checker.cli.specs import report_on
from checker.play.compiled import Machine
from checker.play.errors import EvaluationError, UsageError
from checker.play.perft import Level, perft
from checker.report.emit import emit
from checker.report.record import Cell, Result, Table
from checker.stopping import StoppedError

SHORT_OF = 2
"""So many events fewer are counted first."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `perft`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument("--depth", type=whole, required=True, metavar="N", help="how many events")
    parser.add_argument("--players", type=players, metavar="N", help="with how many players")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="what chance follows from (default: 1)"
    )
    parser.add_argument(
        "--every-outcome", action="store_true", help="count all outcomes of chance, not one"
    )
    add_readings(parser)
    add_variant(parser)
    add_limit(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Counts and reports."""
    checked = read_spec(options.spec)
    number = options.players[0] if options.players else None
    instance = open_game(checked, number, options.readings, options.variant)
    seed = None if options.every_outcome else options.seed
    began = perf_counter()
    levels: list[Level] = []
    stopped: str | None = None
    try:
        with Progress(sys.stderr) as progress:
            machine = Machine(instance, checked.text)
            # what a run that is ended before its time has counted by then, at little cost
            for depth in (max(1, options.depth - SHORT_OF), options.depth):
                progress.say(f"counting {instance.spec.name} to depth {depth}")
                levels = perft(machine, machine.begin(), depth, seed)
    except StoppedError as end:
        stopped = end.why
    except UsageError as error:
        raise RefusalError(error.message, error.help or "see `rulewright perft --help`") from error
    except EvaluationError as error:
        raise RefusalError(
            f"the rules give up: {error.message}", "`rulewright run` shows where"
        ) from error
    if not levels:
        assert stopped is not None
        raise StoppedError(stopped)
    lines = levels[-1].lines
    chance = "every outcome of chance" if seed is None else f"seed {seed}"
    report = report_on(
        "perft",
        [checked],
        results=[Result(f"depth {each.depth}", "holds", _data(each)) for each in levels],
        summary={
            "players": instance.players,
            "readings": instance.readings,
            "variant": instance.spec.variant,
            "seed": seed,
            "depth": levels[-1].depth,
            "lines": lines,
            "seconds": round(perf_counter() - began, 3),
            **({} if stopped is None else {"stopped": stopped}),
        },
        exit=HOLDS if stopped is None else UNDECIDED,
        table=_table(levels),
        closing=f"{instance.spec.name} with {instance.players}, {chance}: "
        f"{counted(lines, 'line')} of play to depth {levels[-1].depth}"
        + ("" if stopped is None else f"\nnot counted to depth {options.depth}: {stopped}"),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def _data(level: Level) -> dict[str, object]:
    return {
        "depth": level.depth,
        "lines": level.lines,
        "finished": level.finished,
        "stuck": level.stuck,
        "events": dict(level.events),
    }


def _table(levels: list[Level]) -> Table:
    names = sum((each.events for each in levels), Counter[str]())
    headings = ("depth", "lines", "finished", "stuck", *names)
    rows = tuple(
        tuple(
            Cell(str(number))
            for number in (
                each.depth, each.lines, each.finished, each.stuck,
                *(each.events[name] for name in names),
            )
        )
        for each in levels
    )  # fmt: skip
    return Table(headings, rows)
