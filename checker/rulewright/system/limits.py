"""How large a thing may be, and how to let it be larger: one table, which a page of the docs shows.

A spec may come from anybody, and a few lines of it can ask for more than any machine has. Whatever
would be too large is refused with a message that names the bound. Who runs the program can raise
one, `RULEWRIGHT_BOUNDS=cells=500000,errors=1000`; a spec cannot.
"""

from __future__ import annotations

import os

from rulewright.syntax.node import Node

VARIABLE = "RULEWRIGHT_BOUNDS"


class Bound(Node):
    """A bound by its name: how much is allowed, and of what."""

    name: str
    most: int
    what: str


BOUNDS = {
    each.name: each
    for each in (
        Bound("bytes", 4_000_000, "bytes of a spec, or of a translation"),
        Bound("nesting", 150, "levels of nested expressions"),
        Bound("digits", 100, "digits of a number that the rules can compute"),
        Bound("values", 1_000_000, "values of a type that is used as an index, as the element of a "
              "set or bag, as a parameter, or in a quantifier"),
        Bound("members", 4_096, "combinations of the field values of a case"),
        Bound("choices", 10_000_000, "combinations of the parameters of a move without `propose`"),
        Bound("entries", 1_000_000, "entries of a map, for all its indices together"),
        Bound("cells", 100_000, "cells of a table"),
        Bound("players", 12, "players of a game"),
        Bound("errors", 200, "diagnostics of one file"),
        Bound("steps", 10_000, "steps that follow one event"),
        Bound("memory", 0, "megabytes for each process, on Linux; 0 means half of the machine's "
              "memory for the program itself and an equal share for each proof process, at least "
              "1024"),
    )
}  # fmt: skip


def most(name: str) -> int:
    """How much of something is allowed, here and now."""
    return raised().get(name, BOUNDS[name].most)


def how_to_raise(name: str) -> str:
    """What to do for somebody who means it: the help of a diagnostic."""
    return (
        f"there may be at most {most(name):,} {BOUNDS[name].what}; "
        f"to raise this bound, set {VARIABLE}={name}=N"
    )


def raised() -> dict[str, int]:
    """The bounds that somebody has set; what is not understood counts for nothing."""
    found = {}
    for each in os.environ.get(VARIABLE, "").split(","):
        name, _, number = each.strip().partition("=")
        if name in BOUNDS and number.isascii() and number.isdigit() and len(number) < 19:
            found[name] = int(number)
    return found
