"""Views in text and in SVG: what a variable is drawn as, in the same way on terminals and pages."""

from __future__ import annotations

import re

import pytest

from rulewright.frontend import check_text
from rulewright.play.explain.text_picture import picture
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.site.draw.position import PositionPicture
from rulewright.syntax.printing.formatter import format_text

GAME = """\
game shown "Shown"
    players 2

type Square = grid 3 x 2
type Cell = hexes 2 x 2
type Colour = red | blue
type Feature = plain | double | only(sign: Colour)
type Card = card(colour: Colour, value: 1..2)
type Row = 1..2

table printed[Square]: Feature
    legend . plain  D double  r only(red)  b only(blue)
      A B C
    1 D . r
    2 . b .

table points[0..3]: 0..6 "points for hits"
    0 1 3 6

phase play, over final

state
    board[Square]: Player? = [B1: 1, C1: 2, else: none]
    stone[Cell]: Player? = [A1: 1, B2: 2, else: none]
    reached: Set[Square] = {A1}
    lives: 0..3 = 2
    at[Colour]: 0..2 = 1
    cup: Bag[1..6] = {4, 4, 6}
    draft[Square]: Player? = none
    each Player
        hand: Bag[Card] = {card(red, 1), card(blue, 2), card(blue, 2)}
        may: Set[Card] = {card(red, 2)}
        marks[Row]: Set[Colour] = {red}
        entry[Row, Row]: 0..9? = [[4, none], [none, none]]

move stop by p in play
    does phase = over
"""
VIEWS = """
view printed as board
    double "2x" blue
    only "+" pink

view board as board "the stones"
    1 "x" black
    2 "o" white

view stone as board
view reached as board
view points as track
view lives as boxes "lives left"
view at as track
    red "R" red

view cup as dice
view draft as nothing
view hand as hand
    card(blue, 2) "B2"

view may as possibilities
view entry as sheet
"""


def instance(text: str) -> Instance:
    loaded = check_text("shown.rules", text)
    assert not [each for each in loaded.diagnostics if each.severity == "error"]
    assert loaded.spec is not None
    return Instance(loaded.spec, 2, {})


def drawn(text: str) -> tuple[list[str], str]:
    """The first position of a game, in text and as pictures."""
    game = instance(text)
    (position,) = initial_positions(game)
    scene = PositionPicture(game, {})
    return picture(game, position), scene.show(position) + scene.show_sheet(position)


def lines_after(lines: list[str], head: str, number: int) -> list[str]:
    at = lines.index(head)
    return lines[at + 1 : at + 1 + number]


def test_text_shows_what_views_say():
    lines, _ = drawn(GAME + VIEWS)
    assert lines_after(lines, "the stones:", 3) == ["     A  B  C", "  1 2x  x  o", "  2  .  +  ."]
    assert lines_after(lines, "stone:", 3) == ["    A B", "  1 1 .", "  2  . 2"]
    assert lines_after(lines, "points for hits:", 2) == ["  0 1 2 3", "  0 1 3 6"]
    assert "lives left: [x] [x] [ ]" in lines
    assert lines_after(lines, "at:", 2) == ["  R    0 [1] 2", "  blue 0 [1] 2"]
    assert "cup: [4] [4] [6]" in lines
    assert "  hand: [red 1] [B2] [B2]" in lines
    assert "  may: ·     red 2 ·      ·" in lines
    assert lines_after(lines, "  entry:", 2) == ["    1   4   .", "    2   .   ."]
    assert not [each for each in lines if "draft" in each]


def test_pictures_show_the_same():
    _, html = drawn(GAME + VIEWS)
    labels = re.findall(r'aria-label="([^"]*)"', html)
    assert "the stones: B1 black x, C1 white o" in labels
    assert "lives left: 2/3" in labels
    assert "at: R 1; blue 1" in labels
    assert "hand: red 1, blue B2, blue B2" in labels and "cup: 4, 4, 6" in labels
    assert "may: 2 r" in labels
    assert "points for hits: 0: 0, 1: 1, 2: 3, 3: 6" in labels
    assert not [each for each in labels if each.startswith("draft")]
    assert "2x" in html and "#ec407a" in html  # pink


def test_without_views_the_type_decides():
    lines, html = drawn(GAME)
    assert "lives: 2" in lines and "  may: red 2" in lines
    assert "lives left" not in html


def test_views_keep_their_layout():
    text, found = format_text(GAME + VIEWS, "shown.rules")
    assert found == [] and text is not None
    assert format_text(text, "shown.rules") == (text, [])
    assert '    only "+" pink\n' in text and '    card(blue, 2) "B2"\n' in text


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("view lives as trak", "RW217"),
        ("view live as track", "RW115"),
        ("view board as dice", "RW217"),
        ("view points as hand", "RW217"),
        ("view lives as track\n    9 red", "RW217"),
        ("view lives as track\n    1 mauve", "RW217"),
        ("view lives as track\n    1", "RW217"),
        ("view lives as track\n    1 red\n    1 or 2 blue", "RW102"),
        ("view lives as track\nview lives as boxes", "RW102"),
    ],
)
def test_what_cannot_be_drawn_is_said(line: str, code: str):
    found = check_text("shown.rules", f"{GAME}\n{line}\n").diagnostics
    assert [each.code for each in found if each.severity == "error"] == [code]
    assert all(each.help for each in found if each.code == code)
