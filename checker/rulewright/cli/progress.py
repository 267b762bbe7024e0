"""Says what is being worked on, on a terminal; in a log there is nothing to be written over."""

from __future__ import annotations

from typing import TextIO

from rulewright.hidden_characters import in_line, plain
from rulewright.report.emit import COLLECTED


class Progress:
    """One line that is written over; leaving the `with` block wipes it away."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._alone = COLLECTED.get() is None
        self._shown = self._stream.isatty() and self._alone

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.say("")

    def say(self, doing: str) -> None:
        """What is being done now, such as `proving qwixx: 12 of 80`."""
        if self._shown:
            self._stream.write(f"\r\x1b[K{in_line(doing)}")
            self._stream.flush()

    def note(self, found: str) -> None:
        """What was found on the way; it stays, in a log, too."""
        if self._alone:
            self.say("")
            self._stream.write(f"{plain(in_line(found))}\n")
            self._stream.flush()
