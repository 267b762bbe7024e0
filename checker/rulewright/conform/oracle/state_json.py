"""From states and events of the compiled game straight to JSON, the way engines write it.

Values are written from their bytes, without becoming values of the evaluator first. Of a state
that was written before only that is written anew which an event has changed, key by key at any
depth; all other parts are shared. What `event_writer` writes is made anew each time, so whoever
gets it may keep and change it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import Any, TypeAlias

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.io.json_codec import encode
from rulewright.simulate.compiled.compiled_game import Happening, State
from rulewright.wasm.codegen.data_layout import (
    CountArray,
    Mask,
    Scalar,
    SparseArray,
    ValueArray,
    WordSet,
    boards,
    in_memory,
    ones,
)
from rulewright.wasm.runtime.portable_states import COUNT, ENTRY, Portable

Writer: TypeAlias = Callable[[Any], Any]
Update: TypeAlias = "Callable[[bytes, bytes, Any], Any]"
"""Writes a value: given its bytes, the bytes as they were and what was written then, which is not
changed but may be a part of what is written now."""
StateWriter: TypeAlias = "Callable[[State, State, dict[str, Any]], None]"
MOST_REMEMBERED = 2_000
SMALL = 16
"""Bytes of a map of plain values that is written anew rather than key by key."""


def plain_writer(type: y.Type, portable: Portable) -> Writer:
    """What turns a number or a set of bits, as arguments of compiled events are, into JSON."""
    kept = portable.layout.kept(type)
    match kept, type:
        case Scalar(none=none), y.Option(inner):
            inside = plain_writer(inner, portable)
            return lambda raw: None if raw == none else inside(raw)
        case Scalar(), y.Enum(_, members):
            return tuple(map(sys.intern, members)).__getitem__
        case Scalar(), y.Grid(_, width, height):
            return _square_names(width, height).__getitem__
        case Scalar(), y.Bool():
            return bool
        case ((Mask(base=base) | WordSet(base=base)), y.Set(element)):
            inside = plain_writer(element, portable)
            return lambda raw: [inside(base + each) for each in ones(raw)]
        case _:
            return int


@lru_cache(maxsize=8)
def _square_names(width: int, height: int) -> tuple[str, ...]:
    """The names of the squares of a grid, in order."""
    return tuple(
        y.square_name(column, row)
        for row in range(1, height + 1)
        for column in range(1, width + 1)
    )  # fmt: skip


def value_writer(type: y.Type, portable: Portable) -> Writer:
    """What turns the bytes of a value into JSON that nothing else shares."""
    kept, number = portable.layout.kept(type), int.from_bytes
    match kept, type:
        case Scalar(size=1), _:
            known = _of_bytes(type, portable)
            return lambda data: known[data[0]]
        case Scalar(sign=sign), _:
            plain = plain_writer(type, portable)
            return lambda data: plain(number(data, "little", signed=sign))
        case ((Mask() | WordSet()), _):
            plain = plain_writer(type, portable)
            return lambda data: plain(number(data, "little"))
        case CountArray(base, count, _), y.Bag(element):
            plain, unpack = plain_writer(element, portable), Struct(f"<{count}H").unpack_from
            return lambda data: [
                plain(each)
                for each, many in enumerate(unpack(data), base)
                if many
                for _ in range(many)
            ]
        case ValueArray(inner=Scalar(size=1), stride=1), y.Map(key_type, value_type):
            of_byte = _of_bytes(value_type, portable).__getitem__
            keys = [key for key, _, _ in _places(type, kept, portable)]
            if isinstance(key_type, y.Enum):
                return lambda data: dict(zip(keys, map(of_byte, data)))
            return lambda data: [[key, of_byte(each)] for key, each in zip(keys, data)]
        case ValueArray(), y.Map(y.Enum(), _) if not boards(kept):
            inside, places = value_writer(type.value, portable), _places(type, kept, portable)
            return lambda data: {key: inside(data[at:to]) for key, at, to in places}
        case ValueArray(), y.Map() if not boards(kept):
            inside, places = value_writer(type.value, portable), _places(type, kept, portable)
            return lambda data: [[key, inside(data[at:to])] for key, at, to in places]
        case SparseArray(), y.Map(y.Grid() as key_type, value_type):
            square, plain = plain_writer(key_type, portable), plain_writer(value_type, portable)
            first = COUNT.size
            return lambda data: [
                [square(key), plain(each)] for key, each in ENTRY.iter_unpack(data[first:])
            ]
        case _:
            return lambda data: encode(portable.value(data, type), type, portable.instance)


def _of_bytes(type: y.Type, portable: Portable) -> list[Any]:
    """The JSON of a plain value that is kept in one byte, for each byte; None for what is none."""
    kept, plain = portable.layout.kept(type), plain_writer(type, portable)
    assert isinstance(kept, Scalar)
    found: list[Any] = []
    for each in range(256):
        try:
            found.append(plain(each - 256 if kept.sign and each > 127 else each))
        except LookupError:
            found.append(None)
    return found


def _places(type: y.Map, kept: ValueArray, portable: Portable) -> list[tuple[Any, int, int]]:
    """The keys of a map, each with where its value begins and ends."""
    key, stride = plain_writer(type.key, portable), kept.stride
    return [(key(kept.first + at), at * stride, (at + 1) * stride) for at in range(kept.count)]


def event_writer(transition: c.Transition, portable: Portable) -> Callable[[Happening], Any]:
    """What turns an event of a transition into JSON."""
    kind, name = transition.kind, sys.intern(transition.name)
    params: list[tuple[str, Writer, int]] = []
    for each in transition.params:
        write = value_writer if in_memory(portable.layout.kept(each.type)) else plain_writer
        params.append((sys.intern(each.name), write(each.type, portable), 2 + len(params)))
    if kind == "move":
        return lambda event: {
            "move": name,
            "by": event[1],
            "args": {param: write(event[at]) for param, write, at in params},
        }
    return lambda event: {
        "chance": name,
        "args": {param: write(event[at]) for param, write, at in params},
    }


class StateJsonWriter:
    """Writes states. Parts that stay are kept, and none is changed in place. With `shared`, the
    same value may be the same list each time."""

    def __init__(self, portable: Portable, shared: bool = True) -> None:
        self._portable = portable
        self._shared = shared
        self._memories: dict[y.Type, Writer] = {}
        self._known: dict[str, Update] = {}

    def writer(self, names: tuple[str, ...]) -> StateWriter:
        """What brings some variables of a state up to date that was written before: it is given
        the state, the state as it was then, and what was written."""
        places, part = self._portable.layout.places, self._portable.part
        fixed, sparse = [], []
        for name in map(sys.intern, names):
            place = places[name]
            update = self._variable(name)
            if boards(place.kept):
                sparse.append((name, update))
            else:
                fixed.append((name, place.offset, place.offset + place.kept.size, update))

        def write(state: State, was: State, written: dict[str, Any]) -> None:
            for name, first, end, update in fixed:
                data, before = state[first:end], was[first:end]
                old = written.get(name)
                if data != before or old is None:
                    written[name] = update(data, before, old)
            for name, update in sparse:
                data, before = part(state, name), part(was, name)
                old = written.get(name)
                if data != before or old is None:
                    written[name] = update(data, before, old)

        return write

    def _variable(self, name: str) -> Update:
        """What writes a variable: given its bytes, those before, and what was written then."""
        if name not in self._known:
            self._known[name] = self._update(self._portable.layout.places[name].type)
        return self._known[name]

    def _update(self, type: y.Type) -> Update:
        """What writes a value of which an event has changed a part at most."""
        kept = self._portable.layout.kept(type)
        plain = isinstance(kept, ValueArray) and isinstance(kept.inner, Scalar)
        small = plain and kept.size <= SMALL
        if self._shared and isinstance(kept, ValueArray) and not (small or boards(kept)):
            assert isinstance(type, y.Map)
            return self._map(type, kept)
        write = self._value(type)
        return lambda data, was, old: write(data)

    def _map(self, type: y.Map, kept: ValueArray) -> Update:
        """A map key by key: only where bytes differ, something is written."""
        places, update = _places(type, kept, self._portable), self._update(type.value)
        bits, number, named = 8 * kept.stride, int.from_bytes, isinstance(type.key, y.Enum)

        def full(data: bytes) -> Any:
            values = [(key, update(data[at:to], b"", None)) for key, at, to in places]
            return dict(values) if named else [list(each) for each in values]

        def changed(data: bytes, was: bytes, old: Any) -> Any:
            if old is None:
                return full(data)
            new = old.copy()
            differing = number(data, "little") ^ number(was, "little")
            while differing:
                index = ((differing & -differing).bit_length() - 1) // bits
                key, at, to = places[index]
                if named:
                    new[key] = update(data[at:to], was[at:to], old[key])
                else:
                    new[index] = [key, update(data[at:to], was[at:to], old[index][1])]
                differing = differing >> (index + 1) * bits << (index + 1) * bits
            return new

        return changed

    def _value(self, type: y.Type) -> Writer:
        """What writes a value in full."""
        write = value_writer(type, self._portable)
        if not self._shared or boards(self._portable.layout.kept(type)):
            return write
        if type not in self._memories:
            self._memories[type] = JsonMemo(write).__getitem__
        return self._memories[type]


class JsonMemo(dict[bytes, Any]):
    """Values as JSON, each written once."""

    def __init__(self, write: Writer) -> None:
        self._write = write

    def __missing__(self, value: bytes) -> Any:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        found = self[value] = self._write(value)
        return found
