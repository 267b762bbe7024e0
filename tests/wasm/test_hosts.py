"""The same module gives the same numbers in Node and in a browser as in wasmtime, where there are
any."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from checker.wasm.game import Game
from tests.play.games import game

SCRIPT = Path(__file__).parent / "same.mjs"
NODE = shutil.which("node")
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
GAMES = {"qwixx": 30, "twenty_one": 30, "pig": 30, "kubbar": 2}
PAGE = """<!doctype html><script type="module">
%s
const { binary, ...setup } = %s
const said = JSON.stringify(await play(decoded(binary), setup))
await fetch('/', { method: 'POST', body: said })
</script>"""
PATIENCE = 60
"""Seconds; a browser that has not answered by then is given up."""


class Server(ThreadingHTTPServer):
    """Shows a page to a browser and waits for what it says."""

    def __init__(self, page: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.page = page.encode()
        self.said: Any = None
        self.answered = Event()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.page)

    def do_POST(self) -> None:
        self.server.said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.answered.set()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def played(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What another host needs to play some games, and what came of them here."""
    many = GAMES[name]
    compiled = Game(game(name, 3), watched=True, parts=frozenset(("play",)))
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


def _bytes(compiled: Game, at: int, size: int) -> bytes:
    return bytes(compiled.running.memory[at : at + size])


@pytest.mark.skipif(NODE is None, reason="there is no Node here")
@pytest.mark.parametrize("name", GAMES)
def test_node_plays_the_same_games(name: str, tmp_path: Path):
    setup, expected = played(name)
    written = tmp_path / "setup.json"
    written.write_text(json.dumps(setup))
    ran = subprocess.run(
        [str(NODE), str(SCRIPT), str(written)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert json.loads(ran.stdout) == expected


@pytest.mark.skipif(BROWSER is None, reason="there is no browser here: apt-get install chromium")
def test_a_browser_plays_the_same_games(tmp_path: Path):
    setup, expected = played("qwixx")
    script = SCRIPT.read_text().partition("if (typeof process")[0].replace("export ", "")
    with Server(PAGE % (script, json.dumps(setup))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen(
            [str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={tmp_path / 'profile'}",
             f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            assert server.answered.wait(PATIENCE)
        finally:
            browser.terminate()
            browser.wait(PATIENCE)
            server.shutdown()
    assert server.said == expected
