"""The pages claim what the program answers, asked once and kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from rulewright.frontend import read
from rulewright.site.model.book import claims_of
from rulewright.site.model.evidence_runs import EvidenceBudget, _undecided, ask, questions
from rulewright.site.model.verdicts import files_in, partings_in, read_verdicts
from tests.site.conftest import SPECS, checked, core


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """What is said while the questions about Pig are asked, and where the answers are."""
    folder = tmp_path_factory.mktemp("verdicts")
    said: list[str] = []
    ask(checked("pig"), SPECS["pig"], folder, EvidenceBudget(), said.append)
    return said, folder


def test_a_game_is_proved_with_every_number_of_players(asked):
    said, folder = asked
    assert said == ["proving pig", "breaking the rules of pig"]
    verdicts = read_verdicts(files_in(folder))
    for claim in claims_of(core("pig")):
        found = verdicts.of(core("pig"), checked("pig").hash, claim.name)
        assert found.holds, claim.name


def test_what_was_answered_is_not_asked_again(asked, monkeypatch):
    said: list[str] = []
    ask(checked("pig"), SPECS["pig"], asked[1], EvidenceBudget(), said.append)
    assert said == []
    monkeypatch.setenv("RULEWRIGHT_BOUNDS", "cells=77")
    ask(checked("pig"), SPECS["pig"], asked[1], EvidenceBudget(), said.append, run=lambda *_: None)
    assert len(said) == 2, "the program with other bounds is asked again"


def test_what_is_no_longer_asked_is_no_longer_answered(asked):
    folder = asked[1]
    old, own = folder / "pig.prove-2.json", folder / "pig.own.json"
    old.write_text((folder / "pig.prove.json").read_text("utf-8"))
    own.write_text('{"command": "prove", "results": []}')
    ask(checked("pig"), SPECS["pig"], folder, EvidenceBudget(), lambda _: None)
    assert not old.exists() and own.exists()
    own.unlink()


def test_what_takes_too_long_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    ask(checked("pig"), SPECS["pig"], tmp_path, EvidenceBudget(limit=0.01), lambda _: None)
    verdicts = read_verdicts(files_in(tmp_path))
    for claim in claims_of(core("pig")):
        found = verdicts.of(core("pig"), checked("pig").hash, claim.name)
        assert (found.word, found.holds) == ("unknown", False)
        assert found.verdicts[0].reason == "it was not decided within 0.01 seconds"
    said: list[str] = []
    ask(checked("pig"), SPECS["pig"], tmp_path, EvidenceBudget(), said.append)
    assert said[0] == "proving pig", "what the clock cut short is asked again"
    verdicts = read_verdicts(files_in(tmp_path))
    assert verdicts.of(core("pig"), checked("pig").hash, "one_winner").word == "proved"


def test_an_answer_that_is_damaged_is_asked_again(asked):
    folder = asked[1]
    kept = folder / "pig.prove.json"
    whole = kept.read_text("utf-8")
    for damaged in (whole.replace('"proved"', '"proven"', 1), whole[:200], "[]", '{"asked": 3}'):
        assert damaged != whole
        kept.write_text(damaged, encoding="utf-8")
        said: list[str] = []
        ask(checked("pig"), SPECS["pig"], folder, EvidenceBudget(), said.append)
        assert said == ["proving pig"]
        names = {each.name for each in folder.iterdir()}
        assert names == {"pig.prove.json", "pig.evidence.json"}


@pytest.mark.parametrize(
    ("program", "exit", "message"),
    [
        ("import sys; print('{}'); sys.exit('error: no tiles left')", 4, "no tiles left"),
        ("print('nothing that is JSON')", 4, "ended with exit code 0"),
        ("import sys; sys.stderr.write('error: bad\\n'); sys.exit(2)", 2, "error: bad"),
        ("import os; os.kill(os.getpid(), 9)", 3, "was killed by signal 9"),
        ("print('{\"exit\": 0}'); raise SystemExit(4)", 4, "ended with exit code 4"),
    ],
)
def test_a_run_that_fails_is_said_to_have_failed(
    rulewright, monkeypatch, tmp_path, program, exit, message
):
    monkeypatch.setattr(
        "rulewright.site.model.evidence_runs.own_program", lambda: [sys.executable, "-c", program]
    )
    ran = rulewright("docs", "pig", "--out", "pages")
    assert ran.exit == exit
    assert "error: proving pig: the run `rulewright prove`" in ran.err
    assert message in ran.err
    assert not (tmp_path / ".rulewright").exists(), "a failure is not kept for an answer"


ASKING = """
import sys
from pathlib import Path
from rulewright.frontend import read
from rulewright.site.model.evidence_runs import EvidenceBudget as Effort, ask
spec, folder = map(Path, sys.argv[1:])
ask(read(spec), spec, folder, Effort(), lambda said: print(said, flush=True))
"""


AT_ONCE = """
import os, signal, subprocess
class EndedAtOnce(subprocess.Popen):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        os.kill(os.getpid(), signal.SIGTERM)
subprocess.Popen = EndedAtOnce
"""


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="it looks into /proc")
@pytest.mark.parametrize(
    ("first", "how"),
    [("", signal.SIGTERM), ("", signal.SIGKILL), (AT_ONCE, signal.SIGTERM)],
    ids=["at work", "killed", "while it begins"],
)
def test_a_build_that_is_ended_leaves_nobody_at_work(tmp_path, first, how):
    spec = tmp_path / "asked.rules"
    spec.write_text(SPECS["kubbar"].read_text("utf-8"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "empty")}
    command = [sys.executable, "-c", first + ASKING, spec, tmp_path / "verdicts"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as build:
        assert build.stdout is not None and build.stdout.readline()
        while not first and not _working_on(spec, "prove"):
            time.sleep(0.01)
        if not first:
            build.send_signal(how)
    assert build.returncode == -how
    while _working_on(spec, ""):  # the workers end right after the one they work for
        time.sleep(0.01)


def _working_on(spec: Path, word: str) -> list[str]:
    """The command lines of those who work on a spec."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = place.read_text().split("\0")
            if str(spec) in words and (not word or word in words):
                found.append(" ".join(words))
    return found


def test_another_version_of_the_spec_makes_verdicts_stale(asked, tmp_path):
    text = SPECS["pig"].read_text("utf-8")
    other = tmp_path / "pig.rules"
    other.write_text(text.replace("20", "25"))
    changed = read(other)
    assert changed.spec is not None and changed.hash != checked("pig").hash
    verdicts = read_verdicts(files_in(asked[1]))
    assert verdicts.of(changed.spec, changed.hash, "one_winner").word == "stale"


def test_a_game_is_asked_by_its_default_readings_and_holes_by_their_own():
    qwixx = list(questions(core("qwixx"), "exec:engine", EvidenceBudget(3, 60)))
    assert {"window_end=at_once", "ties=shared"} <= set(qwixx[0].arguments)
    assert qwixx[0].arguments[-2:] == ("--timeout", "3") and qwixx[0].limit == 60
    assert [each.command for each in qwixx] == ["prove", "readings", "evidence", "conform"]
    untested = questions(core("qwixx"), None, EvidenceBudget(), tested=False)
    assert "evidence" not in [each.command for each in untested]
    holes = [
        each for each in questions(core("kubbar"), None, EvidenceBudget()) if "hole" in each.name
    ]
    assert "second_group=liberal" in holes[1].arguments


def test_an_engine_that_was_not_asked_has_no_coverage(tmp_path):
    report = {"command": "conform", "spec_hash": "x", "summary": {}, "results": [], "exit": 3}
    (tmp_path / "pig.engine.json").write_text(json.dumps(report))
    assert read_verdicts(files_in(tmp_path)).coverage("x") is None


def test_what_each_clause_has_earned_is_asked(asked):
    found = read_verdicts(files_in(asked[1])).earned(checked("pig").hash or "", "win.goal")
    assert found is not None and found.bites


def test_readings_that_take_too_long_are_undecided_and_not_unasked():
    (question,) = [
        e for e in questions(core("qwixx"), None, EvidenceBudget()) if e.command == "readings"
    ]
    found = partings_in(_undecided(question, checked("qwixx")))
    assert [(each.reading, each.option, each.outcome) for each in found] == [
        ("window_end", "finish_turn", "unknown"),
        ("ties", "undecided", "unknown"),
    ]
