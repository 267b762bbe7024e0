"""Playing at random: what comes up by itself is found at once, and made shorter."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.prove.search.random_search import play_at_random, shortened
from rulewright.prove.search.replay_witness import replay
from rulewright.prove.search.search_goals import OBLIGED, DeadlockGoal, PropertyGoal
from rulewright.resources import bundled_games


def spec_of(name: str) -> Spec:
    spec = check_text(name, bundled_games()[name].read_text("utf-8")).spec
    assert spec is not None
    return spec


def targets(spec: Spec, *names: str) -> list[PropertyGoal]:
    return [PropertyGoal(each, broken=False) for each in spec.properties if each.name in names]


@pytest.mark.parametrize(
    ("name", "players", "wanted"),
    [
        ("twenty_one", 6, ("two_finish", "mid_row_end")),
        ("qwixx", 4, ("begun_later", "fifth_then_lock", "locked_together")),
    ],
)
def test_what_is_possible_comes_up(name: str, players: int, wanted: tuple[str, ...]) -> None:
    spec = spec_of(name)
    instance = Instance(spec, players)
    sought = targets(spec, *wanted)
    found = play_at_random(instance, sought, 20.0)
    for target in sought:
        (game,) = found[target.name]
        assert target.met(instance, {}, dict(game.end))
        shorter = shortened(instance, target, game)
        assert len(shorter.events) <= len(game.events)
        again = replay(instance, target, dict(shorter.start), shorter.events)
        assert again == shorter


def test_what_has_nothing_to_do_with_a_witness_is_left_out() -> None:
    spec = spec_of("qwixx")
    instance = Instance(spec, 2)
    (target,) = targets(spec, "fifth_then_lock")
    (game,) = play_at_random(instance, [target], 20.0, detours=0)[target.name]
    assert len(shortened(instance, target, game).events) < len(game.events)


COUNT = """game count "Count"
    players 2..2

phase play, over final

state
    count: 0..9 = 0

move add by p in play
    {needs}
    does
        count += 1

invariant few "few": count <= 5
"""


@pytest.mark.parametrize(
    ("needs", "name", "length"),
    [("", "safe", 10), ('needs more "more": count < 4', "goes_on", 4), ("", "few", 6)],
)
def test_what_breaks_a_game_comes_up(needs: str, name: str, length: int) -> None:
    spec = check_text("count", COUNT.format(needs=needs)).spec
    assert spec is not None
    target = OBLIGED.get(name) or PropertyGoal(spec.properties[0], broken=True)
    (game,) = play_at_random(Instance(spec, 2), [target], 5.0)[name]
    assert len(game.events) == length


class Unseen(DeadlockGoal):
    """What the evaluator never sees."""

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return False


def test_what_the_evaluator_sees_otherwise_is_given_up() -> None:
    spec = check_text("count", COUNT.format(needs='needs more "more": count < 4')).spec
    assert spec is not None
    assert play_at_random(Instance(spec, 2), [Unseen()], 5.0) == {"goes_on": []}
