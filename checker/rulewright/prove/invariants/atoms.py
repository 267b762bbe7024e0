"""Atoms of helper invariants: numbers, truths and phases of the state of a spec.

Each atom is an expression of the core, which is proved, and a text in the language, which a person
can write into the spec. An atom may speak of any player, or of any key of a small type, by a name
that the spec does not use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.syntax.node import NOWHERE, Node

FEW = 12
"""Keys and elements of types with at most so many values are spoken of one by one."""
FEW_MEMBERS = 6
"""So many members of an enumeration, at most, are worth a truth each."""


class Atom(Node):
    """An expression and its text; `about` are the names it leaves open."""

    text: str
    expression: c.Expr
    about: frozenset[str]


class BooleanAtom(Node):
    """A word that is true or false, and its opposite."""

    holds: Atom
    fails: Atom

    def __invert__(self) -> BooleanAtom:
        return BooleanAtom(self.fails, self.holds)


def binary(operator: str, left: c.Expr, right: c.Expr, type: y.Type = y.BOOL) -> c.Expr:
    return c.Binary(NOWHERE, type, operator, left, right)


def literal(value: Any, type: y.Type) -> c.Expr:
    return c.Literal(NOWHERE, type, value)


def number(value: int) -> c.Expr:
    return literal(value, y.Int(value, value))


class AtomPool:
    """The words of one instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._taken = _names(instance.spec)
        self._names: dict[y.Type, str] = {}
        self.types: dict[str, y.Type] = {}
        """What each open name ranges over."""
        self.numbers: list[Atom] = []
        self.truths: list[BooleanAtom] = []
        self.literals = sorted(_literals(instance.spec))
        for variable in instance.variables.values():
            if variable.name != "phase":
                for place in self._places(variable):
                    self._read(place)
        self._add_sums()
        self._add_some()

    # ---- open names

    def binder(self, name: str) -> c.Binder:
        type = self.types[name]
        if isinstance(type, y.Int):
            low, high = type.low or 0, type.high or 0
            return c.Binder(NOWHERE, name, type, number(low), number(high))
        return c.Binder(NOWHERE, name, type, None, None)

    def written(self, name: str) -> str:
        """`p: Player`, or `n in 1..2`."""
        type = self.types[name]
        return f"{name} in {y.show(type)}" if isinstance(type, y.Int) else f"{name}: {y.show(type)}"

    def widest(self, expression: c.Expr) -> set[int]:
        """The ends of the ranges of the counters in a sum."""
        if isinstance(expression, c.Binary):
            return self.widest(expression.left) | self.widest(expression.right)
        type = expression.type
        ends = (type.low, type.high) if isinstance(type, y.Int) else ()
        return {each for each in ends if each is not None}

    def _open(self, type: y.Type) -> Atom | None:
        """The one name for any value of a type, None if there are too many values."""
        count = y.most_values(type) if y.is_scalar(type) else None
        if count is None or not 0 < count <= FEW:
            return None
        if type not in self._names:
            first = y.show(type)[0].lower() if not isinstance(type, y.Int) else "n"
            name = next(
                each
                for each in (first, *"pqrstuvwxyz", *(f"{first}{n}" for n in range(100)))
                if each not in self._taken
            )
            self._taken.add(name)
            self._names[type] = name
            self.types[name] = type
        name = self._names[type]
        return Atom(name, c.Local(NOWHERE, type, name), frozenset({name}))

    # ---- places

    def _places(self, variable: c.Variable) -> Iterator[Atom]:
        """A variable at any of its keys, and at the player that another variable names."""
        whole = c.StateVar(NOWHERE, variable.type, variable.name, False)
        yield from self._inside(Atom(variable.name, whole, frozenset()))

    def _inside(self, word: Atom) -> Iterator[Atom]:
        type = word.expression.type
        if not isinstance(type, y.Map):
            yield word
            return
        keys = [self._open(type.key)]
        if isinstance(type.key, y.Player):
            keys += [
                Atom(each.name, c.StateVar(NOWHERE, each.type, each.name, False), frozenset())
                for each in self._instance.variables.values()
                if isinstance(each.type, y.Player)
            ]
        for key in keys:
            if key is not None:
                found = c.Lookup(NOWHERE, type.value, word.expression, key.expression)
                about = word.about | key.about
                yield from self._inside(Atom(f"{word.text}[{key.text}]", found, about))

    def _read(self, place: Atom) -> None:
        """The numbers and truths that a place has to say."""
        text, here, about = place.text, place.expression, place.about
        match here.type:
            case y.Int():
                self.numbers.append(place)
            case y.Bool():
                no = c.Unary(NOWHERE, y.BOOL, "not", here)
                self.truths.append(BooleanAtom(place, Atom(f"not {text}", no, about)))
            case y.Player() as type:
                key = self._open(type)
                if key is not None and key.text not in about:
                    self._compare(place, key)
            case y.Enum(members=members) as type if len(members) <= FEW_MEMBERS:
                for member in members:
                    self._compare(place, Atom(member, literal(member, type), frozenset()))
            case y.Option(inner=inner):
                self._compare(place, Atom("none", literal(None, y.Option(inner)), frozenset()))
            case y.Set(element=element):
                size = c.Builtin(NOWHERE, y.INT, "size", (here,))
                self.numbers.append(Atom(f"size({text})", size, about))
                if (key := self._open(element)) is not None and key.text not in about:
                    self._contain(place, key)
                if isinstance(element, y.Int):
                    for value in {element.low, element.high} - {None}:
                        self._contain(place, Atom(str(value), number(value or 0), frozenset()))
            case _:
                pass

    def _compare(self, left: Atom, right: Atom) -> None:
        self._truth(left, "==", "!=", right, ("equal", "unequal"))

    def _contain(self, set: Atom, element: Atom) -> None:
        self._truth(element, "in", "not in", set, ("member", None))

    def _truth(
        self, left: Atom, yes: str, no: str, right: Atom, operators: tuple[str, str | None]
    ) -> None:
        about = left.about | right.about
        holds = binary(operators[0], left.expression, right.expression)
        fails = (
            c.Unary(NOWHERE, y.BOOL, "not", holds) if operators[1] is None
            else binary(operators[1], left.expression, right.expression)
        )  # fmt: skip
        self.truths.append(
            BooleanAtom(
                Atom(f"{left.text} {yes} {right.text}", holds, about),
                Atom(f"{left.text} {no} {right.text}", fails, about),
            )
        )

    def _add_sums(self) -> None:
        """The sum of any two counters that can be seen together."""
        counters = [each for each in self.numbers if isinstance(each.expression, _PLACES)]
        for at, one in enumerate(counters):
            for other in counters[at + 1 :]:
                if one.text.split("[")[0] != other.text.split("[")[0]:
                    total = binary("add", one.expression, other.expression, y.INT)
                    about = one.about | other.about
                    if len(about) <= 1:
                        self.numbers.append(Atom(f"{one.text} + {other.text}", total, about))

    def _add_some(self) -> None:
        """What is true of some player."""
        player = next((n for n, type in self.types.items() if isinstance(type, y.Player)), None)
        if player is None:
            return
        for each in list(self.truths):
            if player in each.holds.about and len(each.holds.about) > 1:
                some = c.Quantify(
                    NOWHERE, y.BOOL, "some", (self.binder(player),), None, each.holds.expression
                )
                none = c.Unary(NOWHERE, y.BOOL, "not", some)
                text = f"(some {self.written(player)}: {each.holds.text})"
                about = each.holds.about - {player}
                self.truths.append(
                    BooleanAtom(Atom(text, some, about), Atom(f"not {text}", none, about))
                )


_PLACES = (c.StateVar, c.Lookup)


def _names(spec: c.Spec) -> set[str]:
    """All names that mean something in a spec."""
    named: list[Any] = [
        *spec.variables, *spec.functions, *spec.tables, *spec.constants, *spec.phases,
        *spec.readings, *spec.effects, *spec.transitions,
    ]  # fmt: skip
    found = {each.name for each in named}
    found |= {member for enum in spec.enums for member in enum.members}
    return found | {option.name for each in spec.readings for option in each.options}


def _literals(spec: c.Spec) -> set[int]:
    """The numbers that stand in the rules, and their neighbours."""
    found: set[int] = set()
    waiting: list[Any] = [spec.variables, spec.functions, spec.effects, spec.transitions]
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple | list):
            waiting.extend(here)
        elif isinstance(here, c.Literal) and type(here.value) is int:
            found.add(here.value)
        elif isinstance(here, y.Int):
            found |= {each for each in (here.low, here.high) if each is not None}
        elif isinstance(here, Node):
            waiting.extend(getattr(here, field) for field in here._fields if field != "span")
    return {each + by for each in found for by in (-1, 0, 1)}
