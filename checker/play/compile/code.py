"""Pieces of Python text: expressions that know their precedence, and blocks of lines.

An expression of the language becomes a `Code`, a Python expression, and where one expression is
not enough, lines put into the block before it. Whatever can fail does so in such a line, or in a
call; `fails` says that a call inside can, so that nothing is moved past it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

CHOICE, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, SIGN, ATOM = range(13)
"""How tightly Python's operators bind."""
OPPOSITE = {
    "==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in",
    "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
"""What says that a comparison does not hold."""


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()


class Code(NamedTuple):
    """A Python expression. `known` is its value (as the evaluator has it) where that is known
    beforehand; `loose` truths may be any object that counts as true or false; `parts` are the
    values of a map one by one, if it is put together here; `opposite` is how to write that a
    comparison does not hold."""

    text: str
    level: int = ATOM
    fails: bool = False
    loose: bool = False
    known: Any = UNKNOWN
    parts: tuple[Code, ...] | None = None
    opposite: str | None = None

    @property
    def is_known(self) -> bool:
        return self.known is not UNKNOWN

    @property
    def is_name(self) -> bool:
        return self.text.isidentifier()

    def method(self, name: str) -> Code:
        """A call of a method without arguments."""
        subject = f"({self.text})" if self.text.isdigit() else self.at(ATOM)
        return Code(f"{subject}.{name}()", fails=self.fails)

    def at(self, level: int) -> str:
        """The text, in brackets if it binds less tightly than that."""
        return self.text if self.level >= level else f"({self.text})"


TRUE = Code("True", known=True)
FALSE = Code("False", known=False)


def infix(left: Code, operator: str, right: Code, level: int, loose: bool = False) -> Code:
    """An operator between two expressions; comparisons do not stand side by side."""
    side = level + 1 if level == COMPARE else level
    one, other = left.at(side), right.at(level + 1)
    opposite = f"{one} {OPPOSITE[operator]} {other}" if operator in OPPOSITE else None
    fails = left.fails or right.fails
    return Code(f"{one} {operator} {other}", level, fails, loose, opposite=opposite)


def call(function: str, arguments: Sequence[Code], fails: bool = False) -> Code:
    """A call of a Python function; `fails` if it can."""
    fails = fails or any(each.fails for each in arguments)
    return Code(f"{function}({', '.join(each.at(CHOICE) for each in arguments)})", ATOM, fails)


def negation(truth: Code) -> Code:
    """The opposite of a truth."""
    if truth.is_known:
        return FALSE if truth.known else TRUE
    if truth.level == NOT and truth.text.startswith("not "):
        return Code(truth.text[4:], NOT, truth.fails, loose=True)
    if truth.opposite is not None:
        return truth._replace(text=truth.opposite, opposite=truth.text)
    return Code(f"not {truth.at(NOT)}", NOT, truth.fails)


class Names:
    """Python names within one function, each used once: `v1`, `v2`, … They are made from a number
    and from nothing else. `fails` says whether anything put into the function can fail."""

    def __init__(self, count: int = 0) -> None:
        self.count = count
        self.fails = False

    def fresh(self) -> str:
        """A name that is not taken yet."""
        self.count += 1
        return f"v{self.count}"


class Block:
    """Lines of Python, each with its depth."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []
        self.depth = 0

    def __bool__(self) -> bool:
        return bool(self.lines)

    def add(self, line: str) -> None:
        self.lines.append((self.depth, line))

    def insert(self, place: int, line: str) -> None:
        """Puts a line before those from `place` on."""
        self.lines.insert(place, (self.depth, line))

    @contextmanager
    def inside(self, header: str) -> Iterator[None]:
        """What is added here stands inside a statement, at least `pass`."""
        self.add(header)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.add("pass")
        self.depth -= 1

    def splice(self, other: Block) -> None:
        """Adds the lines of another block at the present depth."""
        self.lines += [(self.depth + depth, line) for depth, line in other.lines]

    def text(self) -> str:
        return "".join(f"{'    ' * depth}{line}\n" for depth, line in self.lines)


class Here:
    """Where code is being put: the block, the Python expressions of local names, and the
    Python names of the state now and (None if nothing can ask for it) before the transition."""

    __slots__ = ("before", "block", "env", "names", "state")

    def __init__(
        self,
        block: Block,
        names: Names,
        env: Mapping[str, Code] | None = None,
        state: str = "s",
        before: str | None = None,
    ) -> None:
        self.block = block
        self.names = names
        self.env = env or {}
        self.state = state
        self.before = before

    def bind(self, name: str, code: Code) -> Here:
        """The same place with one more local name."""
        env = {**self.env, name: code}
        return Here(self.block, self.names, env, self.state, self.before)

    def alone(self, env: Mapping[str, Code], state: str | None = None) -> Here:
        """The same place seen from inside a function: only these names are known."""
        return Here(self.block, self.names, env, state or self.state, self.before)

    def into(self, block: Block) -> Here:
        """The same names, with lines going into another block."""
        return Here(block, self.names, self.env, self.state, self.before)

    def trial(self) -> Here:
        """A place to try something out; `keep` takes over what became of it."""
        names = Names(self.names.count)
        return Here(Block(), names, self.env, self.state, self.before)

    def keep(self, trial: Here) -> None:
        """Takes over the lines and names of something tried out."""
        self.block.splice(trial.block)
        self.names.count = trial.names.count
        self.names.fails |= trial.names.fails

    def hold(self, code: Code) -> Code:
        """The value of an expression worked out now, under a name."""
        if code.is_known or code.is_name:
            return code
        name = self.names.fresh()
        self.block.add(f"{name} = {code.at(CHOICE)}")
        return Code(name, loose=code.loose)
