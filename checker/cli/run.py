"""Plays games at random and says how they went.

Every game is checked: invariants and `always` properties after each transition, ranges, and that
something can happen until the game is over. Before each event near misses of it are tried, with the
mover or some arguments changed at random; a requirement has decided where it alone refuses one.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random, SystemRandom

from checker.cli.exits import FAILS, HOLDS, UNDECIDED
from checker.cli.options import add_format, add_limit, add_players, add_readings, add_variant
from checker.cli.outcome import STATUS, counted
from checker.cli.playing import open_game, read_spec
from checker.cli.progress import Progress
from checker.cli.refusal import RefusalError
from checker.cli.specs import report_on
from checker.front import Checked
from checker.message import Diagnostic, Messages, Text
from checker.play.compiled import Machine
from checker.play.errors import EvaluationError, UsageError
from checker.play.random_play import LONGEST, play_watched
from checker.play.recording import Recorder, recorder
from checker.play.statistics import Statistics, spread
from checker.report.emit import emit
from checker.report.record import Result
from checker.stopping import StoppedError

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
    add_format(parser)


def run(options: Namespace) -> int:
    """Plays, counts and reports."""
    if options.states and not options.trace:
        raise RefusalError("`--states` says what `--trace` records", "add `--trace FILE`")
    checked = read_spec(options.spec)
    assert checked.spec is not None
    seed = SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    numbers = options.players or range(checked.spec.least, checked.spec.most + 1)
    played: list[Statistics] = []
    stopped: str | None = None
    try:
        with Progress(sys.stderr) as progress, _opened(options, checked) as record:
            try:
                for players in numbers:
                    instance = open_game(checked, players, options.readings, options.variant)
                    played.append(Statistics(Machine(instance, checked.text)))
                    _play(played[-1], options, seed, progress, record)
                    if options.stop and played[-1].faults:
                        break
            except StoppedError as end:
                stopped = end.why
    except (UsageError, EvaluationError) as error:
        help = getattr(error, "help", None)
        raise RefusalError(error.message, help or "see `rulewright run --help`") from error
    results = [result_of(each, checked, seed) for each in played if each.games]
    games, faults = sum(each.games for each in played), sum(len(each.faults) for each in played)
    went = f"{faults} went wrong" if faults else "all as the rules have it"
    if stopped is not None:
        asked = options.games * len(numbers)
        went += f"\nnot all of {counted(asked, 'game')} were played: {stopped}"
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


def _play(
    played: Statistics, options: Namespace, seed: int, progress: Progress, record: Recorder | None
) -> None:
    """All games with one number of players."""
    machine = played.machine
    instance = machine.instance
    random = Random(f"{seed}/{instance.players}")
    for number in range(1, options.games + 1):
        progress.say(
            f"playing {instance.spec.name} with {instance.players}: {number} of {options.games}"
        )
        heard = None if record is None else record.game(machine)
        played.add(play_watched(machine, random, played.counts, heard, options.longest))
        if options.stop and played.faults:
            break


def result_of(played: Statistics, checked: Checked, seed: int) -> Result:
    """How the games with one number of players went."""
    instance = played.machine.instance
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
    yield "  requirements, by how often one alone refused a near miss"
    yield from _columns(played.counts.decided)
    yield ""


def _columns(counts: Mapping[str, int]) -> Iterator[str]:
    wide = max(map(len, counts), default=0)
    for name, count in counts.items():
        yield f"    {name:<{wide}}  {count:>8}"


def _diagnostics(played: Statistics, checked: Checked, seed: int) -> Iterator[Diagnostic]:
    """What went wrong, at the line of the spec that says how it should be."""
    players = played.machine.instance.players
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
def _opened(options: Namespace, checked: Checked) -> Iterator[Recorder | None]:
    """Where the games are recorded, if anywhere."""
    file = options.trace
    if file is None:
        yield None
        return
    try:
        with open(file, "w", encoding="utf-8") as stream:
            record = recorder(stream, file, checked, options.states)
            yield record
            record.close()
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise RefusalError(
            f"`{file}` cannot be written: {reason}", "name another file for the trace"
        ) from error


def whole(text: str) -> int:
    """A number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"`{text}` is not a number from 1 on")
    return int(text)
