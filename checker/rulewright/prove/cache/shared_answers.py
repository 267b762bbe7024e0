"""Answers of one run: what one of its processes was answered, the others need not ask again.

A question has one answer, whoever asks it and whenever: it depends on the text and on how much may
be done for it. So answers are shared by what was asked, and nothing but time depends on who was
first. They lie in memory that the processes of a run have in common, one line for each answer, and
are gone with the last of them. Where processes cannot have that, each keeps its own.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any

LONGEST, MOST = 1 << 16, 1 << 25
"""Bytes of one answer, and of all, that are shared; the rest is asked by whoever wants it."""


class SharedAnswers:
    """Answers by what was asked. Processes that were forked from this one have them too."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._known: dict[str, bytes] = {}
        self._shared = _shared_memory()
        self._seen = 0

    def __del__(self) -> None:
        if self._shared is not None:
            os.close(self._shared)

    def get(self, key: str) -> Any:
        """The answer under a key, None if nobody of this run had one yet."""
        if key not in self._known:
            self.catch_up()
        written = self._known.get(key)
        try:
            return None if written is None else json.loads(written)
        except ValueError:  # whoever wrote it was ended on the way
            return None

    def put(self, key: str, answer: dict[str, Any]) -> None:
        """Tells the processes of this run of an answer."""
        written = self._known[key] = json.dumps(answer, separators=(",", ":")).encode()
        line = b"\n%s\t%s\n" % (key.encode(), written)
        if self._shared is not None and len(line) <= self._longest and self._seen < MOST:
            with suppress(OSError):  # no room: then the others ask for themselves
                os.write(self._shared, line)  # whole and at the end, whoever else writes

    def catch_up(self) -> None:
        """Reads what others were answered since."""
        while self._shared is not None:
            fresh = os.pread(self._shared, 16 * LONGEST, self._seen)
            whole = fresh[: fresh.rfind(b"\n") + 1]
            if not whole:
                return
            self._seen += len(whole)
            for line in whole.split(b"\n"):
                key, told, written = line.partition(b"\t")
                if told:
                    self._known.setdefault(key.decode(), written)


def _shared_memory() -> int | None:
    """A file without a name that is written to at its end."""
    if sys.platform != "linux":
        return None
    import fcntl

    try:
        found = os.memfd_create("answers")
    except OSError:
        return None
    fcntl.fcntl(found, fcntl.F_SETFL, fcntl.fcntl(found, fcntl.F_GETFL) | os.O_APPEND)
    return found
