"""Programs that behave badly are reported as what they are; nothing hangs, nothing stays."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time

import pytest

from rulewright.conform.engine import subprocess_engine
from rulewright.conform.engine.protocol import EngineFault, granted, open_engine
from rulewright.conform.engine.subprocess_engine import Conversation, SubprocessEngine
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.stages.conformance import Plan
from rulewright.conform.stages.lockstep import EngineLockstep
from rulewright.conform.stages.pipelining import PipelinedLockstep
from rulewright.conform.stages.random_games import exhaust, random_game, source
from rulewright.conform.stages.runner import ConformanceRun
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Configuration
from tests.conform.conftest import ROOT
from tests.patience import PATIENCE

COMMAND = f"{sys.executable} -m tests.conform.engine.bad_engine"
FAULTS = {
    "dies": "ended with exit code 1",
    "is killed": "ended by SIGKILL",
    "hangs": "gave no answer within",
    "forgets the line break": "did not end its answer `{",
    "stops half way": "ended with exit code 0 in the middle of its answer `{",
    "garbage": "which is not JSON",
    "not an object": "where an object is due",
    "no ok": "answered without `ok`",
    "state is a list": "as its state",
    "twice": "without being asked",
    "megabytes": "more than 4,000,000 bytes",
    "floods": "more than 4,000,000 bytes",
    "closes stdout": "closed its output",
}
SILENT = {"hangs": 1.0, "forgets the line break": 1.0}
"""Seconds for those that never do."""


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(subprocess_engine, "START_TIMEOUT", PATIENCE)


def engine_that(how, timeout=PATIENCE):
    return SubprocessEngine(f"{COMMAND} '{how}'", timeout)


@pytest.mark.parametrize(("how", "reason"), FAULTS.items(), ids=list(FAULTS))
def test_a_fault_in_a_game_is_a_finding(game, how, reason):
    with engine_that(how, SILENT.get(how, PATIENCE)) as engine:
        process = engine._talk._process
        stage = ConformanceRun(game("qwixx"), engine, Plan(games=2)).stage("games")
    assert stage.finding is not None and stage.finding.kind == "fault"
    assert reason in stage.finding.message
    assert stage.finding.trace, "the game is kept"
    assert process.poll() is not None


def test_stderr_is_shown(game):
    with engine_that("dies") as engine:
        stage = ConformanceRun(game("qwixx"), engine, Plan(games=1)).stage("games")
    assert stage.finding is not None
    assert any("a bug in row 7" in line for line in stage.finding.lines)


def test_a_difference_seen_ahead_is_shown_where_it_is(game):
    """Answers are read late; the game that is shown still ends with the event that went wrong."""
    with engine_that("wrong state") as engine:
        stage = ConformanceRun(game("qwixx"), engine, Plan(games=1, seed=1)).stage("games")
    assert stage.finding is not None and stage.finding.kind == "state"
    assert "misthrows" in stage.finding.message
    assert len([line for line in stage.finding.trace if "move" in line or "chance" in line]) <= 3


def test_a_game_ahead_asks_the_same_of_an_engine(game):
    """The same events, near misses and coverage, whether answers are waited for or not."""
    oracle = game("qwixx").oracle(Configuration(2, (), None))
    told = []
    engine = SubprocessEngine(f"{sys.executable} -m rulewright_engines.qwixx", PATIENCE)
    with engine:
        for kind in (EngineLockstep, PipelinedLockstep):
            coverage = Coverage()
            pair = kind(oracle, engine, coverage)
            exhaust(random_game(pair, source(5, 0)))
            told.append((pair.played, coverage.events, coverage.refusals))
    assert told[0] == told[1]
    assert told[0][1] > 20 and told[0][2] > 5


@pytest.mark.parametrize("how", ["says little", "says little, wrongly"])
def test_an_engine_may_say_how_things_stand_only_when_it_is_asked(game, how):
    with engine_that(how) as engine:
        check = ConformanceRun(game("qwixx"), engine, Plan(players=range(2, 3)), only=range(1))
        finding = check.stage("games").finding
    assert (finding is not None) is how.endswith("wrongly")
    assert finding is None or (finding.kind == "state" and "active" in finding.message)
    assert check.coverage.unreported == 0


def test_an_engine_that_takes_one_request_at_a_time_is_no_worse(game):
    """It loses what is written before it has answered, which the protocol allows."""
    with engine_that("forgets what comes early", 10.0) as engine:
        check = ConformanceRun(game("qwixx"), engine, Plan(players=range(2, 3)), only=range(2))
        stage = check.stage("games")
    assert stage.finding is None and stage.checked == 2


def test_noise_on_stderr_does_no_harm(game):
    with engine_that("noise") as engine:
        stage = ConformanceRun(
            game("qwixx"), engine, Plan(games=1, players=range(2, 3)), only=range(1)
        ).stage("games")
    assert stage.finding is None


def test_an_engine_that_dies_at_the_start():
    with pytest.raises(EngineFault, match="exit code 3") as caught:
        engine_that("dies at start")
    assert "before its first answer" in caught.value.reason
    assert caught.value.notes == ("stderr: no such board",)


@pytest.mark.parametrize(
    ("answer", "reason", "help"),
    [
        ('{"can":\n["new"]}', 'answered `{"can":`, which is not JSON', "on one line"),
        ("{'can': []}", "which is not JSON", "double quotes"),
        ("ready", "answered `ready`, which is not JSON", "everything else on stderr"),
        ("", "answered with an empty line", "on one line"),
        ('{"can": "new apply"}', 'says that it can "new apply"', '{"can": ["new", "apply"]}'),
    ],
)
def test_what_is_wrong_with_a_first_answer_is_said(answer, reason, help):
    with pytest.raises(EngineFault) as caught:
        SubprocessEngine(f"{sys.executable} -c {shlex.quote(f'print({answer!r})')}", 5.0)
    assert reason in caught.value.reason and help in str(caught.value.help)


def test_an_ok_that_is_no_truth_is_named_as_such():
    with pytest.raises(EngineFault, match="an `ok` that is neither true nor false"):
        granted({"ok": "true"})


def test_a_verb_that_is_none_is_listed(game):
    with engine_that("can more") as engine:
        plan = Plan(stages=("examples",))
        said = ConformanceRun(game("qwixx"), engine, plan, only="green_lock").run().not_compared
    assert said == (
        "lists of legal moves, scores and winners: the engine does not offer `legal`, `score`",
        "`undo`: this is no verb of the protocol",
        "`scores`: did you mean `score`?",
    )


def test_a_fault_in_an_example_comes_with_its_game(game):
    with engine_that("dies") as engine:
        stage = ConformanceRun(game("qwixx"), engine, Plan()).stage("examples")
    assert stage.finding is not None and stage.finding.kind == "fault"
    assert stage.finding.trace and "the game (" in stage.finding.lines[0]


def test_what_stands_before_a_long_stack_is_shown():
    said = "Error: no module\n" + "  at x\n" * 12
    with pytest.raises(EngineFault) as caught:
        SubprocessEngine(f"{sys.executable} -c {shlex.quote(f'exit({said!r})')}", PATIENCE)
    assert caught.value.notes[0] == "stderr: Error: no module"


def test_an_engine_that_never_reads(monkeypatch):
    monkeypatch.setattr(subprocess_engine, "START_TIMEOUT", 0.5)
    with pytest.raises(EngineFault, match="no answer within"):
        engine_that("never reads", timeout=0.5)


def test_a_program_that_does_not_read_what_does_not_fit_into_the_pipe():
    talk = Conversation(["sleep", "60"])
    try:
        with pytest.raises(EngineFault, match="did not read its stdin"):
            talk.ask(b"x" * 1_000_000, 0.3)
    finally:
        talk.end()


def test_a_slow_start_is_no_fault():
    with engine_that("starts slowly", timeout=0.5) as engine:
        assert engine.game == "qwixx"


def test_no_process_stays_behind():
    with engine_that("has children") as engine:
        group = engine._talk._process.pid
    while True:  # until nothing of the engine's process group is there any more
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)


def test_no_process_stays_behind_when_we_are_told_to_stop():
    command = [sys.executable, "-m", "rulewright", "conform", "qwixx", f"exec:{COMMAND} hangs",
               "--stages", "games", "--timeout", "60"]  # fmt: skip
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    children: list[str] = []
    while not children and run.poll() is None:
        time.sleep(0.2)
        found = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True)
        children = found.stdout.split()
    run.terminate()
    assert run.wait() == 3
    assert children
    deadline = time.monotonic() + PATIENCE  # at once, on a machine that has nothing else to do
    while any(os.path.exists(f"/proc/{each}") for each in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(os.path.exists(f"/proc/{each}") for each in children)


def test_what_cannot_be_started_is_said():
    with pytest.raises(UsageError, match="cannot be started"):
        open_engine("exec:no-such-program-anywhere")
    with pytest.raises(UsageError, match="is not an engine"):
        open_engine("qwixx")
    with pytest.raises(UsageError, match="cannot be imported"):
        open_engine("python:no_such_module:Engine")
    with pytest.raises(UsageError, match="has no class"):
        open_engine("python:rulewright_engines.qwixx:Nothing")
    with pytest.raises(UsageError, match="not a command line"):
        open_engine("exec:'")
