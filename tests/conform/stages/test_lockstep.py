"""Engines of all kinds: with little to say, with other orders, that hang or raise."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.oracle.oracle import StateMismatch
from rulewright.conform.report.finding import finding_of
from rulewright.conform.stages.conformance import Plan
from rulewright.conform.stages.lockstep import Divergence, EngineLockstep
from rulewright.conform.stages.pipelining import PipelinedLockstep
from rulewright.conform.stages.runner import ConformanceRun
from rulewright.play.semantics.instance import Configuration
from rulewright_engines.engine import IllegalError
from rulewright_engines.qwixx import Qwixx

GAMES = Plan(games=8)
ROOT = Path(__file__).parent.parent.parent.parent


class Shy:
    """Plays Qwixx, but can only begin and apply."""

    def __init__(self) -> None:
        self.game = Qwixx()

    def new(self, **setup):
        self.game.new(**setup)

    def apply(self, event):
        self.game.apply(event)


class Partial(Shy):
    """Reports two variables, one of them in an order of its own."""

    def state(self):
        state = self.game.state()
        return {"active": state["active"], "closed": state["closed"][::-1]}


class Inventive(Shy):
    """Reports a variable that the spec does not have."""

    def state(self):
        return {"activ": 1}


class Answering(Shy):
    """Answers as the line protocol does."""

    def apply(self, event):
        try:
            self.game.apply(event)
        except IllegalError as refusal:
            return {"ok": False, "why": str(refusal)}
        return {"ok": True, "state": self.game.state()}


class Falsy(Shy):
    """Says no by saying False."""

    def apply(self, event):
        try:
            self.game.apply(event)
        except IllegalError:
            return False
        return True


class Clumsy(Shy):
    """Fails with an error of Python where it should refuse."""

    def apply(self, event):
        try:
            self.game.apply(event)
        except IllegalError as refusal:
            raise KeyError("row") from refusal


class Hanging(Shy):
    """Never comes back."""

    def apply(self, event):
        while True:
            time.sleep(0.01)


class Stubborn(Shy):
    """Never comes back, whatever happens to it."""

    def apply(self, event):
        while True:
            with suppress(Exception):
                time.sleep(0.01)


class Deaf(Shy):
    """Never comes back, and catches everything."""

    def apply(self, event):
        while True:
            try:
                time.sleep(0.01)
            except:  # noqa: E722 - that is the point
                continue


class Busy(Shy):
    """Never comes back, catches everything, and is never at rest."""

    def apply(self, event):
        while True:
            with suppress(BaseException):
                self.count(1_000)

    def count(self, most):
        for _ in range(most):
            try:
                sum(range(10))
            except BaseException:
                continue


class Hopeless(Shy):
    """Never comes back, and catches everything twice."""

    def apply(self, event):
        while True:
            try:
                while True:
                    try:
                        time.sleep(0.01)
                    except:  # noqa: E722
                        continue
            except:  # noqa: E722
                pass


class Leaving(Shy):
    """Ends the program, as if all were well."""

    def apply(self, event):
        sys.exit(0)


class Sloppy(Qwixx):
    """Refuses, but has already written something down."""

    def apply(self, event):
        try:
            super().apply(event)
        except IllegalError:
            self.active_crossed = not self.active_crossed
            raise


Sloppy.RULES = Qwixx.RULES


def games_of(game, engine, plan=GAMES, timeout=300.0):
    with PythonEngine.of(engine, timeout=timeout) as opened:
        return ConformanceRun(game("qwixx"), opened, plan).stage("games")


@pytest.mark.parametrize("engine", [Shy, Partial, Answering, Falsy], ids=lambda e: e.__name__)
def test_engines_may_say_little(game, engine):
    assert games_of(game, engine).finding is None


def test_a_position_that_is_refused_is_a_difference(game):
    class Choosy(Qwixx):
        def load(self, state):
            raise IllegalError("not from here")

    Choosy.RULES = Qwixx.RULES
    with PythonEngine.of(Choosy) as engine:
        finding = ConformanceRun(game("qwixx"), engine, GAMES).stage("examples").finding
    assert finding is not None and finding.kind == "setup"
    assert finding.message.startswith("the engine refuses to go to a position of a game of ")
    assert "  the engine says: not from here" in finding.lines


class Forgetful(Shy):
    """Says how things stand after each event, but loads nothing, and says nothing of that."""

    def new(self, **setup):
        self.game.new(**setup)
        return {"ok": True, "state": self.game.state()}

    def load(self, state):
        return {"ok": True}

    def state(self):
        return self.game.state()


def test_a_position_that_was_not_loaded_is_noticed_before_anything_happens(game):
    with PythonEngine.of(Forgetful) as engine:
        finding = ConformanceRun(game("qwixx"), engine, GAMES).stage("examples").finding
    assert finding is not None and finding.kind == "state"
    assert "in another state: " in finding.message and "`crossed`" in finding.message
    assert "  (nothing has happened yet)" in finding.lines


def test_of_a_long_game_the_last_events_are_told_and_each_variable_by_itself(game):
    oracle, random = game("qwixx").oracle(Configuration(2, (), None)), Random(1)
    with PythonEngine.of(Qwixx) as engine:
        pair = EngineLockstep(oracle, engine, Coverage())
        pair.begin(oracle.begin())
        while len(pair.played) < 40:
            event = oracle.machine.choose(pair.state, random)
            assert event is not None
            pair.play(event)
        wrong = [StateMismatch("active", "1", "2", 2), StateMismatch("closed", "{}", "{red}", None)]
        finding = finding_of(Divergence("state", pair.game(), mismatches=wrong), None)
    told = [each for each in finding.lines if " plays " in each or each.startswith("  chance ")]
    assert len(told) == 21 and told[-1].endswith("<-- here")
    assert "  … 19 events, which `--save` keeps …" in finding.lines
    assert len(finding.trace) == 41, "the header and all events"
    at = finding.lines.index("  expected: active = 1")
    assert finding.lines[at + 1 : at + 4] == (
        "  got:      active = 2", "  expected: closed = {}", "  got:      closed = {red}",
    )  # fmt: skip


def test_examples_from_a_position_are_left_out_where_nothing_can_be_loaded(game):
    with PythonEngine.of(Shy) as engine:
        stage = ConformanceRun(game("qwixx"), engine, Plan()).stage("examples")
    assert stage.finding is None and 0 < stage.checked < 25
    assert "cannot load" in stage.left_out[0]


def test_an_unknown_variable_is_said(game):
    finding = games_of(game, Inventive).finding
    assert finding.kind == "state"
    assert "did you mean `active`?" in finding.expected


def test_an_exception_of_python_is_a_fault(game):
    finding = games_of(game, Clumsy).finding
    assert finding.kind == "fault"
    assert "KeyError" in finding.message


@pytest.mark.parametrize(
    "engine", [Hanging, Stubborn, Deaf, Busy, Hopeless], ids=lambda e: e.__name__
)
def test_an_object_that_hangs_is_a_fault(game, engine):
    finding = games_of(game, engine, timeout=0.3).finding
    assert finding.kind == "fault" and "no answer within 0.3 s" in finding.message


def test_an_object_that_nothing_stops_ends_the_program():
    script = """
import rulewright.conform.engine.python_engine as objects
from tests.conform.stages.test_lockstep import Hopeless
objects.MOST_IGNORED = 0
objects.PythonEngine.of(Hopeless, timeout=0.1).apply({})
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stderr.startswith("error: the engine gave no answer within 0.1 s, and nothing")
    assert "run it as a program" in ended.stderr


def test_an_object_that_ends_the_program_is_a_fault(game):
    finding = games_of(game, Leaving).finding
    assert finding.kind == "fault" and "SystemExit: 0" in finding.message


def test_a_part_that_is_changed_in_place_is_noticed(game):
    """The same object reported again is looked at again."""

    class Scribbling(Qwixx):
        RULES = Qwixx.RULES

        def apply(self, event):
            super().apply(event)
            if self.phase == "second_action":
                self.misthrows[-1][1] = 1

    finding = games_of(game, Scribbling).finding
    assert finding.kind == "state" and "misthrows" in finding.message


class Greedy(Shy):
    """Takes apart whatever it was given, and what it has reported as soon as it may."""

    def __init__(self):
        super().__init__()
        self.reported = {}

    def new(self, **setup):
        super().new(**deepcopy(setup))
        empty(setup)

    def apply(self, event):
        given = deepcopy(event)
        empty(event)
        super().apply(given)

    def load(self, state):
        self.game.load(deepcopy(state))
        empty(state)

    def state(self):
        empty(self.reported)
        self.reported = deepcopy(self.game.state())
        return self.reported


def empty(json):
    """Takes JSON apart."""
    for part in json.values() if isinstance(json, dict) else json:
        if isinstance(part, dict | list):
            empty(part)
    json.clear()


def test_an_engine_may_do_as_it_likes_with_what_is_its_own(game):
    with PythonEngine.of(Greedy) as engine:
        check = ConformanceRun(game("qwixx"), engine, GAMES)
        assert [check.stage(name).finding for name in ("examples", "games")] == [None, None]


def test_a_refusal_leaves_everything_as_it_was(game):
    finding = games_of(game, Sloppy).finding
    assert finding.kind == "state"
    assert "and yet its state changes" in finding.message


def test_a_set_up_asked_for_by_name_must_be_played(game):
    class OnlyTwo(Qwixx):
        PLAYERS = range(2, 3)

    OnlyTwo.RULES = Qwixx.RULES
    stage = games_of(game, OnlyTwo)
    assert stage.finding is None
    assert any("3 players: the engine refuses it" in each for each in stage.left_out)
    stage = games_of(game, OnlyTwo, Plan(games=2, players=range(3, 4)))
    assert stage.finding.kind == "setup"


def test_the_same_seed_gives_the_same_games(game):
    seen = []
    for _ in range(2):
        coverage = Coverage()
        with PythonEngine.of(Qwixx) as engine:
            check = ConformanceRun(game("qwixx"), engine, Plan(games=3, seed=5))
            check.coverage = coverage
            check.only = range(3)
            check.stage("games")
        seen.append((coverage.events, coverage.refusals))
    assert seen[0] == seen[1]


def test_the_pair_stops_where_they_part(game):
    oracle = game("qwixx").oracle(Configuration(2, (), None))
    with PythonEngine.of(Qwixx) as engine:
        pair = EngineLockstep(oracle, engine, Coverage())
        pair.begin(oracle.begin())
        throw = oracle.machine.draw(pair.state, Random(1))
        engine.apply(oracle.event_json(throw))
        with pytest.raises(Divergence) as caught:
            pair.play(throw)
    assert caught.value.kind == "refused"
    assert caught.value.game.last == throw


class Mute:
    """Does nothing, and says nothing."""

    def new(self, **setup):
        pass

    def apply(self, event):
        pass


@pytest.mark.parametrize("name", ["qwixx", "twenty_one", "matte_kryss", "kubbar"])
def test_writing_what_has_changed_is_as_good_as_writing_all(game, name):
    oracles, random = game(name), Random(4)
    oracle = oracles.oracle(Configuration(oracles.spec.least, (), None))
    with PythonEngine.of(Mute) as engine:
        pair = EngineLockstep(oracle, engine, Coverage())
        for _ in range(2):
            pair.begin(oracle.begin(random))
            while (event := oracle.machine.choose(pair.state, random)) is not None:
                pair.play(event)
                assert pair.expected == oracle.state_json(pair.state)
                if len(pair.played) == 250:
                    break


@pytest.mark.parametrize("wrong", [0, 40], ids=["at once", "later"])
def test_with_the_spec_ahead_an_engine_is_held_to_every_event(game, wrong):
    """What is right in the end does not make up for what was wrong on the way."""

    class Fickle(Qwixx):
        RULES = Qwixx.RULES
        told = 0

        def state(self):
            self.told += 1
            reported = super().state()
            return {**reported, "active": 3 - self.active} if self.told == wrong + 2 else reported

    oracle = game("qwixx").oracle(Configuration(2, (), None))
    with PythonEngine.of(Fickle) as engine:
        pair, random = PipelinedLockstep(oracle, engine, Coverage()), Random(2)
        pair.begin(oracle.begin(random))
        while (event := oracle.machine.choose(pair.state, random)) is not None:
            pair.play(event)
        with pytest.raises(Divergence) as caught:
            pair.catch_up()
    assert caught.value.kind == "state"
