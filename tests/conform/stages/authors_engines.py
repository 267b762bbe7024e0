"""Engines of the game Rows as authors write them, right and wrong, each with what it leaves out.

The right one is written from the rules; the others go wrong in the ways in which engines of such
games go wrong. They share no code with the program.
"""

from __future__ import annotations

from typing import Any

ROWS = ("red", "blue")


class Rows:
    """The game as the rules have it; reports everything and can load."""

    NAME = "rows"
    MOST_PLAYERS = 3
    NEED = 3

    def new(self, players: int, readings: dict[str, str], variant: str | None) -> None:
        if not 2 <= players <= self.MOST_PLAYERS or variant is not None:
            raise ValueError("not this one")
        self.players = players
        self.phase, self.pips = "throw", 1
        self.closed: set[str] = set()
        self.answered: set[int] = set()
        self.crossed = {p: {row: [] for row in ROWS} for p in range(1, players + 1)}  # type: ignore[var-annotated]

    def apply(self, event: dict[str, Any]) -> None:
        args = event.get("args", {})
        if "chance" in event:
            self._fall(event, args)
        elif event.get("move") in ("cross", "pass"):
            self._answer(event, args)
        else:
            raise ValueError("no such event")

    def _fall(self, event: dict[str, Any], args: dict[str, Any]) -> None:
        n = args.get("n")
        if event != {"chance": "fall", "args": {"n": n}} or self.phase != "throw":
            raise ValueError("no throw now")
        if type(n) is not int or not 1 <= n <= 5:
            raise ValueError("no such number")
        self.pips, self.phase = n, "answer"

    def _answer(self, event: dict[str, Any], args: dict[str, Any]) -> None:
        by, row = event.get("by"), args.get("row")
        wanted = {"row"} if event["move"] == "cross" else set()
        if type(by) is not int or by not in self.crossed or set(args) != wanted:
            raise ValueError("nobody or nothing")
        if self.phase != "answer" or by in self.answered:
            raise ValueError("not now")
        if event["move"] == "cross":
            if type(row) is not str or row not in ROWS or self._is_closed(row):
                raise ValueError("no such row")
            crosses = self.crossed[by][row]
            if crosses and crosses[-1] >= self.pips:
                raise ValueError("from left to right")
            if self.pips == 5 and len(crosses) < self.NEED:
                raise ValueError("too few")
            crosses.append(self.pips)
        self.answered.add(by)
        self._after_answer()
        if len(self.answered) == self.players:
            self._end_of_answers()

    def _is_closed(self, row: str) -> bool:
        return row in self.closed

    def _after_answer(self) -> None:
        """What happens before all have answered."""

    def _close(self) -> None:
        self.closed |= {row for row in ROWS for each in self.crossed.values() if 5 in each[row]}

    def _end_of_answers(self) -> None:
        self.answered = set()
        self._close()
        self.phase = "over" if len(self.closed) == 2 else "throw"

    def state(self) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "answered": sorted(self.answered),
            "pips": self.pips,
            "closed": [row for row in ROWS if row in self.closed],
            "crossed": [[p, {row: list(each[row]) for row in ROWS}]
                        for p, each in self.crossed.items()],
        }  # fmt: skip


def without_closed(state: dict[str, Any]) -> dict[str, Any]:
    """A state without the closed rows, if not all have answered."""
    if state["phase"] == "answer":
        del state["closed"]
    return state


class CanLoad(Rows):
    """The same, with `load` and `score`."""

    def load(self, state: dict[str, Any]) -> None:
        self.phase, self.pips = state["phase"], state["pips"]
        self.closed, self.answered = set(state["closed"]), set(state["answered"])
        self.crossed = {p: {row: list(each[row]) for row in ROWS} for p, each in state["crossed"]}

    def score(self) -> dict[str, Any]:
        return {"scores": [[p, sum(map(len, each.values()))] for p, each in self.crossed.items()]}


class ClosesAtOnce(Rows):
    """Whoever crosses a last space closes the row for those who have not answered yet."""

    def _after_answer(self) -> None:
        self._close()


class ClosesAtOnceInSecret(ClosesAtOnce):
    """The same with two players only, and says nothing of closed rows before all have answered."""

    MOST_PLAYERS = 2

    def state(self) -> dict[str, Any]:
        return without_closed(super().state())


class RightInSecret(Rows):
    """Right, with two players only, and says nothing of closed rows before all have answered."""

    MOST_PLAYERS = 2

    def state(self) -> dict[str, Any]:
        return without_closed(super().state())


class Silent(Rows):
    """Right, and reports nothing but the phase."""

    def state(self) -> dict[str, Any]:
        return {"phase": self.phase}


class TwoForThree(Rows):
    """One cross too few is enough for the last space; cannot load."""

    NEED = 2


class KeepsClosedRows(Rows):
    """Rows that were closed in one game are closed in the next."""

    def new(self, players: int, readings: dict[str, str], variant: str | None) -> None:
        kept: set[str] = getattr(self, "closed", set())
        super().new(players, readings, variant)
        self.closed = set(kept)

    def state(self) -> dict[str, Any]:
        return {**super().state(), "closed": [row for row in ROWS if self._is_closed(row)]}


class OneTableForAll(Rows):
    """All games of the process share the die."""

    die = 1

    @property
    def pips(self) -> int:
        return type(self).die

    @pips.setter
    def pips(self, shown: int) -> None:
        OneTableForAll.die = shown


class AnyNumberOfPlayers(Rows):
    """Begins games for as many as one likes."""

    MOST_PLAYERS = 9


class TwoFaults(TwoForThree):
    """Wrong twice: too few crosses are enough, and the game goes on when both rows are closed."""

    def _end_of_answers(self) -> None:
        self.answered = set()
        self._close()
        self.phase = "throw"


class TakesAnything(Rows):
    """Looks only at what it needs of an event."""

    def _answer(self, event: dict[str, Any], args: dict[str, Any]) -> None:
        row = {"row": args.get("row")} if event["move"] == "cross" else {}
        super()._answer(event, row)


class AsksInTurn(RightInSecret):
    """Asks its players one after the other, from seat 1."""

    def _answer(self, event: dict[str, Any], args: dict[str, Any]) -> None:
        waiting = [each for each in self.crossed if each not in self.answered]
        if event.get("by") != waiting[0]:
            raise ValueError("you are not asked")
        super()._answer(event, args)


class AsksInTurnAndClosesAtOnce(AsksInTurn):
    """The same, and a row is closed for those who are asked later."""

    def _after_answer(self) -> None:
        self._close()
