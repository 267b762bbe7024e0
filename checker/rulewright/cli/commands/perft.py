"""Counts the lines of play from the start of a game, depth by depth.

Two programs that implement the same rules get the same numbers. In each position the seed chooses
one outcome of chance; with --every-outcome all outcomes are counted.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from time import perf_counter

from rulewright.cli.commands.run import whole
from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import HOLDS, UNDECIDED
from rulewright.cli.exit_status import counted
from rulewright.cli.inputs.open_game import open_game, read_spec
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.options import add_format, add_limit, add_readings, add_variant, players
from rulewright.cli.progress import Progress
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.report.emit import emit
from rulewright.report.model import Cell, Result, Table
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.perft import perft, perft_by_turns
from rulewright.system.interrupts import StoppedError
from rulewright.wasm.runtime.game_results import Level


def configure(parser: ArgumentParser) -> None:
    """The arguments of `perft`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument(
        "--depth", type=whole, required=True, metavar="N", help="how many events, or turns"
    )
    parser.add_argument(
        "--turns",
        action="store_true",
        help="count by turns, not events: all that one player does until another can move",
    )
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
            game = CompiledGame(instance)
            # depth by depth, so that a run that is ended before its time has counted something
            count = perft_by_turns if options.turns else perft
            for depth in range(1, options.depth + 1):
                known = f", {levels[-1].lines:,} lines to depth {depth - 1}" if levels else ""
                progress.say(f"counting {instance.spec.name} to depth {depth}{known}")
                levels = count(game, game.begin(), depth, seed)
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
    unit = "turns" if options.turns else "events"
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
            "unit": unit,
            "depth": levels[-1].depth,
            "lines": lines,
            "seconds": round(perf_counter() - began, 3),
            **({} if stopped is None else {"stopped": stopped}),
        },
        exit=HOLDS if stopped is None else UNDECIDED,
        table=_table(levels),
        closing=f"{instance.spec.name} with {instance.players}, {chance}: "
        f"{counted(lines, 'line')} of play to depth {levels[-1].depth}"
        f"{' in turns' if options.turns else ''}"
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
