"""The places of a position: a variable, or in a map of a variable the value at some keys.

Maps are taken apart down to what is no map any more; a board stays whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node

BOARD = 40
"""Maps of optionals with more keys than this are boards."""


class StateLeaf(Node):
    """A place: the variable, the keys, and the type of what is there."""

    name: str
    keys: tuple[Any, ...]
    type: y.Type

    def of(self, position: Position) -> Any:
        """What a position has there."""
        value = position[self.name]
        for key in self.keys:
            value = value[key]
        return value

    def put(self, position: Position, value: Any) -> Position:
        """The position with something else there."""
        return {**position, self.name: _put(position[self.name], self.keys, value)}


def leaves(name: str, type: y.Type, instance: Instance) -> list[StateLeaf]:
    """The places of a variable."""
    return _leaves(name, (), type, instance)


def is_board(type: y.Type, instance: Instance) -> bool:
    """Whether a type is that of a map that is mostly empty."""
    match type:
        case y.Map(key, y.Option()):
            return len(instance.order(key)) > BOARD
        case _:
            return False


def _leaves(name: str, keys: tuple[Any, ...], type: y.Type, instance: Instance) -> list[StateLeaf]:
    if not isinstance(type, y.Map) or is_board(type, instance):
        return [StateLeaf(name, keys, type)]
    order = instance.order(type.key)
    return [each for key in order for each in _leaves(name, (*keys, key), type.value, instance)]


def _put(map: Any, keys: tuple[Any, ...], value: Any) -> Any:
    if not keys:
        return value
    assert isinstance(map, Mapping)
    return {**map, keys[0]: _put(map[keys[0]], keys[1:], value)}
