"""Games found under the default readings show the same under others, where they can be played."""

from __future__ import annotations

from checker.front import check_text
from checker.kernel.outcome import Game
from checker.meaning.core import Spec
from checker.play.instance import Instance
from checker.prove.effort import Effort
from checker.prove.guided import followed
from checker.prove.led import led
from checker.prove.prover import Proved, prove
from checker.prove.run import Run
from checker.prove.target import Target
from checker.prove.turns import Turns
from checker.prove.verdict import PROVED
from checker.vc.context import ProofContext, Setting

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

variant turned "Turned round"
    table worth[1..3]: 1..3
        3 2 1
"""


def _spec() -> Spec:
    spec = check_text("tiny.rules", TINY).spec
    assert spec is not None
    return spec


def _settings(*readings: tuple[str, str]) -> list[Setting]:
    return [Setting(2, (), None), *(Setting(2, (each,), None) for each in readings)]


def _proved(*readings: tuple[str, str]) -> list[Proved]:
    specs: dict[str | None, Spec] = {None: _spec()}
    run = Run(specs, Effort(10), None, 1, lambda done, of: None)
    return prove(specs, _settings(*readings), run, ("nine",))


def _game(proved: Proved) -> Game:
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


def test_a_game_is_led_where_it_cannot_be_followed() -> None:
    checked = check_text("tiny.rules", TINY)
    (usual,) = _proved()
    spec = checked.variant("turned")
    target = Target(next(each for each in spec.properties if each.name == "nine"), broken=False)
    found = led(Turns(ProofContext(spec, Setting(2, (), "turned"))), target, _game(usual), 10.0)
    assert found is not None and found.end["count"] == 9
    assert [each.name for each in found.events] == [each.name for each in _game(usual).events]
    assert {each.arguments["by"] for each in _game(usual).events} == {3}
    assert {each.arguments["by"] for each in found.events} == {1}


def test_what_is_no_longer_possible_is_not_shown_by_a_game_that_was() -> None:
    spec = _spec()
    target = Target(next(each for each in spec.properties if each.name == "three"), broken=False)
    (usual, _) = _proved(("winning", "first"))
    guide = _game(usual)
    assert followed(Instance(spec, 2), target, guide) is not None
    assert followed(Instance(spec, 2, {"counting": "from_five"}), target, guide) is None
