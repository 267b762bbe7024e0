"""Walking the core: the parts of a node, and whether an expression looks at the state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.meaning import core as c
from rulewright.syntax.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_PLAIN = frozenset(
    ("Span", "Type", "str", "str | None", "bool", "int", "tuple[str, ...]", "Template | None")
)
"""What fields are said to be that have no core nodes, or none that matter to what a spec means."""
_LEADING_IN: dict[type, tuple[str, ...]] = {}
"""For each class the other fields."""


def _leading_in(kind: type) -> tuple[str, ...]:
    said = {}
    for each in reversed(kind.__mro__):
        said.update(each.__dict__.get("__annotations__", {}))
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    found = _LEADING_IN[kind] = tuple(each for each in fields if said[each] not in _PLAIN)
    return found


def parts(node: Any) -> Iterator[Any]:
    """The core nodes directly inside a node."""
    fields = _LEADING_IN.get(type(node))
    for field in _leading_in(type(node)) if fields is None else fields:
        value = getattr(node, field)
        if isinstance(value, c.Core):
            yield value
        elif isinstance(value, tuple):
            for each in value:
                if isinstance(each, c.Core):
                    yield each


def walk(node: Node) -> Iterator[Any]:
    """A node and everything inside it."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(parts(here))


def reads_state(expr: c.Expr, functions: Mapping[str, c.Function]) -> bool:
    """Whether the value depends on the state, here or in a function called."""
    return bool(variables_read(expr, functions))


def variables_read(expr: c.Expr, functions: Mapping[str, c.Function]) -> frozenset[str]:
    """The state variables that a value depends on, here or in a function called."""
    through = walk_through(expr, functions)
    return frozenset(node.name for node in through if isinstance(node, c.StateVar))


def walk_through(expr: c.Expr, functions: Mapping[str, c.Function]) -> Iterator[Any]:
    """An expression and everything inside it, and inside the functions called."""
    seen: set[str] = set()
    waiting: list[Any] = [expr]
    while waiting:
        for node in walk(waiting.pop()):
            yield node
            if isinstance(node, c.Call) and node.function not in seen:
                seen.add(node.function)
                if node.function in functions:
                    waiting.append(functions[node.function].body)
