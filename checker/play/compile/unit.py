"""The Python module that is being written: its constants, its functions, its ways to fail.

Nothing of a spec stands in the text: names are a kind of ours and a number, constants are handed
over beside it, and failing is a call of `fail` with the number of a failure, which knows what to
say and where in the spec. The text goes to Python through `host`, which sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import walk
from checker.message import Text
from checker.play.compile import host, memory, runtime
from checker.play.compile.code import SIGN, Block, Code
from checker.play.compile.facts import Facts
from checker.play.compile.layout import Layout
from checker.play.compile.rewrite import Rewriter
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.syntax.node import Span

Named: TypeAlias = "c.Function | c.Effect | c.Property"


class Unit:
    """What is known of the spec, and what has been written so far."""

    def __init__(self, instance: Instance, text: Text | None) -> None:
        self.instance = instance
        self.layout = Layout(instance)
        self.facts = Facts(instance)
        self.rewriter = Rewriter(instance, self.layout, self.facts)
        self.namespace: dict[str, Any] = {name: getattr(runtime, name) for name in runtime.__all__}
        self.namespace |= {name: getattr(memory, name) for name in memory.__all__}
        self.namespace["EvaluationError"] = EvaluationError
        self.namespace["ELEMENTS"] = runtime.Elements()
        self.namespace["fail"] = self._fail
        self._text = text
        self._failures: list[tuple[Callable[..., str], Span]] = []
        self._constants: dict[tuple[str, str], str] = {}
        self._names = 0
        self._written: list[str] = []
        self._numbers: dict[str, int] = {}
        self._pending = 0
        self._about: dict[str, str] = {}
        self.players_in_range = not _stray_players(instance)

    # ---- names and constants

    def name(self, kind: host.Kind, node: Named | None = None) -> str:
        """A new name of the module, for what `node` declares in the spec."""
        self._names += 1
        name = f"{kind}_{self._names}"
        if node is not None:
            self._about[name] = f"{node.name}, {self._line(node)}"
        return name

    def number(self, name: str) -> int:
        """The number that stands for a name of the spec in the text, another for each name."""
        return self._numbers.setdefault(name, len(self._numbers))

    def constant(self, value: Any) -> str:
        """The name of a constant with that value."""
        key = (type(value).__name__, repr(value))
        if key not in self._constants:
            name = self._constants[key] = self.name("constant")
            self.namespace[name] = value
        return self._constants[key]

    def known(self, value: Any, type: y.Type) -> Code:
        """A value that is known beforehand."""
        encoded = self.layout.encode(value, type)
        if encoded is None or isinstance(encoded, bool | int):
            negative = isinstance(encoded, int) and encoded < 0
            return Code(repr(encoded), SIGN if negative else Code("").level, known=value)
        return Code(self.constant(encoded), known=value)

    # ---- functions

    def write(self, block: Block) -> None:
        """Adds finished lines to the module."""
        self._written.append("\n" + block.text())

    def load(self) -> dict[str, Any]:
        """Runs what has been written since the last time, and returns all names."""
        text = "".join(self._written[self._pending :])
        self._pending = len(self._written)
        host.run(text, self.namespace)
        return self.namespace

    def source(self) -> str:
        """The whole module as text."""
        return "".join(self._written)

    def now(self, name: str, block: Block) -> Callable[..., Any]:
        """A function that is needed while the module is still being written."""
        self.load()
        namespace = dict(self.namespace)
        host.run(block.text(), namespace)
        return namespace[name]  # type: ignore[no-any-return]

    # ---- places in the spec

    def legend(self) -> dict[str, str]:
        """What the names in the text stand for, for whoever reads it: names of the module, and
        numbers in them, with what they are in the spec."""
        numbers = {str(number): name for name, number in self._numbers.items()}
        constants = {name: repr(self.namespace[name]) for name in self._constants.values()}
        return {**numbers, **self._about, **constants}

    def _line(self, node: c.Core) -> str:
        return f"line {self._text.place(node.span.start)[0]}" if self._text else "the spec"

    def failure(self, span: Span, describe: Callable[..., str]) -> int:
        """The number of a new failure; `describe` is given the values it is raised with."""
        self._failures.append((describe, span))
        return len(self._failures) - 1

    def refusal(self, error: UsageError) -> str:
        """The call that makes the error again, for when what cannot be done is asked for."""
        name = self.name("refusal")
        self.namespace[name] = lambda: UsageError(error.message, error.help)
        return f"{name}()"

    def _fail(self, number: int, *values: Any) -> EvaluationError:
        describe, span = self._failures[number]
        return EvaluationError(describe(*values), span)


def _stray_players(instance: Instance) -> bool:
    """Whether a player is named who does not play: seat 5 among three."""
    spec = instance.spec
    if instance.players == spec.most:
        return False
    roots: Sequence[c.Core] = (
        *spec.functions, *spec.effects, *spec.transitions, *spec.start, *spec.properties
    )  # fmt: skip
    return any(
        isinstance(node, c.Literal) and isinstance(node.type, y.Player)
        and isinstance(node.value, int) and node.value > instance.players
        for root in roots
        for node in walk(root)
    )  # fmt: skip
