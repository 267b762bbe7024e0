"""Small games: all their positions are gone through where an induction does not do."""

from __future__ import annotations

from typing import Any

import pytest

from checker.front import check_text
from checker.play.instance import Instance
from checker.prove import everywhere
from checker.prove.everywhere import look_everywhere
from checker.prove.target import OBLIGED, Target

LAPS = """game laps "Laps"
    players 1..1
type Field = 0..10
phase go, rest final
state
    at: Field = 0
    speed: 1..3 = 1
move walk by p in go "walk on"
    does at = (at + 4 * speed) % 11
move push by p in go "go faster"
    needs slow "not too fast": at == 4 and speed < 3
    does speed += 1
invariant never_ten "ten is passed over at this speed": at == 10 implies speed != 2
invariant slow "nobody goes faster than this": speed < 3
possible first "as far as three": at == 3
"""


def instance(text: str = LAPS) -> Instance:
    spec = check_text("laps.rules", text).spec
    assert spec is not None
    return Instance(spec, 1)


def target(game: Instance, name: str) -> Any:
    property = next(each for each in game.spec.properties if each.name == name)
    return Target(property, broken=property.kind != "possible")


def test_the_game_is_the_shortest() -> None:
    game = instance()
    found = look_everywhere(game, target(game, "slow"), 5.0)
    assert found is not None and found.game is not None and found.game.shortest
    assert [each.name for each in found.game.events] == ["walk", "push", "push"]


def test_what_no_position_shows_is_proved() -> None:
    game = instance(LAPS.replace("speed < 3\n    does", "speed < 1\n    does"))
    found = look_everywhere(game, target(game, "slow"), 5.0)
    assert found is not None and found.complete and (found.turns, found.unit) == (11, "position")


def test_where_nothing_follows_counts_as_well() -> None:
    stopping = LAPS.replace("does at =", 'needs short "not from eight": at != 8\n    does at =')
    found = look_everywhere(instance(stopping), OBLIGED["goes_on"], 5.0)
    assert found is not None and found.game is not None
    assert [each.name for each in found.game.events] == ["walk", "walk"]


def test_too_many_positions_are_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(everywhere, "MOST_POSITIONS", 5)
    game = instance(LAPS.replace("speed < 3\n    does", "speed < 1\n    does"))
    assert look_everywhere(game, target(game, "slow"), 5.0) is None


def test_moves_that_are_only_proposed_are_left_to_others() -> None:
    game = instance(
        LAPS.replace("type Field", "type Spot = grid 2 x 1\ntype Field")
        + """
move put(b[Spot]: Field?) by p in go "put"
    propose one "one" for n: Field: [A1: n, else: none]
"""
    )
    assert look_everywhere(game, target(game, "slow"), 5.0) is None
