"""What expressions are made of: names in scope, and literals, each of a wanted kind.

A `Scope` knows what can be named. Bound names come from a small pool, the same one that functions
take their parameters from, so that names meet again in nested scopes and across calls.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from fuzz.generate.types import (  # fmt: skip
    Bag,
    Bool,
    Enum,
    Grid,
    Int,
    Kind,
    Map,
    Option,
    Player,
    Seq,
    Set,
    same,
    size,
    squares,
    written,
)

POOL = ("x", "y", "z", "u", "v", "w")
DIRECTIONS = ("up", "right", "down", "left")
DIRECTION = Enum("Direction", DIRECTIONS)


class Named(NamedTuple):
    """Something with a name: its text, its kind, whether it is state (so that `old` applies), and
    whether it is data."""

    text: str
    kind: Kind
    state: bool = False
    table: bool = False


class Function(NamedTuple):
    name: str
    params: tuple[Kind, ...]
    result: Kind
    cost: int


class Scope(NamedTuple):
    """What can be named here. `old`: whether the position before can be asked for."""

    names: tuple[Named, ...]
    functions: tuple[Function, ...] = ()
    bound: frozenset[str] = frozenset()
    old: bool = False
    keys: tuple[Kind, ...] = ()
    """Plain kinds that are worth going through."""

    def bind(self, name: str, kind: Kind) -> Scope:
        return self._replace(names=(Named(name, kind), *self.names), bound=self.bound | {name})


class Atoms:
    """Writes names and literals with a source of chance; `players` is the most there are."""

    def __init__(self, random: Random, players: int) -> None:
        self.random = random
        self.players = players
        self.literal_players = True
        """Whether players are named by their number; else all seats are alike."""

    # ---- names and literals

    def leaf(self, kind: Kind, scope: Scope) -> str:
        """A name of that kind, or a literal."""
        names = [each for each in scope.names if same(each.kind, kind)]
        alike = isinstance(kind, Player) and not self.literal_players
        if names and (alike or self.chance(0.75)):
            return self.seen(self.random.choice(names), scope)
        looked = [each for each in scope.names if self._leads_to(each.kind, kind)]
        if looked and self.chance(0.6):
            return self._looked_up(self.random.choice(looked), kind, scope)
        return self.literal(kind)

    def known(self, kind: Kind, scope: Scope) -> str:
        """A name of a kind where there is one: of two literals, nobody knows the type."""
        names = [each.text for each in scope.names if same(each.kind, kind)]
        return self.random.choice(names) if names else self.literal(kind)

    def seen(self, named: Named, scope: Scope) -> str:
        """A name, perhaps with the value that it had before."""
        if named.state and scope.old and self.chance(0.5):
            return f"old({named.text})"
        return named.text

    def _leads_to(self, kind: Kind, wanted: Kind) -> bool:
        while isinstance(kind, Map):
            kind = kind.value
            if same(kind, wanted):
                return True
        return False

    def _looked_up(self, named: Named, wanted: Kind, scope: Scope) -> str:
        text, kind = self.seen(named, scope), named.kind
        while isinstance(kind, Map) and not same(kind, wanted):
            text += f"[{self.key(kind.key, scope)}]"
            kind = kind.value
        return text

    def key(self, kind: Kind, scope: Scope) -> str:
        """A key that is in its range: a name of the same kind, or a literal."""
        names = [
            each for each in scope.names
            if not each.table and (
                each.kind == kind if not isinstance(kind, Int)
                else isinstance(each.kind, Int)
                and kind.low <= each.kind.low and each.kind.high <= kind.high
            ) and type(each.kind) is type(kind)
        ]  # fmt: skip
        alike = isinstance(kind, Player) and not self.literal_players
        if names and (alike or self.chance(0.7)):
            return self.random.choice(names).text
        if isinstance(kind, Int) and self.chance(0.12):
            return f"({self.leaf(kind, scope)} + {self.random.choice((0, 1, 1))})"
        return self.literal(kind)

    def literal(self, kind: Kind) -> str:
        random = self.random
        match kind:
            case Bool():
                return random.choice(("true", "false"))
            case Int(low, high):
                return self._number(random.randint(low, high))
            case Player():
                return str(random.randint(1, min(2, self.players)))
            case Enum():
                return self.member(kind)
            case Grid():
                return random.choice(squares(kind))
            case Option(inner):
                return "none" if self.chance(0.5) else self.literal(inner)
            case Set(element) | Bag(element):
                most = min(2, size(element, 2))
                found = {self.literal(element) for _ in range(random.randint(0, most))}
                return "{" + ", ".join(sorted(found)) + "}"
            case Seq(element, most):
                each = [self.literal(element) for _ in range(random.randint(0, min(2, most)))]
                return "[" + ", ".join(each) + "]"
            case Map(key, value):
                name = "k"
                return f"[each {name}: {written(key)}: {self.literal(value)}]"

    def member(self, kind: Enum) -> str:
        return self.random.choice(kind.members)

    @staticmethod
    def _number(value: int) -> str:
        return str(value) if value >= 0 else f"(-{-value})"

    # ---- chance

    def fresh(self, scope: Scope) -> str:
        """A name that is not in use here."""
        free = [each for each in POOL if each not in scope.bound]
        return self.random.choice(free[:3]) if free else f"x{len(scope.bound)}"

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, **weights: int) -> str:
        """One of some words, each as likely as its weight."""
        return self.random.choices(list(weights), list(weights.values()))[0]
