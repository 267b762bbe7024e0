"""What of a game is left when events are left out of it."""

from __future__ import annotations

from rulewright.conform.report.shrink import _as_far_as_legal
from rulewright.conform.stages.lockstep import EngineGame
from rulewright.play.semantics.instance import Configuration

DICE = {"red": 6, "yellow": 3, "green": 3, "blue": 3}
THROW = {"chance": "throw", "args": {"w": [[1, 4], [2, 1]], "d": DICE}}


def does(move: str, by: int) -> dict[str, object]:
    return {"move": move, "by": by, "args": {}}


def test_without_a_turn_what_follows_is_the_turn_of_others(game):
    oracle = game("qwixx").oracle(Configuration(2, (), None))
    second = [THROW, does("pass_sum", 1), does("pass_sum", 2), does("pass_colour", 2)]
    events = tuple(oracle.parse(each) for each in second)
    last = oracle.parse({"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 9}})
    left, refused = _as_far_as_legal(EngineGame(oracle, oracle.first, False, events, last))
    assert left.events == events[:3]
    left, refused_then = _as_far_as_legal(
        EngineGame(oracle, oracle.first, False, events, last), by_others=True
    )
    assert [oracle.event_json(each)["by"] for each in left.events[1:]] == [1, 2, 1]
    assert refused and refused_then
