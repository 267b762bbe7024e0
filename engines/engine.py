"""What every engine has: a game is set up, told what happens, and asked how it stands.

An engine is a class whose moves and chance events are methods, marked with the phases they belong
to and the shapes of their parameters. This module checks what is the same everywhere (is there
such an event, is it this phase and this player's turn, are the arguments of the right kind) and
leaves the rules to the game. Whatever is refused leaves the position as it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, TypeAlias

from engines.shapes import Json, Reader, ShapeError, excerpt

Event: TypeAlias = dict[str, Json]
"""`{"move": name, "by": player, "args": {...}}` or `{"chance": name, "args": {...}}`."""
State: TypeAlias = dict[str, Json]
"""The variables of a position, by name."""
Values: TypeAlias = dict[str, Any]
"""What JSON stands for, by name."""


class IllegalError(Exception):
    """An event, a set-up or a position that is refused, and why."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A method that is a move (called with the player) or a chance event (called without)."""

    is_move: bool
    phases: tuple[str, ...]
    parameters: tuple[tuple[str, Reader[Any]], ...]
    body: Callable[..., None]

    def read(self, arguments: Json) -> Sequence[Any]:
        """The arguments as Python values, in the order of the parameters."""
        if type(arguments) is not dict:
            raise IllegalError(f"the arguments should be an object, not {excerpt(arguments)}")
        values: list[Any] = []
        if not arguments and not self.parameters:
            return values
        if len(arguments) == len(self.parameters):
            try:
                for name, read in self.parameters:
                    values.append(read(arguments[name]))
                return values
            except KeyError:
                pass
            except ShapeError:
                _read_all(self.parameters, arguments)  # says which one does not fit
        known = ", ".join(name for name, _ in self.parameters) or "nothing"
        given = ", ".join(map(str, arguments)) or "nothing"
        raise IllegalError(f"the arguments should be {known}, not {given}")


def move(*phases: str, **parameters: Reader[Any]) -> Callable[[Callable[..., None]], Rule]:
    """Marks a method as a move in these phases."""
    return lambda body: Rule(True, phases, (*parameters.items(),), body)


def chance(*phases: str, **parameters: Reader[Any]) -> Callable[[Callable[..., None]], Rule]:
    """Marks a method as a chance event in these phases."""
    return lambda body: Rule(False, phases, (*parameters.items(),), body)


def as_event(move: str, by: int, **arguments: Json) -> Event:
    """A player's move."""
    return {"move": move, "by": by, "args": arguments}


class Engine(ABC):
    """One game of one kind, from its beginning to its end."""

    NAME: ClassVar[str]
    PLAYERS: ClassVar[range]
    READINGS: ClassVar[Mapping[str, Sequence[str]]]
    """The open questions of the rulebook, each with its answers, the usual one first."""
    VARIANTS: ClassVar[Sequence[str]] = ()
    OPEN: ClassVar[Sequence[str]] = ("active",)
    """The variables whose first value `new` may be given."""
    LISTS_ALL: ClassVar[bool] = True
    """Whether `legal` lists every legal move, not only some of them."""
    RULES: ClassVar[dict[str, Rule]] = {}

    phase: str
    seats: range
    readings: Mapping[str, str]
    variant: str | None

    def __init_subclass__(cls) -> None:
        own = {name: each for name, each in vars(cls).items() if isinstance(each, Rule)}
        cls.RULES = {**cls.RULES, **own}

    def __init__(
        self,
        players: int | None = None,
        readings: Mapping[str, str] | None = None,
        variant: str | None = None,
        **start: Json,
    ) -> None:
        self.new(self.PLAYERS[0] if players is None else players, readings, variant, **start)

    def new(
        self,
        /,
        players: int,
        readings: Mapping[str, str] | None = None,
        variant: str | None = None,
        **start: Json,
    ) -> None:
        """Begins a new game; `start` chooses the first values of the variables in `OPEN`."""
        if type(players) is not int or players not in self.PLAYERS:
            least, most = self.PLAYERS[0], self.PLAYERS[-1]
            raise IllegalError(f"the game takes {least} to {most} players")
        if variant is not None and variant not in self.VARIANTS:
            raise IllegalError(f"there is no variant {excerpt(variant)}")
        chosen = self._choose(readings or {})
        for unknown in start.keys() - set(self.OPEN):
            raise IllegalError(f"`{unknown}` cannot be chosen at the start")
        shape = self.shape(players)
        values = _read_all(((name, shape[name]) for name in start), start)
        fresh = type(self).__new__(type(self))  # so that a refusal leaves this game as it is
        fresh.seats = range(1, players + 1)
        fresh.readings = chosen
        fresh.variant = variant
        fresh.set_up(values)
        vars(self).update(vars(fresh))

    def apply(self, event: Event) -> None:
        """Lets a move or a chance event happen, and all that follows from it by itself."""
        is_move = "move" in event
        name = event["move"] if is_move else event.get("chance")
        rule = self.RULES.get(name) if type(name) is str else None
        if rule is None or rule.is_move is not is_move or (is_move and "chance" in event):
            raise IllegalError(f"there is no such event as {excerpt(name)}")
        if self.phase not in rule.phases:
            raise IllegalError(f"`{name}` is for {' or '.join(rule.phases)}, this is {self.phase}")
        arguments = rule.read(event.get("args", {}))
        by = event.get("by")
        if not is_move:
            if by is not None:
                raise IllegalError("a chance event is nobody's")
            rule.body(self, *arguments)
        elif type(by) is not int or not self.may_act(by):
            raise IllegalError(f"it is not for player {excerpt(by)} to act now")
        elif arguments:
            rule.body(self, by, *arguments)
        else:
            rule.body(self, by)

    def load(self, state: State) -> None:
        """Goes to a position, within the set-up of the present game."""
        shape = self.shape(len(self.seats))
        if type(state) is not dict or state.keys() != shape.keys():
            raise IllegalError(f"the position should say {', '.join(shape)}")
        self.restore(_read_all(shape.items(), state))

    def winners(self) -> list[int]:
        """Who has won; nobody before the end."""
        if self.phase != "over":
            return []
        scores = self.score()
        best = [player for player in self.seats if scores[player] == max(scores.values())]
        return best if len(best) == 1 or self.readings["ties"] == "shared" else []

    @classmethod
    @abstractmethod
    def shape(cls, players: int) -> dict[str, Reader[Any]]:
        """The variables of a position and what each looks like in JSON."""

    @abstractmethod
    def set_up(self, start: Mapping[str, Any]) -> None:
        """Sets up the first position."""

    @abstractmethod
    def restore(self, values: Mapping[str, Any]) -> None:
        """Sets up the position with these values of its variables."""

    @abstractmethod
    def state(self) -> State:
        """The position as JSON. The object is yours; its parts are not to be changed, for they are
        the game's own: it never changes one either, but puts another in its place."""

    @abstractmethod
    def may_act(self, player: int) -> bool:
        """Whether a player may act now."""

    def movers(self) -> list[int]:
        """The players who may act now."""
        return [player for player in self.seats if self.may_act(player)]

    @abstractmethod
    def legal(self) -> list[Event]:
        """The moves that can be played now; all of them where `LISTS_ALL`."""

    @abstractmethod
    def roll(self, rng: Random) -> Event | None:
        """What chance decides next, with its true odds; None if it is for players to act."""

    @abstractmethod
    def score(self) -> dict[int, int]:
        """Each player's points as things stand."""

    def _choose(self, readings: Mapping[str, str]) -> dict[str, str]:
        if not isinstance(readings, Mapping):
            raise IllegalError("the readings should be an object")
        for name, option in readings.items():
            options = self.READINGS.get(name)
            if options is None:
                raise IllegalError(f"there is no reading {excerpt(name)}")
            if option not in options:
                raise IllegalError(f"`{name}` is {' or '.join(options)}, not {excerpt(option)}")
        return {name: readings.get(name, options[0]) for name, options in self.READINGS.items()}


def _read_all(readers: Iterable[tuple[str, Reader[Any]]], json: Mapping[str, Json]) -> Values:
    """The values that JSON stands for, by name."""
    values = {}
    name = ""
    try:
        for name, read in readers:
            values[name] = read(json[name])
    except ShapeError as wrong:
        raise IllegalError(f"`{name}`: {wrong}") from None
    return values
