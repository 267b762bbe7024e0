"""Where seats are alike, turning the table changes nothing; else every seat is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from rulewright.frontend import check_text
from rulewright.kernel import ranking
from rulewright.kernel.obligations import Obligation, pairs
from rulewright.kernel.outcome import SolverResult
from rulewright.kernel.query import Query
from rulewright.kernel.refutation import Problem
from rulewright.kernel.symmetry import seats_alike, to_all_alike
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.core import Spec
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import broken_always, broken_invariants, failing, take
from rulewright.play.semantics.values import BagValue, Position, make_map
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker, jobs_for
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.resources import bundled_specs
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.smt.solver.solver import SolverAnswer
from rulewright.syntax.node import NOWHERE
from rulewright.vc.commutation import commuting
from rulewright.vc.context import ProofContext


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
            return BagValue.counted(pairs)
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
    machine, random = CompiledGame(instance), Random(1)
    state = machine.begin(random)
    while (event := machine.choose(state, random)) is not None:
        yield machine.position(state), machine.decode(event)
        state = machine.apply(state, event)


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
    jobs = jobs_for(spec, Configuration(3, (), None), first=False)
    assert [each.fixed for each in jobs if each.subject == "hold"] == [
        (("p", 1),), (("p", 2),), (("p", 3),),
    ]  # fmt: skip


class _NewNode(c.Core):
    """Something that the language may learn one day."""


def test_what_the_rule_does_not_know_minds_seats() -> None:
    spec = spec_of("pig")
    assert to_all_alike(spec, spec.functions)
    assert not to_all_alike(spec, (*spec.functions, _NewNode(NOWHERE)))


def test_the_same_for_all_players_is_nothing_in_order() -> None:
    loop = "total = 0\n    for q: Player:\n        points[{}] = {}\n"
    assert seats_alike(spec_of("pig", ("total = 0\n", loop.format("q", "0"))))
    assert not seats_alike(spec_of("pig", ("total = 0\n", loop.format("q", "points[left_of(q)]"))))
    assert not seats_alike(spec_of("pig", ("total = 0\n", loop.format("active", "0"))))


def test_otherwise_the_first_seat_stands_for_all() -> None:
    jobs = jobs_for(spec_of("pig"), Configuration(3, (), None), first=False)
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
        worker = Worker({None: spec}, ProverOptions(10), Cache(None))
        jobs = jobs_for(spec, Configuration(2, (), None), first=False)
        outcomes = [each for job in jobs if job.kind == "preserved" for each in worker.run(job)]
        return {each.result for each in outcomes if each.name == name}

    assert "sat" in results()
    monkeypatch.setattr(ProofContext, "minds_order", lambda *_: False)
    assert results() == {"unsat"}  # what it would be if the first seat stood for all


@pytest.mark.parametrize(("players", "times"), [(2, 3), (3, 4), (6, 11)])
def test_two_moves_are_asked_about_once_however_the_table_is_turned(
    players: int, times: int
) -> None:
    context = ProofContext(spec_of("twenty_one"), Configuration(players, (), None))
    asked = [goal.covers for query in commuting(context, settled=True) for goal in query.goals]
    assert len(asked) == times
    covered = [each for covers in asked for each in covers]
    every = list(pairs(context.spec, players))
    assert len(covered) == len(every) and set(covered) == set(every)
    for first, *others in asked:
        for each in others:
            assert (each.transition, each.other) == (first.transition, first.other)
            by = {(mine - yours) % players for mine, yours in zip(_seats(each), _seats(first))}
            crossed = zip(_seats(each), reversed(_seats(first)))
            other_way = {(mine - yours) % players for mine, yours in crossed}
            assert len(by) == 1 or (each.transition == each.other and len(other_way) == 1)


def _seats(pair: Obligation) -> tuple[int, int]:
    return pair.seat, pair.other_seat


MARKING = """game marking "Marking"
    players 3..3

phase play simultaneous, over final

state
    each Player
        marked: Bool = false

move mark by p in play "mark"
    needs {needed}
    does marked[p] = true

step done in play "all have answered"
    when everyone "everyone": all p: Player: p in answered
    does phase = over
"""


@pytest.mark.parametrize(
    ("needed", "times"),
    [('own "not marked": not marked[p]', 1), ('first "one of two": p <= 2', 3)],
    ids=["alike", "not alike"],
)
def test_every_pair_of_seats_is_asked_about_unless_they_are_alike(needed: str, times: int) -> None:
    spec = check_text("marking", MARKING.format(needed=needed)).spec
    assert spec is not None
    context = ProofContext(spec, Configuration(3, (), None))
    asked = [goal.covers for query in commuting(context, settled=True) for goal in query.goals]
    assert len(asked) == times
    assert {each for covers in asked for each in covers} == set(pairs(spec, 3))


TAKING = """game taking "Taking"
    players 2..3

phase play

state
    each Player
        left: 0..3 = 3

move take by p in play "take one"
    needs some_left "something is left": left[p] > 0
    does left[p] -= 1

ends soon by (MEASURE) at play
"""


def taking(measure: str) -> Spec:
    spec = check_text("taking", TAKING.replace("MEASURE", measure)).spec
    assert spec is not None and seats_alike(spec)
    return spec


def ends_soon(spec: Spec) -> set[str]:
    worker = Worker({None: spec}, ProverOptions(10), Cache(None))
    return {each.result for each in worker.run(Job(Configuration(2, (), None), "ends", "soon"))}


@pytest.mark.parametrize(("measure", "moves"), [("sum p: Player: left[p]", 1), ("left[1]", 3)])
def test_the_first_player_stands_for_all_if_the_measure_is_the_same_to_all(
    measure: str, moves: int
) -> None:
    spec = taking(measure)
    asked = []

    def noted(query: Query, problems: Sequence[Problem], kind: str) -> list[SolverResult]:
        asked.append(query.label)
        for each in problems:
            each.ask(each.question(), lambda _: SolverAnswer("unsat"))
        return [SolverResult("unsat", None, 0.0) for _ in problems]

    context = ProofContext(spec, Configuration(3, (), None))
    found = ranking.Ranking(context, spec.ends[0], True, noted).ends_by((), ())
    assert found is not None and found.used == ()
    # that it is never negative; of each move that it does not rise, and that it falls
    assert asked == ["soon"] + 2 * moves * ["take"]


def test_a_chance_event_that_minds_seats_is_asked_about_whoever_is_active() -> None:
    mindful = "active_crossed = left_of(active) <= active"
    spec = spec_of("qwixx", ("active_crossed = false", mindful))
    assert seats_alike(spec)  # chance is nobody's move
    worker = Worker({None: spec}, ProverOptions(10), Cache(None))
    results = {
        each.result for each in worker.run(Job(Configuration(2, (), None), "ends", "finite"))
    }
    assert "sat" in results and "unsat" not in results


def test_a_measure_that_minds_seats_is_asked_about_with_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = taking("left[1]")  # the move of any other leaves it as it is
    assert "unsat" not in ends_soon(spec)
    monkeypatch.setattr(ranking, "to_all_alike", lambda *_: True)
    assert ends_soon(spec) == {"unsat"}  # what it would be if the first player stood for all
