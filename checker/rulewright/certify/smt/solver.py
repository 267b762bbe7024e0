"""Asks solvers, and only that: a text in, a word out. Work is counted in the solver's own units,
which are the same on every machine, never in seconds.
"""

from __future__ import annotations

from typing import Protocol

SAT, UNSAT, UNKNOWN = "sat", "unsat", "unknown"


class Solver(Protocol):
    """Something that answers questions."""

    name: str

    def ask(self, text: str, work: int) -> str:
        """Whether all assertions of a text can hold together, with so much work."""
        ...


class Z3:
    """z3. Every question has a context of its own, so that no answer depends on those before."""

    name = "z3"

    def ask(self, text: str, work: int) -> str:
        import z3

        context = z3.Context()
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", work)
        solver.from_string(text)
        return str(solver.check())


class Cvc5:
    """cvc5."""

    name = "cvc5"

    def ask(self, text: str, work: int) -> str:
        import cvc5

        solver = cvc5.Solver()
        solver.setOption("rlimit", str(work))
        solver.setLogic("ALL")
        parser = cvc5.InputParser(solver)
        whole = f"{text}(check-sat)\n"
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, whole, "question")
        said = ""
        while not (command := parser.nextCommand()).isNull():
            said = str(command.invoke(solver, parser.getSymbolManager())).strip() or said
        return said if said in (SAT, UNSAT) else UNKNOWN
