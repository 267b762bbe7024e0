"""Pairs of games: the truth about small ones that anybody can see; nothing false is said."""

from __future__ import annotations

import pytest

from fuzz.compare.judge import judged_again
from fuzz.compare.run_prover import briefly
from fuzz.compare.secrets import secrets_judged
from fuzz.generate.secrets import secretive
from fuzz.truth.pairs import told_apart
from rulewright.frontend import check_text
from rulewright.meaning import twin_games
from rulewright.play.semantics.instance import Instance

GAME = """game g "g"
    players 2
phase deal, play, over final
state
    seen: Bool = false
    each Player
        card: 1..2 hidden = 1
chance draw(k: 1..2 hidden) in deal "dealt"
    shows k to 1
    does
        card[1] = k
        phase = play
move stop by p in play "stop"
    does
        {effect}
        phase = over
secret kept "nobody learns it"
"""


def apart(text: str) -> int | None:
    checked = check_text("small.rules", text)
    assert checked.spec is not None, checked.diagnostics
    return told_apart(Instance(checked.spec))


def test_what_is_hidden_and_not_used_is_secret():
    assert apart(GAME.format(effect="seen = true")) == -1


def test_what_all_see_of_a_hidden_card_is_none():
    assert apart(GAME.format(effect="seen = card[1] == 2")) == 2


def test_who_is_not_shown_the_own_card_learns_it_by_looking():
    assert apart(GAME.format(effect="seen = true").replace("    shows k to 1\n", "")) == 1


def test_what_is_shown_to_all_is_no_secret_any_more():
    shown = GAME.format(effect="seen = card[1] == 2").replace("    does\n", SHOWS, 2)
    assert apart(shown.replace(SHOWS, "    does\n", 1)) == -1


SHOWS = "    shows card[1]\n    does\n"


def test_nothing_false_is_said_of_what_is_secret():
    words: list[tuple[str, str]] = []
    with briefly():
        for number in range(8):
            said, false = secrets_judged(check_text("fuzz.rules", secretive(number)))
            assert not false
            words += said.elements()
    assert {word for _, word in words} >= {"proved", "refuted"}


def test_it_is_noticed_if_what_is_shown_is_not_looked_at(monkeypatch: pytest.MonkeyPatch):
    """A fault put into the spec of pairs."""
    monkeypatch.setattr(twin_games._Twins, "_seen_alike", lambda *_: [])
    text = GAME.format(effect="seen = card[1] == 2")
    with briefly():
        assert [each.said for each in judged_again("secrets", text, None, 2)] == ["proved"]
