"""Directives and blocks of rules in hand-written pages."""

from __future__ import annotations

import pytest

from rulewright.site.mkdocs.directives import Directives
from rulewright.site.mkdocs.fences import unreadable, without_notes
from rulewright.site.mkdocs.html_stash import HtmlStash
from rulewright.site.model.page_cache import PageCache
from tests.site.conftest import verdict


@pytest.fixture
def put_in(book):
    def done(text: str, *verdicts) -> tuple[str, list[str]]:
        books = {"pig": book("pig", *verdicts)}
        return Directives(books, lambda name, file: f"games/{name}/{file}", PageCache()).put_in(
            text
        )

    return done


def test_a_clause_comes_with_its_marks(put_in):
    text, wrong = put_in("So: [[clause pig turn.first]]")
    assert wrong == []
    assert text.startswith("So: You have to roll at least once.")
    assert "(games/pig/holds.md#property-hold_pays)" in text


def test_a_rule_comes_with_the_clauses_it_comes_from(put_in):
    text, _ = put_in("[[rule pig hold.rolled]]")
    assert text.startswith("The die was rolled in this turn. ([<code>turn.first</code>]")


def test_a_property_comes_with_its_verdict(put_in):
    assert "○&nbsp;not&nbsp;proved&nbsp;yet" in put_in("[[property pig one_winner]]")[0]
    proved = verdict("one_winner", None)
    assert "✓&nbsp;proved" in put_in("[[property pig one_winner]]", proved)[0]


def test_what_every_game_owes_can_be_quoted(put_in):
    text, wrong = put_in("[[property pig goes_on]]")
    assert text.startswith("Short of the end somebody can always do something.")
    assert wrong == []


def test_lists_and_holes_link_from_where_they_stand(book):
    books = {"kubbar": book("kubbar")}
    put = Directives(books, lambda name, file: f"../{name}/{file}", PageCache()).put_in
    assert "what then?](../kubbar/questions.md#reading-empty_bag)" in put("[[questions kubbar]]")[0]
    assert "*(low confidence)*" in put("[[assumptions kubbar]]")[0]
    told, wrong = put("[[hole kubbar never_locked_out]]")
    assert "the prover has found no game" in told
    assert "](../kubbar/examples-6.md#example-locked_out)" in told
    assert wrong == []
    assert "accepts no refutation" in put("[[hole kubbar group_limit]]")[1][0]


def test_claiming_what_is_proved_is_fine(put_in):
    text, wrong = put_in("[[proved pig one_winner]]", verdict("one_winner", None))
    assert "✓&nbsp;proved" in text
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[proved pig one_winner]]", "is not proved: it is not proved yet"),
        ("[[property pig nothing]]", "has no property `nothing`"),
        ("[[rule chess castling]]", "there is no spec `chess`; the site has `pig`"),
        ("[[riddle pig x]]", "there is no directive `riddle`"),
        ("[[clause pig]]", "it needs one name after the spec"),
        ("[[game pig one_winner]]", "there is no game for `one_winner`"),
    ],
)
def test_what_is_not_so_is_told(put_in, text, reason):
    assert reason in put_in(text)[1][0]


def test_pictures_are_put_in(put_in):
    assert "<svg" in put_in("[[turn pig]]")[0]
    assert "points <b>9</b>" in put_in("[[example pig ann_and_bob]]")[0]
    assert "points <b>9</b>" not in put_in("[[example pig ann_and_bob 3]]")[0]


def test_code_is_left_alone(put_in):
    text = "`[[turn pig]]`\n\n```text\n[[turn pig]]\n```\n"
    assert put_in(text) == (text, [])


def test_a_block_that_cannot_be_read_is_found():
    page = "# Title\n\n```rules\nphase play\n\nstate stat\n```\n"
    (found,) = unreadable(page)
    assert found.line == 6


def test_a_block_that_is_broken_on_purpose_may_be():
    page = '```rules broken title="a.rules"\nstate stat\n```\n'
    assert list(unreadable(page)) == []
    assert without_notes(page).startswith('```rules title="a.rules"\n')
    assert list(unreadable("```rules-expression\n)(\n```\n")) == []


def test_so_much_may_be_wrong_with_a_block_that_no_more_is_looked_at():
    page = "```rules\n" + "state stat\n" * 1000 + "```\n"
    assert len(list(unreadable(page))) > 100


@pytest.mark.parametrize("number", ["0", "7", "9" * 5000, "\u0663"])
def test_a_place_that_a_page_made_up_stays_as_it_is(number):
    made_up = f'<span data-rw-aside="{number}"></span>'
    assert HtmlStash().put_back(made_up) == made_up


def test_where_a_difference_comes_from_is_for_us_alone():
    page = '```diff title="a.rules" from="pig"\n-x\n+y\n```\n'
    assert without_notes(page).startswith('```diff title="a.rules"\n')
