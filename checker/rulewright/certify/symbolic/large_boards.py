"""Large boards: what is said of all squares of one is an unknown, about which `board_lemmas` says
more.

A `Summary` is such an unknown: that something holds on all squares, a sum over them, or the number
of components. The same expression of the same boards and names is the same unknown. What can be
said outright is: of a board on which one square was written, counts differ by that square; of a
choice between two boards, they are a choice; of a board that has the same everywhere, they follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from rulewright.certify.smt.term import Number, Term, Truth, is_known
from rulewright.certify.symbolic.symbolic_values import (
    BoardValue,
    ListedValue,
    Square,
    UnsupportedError,
    Value,
    is_concrete,
    key_of,
    maybe,
)
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.geometry import beside

if TYPE_CHECKING:
    from rulewright.certify.symbolic.evaluate import EvaluationContext, Evaluator, Worth

Keys: TypeAlias = "tuple[Value, ...]"


class Summary:
    """An unknown that stands for something about all choices of `types`, the last of which is a
    large grid. `kind` is all, sum or components; `at` says what it is about at one choice: a
    value, and whether it is defined. `said` is the unknown, `defined` whether it is defined."""

    __slots__ = ("any", "at", "defined", "kind", "said", "shape", "types", "witness")

    def __init__(
        self, kind: str, shape: Any, types: tuple[y.Type, ...], at: Callable[[Keys], Worth],
        said: Term, defined: Truth, any: Keys, witness: Keys = (),
    ) -> None:  # fmt: skip
        self.kind = kind
        self.shape = shape
        self.types = types
        self.at = at
        self.said = said
        self.defined = defined
        self.any = any
        """A choice about which nothing else is known."""
        self.witness = witness
        """A choice at which it fails, if it fails at any."""

    def squares(self) -> int:
        grid = self.types[-1]
        assert isinstance(grid, y.Grid)
        return grid.width * grid.height


class Boards:
    """Makes boards and what is said of them."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._ev = evaluator
        self._t = evaluator.t
        self._known: dict[Any, Any] = {}
        self.summaries: dict[Term, Summary] = {}
        """By the unknowns that stand for them."""
        self._read: dict[int, tuple[list[str], list[str], list[str]]] = {}

    # ---- boards

    def rule(
        self, key: Any, unit: Value, grid: y.Grid, at: Callable[[Square], Value]
    ) -> BoardValue:
        """A board made by a rule; the same one for the same key."""
        if key not in self._known:
            self._known[key] = BoardValue(unit, grid, at, ("rule",))
        found: BoardValue = self._known[key]
        return found

    def uniform(self, grid: y.Grid, value: Value) -> BoardValue:
        return self.rule(("uniform", grid, key_of(value)), None, grid, lambda x: value)

    def written(self, held: BoardValue, key: Square, value: Value) -> BoardValue:
        """A board with another value on one square."""
        name = ("written", held, key_of(key), key_of(value))
        if name not in self._known:
            merge, equal = self._ev.shapes.merge, self._ev.shapes.equal_plain
            self._known[name] = BoardValue(
                held.unit, held.grid, lambda x: merge(equal(x, key), value, held.at(x)),
                ("written", held, key, value),
            )  # fmt: skip
        found: BoardValue = self._known[name]
        return found

    def map_each(self, e: c.MapEach, grid: y.Grid, env: EvaluationContext) -> Worth:
        key = self._key(e, env)

        def at(x: Square) -> Worth:
            return self._ev.worth(e.value, env.bind(e.name, x))

        board = self.rule(key, None, grid, lambda x: at(x)[0])
        defined, _ = self.all_squares(("defined", key), grid, lambda x: (at(x)[1], True))
        return board, defined

    def set_each(self, e: c.SetEach, env: EvaluationContext) -> Worth:
        """Squares that a condition chooses; other sets are not made from large boards."""
        (binder, *others), element = e.binders, e.element
        chosen = isinstance(element, c.Local) and element.name == binder.name
        if others or not chosen or not isinstance(e.type, y.Set):
            raise UnsupportedError("a set made by going through a large board")
        grid = binder.type
        assert isinstance(grid, y.Grid)
        key = self._key(e, env)

        def at(x: Square) -> Worth:
            there, defined = self._ev.quantifiers.member(binder, x, env)
            if e.where is None:
                return there, defined
            allowed, also = self._ev.worth(e.where, env.bind(binder.name, x))
            t = self._t
            return t.both(there, allowed), t.both(defined, t.implies(there, also))

        defined, _ = self.all_squares(("defined", key), grid, lambda x: (at(x)[1], True))
        return self.rule(key, False, grid, lambda x: at(x)[0]), defined

    def occupied(self, map: Value) -> Value:
        no = self._t.no
        if isinstance(map, ListedValue):
            return ListedValue(False, {k: no(maybe(each).none) for k, each in map.parts.items()})
        if map.made[0] == "choice":
            _, k, one, other = map.made
            return self._ev.shapes.merge(k, self.occupied(one), self.occupied(other))
        found = self.rule(("occupied", map), False, map.grid, lambda x: no(maybe(map.at(x)).none))
        found.made = ("occupied", map)
        return found

    # ---- what is said of whole boards

    def all_squares(self, key: Any, grid: y.Grid, at: Callable[[Square], Worth]) -> Worth:
        """Whether something holds on every square."""
        return self.all_choices(key, (grid,), lambda keys: at(keys[0]))

    def all_choices(
        self, key: Any, types: tuple[y.Type, ...], at: Callable[[Keys], Worth]
    ) -> Worth:
        key = ("all", key)
        if key not in self._known:
            self._known[key] = self._summary("all", key, types, at)
        found: Worth = self._known[key]
        return found

    def sum_squares(self, key: Any, grid: y.Grid, at: Callable[[Square], Number]) -> Number:
        """A sum over all squares, each of whose parts is defined."""
        key = ("sum", key)
        if key not in self._known:
            self._known[key] = self._summary("sum", key, (grid,), lambda keys: (at(keys[0]), True))[
                0
            ]
        found: Number = self._known[key]
        return found

    def _summary(
        self, kind: str, key: Any, types: tuple[y.Type, ...], at: Callable[[Keys], Worth]
    ) -> Worth:
        """The unknown for something, or what it is if that is plain."""
        t = self._t
        any = tuple(self._ev.shapes.unknown(each, "any") for each in types)
        value, defined = at(any)
        grid = types[-1]
        assert isinstance(grid, y.Grid)
        squares = grid.width * grid.height
        if kind == "all":
            if is_known(value) and defined is True and (value or len(types) == 1):
                return value, True
            whole: Truth = True if defined is True else t.truth("all_defined")
            witness = tuple(self._ev.shapes.unknown(each, "witness") for each in types)
            summary = Summary(kind, _shape(key), types, at, t.truth("all"), whole, any, witness)
            if isinstance(whole, Term):
                self.summaries[whole] = summary
        else:
            if is_known(value):
                return squares * value, True
            low, high = value.low, value.high
            said = t.number(
                "sum", None if low is None else squares * low,
                None if high is None else squares * high,
            )  # fmt: skip
            if not isinstance(said, Term):
                return said, True
            summary = Summary(kind, _shape(key), types, at, said, True, any)
        self.summaries[summary.said] = summary
        return summary.said, summary.defined

    def quantify(
        self,
        e: c.Quantify,
        binders: Sequence[c.Binder],
        rest: Sequence[c.Binder],
        env: EvaluationContext,
    ) -> Worth:
        """A quantifier whose last binder here is a large board. What comes after is inside."""
        t = self._t
        key = (len(binders), self._key(e, env))
        types = tuple(each.type for each in binders)

        def at(keys: Keys) -> Worth:
            there: Truth = True
            defined: Truth = True
            inside = env
            for binder, value in zip(binders, keys):
                held, also = self._ev.quantifiers.member(binder, value, inside)
                defined = t.both(defined, t.implies(there, also))
                there = t.both(there, held)
                inside = inside.bind(binder.name, value)
            value, also = self._ev.quantifiers.rest(e, rest, inside)
            defined = t.both(defined, t.implies(there, also))
            if e.kind == "all":
                return t.implies(there, value), defined
            if e.kind == "some":
                return t.no(t.both(there, value)), defined
            return t.choose(there, value, 0), defined

        if e.kind in ("all", "some"):
            said, defined = self.all_choices(key, types, at)
            return (said if e.kind == "all" else t.no(said)), defined
        if e.kind not in ("count", "sum") or len(types) > 1:
            raise UnsupportedError(f"`{e.kind}` over a large board")
        grid = types[0]
        assert isinstance(grid, y.Grid)
        total = self.sum_squares(key, grid, lambda x: at((x,))[0])
        defined, _ = self.all_squares(("defined", key), grid, lambda x: (at((x,))[1], True))
        return total, defined

    def size(self, held: BoardValue) -> Number:
        """How many squares a set has."""
        t = self._t
        match held.made:
            case ("choice", k, one, other):
                return t.choose(k, self._ev.operations.size(one), self._ev.operations.size(other))
            case ("occupied", map):
                return self._counted(map, "tiles", lambda v: t.no(maybe(v).none))
            case _:
                return self.sum_squares(
                    ("size", held), held.grid, lambda x: t.choose(held.at(x), 1, 0)
                )

    def tally(self, map: Value, elements: Sequence[Any]) -> ListedValue:
        """How often each value is on a board."""
        t = self._t

        def here(code: Any, value: Value) -> Truth:
            value = maybe(value)
            if value.value is None:
                return False
            return t.both(t.no(value.none), self._ev.shapes.equal_plain(value.value, code))

        if isinstance(map, ListedValue):
            values = list(map.parts.values())
            return ListedValue(0, {
                code: t.add(*(t.choose(here(code, each), 1, 0) for each in values))
                for code in elements
            })  # fmt: skip
        return ListedValue(0, {
            code: self._counted(map, ("tally", code), partial(here, code))
            for code in elements
        })  # fmt: skip

    def _counted(self, map: BoardValue, what: Any, counts: Callable[[Value], Truth]) -> Number:
        """On how many squares the value counts."""
        t = self._t
        key = ("counted", what, map)
        if key not in self._known:
            match map.made:
                case ("written", held, square, value):
                    # Outside the board it is not defined, and what it is does not matter.
                    before = t.choose(counts(held.at(square)), 1, 0)
                    after = t.choose(counts(value), 1, 0)
                    found = t.minus(t.add(self._counted(held, what, counts), after), before)
                case ("choice", k, one, other):
                    found = t.choose(
                        k, self._counted(one, what, counts), self._counted(other, what, counts)
                    )
                case _:
                    found = self.sum_squares(
                        (what, map), map.grid, lambda x: t.choose(counts(map.at(x)), 1, 0)
                    )
            self._known[key] = found
        result: Number = self._known[key]
        return result

    def components(self, map: Value, grid: y.Grid) -> Number:
        """Into how many parts the occupied squares fall."""
        t = self._t
        if isinstance(map, ListedValue):
            return self._components_listed(map, grid)
        if map.made[0] == "choice":
            _, k, one, other = map.made
            return t.choose(k, self.components(one, grid), self.components(other, grid))
        key = ("components", map)
        if key not in self._known:
            any = (self._ev.shapes.unknown(map.grid, "any"),)
            occupied = t.no(maybe(map.at(any[0])).none)
            if occupied is False:
                self._known[key] = 0
            else:
                said = t.number("components", 0, map.grid.width * map.grid.height)
                assert isinstance(said, Term)
                self._known[key] = said
                self.summaries[said] = Summary(
                    "components", ("components", map), (map.grid,),
                    lambda keys: (t.no(maybe(map.at(keys[0])).none), True), said, True, any,
                )  # fmt: skip
        found: Number = self._known[key]
        return found

    def _components_listed(self, map: ListedValue, grid: y.Grid) -> Number:
        there = {square: self._t.no(maybe(each).none) for square, each in map.parts.items()}
        if not all(is_concrete(each) for each in there.values()):
            raise UnsupportedError("`components` of a small board")
        left = {square for square, occupied in there.items() if occupied}
        count = 0
        while left:
            count += 1
            reached = [left.pop()]
            while reached:
                column, row = reached.pop()
                for right, down in beside(grid):
                    near = (column + right, row + down)
                    if near in left:
                        left.remove(near)
                        reached.append(near)
        return count

    # ---- when an expression is the same

    def _key(self, e: c.Expr, env: EvaluationContext) -> Any:
        """The same for an expression where all that it reads is the same."""
        names, now, before = self.reads(e)
        return (
            id(e), self._ev.shapes.whole,
            tuple((name, key_of(env.locals[name])) for name in names if name in env.locals),
            tuple(key_of(env.now[name]) for name in now),
            tuple(key_of(env.before[name]) for name in before),
        )  # fmt: skip

    def reads(self, e: c.Expr) -> tuple[list[str], list[str], list[str]]:
        """The local names, and the state variables now and before, that an expression looks at."""
        if id(e) not in self._read:
            names: set[str] = set()
            now: set[str] = set()
            before: set[str] = set()

            def walk(node: Any, old: bool) -> None:
                match node:
                    case c.Local(name=name):
                        names.add(name)
                    case c.StateVar(name=name):
                        (before if old or node.old else now).add(name)
                    case c.Call(function=function, arguments=arguments):
                        walk(self._ev.instance.functions[function].body, old or node.old)
                        walk(arguments, old)
                    case c.Core():
                        for field in node._fields:
                            walk(getattr(node, field), old)
                    case tuple():
                        for each in node:
                            walk(each, old)

            walk(e, False)
            self._read[id(e)] = sorted(names), sorted(now), sorted(before)
        return self._read[id(e)]


def _shape(key: Any) -> Any:
    """What two summaries have in common that say the same of different boards: all of a key but
    the boards and the values."""
    match key:
        case (str() as kind, (int() as length, (int() as expression, *_))):
            return kind, length, expression
        case (str() as kind, (what, BoardValue())):
            return kind, what
        case _:
            return key


__all__ = ["BoardValue", "Boards", "Summary"]
