"""Near misses of an event: the same event with its mover or some arguments changed at random.

A plain argument becomes any value of its type, a collection or map is changed a little. Half of the
time each is left as it is, so by chance nothing is changed.
"""

from __future__ import annotations

from random import Random
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.values import BagValue, entries
from rulewright.play.semantics.values import changed as with_value
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening
from rulewright.wasm.codegen.data_layout import Mask, Scalar
from rulewright.wasm.runtime.portable_states import Portable


def near_miss(game: CompiledGame, event: Happening, random: Random) -> Happening:
    """The event with its mover or some arguments changed at random; by chance none is."""
    types = game.portable.types[event[0]]
    changed = [
        _another(raw, type, game.portable, random) if random.random() < 0.5 else raw
        for raw, type in zip(event[2:], types)
    ]
    mover = event[1]
    if mover is not None and random.random() < 0.5:
        mover = 1 + random.randrange(game.instance.players)
    return (event[0], mover, *changed)


def _another(raw: Any, type: y.Type, portable: Portable, random: Random) -> Any:
    """Some value of a type; of a collection, the given one a little changed."""
    kept = portable.layout.kept(type)
    match kept, type:
        case Scalar(none=none), _:
            return any_number(type, none, portable, random)
        case Mask(base, _), y.Set(element):
            return raw ^ 1 << (any_number(element, None, portable, random) - base)
        case _:
            value = portable.plain(raw, type)
            return portable.raw(_changed(value, type, portable, random), type)


def any_number(type: y.Type, none: int | None, portable: Portable, random: Random) -> int:
    """Any value of a plain type as a number; `none` stands for none, if there may be none."""
    inner = type.inner if isinstance(type, y.Option) else type
    first, count = portable.layout.universe(inner)
    if none is None:
        return first + random.randrange(count)
    number = random.randrange(count + 1)
    return none if number == 0 else first + number - 1


def _any(type: y.Type, portable: Portable, random: Random) -> Any:
    """Any value of a plain type."""
    none = getattr(portable.layout.kept(type), "none", None)
    return portable.layout.plain(any_number(type, none, portable, random), type)


def _changed(value: Any, type: y.Type, portable: Portable, random: Random) -> Any:
    """A value with something in it changed."""
    match type:
        case y.Set(element):
            return value ^ {_any(element, portable, random)}
        case y.Bag(element):
            each, more = _any(element, portable, random), random.randrange(2)
            return BagValue.counted({**value.counts, each: value[each] + (more or -1)})
        case y.Map(key, inside):
            held = list(entries(value)) if isinstance(inside, y.Option) else list(value)
            at = random.choice(held) if held else _any(key, portable, random)
            return with_value(value, at, _changed(value[at], inside, portable, random))
        case _:
            return _any(type, portable, random)
