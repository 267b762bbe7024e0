"""What a mutant is."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A piece of the spec, what it is changed to, and the properties that break by it. `also` are
    further changes, which break none of them, for the sake of short games."""

    old: str
    new: str
    breaks: tuple[str, ...]
    also: tuple[tuple[str, str], ...] = ()
    players: int = 2

    def apply(self, text: str) -> str:
        """The text of the spec, changed."""
        for old, new in ((self.old, self.new), *self.also):
            assert old in text, old
            text = text.replace(old, new)
        return text
