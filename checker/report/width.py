"""How many columns of a terminal a text takes: tabs, wide letters, accents that take no room.

Also makes text safe to show: a control character in somebody's file must not steer a terminal.
"""

from __future__ import annotations

TAB = 4


def lay_out(line: str) -> tuple[str, list[int]]:
    """A line as a terminal can show it, and the column where each of its characters begins.

    The list has one more entry than the line has characters: where the line ends.
    """
    shown: list[str] = []
    columns = [0]
    for character in line:
        at = columns[-1]
        if character == "\t":
            room = TAB - at % TAB
            shown.append(" " * room)
        else:
            character = visible(character)
            room = width_of(character)
            shown.append(character)
        columns.append(at + room)
    return "".join(shown), columns


def width(text: str) -> int:
    """The columns that a text without tabs takes."""
    return len(text) if text.isascii() else sum(map(width_of, text))


def width_of(character: str) -> int:
    """The columns that a character takes: 0, 1 or 2."""
    if character.isascii():
        return 1
    import unicodedata

    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def visible(text: str) -> str:
    """The text with every control character but the line end shown as a replacement mark."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if _controls(each) else each for each in text)


def _controls(character: str) -> bool:
    """Whether a terminal would act on it: C0, C1, and marks that change the writing direction."""
    if character == "\n":
        return False
    return (
        character < " "
        or "\x7f" <= character <= "\x9f"
        or "\u202a" <= character <= "\u202e"
        or "\u2066" <= character <= "\u2069"
    )
