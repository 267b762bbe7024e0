"""Open questions: where readings part, a proof that they never do, what holds under which."""

from __future__ import annotations

import json

import pytest

from rulewright.change.semantic import compare
from tests.change.changes import not_asked

GAME = """
game stones "Stones"
    players 2..3

source book "House rules"
clause stop.when must book:1.1 "Stop when there are stones."

reading enough "How many stones let a player stop?" [stop.when]
    one "a single one" default
    two "at least two"

reading much "May a heap of more than nine stones be left?"
    yes "it may" default
    no  "it may not"

const most "the stones that fit" = 9

phase play "stones are put down", over final "the game is over"

state
    turn: Player = 1
    heap: 0..20 = 0

move put(n: 1..2) by p in play "put down stones"
    needs own_turn "it is the player's turn": p == turn
    needs room "there is room": heap + n <= most
    does
        heap += n
        turn = left_of(turn)

move stop by p in play "stop" [stop.when]
    needs own_turn "it is the player's turn": p == turn
    needs enough_there "enough stones are there": heap >= (1 if enough == one else 2)
    needs not_much "the heap can be left": heap <= 9 or much == yes
    does phase = over

invariant nine "there are nine stones at most": heap <= 9
invariant not_one "nobody stops at one stone": phase == over implies heap >= 2

variant long "A long game"
    const most "the stones that fit" = 12
"""


@pytest.fixture
def stones(tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
    (tmp_path / "stones.rules").write_text(GAME, encoding="utf-8")


def test_readings_part_where_a_game_gets_or_are_proved_never_to(rulewright, stones):
    ran = rulewright("readings", "stones.rules", "--format", "json")
    assert ran.out, ran.err
    found = {each["reading"]: each for each in json.loads(ran.out)["results"]}
    assert ran.exit == 0
    assert found["much"]["outcome"] == "never" and found["much"]["differences"] == []
    assert found["enough"]["outcome"] == "parts" and found["enough"]["clauses"] == ["stop.when"]
    (stop,) = found["enough"]["differences"]
    assert (stop["move"], stop["verdict"]) == ("stop", "stricter")
    assert stop["witness"]["position"]["heap"] == 1 and len(stop["witness"]["trace"]) == 1
    shown = rulewright("readings", "stones.rules").out
    assert "[stop.when]" in shown and "they part" in shown and "heap: 1" in shown
    assert "proved: they never part" in shown


def test_a_table_says_what_holds_under_which_option_and_in_which_variant(rulewright, stones):
    ran = rulewright("readings", "stones.rules", "--properties", "--jobs", 1, "--format", "json")
    assert ran.out, ran.err
    tables = [each for each in json.loads(ran.out)["results"] if "properties" in each]
    assert [each["players"] for each in tables] == [2, 3]
    for table in tables:
        by_way = table["properties"]
        assert list(by_way) == ["defaults", "enough = two", "much = no", "long"]
        assert by_way["defaults"]["nine"] == "proved" and by_way["long"]["nine"] == "refuted"
        assert by_way["enough = two"]["not_one"] == "proved"
        assert by_way["defaults"]["not_one"] == "refuted"


def test_playing_at_random_is_enough_where_options_part_early(rulewright, stones, monkeypatch):
    """The solver is for options that no game at random tells apart."""
    asked = []

    def gives_up(product, query, *_, **__):
        asked.append(query.subject.name)
        return not_asked()

    monkeypatch.setattr(compare, "ask", gives_up)
    ran = rulewright("readings", "stones.rules", "--players", 2, "--format", "json")
    found = {each["reading"]: each for each in json.loads(ran.out)["results"]}
    assert found["enough"]["outcome"] == "parts"
    assert found["much"]["outcome"] == "unknown" and set(asked) == {"stop"}


def test_a_game_without_open_questions_has_none(rulewright):
    ran = rulewright("readings", "pig")
    assert ran.exit == 0 and "0 open questions" in ran.err


HASTY = """game hasty "Hasty"
    players 2
reading how "how"
    one "one" default
    two "two"
phase a, b, over final
state
    n: 0..3 = 0
step off in a, b "at once"
    when always_so "always": n >= 0
    does phase = over
move on by p in a "on"
    does phase = b
move stop by p in b "stop"
    needs here "one": how == one
    does phase = over
"""


def test_nothing_is_played_where_a_step_is_due(rulewright, tmp_path):
    """The phase in which the options would part is left before anybody can act in it."""
    path = tmp_path / "hasty.rules"
    path.write_text(HASTY, encoding="utf-8")
    ran = rulewright("readings", str(path), "--jobs", 1, "--no-cache", "--format", "json")
    (found,) = json.loads(ran.out)["results"]
    assert found["outcome"] != "parts"
    assert not any(each["witness"]["reached"] for each in found["differences"])
