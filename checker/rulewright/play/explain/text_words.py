"""Values in words, as pictures in text have them: players by name, what has a face by its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.io.notation import seat
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import ordered, text


class ValueWords:
    """Says the values of one variable or table, as its view says if it has one."""

    def __init__(self, instance: Instance, seats: Sequence[str], view: c.View | None) -> None:
        self.instance = instance
        self._seats = seats
        self._labels = {
            (each.value, each.type): each.label
            for each in (view.faces if view is not None else ())
            if each.label is not None
        }

    def plain(self, value: Any, type: y.Type) -> str:
        """A single value; what is empty is a dash."""
        if isinstance(type, y.Option):
            return "-" if value is None else self.plain(value, type.inner)
        if self._labels and (value, type) in self._labels:
            return self._labels[value, type]
        return seat(value, self._seats) if isinstance(type, y.Player) else text(value)

    def inline(self, value: Any, type: y.Type) -> list[str]:
        """A value as words that may be broken into lines between them."""
        match type:
            case y.Option(inner) if value is not None:
                return self.inline(value, inner)
            case y.Set(element):
                return _commas([self.plain(each, element)
                                for each in ordered(value, element, self.instance)])  # fmt: skip
            case y.Bag(element):
                counts = [(each, value[each]) for each in ordered(value, element, self.instance)]
                return _commas([
                    self.plain(each, element) + (f" x{count}" if count > 1 else "")
                    for each, count in counts
                ])  # fmt: skip
            case y.Seq():
                filled = [each for each in value.values() if each is not None]
                return _commas([self.plain(each, type.element) for each in filled])
            case y.Map(y.Int(), inside) if y.is_scalar(inside) or isinstance(inside, y.Option):
                return [self.plain(each, inside) for each in value.values()]
            case y.Map(key, inside):
                return _commas([
                    f"{self.plain(each, key)} {' '.join(self.inline(value[each], inside))}"
                    for each in value
                ])  # fmt: skip
            case _:
                return [self.plain(value, type)]


def _commas(words: list[str]) -> list[str]:
    return [f"{word}," for word in words[:-1]] + words[-1:] if words else ["-"]
