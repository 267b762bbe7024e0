"""Refuses a spec that holds characters nobody sees.

What is reviewed must be what is read: a character that turns the direction of writing shows code in
another order than it has, a carriage return hides what stands before it in many a terminal, and two
names may look the same where one holds a character without width. A tab is let through in a
comment, where it is what it looks like.
"""

from __future__ import annotations

import re

from checker.characters import HIDDEN, named
from checker.message import Messages
from checker.syntax.node import Span

_STRING_OR_COMMENT = re.compile(r'"[^"\n]*"|#')
MOST = 20
"""Of more than so many in a file, the rest is counted in one line."""


def refuse_hidden(text: str, messages: Messages) -> None:
    """Reports each hidden character where it stands."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return
    count = 0
    for found in HIDDEN.finditer(text):
        if found.group() == "\t" and _in_comment(text, found.start()):
            continue
        count += 1
        if count <= MOST:
            messages.error(
                "RW015", Span(found.start(), found.end()),
                f"{named(found.group())} cannot stand in a spec, for nobody sees it",
                "use spaces instead of it" if found.group() == "\t" else "remove it",
            )  # fmt: skip
        last = found
    if count > MOST:
        messages.error(
            "RW015", Span(last.start(), last.end()),
            f"{count - MOST} more such characters stand up to here", "remove them",
        )  # fmt: skip


def _in_comment(text: str, offset: int) -> bool:
    """Whether a place is in a comment: after a `#` on its line that is not in quotes."""
    begin, end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    whole = _STRING_OR_COMMENT.finditer(text, begin, end if end >= 0 else len(text))
    return any(each.group() == "#" and each.start() < offset for each in whole)
