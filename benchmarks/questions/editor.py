"""How much work a keystroke is for the language server, and the questions an editor asks.

The server runs as an editor starts it. A letter is typed at the end of the first line of a
declaration and deleted again; the CPU time of the server's process is divided by the number of
keystrokes. The goals: 60 ms for Kubbar (2,300 lines), 25 ms for Qwixx. A full look is what follows
when typing pauses, with the symbols, colours and lenses that an editor asks for then.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness.measure import ROOT, Row, skipped
from tests.lsp.client import Client

KEYSTROKES = 40
GAMES = ("qwixx", "kubbar")
PLACES = ("fun", "move", "example", "clause")
ASKED_AFTER_A_PAUSE = (
    "textDocument/semanticTokens/full", "textDocument/documentSymbol", "textDocument/codeLens",
    "textDocument/foldingRange",
)  # fmt: skip


def questions(quick: bool) -> Iterator[Row]:
    """CPU time of a keystroke, by game and by what is edited; and of a full look."""
    if not Path("/proc/self/stat").exists():
        yield skipped("a keystroke", "rulewright lsp", "CPU time is read from /proc")
        return
    for game in GAMES[: 1 if quick else None]:
        yield from _game(game, 1 if quick else 5)


def _game(game: str, runs: int) -> Iterator[Row]:
    source = (ROOT / "spec" / f"{game}.rules").read_text("utf-8")
    lines = source.split("\n")
    with Client() as client:
        uri = client.open(source)
        client.shown(uri)
        for kind in PLACES:
            found = [at for at, line in enumerate(lines) if line.startswith(f"{kind} ")]
            line = found[len(found) // 2]
            values = tuple(_keystrokes(client, uri, line, len(lines[line])) for _ in range(runs))
            yield Row(f"a keystroke in {game}", f"in a `{kind}`", "ms", values)
        yield Row(
            f"a keystroke in {game}", "a full look, with all that is asked", "ms",
            tuple(_full(client, uri) for _ in range(runs)),
        )  # fmt: skip
        client.close()


def _keystrokes(client: Client, uri: str, line: int, character: int) -> float:
    """Milliseconds of CPU for one keystroke, on average."""
    before = _cpu(client.process.pid)
    for _ in range(KEYSTROKES // 2):
        client.type(uri, line, character, "x")
        client.shown(uri)
        client.type(uri, line, character, "", delete=1)
        client.shown(uri)
    return (_cpu(client.process.pid) - before) / KEYSTROKES * 1000


def _full(client: Client, uri: str) -> float:
    """Milliseconds of CPU for a full look at a text that has changed, and what is asked then."""
    times = 4
    spent = 0.0
    for at in range(times):
        client.type(uri, 0, 0, "# " if at % 2 == 0 else "", delete=2 * (at % 2))
        client.shown(uri)
        before = _cpu(client.process.pid)
        for method in ASKED_AFTER_A_PAUSE:
            client.about(uri, method)
        spent += _cpu(client.process.pid) - before
    return spent / times * 1000


def _cpu(process: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
