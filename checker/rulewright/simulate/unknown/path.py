"""What has to hold of the unknown, so that a game can go as it was recorded: a chain of conditions.

Where the rules depend on something unknown, a game goes on either way that is possible. A `Trial`
does something once, one way at each such fork, and remembers the other ways; `outcomes` does it
again for each of them. Work is counted: an answer does not depend on how long it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from rulewright.simulate.unknown.symbols import Condition, both, either, opposite
from rulewright.system.work_budget import Allowance

T = TypeVar("T")
NEAR = 8
"""So many conditions back is looked for one that says the same."""


class Dead(Exception):  # noqa: N818 - an ordinary answer: this way there is nothing
    """What is asked for cannot be, with all that has been decided."""


class Vain(Dead):
    """What is supposed cannot be, so that it does not matter what would follow."""


class GivenUp(Exception):  # noqa: N818 - an ordinary answer
    """More work than is allowed."""


class Link:
    """A condition and those before it."""

    __slots__ = ("before", "condition", "depth", "model")

    def __init__(self, before: Link | None, condition: Condition, model: Any) -> None:
        self.before = before
        self.condition = condition
        self.depth: int = 0 if before is None else before.depth + 1
        self.model = model
        """Values of the unknown for which all of them hold."""


class Questions:
    """Asks the solver what is possible; it keeps the chain that was asked about last."""

    def __init__(self, allowance: Allowance, context: Any) -> None:
        import z3

        self._solver = z3.SolverFor("QF_LIA", ctx=context)
        self._chain: list[Link] = []
        self._allowance = allowance
        self._counted = 0

    def model(self, link: Link, condition: Condition) -> Any:
        """Values for which all conditions of a chain hold and one more; None if there are none."""
        import z3

        if condition is False:
            return None
        if link.model is not None and (
            condition is True or z3.is_true(link.model.eval(condition, model_completion=True))
        ):
            return link.model
        self._go_to(link)
        self._solver.push()
        try:
            if condition is not True:
                self._solver.add(condition)
            self._solver.set("rlimit", int(min(self._allowance.units_left + 1, 1 << 31)))
            answer = self._solver.check()
            self._charge()
            if answer == z3.unknown:
                raise GivenUp
            return self._solver.model() if answer == z3.sat else None
        finally:
            self._solver.pop()

    def charge(self, work: int) -> None:
        """Notes other work."""
        self._allowance.charge(work)
        if self._allowance.over:
            raise GivenUp

    def _charge(self) -> None:
        for key, value in self._solver.statistics():
            if key == "rlimit count":
                self._allowance.charge(max(0, int(value) - self._counted))
                self._counted = int(value)
        if self._allowance.over:
            raise GivenUp

    def _go_to(self, link: Link) -> None:
        wanted: list[Link] = []
        at: Link | None = link
        while at is not None and not (at.depth < len(self._chain) and self._chain[at.depth] is at):
            wanted.append(at)
            at = at.before
        keep = 0 if at is None else at.depth + 1
        if len(self._chain) > keep:
            self._solver.pop(len(self._chain) - keep)
            del self._chain[keep:]
        for each in reversed(wanted):
            self._solver.push()
            if each.condition is not True:
                self._solver.add(each.condition)
            self._chain.append(each)


class Trial:
    """One way in which something goes: `script` says what was decided at each fork so far."""

    def __init__(self, questions: Questions, link: Link, script: tuple[bool, ...]) -> None:
        self.questions = questions
        self.link = link
        self.others: list[tuple[bool, ...]] = []
        """What the script is for the ways not taken."""
        self._script = script
        self._made: list[bool] = []
        self._supposed: list[Condition] = []

    def insist(self, condition: Condition) -> None:
        """From here on this holds; Dead if it cannot."""
        wanted = condition if not self._supposed else either(opposite(self._all()), condition)
        model = self.questions.model(self.link, wanted)
        if model is None:
            raise Dead
        if wanted is not True:
            self.link = Link(self.link, wanted, model)

    def decide(self, condition: Condition) -> bool:
        """Whether it holds; where both is possible, the way goes on with one of them."""
        if isinstance(condition, bool):
            return condition
        if self._insisted(condition):
            return True
        yes = self.possible(condition)
        no = self.possible(opposite(condition))
        if not yes and not no:
            raise Vain if self._supposed else Dead
        if yes and no:
            answer = True
            if len(self._made) < len(self._script):
                answer = self._script[len(self._made)]
            else:
                self.others.append((*self._made, False))
            self._made.append(answer)
            self.insist(condition if answer else opposite(condition))
            return answer
        return yes

    def possible(self, condition: Condition) -> bool:
        """Whether it can hold, with all that is supposed."""
        wanted = both(*self._supposed, condition)
        return self.questions.model(self.link, wanted) is not None

    @contextmanager
    def supposing(self, condition: Condition) -> Iterator[None]:
        """What is decided here counts only where the condition holds."""
        if condition is True:
            yield
            return
        self._supposed.append(condition)
        try:
            yield
        finally:
            self._supposed.pop()

    def _insisted(self, condition: Condition) -> bool:
        """Whether just that was asked for before, not long ago."""
        at: Link | None = self.link
        for _ in range(NEAR):
            if at is None:
                return False
            if not isinstance(at.condition, bool) and at.condition.eq(condition):
                return True
            at = at.before
        return False

    def _all(self) -> Condition:
        return both(*self._supposed)


def outcomes(
    questions: Questions, link: Link, act: Callable[[Trial], T], dead: list[Dead] | None = None
) -> Iterator[tuple[Link, T]]:
    """All ways in which something can go, one after the other; `dead` is given those in which it
    cannot."""
    scripts: list[tuple[bool, ...]] = [()]
    while scripts:
        trial = Trial(questions, link, scripts.pop())
        try:
            found = act(trial)
        except Dead as end:
            if dead is not None:
                dead.append(end)
            continue
        finally:
            scripts.extend(trial.others)
        yield trial.link, found
