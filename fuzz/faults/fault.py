"""What a deliberate fault is, and how it is put into the running program and taken out again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Put:
    """Puts other things in the place of attributes, and remembers what was there."""

    def __init__(self) -> None:
        self._held: list[tuple[Any, str, Any]] = []

    def at(self, owner: Any, name: str, value: Any) -> None:
        """Another attribute of a class or module."""
        self._held.append((owner, name, owner.__dict__[name]))
        setattr(owner, name, value)

    def everywhere(self, original: Any, value: Any) -> None:
        """Another function in every module of the checker that has this one."""
        name = original.__name__
        for path, module in list(sys.modules.items()):
            if path.split(".")[0] == "rulewright" and getattr(module, name, None) is original:
                self.at(module, name, value)

    def back(self) -> None:
        """Everything as it was."""
        for owner, name, value in reversed(self._held):
            setattr(owner, name, value)
        self._held.clear()


class Fault(NamedTuple):
    """A deliberate fault: what it is called, which function it is in, and what it does wrong."""

    name: str
    where: str
    what: str
    breaks: Callable[[Put], None]


@contextmanager
def broken(fault: Fault) -> Iterator[None]:
    """The program with a fault in it."""
    put = Put()
    try:
        fault.breaks(put)
        yield
    finally:
        put.back()
