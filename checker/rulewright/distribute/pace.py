"""How fast work goes, to people: so many of so many, the rate, and when it may be done."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

MINUTE, HOUR = 60, 3600


class Pace:
    """Counts what is done of some work and says how it goes."""

    def __init__(
        self, title: str, every: int, say: Callable[[str], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        self._title = title
        self._every = every
        self._say = say
        self._clock = clock
        self._began = clock()
        self._done = 0

    def done(self, workers: int) -> None:
        """One more is done, and so many workers are there."""
        self._done += 1
        self.tell(workers)

    def tell(self, workers: int) -> None:
        """Says how it goes."""
        noun = "worker" if workers == 1 else "workers"
        said = f"{self._title}: {self._done} of {self._every} on {workers} {noun}"
        passed = self._clock() - self._began
        if self._done and passed > 0:
            rate = self._done / passed
            said += f", {rate:.1f}/s, {_spoken((self._every - self._done) / rate)} left"
        self._say(said)


def _spoken(seconds: float) -> str:
    if seconds < 2 * MINUTE:
        return f"about {seconds:.0f} s"
    if seconds < 2 * HOUR:
        return f"about {seconds / MINUTE:.0f} min"
    return f"about {seconds / HOUR:.1f} h"
