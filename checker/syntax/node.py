"""Frozen, slotted record classes for trees, and the spans that tie them to the text.

Standard dataclasses compile six methods per class when imported, which for our hundred small
classes costs more than checking a spec; these share their methods and cost nothing to define.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, dataclass_transform


@dataclass_transform(frozen_default=True)
class NodeType(type):
    """Makes the annotated names of a class its slots, and its values positional or by name."""

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]
    _setters: tuple[Any, ...]

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
        made = super().__new__(mcs, name, bases, namespace)
        made._setters = tuple(getattr(made, field).__set__ for field in made._fields)
        return made


class Node(metaclass=NodeType):
    """A record whose values never change. Equality and hash leave `span` out: where a thing
    stands in the text is not what it is."""

    _fields: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]
    _setters: ClassVar[tuple[Any, ...]]

    def __init__(self, *values: Any, **named: Any) -> None:
        setters = self._setters
        for setter, value in zip(setters, values):
            setter(self, value)
        if len(values) != len(setters) or named:
            self._complete(values, named)

    def _complete(self, values: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Sets the values given by name and the defaults."""
        fields = self._fields
        if len(values) > len(fields):
            raise TypeError(f"{type(self).__name__} takes {len(fields)} values, got {len(values)}")
        for field, setter in zip(fields[len(values) :], self._setters[len(values) :]):
            if field in named:
                setter(self, named.pop(field))
            elif field in self._defaults:
                setter(self, self._defaults[field])
            else:
                raise TypeError(f"{type(self).__name__} needs `{field}`")
        if named:
            raise TypeError(f"{type(self).__name__} has no {sorted(named)}")

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


def replace(node: Any, **changes: Any) -> Any:
    """The same node with some values changed."""
    return type(node)(*(changes.get(field, getattr(node, field)) for field in node._fields))


class Span(NamedTuple):
    """From `start` up to `end`, as offsets into the text."""

    start: int
    end: int


NOWHERE = Span(0, 0)
