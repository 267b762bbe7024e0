"""The same question has the same answer: whatever else the machine does, whatever a cache holds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulewright.resources import bundled_specs

ROOT = Path(__file__).parent.parent
SECONDS = re.compile(r'("(?:solver_)?seconds": )[\d.]+|\b[\d.]+( s\b)|( {2})[\d.]+$', re.MULTILINE)
"""Times, wherever they are printed."""
BUSY = 4

HASTY = """
from tests.conform.stages.wrong_engines import TWINS
(Hasty, _), *_ = TWINS["twenty_one"]
"""
"""An engine of Twenty-One that is wrong in one place."""
FORGETFUL = """
from counters_engine import Engine

class Forgetful(Engine):
    thrown = 0

    def throw(self, pips):
        super().throw(pips)
        self.thrown += 1
        if self.thrown > 40:
            self.active = 1
"""
"""An engine of Counters that goes wrong only late in a game, so that there is much to shorten."""

COMMANDS = {
    "prove pig": ["prove", "pig.rules", "--players", "2..3", "--format", "json"],
    "prove in vain": ["prove", "pig.rules", "--timeout", "0.01"],
    "prove counters": ["prove", "counters.rules"],
    "diff pig": ["diff", "pig.rules", "stricter.rules", "--players", "2"],
    "diff counters": ["diff", "counters.rules", "more.rules", "--format", "json"],
    "readings": ["readings", "twenty_one", "--players", "2", "--timeout", "2"],
    "vectors pig": ["vectors", "pig.rules", "--out", "pig.jsonl"],
    "vectors counters": ["vectors", "counters.rules", "--out", "counters.jsonl", "--seed", "7"],
    "conform counters": ["conform", "counters.rules", "python:forgetful:Forgetful"],
    "conform twenty_one": [
        "conform", "twenty_one", "python:hasty:Hasty", "--stages", "examples,games", "--games", "5",
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small games, a change of each, and an engine of each that is wrong."""
    found = tmp_path_factory.mktemp("repeatable")
    pig = bundled_specs()["pig"].read_text(encoding="utf-8")
    (found / "pig.rules").write_text(pig, encoding="utf-8")
    (found / "stricter.rules").write_text(
        pig.replace("points[p] + total < goal\n", "points[p] + total + 1 < goal\n"), "utf-8"
    )
    printed(found, found / "cache", ["new", "counters"])
    counters = (found / "counters.rules").read_text(encoding="utf-8")
    (found / "more.rules").write_text(counters.replace("= 21\n", "= 20\n"), encoding="utf-8")
    (found / "forgetful.py").write_text(FORGETFUL, encoding="utf-8")
    (found / "hasty.py").write_text(HASTY, encoding="utf-8")
    return found


def printed(folder: Path, cache: Path, command: list[str], *more: str) -> str:
    """What a command prints and writes, without times. Every process hashes text in another way."""
    ran = subprocess.run(
        [sys.executable, "-m", "rulewright", *command, *more],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode in (0, 1, 3), ran.stderr
    written = "".join(
        (folder / each).read_text(encoding="utf-8") for each in command if each.endswith(".jsonl")
    )
    text = SECONDS.sub(r"\1\2\3", ran.stdout + ran.stderr)
    return f"{text}\n{ran.returncode}\n{written}"


@contextmanager
def a_busy_machine() -> Iterator[None]:
    """Four processes that do nothing but work."""
    command = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(command) for _ in range(BUSY)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_an_answer_depends_on_nothing_but_the_question(
    name: str, folder: Path, tmp_path: Path
) -> None:
    command = COMMANDS[name]
    alone = printed(folder, tmp_path / "one", command)
    assert printed(folder, tmp_path / "one", command) == alone, "with a full cache"
    with a_busy_machine():
        assert printed(folder, tmp_path / "two", command) == alone, "on a busy machine"
    if command[0] in ("prove", "diff", "readings"):
        assert printed(folder, tmp_path / "three", command, "--jobs", "1") == alone, "by one"
        assert printed(folder, tmp_path / "four", command, "--no-cache") == alone, "without a cache"


@pytest.mark.slow
def test_an_answer_does_not_depend_on_what_else_was_asked(folder: Path, tmp_path: Path) -> None:
    """Neither on another number of players, nor on a longer or shorter search before it."""
    asked = ["prove", "pig.rules", "--players", "3", "--timeout", "1"]
    alone = printed(folder, tmp_path / "one", asked)
    for other in (
        ["prove", "pig.rules", "--players", "2..4"],
        ["prove", "pig.rules", "--players", "3", "--timeout", "0.01"],
        ["diff", "pig.rules", "stricter.rules"],
    ):
        printed(folder, tmp_path / "two", other)
    assert printed(folder, tmp_path / "two", asked) == alone
