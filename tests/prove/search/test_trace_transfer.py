"""Games found under the default readings show the same under others, where they can be played."""

from __future__ import annotations

from rulewright.frontend import check_text
from rulewright.kernel.outcome import WitnessGame
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.run.proof_result import ProofResult
from rulewright.prove.run.prover import prove
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.search.search_goals import PropertyGoal
from rulewright.prove.search.trace_transfer import transfer_trace
from rulewright.prove.verdict.verdict import PROVED

TINY = """game tiny "Tiny"
    players 2..2

reading counting "From where is counted?"
    from_none "from nothing" default
    from_five "from five"

reading winning "Who wins?"
    last "who is last" default
    first "who is first"

phase play, over final

table worth[1..3]: 1..3
    1 2 3

state
    active: Player
    count: 0..9 = 5 if counting == from_five else 0

move add(by: 1..3) by p in play "add a few"
    needs turn "it is the player's turn": p == active
    needs room "there is room": count + worth[by] <= 9
    does
        count += worth[by]
        active = left_of(active)

step ends_here in play "the end"
    when full "it is full": count == 9
    does phase = over

possible three "three is reached": count == 3
possible nine "nine is reached": count == 9
"""


def _spec() -> Spec:
    spec = check_text("tiny.rules", TINY).spec
    assert spec is not None
    return spec


def _settings(*readings: tuple[str, str]) -> list[Configuration]:
    return [Configuration(2, (), None), *(Configuration(2, (each,), None) for each in readings)]


def _proved(*readings: tuple[str, str]) -> list[ProofResult]:
    specs: dict[str | None, Spec] = {None: _spec()}
    run = Scheduler(specs, ProverOptions(10), None, 1, lambda done, of: None)
    return prove(specs, _settings(*readings), run, ("nine",))


def _game(proved: ProofResult) -> WitnessGame:
    (verdict,) = [each for each in proved.verdicts if each.name == "nine"]
    assert verdict.verdict == PROVED and verdict.game is not None
    return verdict.game


def test_a_game_is_the_same_under_a_reading_that_does_not_touch_it() -> None:
    usual, other = _proved(("winning", "first"))
    assert _game(other).events == _game(usual).events
    assert _game(usual).shortest and not _game(other).shortest


def test_a_game_begins_as_games_begin_under_its_reading() -> None:
    usual, other = _proved(("counting", "from_five"))
    assert (_game(usual).start["count"], _game(other).start["count"]) == (0, 5)


def test_what_is_no_longer_possible_is_not_shown_by_a_game_that_was() -> None:
    spec = _spec()
    target = PropertyGoal(
        next(each for each in spec.properties if each.name == "three"), broken=False
    )
    (usual, _) = _proved(("winning", "first"))
    guide = _game(usual)
    assert transfer_trace(Instance(spec, 2), target, guide) is not None
    assert transfer_trace(Instance(spec, 2, {"counting": "from_five"}), target, guide) is None
