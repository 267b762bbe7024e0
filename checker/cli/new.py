"""Starts a spec: writes NAME.rules, a small dice game with comments, to change into yours."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from checker.cli.exits import HOLDS
from checker.cli.refusal import RefusalError
from checker.cli.writing import write_new
from checker.resources import SUFFIX

STARTER = Path(__file__).with_name("starter.rules")
HEAD = 'game starter "Starter"'
"""The line of the starter that holds its names."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `new`."""
    parser.add_argument(
        "name", metavar="NAME", help="what the game is called: letters, digits and _"
    )


def run(options: Namespace) -> int:
    """Writes the starter under its new name, unless that would overwrite something."""
    name: str = options.name
    if name.endswith(SUFFIX):
        raise RefusalError(
            f"`{name}` is a file name, not a name", f"say `rulewright new {Path(name).stem}`"
        )
    if not name.isidentifier():
        raise RefusalError(
            f"`{name}` cannot name a game",
            "use letters, digits and _, and begin with a letter",
        )
    path = Path(name + SUFFIX)
    try:
        write_new(path, starter(name))
    except FileExistsError as error:
        raise RefusalError(f"`{path}` is already there", "choose another name") from error
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise RefusalError(f"cannot write `{path}`: {reason}", "try another folder") from error
    sys.stdout.write(f"wrote {path}\nnow change it, and see: rulewright check {path}\n")
    return HOLDS


def starter(name: str) -> str:
    """The starter spec with a game's name in it."""
    title = name.replace("_", " ").strip().capitalize() or name
    return STARTER.read_text(encoding="utf-8").replace(HEAD, f'game {name} "{title}"', 1)
