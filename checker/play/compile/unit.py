"""The Python module that is being written: its constants, its functions, its ways to fail.

A constant that is short is written into the text, a long one is handed over beside it. Failing
is a call of `fail` with the number of a failure, which knows what to say and where in the spec.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import walk
from checker.message import Text
from checker.play.compile import memory, runtime
from checker.play.compile.code import SIGN, Block, Code
from checker.play.compile.facts import Facts
from checker.play.compile.layout import Layout
from checker.play.compile.rewrite import Rewriter
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.syntax.node import Span

LONGEST_WRITTEN = 300
"""Characters; longer constants are not written into the text."""

RESERVED = ("STEPS", "ENDLESS", "begin", "settle", "due_step")
"""Names that every module has for itself."""


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
        self._names: set[str] = {*self.namespace, *RESERVED}
        self._written: list[str] = []
        self._slugs: dict[str, str] = {}
        self._pending = 0
        self.players_in_range = not _stray_players(instance)

    # ---- names and constants

    def name(self, wish: str) -> str:
        """A name of the module that is not taken yet."""
        wish = "".join(each if each.isascii() and each.isalnum() else "_" for each in wish)
        name, number = wish, 2
        while name in self._names:
            name, number = f"{wish}_{number}", number + 1
        self._names.add(name)
        return name

    def slug(self, name: str) -> str:
        """A name of the spec as a part of Python names, different for different names."""
        if name not in self._slugs:
            plain = "".join(each if each.isascii() else "_" for each in name)
            self._slugs[name] = plain if plain == name else f"{plain}{len(self._slugs)}"
        return self._slugs[name]

    def constant(self, wish: str, value: Any, comment: str = "") -> str:
        """The name of a constant with that value."""
        written = repr(value)
        key = (type(value).__name__, written)
        if key not in self._constants:
            name = self._constants[key] = self.name(wish)
            note = f"  # {comment}" if comment else ""
            if len(written) <= LONGEST_WRITTEN:
                self._written.append(f"{name} = {written}{note}\n")
            else:
                self.namespace[name] = value
                self._written.append(f"# {name}: {len(value)} entries, too long to show{note}\n")
        return self._constants[key]

    def known(self, value: Any, type: y.Type) -> Code:
        """A value that is known beforehand."""
        encoded = self.layout.encode(value, type)
        if encoded is None or isinstance(encoded, bool | int):
            negative = isinstance(encoded, int) and encoded < 0
            return Code(repr(encoded), SIGN if negative else Code("").level, known=value)
        return Code(self.constant("VALUE", encoded), known=value)

    # ---- functions

    def write(self, block: Block) -> None:
        """Adds finished lines to the module."""
        self._written.append("\n" + block.text())

    def load(self) -> dict[str, Any]:
        """Runs what has been written since the last time, and returns all names."""
        text = "".join(self._written[self._pending :])
        self._pending = len(self._written)
        exec(compile(text, f"<{self.instance.spec.name}>", "exec"), self.namespace)
        return self.namespace

    def source(self) -> str:
        """The whole module as text."""
        return "".join(self._written)

    def now(self, name: str, block: Block) -> Callable[..., Any]:
        """A function that is needed while the module is still being written."""
        self.load()
        namespace = dict(self.namespace)
        exec(compile(block.text(), "<table>", "exec"), namespace)
        return namespace[name]  # type: ignore[no-any-return]

    # ---- places in the spec

    def line(self, node: c.Core) -> str:
        """`line 12`, for comments."""
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
