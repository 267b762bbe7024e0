"""From JSON straight to values as `layout` keeps them, for recorded games of a million lines.

A parser raises `Unfit` and says nothing more; whoever wants to know what is wrong asks `encoding`,
which decodes the same JSON slowly and in words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from checker.meaning import types as y
from checker.play.compile.layout import Layout
from checker.play.values import is_sparse

Parser: TypeAlias = Callable[[Any], Any]


class Unfit(Exception):  # noqa: N818 - the message is somebody else's
    """JSON that is not of the type it should be."""


def parser(type: y.Type, layout: Layout) -> Parser:
    """The parser for values of a type."""
    match type:
        case y.Bool():
            return _parse_bool
        case y.Int(low, high):
            return _number(low, high)
        case y.Player():
            return _number(1, layout.players)
        case y.Enum(_, members):
            return _name({member: number for number, member in enumerate(members)})
        case y.Grid():
            return _square(type)
        case y.Option(inner):
            return _optional(parser(inner, layout))
        case y.Set(element):
            return _set(parser(element, layout), layout.is_bits(element))
        case y.Bag(element):
            return _bag(parser(element, layout))
        case y.Map():
            return _map(type, layout)
        case _:
            raise AssertionError(type)


def _parse_bool(json: Any) -> Any:
    if json is True or json is False:
        return json
    raise Unfit


def _number(low: int | None, high: int | None) -> Parser:
    def parse(json: Any) -> Any:
        if type(json) is int and (low is None or low <= json) and (high is None or json <= high):
            return json
        raise Unfit

    return parse


def _name(numbers: dict[str, int]) -> Parser:
    def parse(json: Any) -> Any:
        if type(json) is str and json in numbers:
            return numbers[json]
        raise Unfit

    return parse


def _square(grid: y.Grid) -> Parser:
    known: dict[str, int] = {}

    def parse(json: Any) -> Any:
        if type(json) is not str:
            raise Unfit
        if json not in known:
            place = y.square_place(json)
            if place is None or place[0] > grid.width or place[1] > grid.height:
                raise Unfit
            known[json] = (place[1] - 1) * grid.width + place[0] - 1
        return known[json]

    return parse


def _optional(inside: Parser) -> Parser:
    return lambda json: None if json is None else inside(json)


def _set(inside: Parser, bits: bool) -> Parser:
    def parse(json: Any) -> Any:
        if type(json) is not list:
            raise Unfit
        elements = frozenset(inside(each) for each in json)
        if len(elements) < len(json):
            raise Unfit
        return sum(1 << each for each in elements) if bits else elements

    return parse


def _bag(inside: Parser) -> Parser:
    def parse(json: Any) -> Any:
        if type(json) is not list:
            raise Unfit
        counts: dict[Any, int] = {}
        for each in json:
            element = inside(each)
            counts[element] = counts.get(element, 0) + 1
        return counts

    return parse


def _map(type_: y.Map, layout: Layout) -> Parser:
    key, inside = parser(type_.key, layout), parser(type_.value, layout)
    by_name = isinstance(type_.key, y.Enum)
    order = layout.values(type_.key)
    kept_sparse, may_lack = layout.is_sparse(type_), is_sparse(type_)

    def parse(json: Any) -> Any:
        if not isinstance(json, dict if by_name else list):
            raise Unfit
        pairs = json.items() if isinstance(json, dict) else map(_pair, json)
        found = {}
        count = 0
        for name, value in pairs:
            found[key(name)] = inside(value)
            count += 1
        if len(found) < count or (not may_lack and count != len(order)):
            raise Unfit
        if kept_sparse:
            return {each: value for each, value in found.items() if value is not None}
        return tuple(found[each] for each in order)

    return parse


def _pair(json: Any) -> Any:
    if type(json) is list and len(json) == 2:
        return json
    raise Unfit
