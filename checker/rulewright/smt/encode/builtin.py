"""What the built-in functions are worth symbolically."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.geometry import beside, offsets
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.operations import builtin as plain_builtin
from rulewright.play.semantics.operations import links_of
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.collection import gathered, size
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.sum_axioms import bind
from rulewright.smt.encode.symbolic_values import (
    Sym,
    SymbolicBag,
    SymbolicMap,
    SymbolicOption,
    SymbolicSet,
    UnboundedError,
    as_maybe,
    as_number,
    possible,
)
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import FALSE, TRUE, Term

if TYPE_CHECKING:
    from rulewright.smt.encode.expression import ExpressionEncoder


def builtin(
    ex: ExpressionEncoder, e: c.Builtin, values: Sequence[Sym], env: SymbolicEnvironment
) -> Sym:
    """The value of a built-in function."""
    terms = ex.terms
    match e.name, values:
        case "left_of", (Term() as player,):
            last = terms.number(ex.instance.players)
            return terms.choose(
                terms.equal(player, last), terms.number(1), terms.plus(player, terms.number(1))
            )
        case "right_of", (Term() as player,):
            first = terms.number(1)
            return terms.choose(
                terms.equal(player, first), terms.number(ex.instance.players),
                terms.minus(player, first),
            )  # fmt: skip
        case "size", (collection,):
            return size(terms, collection)
        case "min", (Term() as one, Term() as other):
            high = min((each.high for each in (one, other) if each.high is not None), default=None)
            return terms.held(terms.choose(terms.at_most(one, other), one, other), None, high)
        case "max", (Term() as one, Term() as other):
            low = max((each.low for each in (one, other) if each.low is not None), default=None)
            return terms.held(terms.choose(terms.at_most(one, other), other, one), low, None)
        case "abs", (Term() as number,):
            zero = terms.number(0)
            found = terms.choose(terms.at_most(zero, number), number, terms.negative(number))
            return terms.held(found, 0, None)  # whatever the number is
        case "step", (Term() as square, Term() as direction, Term() as steps):
            return _step(ex, e, square, direction, steps)
        case "column", (Term() as square,):
            return _place(ex, square, e.arguments[0].type)[0]
        case "row", (Term() as square,):
            return _place(ex, square, e.arguments[0].type)[1]
        case "square", (Term() as column, Term() as row):
            inside, square = _square(ex, column, row, e.type)
            ex.hazard(env, inside, f"`{y.show(e.type)}` has no such square", e.span)
            codes = ex.domains.codes(e.type)
            return terms.held(square, codes.start, codes.stop - 1)
        case "occupied", (map,):
            return _occupied(ex, map)
        case "tally", (map,):
            return _tally(ex, e, map)
        case "reach" | "connected", sets:
            return _flood(ex, e, sets)
        case "components", (map,):
            if e.along is not None:  # no spec says so, only engines are mistaken in this
                raise UnboundedError
            return _components(ex, e, map)
        case name, fields if name.startswith("case "):
            return _case(ex, e, fields, env)
        case name, _:
            raise AssertionError(name)


def _place(ex: ExpressionEncoder, square: Term, grid: y.Type) -> tuple[Term, Term]:
    """Column and row of a square."""
    assert isinstance(grid, y.Grid)
    width, one = ex.terms.number(grid.width), ex.terms.number(1)
    column = ex.terms.plus(ex.terms.remainder(square, width), one)
    return column, ex.terms.plus(ex.terms.divide(square, width), one)


def _square(ex: ExpressionEncoder, column: Term, row: Term, grid: y.Type) -> tuple[Term, Term]:
    """Whether there is a square at a place, and which."""
    assert isinstance(grid, y.Grid)
    terms, one = ex.terms, ex.terms.number(1)
    inside = terms.every((
        terms.at_most(one, column), terms.at_most(column, terms.number(grid.width)),
        terms.at_most(one, row), terms.at_most(row, terms.number(grid.height)),
    ))  # fmt: skip
    return inside, terms.linear(-grid.width - 1, ((grid.width, row), (1, column)))


def _step(ex: ExpressionEncoder, e: c.Builtin, square: Term, direction: Term, steps: Term) -> Sym:
    assert isinstance(e.type, y.Option)
    terms = ex.terms
    ways = offsets(e.arguments[1].type, e.type.inner)
    if direction.op == steps.op == "int":
        return _known_step(ex, e.type.inner, square, ways[direction.value], steps.value)
    column, row = _place(ex, square, e.arguments[0].type)
    sideways, downwards = zip(*ways)

    def towards(by: Sequence[int]) -> Term:
        result = terms.number(0)
        for code, change in enumerate(by):
            here = terms.equal(direction, terms.number(code))
            result = terms.choose(here, terms.linear(0, ((change, steps),)), result)
        return result

    column, row = terms.plus(column, towards(sideways)), terms.plus(row, towards(downwards))
    inside, there = _square(ex, column, row, e.type.inner)
    codes = ex.domains.codes(e.type.inner)
    return SymbolicOption(inside, terms.held(there, codes.start, codes.stop - 1))


def _known_step(
    ex: ExpressionEncoder, grid: y.Type, square: Term, way: tuple[int, int], steps: int
) -> Sym:
    """So many squares further in a known direction: the code changes by a known number, and the
    edges are those of the row for a step sideways, those of the grid for one up or down."""
    assert isinstance(grid, y.Grid)
    terms, zero = ex.terms, ex.terms.number(0)
    right, down = way[0] * steps, way[1] * steps
    there = terms.linear(right + grid.width * down, ((1, square),))
    kept = terms.held(there, 0, grid.width * grid.height - 1)
    inside = TRUE
    if right:
        place = terms.linear(right, ((1, terms.remainder(square, terms.number(grid.width))),))
        inside = _between(terms, zero, place, grid.width)
    if down or not right:
        straight = terms.linear(grid.width * down, ((1, square),))
        end = grid.width * grid.height
        inside = terms.both(inside, _between(terms, zero, straight, end))
    return SymbolicOption(inside, kept)


def _between(terms: TermBuilder, low: Term, number: Term, end: int) -> Term:
    return terms.both(terms.at_most(low, number), terms.less(number, terms.number(end)))


def _occupied(ex: ExpressionEncoder, map: Sym) -> Sym:
    if isinstance(map, b.SymbolicArray):
        return b.OccupiedKeys(map)
    assert isinstance(map, SymbolicMap)
    return SymbolicSet({code: as_maybe(value).there for code, value in map.values.items()})


def _tally(ex: ExpressionEncoder, e: c.Builtin, map: Sym) -> Sym:
    assert isinstance(e.type, y.Bag)
    codes = ex.domains.codes(e.type.element)
    if isinstance(map, b.SymbolicArray):
        if ex.domains.is_big(e.type.element):
            return b.ValueCounts(codes, map)
        counted = b.ValueCounts(codes, map)
        return SymbolicBag({code: counted.read(ex.terms, ex.terms.number(code)) for code in codes})
    assert isinstance(map, SymbolicMap)
    elements = []
    for value in map.values.values():
        found = as_maybe(value)
        if found.value is not None and found.there is not FALSE:
            elements.append((found.there, as_number(ex.terms, found.value)))
    return ex.shapes.fit(gathered(ex.terms, elements, as_bag=True), e.type)


def _components(ex: ExpressionEncoder, e: c.Builtin, map: Sym) -> Term:
    """Into how many parts the occupied squares fall: for each square the least square of its part
    is worked out by spreading; for big boards an unknown number of the board alone."""
    terms = ex.terms
    grid = e.arguments[0].type
    assert isinstance(grid, y.Map) and isinstance(grid.key, y.Grid)
    if isinstance(map, b.ListedArray) and all(each.op == "int" for each in map.values.values()):
        return terms.number(_known_parts(map, grid.key))
    if isinstance(map, b.ConditionalArray):
        one, other = (_components(ex, e, each) for each in (map.then, map.otherwise))
        return terms.choose(map.condition, one, other)
    if isinstance(map, b.SymbolicArray):
        assert isinstance(e.type, y.Int)
        board = bind(terms, map.keys, lambda key: map.read(terms, key))
        unknown = terms.make("components", board, None, "Int", 0, e.type.high)
        if isinstance(map, b.StoredArray):
            return _parts_after(ex, map, _components(ex, e, map.inner), unknown, grid.key)
        return unknown
    assert isinstance(map, SymbolicMap)
    there = {code: as_maybe(value).there for code, value in map.values.items()}
    reached: dict[int, Term] = {code: terms.number(code) for code in there}
    for _ in range(len(there)):  # a path winds through all squares at most
        spread = {
            code: _least(ex, reached[code], there, reached, near)
            for code, near in _neighbours(grid.key).items()
        }
        if all(spread[code] is reached[code] for code in spread):
            break
        reached = spread
    return terms.add(
        as_number(terms, terms.both(there[code], terms.equal(reached[code], terms.number(code))))
        for code in there
    )


def _parts_after(
    ex: ExpressionEncoder, board: b.StoredArray, before: Term, unknown: Term, grid: y.Grid
) -> Term:
    """Into how many parts a board falls after a write. Another number on an occupied square makes
    no difference; a square that becomes occupied is a part of its own if nothing lies beside it,
    and otherwise belongs to the only part there is. For the rest nothing is known."""
    terms = ex.terms
    none, one = terms.number(b.NONE), terms.number(1)
    was = terms.no(terms.equal(board.inner.read(terms, board.key), none))
    now = terms.no(terms.equal(board.value, none))
    column, row = _place(ex, board.key, grid)
    near = []
    for right, down in beside(grid):
        places = (terms.linear(right, ((1, column),)), terms.linear(down, ((1, row),)))
        inside, there = _square(ex, *places, grid)
        there_is = terms.no(terms.equal(board.inner.read(terms, there), none))
        near.append(terms.both(inside, there_is))
    alone = terms.no(terms.either(near))
    new = terms.both(now, terms.no(was))
    joined = terms.both(new, terms.equal(before, one))
    found = terms.choose(joined, one, unknown)
    found = terms.choose(terms.both(new, alone), terms.plus(before, one), found)
    return terms.choose(terms.same_truth(was, now), before, found)


def _known_parts(board: b.ListedArray, grid: y.Grid) -> int:
    """Into how many parts the occupied squares of a known board fall."""
    codes = board.values if board.default.value == b.NONE else board.keys
    left = {c for c in codes if board.values.get(c, board.default).value != b.NONE}
    if not left:
        return 0
    near, count = _neighbours(grid), 0
    while left:
        count += 1
        reached = [left.pop()]
        while reached:
            found = [other for other in near[reached.pop()] if other in left]
            left.difference_update(found)
            reached.extend(found)
    return count


def _least(
    ex: ExpressionEncoder,
    own: Term,
    there: dict[int, Term],
    reached: dict[int, Term],
    near: list[int],
) -> Term:
    for other in near:
        lower = ex.terms.less(reached[other], own)
        own = ex.terms.choose(ex.terms.both(there[other], lower), reached[other], own)
    return own


def _neighbours(grid: y.Grid) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for code in range(grid.width * grid.height):
        column, row = code % grid.width, code // grid.width
        found[code] = [
            (row + down) * grid.width + column + right
            for right, down in beside(grid)
            if 0 <= column + right < grid.width and 0 <= row + down < grid.height
        ]
    return found


def _flood(ex: ExpressionEncoder, e: c.Builtin, values: Sequence[Sym]) -> Sym:
    """What is reached, or whether something of a set is."""
    terms = ex.terms
    sets = values if e.along is not None else values[:-1]
    start, *end, inside = sets
    inside_type = e.arguments[len(sets) - 1].type
    assert isinstance(inside_type, y.Set)
    points = inside_type.element
    codes = ex.domains.codes(points)
    near = {
        at: tuple(there for to in ends if (there := ex.domains.code(to, points)) in codes)
        for point, ends in links_of(e, ex.instance).items()
        if (at := ex.domains.code(point, points)) in codes
    }
    links = tuple(near.items()) if e.along is None else e.along  # tables by what they say
    found = ex.reachability.reached(
        (links, points), near, _flags(terms, start, codes), _flags(terms, inside, codes)
    )
    if e.name == "connected":
        met = _flags(terms, end[0], codes)
        return terms.either(
            terms.both(flag, met[code]) for code, flag in found.items() if code in met
        )
    if not ex.domains.is_big(points):
        return SymbolicSet(found)
    numbers = {code: terms.counted(flag) for code, flag in found.items()}
    return b.ListedArray(codes, numbers, terms.number(0))


def _flags(terms: TermBuilder, held: Sym, codes: range) -> dict[int, Term]:
    """A set, place by place."""
    if isinstance(held, SymbolicSet):
        return {code: held.flags[code] for code in codes if code in held.flags}
    assert isinstance(held, b.SymbolicArray)
    zero = terms.number(0)
    return {
        code: terms.less(zero, held.read(terms, terms.number(code)))
        for code in codes
        if code in held.keys
    }


def _case(
    ex: ExpressionEncoder, e: c.Builtin, fields: Sequence[Sym], env: SymbolicEnvironment
) -> Sym:
    """The member for a case and its fields: that whose fields have these values."""
    terms = ex.terms
    assert isinstance(e.type, y.Enum)
    types = [argument.type for argument in e.arguments]
    choices: list[tuple[Term, list[object]]] = [(TRUE, [])]
    for field, type in zip(fields, types):
        assert isinstance(field, Term)
        key = as_number(terms, field)
        grown = []
        for condition, values in choices:
            for code in possible(key):
                here = terms.both(condition, terms.equal(key, terms.number(code)))
                if here is not FALSE:
                    grown.append((here, [*values, ex.domains.plain(code, type)]))
        choices = grown
    result: Term | None = None
    known = []
    for condition, values in choices:
        try:
            member = plain_builtin(e, values, ex.instance)
        except EvaluationError:
            continue
        code_term = terms.number(e.type.members.index(member))
        known.append(condition)
        result = code_term if result is None else terms.choose(condition, code_term, result)
    ex.hazard(env, terms.either(known), "there is no such case", e.span)
    return terms.number(0) if result is None else result
