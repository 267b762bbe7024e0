"""The fixed words of a rulebook: all that is not from a spec. One table for each language; whoever
adds a language adds a table with the same keys."""

from __future__ import annotations

ENGLISH = {
    "players": "For {number} players.",
    "rules": "The rules of {title}",
    "play": "How to play {title}",
    "and": "and",
    "to": "to",
    "evidence": "Evidence",
    "contents": "Contents",
    "aim": "What it is about",
    "box": "What you need",
    "setup": "Setup",
    "turn": "A turn",
    "turn_diagram": "How a turn goes",
    "other_rules": "Further rules",
    "house_rules": "House rules: decide before you begin",
    "house_rules_why": "The rules leave these questions open. Agree on an answer before you play; "
    "the usual one is marked.",
    "usual": "usual",
    "variants": "Variants",
    "example": "Example",
    "not_allowed": "{who} may not {what}. The rule: {reason}.",
    "cannot_happen": "This cannot happen: {what}. The rule: {reason}.",
    "allowed": "{who} may {what}.",
    "before": "before",
    "after": "after",
    "refused": "not allowed",
    "a_sheet": "a sheet",
    "sheet_of": "{who}'s sheet",
    "dice": "dice",
    "one_die": "1 die",
    "many_dice": "{number} dice",
    "sheet_each": "a sheet for each player",
    "sheet_kinds": "a sheet for each player; there are {number} kinds",
    "pencils": "something to write with",
    "board_of": "a board of {width} by {height} squares",
    "tiles": "{number} tiles",
    "tiles_of_each": "{number} tiles: {copies} of each kind",
    "one_of_each": "one of each kind",
    "over": "the end",
    "reference": "{title} at a glance",
    "sheets": "Sheets",
    "points": "Points",
    "round": "Round",
    "total": "Total",
    "player": "Player {number}",
    "page_of": "{page} of {pages}",
}


class Wording:
    """The fixed words in one language."""

    def __init__(self, words: dict[str, str] = ENGLISH) -> None:
        self._words = words

    def __call__(self, key: str, **values: object) -> str:
        """The words for something, with these values put in."""
        return self._words[key].format(**values)

    def listed(self, words: list[str]) -> str:
        """`a, b and c`."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self('and')} {words[-1]}"

    def ranged(self, first: str, last: str) -> str:
        """`2 to 5`, or one of them if they are the same."""
        return first if first == last else f"{first} {self('to')} {last}"
