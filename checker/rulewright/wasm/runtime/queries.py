"""Single expressions and statements compiled and run: for questions about a position.

Many of them go into one module, which is loaded once. What fails raises the evaluator's error; what
64 bits do not hold, or what takes too long, raises an exception of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.wasm.assembler.instructions import Instruction, Unsupported, const
from rulewright.wasm.codegen.compilation_unit import (
    NO_MEMORY,
    NO_WORK,
    NOT_COMPILED,
    STATE,
    STOP,
    TOO_LARGE,
    CodeContext,
    CompilationUnit,
)
from rulewright.wasm.codegen.expressions import ExpressionCompiler
from rulewright.wasm.codegen.memory_access import replaced
from rulewright.wasm.codegen.statements import StatementCompiler
from rulewright.wasm.runtime.loaded_module import LoadedModule, Trap

ARENA = 1 << 24
MOST_MEMORY = 1 << 28


class LimitError(UsageError):
    """The work or memory that a spec is given for one thing is used up."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the rules need more than they are given: {what}", SIMPLER)


SIMPLER = "write what takes so long or so much so that there is less to go through"


def stopped(memory: memoryview, trap: Trap) -> Exception:
    """What a trap means."""
    match memory[STOP]:
        case why if why == TOO_LARGE:
            return Unsupported("a number that 64 bits do not hold")
        case why if why == NOT_COMPILED:
            return Unsupported("something that is not compiled")
        case why if why == NO_WORK:
            return LimitError("one event takes too much work")
        case why if why == NO_MEMORY:
            return LimitError("one event takes too much memory")
        case _ if "call stack exhausted" in str(trap):
            return LimitError("functions call each other too deeply")
        case _:  # the code is at fault, not the rules
            return trap


class Program:
    """Collects what is to be run on positions of an instance."""

    def __init__(self, instance: Instance) -> None:
        self.unit = CompilationUnit(instance)
        self.expressions = ExpressionCompiler(self.unit)
        self.statements = StatementCompiler(self.expressions)
        self.results: dict[str, tuple[int, c.Expr]] = {}
        self._count = 0

    def expression(self, expression: c.Expr) -> str:
        """Adds an expression; the name is what it is asked for by. What cannot be compiled is
        refused with `Unsupported` when it is run, if not before."""
        name = self._name()
        kept = self.unit.layout.kept(expression.type)
        at = self.unit.reserve(kept.size)

        def body(here: CodeContext) -> Instruction:
            value = self.expressions.value(expression, here)
            return replaced(self.unit, kept, const(at), value)

        self.unit.entry(name, (), body, self.unit.before)
        self.results[name] = (at, expression)
        return name

    def body(self, statements: Sequence[c.Statement]) -> str:
        """Adds statements; they change the state."""
        name = self._name()

        self.unit.entry(
            name, (), lambda here: self.statements.run(statements, here), self.unit.before
        )
        return name

    def load(self) -> LoadedProgram:
        """Everything added, ready to run."""
        return LoadedProgram(self)

    def _name(self) -> str:
        self._count += 1
        return f"ask {self._count}"


class LoadedProgram:
    """A program in memory."""

    def __init__(self, program: Program) -> None:
        self.unit = program.unit
        self.layout = program.unit.layout
        self.results = program.results
        self.running = LoadedModule(self.unit.finish(ARENA, MOST_MEMORY))

    def place(self, now: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> None:
        """Sets the position, and the one before it."""
        self.layout.load(now, self.running.memory, STATE)
        self.layout.load(now if before is None else before, self.running.memory, self.unit.before)

    def value(self, name: str) -> Any:
        """What an expression is worth in the position."""
        self._run(name)
        at, expression = self.results[name]
        return self.layout.decode(expression.type, self.running.memory, at)

    def perform(self, name: str) -> Position:
        """The position after statements."""
        self._run(name)
        return self.layout.position(self.running.memory, STATE)

    def _run(self, name: str) -> None:
        memory = self.running.memory
        memory[STOP] = 0
        try:
            failure = self.running.function(name, ">i")()
        except Trap as trap:
            raise stopped(memory, trap) from None
        if failure:
            raise self.unit.error(memory, failure)
