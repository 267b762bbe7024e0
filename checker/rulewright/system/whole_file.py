"""Reads a file as a whole, if it is not too large for that.

What a folder holds may come from anybody: a link to a device has no size, and never ends. So the
size is seen while reading.
"""

from __future__ import annotations

from os import PathLike


class TooLargeError(OSError):
    """The file has more bytes than it may have."""

    def __init__(self) -> None:
        super().__init__(0, "it is too large")


def whole(path: str | PathLike[str], most: int) -> bytes:
    """The bytes of a file; raises a TooLargeError where there are more than `most`."""
    with open(path, "rb", buffering=0) as file:
        found = bytearray()
        while block := file.read(min(1 << 20, most + 1 - len(found))):
            found += block
            if len(found) > most:
                raise TooLargeError
        return bytes(found)


def whole_text(path: str | PathLike[str], most: int) -> str:
    """The same as text in UTF-8."""
    return whole(path, most).decode("utf-8")
