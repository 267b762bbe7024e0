"""A spec with everything chosen: how many play, and how each open question is read.

A variant is chosen before: it makes another core. Everything in `play` works on an instance;
what is said here once (finite domains in order, declarations by name) is looked up everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import compress, product
from typing import Any, TypeAlias

from rulewright.meaning import types as y
from rulewright.meaning.core import Acceptance, Effect, Function, Spec, Transition, Variable
from rulewright.play.semantics.errors import UsageError
from rulewright.syntax.node import Node

Order: TypeAlias = Mapping[Any, int]
"""The values of a finite type, each with its place in the order of the type."""
MOST_BY_IDENTITY = 1000


class Configuration(Node):
    """One way to play: the number of players, the readings that differ from their defaults, and
    the variant."""

    players: int
    readings: tuple[tuple[str, str], ...] = ()
    variant: str | None = None

    def shown(self) -> str:
        """`3 players, window_end = finish_turn`."""
        noun = "player" if self.players == 1 else "players"
        readings = [f"{name} = {option}" for name, option in self.readings]
        variant = [self.variant] if self.variant else []
        return ", ".join([f"{self.players} {noun}", *readings, *variant])

    def described(self) -> str:
        """`3 players, ties = undecided, variant mixed_numbers`."""
        chosen = [f"{name} = {option}" for name, option in self.readings]
        variant = [f"variant {self.variant}"] if self.variant else []
        return ", ".join([f"{self.players} players", *chosen, *variant])


class Instance:
    """A spec for so many players, with an option for each of its readings."""

    def __init__(
        self, spec: Spec, players: int | None = None, readings: Mapping[str, str] | None = None
    ) -> None:
        self.spec = spec
        self.players = _players(spec, players)
        self.readings: dict[str, str] = _readings(spec, readings or {})
        self.variables: dict[str, Variable] = {each.name: each for each in spec.variables}
        self.tables = {
            each.name: _for_players(each.data, each.type, self.players) for each in spec.tables
        }
        self.functions: dict[str, Function] = {each.name: each for each in spec.functions}
        self.effects: dict[str, Effect] = {each.name: each for each in spec.effects}
        self.transitions: dict[str, Transition] = {each.name: each for each in spec.transitions}
        self.player = y.Player(spec.least, spec.most)
        self.final_phases = frozenset(each.name for each in spec.phases if each.final)
        self._orders: dict[y.Type, Order] = {}
        self._by_identity: dict[int, tuple[y.Type, Order]] = {}
        self.accepted = frozenset(
            each.subject for each in spec.acceptances if self._is_accepted(each)
        )

    def order(self, type: y.Type) -> Order:
        """The values of a finite type in order. Sets count in binary: {}, {a}, {b}, {a, b}, …"""
        near = self._by_identity.get(id(type))
        if near is not None:
            return near[1]
        if type not in self._orders:
            self._orders[type] = self._order(type)
        found = self._orders[type]
        # Comparing types is dear, and most come from the spec and are asked for again and again.
        # The type is kept with its order, so that its identity stays its own.
        if len(self._by_identity) < MOST_BY_IDENTITY:
            self._by_identity[id(type)] = (type, found)
        return found

    def _order(self, type: y.Type) -> Order:
        if isinstance(type, y.Grid):
            return _squares(type)
        listed: Iterable[Any]
        if isinstance(type, y.Set):
            listed = _subsets(list(self.order(type.element)))
        else:
            listed = y.values(type, self.players)
        return {value: place for place, value in enumerate(listed)}

    def _is_accepted(self, each: Acceptance) -> bool:
        under = each.under
        return each.finding == "refuted" and (under is None or self.readings[under[0]] == under[1])

    def of_kind(self, kind: str) -> list[Transition]:
        """The moves, chance events or steps, in the order of the file."""
        return [each for each in self.spec.transitions if each.kind == kind]


def nearest(name: str, known: Iterable[str], otherwise: str) -> str:
    """Advice for somebody who wrote a name that there is not."""
    near = get_close_matches(name, list(known), n=1)
    return f"did you mean `{near[0]}`?" if near else otherwise


def listed(names: Iterable[str]) -> str:
    """`a`, `b`, `c`."""
    return ", ".join(f"`{name}`" for name in names)


@cache
def _squares(grid: y.Grid) -> Order:
    """The squares of a board in order, which many instances share."""
    return {value: place for place, value in enumerate(y.values(grid, 0))}


def _players(spec: Spec, players: int | None) -> int:
    if players is None:
        return spec.least
    if not spec.least <= players <= spec.most:
        range_ = f"{spec.least} to {spec.most}" if spec.most > spec.least else f"{spec.least}"
        noun = "player" if spec.most == 1 else "players"
        raise UsageError(
            f"`{spec.name}` cannot be played by {players}", f"it takes {range_} {noun}"
        )
    return players


def _readings(spec: Spec, chosen: Mapping[str, str]) -> dict[str, str]:
    """The option for each reading: the chosen one, else its default."""
    known = {each.name: each for each in spec.readings}
    for name, option in chosen.items():
        if name not in known:
            rest = f"its readings are {listed(known)}" if known else "it has no readings"
            raise UsageError(f"`{spec.name}` has no reading `{name}`", nearest(name, known, rest))
        options = [each.name for each in known[name].options]
        if option not in options:
            raise UsageError(
                f"the reading `{name}` has no option `{option}`",
                nearest(option, options, f"its options are {listed(options)}"),
            )
    return {name: chosen.get(name, each.default) for name, each in known.items()}


def _for_players(data: Any, type: y.Type, players: int) -> Any:
    """The data of a table without what is only there when more people play."""
    if not isinstance(type, y.Map):
        return data
    return {
        key: _for_players(inside, type.value, players)
        for key, inside in data.items()
        if not (isinstance(type.key, y.Player) and key > players)
    }


def _subsets(elements: list[Any]) -> Iterable[frozenset[Any]]:
    for taken in product((False, True), repeat=len(elements)):
        yield frozenset(compress(elements, reversed(taken)))
