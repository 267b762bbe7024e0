"""Something done aside, in a process of its own, while the solver is asked.

What does not depend on any answer need not wait for one. Where processes cannot be forked, or one
dies, it is simply done when its result is wanted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from checker.children import end_with_parent
from checker.play.errors import EvaluationError, UsageError

Result = TypeVar("Result")


class Aside(Generic[Result]):
    """A piece of work, begun at once."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._pipe: Connection[Any, Any] | None = None
        if sys.platform == "linux":
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


def _do(pipe: Connection[Any, Any], work: Callable[[], Any], parent: int) -> None:
    end_with_parent(parent)
    try:
        pipe.send((True, work()))
    except (UsageError, EvaluationError, OSError) as error:
        pipe.send((False, error))
