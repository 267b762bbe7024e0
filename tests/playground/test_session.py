"""What a page asks is answered, without a browser."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from rulewright.playground import solver
from rulewright.playground.session import Session
from tests.schemas import errors


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def ask(told: list[str]):
    session = Session(told.append)

    def asked(what: str, **given: Any) -> dict[str, Any]:
        request = {"ask": what, **given}
        found: dict[str, Any] = json.loads(session.answer(json.dumps(request)))
        assert errors("playground", request) == []
        assert errors(f"playground#/$defs/{what}_answer", found) == []
        return found

    return asked


@pytest.fixture
def pig(ask) -> str:
    found = ask("games")
    text: str = found["games"][found["first"]]
    return text


def test_a_text_is_checked_and_mended(ask, pig):
    assert ask("check", text=pig)["usable"]
    broken = pig.replace("total += pips", "totl += pips")
    found = ask("check", text=broken)
    assert not found["usable"]
    (only,) = found["diagnostics"]
    assert (only["line"], only["column"], only["fix"]["text"]) == (54, 63, "total")
    assert ask("mend", text=broken) == {"text": pig, "count": 1}


@pytest.mark.parametrize("text", ["", "\0", "game", "((((" * 500, 'game g "x"\n  players 0..9'])
def test_any_text_has_an_answer(ask, text):
    found = ask("check", text=text)
    assert not found["usable"]
    assert found["diagnostics"]


def test_a_text_that_is_too_large_is_refused(ask):
    assert "too large" in ask("check", text="#" * 50_000_000)["refused"]


def test_a_game_is_played_and_taken_back(ask, pig):
    first = ask("begin", text=pig, players=3, seed=1)
    assert first["players"] == 3
    assert first["moves"] == [{"by": 1, "text": "roll"}]
    refused = ask("play", move="hold", by=1)
    assert "hold.rolled" in refused["note"]
    assert refused["history"] == []
    assert ask("play", move="roll", by=1)["chance"]
    assert ask("play", move="fall(pips = 4)")["history"] == [
        "1 plays roll",
        "chance fall(pips = 4)",
    ]
    assert "did you mean `hold`?" in ask("play", move="hodl", by=1)["help"]
    assert "points" in "\n".join(ask("why", move="hold", by=1)["lines"])
    ended = ask("random", events=10_000)
    assert ended["finished"]
    assert len(ended["winners"]) == 1
    assert not ask("undo")["finished"]


def test_what_cannot_be_played_says_why(ask, pig):
    assert ask("chance")["refused"] == "no game has begun"
    assert "cannot be used" in ask("begin", text=pig + "nonsense", players=None, seed=1)["refused"]
    assert ask("begin", text=pig, players=9, seed=1)["refused"]


def test_commands_run_on_the_text_of_the_page(ask, pig, told):
    changed = pig.replace("if pips == 1:", "if pips == 2:")
    assert "all as expected" in ask("test", text=pig)["said"]
    assert "1 worked example broken" in ask("diff", old=pig, text=changed)["said"]
    assert any(each.startswith("comparing") for each in told)
    assert "12 games" not in ask("run", text=pig, games=2, players=2)["said"]


def test_proofs_come_with_games(ask, pig):
    found = ask("prove", text=pig, players=2)
    verdicts = {each["name"]: each["verdict"] for each in found["report"]["results"]}
    assert set(verdicts.values()) == {"proved"}
    assert "<script" not in found["games"]["twenty"]


def test_what_is_stopped_is_told(ask, pig, monkeypatch: pytest.MonkeyPatch):
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.playground.session.game_view.verdict_page", stopped)
    found = ask("prove", text=pig, players=2)
    assert found["report"]["summary"]["proved"] and found["games"] == {}
    monkeypatch.setattr("rulewright.playground.session.check_text", stopped)
    assert ask("begin", text=pig, players=2, seed=1)["refused"] == "it was stopped"


def test_the_solver_of_the_browser_has_the_face_of_z3(monkeypatch: pytest.MonkeyPatch):
    asked: list[Any] = []

    class Host:
        def make(self) -> int:
            return 7

        def ask(self, context: int, text: str) -> str:
            asked.append((context, text))
            return "sat"

        def drop(self, context: int) -> None:
            asked.append(context)

    monkeypatch.setitem(sys.modules, "z3", None)
    solver.install(Host(), "5.2.0")
    import z3

    context = z3.Context()
    assert z3.Z3_eval_smtlib2_string(context.ref(), "(check-sat)") == "sat"
    del context
    assert asked == [(7, "(check-sat)"), 7]
