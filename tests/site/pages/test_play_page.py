"""The page that people play from: in the order of its sections, without a mark or a label."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.frontend import check_text, read
from rulewright.site.draw.colours import INKS
from rulewright.site.model.book import Book
from rulewright.site.model.turn_diagram import step_arrows, turn_steps
from rulewright.site.model.verdicts import read_verdicts
from rulewright.site.pages.play_page import play_page
from rulewright.site.rulebook.compose import rulebook
from rulewright.site.rulebook.content import DataTable, ExampleBox, Pictures, Prose
from rulewright.translate.wording import Wording

SPEC = Path(__file__).parents[3] / "spec"
GAMES = ("qwixx", "kubbar", "matte_kryss", "twenty_one")


def book_of(name: str) -> Book:
    return Book(read(SPEC / f"{name}.rules"), read_verdicts([]))


@pytest.fixture(scope="module")
def books() -> dict[str, Book]:
    return {name: book_of(name) for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_said_once_and_has_its_evidence(books: dict[str, Book], name: str):
    made = rulebook(books[name], Wording())
    said = [
        sentence.clause
        for section in made.sections
        for block in section.blocks
        if isinstance(block, Prose | ExampleBox)
        for sentence in block.sentences
        if sentence.clause
    ]
    rules = [c.name for c in books[name].spec.clauses if c.kind not in ("aside", "example")]
    assert sorted(set(rules) - set(said)) == []
    assert sorted({each for each in said if said.count(each) > 1}) == []
    page = play_page(books[name])
    assert all(f"(rules.md#clause-{each})" in page for each in rules)


@pytest.mark.parametrize("name", GAMES)
def test_no_label_mark_or_notation_is_in_the_text(books: dict[str, Book], name: str):
    page = re.sub(r"<svg.*?</svg>", "", play_page(books[name]))
    assert "rw-mark" not in page and "<code>" not in page
    words = re.sub(r"\]\([^)]*\)|<[^>]*>", "", page)
    assert not re.findall(r"\w+_\w+|&#123;|==|\\", words)
    assert len(play_page(books[name]).encode()) < 300_000


@pytest.mark.parametrize("name", GAMES)
def test_sections_come_in_the_order_of_the_spec(books: dict[str, Book], name: str):
    made = [each.heading for each in rulebook(books[name], Wording()).sections]
    own = [each.heading for each in books[name].spec.sections]
    assert [each for each in made if each in own] == own
    assert Wording()("house_rules") in made


def test_the_points_of_qwixx_are_a_whole_table(books: dict[str, Book]):
    scoring = next(s for s in rulebook(books["qwixx"], Wording()).sections if s.name == "scoring")
    table = next(each for each in scoring.blocks if isinstance(each, DataTable))
    assert " ".join(table.rows[1]) == "0 1 3 6 10 15 21 28 36 45 55 66 78"


def test_tile_counts_are_told_by_number(books: dict[str, Book]):
    box = next(s for s in rulebook(books["matte_kryss"], Wording()).sections if s.name == "box")
    table = next(each for each in box.blocks if isinstance(each, DataTable))
    assert table.rows[0] == ("7\N{NO-BREAK SPACE}×", "1 to 10")


def test_the_diagram_has_the_steps_that_titles_name(books: dict[str, Book]):
    spec = books["matte_kryss"].spec
    steps = turn_steps(spec)
    titles = [each.title for each in steps]
    assert titles[:3] == ["Who begins", "Seven tiles", "Lay tiles"]
    assert len(steps) < len(spec.phases)
    arrows = {(titles[a], titles[b]) for a, b in step_arrows(spec, steps)}
    assert ("Who begins", "Seven tiles") in arrows and ("The next player", "Lay tiles") in arrows
    assert ("Seven tiles", "Who begins") not in arrows


def test_what_one_may_choose_in_a_turn_is_in_the_diagram(books: dict[str, Book]):
    spec = books["kubbar"].spec
    steps = turn_steps(spec)
    titles = [each.title for each in steps]
    arrows = {(titles[a], titles[b]) for a, b in step_arrows(spec, steps)}
    chosen = {"Take from the pool", "Draw from the bag", "Play an action tile", "Lay tiles"}
    assert {("Choose", each) for each in chosen} <= arrows
    assert ("Lay tiles", "The next player") in arrows
    assert ("Play an action tile", "Everybody passes two tiles") in arrows


def test_a_page_to_have_at_hand_leaves_out_who_made_the_game(books: dict[str, Book]):
    made = rulebook(books["kubbar"], Wording())
    assert "thanks" in {each.name for each in made.sections}
    assert "thanks" not in {each.name for each in made.reference}
    assert {"setup", "turn", "end"} <= {each.name for each in made.reference}


def test_an_example_of_what_is_left_shows_what_is_left(books: dict[str, Book]):
    crossing = next(
        each for each in rulebook(books["qwixx"], Wording()).sections if each.name == "crossing"
    )
    box = next(e for e in crossing.blocks if isinstance(e, ExampleBox) and e.name == "yellow_row")
    assert "; yellow 2 4 6 8 10;" in box.pictures[0].svg
    assert [each.caption for each in box.pictures] == ["Max", "Max, afterwards"]


def boxes(book: Book) -> dict[str, ExampleBox]:
    made = rulebook(book, Wording())
    blocks = [block for section in made.sections for block in section.blocks]
    return {each.name: each for each in blocks if isinstance(each, ExampleBox)}


def test_what_is_told_to_happen_is_seen_before_and_after(books: dict[str, Book]):
    told = boxes(books["kubbar"])["merge_groups"]
    before, after = told.pictures
    assert (before.caption, after.caption) == ("Before", "After")
    assert "J11 red 3" in before.svg and "T22 red 3" in after.svg
    assert ">AC<" not in before.svg, "a table has no squares"
    emma = boxes(books["twenty_one"])["emma_crosses"]
    assert "crossed out" in emma.pictures[-1].svg


def test_a_picture_of_what_is_refused_says_by_which_rule(books: dict[str, Book]):
    shown = boxes(books["kubbar"])["set_of_four"].pictures
    assert [each.caption for each in shown] == [
        "Not allowed. The rule: a line is a set or a run",
        "Not allowed. The rule: the tiles of a set have different colours", "Allowed",
    ]  # fmt: skip


def test_what_is_allowed_is_said_before_what_is_not(books: dict[str, Book]):
    said = boxes(books["kubbar"])["force_three"].sentences
    assert [each.words for each in said] == [
        "Birna may make an opponent draw three tiles: Anna. Not allowed: Birna. "
        "The rule: it is played against an opponent."
    ]


def test_squares_have_the_colours_that_the_spec_says(books: dict[str, Book]):
    setup = next(s for s in rulebook(books["matte_kryss"], Wording()).sections if s.name == "setup")
    board = next(each for each in setup.blocks if isinstance(each, Pictures)).pictures[0].svg
    paint = {INKS[name].paint for name in ("pink", "blue", "white")}
    assert set(re.findall(r'fill="(#\w+)"', board)) == paint


PLAIN = """game tiny "A tiny game"
    players 2..3

source en "The rules"

clause aim.low aside en:1.1 "Stay low."
clause turn.rest may en:1.2 "A player may rest."

phase play, over final

state
    count: 0..9 = 0

move rest by p in play "rest" [turn.rest]
    does
        count = min(count + 1, 9)
        if count == 9:
            phase = over
"""


def book_from(text: str, folder: Path) -> Book:
    file = folder / "tiny.rules"
    file.write_text(text, "utf-8")
    return Book(read(file), read_verdicts([]))


def test_without_sections_groups_are_sections(tmp_path: Path):
    made = rulebook(book_from(PLAIN, tmp_path), Wording())
    assert [each.heading for each in made.sections][:2] == ["Aim", "Turn"]


def codes(text: str) -> list[str]:
    return [each.code for each in check_text("x.rules", text).diagnostics]


def test_a_section_with_an_unknown_clause_is_reported():
    assert "RW106" in codes(PLAIN + 'section turn "Turn"\n    turn.rset\n')
    assert "RW106" not in codes(PLAIN + 'section turn "Turn"\n    turn\n')


def test_a_clause_stands_in_one_place_only():
    assert "RW102" in codes(PLAIN + 'section turn "Turn"\n    turn.rest\n    turn.rest\n')


def test_a_phase_that_a_title_names_has_to_exist():
    assert "RW101" in codes(PLAIN + 'section turn "Turn"\n    "Rest" in plya: turn.rest\n')


def test_a_rule_that_no_section_has_is_shown_and_reported(tmp_path: Path):
    text = PLAIN + 'section aim "Aim"\n    aim\n'
    assert "RW519" in codes(text)
    headings = [each.heading for each in rulebook(book_from(text, tmp_path), Wording()).sections]
    assert Wording()("other_rules") in headings
