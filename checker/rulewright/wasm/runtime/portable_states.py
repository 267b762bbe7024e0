"""States and events outside a module: compact, never changing, the same for the same.

A state is bytes: the memory of all variables but boards, then each board as how many keys are not
`none` and, in order, each of these with its value. An event is a tuple of the number of its
transition, who moves (or None) and its arguments: numbers as registers have them, sets as bits,
what is kept in memory as bytes like those of a state.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Any, TypeAlias

from rulewright.meaning import types as y
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.values import Position, SparseMap, entries
from rulewright.wasm.codegen.data_layout import (
    Kept,
    Layout,
    Mask,
    Scalar,
    SparseArray,
    ValueArray,
    boards,
    in_memory,
    ones,
)

State: TypeAlias = bytes
Happening: TypeAlias = "tuple[Any, ...]"

COUNT = Struct("<I")
ENTRY = Struct("<iq")
"""A key of a board and its value."""


class Portable:
    """Turns the values of the evaluator into states and events, and back."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.instance = layout.instance
        self.transitions = self.instance.spec.transitions
        self.numbers = {each.name: number for number, each in enumerate(self.transitions)}
        self.types: list[tuple[y.Type, ...]] = [
            tuple(param.type for param in each.params) for each in self.transitions
        ]
        places = layout.places.items()
        self.fixed = {name: each for name, each in places if not boards(each.kept)}
        self.boards = {name: each for name, each in places if boards(each.kept)}
        self.phase = layout.places["phase"].offset

    # ---- states

    def load(self, position: Position) -> State:
        """A position as a state."""
        layout, state = self.layout, bytearray(self.layout.fixed)
        view = memoryview(state)
        for name, place in self.fixed.items():
            layout.encode(position[name], place.type, view, place.offset)
        rest = [self.data(position[name], place.type) for name, place in self.boards.items()]
        return b"".join((bytes(state), *rest))

    def position(self, state: State) -> Position:
        """A state as a position."""
        view = memoryview(state)
        found = {
            name: self.layout.decode(place.type, view, place.offset)
            for name, place in self.fixed.items()
        }
        if not self.boards:
            return found
        at = self.layout.fixed
        for name, place in self.boards.items():
            found[name], at = self._read(place.kept, place.type, state, at)
        return {name: found[name] for name in self.layout.places}

    def part(self, state: State, name: str) -> bytes:
        """What a state has of one variable; `value` says what that stands for."""
        place = self.fixed.get(name)
        if place is not None:
            return state[place.offset : place.offset + place.kept.size]
        return next(data for board, data in self._board_parts(state) if board == name)

    def with_part(self, state: State, name: str, data: bytes) -> State:
        """The state with another value of one variable."""
        place = self.fixed.get(name)
        if place is not None:
            return state[: place.offset] + data + state[place.offset + len(data) :]
        parts = (data if board == name else old for board, old in self._board_parts(state))
        return state[: self.layout.fixed] + b"".join(parts)

    def _board_parts(self, state: State) -> Iterator[tuple[str, bytes]]:
        at = self.layout.fixed
        for name, place in self.boards.items():
            end = at
            for _ in boards(place.kept):
                end += COUNT.size + ENTRY.size * COUNT.unpack_from(state, end)[0]
            yield name, state[at:end]
            at = end

    # ---- values

    def data(self, value: Any, type: y.Type) -> bytes:
        """A value that is kept in memory, as bytes."""
        kept = self.layout.kept(type)
        match kept, type:
            case SparseArray(), y.Map(key, inside):
                number = self.layout.number
                held = sorted(
                    (number(each, key), number(thing, inside))
                    for each, thing in entries(value).items()
                )
                return COUNT.pack(len(held)) + b"".join(ENTRY.pack(*each) for each in held)
            case ValueArray(), y.Map(key, inside) if boards(kept):
                order = self.instance.order(key)
                return b"".join(self.data(value[each], inside) for each in order)
            case _:
                data = bytearray(kept.size)
                self.layout.encode(value, type, memoryview(data), 0)
                return bytes(data)

    def value(self, data: bytes, type: y.Type) -> Any:
        """What bytes stand for."""
        return self._read(self.layout.kept(type), type, data, 0)[0]

    def _read(self, kept: Kept, type: y.Type, data: bytes, at: int) -> tuple[Any, int]:
        match kept, type:
            case SparseArray(), y.Map(key, inside):
                (count,) = COUNT.unpack_from(data, at)
                at += COUNT.size
                end = at + count * ENTRY.size
                plain = self.layout.plain
                held = {
                    plain(each, key): plain(thing, inside)
                    for each, thing in ENTRY.iter_unpack(data[at:end])
                }
                return SparseMap(self.instance.order(key), held), end
            case ValueArray(_, _, inner, _, _), y.Map(key, inside) if boards(kept):
                found = {}
                for each in self.instance.order(key):
                    found[each], at = self._read(inner, inside, data, at)
                return found, at
            case _:
                return self.layout.decode(type, memoryview(data), at), at + kept.size

    # ---- events

    def encode(self, event: Event) -> Happening:
        """An event of the evaluator as ours."""
        number = self.numbers[event.name]
        given = event.arguments
        params = self.transitions[number].params
        return (number, event.by, *(self.raw(given[each.name], each.type) for each in params))

    def decode(self, event: Happening) -> Event:
        """Our event as the evaluator has it."""
        transition = self.transitions[event[0]]
        arguments = {
            param.name: self.plain(raw, param.type)
            for param, raw in zip(transition.params, event[2:])
        }
        return Event(transition.name, event[1], arguments)

    def raw(self, value: Any, type: y.Type) -> int | bytes:
        """A value as an argument of our events."""
        kept = self.layout.kept(type)
        match kept, type:
            case Scalar(), _:
                return self.layout.number(value, type)
            case Mask(base, _), y.Set(element):
                return sum(1 << (self.layout.number(each, element) - base) for each in value)
            case _:
                return self.data(value, type)

    def plain(self, raw: Any, type: y.Type) -> Any:
        """The value that an argument of our events stands for."""
        kept = self.layout.kept(type)
        match kept, type:
            case Scalar(), _:
                return self.layout.plain(raw, type)
            case Mask(base, _), y.Set(element):
                return frozenset(self.layout.plain(base + each, element) for each in ones(raw))
            case _:
                return self.value(raw, type)


def arguments_in_memory(layout: Layout, types: tuple[y.Type, ...]) -> list[tuple[int, Kept]]:
    """Which arguments of an event are kept in memory, by their number."""
    kept = [layout.kept(each) for each in types]
    return [(number, each) for number, each in enumerate(kept) if in_memory(each)]
