"""The commands there are, as the help lists them: by what one wants to do.

Each is the module `checker.cli.NAME` with `configure(parser)` and `run(options) -> int`. This
table is all that is imported to show the help, which is why it is made of plain strings.
"""

from __future__ import annotations

COMMANDS: dict[str, dict[str, str]] = {
    "the main job": {
        "verify": "everything there is to verify about specs; without one, the bundled games",
    },
    "write rules": {
        "new": "start a spec: a small dice game to change into yours",
        "check": "syntax, types, lints and clause evidence",
        "fmt": "put files into the canonical layout",
    },
    "play them": {
        "test": "play the worked examples of the rulebook",
        "run": "play games at random, checked and counted",
        "replay": "check recorded games: where one is illegal, and by which clause",
        "why": "why a move is refused in a position, or what it will change",
        "perft": "count the lines of play, depth by depth",
    },
    "prove them": {
        "prove": "what holds in every game, and a game where something does not",
    },
    "change them": {
        "diff": "what a rule change does: stricter, looser, changed, with a game",
        "readings": "where the readings of an open question part, or a proof that they never do",
    },
    "hold engines to them": {
        "conform": "play an engine and a spec side by side: where they part, and which clause",
        "vectors": "positions and moves that show mistakes, for the tests of an engine",
    },
    "publish them": {
        "docs": "the pages of a rulebook, with its pictures and what is proved",
    },
}
"""What one wants to do -> command -> what it does, in a line."""


def summaries() -> dict[str, str]:
    """Every command and what it does."""
    return {name: text for group in COMMANDS.values() for name, text in group.items()}
