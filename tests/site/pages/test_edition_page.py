"""What is new in an edition, as somebody who plays reads it."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

PIG = (ROOT / "spec" / "tutorial" / "pig.rules").read_text(encoding="utf-8")


def with_changes(*changes: tuple[str, str]) -> str:
    """Pig with some text replaced, each of it there once at least."""
    text = PIG
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


CAREFUL = with_changes(
    ("You have to roll at least once.", "You have to bring more than five points."),
    ('"the die was rolled in this turn" [turn.first]: total > 0',
     '"the turn has brought more than five" [turn.first]: total > 5'),
    ("The turn goes to the left.", "Play goes round to the <left>."),
    ("clause win.goal ", 'clause turn.kind aside en:1.7 "Be kind."\nclause win.goal '),
    ("# ---- how it is played", 'reading late "May somebody come later?" [win.goal]\n'
     '    no "no" default\n    yes "yes"\n\n# ---- how it is played'),
)  # fmt: skip
REWORDED = with_changes(("The turn goes to the left.", "Play goes round to the left."))


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def page_of(rulewright, tmp_path):
    """The page for readers about a change of Pig, and that for editors."""

    def made(old: str, new: str, *options: object) -> tuple[str, str]:
        (tmp_path / "old.rules").write_text(old, encoding="utf-8")
        (tmp_path / "new.rules").write_text(new, encoding="utf-8")
        ran = rulewright("diff", "old.rules", "new.rules", "--quick", "--players", 2, "--whats-new",
                         "new.html", "--html", "report.html", *options)  # fmt: skip
        assert ran.exit in (0, 3), ran.err
        return tuple((tmp_path / each).read_text("utf-8") for each in ("new.html", "report.html"))

    return made


def read_aloud(page: str) -> str:
    """What somebody hears of a page, without pictures."""
    body = re.sub(r"<svg.*?</svg>|<style>.*?</style>", "", page, flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_the_page_says_what_is_played_differently_with_its_example(page_of):
    page, report = page_of(PIG, CAREFUL)
    said = read_aloud(page)
    played, _, rest = said.partition("Said in other words, played as before")
    assert "Now: You have to bring more than five points." in played
    assert "Before: You have to roll at least once." in played
    assert re.search(
        r"Example: Player [12] may no longer keep the total\. "
        r"The rule: the turn has brought more than five\.", played,
    )  # fmt: skip
    assert "Now: Play goes round to the &lt;left&gt;." in rest and "<left>" not in page
    assert "New: Be kind." in said
    assert "The rules leave this open: May somebody come later?" in said
    assert not any(each in page for each in ("turn.first", "src=", "href=", "url(", 'style="'))
    assert "What is new in this edition" in report and "turn.first" in report


def test_what_is_only_reworded_changes_nothing_and_that_is_proved(page_of):
    page, _ = page_of(PIG, REWORDED)
    said = read_aloud(page)
    assert "What is played differently" not in said
    assert "The game itself is played as before." in said
    same, _ = page_of(PIG, PIG)
    assert "Nothing is new: the game is played as before." in read_aloud(same)


def test_what_could_not_be_compared_is_not_called_the_same(page_of):
    page, _ = page_of(PIG, with_changes(("players 2..4", "players 2..5"), ("0..105", "0..106")))
    said = read_aloud(page)
    assert "For 2 to 5 players. Before: For 2 to 4 players." in said
    assert "Whether anything else is played differently is not certain." in said
    assert "as before." not in said
