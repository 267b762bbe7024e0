"""Leads pictures round Markdown: what is drawn is thousands of tags, which Markdown, MkDocs and the
search index would each read through without anything to find in them.

A picture is taken out of a page before it is read, an empty one with a number in its place, and put
back when the page is otherwise done.
"""

from __future__ import annotations

import re

_PICTURE = re.compile(r'<svg class="rw-picture .*?</svg>')
_EMPTY = re.compile(r'<svg data-rw-picture="(\d+)"></svg>')


class Aside:
    """The pictures of a site that are not on their pages yet."""

    def __init__(self) -> None:
        self._pictures: list[str] = []

    def take_out(self, text: str) -> str:
        """The text with an empty picture for each."""

        def empty(match: re.Match[str]) -> str:
            self._pictures.append(match[0])
            return f'<svg data-rw-picture="{len(self._pictures) - 1}"></svg>'

        return _PICTURE.sub(empty, text)

    def put_back(self, text: str) -> str:
        """The text with all its pictures."""
        return _EMPTY.sub(lambda match: self._pictures[int(match[1])], text)
