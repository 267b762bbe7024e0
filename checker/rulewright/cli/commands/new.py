"""Starts a game: writes a spec, an engine and a test, a small dice game to change into yours.

NAME.rules is the spec, NAME_engine.py an engine in Python, and test_NAME.py a test that compares
the two.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import HOLDS
from rulewright.cli.output.named_files import write_new
from rulewright.resources import SUFFIX

FOLDER = Path(__file__).parent.parent / "templates"
HEAD = 'game starter "Starter"'
"""The line of the starter that holds its names."""
TEST = '''"""The engine plays by the rules: a test for each example, requirement and some games."""

from pathlib import Path

import pytest
from starter_engine import Engine

SPEC = Path(__file__).with_name("starter.rules")


@pytest.mark.rulewright(spec=str(SPEC), engine=Engine, games=20)
def test_engine(rulewright_case):
    rulewright_case()
'''


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
    files = starter(name)
    for path in files:
        if path.exists():
            raise RefusalError(f"`{path}` is already there", "choose another name")
    for path, text in files.items():
        try:
            write_new(path, text)
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            raise RefusalError(f"cannot write `{path}`: {reason}", "try another folder") from error
    spec, engine, test = files
    sys.stdout.write(
        f"wrote {spec}, {engine} and {test}\n"
        "now change them, and see:\n"
        f"  rulewright check {spec}\n"
        f"  rulewright conform {spec} python:{engine.stem}:Engine\n"
        f"  pytest {test}\n"
    )
    return HOLDS


def starter(name: str) -> dict[Path, str]:
    """The starter with a game's name in it: the spec, the engine, the test."""
    title = name.replace("_", " ").strip().capitalize() or name
    spec = (FOLDER / "starter.rules").read_text(encoding="utf-8")
    engine = (FOLDER / "starter_engine.py").read_text(encoding="utf-8")
    return {
        Path(name + SUFFIX): spec.replace(HEAD, f'game {name} "{title}"', 1),
        Path(f"{name}_engine.py"): engine.replace("starter", name),
        Path(f"test_{name}.py"): TEST.replace("starter", name),
    }
