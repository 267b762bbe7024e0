"""What the compiled game remembers is what it would find out anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pytest

from checker.play.beginning import initial_position
from checker.play.compile.memory import Answers, near, of_map, while_same
from checker.play.compiled import Machine
from checker.play.evaluate import Scene, evaluate
from checker.play.instance import Instance
from tests.play.games import game, small

FIELD = """
phase play, over final
type Square = grid 12 x 12
state
    board[Square]: 0..3? = none
    other[Square]: 0..3? = none
    most: 0..3 = 3
fun no_equals(m[Square]: 0..3?): Bool = all s in occupied(m), d: Direction:
    all a in m[s], b in m[step(s, d, 1)]: a != b
fun beside(s: Square): Set[Direction] = {each d: Direction where board[step(s, d, 1)] != none}
move stop by p in play
    does phase = over
invariant no_equal_neighbours: all s in occupied(board), d: Direction:
    all a in board[s], b in board[step(s, d, 1)]: a != b
invariant two_away: all s in occupied(board), d in {right, down} where board[step(s, d, 1)] == none:
    board[step(s, d, 2)] == none or board[s] == board[step(s, d, 2)]
invariant some_neighbour: all s in occupied(board): some d: Direction: board[step(s, d, 1)] != none
invariant by_a_function: no_equals(board) and no_equals(other)
invariant round_the_corner: all s in occupied(board), t in step(s, right, 1):
    board[step(t, down, 1)] == none or board[s] != 0
invariant any_distance: all s in occupied(board), n in 1..4:
    board[step(s, right, n)] == none or board[s] != 0
invariant of_another_map: all s in occupied(board): other[s] == none
invariant of_the_state: all s in occupied(board), a in board[s]: a <= most
invariant whole_map: all s in occupied(board):
    components(board) < 8 or board[step(s, up, 1)] == none
invariant by_a_set: all s in occupied(board): size(beside(s)) < 4
"""
NEAR = ("no_equal_neighbours", "two_away", "some_neighbour", "by_a_set")
"""What looks at few squares around each; `by_a_function` says the same as the first."""


@pytest.fixture(scope="module")
def field() -> Instance:
    return small(FIELD, 2)


def test_conditions_near_changed_squares_agree_with_the_evaluator(field: Instance):
    machine, random = Machine(field), Random(1)
    claims = {each: machine.claim(each) for each in field.spec.properties}
    seen: set[tuple[str, bool]] = set()
    position: dict[str, Any] = dict(initial_position(field))
    squares = list(position["board"])
    for turn in range(300):
        if turn % 40 == 0:
            position |= initial_position(field)
        for name in ("board", "board", "other") if random.random() < 0.2 else ("board",):
            changed = dict(position[name])
            for _ in range(random.choice((1, 1, 2, 9))):
                value = random.choice((None, 0, 1, 2, 3, 2, 3))
                changed[random.choice(squares[:70])] = value
            position[name] = changed
        position["most"] = random.choice((2, 3, 3, 3))
        state = machine.load(position)
        for claim, holds in claims.items():
            expected = evaluate(claim.claim, Scene(field, position))
            assert bool(holds(state, state)) == expected, (turn, claim.name)
            seen.add((claim.name, expected))
    assert len(seen) == 2 * len(claims)


def test_only_what_looks_at_few_squares_is_asked_near_changed_ones(field: Instance):
    machine = Machine(field)
    for claim in field.spec.properties:
        near_before = machine.generated.source.count("@near(")
        machine.claim(claim)
        near_now = machine.generated.source.count("@near(")
        known = claim.name in NEAR
        assert near_now - near_before == (1 if known else 0), claim.name


def test_all_lines_of_kubbar_are_asked_near_changed_squares():
    source = Machine(game("kubbar", 3)).generated.source
    assert source.count("@near(") == 5


def test_a_condition_is_asked_near_what_has_changed_only():
    asked: list[list[int]] = []

    @near((-1, 0, 1))
    def small(map: Mapping[int, int], squares: Iterable[int]) -> bool:
        asked.append(sorted(squares))
        return all(map[square] < 10 for square in squares)

    table = dict.fromkeys(range(0, 100, 2), 1) | {51: 1}
    assert small(table) and asked.pop() == sorted(table)
    assert small(table) and not asked
    assert small({**table, 53: 1}) and asked.pop() == [52, 53, 54]
    worse = {**table, 53: 10}
    assert not small(worse) and not small(worse)
    assert asked == [[52, 53, 54]] * 2
    without = {square: value for square, value in table.items() if square != 51}
    assert small(without) and asked.pop() == [50, 52, 54]
    assert small({}) and asked.pop() == []


def test_the_last_two_maps_are_remembered():
    worked: list[Mapping[int, int]] = []

    @of_map
    def total(map: Mapping[int, int]) -> int:
        worked.append(map)
        return sum(map.values())

    table: dict[int, int] = {1: 5}
    for value in range(3):
        laid = {**table, 2: value}
        assert (total(table), total(laid), total(table), total(laid)) == (
            5,
            5 + value,
            5,
            5 + value,
        )
    assert len(worked) == 4


def test_functions_of_one_slot_are_remembered_until_it_changes():
    worked: list[int] = []

    @while_same(1)
    def more(s: list[Any], n: int) -> int:
        worked.append(n)
        return len(s[1]) + n

    state = [0, {1: 1}]
    assert [more(state, n) for n in (1, 2, 1, 2)] == [2, 3, 2, 3] and worked == [1, 2]
    state[1] = {}
    assert more(state, 1) == 1 and more(state, 1) == 1 and worked == [1, 2, 1]


def test_answers_are_worked_out_once():
    worked: list[tuple[int, int]] = []

    def product(_: None, a: int, b: int) -> int:
        worked.append((a, b))
        return a * b

    answers = Answers(product)
    assert answers[2, 3] == answers[2, 3] == 6 and worked == [(2, 3)]
