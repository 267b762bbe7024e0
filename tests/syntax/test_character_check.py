"""What nobody sees cannot stand in a spec, wherever text can stand."""

from __future__ import annotations

import re

import pytest

from rulewright.frontend import check_text
from rulewright.hidden_characters import HIDDEN, in_line, plain, visible
from rulewright.syntax.printing.formatter import format_text

SPEC = """\
game tiny "A tiny {title} game"  # {comment} comment
    players 2..3
source book "The {source} book"
clause rule.one must book:1 "one {clause} clause"
term dice "what is {term} thrown" one "die {word}"
phase play "in {phase} play", over final
state
    count: 0..9 = 0
fun more(): Bool "is there {fun} more" [rule.one] = count < 9
move add by p in play "add {move} one"
    needs few "few {needs} enough" [rule.one]: more()
    does
        counted "it is {label} counted" [rule.one]: count += 1
invariant low "it stays {property} low" [rule.one]: count <= 9
"""
PLACES = sorted(set(re.findall(r"\{(\w+)\}", SPEC)))
HIDDEN_ONES = [
    "\r", "\t", "\x00", "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b", "\x1c", "\x1f", "\x7f",
    "\x85", "\x9b", "\xad", "\u034f", "\u061c", "\u115f", "\u200b", "\u200d", "\u200e", "\u200f",
    "\u2028", "\u2029", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069", "\u3164", "\ufeff",
    "\ufff9", "\uffff", "\ud800", "\udfff", "\U000e0041", "\U0001d173",
]  # fmt: skip


def filled(place: str, text: str) -> str:
    return SPEC.format(**{each: text if each == place else "" for each in PLACES})


def test_the_spec_itself_is_in_order():
    found = check_text("tiny.rules", filled("", ""))
    assert found.spec is not None
    assert "RW015" not in {each.code for each in found.diagnostics}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("character", HIDDEN_ONES, ids=lambda each: f"U+{ord(each):04X}")
def test_a_hidden_character_is_refused_with_its_place(place: str, character: str):
    if (place, character) == ("comment", "\t"):
        pytest.skip("a tab may stand in a comment")
    text = filled(place, character)
    found = check_text("tiny.rules", text)
    assert found.spec is None
    (told,) = [each for each in found.diagnostics if each.code == "RW015"]
    offset = text.index(character)
    line = text[:offset].count("\n") + 1
    assert (told.line, told.column) == (line, offset - text.rfind("\n", 0, offset))
    assert told.help
    assert not HIDDEN.search(told.message + told.help)
    assert format_text(text, "tiny.rules")[0] is None


def test_a_tab_may_stand_in_a_comment_and_nowhere_else():
    assert check_text("tiny.rules", filled("comment", "\t")).spec is not None
    assert check_text("tiny.rules", filled("comment", '"\t')).spec is not None
    assert check_text("tiny.rules", filled("title", "#\t")).spec is None


@pytest.mark.parametrize("character", ["\n", "é", "数", "\xa0", "🎲", "\u2019", "…", "ʻ"])
def test_letters_signs_and_line_ends_are_not_hidden(character: str):
    assert not HIDDEN.search(character)


def test_windows_line_ends_are_line_ends():
    assert check_text("tiny.rules", filled("", "").replace("\n", "\r\n")).spec is not None


def test_many_are_told_in_few_lines():
    found = check_text("tiny.rules", filled("move", "\x1b" * 5000))
    told = [each for each in found.diagnostics if each.code == "RW015"]
    assert len(told) == 21
    assert told[-1].message == "4980 more such characters stand up to here"


def test_what_is_shown_has_a_mark_for_each():
    assert visible("a\x1b[31mb\nc") == "a\ufffd[31mb\nc"
    assert in_line("a\nb\u202e") == "a\ufffdb\ufffd"
    assert (
        plain("one\n  ::error::two\n##[error]three") == "one\n  : :error::two\n##\ufffderror]three"
    )
