"""Node and a browser, to run scripts in where there are any."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.patience import PATIENCE

NODE = shutil.which("node")
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_node = pytest.mark.skipif(NODE is None, reason="there is no Node here")
needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="there is no browser here: apt-get install chromium"
)
KINDS = {".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json"}
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""Scripts of the server and WebAssembly run; text never does."""
PAGE = b'<!doctype html><title>test</title><script type="module" src="/page.mjs"></script>'


class Server(ThreadingHTTPServer):
    """Shows a page to a browser and waits for what it says."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {"/": PAGE, **files}
        self.said: Any = None
        self.answered = Event()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        content = self.server.files.get(self.path)
        self.send_response(404 if content is None else 200)
        kind = KINDS.get(Path(self.path).suffix, "text/html; charset=utf-8")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(content or b"")

    def do_POST(self) -> None:
        self.server.said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.answered.set()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def in_browser(files: Mapping[str, bytes], profile: Path) -> Any:
    """What a browser says that opens a page with the script `/page.mjs` among these files: the JSON
    it posts to `/`."""
    with Server(files) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen(
            [str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            assert server.answered.wait(PATIENCE)
        finally:
            browser.terminate()
            browser.wait(PATIENCE)
            server.shutdown()
    return server.said
