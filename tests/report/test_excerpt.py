"""Carets stand under what they point at, whatever the line is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rulewright.diagnostics import Diagnostic, Text
from rulewright.hidden_characters import HIDDEN, visible
from rulewright.report.excerpt import LONGEST, excerpts
from rulewright.report.text_width import lay_out, width


def place(line: int, column: int, end_line: int, end_column: int) -> Diagnostic:
    return Diagnostic("f", line, column, end_line, end_column, "RW001", "error", "wrong")


def shown(text: str, *at: int) -> list[str]:
    lines = []
    for each in excerpts(Text("f", text), place(*at)):
        lines += ["..."] if each.skips else []
        lines += [each.shown, each.carets]
    return lines


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [
        ("move hold", "hold", ["move hold", "     ^^^^"]),
        ("\tmove\thold", "hold", ["    move    hold", "            ^^^^"]),
        ("数 hold", "hold", ["数 hold", "   ^^^^"]),
        ("a 数字 b", "数字", ["a 数字 b", "  ^^^^"]),
        ("cafe\u0301 hold", "hold", ["cafe\u0301 hold", "     ^^^^"]),
        ("\x1b[31m hold", "hold", ["\ufffd[31m hold", "      ^^^^"]),
        ("hold\r", "hold", ["hold", "^^^^"]),
    ],
)
def test_carets_line_up(line: str, word: str, expected: list[str]):
    start = line.index(word) + 1
    assert shown(line + "\n", 1, start, 1, start + len(word)) == expected


def test_a_place_without_width_gets_one_caret():
    assert shown("ab\n", 1, 3, 1, 3) == ["ab", "  ^"]
    assert shown("", 1, 1, 1, 1) == ["", "^"]


def test_a_place_over_two_lines_shows_both():
    assert shown("one two\n  three four\n", 1, 5, 2, 8) == [
        "one two",
        "    ^^^",
        "  three four",
        "  ^^^^^",
    ]


def test_a_place_over_many_lines_shows_the_first_and_the_last():
    assert shown("one\n  two\n  three\n", 1, 1, 3, 8) == ["one", "^^^", "...", "  three", "  ^^^^^"]


def test_a_place_that_ends_in_blank_lines_stops_at_the_last_word():
    assert shown("one\n  two  \n\n   \nend\n", 1, 1, 5, 1) == ["one", "^^^", "  two", "  ^^^"]
    assert shown("one\n\n", 1, 1, 2, 1) == ["one", "^^^"]


def test_a_place_outside_the_text_shows_nothing():
    assert shown("one\n", 7, 1, 7, 2) == []
    assert shown("one\n", 1, 2, 9, 9) == ["one", " ^^"]


def test_a_very_long_line_is_cut_around_the_place():
    line = "a" * 500 + "HERE" + "b" * 500
    text, carets = shown(line, 1, 501, 1, 505)
    assert len(text) <= LONGEST + 2
    assert text.startswith("…a")
    assert text.endswith("b…")
    assert text[carets.index("^") :].startswith("HERE")
    assert carets.count("^") == 4


@given(some.text(max_size=300), some.data())
def test_no_text_and_no_place_is_too_odd(text: str, data):
    number = some.integers(1, 400)
    found = place(*(data.draw(number) for _ in range(4)))
    for each in excerpts(Text("f", text), found):
        assert "^" in each.carets
        assert "\x1b" not in each.shown


@given(some.text())
def test_columns_add_up(line: str):
    line = line.replace("\n", " ")
    text, columns = lay_out(line)
    assert len(columns) == len(line) + 1
    assert columns == sorted(columns)
    assert columns[-1] == width(text)


@given(some.text())
def test_nothing_shown_steers_a_terminal(text: str):
    assert not HIDDEN.search(visible(text))
