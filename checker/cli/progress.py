"""Says what is being worked on: on a terminal at every moment, in a log now and then."""

from __future__ import annotations

from time import monotonic
from typing import TextIO

SELDOM = 30.0
"""Seconds between two lines of a log."""


class Progress:
    """One line that is written over; leaving the `with` block wipes it away. Where lines cannot be
    written over, a new one after a while."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = self._stream.isatty()
        self._said = monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._write("")

    def say(self, doing: str) -> None:
        """What is being done now, such as `proving qwixx: 12 of 80`."""
        self._write(doing)
        if not self._shown and monotonic() - self._said > SELDOM:
            self._said = monotonic()
            self._stream.write(f"{doing}\n")
            self._stream.flush()

    def _write(self, text: str) -> None:
        if self._shown:
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
