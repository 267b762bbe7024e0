"""Background task: runs in a process of its own while the solver is asked.

What does not depend on any answer need not wait for one. Where processes cannot be forked, or one
dies, it is simply done when its result is wanted.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.system.processes import end_with_parent

Result = TypeVar("Result")


class BackgroundTask(Generic[Result]):
    """A piece of work, begun at once."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._pipe: Connection[Any, Any] | None = None
        if sys.platform == "linux" and not _has_threads():
            context = get_context("fork")
            self._pipe, other = context.Pipe(duplex=False)
            given = (other, work, os.getpid())
            self._process = context.Process(target=_do, args=given, daemon=True)
            self._process.start()
            other.close()

    def end(self) -> None:
        """Gives it up, unless it is done."""
        if self._pipe is not None and not self.is_done:
            self._process.kill()
            self._process.join()

    @property
    def is_done(self) -> bool:
        """Whether its result is there."""
        return self._pipe is not None and self._pipe.poll()

    def result(self) -> Result:
        """What came of it, once it is done."""
        if self._pipe is None:
            return self._work()
        try:
            done, found = self._pipe.recv()
        except (EOFError, OSError):
            return self._work()
        finally:
            self._process.join()
        if not done:
            raise found
        result: Result = found
        return result


def _has_threads() -> bool:
    """Whether others are at work in this process, such as the client of a cluster: a copy of it
    would have their locks but not them. The clock of a limit holds none."""
    others = (each for each in threading.enumerate() if each is not threading.main_thread())
    return any(not isinstance(each, threading.Timer) for each in others)


def _do(pipe: Connection[Any, Any], work: Callable[[], Any], parent: int) -> None:
    """Signals are for whoever started this; whatever else goes wrong here will go wrong there, too,
    when the result is wanted, and is told there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent(parent)
    try:
        pipe.send((True, work()))
    except (UsageError, EvaluationError, OSError) as error:
        pipe.send((False, error))
    except Exception:
        return
