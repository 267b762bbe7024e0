"""Where seats are alike, turning the table changes nothing; else every seat is asked about."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from checker.front import check_text
from checker.meaning import types as y
from checker.meaning.core import Spec
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.listing import legal_moves
from checker.play.rules import broken_always, broken_invariants, failing, take
from checker.play.values import Bag, Position, make_map
from checker.prove.ground import Setting
from checker.prove.job import jobs_for
from checker.prove.sample import positions
from checker.prove.symmetry import seats_alike
from checker.resources import bundled_specs


def spec_of(name: str, *changes: tuple[str, str]) -> Spec:
    text = bundled_specs()[name].read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    spec = check_text(name, text).spec
    assert spec is not None
    return spec


def turned(value: Any, type: y.Type, instance: Instance) -> Any:
    """The value after everybody has moved one seat to the left."""
    match type:
        case y.Player():
            return value % instance.players + 1
        case y.Option(inner=inner):
            return None if value is None else turned(value, inner, instance)
        case y.Set(element=element):
            return frozenset(turned(each, element, instance) for each in value)
        case y.Bag(element=element):
            pairs = {turned(each, element, instance): value[each] for each in value}
            return Bag.counted(pairs)
        case y.Map(key=key, value=inside):
            moved = {turned(k, key, instance): turned(value[k], inside, instance) for k in value}
            return make_map(type, instance, moved.__getitem__)
        case _:
            return value


def turned_position(position: Position, instance: Instance) -> Position:
    types = {name: each.type for name, each in instance.variables.items()}
    return {name: turned(value, types[name], instance) for name, value in position.items()}


def turned_event(event: Event, instance: Instance) -> Event:
    params = {each.name: each.type for each in instance.transitions[event.name].params}
    moved = {name: turned(each, params[name], instance) for name, each in event.arguments.items()}
    return Event(event.name, turned(event.by, instance.player, instance), moved)


@pytest.mark.parametrize(("name", "players"), [("qwixx", 3), ("pig", 4)])
def test_turning_the_table_changes_nothing(name: str, players: int) -> None:
    spec = spec_of(name)
    assert seats_alike(spec)
    instance = Instance(spec, players)
    random = Random(1)
    checked = 0
    for position in positions(instance)[:60]:
        other = turned_position(position, instance)
        assert not broken_invariants(instance, other)
        moves = list(islice(legal_moves(instance, position), 30))
        if not moves:
            continue
        event = random.choice(moves)
        moved = turned_event(event, instance)
        assert not failing(instance, other, moved)
        transition = instance.transitions[event.name]
        here = take(instance, position, transition, event)
        there = take(instance, other, transition, moved)
        assert there.after == turned_position(here.after, instance)
        assert not broken_always(instance, there)
        checked += 1
    assert checked > 10


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p == active", "p <= active"),
        ("total = 0\n", "total = 0\n    for q: Player:\n        points[q] += 0\n"),
        ("(count p: Player: wins(p)) <= 1", "all p, q: Player: p < q implies not wins(q)"),
    ],
    ids=["compared", "in order", "ordered"],
)
def test_a_spec_that_minds_seats_is_asked_about_each(old: str, new: str) -> None:
    spec = spec_of("pig", (old, new))
    assert not seats_alike(spec)
    jobs = jobs_for(spec, Setting(3, (), None), first=False)
    assert [each.fixed for each in jobs if each.subject == "hold"] == [
        (("p", 1),), (("p", 2),), (("p", 3),),
    ]  # fmt: skip


def test_otherwise_the_first_seat_stands_for_all() -> None:
    jobs = jobs_for(spec_of("pig"), Setting(3, (), None), first=False)
    assert [each.fixed for each in jobs if each.subject == "hold"] == [(("p", 1),)]
