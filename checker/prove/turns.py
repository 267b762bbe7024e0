"""A game unrolled turn by turn, once for all who look for something in it.

A turn is what lies between two times at which play must be where it began; in a game without such
times, one event. Where a game begins stays open as far as the rules leave it open, or is as usual.
"""

from __future__ import annotations

from checker.prove.phases import following, leads
from checker.prove.unroll import Unrolled
from checker.smt.term import FALSE
from checker.vc.context import ProofContext

LONG_TURN = 8
"""Events for each player within which play should be back where it began."""


class Turns:
    """The turns of a game that were unrolled so far, each as the slots of its events."""

    def __init__(self, ground: ProofContext, anyhow: bool = False) -> None:
        """Games begin `anyhow`, or as usual; simultaneous players act in seat order."""
        begin = Unrolled.any_game if anyhow else Unrolled.game
        self.ground = ground
        self.unrolled = begin(ground, in_seat_order=True)
        self.spans: list[tuple[int, int]] = []
        self.over = False
        """That no game goes on after these turns."""
        self._first = self.unrolled.phases()
        self._by_event = False

    @property
    def unit(self) -> str:
        """What is counted: turns, or single events."""
        return "event" if self._by_event else "turn"

    @property
    def waits(self) -> bool:
        """Whether in some games nothing happens in a slot, so that slots are not events."""
        return any(slot.waits is not FALSE for slot in self.unrolled.slots)

    @property
    def exact(self) -> bool:
        """Whether games that come first here have fewer turns, or events where these count."""
        return not self._by_event or not self.waits

    def reach(self, turn: int) -> bool:
        """Unrolls as far as a turn; whether there is one."""
        while turn >= len(self.spans) and not self.over:
            self._extend()
        return turn < len(self.spans)

    def _extend(self) -> None:
        """Plays one turn more, as far as games go on."""
        unrolled = self.unrolled
        since = self.spans[-1][1] if self.spans else 0
        longest = 1 if self._by_event else LONG_TURN * self.ground.instance.players
        while unrolled.extend():
            if unrolled.phases() == self._first:
                break
            if len(unrolled.slots) - since >= longest or not self._comes_back():
                self._by_event = True
                break
        else:
            self.over = True
        here = len(unrolled.slots)
        if self._by_event:
            self.spans += [(slot, slot + 1) for slot in range(since, here)]
        elif here > since:
            self.spans.append((since, here))

    def _comes_back(self) -> bool:
        """Whether play may come again to the phase it began in."""
        after = following(self.ground.spec)
        here = self.unrolled.phases()
        return any(leads(after, one, first) for one in here for first in self._first)
