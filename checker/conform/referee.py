"""The spec's side of the table: what is legal, what follows, and what an engine should report.

A referee plays one set-up with the compiled player. Its states are the player's flat lists; what
an engine reports is compared as JSON, and only where that differs is it decoded and looked at
closely, since an engine may well list a set in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from checker.conform.marked import DONE, marked
from checker.conform.rendering import StateWriter, StateWriting, event_writer
from checker.front import Checked
from checker.meaning import core as c
from checker.meaning.purity import parts
from checker.play.beginning import open_variables
from checker.play.compile.layout import State, bits
from checker.play.compile.parsing import Unfit
from checker.play.compiled import Happening, Machine
from checker.play.encoding import DecodeError, Json, decode, excerpt
from checker.play.event import Event
from checker.play.instance import Instance, nearest
from checker.play.notation import write
from checker.play.rules import requirements
from checker.play.values import Position
from checker.syntax.node import Node


class Setup(Node):
    """How a game is set up: how many play, how each open question is read, which variant."""

    players: int
    readings: tuple[tuple[str, str], ...]
    variant: str | None

    def described(self) -> str:
        """`3 players, ties = undecided, variant mixed_numbers`."""
        chosen = [f"{name} = {option}" for name, option in self.readings]
        variant = [f"variant {self.variant}"] if self.variant else []
        return ", ".join([f"{self.players} players", *chosen, *variant])


class Mismatch(Node):
    """A variable that an engine reports otherwise than the spec has it, in words."""

    variable: str
    expected: str
    got: str
    value: Any
    """What the engine reported, as the evaluator has it; None if it has no value."""
    json: Json = None
    """What the engine reported, word for word."""


_UNWRITTEN = object()
"""Equal to nothing that a state can hold."""


class Referee:
    """A set-up, ready to be played."""

    def __init__(self, checked: Checked, setup: Setup) -> None:
        assert checked.spec is not None
        core = checked.spec if setup.variant is None else checked.variant(setup.variant)
        self.setup = setup
        self.instance = Instance(core, setup.players, dict(setup.readings))
        notes = marked(core)
        self.notes = notes.meaning
        noting = Instance(notes.spec, setup.players, dict(setup.readings))
        self.machine = Machine(noting, checked.text)
        layout = self.machine.layout
        self.done = layout.slots[DONE].base
        """Where in a state the notes are of what was carried out."""
        self.nothing_done = layout.encode(frozenset(), notes.type)
        self._note_numbers: Callable[[Any], list[int]] = (
            bits if isinstance(self.nothing_done, int) else sorted
        )
        self._variable_names = [name for name in layout.slots if name != DONE]
        self._writing = StateWriting(layout)
        self._write_all = self.state_writer(self._variable_names)
        starting = StateWriting(layout, shared=False)
        self._write_start = starting.writer(tuple(open_variables(self.instance)))
        self.event_writers = [event_writer(each, layout) for each in core.transitions]
        self._numbers = [
            {need.label: at for at, need in enumerate(requirements(each))}
            for each in core.transitions
        ]
        self.takes: list[Any] = self.machine.do
        self.allows: Callable[[State, Happening], bool] = self.machine.allows
        self.first: State = self.machine.begin()
        """The first state that a game can begin with."""

    # ---- games

    def begin(self, random: Random | None = None) -> State:
        """A state to begin with: the first one, or one at random."""
        return self.machine.begin(random)

    def take(self, state: State, event: Happening) -> Any:
        """Makes an event happen; gives the notes of what was carried out."""
        self.takes[event[0]](state, event)
        done = state[self.done]
        state[self.done] = self.nothing_done
        return done

    def broken(self, state: State, event: Happening) -> list[int]:
        """The numbers of the requirements that refuse an event."""
        refused = self.machine.broken(state, event)
        return [self._numbers[event[0]][each.label] for each in refused]

    def without_notes(self, state: Sequence[Any]) -> State:
        """A state as a compiled game has it that takes no notes."""
        return [*state[: self.done], *state[self.done + 1 :]]

    def is_stepping(self, state: State) -> bool:
        """Whether a step is due, so that nobody is asked to act in this state."""
        due = self.machine.generated.functions.get("due_step")
        return due is not None and due(state) is not None

    def carried_out(self, done: Any) -> list[c.Labelled | c.Transition]:
        """What notes stand for."""
        return [self.notes[each] for each in self._note_numbers(done)]

    def events(self, state: State) -> Iterator[Happening]:
        """The legal moves, then what chance can decide."""
        yield from self.machine.legal(state)
        yield from (event for _, event in self.machine.outcomes(state))

    def lists_all(self, state: State) -> bool:
        """Whether the legal moves of a state can all be listed."""
        return not self.machine.proposing[self.instance.spec.phases[state[0]].name]

    def state(self, position: Position) -> State:
        """A position as a state."""
        return self.machine.load({**position, DONE: frozenset()})

    def position(self, state: State) -> Position:
        """A state as a position."""
        found = self.machine.position(state)
        del found[DONE]
        return found

    # ---- what engines are told and say

    def setup_json(self, state: State) -> dict[str, Json]:
        """The request that begins a game in a state; whoever gets it may keep and change it."""
        asked: dict[str, Json] = {
            "players": self.setup.players,
            "readings": dict(self.instance.readings),
            "variant": self.setup.variant,
        }
        self._write_start(state, [_UNWRITTEN] * len(state), asked)
        return asked

    def state_json(self, state: State) -> dict[str, Json]:
        """A state as engines write it; parts of it are shared, and must not be changed."""
        written: dict[str, Json] = {}
        self._write_all(state, [_UNWRITTEN] * len(state), written)
        return written

    def state_writer(self, names: Iterable[str]) -> StateWriter:
        """What brings these variables up to date in a state that was written before."""
        wanted = frozenset(names)
        return self._writing.writer(tuple(n for n in self._variable_names if n in wanted))

    def event_json(self, event: Happening) -> dict[str, Json]:
        """An event as engines write it."""
        return self.event_writers[event[0]](event)  # type: ignore[no-any-return]

    def event(self, event: Happening) -> Event:
        """An event as the evaluator has it."""
        return self.machine.decode(event)

    def parse(self, event: Mapping[str, Json]) -> Happening | None:
        """An event that somebody wrote; None if it is none of this game."""
        try:
            return self.machine.parse(event)
        except Unfit:
            return None

    def mismatches(self, position: Position, reported: Mapping[str, Json]) -> list[Mismatch]:
        """What an engine reports otherwise than the spec has it."""
        return [
            found
            for name, value in reported.items()
            if (found := self._mismatch(name, value, position)) is not None
        ]

    def changed_by(self, number: int, done: Any) -> set[str]:
        """The variables that an event and the steps after it may have written: `number` is that
        of the event, `done` the notes of what it carried out."""
        carried_out = self.carried_out(done)
        waiting: list[c.Core] = [*self.instance.spec.transitions[number].body]
        for each in carried_out:
            if isinstance(each, c.Transition):
                waiting += each.body
        found: set[str] = set()
        while waiting:
            node = waiting.pop()
            if isinstance(node, c.Labelled) and not any(node is each for each in carried_out):
                continue
            if isinstance(node, c.Assign):
                found.add(node.variable)
            elif isinstance(node, c.Perform):
                waiting += self.instance.effects[node.effect].body
            waiting += parts(node)
        return found

    def _mismatch(self, name: str, json: Json, position: Position) -> Mismatch | None:
        variable = self.instance.variables.get(name)
        if variable is None:
            known = nearest(str(name), self.instance.variables, "leave it out")
            return Mismatch(str(name), f"a variable of the spec ({known})", excerpt(json), None)
        try:
            value = decode(json, variable.type, self.instance, name)
        except DecodeError as error:
            expected = write(position[name], variable.type, self.instance)
            return Mismatch(name, expected, f"{excerpt(json)} ({error.message})", None)
        if value == position[name]:
            return None
        expected = write(position[name], variable.type, self.instance)
        got = write(value, variable.type, self.instance)
        return Mismatch(name, expected, got, value, json)
