"""Counted work: how much may be done before something is given up, the same on every machine.

Options speak of seconds, because everybody knows how long those are; what is counted is work. One
second stands for `SECOND` units, which is what a solver does in about a second on an ordinary
machine, and every other kind of work has a price in the same units. So an answer depends on what is
asked and on how much may be done for it, never on how busy the machine is. A clock on the wall may
end a run; it never chooses between two answers.
"""

from __future__ import annotations

from math import inf

SECOND = 4_000_000
"""Units of a solver's own count (`rlimit` of z3) that stand for a second."""
EVENT = 80
"""One event of the compiled game."""
SLOW_EVENT = 4_000
"""One event after which the evaluator looks at everything that could follow."""
EVALUATED = 400
"""One event, or one look at a position, in the evaluator."""
LOOK = 5_000
"""What is done between two looks at what is left: about a thousand terms are built."""
ANSWER = 2_000
"""One answer of an engine."""
MOST = 1_000 * SECOND
"""The most that one question to a solver may be given: it counts no further than 32 bits."""


def units(seconds: float) -> float:
    """So many seconds as work; without end for seconds without end."""
    return inf if seconds == inf else max(0, round(seconds * SECOND))


class Meter:
    """Counts the work that a process has done. Only differences matter."""

    def __init__(self) -> None:
        self.spent = 0

    def charge(self, work: int) -> None:
        """Notes that so much was done."""
        self.spent += work


METER = Meter()
"""The work of this process, as its processor time was before."""


class Allowance:
    """So many seconds' worth of work, from now on."""

    def __init__(self, seconds: float, meter: Meter = METER) -> None:
        self._meter = meter
        self._until = meter.spent + units(seconds)

    def charge(self, work: int) -> None:
        """Notes that so much was done."""
        self._meter.charge(work)

    def grant(self, work: int) -> None:
        """Gives so much more: for what was done besides."""
        self._until += work

    @property
    def over(self) -> bool:
        """Whether all of it is used up."""
        return self._meter.spent >= self._until

    @property
    def left(self) -> float:
        """What is left, in seconds; none is zero."""
        return max(0.0, (self._until - self._meter.spent) / SECOND)

    @property
    def units_left(self) -> float:
        """What is left, as work; none is zero."""
        return max(0, self._until - self._meter.spent)

    @property
    def spent(self) -> int:
        """What this process has done so far."""
        return self._meter.spent
