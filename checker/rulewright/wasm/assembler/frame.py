"""Types, labels and the function that code is written into: what instructions are made with."""

from __future__ import annotations

I32, I64 = "i32", "i64"
NEVER = "never"
"""The type of code after which nothing runs."""

BITS = {I32: 32, I64: 64}
BINARY_TYPE = {I32: 0x7F, I64: 0x7E}
EMPTY_TYPE = 0x40


class InvalidCode(Exception):  # noqa: N818 - names what was about to be made
    """Instructions that no valid module has: a mistake in the compiler."""


class Unsupported(Exception):  # noqa: N818 - an ordinary answer: the evaluator can do it
    """Something that is not compiled."""


class Label:
    """What a branch goes to: the end of a block, or the beginning of a loop."""

    __slots__ = ()


class Frame:
    """The function that code is written into: the labels of the blocks around, innermost last, and
    the types of its variables so far."""

    __slots__ = ("labels", "types")

    def __init__(self) -> None:
        self.labels: list[Label] = []
        self.types: list[str] = []

    def depth(self, label: Label) -> int:
        """How many blocks a branch to a label leaves."""
        for depth, each in enumerate(reversed(self.labels)):
            if each is label:
                return depth
        raise InvalidCode("a branch to a label that is not around it")

    def variable(self, type: str) -> int:
        """The number of a new variable."""
        self.types.append(type)
        return len(self.types) - 1
