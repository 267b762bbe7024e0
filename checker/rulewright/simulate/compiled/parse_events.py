"""From JSON straight to the arguments of compiled events, for recorded games of a million lines.

A parser raises `Unfit` and says nothing more; whoever wants to know what is wrong asks `encoding`,
which decodes the same JSON slowly and in words.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, TypeAlias

from rulewright.meaning import types as y
from rulewright.play.io.json_codec import DecodeError, decode
from rulewright.wasm.codegen.data_layout import Mask, Scalar, ValueArray
from rulewright.wasm.runtime.portable_states import Portable

Parser: TypeAlias = Callable[[Any], Any]
FORMATS = {1: "b", 2: "h", 4: "i", 8: "q"}
"""How numbers of so many bytes are written."""


class Unfit(Exception):  # noqa: N818 - the message is somebody else's
    """JSON that is not of the type it should be."""


def parser(type: y.Type, portable: Portable) -> Parser:
    """The parser for values of a type."""
    kept = portable.layout.kept(type)
    match kept, type:
        case Scalar(none=none), y.Option(inner):
            inside = parser(inner, portable)
            return lambda json: none if json is None else inside(json)
        case Scalar(), y.Bool():
            return _parse_bool
        case Scalar(), y.Int(low, high):
            return _number(low, high)
        case Scalar(), y.Player():
            return _number(1, portable.instance.players)
        case Scalar(), y.Enum(_, members):
            return _name({member: number for number, member in enumerate(members)})
        case Scalar(), y.Grid():
            return _square(type)
        case Mask(base, _), y.Set(element):
            return _set(parser(element, portable), base)
        case ValueArray(first, count, Scalar(size=width), stride, size), y.Map(key, value) if (
            width in FORMATS and width == stride and count == len(portable.instance.order(key))
        ):
            inside, of_key = parser(value, portable), parser(key, portable)
            layout = Struct(f"<{count}{FORMATS[width]}{size - count * width}x")
            return _map(of_key, inside, isinstance(key, y.Enum), first, layout)
        case _:
            return _slowly(type, portable)


def _parse_bool(json: Any) -> Any:
    if json is True or json is False:
        return int(json)
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


def _set(inside: Parser, base: int) -> Parser:
    def parse(json: Any) -> Any:
        if type(json) is not list:
            raise Unfit
        bits = 0
        for each in json:
            bits |= 1 << (inside(each) - base)
        if bits.bit_count() < len(json):
            raise Unfit
        return bits

    return parse


def _map(of_key: Parser, inside: Parser, named: bool, first: int, layout: Struct) -> Parser:
    """All values in the order of keys: from an object if keys are `named`, else from pairs."""
    count = len(layout.unpack(bytes(layout.size)))
    kind: Any = dict if named else list

    def parse(json: Any) -> Any:
        if not isinstance(json, kind) or len(json) != count:
            raise Unfit
        pairs = json.items() if named else json
        values: list[Any] = [None] * count
        for pair in pairs:
            if not named and (type(pair) is not list or len(pair) != 2):
                raise Unfit
            values[of_key(pair[0]) - first] = inside(pair[1])
        if None in values:  # a key stands there twice
            raise Unfit
        return layout.pack(*values)

    return parse


def _slowly(type: y.Type, portable: Portable) -> Parser:
    """What is kept in memory, the way `encoding` reads it."""

    def parse(json: Any) -> Any:
        try:
            return portable.raw(decode(json, type, portable.instance, ""), type)
        except DecodeError:
            raise Unfit from None

    return parse
