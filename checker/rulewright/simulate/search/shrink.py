"""Delta debugging: leaves out of a game what it does not need to show something.

Events are left out many at a time, then fewer, from the end of the game to its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

E = TypeVar("E")


def shrink(
    events: Sequence[E],
    attempt: Callable[[list[E], list[E]], Sequence[E] | None],
    over: Callable[[], bool],
    step: Callable[[int], int] = lambda _: 1,
) -> list[E]:
    """The events of a game that shows something, with some left out. `attempt` gets the events
    before a gap and those after it, and returns a game of these, or of fewer, that still shows it;
    None if there is none. No more is tried when it is `over`. Gaps of a size lie a `step` apart."""
    found = list(events)
    size = max(len(found) // 2, 1)
    while size:
        at = len(found) - size
        while at >= 0 and not over():
            shorter = attempt(found[:at], found[at + size :])
            if shorter is not None:
                found = list(shorter)
            at = min(at - step(size), len(found) - size)
        size -= 1 + size // 4
    return found
