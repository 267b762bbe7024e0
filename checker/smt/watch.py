"""How long something may take: a deadline, and inside it closer ones, in seconds of the processor.

Whoever does long work looks at the watch now and then and stops with a `LateError`; whoever set the
deadline catches it. Terms look by themselves, for all that is written down is made of them. The
clock is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import process_time


class LateError(Exception):
    """The time is over before the work is done."""

    def __init__(self) -> None:
        super().__init__("out of time before the question was written down")


class Watch:
    """The time that is left; without end until somebody sets a deadline."""

    def __init__(self, clock: Callable[[], float] = process_time) -> None:
        self._clock = clock
        self._until = inf

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """For what is done here there are so many seconds, and never more than there were."""
        outer = self._until
        self._until = min(outer, self._clock() + seconds)
        try:
            yield
        finally:
            self._until = outer

    def left(self) -> float:
        """Seconds that are left; none is zero."""
        return max(0.0, self._until - self._clock()) if self._until < inf else inf

    def check(self) -> None:
        """Stops whoever is late."""
        if self.left() <= 0:
            raise LateError
