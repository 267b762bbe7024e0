"""Draws in text what a view says that something is: a track, boxes, possibilities, a hand, dice.

What the game leads to stands in parentheses, as on sheets and boards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.explain.text_words import ValueWords
from rulewright.play.semantics.values import BagValue, ordered

Line: TypeAlias = tuple[str, list[str]]
"""What a line is about, and the words in it."""
FREE = "."
GONE = "·"
"""What is no longer possible."""


def lines_of(
    shape: str, type: y.Type, value: Any, then: Any, words: ValueWords
) -> list[Line] | None:
    """The lines of a picture, the first about all of it; None for a shape that is drawn elsewhere.
    A map has a line for each key, unless it is a hand or dice."""
    if shape == "sheet" and isinstance(type, y.Map) and isinstance(type.value, y.Map):
        shape = "entries"
    draw = _DRAWN.get(shape)
    if draw is None:
        return None
    whole = shape in ("hand", "dice") or isinstance(type, y.Seq)
    if isinstance(type, y.Map) and not whole and not isinstance(type.value, y.Bool):
        keys = words.instance.order(type.key)
        heads = {key: words.plain(key, type.key) for key in keys}
        room = max(map(len, heads.values()))
        return [
            (heads[key].ljust(room), draw(type.value, value[key], then[key], words)) for key in keys
        ]
    return [("", draw(type, value, then, words))]


def strip(type: y.Type, data: Mapping[Any, Any], words: ValueWords) -> list[str]:
    """A table as a track: what there is a value for, and the value below it."""
    assert isinstance(type, y.Map)
    pairs = [(words.plain(key, type.key), words.plain(each, type.value))
             for key, each in data.items()]  # fmt: skip
    wide = [max(len(above), len(below)) for above, below in pairs]
    return [
        " ".join(pair[line].rjust(room) for pair, room in zip(pairs, wide)).rstrip()
        for line in (0, 1)
    ]


def _track(type: y.Type, value: Any, then: Any, words: ValueWords) -> list[str]:
    inner = type.inner if isinstance(type, y.Option) else type
    return [
        f"[{shown}]" if each == value else f"({shown})" if each == then else shown
        for each in words.instance.order(inner)
        for shown in [words.plain(each, inner)]
    ]


def _boxes(type: y.Type, value: Any, then: Any, words: ValueWords) -> list[str]:
    if isinstance(type, y.Set):
        return [
            f"[{_mark(each in value, each in then)}] {words.plain(each, type.element)}"
            for each in words.instance.order(type.element)
        ]
    assert isinstance(type, y.Int) and type.high is not None
    return [f"[{_mark(each <= value, each <= then)}]" for each in range(1, type.high + 1)]


def _mark(now: bool, then: bool) -> str:
    return "x" if now else "+" if then else " "


def _possibilities(type: y.Type, value: Any, then: Any, words: ValueWords) -> list[str]:
    element = type.element if isinstance(type, y.Set) else None
    if element is None:
        assert isinstance(type, y.Map)
        element, value = type.key, {each for each, held in value.items() if held}
    return [
        shown if each in value else GONE.ljust(len(shown))
        for each in words.instance.order(element)
        for shown in [words.plain(each, element)]
    ]


def _entries(type: y.Type, value: Any, then: Any, words: ValueWords) -> list[str]:
    """A row of a sheet that is written on; what is free is a dot."""
    assert isinstance(type, y.Map)
    inside = type.value
    return [
        (f"({words.plain(then[each], inside)})" if value[each] != then[each]
         else FREE if value[each] is None else words.plain(value[each], inside)).rjust(3)
        for each in words.instance.order(type.key)
    ]  # fmt: skip


def _hand(type: y.Type, value: Any, then: Any, words: ValueWords) -> list[str]:
    element, cards = cards_of(type, value, words)
    return [f"[{' ' if each is None else words.plain(each, element)}]" for each in cards] or ["-"]


def cards_of(type: y.Type, value: Any, words: ValueWords) -> tuple[y.Type, list[Any]]:
    """The cards of a hand in their order, none for a gap, and their type."""
    match type:
        case y.Bag(element):
            assert isinstance(value, BagValue)
            kinds = ordered(value, element, words.instance)
            return element, [each for each in kinds for _ in range(value[each])]
        case y.Set(element):
            return element, list(ordered(value, element, words.instance))
        case y.Seq():
            return type.element, [each for each in value.values() if each is not None]
        case y.Map(_, inside):
            element = inside.inner if isinstance(inside, y.Option) else inside
            return element, list(value.values())
        case y.Option(inner):
            return inner, [] if value is None else [value]
        case _:
            return type, [value]


_DRAWN: dict[str, Callable[[y.Type, Any, Any, ValueWords], list[str]]] = {
    "track": _track, "boxes": _boxes, "possibilities": _possibilities, "entries": _entries,
    "hand": _hand, "dice": _hand,
}  # fmt: skip


def views_by_name(spec: c.Spec) -> dict[str, c.View]:
    """The views of a spec by what they are about."""
    return {each.subject: each for each in spec.views}
