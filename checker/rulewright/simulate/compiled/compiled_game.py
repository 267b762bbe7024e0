"""The compiled game: states and events that stay as they are, and all that can be asked of them.

States and events are those of `wasm.runtime.portable_states`: compact, comparable, hashable. What
the module cannot say, because a number leaves 64 bits or a part of the rules is not compiled, the
evaluator says. Nothing is compiled before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import Any, TypeVar

from rulewright.meaning import core as c
from rulewright.play.semantics import chance, rules
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import Beginnings, initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.rules import requirements
from rulewright.play.semantics.values import Position
from rulewright.simulate.compiled.claims import Claim, Claims
from rulewright.simulate.compiled.modules import made, module
from rulewright.simulate.compiled.parse_events import Parser, Unfit, parser
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.link import RULING
from rulewright.wasm.runtime.portable_states import Happening, Portable, State
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame

__all__ = ["CompiledGame", "Happening", "State", "compiled_game"]

Answer = TypeVar("Answer")
ASKED = frozenset(("judge", "list", "choose", "results"))
SMALL_ARENA = 1 << 20
"""Bytes for one event where nothing but one transition is judged: of such games there are many at a
time."""


class CompiledGame:
    """The compiled game of an instance."""

    def __init__(
        self, instance: Instance, only: int | None = None, forgetting: str | None = None
    ) -> None:
        """With `only`, it is ready sooner, but made for nothing but asking whether events of the
        transition with that number are allowed, where they lead, and with which results.
        `forgetting` names a set that is empty before each event of a game played ahead."""
        if not instance.spec.phases:
            message = f"`{instance.spec.name}` has no phases, so there is nothing to play"
            raise UsageError(message, "declare them: `phase play, over final`")
        self.instance = instance
        self._only = only
        self._forgetting = forgetting
        self.transitions = instance.spec.transitions
        self.numbers = {each.name: number for number, each in enumerate(self.transitions)}
        self.phases = instance.spec.phases
        self.proposing: list[list[c.Transition]] = [
            [
                move
                for move in instance.of_kind("move")
                if move.proposals and phase.name in move.phases
            ]
            for phase in self.phases
        ]
        """For each phase the moves that are too many to list, and are proposed."""
        self._final = [each.final for each in self.phases]
        self._callers: dict[str, Callable[..., None]] = {}
        self._too_many: set[tuple[str, int]] = set()
        """The phases in which going through all that chance can decide takes too long: there the
        evaluator tries some of it."""

    @cached_property
    def game(self) -> WasmGame:
        """The module that judges, lists and chooses."""
        if self._only is None:
            parts = ASKED if self._forgetting is None else ASKED | {"ahead"}
            return made(lambda: module(self.instance, parts, forgetting=self._forgetting))
        return made(lambda: module(self.instance, RULING, only=self._only, arena=SMALL_ARENA))

    @property
    def is_small(self) -> bool:
        """Whether it is made for one transition, with little memory."""
        return self._only is not None

    @cached_property
    def portable(self) -> Portable:
        """What states and events are made of."""
        return self.game.portable

    @cached_property
    def _properties(self) -> WasmGame:
        return module(self.instance, frozenset(("properties",)))

    @cached_property
    def _claims(self) -> Claims:
        return Claims(self.instance, self.portable)

    @cached_property
    def _parsers(self) -> list[tuple[tuple[str, Parser], ...]]:
        return [
            tuple((param.name, parser(param.type, self.portable)) for param in each.params)
            for each in self.transitions
        ]

    @cached_property
    def _beginnings(self) -> Beginnings:
        return Beginnings(self.instance)

    @cached_property
    def _first(self) -> State:
        """The first state that a game can begin with."""
        return self.load(initial_position(self.instance))

    # ---- positions

    def begin(self, random: Random | None = None) -> State:
        """A state to begin with: the first one, or one at random."""
        first = self._first
        return first if random is None else next(self.beginnings(random))

    def beginnings(self, random: Random | None = None) -> Iterator[State]:
        """The states that a game can begin with, in the order of the types or in any order."""
        for values in self._beginnings.choices(random):
            state = self._first
            for name, value in values.items():
                type = self.instance.variables[name].type
                state = self.portable.with_part(state, name, self.portable.data(value, type))
            yield state

    def load(self, position: Position) -> State:
        """A position as a state."""
        return made(lambda: self.portable.load(position))

    def position(self, state: State) -> Position:
        """A state as a position."""
        return self.portable.position(state)

    def phase(self, state: State) -> int:
        """The number of the phase a state is in."""
        return state[self.portable.phase]

    def in_phase(self, state: State, phase: int) -> State:
        """The same state in another phase."""
        at = self.portable.phase
        return state[:at] + bytes((phase,)) + state[at + 1 :]

    def is_final(self, state: State) -> bool:
        """Whether the game is over."""
        return self._final[state[self.portable.phase]]

    # ---- what can happen

    def legal(self, state: State) -> list[Happening]:
        """The legal moves of all players, in the order of the file, of players, of arguments; of
        those that are too many to list, what is proposed."""
        return self._or_else(
            lambda: self._read("legal", state),
            lambda: [*map(self.encode, legal_moves(self.instance, self.position(state)))],
        )

    def listed(self, state: State) -> list[Happening]:
        """The legal moves of all players, without those that are too many to list."""
        return self._or_else(
            lambda: self._read("listed", state),
            lambda: [move for move in self.legal(state) if not self.transitions[move[0]].proposals],
        )

    def outcomes(self, state: State) -> list[tuple[int, Happening]]:
        """What chance can decide, each with its weight."""

        def asked() -> list[tuple[int, Happening]]:
            found = self._read("outcomes", state)
            game = self.game
            weights = [game.events.weight_at(game.memory, at) for at in game.addresses()]
            return [*zip(weights, found)]

        def slowly() -> list[tuple[int, Happening]]:
            found = chance.outcomes(self.instance, self.position(state))
            return [(weight, self.encode(event)) for event, weight in found]

        return self._or_else(asked, slowly)

    def choose(self, state: State, random: Random) -> Happening | None:
        """An event at random: what chance decides, or a move of somebody who can move. None if
        the game is over or stuck."""
        if ("choose", state[self.portable.phase]) not in self._too_many:
            try:
                return self._chosen("choose", state, random)
            except Unsupported:
                pass
            except LimitError:
                phase = self.phase(state)
                chances = self.instance.of_kind("chance")
                if not any(self.phases[phase].name in each.phases for each in chances):
                    raise  # moves take too long, for the evaluator even more
                self._too_many.add(("choose", phase))
        return self._slowly_chosen(state, random)

    def ahead(
        self, state: State, random: Random, most: int
    ) -> list[tuple[Happening, State]] | None:
        """How a game may go on at random, for so many events at most: each event with where it
        leads. None where a single event has to be asked for."""
        game = self.game
        if game.compiled.ahead is None:
            return None
        game.state = state
        try:
            return game.ahead(random.getrandbits(63), most)
        except (Unsupported, LimitError):
            return None

    def draw(self, state: State, random: Random) -> Happening | None:
        """What chance decides, with its true odds; None if it has nothing to decide."""
        if ("draw", self.phase(state)) not in self._too_many:
            try:
                return self._chosen("draw", state, random)
            except Unsupported:
                pass
            except LimitError:
                self._too_many.add(("draw", self.phase(state)))
        event = chance.draw(self.instance, self.position(state), random)
        return None if event is None else self.encode(event)

    def propose(
        self, move: c.Transition, state: State, player: int, random: Random
    ) -> Happening | None:
        """A legal move of a player that proposals come to, at random; None if there is none."""
        name, signature = f"propose {move.name}", "lli>i"
        return self._or_else(
            lambda: self._chosen(name, state, random, player, signature=signature), lambda: None
        )

    # ---- what is said of events

    def allows(self, state: State, event: Happening) -> bool:
        """Whether nothing refuses an event."""
        game = self.game
        game.state = state
        game.put(event)
        try:
            self._call("allows")()
        except Unsupported:
            return not self._failing(state, event)
        return game.answered() != 0

    def broken(self, state: State, event: Happening) -> list[c.Requirement]:
        """The requirements that refuse an event."""
        game = self.game

        def asked() -> list[c.Requirement]:
            game.state = state
            game.put(event)
            game.call("failing")
            return self._said(self._marked(event), state, event)

        return self._or_else(asked, lambda: self._failing(state, event))

    def attempt(self, state: State, event: Happening) -> State | list[c.Requirement]:
        """Where an event leads, with the steps it sets off, or all requirements that refuse it."""
        game = self.game
        try:
            game.state = state
            game.put(event)
            game.held = None  # it may be about to change
            self._call("attempt")()
        except Unsupported:
            failing = self._failing(state, event)
            return failing or self.load(self._happened(state, event)[-1].after)
        if game.answered():
            return game.state
        game.held = state
        return self._said(self._marked(event), state, event)

    def record(self, event: Happening) -> bytes | None:
        """An event to be followed with others in one call, None if it has to be made to happen by
        itself."""
        return self.game.record(event)

    def follow(
        self, state: State, records: Sequence[bytes]
    ) -> tuple[State, int, EvaluationError | None]:
        """Makes events happen up to the first that is refused, or to which the rules have no
        answer, which is then given: where that is, and how many happened. Raises `Unsupported`
        where the module cannot go on."""
        self.game.state = state
        done, error = self.game.follow(records)
        return (state if error is not None else self.game.state), done, error

    def apply(self, state: State, event: Happening) -> State:
        """Where an event leads, with the steps it sets off; asks nothing."""
        try:
            return self._changed(state, event, "apply")
        except Unsupported:
            return self.load(self._happened(state, event)[-1].after)

    def tried(self, state: State, event: Happening) -> State | None:
        """Where an event leads, with the steps it sets off; None if something refuses it."""
        try:
            after = self._changed(state, event, "try")
        except Unsupported:
            return self.apply(state, event) if self.allows(state, event) else None
        game = self.game
        if game.answered():
            return after
        game.held = state
        return None

    def take(self, state: State, event: Happening) -> State:
        """Where an event leads without the steps it sets off."""
        try:
            return self._changed(state, event, "take")
        except Unsupported:
            return self.load(self._happened(state, event)[0].after)

    def steps(self, state: State, event: Happening) -> Iterator[tuple[c.Transition, State]]:
        """An event transition by transition: it, then each step it sets off, each with where it
        leads."""
        yield self.transitions[event[0]], (now := self.take(state, event))
        for _ in range(rules.MOST_STEPS):
            found = self._step(now)
            if found is None:
                return
            yield found
            now = found[1]
        self._happened(state, event)  # says that steps do not stop

    def is_stepping(self, state: State) -> bool:
        """Whether a step is due, so that nobody is asked to act in this state."""
        return self._step(state) is not None

    # ---- what holds, who wins

    def broken_claims(self, kind: str, before: State, now: State) -> list[c.Property]:
        """The invariants (or the `always` properties) that do not hold."""
        game = self._properties

        def asked() -> list[c.Property]:
            game.state = now
            game.before(before)
            game.call(kind)
            properties = game.compiled.properties
            return [
                each
                for number, each in enumerate(properties.watched, properties.marks)
                if each.kind == kind and game.memory[number]
            ]

        def slowly() -> list[c.Property]:
            env = Environment(self.instance, self.position(before), self.position(now))
            known = game.compiled.properties.watched
            return [e for e in known if e.kind == kind and not evaluate(e.claim, env)]

        return self._or_else(asked, slowly)

    def claims(self, properties: Sequence[c.Property]) -> list[Claim]:
        """For each property what says whether it is true of the state before and the state now.
        Asked for together they are compiled in one go."""
        return self._claims.of(properties)

    def claim(self, property: c.Property) -> Claim:
        """Whether a property is true of the state before and the state now."""
        return self.claims([property])[0]

    def scores(self, state: State) -> dict[int, int] | None:
        """Each player's score, None if the game keeps none."""
        return self.of_players("score", state)

    def winners(self, state: State) -> list[int] | None:
        """Who wins, None if the game does not say."""
        wins = self.of_players("wins", state)
        return None if wins is None else [player for player, won in wins.items() if won]

    def of_players(self, name: str, state: State) -> dict[int, int] | None:
        """What a result comes to for each player, None if there is no such result."""
        function = next((each for each in rules.results(self.instance) if each.name == name), None)
        if function is None:
            return None
        result, game, players = function, self.game, range(1, self.instance.players + 1)

        def asked() -> dict[int, int]:
            game.state = state
            found = {}
            for player in players:
                game.call(f"result {name}", player, signature="i>i")
                found[player] = game.answered(8)
            return found

        def slowly() -> dict[int, int]:
            position, param = self.position(state), result.params[0].name
            return {
                player: evaluate(
                    result.body, Environment(self.instance, position, None, {param: player})
                )
                for player in players
            }

        return self._or_else(asked, slowly)

    # ---- to and from events as others have them

    def encode(self, event: Event) -> Happening:
        """An event of the evaluator as ours."""
        return self.portable.encode(event)

    def decode(self, event: Happening) -> Event:
        """Our event as the evaluator has it."""
        return self.portable.decode(event)

    def parse(self, json: Mapping[str, Any]) -> Happening:
        """A recorded event; raises `Unfit` if it is not one of this game."""
        name, by = json.get("move"), json.get("by")
        kind = "move"
        if name is None:
            name, kind = json.get("chance"), "chance"
        number = self.numbers.get(name) if type(name) is str else None
        if number is None or self.transitions[number].kind != kind:
            raise Unfit
        if kind == "chance":
            if by is not None or "move" in json:
                raise Unfit
        elif type(by) is not int or not 1 <= by <= self.instance.players or "chance" in json:
            raise Unfit
        parsers = self._parsers[number]
        given = json.get("args", {})
        if type(given) is not dict or len(given) != len(parsers):
            raise Unfit
        try:
            return (number, by, *[parse(given[param]) for param, parse in parsers])
        except KeyError:
            raise Unfit from None

    # ---- the module, or else the evaluator

    def _or_else(self, asked: Callable[[], Answer], slowly: Callable[[], Answer]) -> Answer:
        """What the module says, or where it cannot, the evaluator."""
        try:
            return asked()
        except Unsupported:
            return slowly()

    def _read(self, name: str, state: State) -> list[Happening]:
        game = self.game
        game.state = state
        game.call(name)
        return [game.read(at) for at in game.addresses()]

    def _chosen(
        self, name: str, state: State, random: Random, *given: int, signature: str = "ll>i"
    ) -> Happening | None:
        game = self.game
        game.state = state
        self._call(name, signature)(random.getrandbits(63), 0, *given)
        return game.chosen if game.answered() else None

    def _call(self, name: str, signature: str = ">i") -> Callable[..., None]:
        call = self._callers.get(name)
        if call is None:
            call = self._callers[name] = self.game.caller(name, signature)
        return call

    def _slowly_chosen(self, state: State, random: Random) -> Happening | None:
        if self.is_final(state):
            return None
        position = self.position(state)
        drawn = chance.draw(self.instance, position, random)
        moves = list(legal_moves(self.instance, position))
        if drawn is not None and (not moves or random.random() < 0.5):
            return self.encode(drawn)
        if not moves:
            return None
        player = random.choice(sorted({each.by for each in moves if each.by is not None}))
        return self.encode(random.choice([each for each in moves if each.by == player]))

    def _changed(self, state: State, event: Happening, how: str) -> State:
        game = self.game
        game.state = state
        game.put(event)
        game.held = None  # it is about to change
        self._call(how)()
        return game.state

    def _step(self, state: State) -> tuple[c.Transition, State] | None:
        game = self.game
        steps = game.compiled.transitions.steps
        if not steps:
            return None

        def asked() -> tuple[c.Transition, State] | None:
            game.state = state
            self._call("due")()
            number = game.answered()
            if number < 0:
                return None
            game.held = None  # it is about to change
            self._call("step")()
            return steps[number], game.state

        def slowly() -> tuple[c.Transition, State] | None:
            position = self.position(state)
            step = rules.due_step(self.instance, position)
            if step is None:
                return None
            return step, self.load(rules.take(self.instance, position, step, None).after)

        return self._or_else(asked, slowly)

    def _marked(self, event: Happening) -> list[c.Requirement]:
        """The requirements of an event that were marked as failing."""
        memory, marks = self.game.memory, self.game.compiled.transitions.marks
        needed = requirements(self.transitions[event[0]])
        return [each for at, each in enumerate(needed, marks) if memory[at]]

    def _said(
        self, failing: list[c.Requirement], state: State, event: Happening
    ) -> list[c.Requirement]:
        """The same in the words for this event, where they have such."""
        if all(each.template is None for each in failing):
            return failing
        read = self.decode(event)
        held = read.locals(self.instance.transitions[read.name])
        env = Environment(self.instance, self.position(state), locals=held)
        return [rules.said_of(each, env) for each in failing]

    def _failing(self, state: State, event: Happening) -> list[c.Requirement]:
        return rules.failing(self.instance, self.position(state), self.decode(event))

    def _happened(self, state: State, event: Happening) -> list[rules.TakenTransition]:
        return rules.apply(self.instance, self.position(state), self.decode(event))


@lru_cache(maxsize=2)
def compiled_game(instance: Instance) -> CompiledGame:
    """The compiled game of an instance, made once for all who play it in turn."""
    return CompiledGame(instance)
