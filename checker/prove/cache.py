"""Remembers answers by what was asked and by which edition of the program it was answered.

An entry is one small file of JSON with a hash of itself; one that does not fit its hash is thrown
away, and a folder that cannot be written is no reason to stop.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from checker.prove.edition import edition
from checker.smt.solver import Answer


class Cache:
    """Answers under a folder, None for no folder at all. Whoever asks from other parts of the
    program than proofs do names them."""

    def __init__(self, folder: Path | None, *parts: str) -> None:
        self._folder = folder
        self._parts = parts

    def get(self, key: str) -> Answer | None:
        """The answer to a question asked before."""
        found = self.load(key)
        if found is None:
            return None
        return Answer(found["result"], None, tuple(found["core"]), found["model"])

    def put(self, key: str, answer: Answer) -> None:
        self.save(key, {"result": answer.result, "core": answer.core, "model": answer.model})

    def load(self, key: str) -> Any:
        """What was kept under a key, None if there is nothing or it is damaged."""
        path = self._path(key)
        if path is None:
            return None
        try:
            digest, _, body = path.read_text("utf-8").partition("\n")
        except (OSError, UnicodeDecodeError):
            return None
        if sha256(body.encode()).hexdigest() == digest:
            return json.loads(body)
        with suppress(OSError):
            path.unlink()
        return None

    def save(self, key: str, content: Any) -> None:
        """Keeps something under a key, whole or not at all."""
        path = self._path(key)
        if path is None:
            return
        body = json.dumps(content)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with open(handle, "w", encoding="utf-8") as file:
                file.write(sha256(body.encode()).hexdigest() + "\n" + body)
            os.replace(temporary, path)
        except OSError:
            return

    def _path(self, key: str) -> Path | None:
        if self._folder is None:
            return None
        name = sha256(f"{edition(*self._parts)} {key}".encode()).hexdigest()
        return self._folder / name[:2] / name[2:]
