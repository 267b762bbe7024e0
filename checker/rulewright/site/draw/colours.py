"""Colours of pieces, dice and rows: which names are colours, and how they are shown.

A colour is never the only signal: each has a letter, and whatever is painted shows it too.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.meaning import types as y
from rulewright.syntax.node import Node, replace

NEUTRAL = "currentColor"


class PaintedColour(Node):
    """How a colour is painted: as a tint of so much strength, with a letter to tell it by."""

    name: str
    paint: str
    strength: float
    letter: str


INKS = {
    each.name: each
    for each in (
        PaintedColour("red", "#e53935", 0.32, "r"),
        PaintedColour("yellow", "#fbc02d", 0.42, "y"),
        PaintedColour("green", "#43a047", 0.34, "g"),
        PaintedColour("blue", "#1e88e5", 0.34, "b"),
        PaintedColour("white", "#ffffff", 0.22, "w"),
        PaintedColour("black", "#000000", 0.28, "k"),
        PaintedColour("orange", "#fb8c00", 0.36, "o"),
        PaintedColour("purple", "#8e24aa", 0.34, "p"),
        PaintedColour("brown", "#6d4c41", 0.4, "n"),
        PaintedColour("pink", "#ec407a", 0.32, "i"),
        PaintedColour("grey", "#757575", 0.36, "e"),
    )
}

SQUARES = ("#1e88e5", "#e53935", "#43a047", "#fbc02d", "#8e24aa", "#fb8c00", "#6d4c41", "#ec407a")
"""Tints for the kinds of squares on a board, which all bear a sign as well."""


def is_palette(type: y.Type) -> bool:
    """Whether the values of a type are colours."""
    return isinstance(type, y.Enum) and bool(type.members) and set(type.members) <= set(INKS)


def colour_of(value: object) -> PaintedColour | None:
    """The colour that a value names."""
    return INKS.get(value) if isinstance(value, str) else None


def letter_of(ink: PaintedColour, say: Callable[[str], str] = str) -> str:
    """The letter to tell a colour by, or as few letters of its name as it takes, where it has
    another name in the reader's language."""
    names = {each: say(each) for each in INKS}
    told = {each: name for each, name in names.items() if name and name != each}
    if ink.name not in told:
        return ink.letter
    own = told.pop(ink.name).lower()
    others = [each.lower() for each in told.values()]
    for long in range(1, len(own)):
        if not any(each.startswith(own[:long]) for each in others):
            return own[:long]
    return own


def lettered(ink: PaintedColour, say: Callable[[str], str] = str) -> PaintedColour:
    """A colour with its letter in the reader's language."""
    return replace(ink, letter=letter_of(ink, say))


def key_to(inks: list[PaintedColour], say: Callable[[str], str] = str) -> str:
    """Which letter stands for which colour: `r red, y yellow`."""
    return ", ".join(f"{letter_of(each, say)} {say(each.name)}" for each in dict.fromkeys(inks))
