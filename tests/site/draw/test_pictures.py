"""The pictures of the README show what the program says now."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from rulewright.site.draw.colours import INKS, key_to, letter_of
from rulewright.site.draw.readme_pictures import pictures, report_picture
from rulewright.site.draw.svg import Drawing, as_file
from rulewright.translate.wording import Wording
from tests.site.conftest import ROOT

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@pytest.fixture(scope="module")
def drawn():
    return pictures(ROOT / "docs")


@pytest.mark.parametrize("name", ["sheet.svg", "proofs.svg", "difference.svg"])
def test_a_picture_is_current(drawn, name):
    kept = (ROOT / "docs" / "assets" / name).read_text("utf-8")
    assert kept == drawn[name], "run `make pictures`, and look at what it draws"
    ElementTree.fromstring(kept)


def test_the_readme_shows_every_picture_with_words_for_it(drawn):
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = dict(re.findall(r"!\[([^]]+)\]\(docs/assets/([\w.]+)\)", readme))
    assert sorted(shown.values()) == sorted(drawn)


def test_the_words_for_a_picture_count_what_it_shows(drawn):
    readme = (ROOT / "README.md").read_text("utf-8")
    (said,) = re.findall(r"!\[(A difference report[^]]+)\]", readme)
    (lost,) = re.findall(r"(\d+) properties lost", drawn["difference.svg"])
    (broken,) = re.findall(r"(\d+) worked examples broken", drawn["difference.svg"])
    assert f"{NUMBERS[int(lost)]} properties are lost" in said
    assert f"{NUMBERS[int(broken)]} worked examples break" in said
    (said,) = re.findall(r"!\[(\w+ properties of Pig[^]]+)\]", readme)
    proved, witnessed = (
        drawn["proofs.svg"].count(f"✓ {word}<") for word in ("proved", "witnessed")
    )
    assert said.lower().startswith(f"{NUMBERS[proved + witnessed]} properties of pig")
    assert f"{NUMBERS[proved]} proved and {NUMBERS[witnessed]} witnessed" in said


def test_what_the_readme_links_to_is_there():
    readme = (ROOT / "README.md").read_text("utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", readme):
        assert (ROOT / link).exists(), link


def test_a_long_report_leaves_out_its_middle():
    picture = report_picture(["$ rulewright diff a b", *map(str, range(100)), "<end>"])
    assert ">31</text>" not in picture.replace("…", "")[-900:]
    assert ">…</text>" in picture and ">&lt;end&gt;</text>" in picture


def test_a_wide_picture_stays_readable_on_a_page_and_fits_as_a_file():
    wide, narrow = Drawing(1000, 10), Drawing(400, 10)
    assert 'style="min-width:650px"' in wide.done("wide")
    assert "min-width" not in narrow.done("narrow")
    assert "min-width" not in as_file(wide.done("wide"))


def test_words_of_one_look_share_an_element_and_keep_their_places():
    drawing = Drawing(100, 50)
    for x, words in ((1, "a"), (2, "<"), (3, "10"), (4, "b")):
        drawing.text(x, 9, words, bold=True)
    drawing.text(5, 9, "c", bold=True)
    drawing.text(6, 8, "d")
    drawing.dots([(7, 7)], 2)
    drawing.text(8, 8, "e")
    drawn = drawing.done("letters").partition(">")[2]
    assert drawn == (
        '<g font-weight="700"><text x="1 2" y="9">a&lt;</text><text x="3" y="9">10</text>'
        '<text x="4 5" y="9">bc</text></g><text x="6" y="8">d</text>'
        '<path d="M7 7h.1" fill="none" stroke="currentColor" stroke-width="4"'
        ' stroke-linecap="round"/><text x="8" y="8">e</text></svg>'
    )


def test_colours_have_letters_in_the_language_of_the_reader():
    told = {"red": "rauður", "yellow": "gulur", "green": "grænn", "blue": "blár"}
    say = Wording("is", told).name
    assert [letter_of(INKS[each], say) for each in told] == ["r", "gu", "gr", "b"]
    assert [letter_of(INKS[each], Wording().name) for each in told] == ["r", "y", "g", "b"]
    assert key_to([INKS["green"], INKS["red"]], say) == "gr grænn, r rauður"
