"""Plays random games, checks them and prints statistics.

Each game is checked: invariants and `always` properties after each transition, ranges, and that
somebody can do something until the game is over. Before each event, near misses of it are tried,
with the player or some arguments changed at random. The statistics count for each requirement how
often it alone refused one.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from typing import IO

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import FAILS, HOLDS, UNDECIDED
from rulewright.cli.exit_status import STATUS, counted
from rulewright.cli.inputs.open_game import open_game, read_spec
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.options import (
    add_distribution,
    add_format,
    add_limit,
    add_players,
    add_readings,
    add_variant,
)
from rulewright.cli.output.named_files import output_file
from rulewright.cli.progress import Progress
from rulewright.diagnostics import Diagnostic, Messages, Text
from rulewright.distribute.backend import answers
from rulewright.frontend import LoadedSpec
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.simulate.statistics import Statistics, spread
from rulewright.simulate.tasks.play import PlayedGames, PlayWork
from rulewright.simulate.watched_games import LONGEST, EventCounts
from rulewright.system.interrupts import StoppedError

MOST_FAULTS = 5
"""So many games that went wrong are shown; the rest are counted."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `run`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument(
        "--games",
        type=whole,
        default=100,
        metavar="N",
        help="how many games for each number of players (default: 100)",
    )
    add_players(parser)
    parser.add_argument(
        "--seed", type=int, metavar="S", help="what all chance follows from; without it, any"
    )
    add_readings(parser)
    add_variant(parser)
    parser.add_argument(
        "--stop", action="store_true", help="play no more once a game has gone wrong"
    )
    parser.add_argument(
        "--no-checks",
        action="store_true",
        help="only play: look at no property and try no near misses, for speed",
    )
    parser.add_argument(
        "--longest",
        type=whole,
        default=LONGEST,
        metavar="N",
        help=f"give a game up after so many events (default: {LONGEST})",
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="record the games as JSON lines; the first one only, in the Informal Trace Format, "
        "if FILE ends in .itf.json",
    )
    parser.add_argument(
        "--states", action="store_true", help="record the state after each event, too"
    )
    add_limit(parser)
    add_distribution(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Plays, counts and reports."""
    if options.states and not options.trace:
        raise RefusalError("`--states` says what `--trace` records", "add `--trace FILE`")
    checked = read_spec(options.spec)
    assert checked.spec is not None
    if options.shard is not None and options.seed is None:
        raise RefusalError("all shards must play by one seed", "add `--seed S`")
    seed = SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    numbers = options.players or range(checked.spec.least, checked.spec.most + 1)
    instances = [open_game(checked, each, options.readings, options.variant) for each in numbers]
    work = PlayWork(
        checked, numbers, options.games, seed, options.longest, options.readings, options.variant,
        options.stop, options.trace, options.states, not options.no_checks,
    )  # fmt: skip
    played = {each.players: Statistics(each, EventCounts(each)) for each in instances}
    stopped: str | None = None
    with Progress(sys.stderr) as progress, _opened(options.trace) as trace:
        try:
            for found in answers(work):
                _add(found, played[found.players], trace)
                done = sum(each.games for each in played.values())
                progress.say(f"{work.title}: {done} of {counted(_asked(options, numbers), 'game')}")
                if options.stop and played[found.players].faults:
                    break
        except StoppedError as end:
            stopped = end.why
    results = [result_of(each, checked, seed) for each in played.values() if each.games]
    games = sum(each.games for each in played.values())
    faults = sum(len(each.faults) for each in played.values())
    unseen = "all to their end, nothing was checked" if options.no_checks else None
    went = f"{faults} went wrong" if faults else unseen or "all as the rules have it"
    if stopped is not None:
        asked = counted(_asked(options, numbers), "game")
        went += f"\nnot all of {asked} were played: {stopped}"
    report = report_on(
        "run",
        [checked],
        results=results,
        summary={
            "seed": seed,
            "games": games,
            "faults": faults,
            **({} if stopped is None else {"stopped": stopped}),
        },
        exit=FAILS if faults else HOLDS if stopped is None else UNDECIDED,
        found=[found for result in results for found in result.diagnostics],
        closing=f"played {counted(games, 'game')}, seed {seed}: {went}",
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def _asked(options: Namespace, numbers: Sequence[int]) -> int:
    games: int = options.games * len(numbers)
    return games


def _add(found: PlayedGames, played: Statistics, trace: IO[str] | None) -> None:
    """Adds some games to those of their number of players, and to the trace."""
    if found.refused is not None:
        message, help = found.refused
        raise RefusalError(message, help or "see `rulewright run --help`")
    for outcome in found.outcomes:
        played.add(outcome)
    found.add_to(played.counts)
    if trace is not None:
        trace.write(found.trace)


def result_of(played: Statistics, checked: LoadedSpec, seed: int) -> Result:
    """How the games with one number of players went."""
    instance = played.instance
    name = f"{instance.spec.name}, {counted(instance.players, 'player')}"
    found = tuple(_diagnostics(played, checked, seed))
    data: dict[str, object] = {
        "spec": checked.file,
        "players": instance.players,
        "readings": instance.readings,
        "variant": instance.spec.variant,
        "games": played.games,
        "finished": played.finished,
        "length": spread(played.lengths).data(),
        "scores": {str(player): each.data() for player, each in played.scores.items()} or None,
        "wins": played.wins and {str(player): won for player, won in played.wins.items()},
        "events": dict(played.counts.events),
        "proposed": dict(played.counts.proposed),
        "decided": dict(played.counts.decided),
        "faults": [
            {"game": number, "kind": each.kind, "message": each.message, "events": each.events}
            for number, each in played.faults
        ],
    }
    status = STATUS[FAILS if found else HOLDS]
    return Result(name, status, data, tuple(_lines(name, played)), found)


def _lines(name: str, played: Statistics) -> Iterator[str]:
    yield f"{name}: {played.finished} of {counted(played.games, 'game')} finished"
    yield f"  length    {spread(played.lengths)} events"
    for player, scores in played.scores.items():
        won = f"; won {played.wins[player]}" if played.wins is not None else ""
        yield f"  player {player}  {scores} points{won}"
    yield "  events"
    yield from _columns(played.counts.events)
    if played.counts.proposed:
        yield "  proposals, by how often a move came from one"
        yield from _columns(played.counts.proposed)
    if any(played.counts.decided.values()):
        yield "  requirements, by how often one alone refused a near miss"
        yield from _columns(played.counts.decided)
    yield ""


def _columns(counts: Mapping[str, int]) -> Iterator[str]:
    wide = max(map(len, counts), default=0)
    for name, count in counts.items():
        yield f"    {name:<{wide}}  {count:>8}"


def _diagnostics(played: Statistics, checked: LoadedSpec, seed: int) -> Iterator[Diagnostic]:
    """What went wrong, at the line of the spec that says how it should be."""
    players = played.instance.players
    for number, fault in played.faults[:MOST_FAULTS]:
        messages = Messages(checked.text or Text(checked.file, ""))
        where = f"game {number} with {counted(players, 'player')}, event {fault.events}"
        messages.error(
            "RW513",
            fault.span,
            f"{fault.message} ({where})",
            f"see it again with --players {players} --seed {seed}, recorded by --trace FILE",
        )
        yield messages.all[0]


@contextmanager
def _opened(file: str | None) -> Iterator[IO[str] | None]:
    """Where the games are recorded, if anywhere."""
    if file is None:
        yield None
        return
    with output_file(Path(file)) as stream:
        yield stream


def whole(text: str) -> int:
    """A number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"`{text}` is not a number from 1 on")
    return int(text)
