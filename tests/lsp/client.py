"""A small editor: speaks the protocol with the server over its standard input and output."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE
from tests.schemas import errors


class ServerGoneError(Exception):
    """The server ended, or said nothing for too long."""


class Client:
    """One session with a server. Texts are kept as an editor keeps them."""

    def __init__(self, root: Path | None = None, **options: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulewright", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )
        self._number = 0
        self._versions: dict[str, int] = {}
        self._heard: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.errors: list[str] = []
        self.notes: list[dict[str, Any]] = []
        """Notifications in the order they came, diagnostics left out."""
        self.diagnostics: dict[str, dict[str, Any]] = {}
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._errors, daemon=True).start()
        capabilities = {
            "workspace": {"codeLens": {"refreshSupport": True}},
            "window": {"showDocument": {"support": True}},
        }
        folder = root.as_uri() if root else None
        self.capabilities = self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder,
                "capabilities": capabilities,
                "initializationOptions": options,
                "workspaceFolders": [{"uri": folder, "name": "root"}] if folder else None,
            },
        )["capabilities"]
        self.tell("initialized", {})

    # ---- the protocol

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request; raises what the server calls an error."""
        answer = self.answer(method, params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        """The whole answer to a request."""
        self._number += 1
        mine = self._number
        self._send({"id": mine, "method": method, "params": params})
        while True:
            heard = self._next()
            if heard.get("id") == mine and "method" not in heard:
                return heard

    def wait(self, method: str) -> dict[str, Any]:
        """Waits for a notification or request of the server."""
        for at, each in enumerate(self.notes):
            if each["method"] == method:
                return self.notes.pop(at)
        while True:
            heard = self._next()
            if heard.get("method") == method and method != "textDocument/publishDiagnostics":
                self.notes.remove(heard)
                return heard

    def shown(self, uri: str, version: int | None = None, settled: bool = False) -> list[Any]:
        """The diagnostics of a version of a file; `settled` waits for those after a pause."""
        version = self._versions[uri] if version is None else version
        seen = 0
        while True:
            known = self.diagnostics.get(uri)
            if known is not None and known.get("version") == version:
                seen = known["count"]
                if not settled or seen > 1:
                    return list(known["diagnostics"])
            self._next()

    def _next(self) -> dict[str, Any]:
        try:
            heard = self._heard.get(timeout=PATIENCE)
        except queue.Empty as error:
            raise ServerGoneError("the server says nothing") from error
        if heard is None:
            raise ServerGoneError(f"the server is gone: {''.join(self.errors)[-2000:]}")
        if heard.get("method") == "textDocument/publishDiagnostics":
            params = heard["params"]
            known = self.diagnostics.get(params["uri"], {})
            again = known.get("version") == params.get("version")
            count = known.get("count", 0) + 1 if again else 1
            self.diagnostics[params["uri"]] = {**params, "count": count}
        elif "method" in heard:
            self.notes.append(heard)
            if "id" in heard:
                shows = heard["method"] == "window/showDocument"
                self._send({"id": heard["id"], "result": {"success": True} if shows else None})
        return heard

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.decode().partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            if not length:
                self._heard.put(None)
                return
            self._heard.put(json.loads(stream.read(length)))

    def _errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace"))

    # ---- files

    def open(self, text: str, uri: str = "file:///tmp/game.rules") -> str:
        self._versions[uri] = 1
        document = {"uri": uri, "languageId": "rules", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, *changes: dict[str, Any]) -> int:
        """Sends changes; the new version."""
        self._versions[uri] += 1
        version = self._versions[uri]
        self.tell(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )
        return version

    def type(self, uri: str, line: int, character: int, text: str, delete: int = 0) -> int:
        """Types at a place, after deleting some characters behind it."""
        place = {
            "start": {"line": line, "character": character},
            "end": {"line": line, "character": character + delete},
        }
        return self.change(uri, {"range": place, "text": text})

    def at(self, uri: str, method: str, line: int, character: int, **more: Any) -> Any:
        """The answer to a request about a position."""
        return self.ask(method, self.place(uri, line, character, **more))

    @staticmethod
    def place(uri: str, line: int, character: int, **more: Any) -> dict[str, Any]:
        position = {"line": line, "character": character}
        return {"textDocument": {"uri": uri}, "position": position, **more}

    def about(self, uri: str, method: str, **more: Any) -> Any:
        """The answer to a request about a file."""
        return self.ask(method, {"textDocument": {"uri": uri}, **more})

    def command(self, command: str, *arguments: Any) -> Any:
        """What a command of the server answers, known to fit its schema."""
        answer = self.ask(
            "workspace/executeCommand", {"command": command, "arguments": list(arguments)}
        )
        assert errors(f"editor#/$defs/{command}", answer) == []
        return answer

    def close(self) -> int:
        """Ends the session as an editor does; the exit code of the server."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
