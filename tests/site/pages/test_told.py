"""What a reader of the pages is told in words: which example shows a hole, what depends on an open
question, sentences in place of names."""

from __future__ import annotations

import re

import pytest

from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import Verdicts
from rulewright.site.pages.page_list import pages
from tests.site.conftest import SPECS, checked, examples

_MADE: dict[str, dict[str, str]] = {}


def made(name: str) -> dict[str, str]:
    """The pages of a bundled game."""
    if name not in _MADE:
        _MADE[name] = pages(Book(checked(name), Verdicts()))
    return _MADE[name]


def under(text: str, anchor: str) -> str:
    """What stands under the heading with an anchor."""
    return re.split(r"\n##+ ", text.partition(f'id="{anchor}"')[2])[0]


def line(text: str, words: str) -> str:
    """The one line that begins with some words."""
    (found,) = {each for each in text.splitlines() if each.startswith(words)}
    return found


def holes_shown(game: str, hole: str) -> list[str]:
    """The examples that a page of holes names for one."""
    told = under(made(game)["holes.md"], f"hole-{hole}").partition("Fails in")[2]
    return re.findall(r"examples(?:-\d+)?\.md#example-(\w+)", told)


def test_a_hole_names_only_the_examples_in_which_it_shows():
    assert holes_shown("kubbar", "never_locked_out") == ["locked_out", "no_room_to_found"]
    assert holes_shown("matte_kryss", "rack_of_seven") == ["eight_tiles"]
    assert holes_shown("matte_kryss", "tile_stays") == ["challenged", "half_right", "eight_tiles"]
    assert holes_shown("matte_kryss", "finite") == ["exchanging_on"]
    assert holes_shown("kubbar", "finite") == ["turns_go_by_for_ever"]
    assert holes_shown("kubbar", "goes_on") == ["stuck", "stuck_of_three", "stuck_of_four"]


def test_a_hole_is_drawn_where_it_fails():
    holes = made("matte_kryss")["holes.md"]
    eight = under(holes, "hole-rack_of_seven").partition("There it fails in this position:")[2]
    rack = re.search(r'aria-label="rack: ([^"]*)"', eight)
    assert rack is not None and len(rack[1].split(", ")) == 8
    stays = under(holes, "hole-tile_stays")
    before, after = stays.split("and this is the position after it:")
    assert "In the first of them it fails in the transition from this position:" in before
    assert "I8 7" in before and "I8 7" not in after, "the tile that was taken back"
    kubbar = made("kubbar")["holes.md"]
    assert "There the game returns to this position:" in under(kubbar, "hole-finite")
    assert "not every move can be tried" in under(kubbar, "hole-goes_on")


def test_a_requirement_says_under_which_answer_it_applies():
    turn = made("kubbar")["turn.md"]
    split = line(turn, "- no group is split")
    only = "? only if [splitting](questions.md#reading-splitting) is read as *forbidden*"
    assert f"{only}; here it is read as *allowed*" in split
    assert "? not if [founding lines]" in line(turn, "- a group is founded with one set or run")
    assert "is read as *crossing lines*" in line(turn, "- a group is founded with one set or run")
    assert "? depends on how [second group]" in line(turn, "- until all have founded a group")
    assert "? depends on how [empty bag]" in line(turn, "- the pool can be filled up again"), (
        "a question that a function asks"
    )
    skip = line(turn, "- there is nothing to draw or take")
    assert "? never so if [empty bag](questions.md#reading-empty_bag) is read as *literal*" in skip
    assert "<small>" not in line(turn, "- a line is a set or a run")


def test_a_move_that_only_another_answer_allows_says_so():
    told = line(made("matte_kryss")["turn.md"], "**▸ object**")
    assert "never if [wrong result]" in told and "is read as *refused*, as here" in told


def test_a_turn_lists_what_its_events_do():
    turn = made("qwixx")["turn.md"]
    cross = turn.partition("**▸ cross sum**")[2].partition("**▸ pass sum**")[0]
    needed, done = cross.split("Then, depending on the case:")
    assert "Needed:" in needed
    assert "- the lock is crossed with the last number ([<code>close.lock</code>]" in done
    ends = line(turn.partition("**⟳ end first action**")[2], "- the second action follows")
    assert "? depends on how [window end](questions.md#reading-window_end) is read" in ends


def test_what_a_property_claims_keeps_its_indentation():
    told = under(made("qwixx")["holds.md"], "property-colours_once")
    shown = told.partition("```rules-expression\n")[2].partition("```")[0].splitlines()
    assert shown[0] == "all c: Colour, n in 2..12:"
    assert shown[1].startswith("    (count row: Colour")


HEADINGS = [
    ("qwixx", "questions.md", "reading-window_end",
     "The second row closes in the first action: is the turn still finished?"),
    ("kubbar", "examples-6.md", "example-stuck_of_four",
     "By the letter of the text, one of four players can be unable to do anything"),
    ("kubbar", "holes.md", "hole-never_locked_out",
     "Not always so: There is room for a group of everybody who has none yet"),
    ("kubbar", "holes.md", "hole-goes_on",
     "Not always so: Short of the end somebody can always do something"),
    ("qwixx", "holds.md", "property-triangular", "The points are the triangular numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "file", "anchor", "words"), HEADINGS)
def test_a_heading_is_a_sentence_and_its_name_is_beside_it(game, file, anchor, words):
    text = made(game)[file]
    assert re.search(rf'^##+ <a id="{anchor}"></a>{re.escape(words)}$', text, re.MULTILINE)
    name = anchor.partition("-")[2]
    assert f"<small><code>{name}</code></small>" in under(text, anchor)


@pytest.mark.parametrize("game", SPECS)
def test_links_to_examples_questions_and_holes_are_called_by_their_sentences(game):
    spec = checked(game).spec
    assert spec is not None
    titles = {each.name: each.prose for each in spec.examples}
    for file in {"index.md", "questions.md", "holes.md", "variants.md"} & made(game).keys():
        for words, name in re.findall(r"\[([^\]]+)\]\(examples[-\d]*\.md#example-(\w+)\)",
                                      made(game)[file]):  # fmt: skip
            assert words == (titles[name] or "").removesuffix(".")


def test_an_example_says_how_it_answers_questions_and_by_which_variant_it_is_played():
    told = under(examples(made("kubbar")), "example-locked_out")
    assert (
        "Played so that [May a player found a second group before all have founded a first?]"
        "(questions.md#reading-second_group) is answered: "
        "*yes, as long as the number of groups allows it*." in told
    )
    told = under(examples(made("qwixx")), "example-mixed_numbers_lock")
    assert "in the variant [Mixed numbers](variants.md#variant-mixed_numbers)" in told


def test_examples_of_the_rulebook_are_told_from_ours():
    page = examples(made("qwixx"))
    assert "told&nbsp;by&nbsp;the&nbsp;rulebook" in under(page, "example-first_action")
    assert "our&nbsp;own" in under(page, "example-turn_finished")
    assert "what the rulebook says of the position" not in page
    assert "of them told by the rulebook" in made("qwixx")["index.md"]


def test_constants_are_told_with_their_values():
    rules = made("qwixx")["rules.md"]
    assert "<em>need</em>: crosses that must stand before the last number: <b>5</b>" in rules
    kubbar = made("kubbar")["rules.md"]
    assert "<em>pool size</em>: tiles in the open pool: <b>6</b>" in kubbar
    assert "<em>box</em>: two of every tile</li>" in kubbar, "what is long is left out"


def test_rules_stand_under_the_sections_of_the_rulebook():
    found = re.findall(r"^## (.*)$", made("kubbar")["rules.md"], re.MULTILINE)
    assert found == [
        "Section 1: Title", "Section 2: Box", "Section 3: Aim", "Section 4: Setup",
        "Section 5: Turn, take, draw, action …", "Section 6: Set, run, group, found …",
        "Section 7: Add, move", "Section 8: End, score", "Section 9: Thanks",
        "Taken from outside the text",
    ]  # fmt: skip


def test_a_variant_says_in_sentences_what_is_different():
    page = made("qwixx")["variants.md"]
    told = under(page, "variant-mixed_numbers")
    assert "- [Red and yellow end with 12, green and blue with 2]" in told
    assert "<code>" not in told


def test_everybody_is_drawn_who_has_something_of_their_own_and_by_name():
    told = under(examples(made("twenty_one")), "example-tim_throws")
    assert '<p class="rw-name">Tim</p>' in told.partition("**1.**")[0]
    assert '<p class="rw-name">Sara</p>' in told.partition("**1.**")[0]
    assert "active <b>Tim</b>" in told
    assert "✗ *Sara* may not throw a second time." in told
    setup = made("qwixx")["turn.md"].partition("## The phases")[0]
    assert '<p class="rw-name">A player&#x27;s sheet</p>' in setup
    setup = made("twenty_one")["turn.md"].partition("## The phases")[0]
    assert '<p class="rw-name">A player&#x27;s sheet (sheet A)</p>' in setup


def test_what_is_expected_of_a_board_is_said_in_words():
    assert "✓ groups on the board: **2**" in examples(made("kubbar"))
    assert "✓ groups on the board: less than **3**" in examples(made("kubbar"))


def test_what_is_hidden_says_from_whom():
    turn = made("kubbar")["turn.md"]
    assert "| bag | the tiles in the bag | seen by nobody |" in turn
    assert "| rack | the tiles a player has | each player, unseen by the others |" in turn


def test_what_the_start_fixes_is_not_called_a_choice():
    setup = made("kubbar")["turn.md"].partition("## The phases")[0]
    assert "- The youngest player begins." in setup
    assert "- The youngest player: depends on who plays." in setup
    assert "Whose turn it is" not in setup
    assert "Whose turn it is: settled before the game begins." in made("qwixx")["turn.md"]
