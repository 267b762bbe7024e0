"""What JSON may look like: readers that turn it into Python values and trust nothing.

A reader takes a piece of JSON and gives the value it stands for, or raises ShapeError with what
was expected. Readers are put together like the types of a game: sets and bags are lists in the
order of their type, maps keyed by names are objects, other maps lists of pairs, empty is null.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias, TypeVar, cast

T = TypeVar("T")
K = TypeVar("K", int, str)
Json: TypeAlias = Any
"""What the standard library's json reads and writes."""
Reader: TypeAlias = Callable[[Json], T]
PLAIN = (int, str, bool, type(None))
"""The types of what has no parts."""


class ShapeError(ValueError):
    """JSON that is not what it should be."""


def number(low: int, high: int) -> Reader[int]:
    """A whole number within bounds."""

    def read(json: Json) -> int:
        if type(json) is int and low <= json <= high:
            return json
        raise ShapeError(f"expected a whole number from {low} to {high}, not {excerpt(json)}")

    return read


def name(*known: str) -> Reader[str]:
    """One of a few names."""
    names = frozenset(known)

    def read(json: Json) -> str:
        if type(json) is str and json in names:
            return json
        shown = ", ".join(known[:8]) + (", …" if len(known) > 8 else "")
        raise ShapeError(f"expected one of {shown}, not {excerpt(json)}")

    return read


def truth(json: Json) -> bool:
    """True or false."""
    if type(json) is bool:
        return json
    raise ShapeError(f"expected true or false, not {excerpt(json)}")


def maybe(inside: Reader[T]) -> Reader[T | None]:
    """Something, or null for nothing."""
    return lambda json: None if json is None else inside(json)


def bag(inside: Reader[T]) -> Reader[list[T]]:
    """A list in which a thing may stand more than once."""

    def read(json: Json) -> list[T]:
        if type(json) is list:
            return [inside(each) for each in json]
        raise ShapeError(f"expected a list, not {excerpt(json)}")

    return read


def subset(inside: Reader[K]) -> Reader[list[K]]:
    """A list in which each thing stands once."""
    elements = bag(inside)

    def read(json: Json) -> list[K]:
        found = elements(json)
        if len(set(found)) == len(found):
            return found
        raise ShapeError(f"expected each element once, not {excerpt(json)}")

    return read


def mapping(keys: Sequence[str], inside: Reader[T]) -> Reader[dict[str, T]]:
    """An object with a member for each key; the result is in the order of the keys."""
    order, members = [*keys], frozenset(keys)
    taken: dict[Json, type] = {}
    """What needs no second look; with its type, for to Python 1 and true are the same."""

    def look_at(json: Json) -> dict[str, T]:
        if type(json) is not dict or json.keys() != members:
            raise ShapeError(f"expected an object with {', '.join(keys)}, not {excerpt(json)}")
        found = {key: inside(json[key]) for key in keys}
        for key, value in found.items():
            if value is json[key] and type(value) in PLAIN:
                taken[value] = type(value)
        return found

    def read(json: Json) -> dict[str, T]:
        if type(json) is not dict or [*json] != order:
            return look_at(json)
        try:
            for value in json.values():
                if taken[value] is not type(value):
                    return look_at(json)
        except (KeyError, TypeError):
            return look_at(json)
        return json.copy()

    return read


def pairs(keys: Collection[K], inside: Reader[T]) -> Reader[dict[K, T]]:
    """A list of pairs, one for each key; the result is in the order of the keys."""

    def known(json: Json) -> K:
        if type(json) in (int, str) and json in keys:
            return cast(K, json)
        raise ShapeError(f"there is no key {excerpt(json)}")

    some = sparse(known, inside)

    def read_any(json: Json) -> dict[K, T]:
        found, expected = {}, iter(keys)
        try:
            for given, value in json:  # in the order of the keys, which is quicker
                key = next(expected)
                if given is not key and (given != key or type(given) is not type(key)):
                    break
                found[key] = inside(value)
            else:
                if type(json) is list and len(found) == len(keys):
                    return found
        except (TypeError, ValueError, StopIteration):
            pass
        found = some(json)
        if len(found) == len(keys):
            return {key: found[key] for key in keys}
        missing = next(key for key in keys if key not in found)
        raise ShapeError(f"expected a pair for each key, but `{missing}` has none")

    if len(keys) != 2:
        return read_any
    one, two = keys

    def read_two(json: Json) -> dict[K, T]:
        """Much the quickest way, and often gone."""
        try:
            (first, value), (second, other) = json
            if type(json) is list and first is one and second is two:
                return {one: inside(value), two: inside(other)}
        except (TypeError, ValueError):
            pass
        return read_any(json)

    return read_two


def sparse(key: Reader[K], inside: Reader[T]) -> Reader[dict[K, T]]:
    """A list of pairs, one at most for each key."""

    def read(json: Json) -> dict[K, T]:
        if type(json) is not list:
            raise ShapeError(f"expected a list of pairs, not {excerpt(json)}")
        found: dict[K, T] = {}
        for pair in json:
            if type(pair) is not list or len(pair) != 2:
                raise ShapeError(f"expected a pair of key and value, not {excerpt(pair)}")
            found[key(pair[0])] = inside(pair[1])
        if len(found) == len(json):
            return found
        raise ShapeError("expected no key twice")

    return read


def distinct(inside: Reader[dict[K, T]]) -> Reader[dict[K, T]]:
    """A map in which no two keys have the same value."""

    def read(json: Json) -> dict[K, T]:
        found = inside(json)
        if len(set(found.values())) == len(found):
            return found
        raise ShapeError("expected no value twice")

    return read


def excerpt(json: Json) -> str:
    """A short impression of something that was found."""
    if isinstance(json, list):
        return f"a list of {len(json)}"
    if isinstance(json, dict):
        return "an object"
    shown = "null" if json is None else repr(json)
    return f"`{shown[:40]}…`" if len(shown) > 40 else f"`{shown}`"
