"""Frozen, slotted record classes for trees, and the spans that tie them to the text.

Standard dataclasses compile six methods per class when imported, which for our hundred small
classes costs more than checking a spec; these share their methods and cost little to define. Nor is
`typing` loaded by what every check needs: type checkers take what stands under TYPE_CHECKING for
granted, and the program runs without it.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from types import FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, TypeVar, dataclass_transform

    Some = TypeVar("Some", bound="Node")
else:

    def dataclass_transform(frozen_default):
        return lambda made: made


@dataclass_transform(frozen_default=True)
class NodeType(type):
    """Makes the annotated names of a class its slots, and its values positional or by name."""

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> NodeType:
        own = tuple(
            field for field in namespace.get("__annotations__", ()) if not field.startswith("_")
        )
        fields: tuple[str, ...] = ()
        defaults: dict[str, Any] = {}
        for base in bases:
            fields += getattr(base, "_fields", ())
            defaults.update(getattr(base, "_defaults", {}))
        for field in own:
            if field in namespace:
                defaults[field] = namespace.pop(field)
        namespace["__slots__"] = own
        namespace["_fields"] = namespace["__match_args__"] = fields + own
        namespace["_defaults"] = defaults
        initialiser = namespace["__init__"] = _initialiser(name, fields + own, defaults)
        made = super().__new__(mcs, name, bases, namespace)
        for field, cell in zip(made._fields, initialiser.__closure__ or ()):
            cell.cell_contents = getattr(made, field).__set__
        return made


_MAKERS: dict[int, Callable[..., FunctionType]] = {}
"""By number of fields: makes a function that sets them all, each by what stands in a cell."""


def _initialiser(name: str, fields: tuple[str, ...], defaults: dict[str, Any]) -> FunctionType:
    """The `__init__` of a record class, short of what sets its fields, which the class does not
    have before it is made; giving it an `__init__` later would cost as much as making it. Compiled
    once for each number of fields and then given their names: compiling one for each class would
    cost more than it saves."""
    maker = _MAKERS.get(len(fields)) or _maker(len(fields))
    initialiser = maker(*fields)
    initialiser.__code__ = initialiser.__code__.replace(co_varnames=("self", *fields))
    initialiser.__defaults__ = tuple([defaults[field] for field in fields if field in defaults])
    initialiser.__qualname__ = name
    return initialiser


def _maker(count: int) -> Callable[..., FunctionType]:
    setters = [f"set_{each:02}" for each in range(count)]
    values = [f"value_{each}" for each in range(count)]
    body = "; ".join(f"{set_}(self, {value})" for set_, value in zip(setters, values)) or "pass"
    scope: dict[str, Any] = {}
    exec(
        f"def maker({', '.join(setters)}):\n"
        f"    def __init__({', '.join(['self', *values])}): {body}\n"
        f"    return __init__",
        scope,
    )
    _MAKERS[count] = scope["maker"]
    return _MAKERS[count]


class Node(metaclass=NodeType):
    """A record whose values never change. Equality and hash leave `span` out: where a thing
    stands in the text is not what it is."""

    _fields: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(
            getattr(self, field) == getattr(other, field)
            for field in self._fields
            if field != "span"
        )

    def __hash__(self) -> int:
        return hash(
            (type(self), *(getattr(self, field) for field in self._fields if field != "span"))
        )

    def __repr__(self) -> str:
        values = (f"{f}={getattr(self, f)!r}" for f in self._fields if f != "span")
        return f"{type(self).__name__}({', '.join(values)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field) for field in self._fields)


def replace(node: Some, **changes: Any) -> Some:
    """The same node with some values changed."""
    values = [changes.pop(field, getattr(node, field)) for field in node._fields]
    if changes:
        raise TypeError(f"{type(node).__name__} has no {', '.join(changes)}")
    return type(node)(*values)


class Span(namedtuple("Span", ("start", "end"))):
    """From `start` up to `end`, as offsets into the text."""

    __slots__ = ()
    start: int
    end: int


NOWHERE = Span(0, 0)
