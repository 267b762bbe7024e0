"""Playing from Python: `load("qwixx").game(players=3)`.

What a program needs to play, referee or study a game, in a few words: which moves are legal, why
one is not, what comes of it, who wins. Values are plain Python: names, numbers, frozensets, dicts.
It stands on the compiled game and hides its encoding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from rulewright.frontend import LoadedSpec, read
from rulewright.meaning import types as y
from rulewright.meaning.core import Spec
from rulewright.play.io.json_codec import (
    Json,
    decode,
    decode_event,
    decode_position,
    encode,
    encode_event,
    encode_position,
)
from rulewright.play.io.parse_notation import read_event
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import named
from rulewright.play.semantics.instance import Instance, listed, nearest
from rulewright.play.semantics.move import Broken, IllegalMove, Move
from rulewright.play.semantics.rules import broken_invariants
from rulewright.play.semantics.values import BagValue, Position
from rulewright.resources import find_spec
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State


class Rules:
    """The rules of a game, loaded. Games are compiled once for each way to play them."""

    def __init__(self, checked: LoadedSpec) -> None:
        if checked.spec is None:
            errors = [each for each in checked.diagnostics if each.severity == "error"]
            first = errors[0]
            message = f"`{first.file}` cannot be used: {first.message} (line {first.line})"
            raise UsageError(message, first.help)
        self.name: str = checked.spec.name
        self.title: str = checked.spec.title
        self.players = range(checked.spec.least, checked.spec.most + 1)
        self._checked = checked
        self._specs: dict[str | None, Spec] = {None: checked.spec}
        self._compiled: dict[tuple[Any, ...], CompiledGame] = {}

    @property
    def readings(self) -> dict[str, tuple[str, ...]]:
        """The open questions and their options, the default first."""
        return {
            each.name: tuple(
                sorted((option.name for option in each.options), key=lambda o: o != each.default)
            )
            for each in self._specs[None].readings
        }

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the game."""
        return tuple(each.name for each in self._specs[None].variants)

    def compiled(
        self,
        players: int | None = None,
        readings: Mapping[str, str] | None = None,
        variant: str | None = None,
    ) -> CompiledGame:
        """The compiled game for so many players (the fewest), under these readings (the
        defaults)."""
        instance = self.instance(players, readings, variant)
        key = (variant, instance.players, *sorted(instance.readings.items()))
        if key not in self._compiled:
            self._compiled[key] = CompiledGame(instance)
        return self._compiled[key]

    def instance(
        self,
        players: int | None = None,
        readings: Mapping[str, str] | None = None,
        variant: str | None = None,
    ) -> Instance:
        """The same, not compiled."""
        return Instance(self._spec(variant), players, readings)

    def game(
        self,
        players: int | None = None,
        *,
        seed: int | None = None,
        readings: Mapping[str, str] | None = None,
        variant: str | None = None,
        start: Mapping[str, Any] | None = None,
    ) -> Game:
        """A new game. Whatever chance and random play decide follows from the seed; `start`
        gives values to variables that may begin with any, such as who is first."""
        return Game(self.compiled(players, readings, variant), seed, start)

    def _spec(self, variant: str | None) -> Spec:
        if variant not in self._specs:
            if variant not in self.variants:
                rest = f"it has {listed(self.variants)}" if self.variants else "it has none"
                message = f"`{self.name}` has no variant `{variant}`"
                raise UsageError(message, nearest(str(variant), self.variants, rest))
            self._specs[variant] = self._checked.variant(str(variant))
        return self._specs[variant]


class Game:
    """One game being played."""

    def __init__(
        self,
        compiled: CompiledGame,
        seed: int | None = None,
        start: Mapping[str, Any] | None = None,
    ) -> None:
        self.compiled = compiled
        self.instance = compiled.instance
        self.seed: int = SystemRandom().randrange(1 << 32) if seed is None else seed
        self.random = Random(self.seed)
        self.history: list[Move] = []
        self._states: list[State] = []
        self._state = self._begin(start or {})

    # ---- looking

    @property
    def players(self) -> int:
        """How many play."""
        return self.instance.players

    @property
    def phase(self) -> str:
        """The phase the game is in."""
        return self.compiled.phases[self.compiled.phase(self._state)].name

    @property
    def position(self) -> Position:
        """The value of each state variable."""
        return self.compiled.position(self._state)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.compiled.is_final(self._state)

    @property
    def scores(self) -> dict[int, int] | None:
        """Each player's score as it stands, None if the game keeps none."""
        return self.compiled.scores(self._state)

    @property
    def winners(self) -> list[int] | None:
        """Who wins as it stands, None if the game does not say."""
        return self.compiled.winners(self._state)

    def legal(self, by: int | None = None) -> list[Move]:
        """The legal moves, of one player or of all. A move with too many parameters to list is
        listed as far as its proposals go."""
        moves = self.compiled.legal(self._state)
        return [self._move(event) for event in moves if by is None or event[1] == by]

    @property
    def chance_decides(self) -> bool:
        """Whether there is something for chance to decide now."""
        return self.compiled.draw(self._state, Random(0)) is not None

    def check(self, move: Move | str, by: int | None = None) -> list[Broken]:
        """The requirements that refuse a move; none if it is legal."""
        return self._broken(self._event(self._said(move, by)))

    # ---- playing

    def move(self, name: str, /, by: int | None = None, **args: Any) -> Move:
        """A move by name, player and arguments; without a player, a chance event. A set may be
        any collection, a map a dict or its values in the order of the keys."""
        transition = named(self.instance, "chance" if by is None else "move", name)
        types = {param.name: param.type for param in transition.params}
        given = {key: self._jsonable(value, types.get(key)) for key, value in args.items()}
        said: dict[str, Json] = {"chance": name} if by is None else {"move": name, "by": by}
        return Move(decode_event({**said, "args": given}, self.instance), self.instance)

    def play(self, move: Move | str, by: int | None = None) -> Move:
        """Makes a move, or lets chance decide as given. Raises IllegalMove and changes nothing
        if the rules refuse it."""
        said = self._said(move, by)
        event = self._event(said)
        broken = self._broken(event)
        if broken:
            raise IllegalMove(said, broken)
        self._happen(event, said)
        return said

    def chance(self) -> Move:
        """Lets chance decide, with its true odds."""
        event = self.compiled.draw(self._state, self.random)
        if event is None:
            raise UsageError("chance has nothing to decide here", "make a move: see `legal()`")
        move = self._move(event)
        self._happen(event, move)
        return move

    def step(self) -> Move | None:
        """Goes on at random: chance, or any legal move. None if the game is over or stuck."""
        event = self.compiled.choose(self._state, self.random)
        if event is None:
            return None
        move = self._move(event)
        self._happen(event, move)
        return move

    def undo(self) -> Move:
        """Takes back what happened last; what chance decides next may differ."""
        if not self._states:
            raise UsageError("nothing has happened yet", "there is nothing to take back")
        self._state = self._states.pop()
        return self.history.pop()

    # ---- keeping

    def copy(self) -> Game:
        """The same game once more, to try something out."""
        other = Game.__new__(Game)
        other.compiled, other.instance, other.seed = self.compiled, self.instance, self.seed
        other.random = Random()
        other.random.setstate(self.random.getstate())
        other.history = self.history[:]
        other._states = self._states[:]
        other._state = self._state
        return other

    def save(self) -> dict[str, Json]:
        """The position as JSON, as in traces."""
        return encode_position(self.position, self.instance)

    def load(self, saved: Mapping[str, Json], *, check: bool = True) -> None:
        """Goes on from a saved position; what was played before is forgotten. Raises UsageError
        and changes nothing if the position breaks an invariant, unless `check` is False."""
        position = decode_position(saved, self.instance)
        if check:
            refuse_impossible(self.instance, position)
        self._state = self.compiled.load(position)
        self._states, self.history = [], []

    def trace(self) -> list[dict[str, Json]]:
        """What has been played as JSON, one event each, as in traces."""
        return [encode_event(move.event, self.instance) for move in self.history]

    # ---- within

    def _begin(self, start: Mapping[str, Any]) -> State:
        if not start:
            return self.compiled.begin(self.random)
        chosen = {}
        for name, value in start.items():
            variable = self.instance.variables.get(name)
            if variable is None or variable.initial is not None:
                known = [n for n, v in self.instance.variables.items() if v.initial is None]
                raise UsageError(
                    f"`{name}` cannot be chosen at the start",
                    nearest(name, known, f"it can be {listed(known) or 'nothing'}"),
                )
            json = self._jsonable(value, variable.type)
            plain = decode(json, variable.type, self.instance, name)
            chosen[name] = encode(plain, variable.type, self.instance)
        for state in self.compiled.beginnings(self.random):
            position = self.compiled.position(state)
            if all(
                encode(position[name], self.instance.variables[name].type, self.instance) == json
                for name, json in chosen.items()
            ):
                return state
        raise UsageError("the game cannot begin like that", "the rules under `start` refuse it")

    def _said(self, move: Move | str, by: int | None) -> Move:
        if isinstance(move, Move):
            return move
        return Move(read_event(move, self.instance, by), self.instance)

    def _event(self, move: Move) -> Happening:
        return self.compiled.encode(move.event)

    def _move(self, event: Happening) -> Move:
        return Move(self.compiled.decode(event), self.instance)

    def _jsonable(self, value: Any, type: y.Type | None) -> Json:
        """What somebody gave for an argument, as JSON has it."""
        match value, type:
            case BagValue(), _:
                return [each for each in value for _ in range(value[each])]
            case Mapping(), y.Map(y.Enum(), inside):
                return {key: self._jsonable(each, inside) for key, each in value.items()}
            case Mapping(), y.Map(_, inside):
                return [[key, self._jsonable(each, inside)] for key, each in value.items()]
            case ((list() | tuple()), y.Map(key_type, _)):
                keys = self.instance.order(key_type)
                if len(value) == len(keys):
                    return self._jsonable(dict(zip(keys, value)), type)
                return list(value)
            case ((str() | Mapping()), _):
                return value
            case Iterable(), _:
                return list(value)
            case _:
                return value

    def _broken(self, event: Happening) -> list[Broken]:
        return [Broken(each) for each in self.compiled.broken(self._state, event)]

    def _happen(self, event: Happening, move: Move) -> None:
        state = self.compiled.apply(self._state, event)
        self._states.append(self._state)
        self._state = state
        self.history.append(move)


def refuse_impossible(instance: Instance, position: Position) -> None:
    """Raises UsageError if no game reaches this position, since it breaks an invariant."""
    help = "correct the position, or load it with `check=False`"
    try:
        broken = broken_invariants(instance, position)
    except EvaluationError as error:
        raise UsageError(f"the position cannot be judged: {error.message}", help) from error
    if broken:
        said = ", ".join(
            f"`{each.name}`" + (f" ({each.prose})" if each.prose else "") for each in broken
        )
        raise UsageError(f"no game reaches this position: it breaks {said}", help)


def load(spec: str | Path) -> Rules:
    """The rules in a file, or of the bundled game of that name. Raises UsageError if they cannot
    be used."""
    return Rules(read(find_spec(str(spec))))


__all__ = ["Broken", "Game", "IllegalMove", "Move", "Rules", "load"]
