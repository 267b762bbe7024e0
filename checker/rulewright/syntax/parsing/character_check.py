"""Refuses a spec that holds characters nobody sees.

What is reviewed must be what is read: a character that turns the direction of writing shows code in
another order than it has, a carriage return hides what stands before it in many a terminal, and two
names may look the same where one holds a character without width. A tab is let through in a
comment, where it is what it looks like.
"""

from __future__ import annotations

import re

from rulewright.diagnostics import Messages, Suggestion
from rulewright.hidden_characters import HIDDEN, named
from rulewright.syntax.node import Span

_STRING_OR_COMMENT = re.compile(r'"[^"\n]*"|#')
MOST = 20
"""Of more than so many in a file, the rest is counted in one line."""


def refuse_hidden(text: str, messages: Messages, start: int = 0, end: int | None = None) -> None:
    """Reports each hidden character of a text, or of a part of it, where it stands."""
    end = len(text) if end is None else end
    part = text[start:end]
    if part.isascii() and part.replace("\n", "").isprintable():
        return
    count = 0
    for found in HIDDEN.finditer(text, start, end):
        if found.group() == "\t" and (
            _in_comment(text, found.start()) or _indents(text, found.start())
        ):
            continue
        count += 1
        if count <= MOST:
            messages.error(
                "RW015", Span(found.start(), found.end()),
                f"{named(found.group())} cannot stand in a spec, for nobody sees it",
                Suggestion("use spaces instead of it", " ")
                if found.group() == "\t"
                else Suggestion("remove it", ""),
            )  # fmt: skip
        last = found
    if count > MOST:
        messages.error(
            "RW015", Span(last.start(), last.end()),
            f"{count - MOST} more such characters stand up to here", "remove them",
        )  # fmt: skip


def indenting_tab(text: str, start: int, end: int) -> Span | None:
    """Where a line is first indented with a tab: the beginning of that line, up to its last tab."""
    position = text.find("\t", start, end)
    while position >= 0:
        if _indents(text, position):
            begin = text.rfind("\n", 0, position) + 1
            while text[position + 1 : position + 2] in ("\t", " ") and position + 1 < end:
                position += 1
            while text[position] != "\t":
                position -= 1
            return Span(begin, position + 1)
        position = text.find("\t", position + 1, end)
    return None


def _indents(text: str, offset: int) -> bool:
    """Whether nothing but space stands before a place on its line."""
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip()


def _in_comment(text: str, offset: int) -> bool:
    """Whether a place is in a comment: after a `#` on its line that is not in quotes."""
    begin, end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    whole = _STRING_OR_COMMENT.finditer(text, begin, end if end >= 0 else len(text))
    return any(each.group() == "#" and each.start() < offset for each in whole)
