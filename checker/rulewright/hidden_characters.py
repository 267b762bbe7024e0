"""Characters that nobody sees: what steers a terminal, turns the direction of writing, or is empty.

A spec may not hold them, for what is read must be all that is there; what is shown to people (the
answers of an engine, the name of a file, an old spec) has a mark in their place. Line ends are left
to whoever knows whether there may be one.
"""

from __future__ import annotations

import re

HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f"  # control characters, but for the line end
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # take no room, or only that of a space
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0"
    "\ud800-\udfff"  # halves of characters
    "\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff"  # no characters at all
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
MARK = "\ufffd"
_COMMAND = re.compile(r"^(\s*)::", re.MULTILINE)
"""How GitHub's workflow commands begin."""


def visible(text: str) -> str:
    """The text with a mark for every hidden character; line ends stay."""
    return text if text.isprintable() else HIDDEN.sub(MARK, text)


def in_line(text: str) -> str:
    """The text on one line: a mark for line ends, too."""
    return visible(text).replace("\n", MARK)


def plain(text: str) -> str:
    """Text of somebody else as it may stand in a terminal and in the log of a build: it cannot
    steer the one, nor give a command to the other (which begins a line with `::`)."""
    return without_old_commands(_COMMAND.sub(r"\1: :", visible(text)))


def without_old_commands(text: str) -> str:
    """Text without what once began a command for a build, anywhere in a line; as wide as before."""
    return text.replace("##[", f"##{MARK}")


def named(character: str) -> str:
    """What a hidden character is called: `U+202E`, or by what it does where people know that."""
    known = {"\t": "a tab", "\r": "a carriage return", "\x1b": "an escape character"}
    return known.get(character, f"the character U+{ord(character):04X}")
