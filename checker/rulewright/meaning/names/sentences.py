"""Sentences with places for values, as text: `name {t} and guess {guess}`."""

from __future__ import annotations

import re
from collections.abc import Mapping

PLACE = re.compile(r"\{([^\W\d]\w*)\}")
"""A name in braces."""


def plain(text: str) -> str:
    """The sentence with the names themselves."""
    return PLACE.sub(lambda place: place[1].replace("_", " "), text)


def with_values(text: str, words: Mapping[str, str]) -> str:
    """The sentence with what the names stand for; one that is not told stays a name."""
    return plain(PLACE.sub(lambda place: words.get(place[1], place[0]), text))
