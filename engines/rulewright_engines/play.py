"""Plays games between strategies, and is the program behind every engine.

`python -m rulewright_engines.qwixx` speaks the protocol on stdin and stdout;
`python -m rulewright_engines.qwixx --play --players 3 --seed 1` plays one game and prints it.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeAlias, TypeVar

from rulewright_engines.engine import Engine, Event, IllegalError
from rulewright_engines.protocol import serve

E = TypeVar("E", bound=Engine)
Strategy: TypeAlias = Callable[[E, int, Random], Event | None]
"""Chooses a move for a player who may act; None if there is none."""


def at_random(game: Engine, player: int, rng: Random) -> Event | None:
    """Any of the moves that the engine lists for the player."""
    moves = [event for event in game.legal() if event["by"] == player]
    return rng.choice(moves) if moves else None


def played(game: E, strategy: Strategy[E], rng: Random) -> Iterator[Event]:
    """Plays a game to its end, or to where the rules stand still, event by event; each has been
    applied when it is given out."""
    while game.phase != "over":
        event = game.roll(rng) or strategy(game, rng.choice(game.movers()), rng)
        if event is None:
            return
        game.apply(event)
        yield event


def main(kind: type[E], sensible: Strategy[E], arguments: Sequence[str] | None = None) -> int:
    """The program of an engine; the result is its exit code."""
    options = _parser(kind).parse_args(arguments)
    if not options.play:
        try:
            serve(kind(), sys.stdin.buffer, sys.stdout.buffer)
        except KeyboardInterrupt:
            pass
        except BrokenPipeError:
            # What could not be written would be tried again, and complained about, at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    seed = Random().randrange(10**6) if options.seed is None else options.seed
    try:
        game = kind(options.players, dict(options.reading), options.variant)
    except IllegalError as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        return 2
    print(f"{game.NAME}, {len(game.seats)} players, seed {seed}")
    for event in played(game, at_random if options.random else sensible, Random(seed)):
        print(line_of(event))
    for player, points in game.score().items():
        print(f"player {player}: {points}{' wins' if player in game.winners() else ''}")
    return 0


def line_of(event: Event) -> str:
    """An event as a line for people."""
    shown = ", ".join(f"{name} = {_plain(value)}" for name, value in event["args"].items())
    if "chance" in event:
        return f"        {event['chance']}({shown})"
    return f"  {event['by']} plays {event['move']}({shown})"


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return _plain([f"{key}: {_plain(each)}" for key, each in value.items()])
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    return "none" if value is None else str(value)


def _parser(kind: type[Engine]) -> ArgumentParser:
    parser = ArgumentParser(
        prog=f"python -m rulewright_engines.{kind.NAME}",
        description="Answers requests, one JSON object a line; with --play, plays a game.",
    )
    parser.add_argument("--play", action="store_true", help="play a game and print it")
    least, most = kind.PLAYERS[0], kind.PLAYERS[-1]
    how_many = f"{least} to {most} ({least})"
    parser.add_argument("--players", type=int, metavar="N", default=least, help=how_many)
    parser.add_argument("--seed", type=int, metavar="S", help="of the dice and the players")
    parser.add_argument("--random", action="store_true", help="any legal moves, not sensible ones")
    if kind.VARIANTS:
        parser.add_argument("--variant", choices=kind.VARIANTS, help="other rules than the usual")
    else:
        parser.set_defaults(variant=None)
    known = [f"{name}={'|'.join(options)}" for name, options in kind.READINGS.items()]
    parser.add_argument(
        "--reading",
        type=_reading,
        action="append",
        default=[],
        metavar="NAME=OPTION",
        help=f"how an open question is read, the usual way first: {', '.join(known)}",
    )
    return parser


def _reading(text: str) -> tuple[str, str]:
    name, found, option = text.partition("=")
    if not found:
        raise ArgumentTypeError("a reading is given as NAME=OPTION")
    return name, option
