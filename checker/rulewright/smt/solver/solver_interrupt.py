"""Solver interrupt: a process can be ended while its solver works.

Python sees a signal only between two of its own steps, and a solver may be at work for long inside
one. In the process that somebody started, a thread listens for signals and interrupts the solver,
so that whatever handles the signal gets its turn. A worker is ended by the system where its solver
goes on long after it should have given up; what it worked on is not decided then, and not kept.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from threading import Thread
from time import sleep

LOOK = 0.02
LOOKS = 10
"""A solver is interrupted again every so many seconds, as long as it works, and if it begins to
work within so many looks after the signal."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGVTALRM", signal.SIGTERM))

Interrupt = Callable[[], None]


class Interrupter:
    """Looks after the solver of a process."""

    def __init__(self) -> None:
        self._working: Interrupt | None = None
        self._listens_in: int | None = None

    @contextmanager
    def within(self, seconds: float, interrupt: Interrupt) -> Iterator[None]:
        """Ends a worker after so many seconds of the processor; elsewhere, interrupts what is done
        here when a signal comes."""
        if parent_process() is not None:
            with _ended_after(seconds):
                yield
            return
        if self._listens_in != os.getpid():
            self._listen()
        self._working = interrupt
        try:
            yield
        finally:
            self._working = None

    def _listen(self) -> None:
        """Begins to listen, where that can be done."""
        if sys.platform == "emscripten":
            return  # there are no threads in a browser; whoever asked ends the whole program
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            return  # nobody waits for a signal: the system ends the process, whatever it does
        heard, told = socket.socketpair()
        told.setblocking(False)
        try:
            signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        except ValueError:  # only the first thread hears signals
            return
        self._listens_in = os.getpid()
        os.register_at_fork(after_in_child=_hear_nothing)
        Thread(target=self._hear, args=(heard, told), daemon=True).start()

    def _hear(self, heard: socket.socket, told: socket.socket) -> None:
        """What the thread does; it keeps the other end open."""
        while number := heard.recv(1):
            looks = LOOKS if number[0] in SIGNALS and told.fileno() >= 0 else 0
            while looks:
                working = self._working
                if working is None:
                    looks -= 1
                else:
                    working()
                sleep(LOOK)


def _hear_nothing() -> None:
    """Signals of a child are its own."""
    with suppress(ValueError):
        signal.set_wakeup_fd(-1)


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """The alarm is not caught, so the system ends the process, whatever it is doing."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
