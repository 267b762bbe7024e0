"""Who is first does not matter, if that is what is said."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.ledger import entry
from rulewright.kernel.outcome import Outcome
from rulewright.meaning.core import Spec
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.rules import apply
from rulewright.play.semantics.values import Position, frozen
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions

HEAD = """game both "Both"
    players 2..2

phase play simultaneous, later, over final

state
    open: Bool = false
    bell: Bool = false
    first: Player? = none
    each Player
        count: 0..2 = 0

"""
DONE = """step done in play "all have answered"
    when everyone "everyone": all p: Player: p in answered
    does phase = over

"""
ADD = """move add by p in play "add"
    does count[p] = 1

"""
OPEN = """move unlock by p in play "open the door"
    does open = true

"""
ENTER = """move enter by p in play "go through the door"
    needs way "the door is open": open
    does count[p] = 2

"""
TWO = Configuration(2, (), None)


def spec_of(body: str) -> Spec:
    checked = check_text("both", HEAD + body)
    assert checked.spec is not None, checked.diagnostics
    return checked.spec


def outcomes_of(spec: Spec) -> list[Outcome]:
    return Worker({None: spec}, ProverOptions(5), Cache(None)).run(Job(TWO, "order"))


def same(body: str) -> bool:
    """Whether it is shown that it does not matter who is first."""
    spec = spec_of(body)
    found = entry(spec, 2, "order", "order", outcomes_of(spec)).rests is not None
    assert not found or in_any_order(spec) == in_seat_order(spec)
    return found


# ---- the truth: everything that can be played, in any order and in seat order


def in_any_order(spec: Spec) -> set[object]:
    return set(_ends(Instance(spec, 2), None))


def in_seat_order(spec: Spec) -> set[object]:
    """What comes of it if the first player answers first, whenever both can be asked."""
    return set(_ends(Instance(spec, 2), 1))


def _ends(instance: Instance, first: int | None) -> Iterator[object]:
    for start in initial_positions(instance):
        yield from _from(instance, start, first)


def _from(instance: Instance, position: Position, first: int | None) -> Iterator[object]:
    moves = list(legal_moves(instance, position)) if position["phase"] == "play" else []
    if not moves:
        yield tuple(frozen(value) for value in position.values())
    early = first is not None and not position["answered"]
    for move in moves:
        if not early or move.by == first:
            yield from _from(instance, apply(instance, position, move)[-1].after, first)


# ---- tests


def test_moves_that_touch_only_ones_own_are_the_same_in_any_order() -> None:
    assert same(ADD + DONE)
    assert same(ADD + OPEN + DONE)


def test_a_move_that_takes_away_another_matters() -> None:
    only_one = ENTER.replace("open\n", "first == none\n").replace("count[p] = 2", "first = p")
    assert not same(ADD + only_one + DONE)


def test_a_move_that_changes_what_another_does_matters() -> None:
    assert not same(ADD.replace("count[p] = 1", "count[p] = (2 if open else 1)") + OPEN + DONE)


@pytest.mark.parametrize("moves", [OPEN + ENTER, ENTER + OPEN], ids=["first", "last"])
def test_a_move_that_makes_another_legal_matters(moves: str) -> None:
    """Where both are allowed, either may be first; but one is allowed only after the other."""
    body = ADD + moves + DONE
    assert not same(body)
    assert in_any_order(spec_of(body)) != in_seat_order(spec_of(body))
    failing = [each for each in outcomes_of(spec_of(body)) if each.result == "sat"]
    assert failing and all("unlock" in each.note and "enter" in each.note for each in failing)
    for each in failing:
        assert each.position is not None and each.position["open"] is False
        assert {event.name for event in each.events} == {"unlock", "enter"}
        assert {event.by for event in each.events} == {1, 2}


def test_a_door_that_is_open_anyway_makes_nothing_legal() -> None:
    spec = spec_of(ADD + OPEN + ENTER + DONE + 'invariant opened "it is open": open\n')
    outcomes = outcomes_of(spec)
    assert entry(spec, 2, "order", "order", outcomes).rests == frozenset({
        ("opened", "invariant"), ("safe", "safety"), ("steps_stop", "steps"),
    })  # fmt: skip


RING = """move ring by p in play "ring"
    needs own "it is their bell": first == p
    does bell = true

"""
OPENS = """step opens in play "the door opens"
    when rung "it was rung": bell and not open
    does open = true

"""


def test_a_move_that_makes_another_legal_by_a_step_matters() -> None:
    """Only one player can ring, and nobody else can do anything before."""
    body = RING + OPENS + ENTER + DONE
    assert not same(body)
    failing = [each for each in outcomes_of(spec_of(body)) if each.result == "sat"]
    assert {each.note for each in failing} == {"ring and enter"}
    assert same(RING + ENTER + DONE)  # the bell alone opens nothing


def test_a_step_between_two_moves_matters() -> None:
    """Both are allowed at first, and after a step between them neither is what it was."""
    shuts = OPENS.replace("bell and not open", "count[1] + count[2] == 1 and not bell")
    assert not same(ADD + shuts.replace("open = true", "bell = true") + DONE)


def test_what_is_legal_only_in_another_phase_has_no_order() -> None:
    """After the first move nobody is asked any more, so nobody moves in another order."""
    leaves = OPEN.replace(
        "    does open = true", "    does\n        open = true\n        phase = later"
    )
    later = ENTER.replace("in play", "in later")
    spec = spec_of(leaves + later)
    assert entry(spec, 2, "order", "order", outcomes_of(spec)).rests is None  # who is first leaves
    assert same(ADD + later + DONE)


def test_a_pair_that_was_not_asked_about_leaves_it_open() -> None:
    spec = spec_of(ADD + OPEN + DONE)
    outcomes = outcomes_of(spec)
    assert len(outcomes) == 3  # both add, both open, one adds and one opens
    for place in range(3):
        left = [*outcomes[:place], *outcomes[place + 1 :]]
        assert entry(spec, 2, "order", "order", left).open


# ---- games at random

NEEDS = (
    "true", "true", "true", "count[p] == 0", "count[p] == 0", "open", "not open", "bell",
    "first == none", "count[left_of(p)] == 0", "open or bell",
)  # fmt: skip
DOES = (
    "open = true", "open = true", "bell = true", "bell = true", "count[p] = 1", "count[p] = 2",
    "open = not open", "first = p", "count[p] = count[left_of(p)]", "bell = open",
)  # fmt: skip


def _at_random(random: Random) -> Spec:
    """A game with a few moves, and a step or none that comes in between."""
    lines = []
    for number in range(random.randint(1, 3)):
        lines.append(f'move m{number} by p in play "a move"')
        lines.append(f'    needs so "so": {random.choice(NEEDS)}')
        does = {each.split()[0]: each for each in random.sample(DOES, random.randint(1, 2))}
        lines += ["    does", *(f"        {each}" for each in does.values()), ""]
    if random.random() < 0.4:
        when, then = random.choice((("bell and not open", "open = true"), ("open", "open = false"),
                                    ("open and not bell", "bell = true")))  # fmt: skip
        lines += ['step between in play "in between"', f'    when so "so": {when}']
        lines += [f"    does {then}", ""]
    return spec_of("\n".join(lines) + DONE)


def test_of_games_at_random_order_is_shown_only_where_there_is_none() -> None:
    found = {True: 0, False: 0}
    for seed in range(70):
        spec = _at_random(Random(seed))
        shown = entry(spec, 2, "order", "order", outcomes_of(spec)).rests is not None
        try:
            alike = in_any_order(spec) == in_seat_order(spec)
        except EvaluationError:
            continue
        assert alike or not shown, seed
        found[shown] += 1
    assert found[True] >= 10 and found[False] >= 10


@pytest.mark.parametrize("players", [2, 3])
def test_every_pair_of_moves_by_every_pair_of_players_is_asked_about(players: int) -> None:
    text = (HEAD + ADD + OPEN + DONE).replace("players 2..2", "players 2..3")
    spec = check_text("both", text).spec
    assert spec is not None
    outcomes = Worker({None: spec}, ProverOptions(5), Cache(None)).run(
        Job(Configuration(players, (), None), "order")
    )
    covered = {each for told in outcomes for each in told.covers}
    pairs = players * (players - 1)
    assert len(covered) == pairs // 2 * 2 + pairs  # of the same move once, of different ones twice
    assert entry(spec, players, "order", "order", outcomes).rests is not None
