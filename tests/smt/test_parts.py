"""Into how many parts a board falls after a write, against counting them."""

from __future__ import annotations

from itertools import product
from random import Random

from rulewright.frontend import check_text
from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.resources import bundled_games
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.builtin import _parts_after
from rulewright.smt.encode.environment import EncodingContext
from rulewright.smt.encode.expression import ExpressionEncoder

WIDTH, HEIGHT = 4, 3
GRID = y.Grid("Square", WIDTH, HEIGHT)


def _expressions() -> ExpressionEncoder:
    spec = check_text("qwixx", bundled_games()["qwixx"].read_text("utf-8")).spec
    assert spec is not None
    return ExpressionEncoder(EncodingContext(Instance(spec, 2)))


def components(squares: set[int], width: int) -> int:
    """Into how many parts squares fall; neighbours share a side."""
    places = {(each % width, each // width) for each in squares}
    count = 0
    while places:
        count += 1
        reached = [places.pop()]
        while reached:
            column, row = reached.pop()
            beside = {(column + x, row + y) for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            reached += beside & places
            places -= beside
    return count


def test_parts_after_a_write_are_counted_right_wherever_they_are_known() -> None:
    ex = _expressions()
    terms, random = ex.terms, Random(7)
    squares = range(WIDTH * HEIGHT)
    unknown = terms.unknown("parts", 0, len(squares))
    told = {"same": 0, "alone": 0, "joined": 0}
    for _ in range(60):
        taken = {square for square in squares if random.random() < 0.4}
        held = b.ListedArray(squares, {s: terms.number(5) for s in taken}, terms.number(b.NONE))
        before = components(taken, WIDTH)
        for square, value in product(squares, (b.NONE, 3)):
            written = b.StoredArray(held, terms.number(square), terms.number(value))
            found = _parts_after(ex, written, terms.number(before), unknown, GRID)
            after = components(taken - {square} if value < 0 else taken | {square}, WIDTH)
            if found is unknown:
                continue
            assert found is terms.number(after), (taken, square, value)
            same = (value >= 0) == (square in taken)
            told["same" if same else "alone" if after > before else "joined"] += 1
    assert min(told.values()) > 10
