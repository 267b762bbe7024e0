"""The library: every game is well formed, plays its examples and counts as published; some of what
is claimed is proved. `rulewright verify --library` asks for all of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright import api
from rulewright.resources import library_games
from rulewright.syntax.printing.formatter import format_text

GAMES = library_games()
PAGE = Path(__file__).parent.parent / "docs" / "games" / "library.md"
COUNTS = {
    "breakthrough": (22, 484, 11132),
    "connect_four": (7, 49, 343, 2401, 16807),
    "othello": (4, 12, 56, 244, 1396, 8200),
    "draughts": (7, 49, 302, 1469, 7361),
}
"""Lines of play as they are published, as deep as they are counted in a second or two."""


@pytest.mark.parametrize("name", GAMES)
def test_each_game_is_complete(name: str):
    assert api.check(name, strict=True).exit == 0
    text = GAMES[name].read_text("utf-8")
    assert format_text(text, name) == (text, [])
    assert api.examples(name).exit == 0


@pytest.mark.parametrize("name", GAMES)
def test_random_games_keep_to_all_that_is_claimed(name: str):
    assert api.run(name, games=1, seed=2).exit == 0


@pytest.mark.parametrize("name", COUNTS)
def test_lines_of_play_are_as_many_as_published(name: str):
    depth = len(COUNTS[name])
    counted = api.perft(name, depth, turns=name == "draughts")
    assert tuple(each["lines"] for each in counted.results)[1:] == COUNTS[name]


def test_the_page_lists_every_game_with_its_players():
    text = PAGE.read_text("utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| (\d(?: to \d)?) \|", text, re.MULTILINE))
    assert list(listed) == list(GAMES)
    for name, path in GAMES.items():
        seats = re.search(r"players (\d)\.\.(\d)", path.read_text("utf-8"))
        assert seats is not None
        assert listed[name] == (seats[1] if seats[1] == seats[2] else f"{seats[1]} to {seats[2]}")


def test_the_page_shows_the_published_counts():
    text = PAGE.read_text("utf-8")
    for counts in COUNTS.values():
        assert f"| {', '.join(map(str, counts))}, " in text


def test_small_claims_are_proved():
    claims = ("lengths", "three_runners")
    found = api.prove("cant_stop", players=2, only=claims, timeout=5)
    assert found.exit == 0
    verdicts = {each["name"]: each["verdict"] for each in found.results}
    assert {name: verdicts[name] for name in claims} == dict.fromkeys(claims, "proved")
