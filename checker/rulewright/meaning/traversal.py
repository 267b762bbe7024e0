"""Walking and rebuilding the core: the parts of a node, the same with other parts, and whether an
expression looks at the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulewright.meaning import core as c
from rulewright.syntax.node import Node, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Some = TypeVar("Some", bound=Node)


_PLAIN = frozenset(
    ("Span", "Type", "str", "str | None", "bool", "int", "tuple[str, ...]", "Template | None")
)
"""What fields are said to be that have no core nodes, or none that matter to what a spec means."""
_LEADING_IN: dict[type, tuple[str, ...]] = {}
"""For each class the other fields."""


def _leading_in(kind: type) -> tuple[str, ...]:
    known = _LEADING_IN.get(kind)
    if known is not None:
        return known
    said: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        said.update(getattr(each, "__annotations__", {}))
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    found = _LEADING_IN[kind] = tuple(each for each in fields if said[each] not in _PLAIN)
    return found


def parts(node: Any) -> Iterator[Any]:
    """The core nodes directly inside a node."""
    for field in _leading_in(type(node)):
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


def with_parts(node: Some, change: Callable[[Any], Any]) -> Some:
    """The same node with the core nodes directly inside it changed."""
    changes: dict[str, Any] = {}
    for field in _leading_in(type(node)):
        value = getattr(node, field)
        if isinstance(value, c.Core):
            changes[field] = change(value)
        elif isinstance(value, tuple) and any(isinstance(each, c.Core) for each in value):
            changes[field] = tuple(
                change(each) if isinstance(each, c.Core) else each for each in value
            )
    return replace(node, **changes) if changes else node


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with some of its nodes changed, those for which `change` gives others."""
    new = change(node)
    return new if new is not None else with_parts(node, lambda each: rebuilt(each, change))


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
