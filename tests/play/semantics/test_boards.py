"""Boards: directions, neighbours, rays, what is connected; every way of playing and proving them
says what a plain definition says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.syntax.node import NOWHERE
from tests.meaning.exprs import Evaluated
from tests.meaning.states import any_position
from tests.smt.test_agreement import _agree
from tests.wasm.agreement import Batch

SPEC = """game boards "Boards"
    players 2
type Square = grid 5 x 3
type Cell = hexes 4 x 3
type Wide = hexes 9 x 8
type Point = a | b | c | d | e
type Line = along | back
type Spot = 1..5
type Forward = up_left | up_right
table beside[Point, Line]: Point?
    a b none
    b c a
    c none none
    d e none
    e none d
table after[Spot, Line]: Spot?
    1 2 none
    2 3 1
    3 none 2
    4 5 none
    5 none 4
table road[Point, Point]: Bool
    a false true  false false false
    b true  false false true  false
    c false false true  false false
    d false true  false false false
    e false false false false false
phase play, over final
state
    squares: Set[Square] = {}
    others: Set[Square] = {}
    cells: Set[Cell] = {}
    wide: Set[Wide] = {}
    points: Set[Point] = {}
    spots: Set[Spot] = {}
    at: Square = Square(1, 1)
    cell: Cell = Cell(1, 1)
    far: Wide = Wide(1, 1)
    point: Point = a
    spot: Spot = 1
    way: Way = up
    hex: HexWay = left
    far_off: -3..3 = 1
    stone[Cell]: Bool? = none
move pass_on by p in play
"""
HEX = {"up_right": (1, -1), "right": (1, 0), "down_right": (0, 1),
       "down_left": (-1, 1), "left": (-1, 0), "up_left": (0, -1)}  # fmt: skip
SQUARE = {(right, down) for right, down in product((-1, 0, 1), repeat=2) if right or down}
STRAIGHT = {(right, down) for right, down in SQUARE if not right * down}
SIZES = {"squares": (5, 3), "cells": (4, 3), "wide": (9, 8)}
ROADS = {("a", "b"), ("b", "a"), ("b", "d"), ("c", "c"), ("d", "b")}
LINES = {("a", "b"), ("b", "c"), ("b", "a"), ("d", "e"), ("e", "d")}
NAMED = {"up": (0, -1), "down": (0, 1)}


def name(place: tuple[int, int]) -> str:
    return f"{chr(64 + place[0])}{place[1]}"


def near(board: str, square: str, ways: Any) -> set[str]:
    """The squares one step away."""
    width, height = SIZES[board]
    column, row = ord(square[0]) - 64, int(square[1:])
    found = {(column + right, row + down) for right, down in ways}
    return {name((x, z)) for x, z in found if 1 <= x <= width and 1 <= z <= height}


def closure(start: Any, inside: Any, links: set[tuple[Any, Any]]) -> set[Any]:
    """What is come to, by adding until nothing is new."""
    found = set(start) & set(inside)
    while new := {b for a, b in links if a in found and b in inside} - found:
        found |= new
    return found


def links(board: str, ways: Any) -> set[tuple[str, str]]:
    width, height = SIZES[board]
    all_ = [name((x, z)) for x in range(1, width + 1) for z in range(1, height + 1)]
    return {(a, b) for a in all_ for b in near(board, a, ways)}


def way_of(direction: str) -> tuple[int, int]:
    right = ("right" in direction) - ("left" in direction)
    return right, ("down" in direction) - ("up" in direction)


def stepped(size: tuple[int, int], square: str, by: tuple[int, int], steps: int) -> str | None:
    x, z = ord(square[0]) - 64 + by[0] * steps, int(square[1:]) + by[1] * steps
    return name((x, z)) if 1 <= x <= size[0] and 1 <= z <= size[1] else None


Meaning = Callable[[Any], Any]
WORTH: dict[str, Meaning] = {
    "neighbours(at)": lambda s: near("squares", s["at"], STRAIGHT),
    "neighbours(at, Way)": lambda s: near("squares", s["at"], SQUARE),
    "neighbours(at, Diagonal)": lambda s: near("squares", s["at"], SQUARE - STRAIGHT),
    "neighbours(at, Forward)": lambda s: near("squares", s["at"], {(-1, -1), (1, -1)}),
    "neighbours(cell)": lambda s: near("cells", s["cell"], HEX.values()),
    "neighbours(far)": lambda s: near("wide", s["far"], HEX.values()),
    "neighbours(point, beside)": lambda s: {b for a, b in LINES if a == s["point"]},
    "neighbours(point, road)": lambda s: {b for a, b in ROADS if a == s["point"]},
    "step(at, way, far_off)": lambda s: stepped((5, 3), s["at"], way_of(s["way"]), s["far_off"]),
    "step(at, way, 1)": lambda s: stepped((5, 3), s["at"], way_of(s["way"]), 1),
    "step(at, down_left, 2)": lambda s: stepped((5, 3), s["at"], (-1, 1), 2),
    "step(cell, hex, far_off)": lambda s: stepped((4, 3), s["cell"], HEX[s["hex"]], s["far_off"]),
    "step(cell, up_left, 1)": lambda s: stepped((4, 3), s["cell"], (0, -1), 1),
    "ray(at, way)": lambda s: {
        to for n in range(1, 6) if (to := stepped((5, 3), s["at"], way_of(s["way"]), n))
    },
    "some s in neighbours(at, Way): s in squares": lambda s: bool(
        near("squares", s["at"], SQUARE) & s["squares"]
    ),
    "all s in ray(at, way), t in neighbours(s): t in squares": lambda s: all(
        near("squares", to, STRAIGHT) <= s["squares"]
        for n in range(1, 6)
        if (to := stepped((5, 3), s["at"], way_of(s["way"]), n))
    ),
    "reach(others, squares)": lambda s: closure(
        s["others"], s["squares"], links("squares", STRAIGHT)
    ),
    "reach(at, squares, Way)": lambda s: closure({s["at"]}, s["squares"], links("squares", SQUARE)),
    "reach(at, squares, Forward)": lambda s: closure(
        {s["at"]}, s["squares"], links("squares", {(-1, -1), (1, -1)})
    ),
    "reach(cell, cells)": lambda s: closure({s["cell"]}, s["cells"], links("cells", HEX.values())),
    "reach(far, wide)": lambda s: closure({s["far"]}, s["wide"], links("wide", HEX.values())),
    "reach(point, points, beside)": lambda s: closure({s["point"]}, s["points"], LINES),
    "reach(point, points, road)": lambda s: closure({s["point"]}, s["points"], ROADS),
    "reach(spot, spots, after)": lambda s: closure(
        {s["spot"]}, s["spots"], {(ord(a) - 96, ord(b) - 96) for a, b in LINES} | {(3, 2)}
    ),
    "connected(at, others, squares)": lambda s: bool(
        closure({s["at"]}, s["squares"], links("squares", STRAIGHT)) & s["others"]
    ),
    "connected({each c: Wide where row(c) == 1}, {each c: Wide where row(c) == 8}, wide)": (
        lambda s: any(
            to[1:] == "8"
            for to in closure(
                {name((x, 1)) for x in range(1, 10)}, s["wide"], links("wide", HEX.values())
            )
        )
    ),
    "components(stone)": lambda s: parts(
        {at for at, held in s["stone"].items() if held is not None}
    ),
}


def parts(left: set[str]) -> int:
    """How many groups of cells there are."""
    count = 0
    while left:
        count += 1
        left = left - closure({min(left)}, left, links("cells", HEX.values()))
    return count


@cache
def boards() -> Instance:
    text = SPEC + "".join(f"fun probe_{at}() = {each}\n" for at, each in enumerate(WORTH))
    checked = check_text("boards.rules", text)
    assert checked.spec is not None, [each.message for each in checked.diagnostics]
    return Instance(checked.spec, 2, {})


def cases(probe: int, count: int) -> Iterator[Evaluated]:
    function = boards().functions[f"probe_{probe}"]
    call = c.Call(NOWHERE, function.type, function.name, (), False)
    for seed in range(count):
        position = any_position(boards(), 977 * probe + seed)
        yield Evaluated(call, boards(), position, position)


PROBES = pytest.mark.parametrize("probe", range(len(WORTH)), ids=list(WORTH))


@PROBES
def test_what_is_asked_of_boards_is_what_it_means(probe: int) -> None:
    meant = list(WORTH.values())[probe]
    for case in cases(probe, 60):
        found = evaluate(case.expression, Environment(boards(), dict(case.before)))
        assert found == meant(case.before), dict(case.before)


def test_compiled_boards_agree() -> None:
    every = [case for probe in range(len(WORTH)) for case in cases(probe, 12)]
    assert Batch(every).compare() == len(every)


def test_encoded_boards_agree() -> None:
    for probe in range(len(WORTH)):
        _agree(list(cases(probe, 3)), 3)


def test_directions_of_the_wrong_board_are_refused() -> None:
    for text, code in (
        ("step(Cell(1, 1), up, 1) == none", "RW201"),
        ("neighbours(cell, Way) == {}", "RW201"),
        ("neighbours(point) == {}", "RW201"),
        ("reach(point, points, kind) == {}", "RW101"),
        ("reach(point, squares, beside) == {}", "RW201"),
        ("reach(at, at) == {}", "RW201"),
        ("ray(at) == {}", "RW202"),
    ):
        checked = check_text("boards.rules", f"{SPEC}fun wrong() = {text}\n")
        assert code in {each.code for each in checked.diagnostics}, text


def test_types_of_directions_have_an_order() -> None:
    assert y.values(y.WAY, 2)[:3] == ["up", "up_right", "right"]
