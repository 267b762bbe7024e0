"""Work limits: an allowance of counted work, and inside it smaller ones.

Whoever does long work looks at the watch now and then and stops with a `WorkLimitError`; whoever
set the allowance catches it. Terms look by themselves, for all that is written down is made of
them. Seconds are those of `budget`: counted work, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf

from rulewright.system.work_budget import LOOK, METER, SECOND, Meter, units


class WorkLimitError(Exception):
    """All that was allowed is used up before the work is done."""

    def __init__(self) -> None:
        super().__init__("out of time before the question was written down")


class WorkLimit:
    """The work that is left; without end until somebody sets an end."""

    def __init__(self, meter: Meter = METER) -> None:
        self._meter = meter
        self._until = inf

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """For what is done here there is so much, and never more than there was."""
        outer = self._until
        self._until = min(outer, self._meter.spent + units(seconds))
        try:
            yield
        finally:
            self._until = outer

    def left(self) -> float:
        """What is left, in seconds; none is zero."""
        return max(0.0, (self._until - self._meter.spent) / SECOND) if self._until < inf else inf

    def check(self, work: int = LOOK) -> None:
        """Notes what was done since the last look, and stops whoever is late."""
        self._meter.charge(work)
        if self._meter.spent >= self._until:
            raise WorkLimitError
