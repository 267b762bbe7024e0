"""Work: a batch of independent tasks, and what one of them is when it travels.

A task is text (JSON), and so is its answer. What all tasks of a batch need, such as a spec, travels
once as `shared` text. Nothing else is sent: the function that does a task is found by the name of
its kind in the program that is installed where the task is done. A batch depends on the input
alone, never on how many work on it, and answers are put together in the order of the tasks; so the
report is the same wherever they were done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Generic, TypeVar

from rulewright.syntax.node import Node
from rulewright.system.interrupts import StoppedError

KINDS = {
    "prove": "rulewright.prove.run.job_tasks",
    "readings": "rulewright.cli.tasks.reading_options",
    "play": "rulewright.simulate.tasks.play",
    "traces": "rulewright.simulate.tasks.find_traces",
    "replay": "rulewright.simulate.tasks.replay",
    "conform": "rulewright.cli.tasks.conformance",
    "vectors": "rulewright.cli.tasks.all_vectors",
    "evidence": "rulewright.cli.tasks.evidence_trials",
}
"""What kinds of tasks there are; each module has `perform(shared, task) -> answer`."""

T = TypeVar("T")
NO_ANSWER = (
    ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError,
)  # fmt: skip
"""What reading an answer raises that is none."""


class Lost(Node):
    """What came of a task that nobody could finish: nothing, and why."""

    reason: str


class LostError(Exception):
    """Raised by a task that cannot be finished; says why."""


class Work(Generic[T]):
    """A batch of tasks of one kind. `title` says to people what is being done."""

    kind: str
    title: str
    everywhere: bool = False
    """Whether other tasks wait for these: then every shard does them, to get at its own."""

    def __len__(self) -> int:
        raise NotImplementedError

    def task(self, number: int) -> str:
        """One of the tasks, counted from 0."""
        raise NotImplementedError

    def shared(self) -> str:
        """What all tasks need."""
        return ""

    def read(self, number: int, answer: str) -> T:
        """The answer to a task; raises one of NO_ANSWER where it is none."""
        raise NotImplementedError

    def written(self, number: int, answer: T) -> str:
        """The answer as text, which `read` gives back; for those with a `here` of their own."""
        raise NotImplementedError

    def answered_here(self, shared: str, number: int) -> str:
        """Does one task in this process, as text."""
        return perform(self.kind, shared, self.task(number))

    def here(self, numbers: Iterable[int]) -> Iterator[tuple[int, T | Lost]]:
        """Does some of the tasks on this machine: one after the other, unless somebody knows
        better. A task that is interrupted may have something to tell all the same."""
        shared = self.shared()
        for number in numbers:
            try:
                answer = self.answered_here(shared, number)
            except LostError as lost:
                yield number, Lost(str(lost))
                continue
            except StoppedError as end:
                part = getattr(end, "part", None)
                if part is not None:
                    yield number, self.read(number, part)
                raise
            yield number, self.read(number, answer)


def perform(kind: str, shared: str, task: str) -> str:
    """Does one task in this process."""
    answer: str = import_module(KINDS[kind]).perform(shared, task)
    return answer


def interrupted(end: StoppedError, part: str) -> StoppedError:
    """The same end, with what a task has to tell by then."""
    end.part = part  # type: ignore[attr-defined]
    return end
