"""Mutations of specs, as text: small changes that keep most of what makes a spec interesting.

Lines are dropped, doubled and moved, operators swapped, numbers changed, names exchanged. What is
changed are small games written by hand (`fuzz/seeds`) and specs made at random.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

from fuzz.generate.properties import HONEST, chosen, without_broken
from rulewright.frontend import check_text

SEEDS = Path(__file__).parent.parent / "seeds"
NEW_VERSION = "# ---- the new version\n"
"""Between two versions of a game that stand in one file."""
TRIES = 8
"""Mutations that are tried until one can be used."""
SWAPS = (
    ("<=", "<"), ("<", "<="), (">=", ">"), (">", ">="), ("==", "!="), ("!=", "=="),
    (" and ", " or "), (" or ", " and "), (" and ", " implies "), ("all ", "some "),
    ("some ", "all "), ("count ", "sum "), ("min", "max"), ("max", "min"), ("+=", "-="),
    ("-=", "+="), (" + ", " - "), (" - ", " + "), ("left_of", "right_of"), ("true", "false"),
    ("false", "true"), ("== none", "!= none"), ("+= 1", "+= 2"), (" in ", " not in "),
    ("always", "invariant"), ("invariant", "always"),
)  # fmt: skip


def mutated(seed: int) -> str:
    """The mutation with this number."""
    random = Random(seed)
    seeds = hand_written()
    if seeds and random.random() < 0.75:
        base = random.choice(seeds)
    else:
        base = chosen(random.randrange(1 << 30))[0]
    found = changed(base, random)
    return without_broken(found) if random.random() < HONEST else found


def changed(text: str, random: Random) -> str:
    """A text with one to three changes that can still be used, if one is found soon."""
    for _ in range(TRIES):
        candidate = text
        for _ in range(random.choice((1, 1, 2, 3))):
            candidate = _change(candidate, random)
        if candidate != text and check_text("fuzz.rules", candidate).spec is not None:
            return candidate
    return text


@cache
def _written() -> dict[str, str | None]:
    """The games written by hand, each with its new version, if there is one."""
    found: dict[str, str | None] = {}
    for path in sorted(SEEDS.glob("*.rules")):
        old, _, new = path.read_text(encoding="utf-8").partition(NEW_VERSION)
        found[old] = new or None
    return found


def hand_written() -> list[str]:
    """The games written by hand."""
    return list(_written())


def new_version(text: str) -> str | None:
    """How a game written by hand is changed by hand, None for others."""
    return _written().get(text)


def _change(text: str, random: Random) -> str:
    return random.choice((_swap, _swap, _swap, _drop, _drop, _number, _number, _move, _double,
                          _exchange, _exchange))(text, random)  # fmt: skip


def _swap(text: str, random: Random) -> str:
    """One operator or word for another."""
    ways = [(old, new) for old, new in SWAPS if old in text]
    if not ways:
        return text
    old, new = random.choice(ways)
    places = [match.start() for match in re.finditer(re.escape(old), text)]
    at = random.choice(places)
    return text[:at] + new + text[at + len(old) :]


def _drop(text: str, random: Random) -> str:
    """Leaves out a line with what is below it."""
    lines = text.split("\n")
    ways = [block for block in _blocks(lines) if block[0] > 1]
    if not ways:
        return text
    start, end = random.choice(ways)
    return "\n".join(lines[:start] + lines[end:])


def _number(text: str, random: Random) -> str:
    """One number for another near it."""
    places = list(re.finditer(r"(?<![\w\"])\d+\b", text))
    if not places:
        return text
    match = random.choice(places)
    value = max(0, int(match[0]) + random.choice((-1, 1)))
    return text[: match.start()] + str(value) + text[match.end() :]


def _move(text: str, random: Random) -> str:
    """Two declarations, or two lines of one, change places."""
    lines = text.split("\n")
    blocks = [block for block in _blocks(lines) if block[0] > 1]
    ways = [
        (one, other) for one, other in pairwise(blocks)
        if one[1] == other[0] and _indent(lines[one[0]]) == _indent(lines[other[0]])
    ]  # fmt: skip
    if not ways:
        return text
    (start, middle), (_, end) = random.choice(ways)
    return "\n".join(lines[:start] + lines[middle:end] + lines[start:middle] + lines[end:])


def _double(text: str, random: Random) -> str:
    """A move, chance event or step once more, under another name."""
    lines = text.split("\n")
    ways = [b for b in _blocks(lines) if re.match(r"(move|chance|step) \w+", lines[b[0]])]
    if not ways:
        return text
    start, end = random.choice(ways)
    copy = lines[start:end]
    copy[0] = re.sub(r"^(\w+) (\w+)", r"\1 \2_too", copy[0])
    return "\n".join(lines[:end] + copy + lines[end:])


def _exchange(text: str, random: Random) -> str:
    """One name for another of the text, at one place."""
    places = [m for m in re.finditer(r"(?<=[ (\[])[a-z]\w*(?=[ )\],\n])", text) if m[0] != "in"]
    if len(places) < 2:
        return text
    one, other = random.choice(places), random.choice(places)
    return text[: one.start()] + other[0] + text[one.end() :]


def _blocks(lines: list[str]) -> list[tuple[int, int]]:
    """Each line with all that is indented below it."""
    found = []
    for start, line in enumerate(lines):
        if line.strip():
            end = start + 1
            while end < len(lines) and lines[end].strip() and _indent(lines[end]) > _indent(line):
                end += 1
            found.append((start, end))
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
