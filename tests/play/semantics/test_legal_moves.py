"""The listed moves are exactly those that nothing refuses."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rulewright.play.io.notation import write_line
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import is_stuck, legal_events, legal_moves
from rulewright.play.semantics.rules import failing
from rulewright.play.semantics.values import make_map
from tests.meaning.states import LARGEST_SEED, any_position, instances
from tests.play.games import game, random_play, small


def all_values(type, instance):
    """Every value of a type, worked out without any pruning."""
    from rulewright.meaning import types as y

    if not isinstance(type, y.Map):
        return list(instance.order(type))
    keys = list(instance.order(type.key))
    inside = all_values(type.value, instance)
    return [
        make_map(type, instance, dict(zip(keys, chosen)).__getitem__)
        for chosen in product(inside, repeat=len(keys))
    ]


def by_brute_force(instance: Instance, position, kind="move") -> list[Event]:
    """Every choice of mover and arguments that no requirement refuses."""
    found = []
    for transition in instance.of_kind(kind):
        movers = range(1, instance.players + 1) if kind == "move" else [None]
        domains = [all_values(param.type, instance) for param in transition.params]
        for by, *chosen in product(movers, *domains):
            names = [param.name for param in transition.params]
            event = Event(transition.name, by, dict(zip(names, chosen)))
            if not failing(instance, position, event):
                found.append(event)
    return found


@settings(max_examples=40)
@given(instances(), some.integers(0, LARGEST_SEED))
def test_listed_are_the_moves_that_nothing_refuses(instance, seed):
    position = any_position(instance, seed)
    assert list(legal_moves(instance, position)) == by_brute_force(instance, position)
    for transition in instance.of_kind("chance"):
        listed = list(legal_events(instance, position, transition))
        brute = [e for e in by_brute_force(instance, position, "chance")
                 if e.name == transition.name]  # fmt: skip
        assert listed == brute


@pytest.mark.parametrize(("name", "players"), [("pig", 3), ("qwixx", 3)])
def test_the_same_along_a_game(name, players):
    instance = game(name, players)
    for _, position in random_play(instance, 2, 60)[::7]:
        assert list(legal_moves(instance, position)) == by_brute_force(instance, position)


def test_moves_come_in_the_order_of_file_players_and_parameters():
    instance = small("""
        phase play, over final
        state
            n: 0..9 = 1
        move second(a: 1..2, b: Bool) by p in play
            needs first_two: p <= 2
        move first by p in play
            needs last: p == 3
    """, 3)  # fmt: skip
    lines = [
        write_line(each, instance) for each in legal_moves(instance, initial_position(instance))
    ]
    assert lines == [
        "1 plays second(a = 1, b = false)", "1 plays second(a = 1, b = true)",
        "1 plays second(a = 2, b = false)", "1 plays second(a = 2, b = true)",
        "2 plays second(a = 1, b = false)", "2 plays second(a = 1, b = true)",
        "2 plays second(a = 2, b = false)", "2 plays second(a = 2, b = true)",
        "3 plays first",
    ]  # fmt: skip


PROPOSED = """
    type Square = grid 30 x 40
    phase play, over final
    state
        stones[Square]: Player? = none
    move lay(table[Square]: Player?, loud: Bool) by p in play
        needs one_more: size(occupied(table)) == size(occupied(stones)) + 1
        needs own: tally(table)[p] == tally(stones)[p] + 1
        needs quiet: not loud
        propose corner for s in {A1, B1}: stones with [s] = p
        propose again for s in {B1, C1}: stones with [s] = p
        propose nothing: stones
        does stones = table
"""


def test_moves_with_proposals_are_listed_by_them():
    instance = small(PROPOSED)
    position = initial_position(instance)
    moves = list(legal_moves(instance, position))
    assert [(move.by, dict(move.arguments["table"].entries)) for move in moves] == [
        (player, {square: player}) for player in (1, 2) for square in ("A1", "B1", "C1")
    ]
    other = Event("lay", 1, {"table": dict(moves[0].arguments["table"]), "loud": False})
    other.arguments["table"].update(A1=None, AD40=1)
    assert failing(instance, position, other) == [], "what is legal need not be proposed"


def test_a_move_with_too_many_choices_asks_for_proposals(many_choices):
    instance = small(PROPOSED.replace("propose", "# propose"))
    with pytest.raises(UsageError, match="`table` has too many possible values"):
        list(legal_moves(instance, initial_position(instance)))


def test_a_requirement_without_a_value_stops_the_listing_unless_another_refuses():
    text = """
        phase play, over final
        state
            n: 0..9 = 1
        move divide(a: 0..2) by p in play
            needs whole: 6 / a == 3
    """
    instance = small(text)
    with pytest.raises(EvaluationError, match="divided by zero"):
        list(legal_moves(instance, initial_position(instance)))
    instance = small(text + "        needs positive: a > 0\n")
    assert len(list(legal_moves(instance, initial_position(instance)))) == 2


def test_a_position_without_a_way_on_is_found():
    instance = small("""
        phase play, over final
        state
            n: 0..3 = 0
        move up by p in play
            needs low: n < 2
            does n += 1
        chance luck in play
            needs none_left: n == 1
    """)
    begin = initial_position(instance)
    assert not is_stuck(instance, begin)
    assert not is_stuck(instance, {**begin, "n": 1})
    assert is_stuck(instance, {**begin, "n": 2})
    assert not is_stuck(instance, {**begin, "n": 2, "phase": "over"})
