"""What generated code remembers from one event to the next.

Values never change, so a map that is the very one of before has the same tiles on it. Each of these
gives what would be worked out anew, only sooner; none of them depends on who asks or in what order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

__all__ = ["Answers", "near", "of_map", "while_same"]

Map = Mapping[int, Any]
"""A map over a big board: a dict of what is not `none`."""


class Answers(dict[tuple[Any, ...], Any]):
    """The values of a function of few arguments, worked out as they are asked for."""

    def __init__(self, work: Callable[..., Any]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, given: tuple[Any, ...]) -> Any:
        found = self[given] = self._work(None, *given)
        return found


def of_map(work: Callable[[Map], Any]) -> Callable[[Map], Any]:
    """A function of a map, remembered for the last two: as a rule a table as it lies, and as
    somebody would lay it."""
    one: Map | None = None
    other: Map | None = None
    of_one: Any = None
    of_other: Any = None

    def ask(map: Map) -> Any:
        nonlocal one, other, of_one, of_other
        if map is not one:
            one, other, of_one, of_other = other, one, of_other, of_one
            if map is not one:
                one, of_one = map, work(map)
        return of_one

    return ask


def while_same(slot: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function of the state that reads one slot only, remembered until that changes."""

    def remembering(work: Callable[..., Any]) -> Callable[..., Any]:
        last: Any = None
        known: dict[tuple[Any, ...], Any] = {}

        def ask(s: Sequence[Any], *given: Any) -> Any:
            nonlocal last
            if s[slot] is not last:
                known.clear()
                last = s[slot]
            elif given in known:
                return known[given]
            found = known[given] = work(s, *given)
            return found

        return ask

    return remembering


def near(
    offsets: Sequence[int],
) -> Callable[[Callable[[Map, Iterable[int]], bool]], Callable[[Map], bool]]:
    """Whether something holds of all squares of a map that asks each square only for itself and for
    those so far away from it. Of a map unlike the last one for which it held, it is asked only
    where it may have become otherwise."""

    def remembering(holds: Callable[[Map, Iterable[int]], bool]) -> Callable[[Map], bool]:
        held: Map = {}

        def ask(map: Map) -> bool:
            nonlocal held
            if map is held:
                return True
            changed = [square for square, value in map.items() if held.get(square) != value]
            if len(changed) + len(held) != len(map):
                changed += held.keys() - map.keys()
            squares: Iterable[int] = map
            if len(changed) * 2 < len(map):
                squares = {square + each for square in changed for each in offsets} & map.keys()
            if not holds(map, squares):
                return False
            held = map
            return True

        return ask

    return remembering
