"""Ends a command before it is done: by a signal, or when the time of `--limit` is over.

What was decided by then is still told. Whoever works in this process is stopped by a
`StoppedError`, which every stage of a command lets pass after it has put away what it has; whoever
waits for other processes waits for `Limit.wakes` as well and goes on without them. A clock can so
end a run, and leave something undecided; it never chooses between two answers.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing import Pipe
from time import monotonic
from typing import Any

INTERRUPTED = {signal.SIGINT: "it was interrupted", signal.SIGTERM: "it was ended by a signal"}
"""What is said of a run that a signal ended."""


AGAIN = 0.5
"""Seconds of the processor after which whoever is to end is told again."""


class StoppedError(KeyboardInterrupt):
    """The command is to end. No handler of errors catches it by chance. What Python calls by
    itself, to collect garbage say, may swallow it: so it comes again until somebody asks it why."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self._why = why

    @property
    def why(self) -> str:
        """Says so to people."""
        _tell_again(0.0)
        return self._why


def _nothing(_: object) -> None:
    """Nobody is told."""


def _tell_again(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)


_watching: list[Limit] = []
"""Those that a signal ends in this process, the last one first."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Whatever comes, what is done in here is done to its end: a report is whole or not there. The
    second signal ends the process all the same."""
    with _watching[-1].politely() if _watching else nullcontext():
        yield


class Limit:
    """How long everything may take together, by the clock on the wall; a signal ends it, too."""

    def __init__(
        self, seconds: float | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._began = clock()
        self._stopped: str | None = None
        self._polite = False
        self._pipe: tuple[Any, Any] | None = None

    def left(self) -> float | None:
        """Seconds that are left, None for no limit; none once a signal came."""
        if self._stopped is not None:
            return 0.0
        if self._seconds is None:
            return None
        return max(0.0, self._began + self._seconds - self._clock())

    @property
    def over(self) -> bool:
        return self.left() == 0

    @property
    def reason(self) -> str:
        """Why it is over, to people."""
        return self._stopped or f"it was not decided within {self._seconds or 0:g} seconds"

    @property
    def wakes(self) -> list[Any]:
        """What is ready to be read when a signal came, for whoever waits for other processes."""
        if self._pipe is None:
            self._pipe = Pipe(duplex=False)
        return [self._pipe[0]]

    def stop(self, why: str) -> None:
        """Ends it now: raises, or where nobody may be disturbed, wakes whoever waits."""
        self._stopped = self._stopped or why
        if not self._polite:
            raise StoppedError(self.reason)
        if self._pipe is not None:
            with suppress(OSError):
                self._pipe[1].send_bytes(b"!")

    @contextmanager
    def politely(self) -> Iterator[None]:
        """What is done in here is not disturbed: it looks by itself whether it is over."""
        before, self._polite = self._polite, True
        try:
            yield
        finally:
            self._polite = before

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """What is done in here may be disturbed, whatever holds outside; not begun if it is over.
        Around it stands whoever catches the `StoppedError`, and is not disturbed in telling."""
        before = self._polite
        try:
            self._polite = False
            if self.over:
                raise StoppedError(self.reason)
            yield
        finally:
            self._polite = before

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Signals, and the end of the time, end what is done in here. The second signal ends the
        process at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def handle(number: int, _: object) -> None:
            for each in INTERRUPTED:
                signal.signal(each, signal.SIG_DFL)
            # What is broken off may be half made, and what takes it apart may stumble over that.
            sys.unraisablehook = _nothing
            late = self._seconds is not None and self.over
            why = self.reason if late else INTERRUPTED[signal.Signals(number)]
            if not self._polite:
                _tell_again(AGAIN)
            self.stop(why)

        def handle_again(number: int, _: object) -> None:
            raise StoppedError(self.reason)

        _watching.append(self)
        before = {each: signal.signal(each, handle) for each in INTERRUPTED}
        if hasattr(signal, "SIGVTALRM"):
            before[signal.SIGVTALRM] = signal.signal(signal.SIGVTALRM, handle_again)
        timer = None
        if self._seconds is not None:
            timer = threading.Timer(self._seconds, os.kill, (os.getpid(), signal.SIGTERM))
            timer.daemon = True
            timer.start()
        try:
            yield
        finally:
            _watching.remove(self)
            _tell_again(0.0)
            if timer is not None:
                timer.cancel()
            for each, handler in before.items():
                if handler is not None:
                    signal.signal(each, handler)
