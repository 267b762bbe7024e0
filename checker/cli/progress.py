"""Says on a terminal what is being worked on, and says nothing anywhere else."""

from __future__ import annotations

from typing import TextIO


class Progress:
    """One line that is written over; leaving the `with` block wipes it away."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = self._stream.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._write("")

    def say(self, doing: str) -> None:
        """What is being done now, such as `proving qwixx: 12 of 80`."""
        self._write(doing)

    def _write(self, text: str) -> None:
        if self._shown:
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
