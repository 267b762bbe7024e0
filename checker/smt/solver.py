"""Talks to solvers, and only that: text in, an answer out. z3 is used inside the process, through
its own reader of SMT-LIB text; cvc5, where it is installed, reads the same text.

An answer is what the solver says; whether to believe a model is up to `decode`.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping, Sequence
from multiprocessing import parent_process
from typing import Protocol

from checker.smt.memory import keep_memory
from checker.smt.patience import Patience
from checker.smt.values import UnreadableError, read_values
from checker.syntax.node import Node

SAT, UNSAT, UNKNOWN = "sat", "unsat", "unknown"
GRACE = 5.0
"""Seconds a solver has to notice that its time is over."""


class Answer(Node):
    """`core` are the switches a refutation used; `model` the values asked for, as numbers."""

    result: str
    reason: str | None = None
    core: tuple[str, ...] = ()
    model: Mapping[str, int] | None = None


class Solver(Protocol):
    """Something that has read a text and answers questions about it."""

    def check(self, switches: Sequence[str], timeout: float, values: Sequence[str] = ()) -> Answer:
        """Whether all switched assertions can hold together, within so many seconds of work."""
        ...


class Z3:
    """z3 with one text read. It gives up after so many seconds of the processor, whatever else the
    machine is busy with, and after so much `work` in its own measure, which is the same on every
    machine; about four million units are a second."""

    name = "z3"
    _patience = Patience()
    """One for all of a process, as its time is."""

    def __init__(self, text: str, logic: str | None = None, work: int | None = None) -> None:
        import z3

        keep_memory()
        self._evaluate = z3.Z3_eval_smtlib2_string
        self._context = z3.Context()
        self._work = work
        head = "(set-option :produce-unsat-cores true)\n"
        if logic is not None:
            head += f"(set-logic {logic})\n"
        self.add(head + text)

    def add(self, text: str) -> None:
        """Reads more text."""
        said = self._say(text)
        if "error" in said:
            raise ValueError(f"z3 cannot read its text: {said.strip()}")

    def _say(self, text: str) -> str:
        return str(self._evaluate(self._context.ref(), text))

    def limit(self, resources: int) -> None:
        """Gives up on a question after so many units of work, which unlike seconds are the same
        on every machine."""
        self._work = resources

    def check(self, switches: Sequence[str], timeout: float, values: Sequence[str] = ()) -> Answer:
        # z3 has one such limit for the whole process, and zero is none: it is set for each question
        ask = f"(set-option :rlimit {self._work or 0})(check-sat-assuming ({' '.join(switches)}))"
        with _Deadline(GRACE + 2 * timeout):
            with self._patience.within(timeout, self._context.interrupt):
                said = self._say(ask).strip()
            if said == UNSAT:
                core = self._say("(get-unsat-core)").strip().strip("()").split()
                return Answer(UNSAT, core=tuple(core))
            if said == SAT:
                try:
                    return Answer(SAT, model=self._values(values))
                except UnreadableError as error:
                    return Answer(UNKNOWN, reason=str(error))
        reason = self._say("(get-info :reason-unknown)").strip() if said == UNKNOWN else said
        return Answer(UNKNOWN, reason=_reason(reason))

    def _values(self, names: Sequence[str]) -> Mapping[str, int]:
        return read_values(self._say(f"(get-value ({' '.join(names)}))"), names) if names else {}


class _Deadline:
    """Ends a worker process whose solver goes on long after its time: the alarm is not caught, so
    the system ends the process, whatever it is doing. Elsewhere nothing happens."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds if parent_process() is not None else 0.0

    def __enter__(self) -> None:
        self._set(self._seconds)

    def __exit__(self, *_: object) -> None:
        self._set(0.0)

    def _set(self, seconds: float) -> None:
        if self._seconds and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, seconds)


class Cvc5:
    """cvc5 with one text read."""

    name = "cvc5"

    def __init__(self, text: str) -> None:
        import cvc5

        self._cvc5 = cvc5
        self._text = text

    def check(self, switches: Sequence[str], timeout: float, values: Sequence[str] = ()) -> Answer:
        solver = self._cvc5.Solver()
        solver.setOption("tlimit-per", str(max(1, int(timeout * 1000))))
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
            return Answer(said)
        return Answer(UNKNOWN, reason=_reason(said))


def _reason(said: str) -> str:
    """Why there is no answer, in a word or two."""
    found = re.search(r':reason-unknown "?([^")]*)', said)
    reason = (found.group(1) if found else said).strip()
    over = reason in ("timeout", "") or reason.endswith("canceled")
    return "out of time" if over else reason
