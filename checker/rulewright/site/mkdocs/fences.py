"""The blocks of rules in a page: each must be readable, unless it says that it is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from rulewright.diagnostics import Messages, Text, TooManyError
from rulewright.syntax.node import Node
from rulewright.syntax.parsing.parser import parse

_FENCE = re.compile(
    r"^(?P<open>``` *rules)(?![\w-])(?P<options>[^\n]*)\n(?P<body>.*?)^```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_ORIGIN = re.compile(r'^(``` *diff[^\n]*?) from="[^"\n]+"', re.MULTILINE)
"""What says from which file a difference is taken."""
BROKEN = " broken"


class UnreadableBlock(Node):
    """A block that cannot be read: the line of the page, and what is wrong there."""

    line: int
    message: str


def unreadable(page: str) -> Iterator[UnreadableBlock]:
    """What is wrong with the blocks of rules in a page."""
    for block in _FENCE.finditer(page):
        if BROKEN in block["options"]:
            continue
        messages = Messages(Text("page", block["body"]))
        with suppress(TooManyError):
            parse(block["body"], messages)
        first = page[: block.start("body")].count("\n")
        for found in messages.sorted():
            yield UnreadableBlock(first + found.line, found.message)


def without_notes(page: str) -> str:
    """The page without the words that are for us and not for Markdown."""
    plain = _FENCE.sub(lambda block: block[0].replace(BROKEN, "", 1), page)
    return _ORIGIN.sub(r"\1", plain)
