"""A game unrolled turn by turn for the solver, once for all searches in it.

A turn ends when play is back in the phase in which it began. In a game without such a phase a turn
is one event. Games begin in the usual start, or with everything open that the rules leave open.
"""

from __future__ import annotations

from rulewright.prove.discharge.phase_graph import following, leads
from rulewright.prove.search.unrolling import Unrolling
from rulewright.smt.terms.term import FALSE
from rulewright.vc.context import ProofContext

ORDERED = " with answers in seat order"
"""Beside what is counted, if simultaneous players act in seat order and could act in another one:
there may be sooner games of that kind."""
LONG_TURN = 8
"""Events for each player within which play should be back where it began."""


class TurnUnrolling:
    """The turns of a game that were unrolled so far, each as the slots of its events."""

    def __init__(self, context: ProofContext, anyhow: bool = False) -> None:
        """Games begin `anyhow`, or as usual; simultaneous players act in seat order."""
        begin = Unrolling.any_game if anyhow else Unrolling.game
        self.context = context
        self.unrolled = begin(context, in_seat_order=True)
        self.spans: list[tuple[int, int]] = []
        self.over = False
        """That no game goes on after these turns."""
        self._first = self.unrolled.phases()
        self._by_event = False

    @property
    def unit(self) -> str:
        """What is counted: turns, or single events."""
        unit = "event" if self._by_event else "turn"
        return unit + (ORDERED if self.unrolled.ordered else "")

    @property
    def waits(self) -> bool:
        """Whether in some games nothing happens in a slot, so that slots are not events."""
        return any(slot.waits is not FALSE for slot in self.unrolled.slots)

    @property
    def exact(self) -> bool:
        """Whether games that come first here have fewer turns than all others, or fewer events
        where these count."""
        return not self.unrolled.ordered and (not self._by_event or not self.waits)

    def reach(self, turn: int) -> bool:
        """Unrolls as far as a turn; whether there is one."""
        while turn >= len(self.spans) and not self.over:
            self._extend()
        return turn < len(self.spans)

    def _extend(self) -> None:
        """Plays one turn more, as far as games go on."""
        unrolled = self.unrolled
        since = self.spans[-1][1] if self.spans else 0
        longest = 1 if self._by_event else LONG_TURN * self.context.instance.players
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
        after = following(self.context.spec)
        here = self.unrolled.phases()
        return any(leads(after, one, first) for one in here for first in self._first)
