"""A game compiled: states as flat lists, events as tuples, everything fast.

This is the plain face of the generated functions. States are changed in place; who wants to keep
one copies it (`state[:]`). An event is `(number of its transition, mover or None, *arguments)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

from checker.meaning import core as c
from checker.message import Text
from checker.play.beginning import initial_position
from checker.play.compile import generate
from checker.play.compile.layout import State
from checker.play.compile.parsing import Parser, Unfit, parser
from checker.play.compile.runtime import shuffled
from checker.play.errors import UsageError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.rules import requirements
from checker.play.values import Position, Value

Happening: TypeAlias = "tuple[Any, ...]"
"""An event as the compiled game has it."""
Choose: TypeAlias = "Callable[[State, Callable[[], float]], Happening | None]"

PROPOSED = 0.25
"""How often players at random try what is proposed before anything else: what a spec proposes is
what somebody would do who means to get on with the game."""


class Machine:
    """The compiled game of an instance."""

    def __init__(self, instance: Instance, text: Text | None = None) -> None:
        if not instance.spec.phases:
            message = f"`{instance.spec.name}` has no phases, so there is nothing to play"
            raise UsageError(message, "declare them: `phase play, over final`")
        self.instance = instance
        self.generated = generate(instance, text)
        self.layout = self.generated.layout
        self.transitions = instance.spec.transitions
        self.numbers = {each.name: number for number, each in enumerate(self.transitions)}
        self._steps = instance.of_kind("step")
        self.proposing: dict[str, list[c.Transition]] = {
            phase.name: [
                move
                for move in instance.of_kind("move")
                if move.proposals and phase.name in move.phases
            ]
            for phase in instance.spec.phases
        }
        """For each phase the moves that are too many to list, and are proposed."""
        self.do: list[Any] = self._functions("do")
        self.allow: list[Any] = self._functions("allows")
        self._check: list[Any] = self._functions("check")
        self.choices: list[Choose | None] = [self._chooser(p) for p in instance.spec.phases]
        """For each phase what chooses an event at random, None where the game is over."""
        self.proposal: c.Proposal | None = None
        """What proposed the last event chosen that was proposed at all."""
        self._given = self.layout.load(initial_position(instance))
        self._parsers: list[tuple[tuple[str, Parser], ...]] = [
            tuple((param.name, parser(param.type, self.layout)) for param in each.params)
            for each in self.transitions
        ]
        self._claims: dict[str, list[tuple[c.Property, Callable[..., Any]]]] = {}

    # ---- positions

    def begin(self, random: Random | None = None) -> State:
        """A state to begin with: the first one, or one at random."""
        return next(self.beginnings(random))

    def beginnings(self, random: Random | None = None) -> Iterator[State]:
        """All states that a game can begin with, in the order of the types or in any order."""
        source = None if random is None else random.random
        return self.generated.functions["begin"](self._given, source)  # type: ignore[no-any-return]

    def load(self, position: Position) -> State:
        """A position as a state."""
        return self.layout.load(position)

    def position(self, state: State) -> Position:
        """A state as a position."""
        return self.layout.position(state)

    def is_final(self, state: State) -> bool:
        """Whether the game is over."""
        return self.instance.spec.phases[state[0]].final

    # ---- events

    def legal(self, state: State) -> list[Happening]:
        """The legal moves of all players, in the order of the file, of players, of arguments."""
        found = self.listed(state)
        phase = self.instance.spec.phases[state[0]].name
        for player in range(1, self.instance.players + 1):
            for move in self.proposing[phase]:
                seen = set()
                for event in self.proposed(move, state, player):
                    key = frozenset(event[2].items()) if isinstance(event[2], dict) else event[2]
                    if (key, *event[3:]) not in seen:
                        seen.add((key, *event[3:]))
                        found.append(event)
        return sorted(found, key=_order)

    def listed(self, state: State) -> list[Happening]:
        """The legal moves of all players, without those that are too many to list."""
        found: list[Happening] = []
        phase = self.instance.spec.phases[state[0]].name
        list_moves = self.generated.function("moves", phase)
        if list_moves is not None:
            for player in range(1, self.instance.players + 1):
                list_moves(state, player, found)
        return found

    def outcomes(self, state: State) -> list[tuple[int, Happening]]:
        """What chance can decide, each with its weight."""
        found: list[tuple[int, Happening]] = []
        phase = self.instance.spec.phases[state[0]].name
        list_outcomes = self.generated.function("outcomes", phase)
        if list_outcomes is not None:
            list_outcomes(state, found)
        return found

    def choose(self, state: State, random: Random) -> Happening | None:
        """An event at random: what chance decides, or a move of somebody who can move. None if
        the game is over or stuck."""
        choose = self.choices[state[0]]
        return None if choose is None else choose(state, random.random)

    def draw(self, state: State, random: Random) -> Happening | None:
        """What chance decides, with its true odds; None if it has nothing to decide."""
        draw = self.generated.function("draw", self.instance.spec.phases[state[0]].name)
        return None if draw is None else draw(state, random.random)

    def allows(self, state: State, event: Happening) -> bool:
        """Whether nothing refuses an event."""
        return bool(self.allow[event[0]](state, event))

    def broken(self, state: State, event: Happening) -> list[c.Requirement]:
        """The requirements that refuse an event."""
        needed = requirements(self.transitions[event[0]])
        return [needed[number] for number in self._check[event[0]](state, event)]

    def apply(self, state: State, event: Happening) -> None:
        """Makes an event happen, with the steps it sets off; asks nothing."""
        self.do[event[0]](state, event)

    def steps(self, state: State, event: Happening) -> Iterator[c.Transition]:
        """Makes an event happen transition by transition: it, then each step it sets off."""
        self.do[event[0]](state, event, _no_steps)
        yield self.transitions[event[0]]
        if not self._steps:
            return
        functions = self.generated.functions
        due_step, take = functions["due_step"], functions["STEPS"]
        step = due_step(state)
        for _ in range(10_000):
            if step is None:
                return
            take[step](state)
            yield self._steps[step]
            step = due_step(state)
        functions["settle"](state, step)  # says that they do not stop

    # ---- what holds, who wins

    def broken_claims(self, kind: str, before: State, now: State) -> list[c.Property]:
        """The invariants (or other properties of a kind) that do not hold."""
        if kind not in self._claims:
            self._claims[kind] = self.generated.properties.claims(kind)
        return [claim for claim, holds in self._claims[kind] if not holds(before, now)]

    def claim(self, property: c.Property) -> Callable[[State, State], Any]:
        """Whether a property is true of the state before and the state now."""
        return self.generated.properties.claim(property)

    def scores(self, state: State) -> dict[int, int] | None:
        """Each player's score, None if the game keeps none."""
        return self.of_players("score", state)

    def winners(self, state: State) -> list[int] | None:
        """Who wins, None if the game does not say."""
        wins = self.of_players("wins", state)
        return None if wins is None else [player for player, won in wins.items() if won]

    def of_players(self, name: str, state: State) -> dict[int, Any] | None:
        """The value of a function for each player, None if there is no such function."""
        function = self.generated.properties.of_player(name)
        if function is None:
            return None
        return {player: function(state, player) for player in range(1, self.instance.players + 1)}

    # ---- to and from events as others have them

    def encode(self, event: Event) -> Happening:
        """An event of the evaluator as ours."""
        number = self.numbers[event.name]
        params = self.transitions[number].params
        given = (self.layout.encode(event.arguments[param.name], param.type) for param in params)
        return (number, event.by, *given)

    def decode(self, event: Happening) -> Event:
        """Our event as the evaluator has it."""
        transition = self.transitions[event[0]]
        arguments: dict[str, Value] = {
            param.name: self.layout.decode(value, param.type)
            for param, value in zip(transition.params, event[2:])
        }
        return Event(transition.name, event[1], arguments)

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

    # ---- choosing

    def _functions(self, kind: str) -> list[Callable[..., Any] | None]:
        return [self.generated.function(kind, each.name) for each in self.transitions]

    def _chooser(self, phase: c.Phase) -> Choose | None:
        if phase.final:
            return None
        draw = self.generated.function("draw", phase.name)
        move = self.generated.function("choose", phase.name)
        if move is None and self.proposing[phase.name]:
            move = self._choose_proposed(phase.name)
        if draw is None or move is None:
            return draw or move or _nothing
        return _either(draw, move)

    def _choose_proposed(self, phase: str) -> Choose:
        """For phases with moves too many to list: a kind of move is chosen first, and a move
        with proposals is taken as soon as one is legal."""
        movers = self.generated.function("movers", phase)
        list_moves = self.generated.function("moves", phase)
        proposing = self.proposing[phase]
        assert movers is not None

        def choose(state: State, random: Callable[[], float]) -> Happening | None:
            for player in shuffled(movers(state), random):
                found: list[Happening] = []
                if list_moves is not None:
                    list_moves(state, player, found)
                kinds: dict[int, list[Happening]] = {}
                for event in found:
                    kinds.setdefault(event[0], []).append(event)
                proposed = {self.numbers[move.name]: move for move in proposing}
                order = shuffled(sorted([*kinds, *proposed]), random)
                if proposed and kinds and random() < PROPOSED:
                    order = [*shuffled([*proposed], random), *shuffled([*kinds], random)]
                for kind in order:
                    if kind in kinds:
                        return kinds[kind][int(random() * len(kinds[kind]))]
                    for proposal, event in self._each(proposed[kind], state, player, random):
                        self.proposal = proposal
                        return event
            return None

        return choose

    def proposed(
        self,
        move: c.Transition,
        state: State,
        player: int,
        random: Callable[[], float] | None = None,
    ) -> Iterator[Happening]:
        """The legal moves that the proposals of a move come to, lazily."""
        return (event for _, event in self._each(move, state, player, random))

    def _each(
        self, move: c.Transition, state: State, player: int, random: Callable[[], float] | None
    ) -> Iterator[tuple[c.Proposal, Happening]]:
        complete = self.generated.function("complete", move.name)
        assert complete is not None
        proposals = self.generated.proposals(move)
        for number in shuffled(range(len(proposals)), random):
            for value in proposals[number](state, player, random):
                found: list[Happening] = []
                complete(state, player, value, found)
                for event in found:
                    yield move.proposals[number], event


@lru_cache(maxsize=2)
def machine_of(instance: Instance) -> Machine:
    """The compiled game of an instance, made once for all who play it in turn."""
    return Machine(instance)


def _no_steps(state: State, step: int) -> None:
    """Instead of running the steps after an event."""


def _nothing(state: State, random: Callable[[], float]) -> None:
    """In a phase that is not final and in which nothing can happen."""
    return None


def _either(draw: Choose, move: Choose) -> Choose:
    """In a phase with both: chance or a move, whichever comes first, or the other."""

    def choose(state: State, random: Callable[[], float]) -> Happening | None:
        first, second = (draw, move) if random() < 0.5 else (move, draw)
        return first(state, random) or second(state, random)

    return choose


def _order(event: Happening) -> tuple[Any, ...]:
    return (event[0], event[1], *(_rank(each) for each in event[2:]))


def _rank(value: Any) -> Any:
    """Something to sort arguments by: `none` first, big boards as they come."""
    if value is None:
        return -1
    if isinstance(value, tuple):
        return tuple(map(_rank, value))
    return int(value) if isinstance(value, int) else 0
