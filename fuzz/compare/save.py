"""Saves specs of which something false is said, as small as they can be made.

Every file begins with what was said and what is so. Two versions that were compared stand in one
file, one after the other.
"""

from __future__ import annotations

import re
from pathlib import Path

from fuzz.compare.judge import Wrong, judged_again
from fuzz.compare.shrink import shrunk, shrunk_pair
from fuzz.compare.verdicts import False_
from fuzz.generate.mutations import NEW_VERSION

TRIES = {"prove": 400, "pinned": 300, "readings": 150, "mutants": 120, "diff": 100, "secrets": 150}
"""Smaller texts that are tried."""


def cause(false: False_) -> tuple[str, ...]:
    """What tells one kind of false verdict from another."""
    return false.kind, false.said, re.sub(r"\d+", "n", false.so)


def told(false: False_) -> str:
    """`invariant few is proved (2 players): a game of 1 events breaks it`."""
    where = f" ({false.configuration})" if false.configuration else ""
    return f"{false.kind} `{false.name}` is {false.said}{where}: {false.so}"


def save(folder: Path, wrong: Wrong, number: int, small: bool = True) -> Path:
    """Writes a spec of which something false is said; returns where."""
    wanted = cause(wrong.false)
    text, new = wrong.text, wrong.new

    def found(text: str, new: str | None) -> False_ | None:
        every = judged_again(wrong.origin, text, new, number)
        return next((each for each in every if cause(each) == wanted), None)

    if small:
        most = TRIES[wrong.origin]
        if new is not None:
            text, new = shrunk_pair(text, new, lambda a, b: found(a, b) is not None, most)
        else:
            text = shrunk(text, lambda each: found(each, None) is not None, most)
    false = found(text, new) or wrong.false
    folder.mkdir(parents=True, exist_ok=True)
    kind = re.sub(r"\W+", "-", false.kind)
    path = folder / f"{kind}-{re.sub(' ', '-', false.said)}-{number}.rules"
    versions = text if new is None else f"{text}{NEW_VERSION}{new}"
    path.write_text(f"# {told(false)}\n{versions}", encoding="utf-8")
    return path
