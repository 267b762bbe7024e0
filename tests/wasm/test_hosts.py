"""The same module gives the same numbers in Node and in a browser as in wasmtime, where there are
any."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from rulewright.wasm.runtime.wasm_game import WasmGame
from tests.patience import PATIENCE
from tests.play.games import game
from tests.wasm.hosts import NODE, in_browser, needs_browser, needs_node

SCRIPT = Path(__file__).parent / "same.mjs"
GAMES = {"qwixx": 30, "twenty_one": 30, "pig": 30, "kubbar": 2}
PAGE = b"""
import { decoded, play } from '/same.mjs'
const { binary, ...setup } = await (await fetch('/setup.json')).json()
await fetch('/', { method: 'POST', body: JSON.stringify(await play(decoded(binary), setup)) })
"""


def played(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What another host needs to play some games, and what came of them here."""
    many = GAMES[name]
    compiled = WasmGame(game(name, 3), watched=True, parts=frozenset(("play",)))
    playing, size = compiled.compiled.playing, compiled.layout.size
    starts = _bytes(compiled, playing.starts, playing.start_count * size)
    compiled.play(many, seed=11)
    records = playing.record * many
    setup = {
        "binary": b64encode(compiled.compiled.binary()).decode(),
        "reset": [[playing.starts, b64encode(starts).decode()]],
        "play": [0, many, 11, 100_000],
        "from": playing.records,
        "bytes": records,
    }
    return setup, {"failure": 0, "found": _bytes(compiled, playing.records, records).hex()}


def _bytes(compiled: WasmGame, at: int, size: int) -> bytes:
    return bytes(compiled.running.memory[at : at + size])


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_node_plays_the_same_games(name: str, tmp_path: Path):
    setup, expected = played(name)
    written = tmp_path / "setup.json"
    written.write_text(json.dumps(setup))
    ran = subprocess.run(
        [str(NODE), str(SCRIPT), str(written)],
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert json.loads(ran.stdout) == expected


@needs_browser
def test_a_browser_plays_the_same_games(tmp_path: Path):
    setup, expected = played("qwixx")
    files = {
        "/page.mjs": PAGE,
        "/same.mjs": SCRIPT.read_bytes(),
        "/setup.json": json.dumps(setup).encode(),
    }
    assert in_browser(files, tmp_path / "profile") == expected
