"""`rulewright check --fix` mends files, and the same fixes are in what programs read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.fixes import mend
from rulewright.frontend import check_text
from rulewright.report import github, sarif
from rulewright.report.model import Report

BASE = """\
game g "G"
    players 2..4

type Colour = crimson | blue
phase play, over final

state
    n: 0..9 = 0
    top: Colour = crimson

move go by p in play "goes on"
    needs small "not yet": n < 9 and top == crimson
    does
        n += 1
        phase = over
"""


def fix(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulewright", "check", "--fix", str(path), *options],
        capture_output=True, encoding="utf-8", env={**os.environ},
    )  # fmt: skip


CASES = {
    "a misspelt name": ("top == crimson", "top == crimsom"),
    "a misspelt type": ("top: Colour", "top: Color"),
    "a misspelt phase": ("in play", "in plya"),
    "a misspelt keyword": ("needs small", "neds small"),
    "a misspelt declaration": ("phase play", "phas play"),
    "the sign of another language": ("< 9 and top", "< 9 && top"),
    "without spaces": ("n < 9 and top == crimson", "n < 9&&top == crimson"),
    "a mathematical sign": ("n < 9 and", "n ≤ 9 and"),
    "one sign for two": ("top == crimson", "top = crimson"),
    "a word for a sign": ("top == crimson", "top is crimson"),
    "a missing colon": ('"not yet": n', '"not yet" n'),
    "no closing quote": ('"goes on"', '"goes on'),
    "curly quotes": ('"not yet"', "“not yet”"),
    "single quotes": ('"not yet"', "'not yet'"),
    "a tab": ("    n: 0..9", "\tn: 0..9"),
    "a hidden character": ("n < 9", "n\u200b < 9"),
    "a range the wrong way": ("0..9 = 0", "9..0 = 0"),
    "an end of line": ("n += 1", "n += 1;"),
    "a closing bracket of another kind": ("n < 9 and", "(n < 9] and"),
    "a line that steps in": ("        phase = over", "            phase = over"),
    "a requirement without its word": ("needs small", "small"),
    "a sign that gives values elsewhere": ("n += 1", "n := 1"),
    "a sign that compares": ("phase = over", "phase == over"),
    "a sign too long": ("top == crimson", "top === crimson"),
    "a sign turned round": ("n < 9", "n =< 9"),
    "counting up": ("n += 1", "n++"),
    "three dots": ("0..9", "0...9"),
    "a dash for a range": ("0..9", "0-9"),
    "a value in quotes": ("top == crimson", 'top == "crimson"'),
    "a word of other languages": ("needs small", "require small"),
    "a declaration of other languages": ("type Colour", "enum Colour"),
    "a capital": ("game g", "Game g"),
    "a quantifier of other languages": ("n < 9 and", "(forall p: Player: n < 9) and"),
    "a quantifier in two words": ("n < 9 and", "(for all p: Player: n < 9) and"),
    "a type to go through": ("n < 9 and", "(all q in Player: n < 9) and"),
    "two mistakes in one declaration": ("n < 9 and top == crimson", "n < 9 && top = crimson"),
}


@pytest.mark.parametrize(("right", "wrong"), CASES.values(), ids=CASES)
def test_mends_what_people_get_wrong(tmp_path: Path, right: str, wrong: str):
    file = tmp_path / "g.rules"
    assert right in BASE
    file.write_text(BASE.replace(right, wrong, 1), "utf-8")
    before = check_text("g.rules", file.read_text("utf-8"))
    assert before.spec is None
    ran = fix(file)
    after = check_text("g.rules", file.read_text("utf-8"))
    assert after.spec is not None, ran.stdout
    assert "fixed" in ran.stderr


def test_both_sides_of_a_chain_are_compared(tmp_path: Path):
    file = tmp_path / "g.rules"
    file.write_text(BASE.replace("n < 9 and", "0 <= n < 9 and"), "utf-8")
    fix(file)
    assert "0 <= n and n < 9 and" in file.read_text("utf-8")


def test_a_file_that_is_right_or_past_help_is_left_alone(tmp_path: Path):
    file = tmp_path / "g.rules"
    for text in (BASE, BASE.replace("top == crimson", "top == qqqq"), "((((\n"):
        file.write_text(text, "utf-8")
        stamp = file.stat().st_mtime_ns
        assert "0 fixed" in fix(file).stderr
        assert file.stat().st_mtime_ns == stamp


def test_ends_of_lines_are_kept(tmp_path: Path):
    file = tmp_path / "g.rules"
    file.write_bytes(
        BASE.replace("top == crimson", "top == crimsom").replace("\n", "\r\n").encode()
    )
    fix(file)
    assert file.read_bytes() == BASE.replace("\n", "\r\n").encode()


def test_a_file_that_cannot_be_written_is_said_so(tmp_path: Path):
    if os.geteuid() == 0:
        pytest.skip("root may write anything")
    file = tmp_path / "g.rules"
    file.write_text(BASE.replace("top == crimson", "top == crimsom"), "utf-8")
    tmp_path.chmod(0o500)
    try:
        assert "cannot write it" in fix(file).stdout
    finally:
        tmp_path.chmod(0o700)


def test_json_says_how_many_and_what_is_left(tmp_path: Path):
    file = tmp_path / "g.rules"
    file.write_text(BASE.replace("top == crimson", "top == crimsom"), "utf-8")
    report = json.loads(fix(file, "--format", "json").stdout)
    assert report["summary"]["fixed"] == 1
    assert all(each["fix"] is None for each in report["diagnostics"])


def report() -> Report:
    found = check_text("g.rules", BASE.replace("top == crimson", "top == crimsom")).diagnostics
    return Report("check", "0", "g.rules", None, (), found, {}, 2)


def test_sarif_has_the_fix():
    (result,) = [
        each
        for each in json.loads(sarif.render(report()))["runs"][0]["results"]
        if each["ruleId"] == "RW101"
    ]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 12, "startColumn": 45, "endLine": 12, "endColumn": 52},
            "insertedContent": {"text": "crimson"},
        }
    ]


def test_the_log_of_github_says_what_to_put():
    assert "%0Afix: put `crimson` instead of 12:45 to 12:52" in github.render(report())


LARGER = BASE.replace(
    "state\n",
    """\
type Square = grid 2 x 2
const most: 1..9 = 9

table worth[Square]: 0..9
    A B
    1 2 3
    2 4 5

fun told(c: Colour): 0..9 = match c {crimson: 1, blue: 2}
fun many(): 0..4 = count p: Player: n > 2
fun held(): Bool = size({each s: Square: s}) > n

invariant small: n <= most

variant quick "a short game"
    replace go.small "not yet": n < 5

state
""",
)
"""A spec with more of the language in it."""
SAID = {
    "a constant in a bound": ("n: 0..9 =", "n: 0..mots =", "n: 0..most ="),
    "a place in a sentence": ('by p in play "goes on"', 'by ann in play "{anne}"', '"{ann}"'),
    "a claim about the data": ("invariant small", "theorem small", None),
    "the length of a set": ("size({each", "length({each", None),
    "a sum of what holds": ("= count p", "= sum p", None),
    "a set in brackets": ("size({each s: Square: s})", "size([A1, B2])", "size({A1, B2})"),
    "a value in two arms": ("blue: 2}", "blue: 2, crimson: 3}", None),
    "a value twice in an arm": ("blue: 2}", "blue or blue: 2}", None),
    "a value again in an arm": ("blue: 2}", "crimson or blue: 2}", None),
    "a rule of nobody": ("go.small", "small", None),
    "small letters over a board": ("    A B\n", "    a b\n", None),
    "too few letters over a board": ("    A B\n", "    A\n", None),
    "a board without its letters": ("    A B\n", "", None),
    "a bracket at the end": ("s}) > n", "s}) > (n", "s}) > (n)"),
    "two brackets at the end": ("s}) > n", "s}) > (1 + (n", "> (1 + (n))"),
    "a bracket before the next line": ("n += 1\n", "n += (1\n", "n += (1)\n"),
    "a bracket inside another": ("Square: s})", "Square: s)", None),
    "a bracket before a colon": (
        "phase = over", "if (n > 2:\n            phase = over", "if (n > 2):",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "mended"), SAID.values(), ids=SAID)
def test_does_what_the_help_says(right: str, wrong: str, mended: str | None):
    assert check_text("g.rules", LARGER).spec is not None and LARGER.count(right) == 1
    text, count, left = mend("g.rules", LARGER.replace(right, wrong))
    assert left.spec is not None, left.diagnostics
    assert count == 1
    assert text == LARGER if mended is None else mended in text


def test_a_bracket_left_open_is_not_mended_with_a_guess():
    """What stands on the lines after it is not what is wrong."""
    wrong = LARGER.replace("n < 9 and top == crimson", "(n <")
    (found,) = [
        each for each in check_text("g.rules", wrong).diagnostics if each.severity == "error"
    ]
    assert (found.message, found.fix) == ("`(` is never closed", None)
    assert mend("g.rules", wrong)[1] == 0


@pytest.mark.parametrize("word", ["phases", "Phase", "game", "types"])
def test_what_follows_from_a_misspelt_declaration_is_not_said(word: str):
    right = {"game": "game g", "types": "type Colour"}.get(word, "phase play")
    wrong = {"game": "gmae g", "types": "types Colour"}.get(word, f"{word} play")
    found = check_text("g.rules", BASE.replace(right, wrong, 1)).diagnostics
    assert [each.code for each in found if each.severity == "error"] == ["RW009"]
