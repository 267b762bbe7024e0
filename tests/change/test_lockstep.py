"""Games at random find where two sets of rules part, also where plain chance hardly ever goes."""

from __future__ import annotations

import os

import pytest

from rulewright.change.games.background import BackgroundTask
from rulewright.change.games.lockstep import Lockstep, replays
from rulewright.change.text.matching import beside, mentions
from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import subjects
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.resources import find_spec

CLIMB = """
game climb "Climb"
    players 2..2

reading top "May somebody shout from the top?"
    loud  "yes" default
    quiet "no"

reading ties "Both have shouted equally often: who wins?"
    shared "both" default
    nobody "nobody"

phase play "they climb", over final "the day is over"

state
    height: 0..15 = 0 "how high they are"
    day: 0..40 = 0 "how much of the day has passed"
    each Player
        shouts: 0..40 = 0 "how often a player has shouted"

effect pass_time() "time passes"
    day += 1
    if day == 40:
        phase = over

move up by p in play "climb"
    needs room "it goes on": height < 15
    does
        height += 1
        pass_time()

move slip by p in play "slip"
    does
        height = 0
        pass_time()

move shout by p in play "shout"
    needs allowed "one may shout there": height < 12 or top == loud
    does
        shouts[p] += 1
        pass_time()

fun score(p: Player): 0..40 "how often a player has shouted" = shouts[p]

fun wins(p: Player): Bool "who wins" =
    all q: Player where q != p: score(p) > score(q) or (ties == shared and score(p) == score(q))
"""


def parted(spec: c.Spec, reading: str, option: str, games: int, players: int = 2) -> Lockstep:
    """What playing by a reading's default and by another option comes upon."""
    about = [each for each in subjects(spec, spec, {}) if reading in mentions(spec, each.new)]
    instances = Instance(spec, players, {}), Instance(spec, players, {reading: option})
    lockstep = Lockstep(instances, about, 0, beside(spec, reading))
    lockstep.run(None, games, 60.0)
    return lockstep


def climb() -> c.Spec:
    checked = check_text("climb.rules", CLIMB)
    assert checked.spec is not None, checked.diagnostics
    return checked.spec


def test_what_a_reading_turns_on_leads_games_to_where_it_matters():
    """Twelve steps up without a slip: one game at random in some hundred gets there."""
    spec = climb()
    assert beside(spec, "top") == {"height"}
    found = parted(spec, "top", "quiet", games=20).games["shout", "stricter"]
    assert found.witness.positions[0]["height"] >= 12
    assert len(found.events) < 40 and replays(found, 0) and replays(found, 1)


def test_another_result_is_found_in_finished_games():
    found = parted(climb(), "ties", "nobody", games=5).games["wins", "changed"]
    position = found.witness.positions[0]
    assert position["phase"] == "over" and position["shouts"][1] == position["shouts"][2]
    assert replays(found, 0)


def test_a_move_that_does_what_two_would_do_is_tried():
    """No proposal of Kubbar founds a group with two lines at once, but two in a row do."""
    text = find_spec("kubbar").read_text(encoding="utf-8")
    spec = check_text("kubbar.rules", text).spec
    assert spec is not None
    (game,) = parted(spec, "founding_lines", "crossing_lines", games=1).games.values()
    assert game.witness.way == "looser" and replays(game, 0)
    assert [each.label for each in game.witness.said[0].refused_by] == ["founding.one_line"]


def test_what_is_done_aside_comes_back_whatever_becomes_of_the_process():
    here = os.getpid()

    def dies_elsewhere() -> int:
        if os.getpid() != here:
            os._exit(1)
        return 7

    def refuses() -> int:
        raise UsageError("there is no such game", "look again")

    assert BackgroundTask(lambda: [1, 2]).result() == [1, 2]
    assert BackgroundTask(dies_elsewhere).result() == 7
    with pytest.raises(UsageError, match="no such game"):
        BackgroundTask(refuses).result()
