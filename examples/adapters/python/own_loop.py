"""Attaches an engine that runs its own loop: it asks for moves and rolls, nobody calls it.

The loop runs in a thread of its own and stops wherever it asks. `ask` is called by the loop, in the
place of its prompts and dice; `begin` and `put` are called by the class that `conform` talks to.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any


class Stopped(BaseException):
    """The game is given up; no `except Exception` of the loop catches it."""


class OwnLoop:
    """A game that runs by itself and is fed from outside."""

    def __init__(self) -> None:
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._news: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._fits: Callable[[dict[str, Any]], Any] | None = None

    def begin(self, loop: Callable[[], object]) -> None:
        """Starts the loop, and comes back when it asks for the first time. Each loop has queues of
        its own, so that one which has yet to stop takes nothing from the next."""
        self.give_up()
        self._answers, self._news = SimpleQueue(), SimpleQueue()
        news = self._news

        def run() -> None:
            try:
                loop()
            except Stopped:
                return
            except BaseException as error:
                news.put(("fails", error))
            else:
                news.put(("ends", None))

        Thread(target=run, daemon=True).start()
        self._listen()

    def ask(self, fits: Callable[[dict[str, Any]], Any]) -> Any:
        """Called by the loop: waits for an event. `fits` makes of it what the loop wants to know;
        it raises ValueError if the event is nothing that the loop has asked for."""
        answers = self._answers
        self._news.put(("asks", fits))
        answer = answers.get()
        if answer is Stopped:
            raise Stopped
        return answer

    def refuse(self, why: str) -> None:
        """Called by the loop: what it was told last is not legal; it asks again."""
        self._news.put(("refuses", why))

    def put(self, event: dict[str, Any]) -> None:
        """Feeds the loop an event; raises ValueError if that is refused."""
        if self._fits is None:
            raise ValueError("the game is over")
        self._answers.put(self._fits(event))
        self._listen()

    def give_up(self) -> None:
        """Ends a loop that still asks."""
        if self._fits is not None:
            self._answers.put(Stopped)
            self._fits = None

    def _listen(self) -> None:
        """Waits until the loop asks or ends."""
        refused = None
        while True:
            kind, what = self._news.get()
            if kind == "refuses":
                refused = what
                continue
            self._fits = what if kind == "asks" else None
            if kind == "fails":
                raise what
            if refused is not None:
                raise ValueError(refused)
            return
