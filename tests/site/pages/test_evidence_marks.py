"""A mark says what shows that a sentence matters; a citation alone earns none."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest

from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import (
    EarnedEvidence,
    Verdicts,
    VerdictsError,
    read_verdicts,
)
from rulewright.site.pages.evidence_marks import marks
from rulewright.site.pages.evidence_page import evidence_page, gap, untested
from rulewright.site.pages.rules_page import sentences
from tests.site.conftest import checked, core, verdict

TESTED = EarnedEvidence("tested", "hold.win: one less: 99 for 100", "won_with_100", None)


def shown(clause: str, earned: EarnedEvidence | None, *names: str) -> list[tuple[str, str]]:
    told = checked("pig")
    known = {} if earned is None else {told.hash or "": {clause: earned}}
    proved = [verdict(name, None) for name in names]
    book = Book(told, Verdicts(proved, earned=known))
    found = next(each for each in core("pig").clauses if each.name == clause)
    return [(unescape(each.word), each.look) for each in marks(book, found)]


def test_what_is_proved_says_what_refutes_it():
    word, look = shown("win.goal", TESTED, "won_with_100", "one_winner")[0]
    assert look == "good"
    assert word == (
        "proved ×2, and shown to matter by won_with_100 (hold.win: one less: 99 for 100 refutes it)"
    )


@pytest.mark.parametrize(
    ("earned", "word"),
    [
        (EarnedEvidence("untested", None, None, None), "proved ×2 but untested"),
        (EarnedEvidence("only cited", None, None, None), "only cited"),
        (None, "proved ×2 not tested yet"),
    ],
)
def test_what_is_only_proved_is_half_a_mark(earned, word):
    found = shown("win.goal", earned, "won_with_100", "one_winner")
    assert found[0] == (word, "half")
    assert not any(look == "good" for _, look in found)


def test_a_permission_and_an_example_are_no_better_off():
    played = ("example played not tested yet", "half")
    assert shown("turn.roll", None) == [("witnessed not tested yet", "half"), played]
    used = EarnedEvidence("tested", "roll: never allowed", "ann_and_bob", None)
    (word, look), _ = shown("turn.roll", used)
    assert look == "good" and word.startswith("witnessed, and shown to matter by ann_and_bob (")
    assert word.endswith("fails it)")
    bare = EarnedEvidence("untested", None, None, None)
    assert shown("play.example", bare) == [("example played but untested", "half")]


def test_what_only_an_example_notices_is_a_mark_of_the_example():
    """What is proved stays so though the rule is broken: it shows nothing of it."""
    earned = EarnedEvidence("tested", "hold.win: one less: 99 for 100", "enough", None)
    proved, played = shown("win.goal", earned, "won_with_100", "one_winner")
    assert proved == ("proved ×2 but untested", "half")
    assert played == (
        "example played, and shown to matter by enough (hold.win: one less: 99 for 100 fails it)",
        "good",
    )


def test_a_rule_that_nobody_notices_leaves_half_a_mark_and_stops_a_strict_build():
    part = EarnedEvidence(
        "tested in part", "hold.win: one less: 99 for 100", "won_with_100", None,
        ("hold.again",), ("hold.again",),
    )  # fmt: skip
    assert shown("win.goal", part, "won_with_100", "one_winner")[0] == (
        "proved ×2 but tested in part", "half"
    )  # fmt: skip
    told = checked("pig")
    book = Book(told, Verdicts((), earned={told.hash or "": {"win.goal": part}}))
    assert untested(book) == [
        "the clause `win.goal` is tested in part: breaking `hold.again` would not show; "
        '`accept untested hold.again "..."` says why that is so'
    ]
    assert "not shown: " in evidence_page(book)


def test_evidence_that_was_cut_short_stops_a_strict_build(tmp_path):
    told = checked("pig")
    report: dict[str, Any] = {"command": "evidence", "spec_hash": told.hash, "results": [],
              "summary": {"stopped": "it took too long"}}  # fmt: skip
    file = tmp_path / "pig.evidence.json"
    file.write_text(json.dumps(report))
    assert untested(Book(told, read_verdicts([file]))) == ["9 clauses not tested: it took too long"]


def told_trivial(*trivial: tuple[str, str | None]) -> Book:
    told = checked("pig")
    why = {told.hash or "": dict.fromkeys(trivial, "it is a constant")}
    proved = [verdict(name, None) for name in ("won_with_100", "one_winner")]
    earned = {told.hash or "": {"win.goal": TESTED}}
    return Book(told, Verdicts(proved, earned=earned, trivial=why))


def test_a_claim_that_says_nothing_earns_no_mark():
    """Neither at the clause nor among the properties, nor where gaps are listed."""
    clause = next(each for each in core("pig").clauses if each.name == "win.goal")
    one = told_trivial(("one_winner", None))
    assert unescape(marks(one, clause)[0].word).startswith(
        "proved, and shown to matter by won_with_100"
    )
    assert one.status("one_winner").word == "says nothing"
    assert untested(one) == ["the claim `one_winner` says nothing: it is a constant"]
    both = told_trivial(("one_winner", None), ("won_with_100", "win.goal"))
    mark = marks(both, clause)[0]
    assert (mark.word, mark.look) == ("says nothing", "half")
    assert "nothing proved" in gap(both, clause)
    assert both.status("won_with_100").word == "proved"  # of something else


def test_what_is_untested_stops_a_strict_build_unless_it_is_accepted():
    told = checked("pig")
    clause = next(each for each in core("pig").clauses if each.name == "turn.one")
    for accepted in (None, "it is plain"):
        earned = EarnedEvidence("untested", None, None, accepted)
        book = Book(told, Verdicts((), earned={told.hash or "": {"turn.one": earned}}))
        assert ("untested" in gap(book, clause)) is (accepted is None)
        assert [each.partition(" is")[0] for each in untested(book)] == (
            ["the clause `turn.one`"] if accepted is None else []
        )


def test_what_was_earned_is_read_and_what_is_none_is_refused(tmp_path):
    result = {"clause": "turn.one", "evidence": "tested", "mistake": "m", "noticed_by": "n",
              "accepted": None}  # fmt: skip
    report: dict[str, Any] = {"command": "evidence", "spec_hash": "0", "results": [result]}
    file = tmp_path / "pig.evidence.json"
    file.write_text(json.dumps(report))
    report["summary"] = {"trivial_claims": [{"claim": "n", "clause": None, "why": "w"}]}
    file.write_text(json.dumps(report))
    found = read_verdicts([file]).earned("0", "turn.one")
    assert found is not None and found.bites
    assert read_verdicts([file]).trivial("0") == {("n", None): "w"}
    result["evidence"] = "certain"
    file.write_text(json.dumps(report))
    with pytest.raises(VerdictsError):
        read_verdicts([file])


def test_several_clauses_of_one_sentence_are_one_sentence():
    spec = core("twenty_one")
    assert sentences(spec) < len(spec.clauses)
