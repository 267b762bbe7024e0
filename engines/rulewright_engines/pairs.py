"""Maps by number as JSON has them: a list of pairs, one for each of 1, 2, 3 and so on.

Engines keep what belongs to each player or place in this form, so that they need not write it anew
whenever they say how things stand. A list that has been given out is never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Pairs: TypeAlias = list[list[Any]]


def as_pairs(values: Mapping[Any, Any]) -> Pairs:
    """The pairs of a map."""
    return [*map(list, values.items())]


def of(pairs: Pairs, number: int) -> Any:
    """What a number has."""
    return pairs[number - 1][1]


def put(pairs: Pairs, number: int, value: Any) -> Pairs:
    """The same pairs but for what one number has."""
    changed = pairs[:]
    changed[number - 1] = [number, value]
    return changed
