"""The adapters to copy: engines in three languages conform, and slips in them are found."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rulewright.conform.engine.protocol import open_engine
from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.stages.conformance import Conformance, Plan
from rulewright.conform.stages.runner import ConformanceRun
from rulewright.frontend import read
from tests.conform.conftest import ROOT

ADAPTERS = ROOT / "examples" / "adapters"
SLIPS = {
    "pips === 1 ?": "pips === 6 ?",
    "total === 0": "total < 0",
    "this.active + 1": "this.active + this.points.length - 1",
}


@pytest.fixture(scope="module")
def pig() -> Oracles:
    return Oracles(read(ROOT / "spec" / "tutorial" / "pig.rules"))


def held(pig: Oracles, engine: str) -> Conformance:
    with open_engine(engine) as opened:
        plan = Plan(("examples", "games"), games=3, players=range(2, 4))
        return ConformanceRun(pig, opened, plan).run()


def messages(conformance: Conformance) -> list[str]:
    return [each.message for stage in conformance.stages for each in stage.findings]


def compiled(source: Path, to: Path) -> str:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = ADAPTERS / "c"
    subprocess.run(
        [compiler, "-Wall", "-Wextra", "-Werror", f"-I{folder}", "-o", to, source], check=True
    )
    return f"words:{to}"


def for_node(file: Path) -> str:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    return f"exec:node {file}"


def test_the_engine_in_python_conforms_and_plays_two_games_at_a_time(pig):
    found = held(pig, "python:examples.adapters.python.pig:Pig")
    assert messages(found) == []
    assert not found.stages[1].left_out


def test_the_engine_in_c_conforms(pig, tmp_path):
    assert messages(held(pig, compiled(ADAPTERS / "c" / "pig.c", tmp_path / "pig"))) == []


def test_the_engine_in_javascript_conforms(pig):
    assert messages(held(pig, for_node(ADAPTERS / "javascript" / "pig.mjs"))) == []


def test_slips_in_c_are_found(pig, tmp_path):
    text = (ADAPTERS / "c" / "pig.c").read_text()
    right = "if (pips == 1) next_turn();"
    assert right in text
    (tmp_path / "wrong.c").write_text(text.replace(right, "if (pips == 6) next_turn();"))
    found = held(pig, compiled(tmp_path / "wrong.c", tmp_path / "wrong"))
    assert any("turn.one" in each or "turn.add" in each for each in messages(found))


@pytest.mark.parametrize("right", SLIPS)
def test_slips_in_javascript_are_found(pig, tmp_path, right):
    text = (ADAPTERS / "javascript" / "pig.mjs").read_text()
    assert right in text
    shutil.copy(ADAPTERS / "javascript" / "rulewright.mjs", tmp_path)
    (tmp_path / "wrong.mjs").write_text(text.replace(right, SLIPS[right]))
    assert messages(held(pig, for_node(tmp_path / "wrong.mjs")))


def test_a_loop_that_fails_is_told_and_given_up():
    from examples.adapters.python.pig import Pig

    class Failing(Pig):
        def new(self, *given, **more):
            super().new(*given, **more)
            self.table.roll = lambda: 1 / 0

    with PythonEngine.of(Failing) as opened:
        from rulewright.conform.engine.protocol import EngineFault

        opened.new({"players": 2, "readings": {}, "variant": None, "active": 1})
        with pytest.raises(EngineFault, match="ZeroDivisionError"):
            opened.apply({"move": "roll", "by": 1, "args": {}})
