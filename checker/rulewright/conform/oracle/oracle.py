"""Test oracle, by the spec: what is legal, what follows, and what an engine should report.

A referee plays one set-up with the compiled game. What an engine reports is compared as JSON, and
only where that differs is it decoded and looked at closely, since an engine may well list a set in
another order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any

from rulewright.conform.inputs.state_leaves import StateLeaf
from rulewright.conform.oracle.answer_order import AnswerOrder, OutOfTurnError
from rulewright.conform.oracle.instrumentation import DONE, instrumented
from rulewright.conform.oracle.state_json import StateJsonWriter, StateWriter, event_writer
from rulewright.frontend import LoadedSpec
from rulewright.meaning import core as c
from rulewright.meaning.traversal import parts
from rulewright.play.io.json_codec import DecodeError, Json, decode, excerpt
from rulewright.play.io.notation import write
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import open_variables
from rulewright.play.semantics.instance import Configuration, Instance, nearest
from rulewright.play.semantics.rules import requirements
from rulewright.play.semantics.values import Position
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from rulewright.simulate.compiled.parse_events import Unfit
from rulewright.syntax.node import Node
from rulewright.wasm.codegen.data_layout import Layout, ones


class StateMismatch(Node):
    """A variable that an engine reports otherwise than the spec has it, in words."""

    variable: str
    expected: str
    got: str
    value: Any
    """What the engine reported, as the evaluator has it; None if it has no value."""
    json: Json = None
    """What the engine reported, word for word."""
    is_unread: bool = False
    """Whether that is no value of the variable, or there is no such variable."""


class Oracle:
    """A set-up, ready to be played."""

    def __init__(
        self, checked: LoadedSpec, setup: Configuration, in_turn: str | None = None
    ) -> None:
        assert checked.spec is not None
        core = checked.spec if setup.variant is None else checked.variant(setup.variant)
        self.setup = setup
        self.instance = Instance(core, setup.players, dict(setup.readings))
        notes = instrumented(core)
        self.notes = notes.meaning
        noting = Instance(notes.spec, setup.players, dict(setup.readings))
        self.machine = CompiledGame(noting, forgetting=DONE)
        portable = self.machine.portable
        place = portable.layout.places[DONE]
        self.notes_at = slice(place.offset, place.offset + place.kept.size)
        """Where in a state the notes are of what was carried out."""
        self._nothing_done = bytes(place.kept.size)
        plain = Layout(self.instance)
        self.places = plain.places
        """Where variables are in a state of the same set-up that has no notes."""
        self._fixed = plain.fixed, portable.layout.fixed
        self._first_note = getattr(place.kept, "base", 0)
        self._variable_names = [name for name in self.instance.variables if name != DONE]
        self._writing = StateJsonWriter(portable)
        self._write_all = self.state_writer(self._variable_names)
        starting = StateJsonWriter(portable, shared=False)
        self._write_start = starting.writer(tuple(open_variables(self.instance)))
        self.event_writers = [event_writer(each, portable) for each in core.transitions]
        self._numbers = [
            {need.label: at for at, need in enumerate(requirements(each))}
            for each in core.transitions
        ]
        self.allows: Callable[[State, Happening], bool] = self.machine.allows
        self.first: State = self.machine.begin()
        """The first state that a game can begin with."""
        self.holders: list[list[list[StateLeaf]]] | None = None
        """Where things of a kind lie, once somebody has asked."""
        self.order: AnswerOrder | None = None
        """In which order the engine asks its players; None for any."""
        if in_turn is not None:
            self.order = AnswerOrder(self.machine, core, setup.players, in_turn)

    # ---- games

    def begin(self, random: Random | None = None) -> State:
        """A state to begin with: the first one, or one at random."""
        return self.machine.begin(random)

    def choose(self, state: State, random: Random) -> Happening | None:
        """An event at random, of a player whose turn it is to answer."""
        if self.order is None:
            return self.machine.choose(state, random)
        legal = self.machine.legal(state) if self.lists_all(state) else []
        waiting = self.order.waiting(state, legal)
        if waiting is None:
            return self.machine.choose(state, random)
        return random.choice([event for event in legal if event[1] == waiting])

    def play(self, state: State, random: Random, most: int) -> Iterator[tuple[Happening, State]]:
        """A game at random from a state on, for so many events at most: each event, and the state
        that it leads to, notes and all."""
        machine, played = self.machine, 0
        while played < most:
            found = None if self.order else machine.ahead(state, random, most - played)
            if found is None:
                event = self.choose(state, random)
                found = [] if event is None else [(event, machine.apply(state, event))]
            if not found:
                return
            played += len(found)
            yield from found
            state = self.with_clean_notes(found[-1][1])

    def hold_order(self, state: State, event: Happening) -> None:
        """Raises OutOfTurnError where a legal event is of somebody who is not asked yet."""
        if self.order is not None and not self.order.is_in_turn(state, event):
            raise OutOfTurnError

    def take(self, state: State, event: Happening) -> tuple[State, bytes]:
        """Where an event leads, and the notes of what was carried out."""
        after = self.machine.apply(state, event)
        return self.with_clean_notes(after), after[self.notes_at]

    def with_clean_notes(self, state: State) -> State:
        """A state in which nothing is noted as carried out."""
        notes = self.notes_at
        return state[: notes.start] + self._nothing_done + state[notes.stop :]

    def broken(self, state: State, event: Happening) -> list[int]:
        """The numbers of the requirements that refuse an event."""
        refused = self.machine.broken(state, event)
        return [self._numbers[event[0]][each.label] for each in refused]

    def without_notes(self, state: State) -> State:
        """A state as a compiled game has it that takes no notes: they come after the other
        variables and before the boards."""
        plain, noting = self._fixed
        start = self.notes_at.start
        return state[:start].ljust(plain, b"\0")[:plain] + state[noting:]

    def is_stepping(self, state: State) -> bool:
        """Whether a step is due, so that nobody is asked to act in this state."""
        return self.machine.is_stepping(state)

    def carried_out(self, done: bytes) -> list[c.Labelled | c.Transition]:
        """What notes stand for."""
        return [
            self.notes[self._first_note + each] for each in ones(int.from_bytes(done, "little"))
        ]

    def events(self, state: State) -> Iterator[Happening]:
        """The legal moves, then what chance can decide."""
        yield from self.machine.legal(state)
        yield from (event for _, event in self.machine.outcomes(state))

    def lists_all(self, state: State) -> bool:
        """Whether the legal moves of a state can all be listed."""
        return not self.machine.proposing[self.machine.phase(state)]

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
        self._write_start(state, state, asked)
        return asked

    def state_json(self, state: State) -> dict[str, Json]:
        """A state as engines write it; parts of it are shared, and must not be changed."""
        written: dict[str, Json] = {}
        self._write_all(state, state, written)
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

    def mismatches(self, position: Position, reported: Mapping[str, Json]) -> list[StateMismatch]:
        """What an engine reports otherwise than the spec has it."""
        return [
            found
            for name, value in reported.items()
            if (found := self._mismatch(name, value, position)) is not None
        ]

    def changed_by(self, number: int, done: bytes) -> set[str]:
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

    def _mismatch(self, name: str, json: Json, position: Position) -> StateMismatch | None:
        variable = self.instance.variables.get(name)
        if variable is None:
            known = nearest(str(name), self.instance.variables, "leave it out")
            return StateMismatch(
                str(name), f"a variable of the spec ({known})", excerpt(json), None, None, True
            )
        try:
            value = decode(json, variable.type, self.instance, name)
        except DecodeError as error:
            expected = write(position[name], variable.type, self.instance)
            got = f"{excerpt(json)} ({error.message})"
            return StateMismatch(name, expected, got, None, None, True)
        if value == position[name]:
            return None
        expected = write(position[name], variable.type, self.instance)
        got = write(value, variable.type, self.instance)
        return StateMismatch(name, expected, got, value, json)
