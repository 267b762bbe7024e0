"""How a requirement or an effect depends on open questions, in the words of the page of a turn."""

from __future__ import annotations

import re

import pytest

from rulewright.frontend import read
from rulewright.site.model.reading_effects import ReadingEffects, effects_of

SPEC = """\
game small "Small"
    players 2..2

source en "A rulebook"
clause a.b must en:1.1 "Something is said."

reading manner "In which manner?" [a.b]
    plain  "plainly" default
    strict "strictly"
    loose  "loosely"

phase go "somebody acts", over final "it is over"

state
    n: 0..9 = 0 "a number"

fun free(m: 0..9): Bool "nothing is asked of a number" = manner == loose or m > 3
fun low(): Bool "the number is low" = n < 5

move act(k: 0..9) by p in go "act"
    needs wanted "wanted": CONDITION
    does
        BODY
        phase = over
"""


def spec_with(tmp_path, condition: str = "true", body: str = "n = k"):
    file = tmp_path / "small.rules"
    file.write_text(SPEC.replace("CONDITION", condition).replace("BODY", body), "utf-8")
    checked = read(file)
    assert checked.spec is not None, [each.message for each in checked.diagnostics]
    return checked.spec


def bare(remark: str) -> str:
    """A remark without its markup."""
    return re.sub(r"\(questions\.md#reading-manner\)|</?small>|[\[\]*]", "", remark).strip()


LOOSE = "? not if manner is read as loose"
ONLY_STRICT = "? only if manner is read as strict; here it is read as plain"


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("k > 3", ""),
        ("low()", ""),
        ("manner == loose or k > 3", LOOSE),
        ("free(k)", LOOSE),
        ("all m in 0..9 where m < k: free(m)", LOOSE),
        ("manner != loose implies k > 3", LOOSE),
        ("k > 3 if manner != loose else true", LOOSE),
        ("manner in {plain, loose} or k > 3", ONLY_STRICT),
        ("not (manner == strict and k < 3)", ONLY_STRICT),
        ("manner == plain and k > 3", "? never so if manner is read as strict or loose"),
        ("k > (1 if manner == strict else 3)", "? depends on how manner is read"),
        ("k > 3 or manner == manner", ""),
    ],
)  # fmt: skip
def test_a_requirement_is_told_with_the_answers_under_which_it_applies(tmp_path, condition, words):
    spec = spec_with(tmp_path, condition)
    (needed,) = [each for each in spec.transitions[0].requirements if each.label == "act.wanted"]
    assert bare(ReadingEffects(spec).of_requirement(needed)) == words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('set "set": n = k', [""]),
        ('if manner == strict:\n            set "set": n = k', [ONLY_STRICT]),
        ('if k > 3 and manner == strict:\n            set "set": n = k', [ONLY_STRICT]),
        ('if manner == loose:\n            n = 0\n        else:\n            set "set": n = k',
         [LOOSE]),
        ('set "set": n = k if manner == strict else 0', ["? depends on how manner is read"]),
        ('for m in 0..9 where free(m):\n            set "set": n = m',
         ["? depends on how manner is read"]),
    ],
)  # fmt: skip
def test_an_effect_is_told_with_the_answers_under_which_it_happens(tmp_path, body, words):
    spec = spec_with(tmp_path, body=body)
    effects = effects_of(spec, spec.transitions[0])
    assert [bare(ReadingEffects(spec).of_effect(each)) for each in effects] == words
