"""How much room a text takes on a terminal, in columns: tabs, wide letters, accents that take none.
And numbers with their nouns."""

from __future__ import annotations

from rulewright.hidden_characters import visible

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


def counted(number: int, noun: str) -> str:
    """`1 word`, `2 words`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
