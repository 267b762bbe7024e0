"""The options that commands share, each with one name, one meaning and one way to refuse."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from rulewright.hidden_characters import plain
from rulewright.report.emit import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

WIDTH = 88
"""Of the help. Asking the terminal would cost every command the import of `shutil`."""
LONGEST_WAIT = 86_400
"""Seconds."""
MOST_WORTH = 900
"""Seconds' worth of work for one question."""


class Parser(argparse.ArgumentParser):
    """Refuses in the words of this program, and takes no abbreviations."""

    def __init__(self, prog: str, description: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            allow_abbrev=False,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=WIDTH),
        )

    def error(self, message: str) -> NoReturn:
        """Says what is wrong with the arguments and ends with exit code 2."""
        message = message.replace("'", "`")
        help = f"`{self.prog} --help` shows how it is used"
        left_over = message.partition("unrecognized arguments: ")[2]
        if left_over and not left_over.startswith("-"):
            help += "; what is one argument and has blanks in it goes in quotes"
        sys.stderr.write(f"error: {plain(message)}\nhelp: {help}\n")
        raise SystemExit(2)


def add_specs(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    """One or more SPECs; if `optional`, none stands for the bundled games."""
    parser.add_argument(
        "specs",
        metavar="SPEC",
        nargs="*" if optional else "+",
        help="a `.rules` file, or the bare name of a bundled game",
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """--format: who is going to read the findings."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="full",
        help="how to show what was found: full for people (the default), concise for one line "
        "each, json, junit, github or sarif for programs",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """--language: in which language the spec speaks to readers."""
    parser.add_argument(
        "--language", default="en", metavar="TAG",
        help="the language of the readers, such as is or nb; the spec needs a catalogue of it, "
        "which `rulewright translate` makes",
    )  # fmt: skip


def add_players(parser: argparse.ArgumentParser) -> None:
    """--players: a number of players, or from..to."""
    parser.add_argument(
        "--players",
        type=players,
        metavar="N|A..B",
        help="with how many players; without it, all numbers that the game allows",
    )


def add_readings(parser: argparse.ArgumentParser) -> None:
    """--reading: how to take an open question of the rulebook; once per question."""
    parser.add_argument(
        "--reading",
        dest="readings",
        action=_Reading,
        default={},
        metavar="R=OPTION",
        help="take the open question R as OPTION says; may be given once per question",
    )


def add_variant(parser: argparse.ArgumentParser) -> None:
    """--variant: which variant of the game, if any."""
    parser.add_argument("--variant", metavar="V", help="play by variant V of the game")


def add_timeout(parser: argparse.ArgumentParser, default: float, what: str) -> None:
    """--timeout: how much is done for something before it is given up; `what` says what that is.
    It is counted work (see `budget`), so the same is given up on every machine."""
    parser.add_argument(
        "--timeout", type=worth, default=default, metavar="S",
        help=f"work worth about so many seconds {what} ({default:g})",
    )  # fmt: skip


def add_patience(parser: argparse.ArgumentParser, default: float) -> None:
    """--timeout: how long an engine may take for an answer, by the clock."""
    parser.add_argument(
        "--timeout", type=seconds, default=default, metavar="S",
        help=f"seconds that the engine may take for an answer ({default:g})",
    )  # fmt: skip


def add_limit(parser: argparse.ArgumentParser) -> None:
    """--limit: how long everything may take; `run_command` sees to it."""
    parser.add_argument(
        "--limit", type=seconds, metavar="S",
        help="seconds for everything, by the clock; what is decided by then is told and kept",
    )  # fmt: skip


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """--cluster: who does the work; `run_command` sees to it."""
    parser.add_argument(
        "--cluster", metavar="ADDRESS",
        help="have the work done by a Dask cluster: the address of its scheduler, a scheduler "
        "file, or `local` for one on this machine",
    )  # fmt: skip


def add_distribution(parser: argparse.ArgumentParser) -> None:
    """--cluster and --shard: for commands whose work can be split."""
    add_cluster(parser)
    parser.add_argument(
        "--shard", type=shard, metavar="I/N",
        help="do only part I of N, with --format json; `rulewright merge` puts the parts together",
    )  # fmt: skip


def shard(text: str) -> tuple[int, int]:
    """`3/8`: which shard of how many."""
    number, slash, of = text.partition("/")
    if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(f"`{text}` is not a shard like 3/8")
    return int(number), int(of)


def seconds(text: str) -> float:
    """A time that somebody is willing to wait: more than nothing and at most a day."""
    return _up_to(text, LONGEST_WAIT, "a day")


def worth(text: str) -> float:
    """Work, by the seconds that it takes about; more than nothing and at most a quarter hour, for a
    solver counts no further."""
    return _up_to(text, MOST_WORTH, str(MOST_WORTH))


def _up_to(text: str, most: float, said: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= most:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds up to {said}")
    return found


def players(text: str) -> range:
    """`3` or `2..4` as the numbers of players it names."""
    low, dots, high = text.partition("..")
    try:
        first = int(low)
        last = int(high) if dots else first
    except ValueError:
        first = last = 0
    if not 1 <= first <= last:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of players like 3 or 2..4")
    return range(first, last + 1)


class _Reading(argparse.Action):
    """Collects R=OPTION pairs and refuses two answers to one question."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        reading, equals, option = str(values).partition("=")
        if not (reading and equals and option):
            parser.error(f"argument --reading: `{values}` is not of the form R=OPTION")
        chosen: dict[str, str] = getattr(namespace, self.dest)
        if chosen.get(reading, option) != option:
            parser.error(
                f"argument --reading: `{reading}` is both `{chosen[reading]}` and `{option}`"
            )
        setattr(namespace, self.dest, {**chosen, reading: option})
