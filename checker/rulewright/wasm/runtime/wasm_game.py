"""A game compiled to WebAssembly, for Python: positions in and out, what is legal, what happens.

The state lies in the memory of the module and is changed in place. Values that cross over are those
of the evaluator, and so are the errors.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from struct import Struct
from typing import Any

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position, open_variables
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import requirements
from rulewright.play.semantics.values import Position
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.codegen.compilation_unit import STATE, STOP, WORK
from rulewright.wasm.codegen.data_layout import Kept, SparseArray, boards
from rulewright.wasm.runtime.game_results import GameStatistics
from rulewright.wasm.runtime.link import AHEAD, PARTS, CompiledModule
from rulewright.wasm.runtime.loaded_module import LoadedModule, Trap
from rulewright.wasm.runtime.portable_states import (
    COUNT,
    ENTRY,
    Happening,
    Portable,
    State,
    arguments_in_memory,
)
from rulewright.wasm.runtime.queries import ARENA, MOST_MEMORY, LimitError, stopped
from rulewright.wasm.simulate.random_play import BATCH, ENDLESS

CLAIMS = frozenset(("claims",))


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Looks for no garbage meanwhile: compiling makes many small things and drops few, and looking
    through them all takes longer than compiling."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class WasmGame:
    """A compiled game that is being played."""

    def __init__(
        self,
        instance: Instance,
        watched: bool = False,
        parts: frozenset[str] = PARTS,
        memory: int = MOST_MEMORY,
        claims: Sequence[c.Property] = (),
        only: int | None = None,
        reserving: bool = True,
        watch: Sequence[c.Property] | None = None,
        noting: bool = False,
        arena: int = ARENA,
        forgetting: str | None = None,
    ) -> None:
        self.instance = instance
        with _without_collecting():
            self.compiled = CompiledModule(
                instance, watched, parts, claims, only, watch, noting, forgetting
            )
            binary = self.compiled.binary(memory, arena)
        self.unit = self.compiled.unit
        self.layout = self.unit.layout
        self.events = self.compiled.events
        brief = only is not None or parts == CLAIMS
        self.running = LoadedModule(binary, reserving, brief)
        self.memory = self.running.memory
        self.portable = Portable(self.layout)
        self._functions: dict[str, Callable[..., int]] = {}
        self._budget = self.running.function("budget", "l>")
        self._work = WORK
        self.held: State | None = None
        """The state that is in the memory, if that is known."""
        places = self.portable.boards.values()
        self._boards = [each for place in places for each in boards(place.kept, place.offset)]
        self._records = [Struct(f"<ii{len(types)}q") for types in self.portable.types]
        self._in_memory = [arguments_in_memory(self.layout, types) for types in self.portable.types]
        self._beside = [self.events.beside.get(each.name, []) for each in self.events.transitions]
        if "play" in parts:
            self._put_beginnings()

    def _put_beginnings(self) -> None:
        """Writes down the positions to begin with; they differ in what is open at the start."""
        memory, size, layout = self.running.memory, self.layout.size, self.layout
        first, open_ = self.compiled.playing.starts, open_variables(self.instance)
        for number, position in enumerate(self.compiled.beginnings):
            at = first + number * size
            if number == 0:
                layout.load(position, memory, at)
                continue
            memory[at : at + size] = memory[first : first + size]
            for name in open_:
                place = layout.places[name]
                layout.encode(position[name], place.type, memory, at + place.offset)

    # ---- positions

    def begin(self) -> None:
        """The first position a game can begin with."""
        self.load(initial_position(self.instance))

    def load(self, position: Position) -> None:
        """Sets the position."""
        self.held = None
        self.layout.load(position, self.running.memory, STATE)

    @property
    def state(self) -> State:
        """The position as it is, as bytes that stay."""
        held = self.held
        if held is None:
            fixed = bytes(self.memory[STATE : STATE + self.layout.fixed])
            boards = (self._packed(STATE + at, kept) for at, kept in self._boards)
            held = self.held = b"".join((fixed, *boards)) if self._boards else fixed
        return held

    @state.setter
    def state(self, state: State) -> None:
        if state is self.held:
            return
        self._write(state, STATE)
        self.held = state

    def before(self, state: State) -> None:
        """Sets the position before."""
        self._write(state, self.unit.before)

    def _write(self, state: State, base: int) -> None:
        fixed = self.layout.fixed
        if not self._boards:
            self.memory[base : base + fixed] = state
            return
        self.memory[base : base + fixed] = state[:fixed]
        at = fixed
        for offset, kept in self._boards:
            at = self._unpack(state, at, base + offset, kept)

    def _packed(self, address: int, kept: SparseArray) -> bytes:
        """A board in memory as bytes."""
        packing = self.compiled.packing
        count = self._function(f"pack {packing.numbers[kept]}", "i>i")(address)
        end = packing.room + count * ENTRY.size
        return COUNT.pack(count) + bytes(self.memory[packing.room : end])

    def _unpack(self, data: bytes, at: int, address: int, kept: SparseArray) -> int:
        """Writes a board to memory; says where its bytes end."""
        packing = self.compiled.packing
        count: int = COUNT.unpack_from(data, at)[0]
        at += COUNT.size
        end = at + count * ENTRY.size
        self.memory[packing.room : packing.room + end - at] = data[at:end]
        self._function(f"unpack {packing.numbers[kept]}", "ii>i")(address, count)
        return end

    def put(self, event: Happening) -> None:
        """Sets the event that is asked about or happens next."""
        number = event[0]
        given = event[2:]
        if self._in_memory[number]:
            raw = list(given)
            addresses = self.events.values[self.portable.transitions[number].name]
            for place, kept in self._in_memory[number]:
                raw[place] = address = addresses[place]
                self._write_value(given[place], address, kept)
            given = tuple(raw)
        record, at = self._records[number], self.events.chosen
        self.memory[at : at + record.size] = record.pack(number, event[1] or 0, *given)

    def record(self, event: Happening) -> bytes | None:
        """An event as it stands in a list to be followed, None if it is too large for that."""
        number, *given = event[0], *event[2:]
        places = self.events.beside.get(self.portable.transitions[number].name)
        if places is None:
            return None
        behind = b""
        for place, at, _ in places:
            behind = behind.ljust(at, b"\0") + given[place]
            given[place] = 0
        packed = self._records[number].pack(number, event[1] or 0, *given)
        return (packed.ljust(self.events.size, b"\0") + behind).ljust(self.events.long, b"\0")

    def follow(self, records: Sequence[bytes]) -> tuple[int, EvaluationError | None]:
        """Makes events happen up to the first that is refused, or to which the rules have no
        answer: how many happened, and that error. After an error the state means nothing."""
        listed = b"".join(records)
        self.memory[self.events.list : self.events.list + len(listed)] = listed
        try:
            self.changes("follow", len(records), signature="i>i")
        except EvaluationError as error:
            return self.answered(), error
        return self.answered(), None

    def ahead(self, seed: int, most: int) -> list[tuple[Happening, State]]:
        """Goes on from the state at random for so many events at most: each, with the state it
        leads to. What goes wrong in an event is raised only if it is the first."""
        place = self.compiled.ahead
        assert place is not None
        self.held = None
        try:
            self.call("ahead", seed, min(most, AHEAD), signature="li>i")
        except (EvaluationError, Unsupported, LimitError):
            if not self.answered():
                raise
        count = self.answered()
        written = bytes(self.memory[place.at : place.at + count * place.stride])
        found, records, in_memory = [], self._records, self._in_memory
        for at in range(0, len(written), place.stride):
            number = written[at] | written[at + 1] << 8
            _, by, *given = records[number].unpack_from(written, at)
            if in_memory[number]:
                behind = at + self.events.size
                for which, start, size in self._beside[number]:
                    given[which] = written[behind + start : behind + start + size]
            state = written[at + place.state : at + place.stride]
            found.append(((number, by or None, *given), state))
        return found

    def _write_value(self, data: bytes, address: int, kept: Kept) -> None:
        held = boards(kept, address)
        if not held:
            self.memory[address : address + len(data)] = data
        at = 0
        for place, board in held:
            at = self._unpack(data, at, place, board)

    def read(self, at: int) -> Happening:
        """The event in the memory at an address."""
        number = self.word(at)
        record = self._records[number]
        _, by, *given = record.unpack(self.memory[at : at + record.size])
        for place, kept in self._in_memory[number]:
            address = given[place]
            held = boards(kept, address)
            if held:
                given[place] = b"".join(self._packed(*each) for each in held)
            else:
                given[place] = bytes(self.memory[address : address + kept.size])
        return (number, by or None, *given)

    @property
    def chosen(self) -> Happening:
        """The event that was chosen last."""
        return self.read(self.events.chosen)

    @property
    def position(self) -> Position:
        """The position as it is."""
        return self.layout.position(self.running.memory, STATE)

    def value(self, name: str) -> Any:
        """The value of one variable."""
        place = self.layout.places[name]
        return self.layout.decode(place.type, self.memory, STATE + place.offset)

    # ---- events

    def legal(self) -> list[Event]:
        """The legal moves, in the order of the file, then of players, then of parameters."""
        self.call("legal")
        return [self.events.decode(self.running.memory, at) for at in self.addresses()]

    def outcomes(self) -> list[tuple[Event, int]]:
        """Everything that chance can decide here, with its weight."""
        self.call("outcomes")
        memory = self.running.memory
        return [
            (self.events.decode(memory, at), self.events.weight_at(memory, at))
            for at in self.addresses()
        ]

    def allows(self, event: Event) -> bool:
        """Whether nothing refuses an event."""
        self._put(event)
        self.call("allows")
        return bool(self.answered())

    def failing(self, event: Event) -> list[c.Requirement]:
        """All requirements that refuse an event; none if it is allowed."""
        self._put(event)
        self.call("failing")
        needed = requirements(self.instance.transitions[event.name])
        marks, memory = self.compiled.transitions.marks, self.running.memory
        return [each for number, each in enumerate(needed) if memory[marks + number]]

    def apply(self, event: Event) -> None:
        """Makes an event happen, with the steps it sets off; asks nothing."""
        self._put(event)
        self.changes("apply")

    def take(self, event: Event) -> None:
        """Makes an event happen without the steps it sets off."""
        self._put(event)
        self.changes("take")

    def step(self) -> c.Transition | None:
        """Takes the step that is due, and says which it was; None if none is."""
        steps = self.compiled.transitions.steps
        if not steps:
            return None
        self.call("due")
        number = self.answered()
        if number < 0:
            return None
        self.changes("step")
        return steps[number]

    # ---- properties

    def broken(self, kind: str, before: Position | None = None) -> list[c.Property]:
        """The invariants that do not hold in the position, or the `always` properties that do not
        hold of it and the one before."""
        if before is not None:
            self.layout.load(before, self.running.memory, self.unit.before)
        self.call(kind)
        properties, memory = self.compiled.properties, self.running.memory
        return [
            each
            for number, each in enumerate(properties.watched)
            if each.kind == kind and memory[properties.marks + number]
        ]

    # ---- games at random

    def choose(self, seed: int, number: int = 0) -> Event | None:
        """An event at random, as a random game would choose it; None if nothing can happen."""
        self.call("choose", seed, number, signature="ll>i")
        if not self.answered():
            return None
        return self.events.decode(self.running.memory, self.events.chosen)

    def play(self, games: int, seed: int, first: int = 0, longest: int = 100_000) -> GameStatistics:
        """Games at random, numbered from the first one on, as far as nothing is wrong with them."""
        played = self.some(min(games, BATCH), seed, first, longest)
        while played.games < games and played.wrong is None:
            more = min(BATCH, games - played.games)
            played.join(self.some(more, seed, first + played.games, longest))
        if played.error is not None:
            raise played.error
        return played

    def some(self, games: int, seed: int, first: int = 0, longest: int = 100_000) -> GameStatistics:
        """Some games, at most a batch. Where something is wrong with one, those before it."""
        self._must_begin()
        playing, memory = self.compiled.playing, self.memory
        played, before = GameStatistics(self.instance, playing.noted), self.counters()
        memory[playing.found : playing.found + 4] = bytes(4)
        try:
            self.changes("play", first, games, seed, longest, signature="iili>i")
        except (EvaluationError, Unsupported, LimitError) as error:
            played.error = error
        found = self.word(playing.found)
        if found or played.error is not None:
            if found:
                played.broken = self.compiled.properties.watched[found - 1]
            played.wrong = self.word(playing.game), self.word(playing.happened)
            games = played.wrong[0] - first
        played.add(memory, playing.records, games)
        self.count(played, before)
        return played

    def start(self, seed: int, game: int) -> None:
        """Begins a game at random, to be seen event by event."""
        self._must_begin()
        self.changes("start", seed, game, signature="li>i")

    def _must_begin(self) -> None:
        """Says so if there is no position that games begin with."""
        if not self.compiled.beginnings:
            initial_position(self.instance)

    def go_on(self, most: int) -> None:
        """Goes on with a game at random for so many events at most."""
        self.changes("go on", most, signature="i>i")

    def advance(self) -> int | None:
        """One event more of a game at random; how it ended, None if it goes on."""
        playing = self.compiled.playing
        self.memory[playing.happened : playing.happened + 4] = bytes(4)
        self.go_on(1)
        ended = int.from_bytes(
            self.memory[playing.ended : playing.ended + 4], "little", signed=True
        )
        return None if ended == ENDLESS else ended

    @property
    def moved_on(self) -> bool:
        """Whether an event has happened since the game was told to advance."""
        return self.word(self.compiled.playing.happened) > 0

    @property
    def found(self) -> c.Property:
        """The property that was found not to hold."""
        return self.compiled.properties.watched[self.word(self.compiled.playing.found) - 1]

    def word(self, at: int) -> int:
        """The number in four bytes of memory."""
        return int.from_bytes(self.memory[at : at + 4], "little")

    def counters(self) -> dict[tuple[str, str], int]:
        """How often what has happened since the module was loaded: events, what proposed them,
        requirements that decided a near miss alone."""
        compiled, memory = self.compiled, self.running.memory
        counts, found = compiled.playing.counts, {}

        def at(place: int) -> int:
            return int.from_bytes(memory[place : place + 8], "little")

        for number, each in enumerate(self.events.transitions):
            if each.kind != "step":
                found["events", each.name] = at(counts + 8 * number)
        for (move, proposal), place in compiled.listing.proposals.places.items():
            found["proposed", f"{move}.{proposal}"] = at(place)
        for (name, number), place in compiled.misses.places.items():
            needed = requirements(self.instance.transitions[name])
            label = needed[number].label
            if number > 0:  # the first is that of the phase
                key = ("decided", label)
                found[key] = found.get(key, 0) + at(place)
        return found

    def count(self, played: GameStatistics, before: dict[tuple[str, str], int]) -> None:
        """Notes what was counted since then."""
        for (kind, name), many in self.counters().items():
            played.counts[kind][name] = many - before[kind, name]

    # ---- the module

    @property
    def work_left(self) -> int:
        """What is left of the work that the last call was given."""
        return max(0, self._function("work left", ">l")())

    def look_again(self) -> None:
        """Finds the memory after the module has grown it."""
        self.running.look_again()
        self.memory = self.running.memory

    def call(self, name: str, *arguments: int, signature: str = ">i", work: int = WORK) -> None:
        """Calls a function; a failure is raised as the evaluator would."""
        if work != self._work:
            self._work = work
            self._budget(work)
        try:
            failure = self._function(name, signature)(*arguments)
        except Trap as trap:
            error = stopped(self.memory, trap)
            self.memory[STOP] = 0
            raise error from None
        if failure:
            raise self.unit.error(self.memory, failure)

    def caller(self, name: str, signature: str = ">i") -> Callable[..., None]:
        """The same for a function that is called again and again with the usual work."""
        function, error, memory = self._function(name, signature), self.unit.error, self.memory

        def call(*arguments: int) -> None:
            try:
                failure = function(*arguments)
            except Trap as trap:
                why = stopped(memory, trap)
                memory[STOP] = 0
                raise why from None
            if failure:
                raise error(memory, failure)

        return call

    def _function(self, name: str, signature: str) -> Callable[..., int]:
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self.running.function(name, signature)
        return function

    def changes(self, name: str, *arguments: int, signature: str = ">i") -> None:
        """Calls a function that changes the position."""
        self.held = None
        self.call(name, *arguments, signature=signature)

    def _put(self, event: Event) -> None:
        self.events.encode(event, self.running.memory, self.events.chosen)

    def answered(self, size: int = 4) -> int:
        """The answer to a question."""
        at = self.compiled.answer
        return int.from_bytes(self.memory[at : at + size], "little", signed=True)

    def addresses(self) -> Sequence[int]:
        """Where the events are that were listed."""
        end = self.word(self.compiled.end_of_list)
        return range(self.events.list, end, self.events.size)
