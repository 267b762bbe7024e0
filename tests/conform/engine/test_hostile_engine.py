"""What an engine says is shown, saved and reported; it never steers anything."""

from __future__ import annotations

import json
import shlex
import sys
from typing import Any
from xml.etree import ElementTree as xml

import pytest

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.stages.conformance import Plan
from rulewright.conform.stages.runner import ConformanceRun
from rulewright.hidden_characters import HIDDEN
from rulewright_engines.qwixx import Qwixx
from tests.conform.conftest import ROOT

WORDS = "\\ud800 \\u001b[2J\\u202e\\n::error::forged\\r##[error]forged <b>&]]>"
"""As JSON has it: half a character, an escape, a turn of direction, commands of a build."""
ANSWERS = {
    "state": f'{{"ok": true, "state": {{"phase": "{WORDS}", "{WORDS}": 1}}}}',
    "refusal": f'{{"ok": false, "why": "{WORDS}"}}',
    "key": f'{{"{WORDS}": 1}}',
    "text": "\x1b[2J\u202e ::error::forged \x07",
    "deep": "[" * 50_000,
    "numbers": '{"ok": true, "state": {"active": NaN, "white": [[1, 1e999], [2, -0.0]]}}',
    "digits": '{"ok": true, "state": {"active": ' + "9" * 5000 + "}}",
    "twice": '{"ok": true, "state": {"active": 1, "active": []}}',
}


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=list(ANSWERS))
@pytest.mark.parametrize("format", ["full", "concise", "json", "junit", "github", "sarif"])
def test_what_an_engine_says_steers_nothing(rulewright, tmp_path, answer, format):
    engine = (
        f"exec:{sys.executable} -m tests.conform.engine.bad_engine {shlex.quote(f'says {answer}')}"
    )
    ran = rulewright(
        "conform", "qwixx", engine, "--stages", "games", "--games", "1", "--first",
        "--format", format, "--save", "saved.jsonl",
    )  # fmt: skip
    assert ran.exit == 1, ran.err
    assert not HIDDEN.search(ran.out + ran.err)
    lines = (ran.out + ran.err).splitlines()
    if format == "github":
        stopped = None
        for line in lines:
            if stopped is not None:
                stopped = None if line == f"::{stopped}::" else stopped
            elif line.startswith("::stop-commands::"):
                stopped = line.removeprefix("::stop-commands::")
                assert answer.find(stopped) < 0
            else:
                assert not line.startswith("::error::forged")
                assert "##[" not in line or line.startswith("::")
        assert stopped is None
    elif format in ("full", "concise"):
        assert not any(line.lstrip().startswith("::") or "##[" in line for line in lines)
    elif format == "junit":
        xml.fromstring(ran.out)
    else:
        json.loads(ran.out)
    saved = (tmp_path / "saved.jsonl").read_text("utf-8")
    for line in saved.splitlines():
        json.loads(line)


class Odd:
    """Fails at whatever is done with it."""

    def __repr__(self):
        raise RuntimeError("not to be shown")

    def __eq__(self, other):
        raise RuntimeError("not to be compared")

    __hash__ = None  # type: ignore[assignment]


ROUND: dict = {}
ROUND["again"] = ROUND
VALUES: tuple[Any, ...] = (
    set(), object(), b"x", float("nan"), ROUND, 10**5000, "\ud800\x1b", Odd(), {1: 2}, {("a",): 1},
    len, {"red": Odd()}, {10**5000: 1}, [[1, Odd()]],
)  # fmt: skip
PLACES = (
    "state", "variable", "name", "legal", "move", "args", "score", "scores", "points", "answer",
    "refusal", "why",
)  # fmt: skip


def strange(value: Any, place: str):
    """An engine that is in order but for one value in one place."""

    class Strange(Qwixx):
        def state(self):
            state = super().state()
            if place == "state":
                return value
            if place == "variable":
                state["active"] = value
            if place == "name":
                name: Any = value if isinstance(value, str | bytes | float | int) else "z"
                state[name] = value
            return state

        def legal(self):
            moves = super().legal()
            return {
                "legal": value, "move": [*moves, value],
                "args": [{"move": "cross_sum", "by": value, "args": {"row": value, "at": 1}}],
            }.get(place, moves)  # fmt: skip

        def score(self):
            ways = {"score": value, "scores": {"scores": value, "winners": value},
                    "points": {1: value, 2: value}}  # fmt: skip
            return ways[place] if place in ways else super().score()

        def apply(self, event):
            if place == "refusal":
                raise ValueError(value)
            answers = {"answer": value, "why": {"ok": False, "why": value}}
            return answers[place] if place in answers else super().apply(event)

    return Strange


@pytest.mark.parametrize("place", PLACES)
def test_whatever_an_object_answers_is_a_finding(game, place):
    for value in VALUES[PLACES.index(place) % 3 :: 3]:
        with PythonEngine.of(strange(value, place)) as engine:
            stage = ConformanceRun(game("qwixx"), engine, Plan(games=1)).stage("games")
        assert stage.finding is not None, type(value)
        assert stage.finding.message
        for line in stage.finding.trace:
            json.dumps(line)
