"""The commands there are, as the help lists them: by what one wants to do.

Each is the module `rulewright.cli.commands.NAME` with `configure(parser)` and `run(options) ->
int`. This table is all that is imported to show the help, which is why it is made of plain strings.
"""

from __future__ import annotations

COMMANDS: dict[str, dict[str, str]] = {
    "the main job": {
        "verify": "check, play and prove specs, in one table; without one, the bundled games",
    },
    "write rules": {
        "new": "write a small spec, engine and test to start from",
        "check": "syntax, types, lints and clause evidence",
        "fmt": "format files",
        "lsp": "the language server, for editors",
    },
    "play them": {
        "test": "play the worked examples of the rulebook",
        "run": "play random games, check them and print statistics",
        "replay": "check recorded games: where one is illegal, and by which clause",
        "why": "why a move is refused in a position, or what it changes",
        "perft": "count the lines of play, depth by depth",
    },
    "prove them": {
        "prove": "prove what holds in every game, and find a game where something does not",
        "evidence": "break every rule on purpose: does a property or an example notice?",
    },
    "change them": {
        "diff": "what a rule change does: stricter, looser or different, with a game",
        "readings": "where the answers to an open question differ, or a proof that they never do",
    },
    "test engines against them": {
        "conform": "compare an engine with a spec: where they differ, and which clause",
        "vectors": "test vectors for the tests of an engine",
    },
    "split the work": {
        "merge": "put the parts of a run together that `--shard` has split",
    },
    "publish them": {
        "docs": "write the pages of a rulebook, with pictures and what is proved",
        "rulebook": "typeset a rulebook for print, with a quick reference and sheets",
        "translate": "keep the translations of a rulebook: what is missing, what is stale",
    },
}
"""What one wants to do -> command -> what it does, in a line."""


def summaries() -> dict[str, str]:
    """Every command and what it does."""
    return {name: text for group in COMMANDS.values() for name, text in group.items()}
