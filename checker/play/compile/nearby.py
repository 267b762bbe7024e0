"""Conditions on every square of a map that look no farther than a few squares around it.

`all s in occupied(table), d in ways: … table[step(s, d, 1)] …` need not be asked again of squares
around which nothing lies otherwise than when it held last. What is recognised: a map over a big
board, looked at only at the square itself and some known number of steps from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import walk
from checker.play.compile.code import CHOICE, Block, Code, Here, Names, negation
from checker.play.compile.rewrite import bound_names, implied, rebuilt, renamed

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

MAP = "map'"
SQUARE = "square'"


class Nearby:
    """Compiles conditions that are asked anew only near what has changed."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self._functions: dict[c.Quantify, str | None] = {}

    def asked(self, e: c.Quantify, here: Here) -> Code | None:
        """`all s in occupied(m), …` by what has changed in `m`; None if it looks at more."""
        map = _map(e)
        if map is None or not self.unit.layout.is_sparse(map.type):  # type: ignore[arg-type]
            return None
        plain = _with_our_names(self.unit.rewriter.expanded(e), map)
        if plain is None:
            return None
        if plain not in self._functions:
            self._functions[plain] = self._written(plain)
        name = self._functions[plain]
        if name is None:
            return None
        return Code(f"{name}({self.expressions.value(map, here).at(CHOICE)})")

    def _written(self, e: c.Quantify) -> str | None:
        """The name of the function that asks, None if there can be none."""
        fact, steps, grid = self.unit.facts.of(e), _steps(e), e.binders[0].type
        if fact.names != {MAP} or fact.state or steps is None or not isinstance(grid, y.Grid):
            return None
        names = Names()
        square = names.fresh()
        here = Here(Block(), names, {MAP: Code("map"), SQUARE: Code(square)}, state="None")
        rest, body = e.binders[1:], implied(e.where, e.body)
        if rest:
            body = c.Quantify(e.span, y.BOOL, "all", rest, e.where, e.body)
        ways = (1, -1, grid.width, -grid.width)
        offsets = tuple(sorted({0, *(far * way for far in steps for way in ways)}))
        name = self.unit.name("near")
        here.block.add(f"@near({offsets})")
        with here.block.inside(f"def {name}(map, squares):"):
            with here.block.inside(f"for {square} in squares:"):
                truth = self.expressions.truth(body, here)
                with here.block.inside(f"if {negation(truth).at(CHOICE)}:"):
                    here.block.add("return False")
            here.block.add("return True")
        if names.fails or truth.fails:
            return None
        self.unit.write(here.block)
        return name


def _map(e: c.Quantify) -> c.Local | c.StateVar | None:
    """The map whose squares a condition is about."""
    if e.kind == "all" and e.binders:
        match e.binders[0].low:
            case c.Builtin(name="occupied", arguments=(c.Local() | c.StateVar() as map,)):
                return map
    return None


def _with_our_names(e: c.Expr, map: c.Local | c.StateVar) -> c.Quantify | None:
    """The condition with our names for the map and what is bound, the same wherever it is asked;
    None if another name hides the map or the square."""
    assert isinstance(e, c.Quantify)
    bound, square = bound_names(e), e.binders[0].name
    if map.name in bound or bound.count(square) > 1:
        return None
    ours = {name: f"bound'{number}" for number, name in enumerate(dict.fromkeys(bound))}

    def change(node: Any) -> Any:
        return c.Local(node.span, node.type, MAP) if node == map else None

    return rebuilt(renamed(e, {**ours, square: SQUARE}), change)  # type: ignore[no-any-return]


def _steps(e: c.Quantify) -> set[int] | None:
    """How far from the square the map is looked at; None if that is not known."""
    found, looked = {0}, 1  # by the domain
    for node in walk(e):
        match node:
            case c.Lookup(map=c.Local(name=name), key=key) if name == MAP:
                steps = _far(key)
                if steps is None:
                    return None
                found.add(steps)
                looked += 1
            case c.Local(name=name) if name == MAP:
                looked -= 1
    return found if looked == 0 else None


def _far(key: c.Expr) -> int | None:
    """How many steps from the square a key is."""
    match key:
        case c.Local(name=name) if name == SQUARE:
            return 0
        case c.Builtin(
            name="step", arguments=(c.Local(name=name), _, c.Literal(value=int() as steps))
        ) if name == SQUARE:
            return steps
        case _:
            return None
