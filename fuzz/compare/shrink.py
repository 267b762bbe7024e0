"""Makes a spec small of which something false is said, as long as the same is still said.

The text is cut by its indentation: declarations first, then the lines inside them. Then expressions
are replaced by parts of themselves or by constants, and numbers by smaller ones. What can no longer
be read, or of which nothing false is said any more, is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

CONSTANTS = ("true", "false", "0", "1", "none", "{}")
GRIDS = ("2 x 2", "3 x 11", "6 x 6")
_NUMBER = re.compile(r"\b\d+\b")


def shrunk(text: str, still: Callable[[str], bool], most: int = 400) -> str:
    """The smallest text found by so many tries for which something is still so."""
    tries = 0
    while True:
        for candidate in _smaller(text):
            if tries >= most:
                return text
            tries += 1
            if still(candidate):
                text = candidate
                break
        else:
            return text


def shrunk_pair(
    old: str, new: str, still: Callable[[str, str], bool], most: int = 250
) -> tuple[str, str]:
    """Two versions of a spec made small together: what both have is taken from both."""
    tries = 0
    while True:
        for pair in _smaller_pairs(old, new):
            if tries >= most:
                return old, new
            tries += 1
            if still(*pair):
                old, new = pair
                break
        else:
            return old, new


def _smaller_pairs(old: str, new: str) -> Iterator[tuple[str, str]]:
    lines, others = ([x for x in text.split("\n") if x.strip()] for text in (old, new))
    for start, end in sorted(_blocks(lines), key=lambda block: block[0] - block[1]):
        block = lines[start:end]
        at = _found(block, others)
        if start and at is not None:
            rest = others[:at] + others[at + len(block) :]
            yield "\n".join(lines[:start] + lines[end:]) + "\n", "\n".join(rest) + "\n"
    for number, line in enumerate(lines):
        if line in others:
            at = others.index(line)
            for shorter in _simpler(line):
                one = [*lines[:number], shorter, *lines[number + 1 :]]
                other = [*others[:at], shorter, *others[at + 1 :]]
                yield "\n".join(one) + "\n", "\n".join(other) + "\n"


def _found(block: list[str], lines: list[str]) -> int | None:
    """Where a block stands among other lines."""
    for at in range(len(lines) - len(block) + 1):
        if lines[at : at + len(block)] == block:
            return at
    return None


def _smaller(text: str) -> Iterator[str]:
    """Smaller texts, those with most taken away first."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < len(text.rstrip("\n").split("\n")):
        yield "\n".join(lines) + "\n"
    blocks = sorted(_blocks(lines), key=lambda block: block[0] - block[1])
    for start, end in blocks:
        if start:
            yield "\n".join(lines[:start] + lines[end:]) + "\n"
    for number, line in enumerate(lines):
        for shorter in _simpler(line):
            yield "\n".join([*lines[:number], shorter, *lines[number + 1 :]]) + "\n"


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Each line with all that is indented below it."""
    for start, line in enumerate(lines):
        end = start + 1
        while end < len(lines) and _indent(lines[end]) > _indent(line):
            end += 1
        yield start, end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _simpler(line: str) -> Iterator[str]:
    """The line with one expression in it made simpler."""
    yield from _without_colon(line)
    for start, end in _brackets(line):
        inner = line[start:end]
        if start and (line[start - 1].isalnum() or line[start - 1] == "_"):
            continue  # arguments, not an expression
        for each in (*CONSTANTS, *_parts(inner)):
            if len(each) < len(inner):
                yield line[:start] + each + line[end:]
    if match := re.search(r"grid (\d+ x \d+)", line):
        for each in GRIDS:
            if len(each) < len(match[1]) or each < match[1]:
                yield line.replace(match[1], each)
    if match := re.search(r"players (\d)\.\.(\d)", line):
        for each in ("1..1", "2..2"):
            if each[0] <= match[1] and f"{match[1]}..{match[2]}" != each:
                yield line.replace(f"{match[1]}..{match[2]}", each)
        return
    for match in _NUMBER.finditer(line):
        if int(match[0]) > 1 and not line.startswith("type"):
            for each in ("0", "1"):
                yield line[: match.start()] + each + line[match.end() :]


def _without_colon(line: str) -> Iterator[str]:
    """What a claim or requirement says, replaced as a whole."""
    for mark in ('": ', " = "):
        head, found, tail = line.partition(mark)
        if found and tail.strip() and tail.strip() not in CONSTANTS:
            for each in CONSTANTS:
                yield head + found + each


def _brackets(line: str) -> Iterator[tuple[int, int]]:
    """Where something in brackets stands, outermost first."""
    for opening, closing in ("()", "{}", "[]"):
        waiting: list[int] = []
        found = []
        for at, sign in enumerate(line):
            if sign == opening:
                waiting.append(at)
            elif sign == closing and waiting:
                found.append((waiting.pop(), at + 1))
        yield from sorted(found, key=lambda place: place[0] - place[1])


def _parts(inner: str) -> Iterator[str]:
    """What stands on either side of an operator, and what stands in brackets inside."""
    body = inner[1:-1]
    for start, end in _brackets(body):
        yield body[start:end]
    depth = 0
    for at, sign in enumerate(body):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 and sign == " ":
            yield body[:at].strip()
            yield body[at:].strip()
    for word in (" and ", " or ", " implies ", " == ", ": ", " + ", " - "):
        left, found, right = body.partition(word)
        if found:
            yield f"({left})"
            yield f"({right})"
