"""Stashes large HTML before Markdown and restores it after: pictures and listed games are thousands
of tags, which Markdown, MkDocs and the search index would each read through, and nobody searches
for what they say.

Each is taken out of a page before it is read, a number left in its place, and put back when the
page is otherwise done.
"""

from __future__ import annotations

import re

_LONG = re.compile(r'<svg class="rw-picture .*?</svg>|<ol class="rw-game">.*?</ol>')
_PLACE = re.compile(r'<span data-rw-aside="([0-9]+)"></span>')


class HtmlStash:
    """What is not on the pages of a site yet."""

    def __init__(self) -> None:
        self._taken: list[str] = []

    def take_out(self, text: str) -> str:
        """The text with a place for each picture and game."""

        def place(match: re.Match[str]) -> str:
            self._taken.append(match[0])
            return f'<span data-rw-aside="{len(self._taken) - 1}"></span>'

        return _LONG.sub(place, text)

    def put_back(self, text: str) -> str:
        """The text with all that was taken out of it. A place that a page made up has nothing."""

        def taken(match: re.Match[str]) -> str:
            number = match[1]
            known = len(number) <= len(str(len(self._taken))) and int(number) < len(self._taken)
            return self._taken[int(number)] if known else match[0]

        return _PLACE.sub(taken, text)
