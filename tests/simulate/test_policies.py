"""Policies: each plays as it says, and by the rules."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import replay
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State, compiled_game
from rulewright.simulate.search.playthrough import (
    LONG,
    NO_VALUE,
    NOTHING,
    SEEN,
    UNCHOSEN,
    Observer,
    Playthrough,
)
from rulewright.simulate.search.policies import Biased, Directed, Following, Policy, uniform
from rulewright.syntax.node import NOWHERE

RULES = """game paths "Paths"
    players 2..2

phase play, over final

state
    at: 0..9 = 0
    taken[1..4]: Player? = none

move walk by p in play
    does at += 1

move take(where: 1..4) by p in play
    needs free "nobody is there": taken[where] == none
    does taken[where] = p

step ends in play
    when far "far enough": at == {end}
    does phase = over
"""


def game(end: int = 8) -> CompiledGame:
    spec = check_text("paths", RULES.format(end=end)).spec
    assert spec is not None
    return compiled_game(Instance(spec, 2))


def played(policy: Policy, longest: int = 100, end: int = 8) -> tuple[Playthrough, str]:
    rules = game(end)
    one = Playthrough(rules, rules.begin())
    return one, one.play(policy, Observer(), longest)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("biased", [False, True])
def test_games_go_by_the_rules_to_their_end(seed: int, biased: bool) -> None:
    random = Random(seed)
    one, ended = played(Biased(game(), random) if biased else uniform(random))
    assert ended == NOTHING and one.game.is_final(one.state)
    events = [one.game.decode(each) for each in one.events]
    *_, last = replay(one.game.instance, one.game.position(one.start), events)
    assert last[-1].after == one.game.position(one.state)


def test_a_biased_game_has_less_of_some_moves() -> None:
    def shares(policy: Policy) -> list[float]:
        one, _ = played(policy, longest=12)
        return [sum(event[:2] == (0, seat) for event in one.events) / 12 for seat in (1, 2)]

    biased = [share for seed in range(30) for share in shares(Biased(game(), Random(seed)))]
    plain = [share for seed in range(30) for share in shares(uniform(Random(seed)))]
    assert max(biased) > max(plain)


def test_a_game_is_followed_where_it_may_be() -> None:
    rules = game()
    walk, take = (0, 1), (1, 2, 3)
    wished: list[Happening] = [walk, take, take, walk]
    one = Playthrough(rules, rules.begin())
    one.play(Following(wished, Random(1)), Observer(), 3)
    assert one.events[:2] == [walk, take]
    assert one.events[2] != take  # nobody can take it twice


def test_a_directed_game_comes_to_its_goal_by_the_shortest_way() -> None:
    rules = game()
    goal = rules.begin()
    for event in ((0, 1), (0, 2), (1, 2, 3)):
        goal = rules.apply(goal, event)
    one, ended = played(Directed(rules, goal, Random(0)))
    assert (one.state, len(one.events), ended) == (goal, 3, NOTHING)


class Watch(Observer):
    """Has seen enough where somebody has walked so far."""

    def __init__(self, rules: CompiledGame, far: int) -> None:
        self.rules = rules
        self.far = far
        self.told: list[str] = []

    def chosen(self, state: State, event: Happening) -> None:
        self.told.append("chosen")

    def passed(self, transition: c.Transition, before: State, after: State) -> bool:
        self.told.append(transition.name)
        return bool(self.rules.position(after)["at"] == self.far)

    def settled(self, event: Happening, state: State) -> None:
        self.told.append("settled")


def test_an_observer_is_told_in_order_and_ends_the_game() -> None:
    rules = game(end=2)
    one, watch = Playthrough(rules, rules.begin()), Watch(rules, far=9)
    assert one.play(Following([(0, 1), (0, 1)], Random(0)), watch, 5) == NOTHING
    assert watch.told == ["chosen", "walk", "settled", "chosen", "walk", "ends", "settled"]
    one, watch = Playthrough(rules, rules.begin()), Watch(rules, far=1)
    assert one.play(Following([(0, 1), (0, 1)], Random(0)), watch, 5) == SEEN
    assert watch.told == ["chosen", "walk"]


def test_a_game_says_why_it_ended() -> None:
    walk: Happening = (0, 1)
    assert played(lambda *_: walk, longest=3)[1] == LONG
    one, ended = played(lambda *_: walk, end=0)  # nothing ends it, and there is no tenth place
    assert (ended, len(one.events)) == (NO_VALUE, 10)
    assert one.error is not None

    def at_a_loss(rules: CompiledGame, state: State) -> Happening | None:
        raise EvaluationError("no way to choose", NOWHERE)

    assert played(at_a_loss)[1] == UNCHOSEN
