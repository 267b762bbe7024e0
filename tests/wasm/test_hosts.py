"""The same module gives the same numbers in Node as in wasmtime, where there is a Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
from pathlib import Path

import pytest

from checker.wasm.game import Game
from tests.play.games import game

SCRIPT = Path(__file__).parent / "same.mjs"
GAMES = 30


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
@pytest.mark.parametrize("name", ["qwixx", "twenty_one", "pig", "kubbar"])
def test_node_plays_the_same_games(name: str, tmp_path: Path):
    many = 2 if name == "kubbar" else GAMES
    compiled = Game(game(name, 3), watched=True)
    path = tmp_path / "game.wasm"
    path.write_bytes(compiled.compiled.binary())
    playing, memory = compiled.compiled.playing, compiled.running.memory
    starts = bytes(memory[playing.starts : playing.starts + _starts(compiled)])
    compiled.play(many, seed=11)
    memory = compiled.running.memory
    size = playing.record * many
    setup = {
        "reset": [[playing.starts, b64encode(starts).decode()]],
        "play": [0, many, 11, 100_000],
        "from": playing.records,
        "bytes": size,
    }
    written = tmp_path / "setup.json"
    written.write_text(json.dumps(setup))
    ran = subprocess.run(
        ["node", str(SCRIPT), str(path), str(written)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    said = json.loads(ran.stdout)
    expected = b64encode(bytes(memory[playing.records : playing.records + size])).decode()
    assert said == {"failure": 0, "found": expected}


def _starts(compiled: Game) -> int:
    return compiled.compiled.playing.start_count * compiled.layout.size
