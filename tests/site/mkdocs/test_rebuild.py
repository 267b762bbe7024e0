"""A site is built again: the same, in a moment, and with every change in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.frontend import read
from rulewright.site.model.book import Book
from rulewright.site.pages.page_list import all_pages
from tests.site.conftest import SPECS, tree

pytest.importorskip("mkdocs")
pytestmark = pytest.mark.slow
TEXT = SPECS["pig"].read_text("utf-8")
HOME = """# Home

[[example pig ann_and_bob]]

[[turn pig]]

```rules
phase play
```

```html
<svg class="rw-picture rw-flow">shown as it is written</svg>
```
"""
CONFIG = """
site_name: Test
plugins:
  - search
  - rulewright: { specs: [pig.rules, hog.rules], prove: false }
"""


@pytest.fixture
def build(tmp_path, monkeypatch) -> Callable[..., dict[str, bytes]]:
    """Builds a site with two games and says what is in it."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    (tmp_path / "pig.rules").write_text(TEXT)
    (tmp_path / "hog.rules").write_text(TEXT.replace('game pig "Pig"', 'game hog "Hog"'))
    (tmp_path / "docs" / "games" / "pig").mkdir(parents=True)
    (tmp_path / "docs" / "index.md").write_text(HOME)
    (tmp_path / "mkdocs.yml").write_text(CONFIG)

    def built(keeping: bool = True) -> dict[str, bytes]:
        cache = tmp_path / "cache" if keeping else Path("/dev/null")
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")  # pages say when they were built
        build(load_config(str(tmp_path / "mkdocs.yml"), site_dir=str(tmp_path / "site")))
        return tree(tmp_path / "site")

    return built


@pytest.fixture
def answered(tmp_path) -> Callable[..., Path]:
    """Puts a verdict on Pig where the site looks for it."""

    def put(result: dict[str, object]) -> Path:
        kept = Path(tmp_path, ".rulewright", "verdicts", "pig.json")
        kept.parent.mkdir(parents=True)
        report = {"spec": "pig", "spec_hash": read(tmp_path / "pig.rules").hash}
        kept.write_text(json.dumps({**report, "results": [result]}))
        return kept

    return put


def test_a_second_build_plays_nothing_and_is_the_same(build, idle):
    without = build(keeping=False)
    first = build()
    idle()
    assert build() == first == without


def test_pictures_and_games_are_in_their_places_and_not_searched_for(build, answered):
    events = [{"move": "roll", "by": 1, "args": {}}, {"chance": "fall", "args": {"pips": 6}}]
    answered({"name": "twenty", "kind": "possible", "verdict": "proved", "players": 2,
              "trace": events})  # fmt: skip
    made = build()
    for name, text in made.items():
        assert b"data-rw-aside" not in text, name
    assert made["games/pig/turn/index.html"].count(b'<svg class="rw-picture') == 1
    assert made["index.html"].count(b'<svg class="rw-picture') == 1
    assert b"<li>The die falls (pips 6).</li></ol>" in made["games/pig/holds/index.html"]
    index = made["search/search_index.json"]
    assert b"You have to roll at least once" in index
    assert b"A game of 2 events" in index and b"shown as it is written" in index
    assert b"(the end)" not in index, "it stands in the diagram of the phases"
    assert b"pips 6" not in index


def test_a_change_of_a_spec_shows_and_the_other_is_not_made_again(build, tmp_path, monkeypatch):
    build()
    made: list[str] = []

    def noted(book: Book, about: bool) -> dict[str, str]:
        made.append(book.name)
        return all_pages(book, about)

    monkeypatch.setattr("rulewright.site.pages.page_list.all_pages", noted)
    (tmp_path / "pig.rules").write_text(TEXT.replace("at least once", "at least 1 time"))
    changed = build()
    assert made == ["pig"]
    assert b"at least 1 time" in changed["games/pig/rules/index.html"]
    assert changed == build(keeping=False)


def test_a_change_of_a_page_shows(build, tmp_path, idle):
    build()
    (tmp_path / "docs" / "games" / "pig" / "about.md").write_text("# About\n\nfirst\n")
    assert b"About this spec" in build()["games/pig/index.html"]
    idle()
    (tmp_path / "docs" / "games" / "pig" / "about.md").write_text("# About\n\nsecond\n")
    (tmp_path / "docs" / "index.md").write_text("# Home\n\n[[turn pig]]\n\nmore\n")
    changed = build()
    assert b"second" in changed["games/pig/about/index.html"]
    assert b"more" in changed["index.html"]


def test_a_verdict_shows_for_as_long_as_there_is_one(build, answered):
    build()
    kept = answered({"name": "one_winner", "kind": "invariant", "verdict": "proved"})
    proved = "✓&nbsp;proved".encode()
    assert proved in build()["games/pig/holds/index.html"]
    kept.unlink()
    assert proved not in build()["games/pig/holds/index.html"]
