"""Talks to solvers, and only that: text in, an answer out. z3 is used inside the process, through
its own reader of SMT-LIB text; cvc5, where it is installed, reads the same text.

An answer is what the solver says; whether to believe a model is up to `decode_model`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rulewright.smt.solver.malloc_tuning import keep_memory
from rulewright.smt.solver.model_values import UnreadableError, read_values
from rulewright.smt.solver.solver_interrupt import Interrupter
from rulewright.syntax.node import Node
from rulewright.system import work_budget

if TYPE_CHECKING:
    import z3

SAT, UNSAT, UNKNOWN = "sat", "unsat", "unknown"
GRACE = 20.0
SLOWEST = 10.0
"""Seconds of the processor after which a worker is ended whose solver does not count what it does,
and so many more for each that its work stands for. What it worked on is not decided then."""
OUT_OF_TIME = "out of time"
LITTLE = 400_000
"""Units of work for whether a closed formula in a model holds."""
CVC5_UNIT = 5
"""So many units of work are one of those that cvc5 counts."""
CANCELED, INTERRUPTED = "canceled", "interrupted"
"""What z3 says where it stopped for want of work, or because somebody interrupted it."""


class SolverAnswer(Node):
    """`core` are the switches a refutation used; `model` the values asked for, as numbers; `work`
    what it took, in units of `work_budget`."""

    result: str
    reason: str | None = None
    core: tuple[str, ...] = ()
    model: Mapping[str, int] | None = None
    work: int = 0


def load_z3() -> Any:
    """z3, read from the disk once for this process and all that are copied from it."""
    import z3

    keep_memory()
    return z3


class Solver(Protocol):
    """Something that has read a text and answers questions about it."""

    def check(
        self, switches: Sequence[str], timeout: float, values: Sequence[str] = ()
    ) -> SolverAnswer:
        """Whether all switched assertions can hold together; so many seconds' worth of work."""
        ...


class Z3:
    """z3 with one text read. It gives up after so much work in its own measure, which is the same
    on every machine: `timeout` stands for as much as `work_budget` says, and `work` may be less.

    Asked again without having been told more, it begins anew: an answer depends on the text, the
    switches and the work, not on what was asked before, or came from a cache instead."""

    name = "z3"
    _patience = Interrupter()
    """One for all of a process."""

    def __init__(self, text: str, logic: str | None = None, work: int | None = None) -> None:
        loaded = load_z3()
        self._evaluate = loaded.Z3_eval_smtlib2_string
        self._new_context = loaded.Context
        self._work = work
        head = "(set-option :produce-unsat-cores true)\n"
        if logic is not None:
            head += f"(set-logic {logic})\n"
        self._text = head + text
        self._begun = self._asked = self._grown = False
        self._context: z3.Context | None = None

    def add(self, text: str) -> None:
        """Reads more text; from now on what was asked before is remembered."""
        self._begin()
        self._grown = True
        self._read(text)

    def limit(self, resources: int) -> None:
        """Gives up on a question after so many units of work."""
        self._work = resources

    def check(
        self, switches: Sequence[str], timeout: float, values: Sequence[str] = ()
    ) -> SolverAnswer:
        if self._asked and not self._grown:
            self._context = None
        self._begin()
        self._asked = True
        limit = int(
            min(work_budget.units(timeout), self._work or work_budget.MOST, work_budget.MOST)
        )
        if limit <= 0:
            return SolverAnswer(UNKNOWN, reason=OUT_OF_TIME)
        # z3 has one such limit for the whole process: it is set for each question
        ask = f"(set-option :rlimit {limit})(check-sat-assuming ({' '.join(switches)}))"
        before = self._done()
        with self._patience.within(GRACE + SLOWEST * limit / work_budget.SECOND, self._interrupt):
            said = self._say(ask).strip()
            work = self._done() - before
            work_budget.METER.charge(work)
            if said == UNSAT:
                core = self._say("(get-unsat-core)").strip().strip("()").split()
                return SolverAnswer(UNSAT, core=tuple(core), work=work)
            if said == SAT:
                try:
                    return SolverAnswer(SAT, model=self._values(values), work=work)
                except UnreadableError as error:
                    return SolverAnswer(UNKNOWN, reason=str(error), work=work)
        reason = self._say("(get-info :reason-unknown)").strip() if said == UNKNOWN else said
        if INTERRUPTED in reason or (CANCELED in reason and work < limit):
            raise KeyboardInterrupt
        return SolverAnswer(UNKNOWN, reason=_reason(reason), work=work)

    def _begin(self) -> None:
        """Reads the text, unless it is read."""
        if self._context is None:
            self._context = self._new_context()
            self._read(self._text)

    def _read(self, text: str) -> None:
        said = self._say(text)
        if "error" in said:
            raise ValueError(f"z3 cannot read its text: {said.strip()}")

    def _say(self, text: str) -> str:
        assert self._context is not None
        return str(self._evaluate(self._context.ref(), text))

    def _done(self) -> int:
        """The work that was done on this text so far."""
        return int(self._say("(get-info :rlimit)").split()[1].rstrip(")"))

    def _interrupt(self) -> None:
        if self._context is not None:
            self._context.interrupt()

    def _values(self, names: Sequence[str]) -> Mapping[str, int]:
        if not names:
            return {}
        return read_values(self._say(f"(get-value ({' '.join(names)}))"), names, self._holds)

    def _holds(self, formula: str) -> bool | None:
        """Whether a closed formula holds, if that is soon found out."""
        work_budget.METER.charge(LITTLE)
        text = f"(set-option :rlimit {LITTLE})(assert {formula})(check-sat)"
        apart = self._new_context()
        said = str(self._evaluate(apart.ref(), text)).strip()
        return {SAT: True, UNSAT: False}.get(said)


class Cvc5:
    """cvc5 with one text read."""

    name = "cvc5"

    def __init__(self, text: str) -> None:
        import cvc5

        self._cvc5 = cvc5
        self._text = text

    def check(
        self, switches: Sequence[str], timeout: float, values: Sequence[str] = ()
    ) -> SolverAnswer:
        solver = self._cvc5.Solver()
        limit = min(work_budget.units(timeout), work_budget.MOST) / CVC5_UNIT
        solver.setOption("rlimit-per", str(max(1, int(limit))))
        solver.setOption("produce-models", "true")
        solver.setLogic("ALL")
        parser = self._cvc5.InputParser(solver)
        ask = f"(check-sat-assuming ({' '.join(switches)}))"
        parser.setStringInput(
            self._cvc5.InputLanguage.SMT_LIB_2_6, f"{self._text}{ask}\n", "question"
        )
        said = ""
        while True:
            command = parser.nextCommand()
            if command.isNull():
                break
            said = str(command.invoke(solver, parser.getSymbolManager())).strip() or said
        if said in (SAT, UNSAT):
            return SolverAnswer(said)
        return SolverAnswer(UNKNOWN, reason=_reason(said))


def _reason(said: str) -> str:
    """Why there is no answer, in a word or two."""
    found = re.search(r':reason-unknown "?([^")]*)', said)
    reason = (found.group(1) if found else said).strip()
    over = reason in ("timeout", "") or reason.endswith("canceled")
    return OUT_OF_TIME if over else reason
