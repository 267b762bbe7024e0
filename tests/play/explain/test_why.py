"""Why a move is refused, or what it will change."""

from __future__ import annotations

import pytest

from rulewright.play.explain.why import (
    Consequence,
    Possibilities,
    RefusedMove,
    describe,
    smallest_covers,
    why,
)
from rulewright.play.io.parse_notation import read_arguments, read_event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.rules import apply
from tests.play.games import game

QWIXX = game("qwixx", 3)


def thrown(white: str = "[3, 4]", **changes):
    """The first action of a turn of player 1, with some of the state as given."""
    position = {**initial_position(QWIXX), **changes}
    dice = "[" + ", ".join(f"{c}: none" for c in sorted(position["closed"]))
    dice += ", else: 2]" if position["closed"] else "else: 2]"
    event = read_event(f"throw({white}, {dice})", QWIXX)
    return apply(QWIXX, position, event)[-1].after


def crossed(*spaces: int):
    """Player 1 has crosses in red."""
    empty: dict[str, frozenset[int]] = {
        colour: frozenset() for colour in ("red", "yellow", "green", "blue")
    }
    return {1: {**empty, "red": frozenset(spaces)}, 2: empty, 3: empty}


def asked(text: str, position, by: int = 1):
    name, arguments = read_arguments(text, QWIXX, by)
    return why(QWIXX, position, name, by, arguments)


MISTAKES = [
    ("crossing back to the left", thrown("[1, 2]", crossed=crossed(6)), "cross_sum(red, 2)", 1,
     "may_cross.left_to_right", "cross.order"),
    ("the last number with four crosses", thrown("[6, 6]", crossed=crossed(1, 2, 3, 4)),
     "cross_sum(red, 11)", 1, "may_cross.five_first", "close.five"),
    ("a closed row", thrown("[3, 4]", closed=frozenset({"red"})), "cross_sum(red, 6)", 1,
     "may_cross.row_open", "close.no_more"),
    ("the wrong sum", thrown("[3, 4]"), "cross_sum(red, 7)", 1, "cross_sum.is_sum", "play.sum"),
    ("the second action of a passive player",
     {**thrown("[3, 4]"), "phase": "second_action"}, "pass_colour", 2, "own_turn.is_active",
     "play.second_only"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("position", "move", "by", "label", "clause"),
    [each[1:] for each in MISTAKES],
    ids=[each[0] for each in MISTAKES],
)
def test_the_classic_mistakes_are_named_with_their_clause(position, move, by, label, clause):
    answer = asked(move, position, by)
    assert isinstance(answer, RefusedMove)
    assert [each.label for each in answer.failing] == [label]
    assert clause in answer.failing[0].clauses
    assert answer.blocking == ((answer.failing[0],),)


def test_each_failing_requirement_alone_blocks_a_move():
    answer = asked("cross_sum(red, 11)", thrown("[1, 2]"))
    assert isinstance(answer, RefusedMove)
    assert [[each.label for each in cover] for cover in answer.blocking] == [
        ["may_cross.five_first"], ["cross_sum.is_sum"],
    ]  # fmt: skip
    assert describe(answer, QWIXX) == [
        "refused: cross_sum",
        "  because of, each alone enough:",
        '    may_cross.five_first "the last number needs five crosses in its row first" '
        "[close.five, close.short]",
        '    cross_sum.is_sum "the number is the sum of the white dice" [play.sum]',
    ]


def test_with_open_arguments_it_takes_a_set_of_requirements():
    answer = asked("cross_sum(red)", thrown("[1, 2]", crossed=crossed(6)))
    assert isinstance(answer, RefusedMove)
    assert answer.choices == 11
    labels = [[each.label for each in cover] for cover in answer.blocking]
    assert labels == [["may_cross.left_to_right", "cross_sum.is_sum"]]
    assert describe(answer, QWIXX)[:2] == [
        "refused in any of 11 ways: cross_sum", "  because of, together:",
    ]  # fmt: skip


def test_open_arguments_that_can_be_filled_in():
    answer = asked("cross_sum", thrown("[3, 4]"))
    assert isinstance(answer, Possibilities)
    assert describe(answer, QWIXX) == [
        "allowed in 4 ways:", "  cross_sum(row = red, at = 6)", "  cross_sum(row = yellow, at = 6)",
        "  cross_sum(row = green, at = 6)", "  cross_sum(row = blue, at = 6)",
    ]  # fmt: skip


def test_a_legal_move_says_what_it_will_change():
    position = thrown("[6, 6]", crossed=crossed(1, 2, 3, 4, 5))
    for player in (2, 3):
        event = read_event("pass_sum", QWIXX, player)
        position = apply(QWIXX, position, event)[-1].after
    answer = asked("cross_sum(red, 11)", position)
    assert isinstance(answer, Consequence)
    assert [each.transition.name for each in answer.happened] == ["cross_sum", "end_first_action"]
    assert [change.shown(QWIXX) for change in answer.changes] == [
        "phase: first_action -> second_action",
        "answered: {2, 3} -> {}",
        "coloured[red]: 2 -> none",
        "closed: {} -> {red}",
        "active_crossed: false -> true",
        "crossed[1][red]: {1, 2, 3, 4, 5} -> {1, 2, 3, 4, 5, 11}",
        "locked[1]: {} -> {red}",
    ]
    lines = describe(answer, QWIXX)
    assert '    cross.lock_too "the lock is crossed with the last number" [close.lock]' in lines
    assert '  then end_first_action "the first action is over" [play.order]' in lines


@pytest.mark.parametrize(
    ("families", "covers"),
    [
        ([{"a"}], [{"a"}]),
        ([{"a", "b"}], [{"a"}, {"b"}]),
        ([{"a", "b"}, {"b", "c"}], [{"b"}]),
        ([{"a"}, {"b"}, {"a", "c"}], [{"a", "b"}]),
        ([{"a", "b"}, {"c", "d"}, {"a", "c"}], [{"a", "c"}, {"a", "d"}, {"b", "c"}]),
    ],
)
def test_the_smallest_sets_that_meet_all(families, covers):
    assert smallest_covers(families) == covers
