"""Where seats are alike, turning the table changes nothing; else every seat is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from checker.front import check_text
from checker.meaning import types as y
from checker.meaning.core import Spec
from checker.play.compiled import Machine
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.rules import broken_always, broken_invariants, failing, take
from checker.play.values import Bag, Position, make_map
from checker.prove import flow, measure
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.kernel.context import ProofContext, Setting
from checker.prove.job import Job, Worker, jobs_for
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


def played(instance: Instance) -> Iterator[tuple[Position, Event]]:
    """The positions of a random game, each with what happens next."""
    machine, random = Machine(instance), Random(1)
    state = machine.begin(random)
    while (event := machine.choose(state, random)) is not None:
        yield machine.position(state), machine.decode(event)
        machine.apply(state, event)


@pytest.mark.parametrize(
    ("name", "players"),
    [("qwixx", 3), ("pig", 4), ("twenty_one", 3), ("matte_kryss", 3), ("kubbar", 3)],
)
def test_turning_the_table_changes_nothing(name: str, players: int) -> None:
    spec = spec_of(name)
    assert seats_alike(spec)
    instance = Instance(spec, players)
    moves = [each for each in played(instance) if each[1].by is not None]
    for position, event in moves[:: max(1, len(moves) // 12)]:
        other = turned_position(position, instance)
        assert not broken_invariants(instance, other)
        moved = turned_event(event, instance)
        assert not failing(instance, other, moved)
        transition = instance.transitions[event.name]
        here = take(instance, position, transition, event)
        there = take(instance, other, transition, moved)
        assert there.after == turned_position(here.after, instance)
        assert not broken_always(instance, there)
    assert len(moves) > 10


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


def test_the_same_for_all_players_is_nothing_in_order() -> None:
    loop = "total = 0\n    for q: Player:\n        points[{}] = {}\n"
    assert seats_alike(spec_of("pig", ("total = 0\n", loop.format("q", "0"))))
    assert not seats_alike(spec_of("pig", ("total = 0\n", loop.format("q", "points[left_of(q)]"))))
    assert not seats_alike(spec_of("pig", ("total = 0\n", loop.format("active", "0"))))


def test_otherwise_the_first_seat_stands_for_all() -> None:
    jobs = jobs_for(spec_of("pig"), Setting(3, (), None), first=False)
    assert [each.fixed for each in jobs if each.subject == "hold"] == [(("p", 1),)]


HIDING = """game hiding "Hiding"
    players 2..3

phase play, over final

table sign[1..2]: 0..1 "a sign"
    1 0

state
    each Player
        x: 1..3 = {initial}

move go by p in play
    needs {needed}
    does
        {done}

{more}
"""
IN_A_MOVE = HIDING.format(
    initial=3,
    needed='other "another has a sign": some q: Player: q == p or sign[x[q]] == 1',
    done="phase = over",
    more="",
)
"""The first player never asks for a sign, the second asks for that of the first."""
IN_AN_INVARIANT = HIDING.format(
    initial=1,
    needed='own "the player has the sign": x[p] == 1',
    done="x[left_of(p)] = 3",
    more='invariant signed "somebody has a sign": some q: Player: sign[x[q]] == 1\n',
)
"""With the first player's sign the search is over before the second's; not so the other way."""


@pytest.mark.parametrize(("text", "name"), [(IN_A_MOVE, "safe"), (IN_AN_INVARIANT, "signed")])
def test_a_seat_that_hides_a_hazard_does_not_stand_for_others(
    text: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = check_text("hiding", text).spec
    assert spec is not None and seats_alike(spec)

    def results() -> set[str]:
        worker = Worker({None: spec}, Effort(10), Cache(None))
        jobs = jobs_for(spec, Setting(2, (), None), first=False)
        outcomes = [each for job in jobs if job.kind == "preserved" for each in worker.run(job)]
        return {each.result for each in outcomes if each.name == name}

    assert "sat" in results()
    monkeypatch.setattr(ProofContext, "minds_order", lambda *_: False)
    assert results() == {"unsat"}  # what it would be if the first seat stood for all


@pytest.mark.parametrize(("players", "pairs"), [(2, 3), (3, 4), (6, 11)])
def test_two_moves_are_asked_about_once_however_the_table_is_turned(
    players: int, pairs: int
) -> None:
    ground = ProofContext(spec_of("twenty_one"), Setting(players, (), None))
    asked = [each.seats for each in flow.who_moves(ground) if each.stands_for_turned(players)]
    assert len(asked) == pairs
    every = {(way.moves, way.seats) for way in flow.who_moves(ground)}
    turned_ones = set()
    for way in flow.who_moves(ground):
        if way.stands_for_turned(players):
            for by in range(players):
                left, right = ((seat - 1 + by) % players + 1 for seat in way.seats)
                turned_ones |= {(way.moves, (left, right))}
                if way.moves[0] is way.moves[1]:
                    turned_ones |= {(way.moves, (right, left))}
    assert every <= turned_ones


CROSSED = "active_crossed = false"


def test_a_round_is_asked_about_with_the_first_player_active() -> None:
    ground = ProofContext(spec_of("qwixx"), Setting(3, (), None))
    (ends,) = ground.spec.ends
    assert measure.turned(ground, ends).state["active"] is ground.terms.number(1)


def test_a_round_in_which_chance_minds_seats_is_asked_about_with_each_active(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = spec_of("qwixx", (CROSSED, "active_crossed = left_of(active) <= active"))
    assert seats_alike(spec)  # chance is nobody's move

    def results() -> set[str]:
        worker = Worker({None: spec}, Effort(10), Cache(None))
        return {each.result for each in worker.run(Job(Setting(2, (), None), "ends", "finite"))}

    assert "sat" in results()
    monkeypatch.setattr(measure, "to_all_alike", lambda *_: True)
    assert results() == {"unsat"}  # what it would be if the first player stood for all
