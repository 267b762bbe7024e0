"""Functions of the spec as Python functions, which remember what they found where that pays."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import variables_read
from checker.play.compile.code import CHOICE, Block, Code, Here, Names, call

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

MOST_ANSWERS = 6000
"""Values; functions that can have more are not remembered."""


class Function(NamedTuple):
    """A function of the spec as it was written: its Python name, whether it can fail, and where
    its answers are if they are remembered for all arguments."""

    python: str
    fails: bool
    answers: str | None

    def called(self, state: str, given: Sequence[Code]) -> Code:
        """A call of it."""
        if self.answers is None:
            return call(self.python, [Code(state), *given], self.fails)
        arguments = "".join(f"{each.at(CHOICE)}, " for each in given)
        fails = self.fails or any(each.fails for each in given)
        return Code(f"{self.answers}[{arguments.rstrip()}]", fails=fails)


class Functions:
    """Writes each function once."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self._written: dict[str, Function] = {}

    def of(self, function: c.Function) -> Function:
        """The Python function for a function of the spec."""
        if function.name not in self._written:
            names = Names()
            params = [names.fresh() for _ in function.params]
            env = {each.name: Code(name) for each, name in zip(function.params, params)}
            here = Here(Block(), names, env)
            python = self.unit.name("fun", function)
            with here.block.inside(f"def {python}({', '.join(['s', *params])}):"):
                result = self.expressions.value(function.body, here)
                here.block.add(f"return {result.at(CHOICE)}")
            answers = self._remembered(function, python, here.block)
            self.unit.write(here.block)
            self._written[function.name] = Function(python, names.fails, answers)
        return self._written[function.name]

    def _remembered(self, function: c.Function, python: str, block: Block) -> str | None:
        """Has the function remember what it found, if it depends on little: on its arguments alone
        (then the name of its answers is returned), or on a big board and one argument at most."""
        sizes = [self.unit.layout.size(param.type) for param in function.params]
        read = variables_read(function.body, self.unit.instance.functions)
        if None in sizes or len(read) > 1 or not (function.params or read):
            return None
        if not read:
            if prod(size or 0 for size in sizes) > MOST_ANSWERS:
                return None
            answers = self.unit.name("answers", function)
            block.add(f"{answers} = Answers({python})")
            return answers
        (variable,) = read
        slots = self.unit.layout.slots[variable]
        if not slots.keys and isinstance(slots.inner, y.Map) and len(sizes) <= 1:
            block.insert(0, f"@while_same({slots.base})")
        return None
