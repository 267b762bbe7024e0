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
        "why": "why a move is refused in a position, or what it will change",
    },
}
"""What one wants to do -> command -> what it does, in a line."""


def summaries() -> dict[str, str]:
    """Every command and what it does."""
    return {name: text for group in COMMANDS.values() for name, text in group.items()}
