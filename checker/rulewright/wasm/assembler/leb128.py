"""Whole numbers as WebAssembly writes them: seven bits to a byte, the lowest first."""

from __future__ import annotations

_SMALL = [bytes((number,)) for number in range(128)]


def unsigned(number: int) -> bytes:
    """LEB128."""
    if 0 <= number < 128:
        return _SMALL[number]
    out = bytearray()
    while True:
        byte = number & 0x7F
        number >>= 7
        if not number:
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def signed(number: int) -> bytes:
    """LEB128 with a sign."""
    out = bytearray()
    while True:
        byte = number & 0x7F
        number >>= 7
        if (number == 0 and not byte & 0x40) or (number == -1 and byte & 0x40):
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)
