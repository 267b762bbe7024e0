"""Into how many parts a board falls after a write, against counting them."""

from __future__ import annotations

from itertools import product
from random import Random

from checker.front import check_text
from checker.meaning import types as y
from checker.play.compile.runtime import components
from checker.play.instance import Instance
from checker.resources import bundled_games
from checker.smt import board as b
from checker.smt.builtin import _parts_after
from checker.smt.expression import Expressions
from checker.smt.scene import World

WIDTH, HEIGHT = 4, 3
GRID = y.Grid("Square", WIDTH, HEIGHT)


def _expressions() -> Expressions:
    spec = check_text("qwixx", bundled_games()["qwixx"].read_text("utf-8")).spec
    assert spec is not None
    return Expressions(World(Instance(spec, 2)))


def test_parts_after_a_write_are_counted_right_wherever_they_are_known() -> None:
    ex = _expressions()
    terms, random = ex.terms, Random(7)
    squares = range(WIDTH * HEIGHT)
    unknown = terms.unknown("parts", 0, len(squares))
    told = {"same": 0, "alone": 0, "joined": 0}
    for _ in range(60):
        taken = {square for square in squares if random.random() < 0.4}
        held = b.Listed(squares, {s: terms.number(5) for s in taken}, terms.number(b.NONE))
        before = components(taken, WIDTH)
        for square, value in product(squares, (b.NONE, 3)):
            written = b.Written(held, terms.number(square), terms.number(value))
            found = _parts_after(ex, written, terms.number(before), unknown, GRID)
            after = components(taken - {square} if value < 0 else taken | {square}, WIDTH)
            if found is unknown:
                continue
            assert found is terms.number(after), (taken, square, value)
            same = (value >= 0) == (square in taken)
            told["same" if same else "alone" if after > before else "joined"] += 1
    assert min(told.values()) > 10
