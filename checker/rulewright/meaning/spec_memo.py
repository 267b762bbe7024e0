"""Memo per spec: remembers what was found out about one, for the specs that were asked about
last."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from rulewright.meaning.core import Spec

KEPT = 16
"""Of so many specs it is remembered."""
Found = TypeVar("Found")


def once_per_spec(find_out: Callable[[Spec], Found]) -> Callable[[Spec], Found]:
    """The same function, which finds out about each spec once."""
    known: dict[int, tuple[Spec, Found]] = {}

    @wraps(find_out)
    def found(spec: Spec) -> Found:
        here = known.get(id(spec))
        if here is None:
            if len(known) == KEPT:
                known.clear()
            here = known[id(spec)] = spec, find_out(spec)  # kept, so that no other takes its place
        return here[1]

    return found
