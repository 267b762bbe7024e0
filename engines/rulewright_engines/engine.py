"""What every engine has: a game is set up, told what happens, and asked how it stands.

An engine is a class whose moves and chance events are methods, marked with the phases they belong
to and the shapes of their parameters. This module checks what is the same everywhere (is there
such an event, is it this phase and this player's turn, are the arguments of the right kind) and
leaves the rules to the game. Whatever is refused leaves the position as it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, ClassVar, TypeAlias

from rulewright_engines.shapes import Json, Reader, ShapeError, excerpt

Event: TypeAlias = dict[str, Json]
"""`{"move": name, "by": player, "args": {...}}` or `{"chance": name, "args": {...}}`."""
State: TypeAlias = dict[str, Json]
"""The variables of a position, by name."""
Values: TypeAlias = dict[str, Any]
"""What JSON stands for, by name."""
NOTHING: Mapping[str, Json] = {}
"""The arguments of an event that has none."""
CarryOut: TypeAlias = Callable[[Any, Any, Json], None]
"""Reads the arguments of an event of a game by somebody, and has it happen."""


class IllegalError(Exception):
    """An event, a set-up or a position that is refused, and why."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A method that is a move (called with the player) or a chance event (called without)."""

    is_move: bool
    phases: tuple[str, ...]
    parameters: Mapping[str, Reader[Any]]
    body: Callable[..., None]
    carry_out: CarryOut = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "carry_out", _carrying_out(self))

    def misfit(self, arguments: Json) -> IllegalError:
        """What is wrong with arguments that cannot be read."""
        if type(arguments) is not dict:
            return IllegalError(f"the arguments should be an object, not {excerpt(arguments)}")
        names = self.parameters
        if arguments.keys() == names.keys():
            try:
                _read_all(names.items(), arguments)
            except IllegalError as wrong:
                return wrong
        known, given = ", ".join(names) or "nothing", ", ".join(map(str, arguments)) or "nothing"
        return IllegalError(f"the arguments should be {known}, not {given}")


def _carrying_out(rule: Rule) -> CarryOut:
    """What reads arguments and calls the body of a rule. Every event comes this way, and most have
    none, one or two arguments, which take half the time if they are not gone through in a loop."""
    is_move, body, misfit = rule.is_move, rule.body, rule.misfit
    names, readers = [*rule.parameters], [*rule.parameters.values()]

    def with_none(game: Any, by: Any, given: Json) -> None:
        if given != NOTHING:
            raise misfit(given)
        if is_move:
            body(game, by)
        else:
            body(game)

    def with_one(game: Any, by: Any, given: Json) -> None:
        try:
            value = read(given[name])
        except (KeyError, TypeError, ShapeError):
            raise misfit(given) from None
        if len(given) != 1:
            raise misfit(given)
        if is_move:
            body(game, by, value)
        else:
            body(game, value)

    def with_two(game: Any, by: Any, given: Json) -> None:
        try:
            value, other = read(given[name]), read_other(given[other_name])
        except (KeyError, TypeError, ShapeError):
            raise misfit(given) from None
        if len(given) != 2:
            raise misfit(given)
        if is_move:
            body(game, by, value, other)
        else:
            body(game, value, other)

    def with_many(game: Any, by: Any, given: Json) -> None:
        values = [by] if is_move else []
        try:
            for name, read in zip(names, readers):
                values.append(read(given[name]))
        except (KeyError, TypeError, ShapeError):
            raise misfit(given) from None
        if len(given) != len(names):
            raise misfit(given)
        body(game, *values)

    match names:
        case []:
            return with_none
        case [name]:
            [read] = readers
            return with_one
        case [name, other_name]:
            read, read_other = readers
            return with_two
        case _:
            return with_many


def move(*phases: str, **parameters: Reader[Any]) -> Callable[[Callable[..., None]], Rule]:
    """Marks a method as a move in these phases."""
    return lambda body: Rule(True, phases, parameters, body)


def chance(*phases: str, **parameters: Reader[Any]) -> Callable[[Callable[..., None]], Rule]:
    """Marks a method as a chance event in these phases."""
    return lambda body: Rule(False, phases, parameters, body)


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
        shape, values = _shape(type(self), players), {}
        for name, value in start.items():
            if name not in self.OPEN:
                raise IllegalError(f"`{name}` cannot be chosen at the start")
            values[name] = _read(name, shape[name], value)
        self.check_start(values)
        self._moves, self._chances = _by_phase(type(self), True), _by_phase(type(self), False)
        self.seats = range(1, players + 1)
        self.readings = chosen
        self.variant = variant
        self.set_up(values)

    def apply(self, event: Event) -> None:
        """Lets a move or a chance event happen, and all that follows from it by itself."""
        is_move = "move" in event
        try:
            if is_move:
                by = event["by"]
                carry_out = self._moves[self.phase][event["move"]]
            else:
                by = event.get("by")
                carry_out = self._chances[self.phase][event["chance"]]
        except (KeyError, TypeError):
            raise self._refusal(event) from None
        if is_move:
            if type(by) is not int or "chance" in event or not self.may_act(by):
                raise self._refusal(event)
        elif by is not None:
            raise self._refusal(event)
        carry_out(self, by, event.get("args", NOTHING))

    def _refusal(self, event: Event) -> IllegalError:
        """Why an event cannot happen now, whatever its arguments are."""
        is_move = "move" in event
        name: Json = event["move"] if is_move else event.get("chance")
        rule = self.RULES.get(name) if type(name) is str else None
        if rule is None or rule.is_move is not is_move or (is_move and "chance" in event):
            return IllegalError(f"there is no such event as {excerpt(name)}")
        if self.phase not in rule.phases:
            phases = " or ".join(rule.phases)
            return IllegalError(f"`{name}` is for {phases}, this is {self.phase}")
        if is_move:
            return IllegalError(f"it is not for player {excerpt(event.get('by'))} to act now")
        return IllegalError("a chance event is nobody's")

    def load(self, state: State) -> None:
        """Goes to a position, within the set-up of the present game."""
        shape = _shape(type(self), len(self.seats))
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

    def check_start(self, start: Mapping[str, Any]) -> None:  # noqa: B027 - most take any
        """Raises IllegalError if the first values do not go together."""

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


@cache
def _by_phase(kind: type[Engine], is_move: bool) -> dict[str, dict[str, CarryOut]]:
    """What carries out the moves, or the chance events, of each phase."""
    rules = {name: rule for name, rule in kind.RULES.items() if rule.is_move is is_move}
    return {
        phase: {name: rule.carry_out for name, rule in rules.items() if phase in rule.phases}
        for phase in {phase for rule in rules.values() for phase in rule.phases}
    }


@cache
def _shape(kind: type[Engine], players: int) -> dict[str, Reader[Any]]:
    """The shape of a position, put together once."""
    return kind.shape(players)


def _read_all(readers: Iterable[tuple[str, Reader[Any]]], json: Mapping[str, Json]) -> Values:
    """The values that JSON stands for, by name."""
    return {name: _read(name, read, json[name]) for name, read in readers}


def _read(name: str, read: Reader[Any], json: Json) -> Any:
    """The value that a piece of JSON with a name stands for."""
    try:
        return read(json)
    except ShapeError as wrong:
        raise IllegalError(f"`{name}`: {wrong}") from None
