"""The pytest plugin: a spec and an engine become tests, and a failing game is in the report.

pytest finds it by itself wherever the program is installed, as it is where these tests run.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conform.conftest import ROOT

TESTS = """
import pytest
from tests.conform.stages.wrong_engines import MisthrowDespiteFirst
from rulewright_engines.qwixx import Qwixx

@pytest.mark.rulewright(spec="qwixx", engine=ENGINE, games=10)
def test_engine(rulewright_case):
    rulewright_case()
"""


def run(tmp_path, engine, *more):
    file = tmp_path / "test_engine.py"
    file.write_text(TESTS.replace("ENGINE", engine))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
               "--import-mode=importlib", f"--rootdir={tmp_path}",
               str(file), *more]  # fmt: skip
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)


def test_there_is_a_test_for_everything(tmp_path):
    listed = run(tmp_path, "Qwixx", "--collect-only").stdout
    for name in ("example-third_row", "vectors-may_cross.five_first", "games-1-to-10",
                 "short-games"):  # fmt: skip
        assert f"test_engine[{name}]" in listed


def test_only_the_stages_asked_for(tmp_path):
    listed = run(tmp_path, "Qwixx, stages=['examples', 'games']", "--collect-only").stdout
    assert "example-third_row" in listed and "games-1-to-10" in listed
    assert "vectors-" not in listed
    listed = run(tmp_path, "Qwixx, stages=['examples']", "--collect-only").stdout
    assert "example-third_row" in listed
    assert "vectors-" not in listed and "games-" not in listed and "short-games" not in listed


@pytest.mark.parametrize("wrong", ["stage=['games']", "stages=['game']", "stages='games'"])
def test_a_marker_that_cannot_be_used_is_refused_without_a_traceback(tmp_path, wrong):
    ran = run(tmp_path, f"Qwixx, {wrong}")
    assert ran.returncode == 2
    assert "stages" in ran.stdout and "pluggy" not in ran.stdout


def test_a_right_engine_passes(tmp_path):
    ran = run(tmp_path, "Qwixx", "-k", "example or games")
    assert ran.returncode == 0, ran.stdout


def test_the_failing_game_is_in_the_report(tmp_path):
    ran = run(tmp_path, "MisthrowDespiteFirst", "-k", "green_lock")
    assert ran.returncode == 1
    assert "pass_colour.take_misthrow" in ran.stdout
    assert "<-- here" in ran.stdout and "Traceback" not in ran.stdout


@pytest.mark.parametrize(
    ("marker", "said"),
    [
        ("", "without the marker"),
        ("@pytest.mark.rulewright(spec='nowhere', engine='x')", "nowhere"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path, marker, said):
    file = tmp_path / "test_engine.py"
    file.write_text(f"import pytest\n{marker}\ndef test_engine(rulewright_case): ...\n")
    command = [sys.executable, "-m", "pytest", "-q", f"--rootdir={tmp_path}", str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode != 0
    assert said in ran.stdout
    assert "Traceback" not in ran.stdout


UNUSED = """
import sys

def test_nothing_else():
    ours = {name for name in sys.modules if name.partition(".")[0] in ("rulewright",
      "rulewright_engines")}
    assert ours == {"rulewright", "rulewright.conform", "rulewright.conform.stages",
      "rulewright.conform.stages.pytest_plugin"}
    assert not {"z3", "lark"} & set(sys.modules)
"""


def test_where_it_is_not_used_nothing_is_imported(tmp_path):
    file = tmp_path / "test_own.py"
    file.write_text(UNUSED)
    command = [sys.executable, "-m", "pytest", "-q", "--strict-markers", "-p", "no:cacheprovider"]
    ran = subprocess.run([*command, str(file)], capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout


def test_the_marker_is_explained(tmp_path):
    command = [sys.executable, "-m", "pytest", "--markers"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "@pytest.mark.rulewright(spec, engine" in ran.stdout
