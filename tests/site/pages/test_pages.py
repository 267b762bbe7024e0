"""The pages of every bundled game: whole, linked, and honest about what is proved."""

from __future__ import annotations

import re

import pytest

from rulewright.play.io.json_codec import encode_position
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import ReadingDifference, Verdicts
from rulewright.site.pages.page_list import pages
from tests.site.conftest import SPECS, checked, examples, verdict

_MADE: dict[str, dict[str, str]] = {}


@pytest.fixture
def made(book):
    def pages_of(name: str) -> dict[str, str]:
        if name not in _MADE:
            _MADE[name] = pages(book(name))
        return _MADE[name]

    return pages_of


def first(page: str, kind: str) -> str:
    """The first picture of a kind."""
    return next(re.finditer(rf'<svg class="rw-picture {kind}".*?</svg>', page))[0]


def words(picture: str) -> list[str]:
    """What is written in a picture; where there are several places, each is that of one sign."""
    found: list[str] = []
    for across, said in re.findall(r'<text[^>]* x="([^"]+)" y="[^"]+">([^<]*)</text>', picture):
        found += list(said) if " " in across else [said]
        assert " " not in across or len(said) == len(across.split())
    assert len(re.findall("<text", picture)) == len(
        re.findall(r'<text[^>]* x="[^"]+" y="', picture)
    )
    return found


@pytest.mark.parametrize("name", SPECS)
def test_every_link_leads_to_a_place_there_is(made, name):
    ids = {file: set(re.findall(r'id="([^"]+)"', text)) for file, text in made(name).items()}
    for file, text in made(name).items():
        links = re.findall(r"\]\(([\w.-]+\.md)(?:#([^)]+))?\)", text)
        assert links or file in ("glossary.md", "variants.md")
        for page, place in links:
            assert page in ids, f"{file} links to {page}"
            assert not place or place in ids[page], f"{file} links to {page}#{place}"


@pytest.mark.parametrize("name", SPECS)
def test_every_picture_says_what_it_shows(made, name):
    for text in made(name).values():
        for picture in re.findall(r"<svg.*?</svg>", text):
            assert re.search(r'role="img" aria-label="[^"]+"', picture)
            assert "\n" not in picture


@pytest.mark.parametrize("name", SPECS)
def test_every_clause_is_on_the_page_of_rules_in_its_order(made, book, name):
    places = re.findall(r'<a id="clause-([^"]+)">', made(name)["rules.md"])
    assert places == [each.name for each in book(name).spec.clauses]


@pytest.mark.parametrize("name", SPECS)
def test_without_verdicts_nothing_is_called_proved(made, name):
    for file, text in made(name).items():
        assert "✓&nbsp;proved" not in text, file
    assert "not&nbsp;proved&nbsp;yet" in made(name)["rules.md"]
    assert "nothing here is called proved" in made(name)["index.md"]


@pytest.mark.parametrize("name", SPECS)
def test_every_example_is_shown_and_every_property_stated(made, book, name):
    spec = book(name).spec
    for example in spec.examples:
        assert f'id="example-{example.name}"' in examples(made(name))
    for claim in (*spec.properties, *spec.ends):
        assert f'id="property-{claim.name}"' in made(name)["holds.md"]


def test_with_a_verdict_the_property_is_proved_and_says_for_whom(book):
    proved = verdict("worth_rolling", None, uses=("roll.not_enough",))
    made = {file: text.replace("<wbr>", "") for file, text in pages(book("pig", proved)).items()}
    assert "◐&nbsp;proved&nbsp;not&nbsp;tested&nbsp;yet" in made["rules.md"]
    assert "✓&nbsp;proved" in made["holds.md"]
    told = made["holds.md"].partition('id="property-worth_rolling"')[2].partition("###")[0]
    assert "with 2 to 4 players" in told
    assert "<code>roll.not_enough</code>" in told
    row = next(line for line in made["trace.md"].splitlines() if "trace-win.enough" in line)
    assert "✓&nbsp;[<code>worth_rolling" in row
    assert "△" not in row
    assert "uses [<code>win.enough</code>](rules.md#clause-win.enough)" in told


def test_a_refuted_property_and_a_stale_one_are_marked(book):
    made = pages(book("pig", verdict("one_winner", 2, "refuted"),
                      verdict("worth_rolling", None, spec_hash="0123456789abcdef")))  # fmt: skip
    assert "✗&nbsp;refuted" in made["rules.md"]
    assert "⌛&nbsp;stale" in made["holds.md"]
    assert "(0123456789abcdef)" in made["holds.md"]


def test_a_property_about_what_never_arises_says_why(book):
    proved = [verdict("one_winner", players) for players in (2, 3, 4)]
    never = verdict("one_winner", 2, "refuted", kind="vacuity", accepted="nobody can win")
    made = pages(book("pig", *proved, never))
    assert "–&nbsp;never arises" in made["holds.md"]
    assert "vacuous: nobody can win" in made["holds.md"]
    assert "refuted" not in made["holds.md"]


def test_what_an_engine_was_asked_stands_in_the_table(made):
    told = checked("pig")
    verdicts = Verdicts((), {told.hash or "": {"turn.first": 17}})
    table = pages(Book(told, verdicts))["trace.md"]
    row = next(line for line in table.splitlines() if "trace-turn.first" in line)
    assert "| 17 |" in row
    other = next(line for line in table.splitlines() if "trace-turn.roll" in line)
    assert "△&nbsp;0" in other, "what the engine was never asked is marked"
    assert "| engine |" not in made("pig")["trace.md"]


def test_a_witness_is_replayed_before_it_is_shown(book):
    start = {"active": 2}
    good = [{"move": "roll", "by": 2, "args": {}}, {"chance": "fall", "args": {"pips": 6}}]
    shown = pages(book("pig", verdict("twenty", 2, kind="possible", trace=good, start=start)))
    assert "A game of 2 events with 2 players" in shown["holds.md"]
    told = "<li><em>player 2</em>: roll the die.</li><li>The die falls (pips 6).</li>"
    assert told in shown["holds.md"]
    shown = pages(book("pig", verdict("twenty", 2, kind="possible", trace=good)))
    assert "A game of 2 events" in shown["holds.md"], "who begins is found out"
    bad = [{"move": "hold", "by": 1, "args": {}}]
    shown = pages(book("pig", verdict("twenty", 2, kind="possible", trace=bad)))
    assert "does not replay" in shown["holds.md"]


def test_the_qwixx_sheet_has_its_numbers_and_locks(made):
    turn = made("qwixx")["turn.md"]
    sheet = first(turn, "rw-sheet")
    numbers = [int(each) for each in words(sheet) if each.isdigit()]
    rising, falling = list(range(2, 13)), list(range(12, 1, -1))
    assert numbers == [*rising, *rising, *falling, *falling]
    assert {"red", "yellow", "green", "blue", "misthrows"} <= set(words(sheet))


def test_the_matte_kryss_board_has_its_signs_and_numbers(made):
    turn = made("matte_kryss")["turn.md"]
    board = first(turn, "rw-board")
    assert "G7 1, H7 2, G8 3, H8 4" in board
    assert words(board).count("3×") == 12
    assert words(board).count("2×") == 16


def test_the_kubbar_table_has_tiles_with_letters_for_their_colours(made):
    front = made("kubbar")["index.md"]
    board = first(front, "rw-board")
    assert "T24 blue 3" in board
    assert "b" in words(board)


def test_the_twenty_one_sheet_shows_colours_by_letter_and_hits_in_words(made):
    front = made("twenty_one")["index.md"]
    sheet = first(front, "rw-sheet")
    assert "(hits)" in sheet and "crossed out" in sheet
    assert "k" in words(sheet)
    assert "k black" in front


def test_the_glossary_has_the_words_of_the_rulebooks(made):
    assert "villukast" in made("qwixx")["glossary.md"]
    assert "Icelandic rulebook" in made("kubbar")["glossary.md"]


def test_what_every_game_owes_is_told(made, book):
    owed = made("pig")["holds.md"].partition("Obligations of every game")[2]
    assert "somebody can always do something" in owed
    assert "✓" not in owed
    shown = pages(book("pig", verdict("goes_on", None, kind="flow")))["holds.md"]
    assert shown.partition("Obligations of every game")[2].count("✓") == 1


def test_a_game_owes_nothing_of_what_it_does_not_have(made):
    order = "in simultaneous phases the order does not matter"
    assert order in made("qwixx")["holds.md"] and order not in made("matte_kryss")["holds.md"]
    steps = "steps come to an end"
    assert steps in made("qwixx")["holds.md"] and steps not in made("pig")["holds.md"]


def test_holes_are_told_with_their_reasons(made):
    assert 'id="hole-never_locked_out"' in made("kubbar")["holes.md"]
    assert "holes.md" not in made("pig")


def test_where_readings_part_is_drawn(made, book):
    assert "have not been compared" in made("qwixx")["questions.md"]
    qwixx = book("qwixx")
    instance, position = qwixx.beginning()
    crossed = {**position, "phase": "second_action", "active": 1}
    given = encode_position(crossed, instance)
    said: dict[str, object] = {"allowed": True, "refused_by": [], "error": None, "text": ["ok"]}
    witness: dict[str, object] = {
        "variant": None, "readings": {}, "players": 2, "position": given, "player": None,
        "move": {"move": "pass_colour", "by": 1, "args": {}}, "reached": True, "trace": [],
        "old": said | {"after": {**given, "phase": "over"}},
        "new": said | {"allowed": False, "refused_by": ["own_turn.is_active"], "after": None},
    }  # fmt: skip
    found = {"move": "pass_colour", "kind": "move", "witness": witness}
    parting = ReadingDifference("window_end", "finish_turn", "parts", [found], qwixx.hash)
    never = ReadingDifference("ties", "undecided", "never", [], qwixx.hash)
    page = pages(Book(checked("qwixx"), Verdicts((), {}, [parting, never])))["questions.md"]
    assert "they lead to different games" in page
    assert 'class="rw-picture rw-sheet"' in page
    assert "*player 1*: cross nothing in the second action." in page
    assert "✗ refused. Needed: only the active player has a second action" in page
    assert "the answers never lead to different games" in page


def test_moves_name_the_number_on_the_sheet(made):
    page = examples(made("qwixx"))
    assert "*Max*: cross the sum of the white dice (red 5)." in page
    assert "white 1" in words(page)


def test_what_is_refused_is_told_and_drawn(made):
    kubbar = examples(made("kubbar"))
    assert "✗ *Anna* may not lay tiles, rearranging the table. Needed: a line is a set" in kubbar
    assert '<p class="rw-name">✗ refused</p><svg class="rw-picture rw-board"' in kubbar
    assert "✗ This cannot happen: all dice but the ones" in examples(made("twenty_one"))


def test_pages_stay_small(made):
    for name in SPECS:
        for file, text in made(name).items():
            assert len(text) < 200_000, f"{name}/{file}"
