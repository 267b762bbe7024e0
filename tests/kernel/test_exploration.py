"""What is called explored was gone through whole."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.frontend import check_text
from rulewright.kernel import exploration
from rulewright.kernel.exploration import explored
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import TakenTransition, apply
from rulewright.play.semantics.values import Position
from tests.prove.search import explored as truth

WALK = """game walk "Walk"
    players 1..2

type Stone = black | white

phase walking, thrown, over final

state
    turn: Player
    at: 0..6 = 0
    passed: 0..6 = 0
    held: Set[Stone] = {}

move walk(by: 1..2) by p in walking "walk"
    needs turn "it is the player's turn": p == turn
    needs room "there is room": at + by <= 6
    does
        at += by
        turn = left_of(turn)
        phase = thrown

chance throw(stone: Stone, more: 0..1) in thrown "a stone is thrown"
    needs fresh "it was not held": stone not in held or more == 0
    does
        held += {stone}
        phase = walking

step arrive in walking "arrived"
    when there "at the end": at >= 5
    does
        passed = at
        phase = over

step mark in over "what was passed is forgotten"
    when marked "there is something": passed > 0
    does passed = 0

invariant never_passed "nothing is passed": passed == 0
possible whole "all is held in the end": phase == over and size(held) == 2
"""


def instance(text: str = WALK, players: int = 2) -> Instance:
    checked = check_text("walk", text)
    assert checked.spec is not None, checked.diagnostics
    return Instance(checked.spec, players)


def anything(before: Position, after: Position) -> bool:
    return True


@pytest.mark.parametrize("players", [1, 2])
def test_every_position_is_looked_at_and_every_start(players: int) -> None:
    game = instance(players=players)
    seen = []

    def noted(before: Position, after: Position) -> bool:
        seen.append(after)
        return True

    found = explored(game, noted, way_on=True)
    assert found == truth.explored(game).positions
    assert {each["at"] for each in seen} == set(range(7))
    assert {each["turn"] for each in seen if each["at"] == 0} == set(range(1, players + 1))
    assert {each["held"] for each in seen} == {
        frozenset(), frozenset({"black"}), frozenset({"white"}), frozenset({"black", "white"}),
    }  # fmt: skip


def test_one_position_that_is_otherwise_is_enough() -> None:
    game, seen = instance(), set()

    def noted(before: Position, after: Position) -> bool:
        seen.add(tuple(after.items()))
        return True

    explored(game, noted, way_on=True)
    assert len(seen) > 20
    for position in seen:
        assert explored(game, lambda _, after, p=position: tuple(after.items()) != p, True) is None  # type: ignore[misc]


def test_positions_between_two_steps_are_looked_at() -> None:
    """What is passed is forgotten at once: only between two steps is it there."""
    assert explored(instance(), lambda _, after: after["passed"] == 0, True) is None
    assert explored(instance(), lambda before, _: before["passed"] == 0, True) is None


@pytest.mark.parametrize(
    ("sound", "harmful"),
    [
        ("at + by <= 6", "at + by <= 6 and 1 / (3 - by - at + 3) >= 0"),  # a move nobody may make
        ("at >= 5", "at >= 5 and number[at - 5] == 0"),  # of a step
        ("size(held) == 2", "size(held) == 2"),
    ],
)
def test_what_has_no_value_is_found_where_it_is_asked_for(sound: str, harmful: str) -> None:
    text = WALK.replace("phase walking", "table number[1..2]: 0..0\n    0 0\n\nphase walking")
    assert explored(instance(text), anything, way_on=False, asking=True)
    harmed = text.replace(sound, harmful)
    if harmed == text:  # how a game has ended is asked for only when it has
        harmed += "\nfun score(p: Player): -6..6 = 6 / (at - 6)\n"
    found = explored(instance(harmed), anything, way_on=False, asking=True)
    assert found is None


def test_the_position_before_is_the_one_before() -> None:
    assert explored(instance(), lambda before, after: after["at"] - before["at"] <= 2, True)
    assert explored(instance(), lambda before, after: after["at"] - before["at"] <= 1, True) is None


def test_a_start_is_looked_at_by_itself() -> None:
    assert explored(instance(), lambda before, after: before is not after, True) is None


def test_where_there_is_no_way_on_it_does_not_go_on() -> None:
    blocked = WALK.replace("at + by <= 6", "at + by <= 6 and at != 4")
    assert explored(instance(blocked), anything, way_on=False) is not None
    assert explored(instance(blocked), anything, way_on=True) is None
    assert explored(instance(), anything, way_on=True) is not None  # the end is no such place


@pytest.mark.parametrize("limit", ["MOST_POSITIONS", "MOST_EVENTS"])
def test_what_is_too_much_is_not_decided(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events = 0

    def counted(*given: Any) -> list[TakenTransition]:
        nonlocal events
        events += 1
        return apply(*given)

    monkeypatch.setattr(exploration, "apply", counted)
    game = instance()
    positions = explored(game, anything, way_on=True)
    assert positions is not None
    enough = positions if limit == "MOST_POSITIONS" else events
    monkeypatch.setattr(exploration, limit, enough)
    assert explored(game, anything, way_on=True) == positions
    monkeypatch.setattr(exploration, limit, enough - 1)
    assert explored(game, anything, way_on=True) is None


def test_a_game_with_moves_that_are_only_proposed_is_not_gone_through() -> None:
    text = WALK.replace(
        "        phase = thrown", '        phase = thrown\n    propose one "one": 1', 1
    )
    assert explored(instance(text), anything, way_on=False) is None


def test_where_rules_have_no_value_nothing_is_decided() -> None:
    text = WALK.replace("at + by <= 6", "true").replace("at >= 5", "at >= 6")  # to seven, even
    assert explored(instance(text), anything, way_on=False) is None


def test_the_limits_are_such_that_it_stays_a_matter_of_seconds() -> None:
    assert exploration.MOST_POSITIONS <= 1_500 and exploration.MOST_EVENTS <= 12_000
