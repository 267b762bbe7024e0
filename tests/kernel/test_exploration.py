"""What is called explored was gone through whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from rulewright.frontend import check_text
from rulewright.kernel import exploration
from rulewright.kernel.exploration import explored
from rulewright.meaning import core as c
from rulewright.play.semantics.evaluate import Environment
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


def claimed(kind: str, claim: str, text: str = WALK) -> int | None:
    """What comes of one more property of a game."""
    game = instance(f'{text}{kind} more "more": {claim}\n')
    return explored(game, next(each for each in game.spec.properties if each.name == "more"))


def way_on(text: str = WALK) -> int | None:
    return explored(instance(text), None)


def said_of(
    game: Instance, monkeypatch: pytest.MonkeyPatch, holds: Callable[[Position, Position], bool]
) -> int | None:
    """What comes of a claim that holds where a function says so."""

    def evaluated(_: c.Expr, env: Environment) -> bool:
        assert env.now is not None
        return holds(env.before, env.now)

    monkeypatch.setattr(exploration, "evaluate", evaluated)
    return explored(game, next(p for p in game.spec.properties if p.kind == "invariant"))


@pytest.mark.parametrize("players", [1, 2])
def test_every_position_is_looked_at_and_every_start(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = instance(players=players)
    seen: list[Position] = []

    def noted(before: Position, after: Position) -> bool:
        seen.append(after)
        return True

    assert said_of(game, monkeypatch, noted) == truth.explored(game).positions
    assert {each["at"] for each in seen} == set(range(7))
    assert {each["turn"] for each in seen if each["at"] == 0} == set(range(1, players + 1))
    assert {each["held"] for each in seen} == {
        frozenset(), frozenset({"black"}), frozenset({"white"}), frozenset({"black", "white"}),
    }  # fmt: skip


def test_one_position_that_is_otherwise_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    game, seen = instance(), set()

    def noted(before: Position, after: Position) -> bool:
        seen.add(tuple(after.items()))
        return True

    said_of(game, monkeypatch, noted)
    assert len(seen) > 20
    for position in list(seen):
        other = partial(_is_not, position)
        assert said_of(game, monkeypatch, other) is None


def _is_not(position: tuple[Any, ...], _: Position, after: Position) -> bool:
    return tuple(after.items()) != position


def test_positions_between_two_steps_are_looked_at() -> None:
    """What is passed is forgotten at once: only between two steps is it there."""
    assert claimed("invariant", "passed == 0") is None
    assert claimed("always", "old(passed) == 0") is None
    assert claimed("possible", "passed > 0") is None
    assert claimed("possible", "passed > 0 and phase == walking") is not None


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
    assert explored(instance(text), None, asking=True)
    harmed = text.replace(sound, harmful)
    if harmed == text:  # how a game has ended is asked for only when it has
        harmed += "\nfun score(p: Player): -6..6 = 6 / (at - 6)\n"
    found = explored(instance(harmed), None, asking=True)
    assert found is None


def test_the_position_before_is_the_one_before() -> None:
    assert claimed("always", "at - old(at) <= 2") is not None
    assert claimed("always", "at - old(at) <= 1") is None


def test_an_always_says_nothing_of_a_start() -> None:
    assert claimed("always", "at != old(at) or phase != walking or old(phase) == thrown")


def test_what_has_no_value_does_not_hold() -> None:
    assert claimed("invariant", "6 / (3 - at) != 99") is None
    assert claimed("possible", "6 / (3 - at) == 99") is not None


def test_where_there_is_no_way_on_it_does_not_go_on() -> None:
    blocked = WALK.replace("at + by <= 6", "at + by <= 6 and at != 4")
    assert claimed("invariant", "at <= 6", blocked) is not None
    assert way_on(blocked) is None
    assert way_on() is not None  # the end is no such place


@pytest.mark.parametrize("limit", ["MOST_POSITIONS", "MOST_EVENTS"])
def test_what_is_too_much_is_not_decided(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events = 0

    def counted(*given: Any) -> list[TakenTransition]:
        nonlocal events
        events += 1
        return apply(*given)

    monkeypatch.setattr(exploration, "apply", counted)
    game = instance()
    positions = explored(game, None)
    assert positions is not None
    enough = positions if limit == "MOST_POSITIONS" else events
    monkeypatch.setattr(exploration, limit, enough)
    assert explored(game, None) == positions
    monkeypatch.setattr(exploration, limit, enough - 1)
    assert explored(game, None) is None


def test_a_game_with_moves_that_are_only_proposed_is_not_gone_through() -> None:
    text = WALK.replace(
        "        phase = thrown", '        phase = thrown\n    propose one "one": 1', 1
    )
    assert claimed("invariant", "at >= 0", text) is None


def test_where_rules_have_no_value_nothing_is_decided() -> None:
    text = WALK.replace("at + by <= 6", "true").replace("at >= 5", "at >= 6")  # to seven, even
    assert claimed("invariant", "at >= 0", text) is None


def test_the_limits_are_such_that_it_stays_a_matter_of_seconds() -> None:
    assert exploration.MOST_POSITIONS <= 1_500 and exploration.MOST_EVENTS <= 12_000
