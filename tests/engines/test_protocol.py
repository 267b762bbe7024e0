"""The line protocol, spoken with engines in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulewright_engines.play import at_random, played
from tests.engines.acting import ENGINES

ROOT = Path(__file__).parent.parent.parent

Ask = Callable[[Any], Any]


def started(name: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"rulewright_engines.{name}"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@pytest.fixture
def ask(request: pytest.FixtureRequest) -> Iterator[Ask]:
    """Sends a request (an object, or a line as it is) to an engine and gives its response."""
    process = started(request.param)
    assert process.stdin is not None and process.stdout is not None
    read, write = process.stdout, process.stdin

    def send(message: Any) -> Any:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        write.write(line + b"\n")
        write.flush()
        return json.loads(read.readline())

    yield send
    write.close()
    assert process.wait() == 0
    assert read.read() == b""
    read.close()


def speaking(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("ask", names, indirect=True)


@speaking("qwixx")
def test_a_conversation(ask: Ask):
    hello = ask({"do": "hello"})
    assert hello["game"] == "qwixx"
    assert hello["can"] == ["new", "apply", "state", "legal", "load", "score"]
    new = ask({"do": "new", "players": 3, "readings": {}, "variant": None, "active": 2})
    assert (new["ok"], new["state"]["active"], len(new["state"]["crossed"])) == (True, 2, 3)
    dice = {"red": 3, "yellow": 3, "green": 3, "blue": 3}
    throw = {"do": "apply", "chance": "throw", "args": {"w": [[1, 4], [2, 1]], "d": dice}}
    thrown = ask(throw)
    assert (thrown["ok"], thrown["state"]["phase"]) == (True, "first_action")
    assert ask(throw) == {"ok": False, "why": "`throw` is for throw, this is first_action"}
    cross = {"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 4}}
    assert cross in ask({"do": "legal"})["moves"]
    crossed = ask({"do": "apply", **cross})
    assert crossed["state"]["crossed"][0] == [
        1,
        {"red": [4], "yellow": [], "green": [], "blue": []},
    ]
    assert ask({"do": "state"}) == {"state": crossed["state"]}
    assert ask({"do": "load", "state": thrown["state"]}) == {"ok": True}
    assert ask({"do": "state"}) == {"state": thrown["state"]}
    assert ask({"do": "score"}) == {"scores": [[1, 0], [2, 0], [3, 0]], "winners": []}


@speaking("kubbar")
def test_an_engine_that_lists_some_moves_does_not_offer_the_list(ask: Ask):
    assert "legal" not in ask({"do": "hello"})["can"]
    assert ask({"do": "legal"}) == {"moves": []}


@speaking(*ENGINES)
def test_nothing_that_comes_in_ends_the_conversation(ask: Ask):
    before = ask({"do": "state"})
    garbage: list[Any] = [
        b"",
        b"garbage",
        b"\xff\xfe\x00",
        b"{" * 10_000,
        b"[" * 100_000,
        b"1" * 100_000,
        b'"do"',
        b'{"do": "hello"',
        b'{"do": NaN}',
        None,
        [],
        7,
        {},
        {"do": None},
        {"do": []},
        {"do": "fly"},
        {"do": "new"},
        {"do": "new", "players": "two"},
        {"do": "new", "players": 2, "self": 1},
        {"do": "new", "players": 2, "readings": 7},
        {"do": "apply"},
        {"do": "apply", "move": "lay"},
        {"do": "apply", "move": {}, "by": {}, "args": {}},
        {"do": "apply", "chance": "throw", "args": {"w": 1}},
        {"do": "load"},
        {"do": "load", "state": []},
        {"do": "load", "state": {"phase": "over"}},
    ]
    for message in garbage:
        response = ask(message)
        assert response["ok"] is False
        assert response["why"]
    assert ask({"do": "state"}) == before


@speaking(*ENGINES)
def test_a_whole_game_is_the_same_as_in_process(ask: Ask, request: pytest.FixtureRequest):
    kind = ENGINES[ask({"do": "hello"})["game"]]
    game = kind()
    ask({"do": "new", "players": kind.PLAYERS[0]})
    for count, event in enumerate(played(game, at_random, Random(2))):
        response = ask({"do": "apply", **event})
        if count % 20 == 0:
            assert response == {"ok": True, "state": json.loads(json.dumps(game.state()))}
    assert ask({"do": "score"})["winners"] == game.winners()


def test_an_engine_ends_quietly_when_nobody_listens():
    process = started("qwixx")
    assert process.stdin is not None and process.stdout is not None
    process.stdout.close()
    process.stdin.write(b'{"do": "state"}\n' * 1000)
    process.stdin.close()
    assert process.wait() == 0
