"""What was made is kept, and never shown where it is no longer so."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.site.mkdocs.directives import Directives
from rulewright.site.model.book import Book
from rulewright.site.model.page_cache import PageCache
from rulewright.site.model.verdicts import ReadingDifference, Verdicts
from rulewright.site.pages.page_list import all_pages, kept_pages
from tests.site.conftest import SPECS, checked, tree, verdict

GAME = [{"move": "roll", "by": 2, "args": {}}, {"chance": "fall", "args": {"pips": 6}}]
WITNESS = verdict("twenty", 2, kind="possible", trace=GAME, start={"active": 2})
HASH = checked("pig").hash or ""
TEXT = SPECS["pig"].read_text("utf-8")


@pytest.fixture
def page_cache(tmp_path):
    return PageCache(tmp_path / "shelf")


def put_in(book: Book, page_cache: PageCache, folder: str = "games") -> str:
    directives = Directives(
        {book.name: book}, lambda name, file: f"{folder}/{name}/{file}", page_cache
    )
    asked = "[[example pig ann_and_bob]] [[game pig twenty]] [[turn pig]] [[rule pig hold.rolled]]"
    text, wrong = directives.put_in(asked)
    assert wrong == []
    return text


def test_what_is_kept_is_what_would_be_made(page_cache, idle):
    wanted = all_pages(Book(checked("pig"), Verdicts([WITNESS])))
    wanted_by_directives = put_in(Book(checked("pig"), Verdicts([WITNESS])), PageCache())
    for _ in range(2):
        book = Book(checked("pig"), Verdicts([WITNESS]))
        assert list(kept_pages(book, page_cache).items()) == list(wanted.items())
        assert put_in(book, page_cache) == wanted_by_directives
        idle()


def test_without_a_shelf_everything_is_made(idle):
    book = Book(checked("pig"), Verdicts())
    kept_pages(book, PageCache())
    idle()
    with pytest.raises(AssertionError, match="something was played"):
        kept_pages(Book(checked("pig"), Verdicts()), PageCache())


SAYS = TEXT.replace("at least once", "at least 1 time")
LAID_OUT = TEXT.replace("points[", "points [")
UNKNOWN = verdict("twenty", 2, "unknown", kind="possible", reason="too long")
SHORTER = verdict("twenty", 2, kind="possible", trace=GAME[:1], start={"active": 2})
STALE = verdict("one_winner", None, spec_hash="0123456789abcdef")
CHANGED = {
    "the spec": (SAYS, Verdicts([WITNESS])),
    "the layout of what is quoted": (LAID_OUT, Verdicts([WITNESS])),
    "no verdict": (TEXT, Verdicts()),
    "one more verdict": (TEXT, Verdicts([WITNESS, verdict("one_winner", None)])),
    "another verdict": (TEXT, Verdicts([UNKNOWN])),
    "another game": (TEXT, Verdicts([SHORTER])),
    "a verdict on another version": (TEXT, Verdicts([WITNESS, STALE])),
    "what an engine was asked": (TEXT, Verdicts([WITNESS], {HASH: {"turn.first": 9}})),
}


def changed_book(what: str) -> Book:
    text, verdicts = CHANGED[what]
    return Book(check_text(checked("pig").file, text), verdicts)


@pytest.mark.parametrize("changed", CHANGED)
def test_a_change_is_seen(page_cache, changed):
    before = kept_pages(Book(checked("pig"), Verdicts([WITNESS])), page_cache)
    after = kept_pages(changed_book(changed), page_cache)
    assert after == all_pages(changed_book(changed))
    assert after != before


def test_where_readings_part_is_seen(page_cache):
    never = ReadingDifference("ties", "undecided", "never", [], checked("qwixx").hash)
    before, after = Verdicts(), Verdicts((), {}, [never])
    assert Book(checked("qwixx"), before).version != Book(checked("qwixx"), after).version
    other = Verdicts(
        (), {}, [ReadingDifference("ties", "undecided", "never", [], "0123456789abcdef")]
    )
    assert Book(checked("qwixx"), before).version == Book(checked("qwixx"), other).version


def test_a_page_written_by_hand_beside_them_is_seen(page_cache):
    book = Book(checked("pig"), Verdicts())
    assert "about.md" not in kept_pages(book, page_cache)["index.md"]
    assert "about.md" in kept_pages(book, page_cache, about=True)["index.md"]


def test_verdicts_on_other_specs_change_nothing(page_cache, idle):
    kept_pages(Book(checked("pig"), Verdicts([WITNESS])), page_cache)
    idle()
    other = verdict("one_winner", None, spec="qwixx", spec_hash="0123456789abcdef")
    kept_pages(Book(checked("pig"), Verdicts([WITNESS, other], {"0123": {"a": 1}})), page_cache)


def test_a_directive_links_from_where_it_stands(page_cache):
    book = Book(checked("pig"), Verdicts([WITNESS]))
    assert "(games/pig/rules.md#clause-turn.first)" in put_in(book, page_cache)
    assert "(../pig/rules.md#clause-turn.first)" in put_in(book, page_cache, "..")


def test_the_program_with_other_bounds_makes_everything_anew(page_cache, idle, monkeypatch):
    book = Book(checked("pig"), Verdicts([WITNESS]))
    kept_pages(book, page_cache)
    monkeypatch.setenv("RULEWRIGHT_BOUNDS", "cells=77")
    idle()
    with pytest.raises(AssertionError, match="something was played"):
        kept_pages(Book(checked("pig"), Verdicts([WITNESS])), page_cache)


def test_a_damaged_page_is_made_anew(page_cache, tmp_path):
    wanted = kept_pages(Book(checked("pig"), Verdicts()), page_cache)
    (kept,) = [each for each in (tmp_path / "shelf").rglob("*") if each.is_file()]
    kept.write_text(kept.read_text("utf-8").replace("You have to roll", "You may roll"))
    assert kept_pages(Book(checked("pig"), Verdicts()), page_cache) == wanted


def test_a_newer_version_takes_the_place_of_the_older(page_cache, tmp_path):
    for each in CHANGED:
        kept_pages(changed_book(each), page_cache)
    assert len([each for each in (tmp_path / "shelf").rglob("*") if each.is_file()]) == 1


def test_where_nothing_can_be_kept_pages_are_made_all_the_same(tmp_path):
    (tmp_path / "file").write_text("")
    book = Book(checked("pig"), Verdicts())
    assert kept_pages(book, PageCache(tmp_path / "file" / "shelf")) == all_pages(book)


def test_the_command_plays_nothing_twice(rulewright, tmp_path, monkeypatch, idle):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert rulewright("docs", "pig", "--out", "pages", "--no-prove").exit == 0
    idle()
    assert rulewright("docs", "pig", "--out", "again", "--no-prove").exit == 0
    assert tree(tmp_path / "again") == tree(tmp_path / "pages")
