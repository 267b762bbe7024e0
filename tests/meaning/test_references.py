"""The index of names: complete, and right about every place it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.diagnostics import Messages, Text
from rulewright.frontend import check_text
from rulewright.meaning.elaborate import (
    CLAUSE_KINDS,
    CONFIDENCES,
    FINDINGS,
    PHASE_MARKS,
    Elaborated,
    elaborate,
)
from rulewright.meaning.names.symbol_table import (
    BUILTIN_FUNCTIONS,
    BUILTIN_TYPES,
    BUILTIN_VALUES,
    OBLIGATIONS,
)
from rulewright.meaning.names.views import COLOURS, SHAPES
from rulewright.syntax.parsing.parse_tables import load_tables
from rulewright.syntax.parsing.parser import chunks, parse

SPEC = Path(__file__).parents[2] / "spec"
GAMES = ("qwixx", "kubbar", "matte_kryss", "twenty_one", "library/hanabi")
KNOWN = {
    *BUILTIN_FUNCTIONS, *BUILTIN_TYPES, *BUILTIN_VALUES, *OBLIGATIONS, *CLAUSE_KINDS,
    *CONFIDENCES, *FINDINGS, *PHASE_MARKS, "once", "up", "down", "left", "right",
}  # fmt: skip
"""What no spec declares."""


def elaborated(text: str) -> Elaborated:
    messages = Messages(Text("x.rules", text))
    return elaborate(parse(text, messages), messages)


@pytest.mark.parametrize("name", GAMES)
def test_every_name_is_known(name: str):
    text = (SPEC / f"{name}.rules").read_text("utf-8")
    references = elaborated(text).names.references
    found = references.resolved()
    covered = bytearray(len(text))
    for span, key in found.items():
        covered[span.start : span.end] = b"x" * (span.end - span.start)
        if key in references.definitions:
            named = references.definitions[key][0].name
            assert text[span.start : span.end] == named, key
    code = re.sub(r'"[^"\n]*"|#[^\n]*', lambda hidden: " " * len(hidden[0]), text)
    code = re.sub(r"(?m)^ +legend .*$", lambda signs: " " * len(signs[0]), code)
    code = re.sub(r"(?ms)^table .*?(?=^\S)", lambda drawn: " " * len(drawn[0]), code)
    code = re.sub(r"(?m)^ +\w+(?: +\w)+ *$", lambda row: " " * len(row[0]), code)
    unknown = {
        word[0]
        for word in re.finditer(r"[^\W\d]\w*", code)
        if not covered[word.start()] and word[0] not in load_tables().words
    }
    labels = {"proposal", *re.findall(r"propose (\w+)", text)}
    words = {each for line in re.findall(r"(?m)^term .*(?:\n +.*)*", text)
             for each in re.findall(r"\w+", line)}  # fmt: skip
    drawn = {each for view in re.findall(r"(?m)^view .*(?:\n +.*)*", text)
             for pair in re.findall(r" (\w+)$|as (\w+)", view, re.M) for each in pair}  # fmt: skip
    drawn &= {*SHAPES, *COLOURS}
    groups = set(re.findall(r"(?m)^clause (\w+)", text))  # a section names groups of clauses
    assert unknown - KNOWN - labels - words - groups - drawn == set()


def test_whatever_cites_a_clause_is_known_by_it():
    text = (
        'game g "G"\n    players 2..3\nsource en "The rules"\n'
        'term die "a die" en "die"\nclause turn.keep may en:1.1 "Points are kept."\n'
        'accept untested turn.keep "later"\nstate\n    sum: 0..9 = 0 "pips" [turn.keep]\n'
        '    each Player\n        points: 0..9 = 0 "points" [turn.keep]\n'
    )
    found = elaborated(text).names.references.resolved()
    assert sum(key == ("clause", "turn.keep") for key in found.values()) == 4
    assert sum(key == ("source", "en") for key in found.values()) == 3
    misspelt = check_text("x.rules", text.replace('"pips" [turn.keep]', '"pips" [turn.kept]'))
    (unknown,) = [each for each in misspelt.diagnostics if each.code == "RW106"]
    assert unknown.fix is not None and unknown.fix.text == "turn.keep"


@pytest.mark.parametrize("name", ["qwixx", "matte_kryss"])
def test_what_follows_from_an_unreadable_declaration_is_not_reported(name: str):
    text = (SPEC / f"{name}.rules").read_text("utf-8")
    step = 4 if name == "qwixx" else 16
    for start, end in chunks(text)[::step]:
        head = text.index(" ", start) if " " in text[start:end] else end - 1
        broken = f"{text[:head]} ((( {text[head:]}"
        found = check_text("x.rules", broken).diagnostics
        assert found
        assert not [each for each in found if not each.code.startswith("RW0")], text[start:end]
