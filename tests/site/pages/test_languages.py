"""The play page in the languages of its readers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.frontend import read
from rulewright.play.semantics.errors import UsageError
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import read_verdicts
from rulewright.site.pages.page_list import titles, translated_titles
from rulewright.site.pages.play_page import play_page
from tests.conftest import ROOT

GAMES = [("qwixx", "is"), ("kubbar", "is"), ("matte_kryss", "nb"), ("twenty_one", "nb")]
ENGLISH = re.compile(r"\b(the|player|row|may|not|tile|red|sheet|white|yellow|green)\b", re.I)


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_a_page_is_in_one_language(book: Callable[..., Book], game: str, language: str):
    page = play_page(book(game).in_language(language))
    labels = " ".join(re.findall(r'aria-label="([^"]*)"', page))
    words = re.sub(r"<svg.*?</svg>|\]\([^)]*\)|<[^>]*>|twenty one", " ", page) + labels
    assert sorted(set(ENGLISH.findall(words.replace("twenty one", "")))) == []
    assert page.count(f'<div lang="{language}" markdown="1">') == 1
    assert f'<span lang="en">[English](play.md)</span> · <strong lang="{language}">' in page


def test_the_pages_lead_to_each_other(book: Callable[..., Book]):
    made = book("qwixx")
    assert '<span lang="is">[Íslenska](play.is.md)</span>' in play_page(made)
    assert list(titles(made))[:2] == ["play.md", "try.md"]
    assert list(translated_titles(made, "is"))[:3] == ["play.is.md", "try.is.md", "examples.is.md"]
    assert "rw-languages" not in play_page(book("pig"))


def test_a_rule_is_said_with_the_same_evidence_in_every_language(book: Callable[..., Book]):
    made = book("qwixx")
    shown = [
        re.findall(r"#clause-[\w.]+", play_page(made.in_language(each))) for each in ["en", "is"]
    ]
    assert shown[0] == shown[1] and len(shown[0]) > 50


def translated(folder: Path, say: Callable[[str], str]) -> Book:
    """Qwixx with one translation, of a clause."""
    shutil.copy(ROOT / "spec" / "qwixx.rules", folder)
    text = "Every misthrow costs five points."
    (folder / "qwixx.da.po").write_text(
        f'msgctxt "clause score.misthrow"\nmsgid "{text}"\nmsgstr "{say(text)}"\n'
    )
    return Book(read(folder / "qwixx.rules"), read_verdicts([]))


def test_what_is_not_translated_is_told_as_in_the_spec(tmp_path: Path):
    page = play_page(translated(tmp_path, lambda _: "Et fejlkast koster fem.").in_language("da"))
    assert "Et fejlkast koster fem." in page and "The highest result wins." in page


def test_hostile_words_of_a_translation_stay_words(tmp_path: Path):
    evil = r"<script>alert(1)</script> [x](javascript:x) {number} {{ page }} **b** ‮"
    page = play_page(translated(tmp_path, lambda _: evil).in_language("da"))
    assert "<script>" not in page and "](javascript:" not in page and "{{" not in page
    assert "&#60;script&#62;" in page and "‮" not in page


def test_a_broken_translation_is_an_error_with_its_place(tmp_path: Path):
    made = translated(tmp_path, lambda _: 'quo"te')
    with pytest.raises(UsageError) as raised:
        made.in_language("da")
    assert "qwixx.da.po:3: " in raised.value.message


def test_a_changed_translation_makes_other_pages(tmp_path: Path):
    made = translated(tmp_path, lambda text: text)
    before = made.version
    (tmp_path / "qwixx.da.po").write_text("")
    assert Book(made.checked, made.verdicts).version != before
