"""`diff` and `readings` as somebody uses them: formats, gates, versions, pages."""

from __future__ import annotations

import json
import subprocess

import pytest

from rulewright.change.impact.play_statistics import Estimate, StatisticsRow, share
from rulewright.prove.invariants.houdini import InvariantSearch
from tests.conftest import ROOT

PIG = (ROOT / "spec" / "tutorial" / "pig.rules").read_text(encoding="utf-8")
STRICTER = PIG.replace("[turn.first]: total > 0", "[turn.first]: total > 5")
LOSING = PIG.replace(
    "        if points[p] >= goal:",
    "        points[left_of(p)] = max(points[left_of(p)] - 1, 0)\n        if points[p] >= goal:",
)


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def pig(tmp_path):
    """Pig as it is, with a stricter `hold`, and with one that takes a point from a neighbour."""
    for name, text in (("pig", PIG), ("stricter", STRICTER), ("losing", LOSING)):
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")


def test_a_gate_lets_only_through_what_is_allowed(rulewright, pig):
    ran = rulewright("diff", "pig.rules", "stricter.rules", "--quick", "--allow", "equal,looser",
                     "--format", "json")  # fmt: skip
    assert ran.exit == 1
    report = json.loads(ran.out)
    assert [each["code"] for each in report["diagnostics"]] == ["RW320"]
    moves = {each["move"]: each for each in report["results"] if "move" in each}
    assert (moves["hold"]["verdict"], moves["hold"]["proof"]) == ("stricter", "proved")
    witness = moves["hold"]["witness"]
    assert witness["new"]["refused_by"] == ["hold.rolled"] and witness["old"]["allowed"]
    assert witness["new"]["clauses"] == ["turn.first"]
    assert witness["position"]["total"] <= 5 and witness["reached"]
    assert [each.get("move") or each["chance"] for each in witness["trace"]] == ["roll", "fall"]
    assert (report["summary"]["stricter"], report["summary"]["equal"]) == (1, 5)
    assert rulewright("diff", "pig.rules", "stricter.rules", "--quick").exit == 0


@pytest.mark.parametrize(("format", "shown"), [
    ("concise", "stricter.rules:57:1: error RW320"),
    ("github", "::error file=stricter.rules,line=57"),
    ("junit", '<testcase name="hold" classname="rulewright.diff"'), ("sarif", '"ruleId": "RW320"'),
])  # fmt: skip
def test_every_format_says_what_is_not_allowed(rulewright, pig, format, shown):
    ran = rulewright("diff", "pig.rules", "stricter.rules", "--quick", "--allow", "equal",
                     "--format", format)  # fmt: skip
    assert ran.exit == 1
    assert shown in ran.out and "`hold` is stricter" in ran.out


def test_a_lost_property_is_shown_with_its_game_and_a_page_has_it_all(rulewright, pig, tmp_path):
    ran = rulewright("diff", "pig.rules", "losing.rules", "--html", "page.html",
                     "--random-games", 30, "--jobs", 1, "--forbid", "property-lost")  # fmt: skip
    assert ran.exit == 1
    assert "RW321" in ran.out and "points_stay" in ran.out
    assert "(2 to 4 players)" in ran.out
    lost = ran.out.partition("\n  points_stay")[2]
    assert "proved -> refuted" in lost.splitlines()[0] and "plays hold" in lost
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<svg" in page and "prefers-color-scheme" in page and "points_stay" in page
    assert not any(each in page for each in ("src=", "href=", "@import", "url("))


def without_an_invariant(rulewright, tmp_path, *options) -> tuple[int, dict[str, str]]:
    """The exit code and what becomes of each property of Pig if one that others lean on goes."""
    helper = PIG[PIG.index("invariant within_reach"):PIG.index("always points_stay")]  # fmt: skip
    (tmp_path / "without.rules").write_text(PIG.replace(helper, ""), encoding="utf-8")
    ran = rulewright("diff", "pig.rules", "without.rules", "--players", 2, "--random-games", 0,
                     "--jobs", 1, "--no-cache", "--forbid", "property-lost",
                     "--format", "json", *options)  # fmt: skip
    report = json.loads(ran.out)
    assert report["summary"]["properties_lost"] == 0
    fates = {each["property"]: each["fate"] for each in report["results"] if "property" in each}
    return ran.exit, fates


def test_a_property_that_is_no_longer_proved_is_not_green(rulewright, tmp_path, pig, monkeypatch):
    monkeypatch.setattr(InvariantSearch, "find", lambda *_: None)
    exit_code, fates = without_an_invariant(rulewright, tmp_path, "--timeout", 1)
    assert exit_code == 3
    assert fates["safe"] == "open", "nothing says any more that points stay in their range"


def test_an_invariant_that_is_gone_is_found_again_where_a_proof_needs_it(rulewright, tmp_path, pig):
    exit_code, fates = without_an_invariant(rulewright, tmp_path)
    assert exit_code == 0 and fates["safe"] == "same"


CAPPED = PIG.replace(
    "points[p] + total < goal\n", "points[p] + total < goal and total < 14\n"
).replace(
    "always points_stay",
    'invariant small "a turn brings little": total < 20 and (phase == rolling implies total < 14)'
    "\n\nalways points_stay",
)
"""Pig with turns that end before they bring twenty."""


@pytest.fixture
def no_cache(tmp_path, monkeypatch):
    """A cache in which nothing is kept yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def fates_of(rulewright, new: str, *options: object) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit code, and what was and is known of each property of Pig with 2 players."""
    ran = rulewright("diff", "pig.rules", new, "--players", 2, "--random-games", 0, "--jobs", 1,
                     "--format", "json", *options)  # fmt: skip
    results = json.loads(ran.out)["results"]
    return ran.exit, {e["property"]: (e["old"], e["new"]) for e in results if "property" in e}


def test_what_was_possible_still_is_if_a_game_shows_it(rulewright, pig, no_cache):
    fates = fates_of(rulewright, "stricter.rules")[1]
    assert fates["twenty"] == ("proved", "proved")
    assert fates["goes_on"][1] == "refuted", "somebody has 95 points and threw 5: no way on"


def test_what_is_said_does_not_depend_on_what_was_proved_before(
    rulewright, pig, tmp_path, no_cache
):
    (tmp_path / "capped.rules").write_text(CAPPED, encoding="utf-8")
    asked = ["--players", 2, "--random-games", 0, "--jobs", 1]
    before = [rulewright("diff", "pig.rules", new, *asked).out for new in ("stricter.rules",
              "capped.rules")]  # fmt: skip
    rulewright("prove", "pig.rules", "--players", 2, "--jobs", 1)
    after = [rulewright("diff", "pig.rules", new, *asked).out for new in ("stricter.rules",
             "capped.rules")]  # fmt: skip
    assert before == after
    assert "not asked without --thorough: twenty" in before[1]


def test_what_was_not_asked_is_named_and_a_gate_asks_it(rulewright, pig, tmp_path, no_cache):
    (tmp_path / "capped.rules").write_text(CAPPED, encoding="utf-8")
    ran = rulewright("diff", "pig.rules", "capped.rules", "--players", 2, "--random-games", 0,
                     "--jobs", 1, "--html", "page.html")  # fmt: skip
    assert ran.exit == 0 and "  not asked without --thorough: twenty\n" in ran.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "not asked without --thorough: <code>twenty</code>" in page
    exit_code, fates = fates_of(rulewright, "capped.rules", "--forbid", "property-lost")
    assert fates["twenty"] == ("proved", "refuted") and exit_code == 1


def test_a_version_of_git_is_read_by_revision(rulewright, tmp_path):
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "q.rules").write_text(PIG, encoding="utf-8")
    git("init", "-q")
    git("add", "q.rules")
    git("commit", "-qm", "rules")
    (tmp_path / "q.rules").write_text(PIG + "\n# nothing\n", encoding="utf-8")
    ran = rulewright("diff", "HEAD:q.rules", "q.rules", "--quick")
    assert (ran.exit, "nothing but layout" in ran.out) == (0, True)
    ran = rulewright("diff", "HEAD:gone.rules", "q.rules")
    assert ran.exit == 2 and "cannot be read" in ran.err


def test_a_game_is_compared_with_its_variant(rulewright):
    ran = rulewright("diff", "qwixx", "qwixx@mixed_numbers", "--quick", "--players", 2)
    assert ran.exit == 0
    assert "changed table `number`" in ran.out
    assert "incomparable" in ran.out


def test_what_only_one_of_two_allows_is_drawn_as_that_one_has_it(rulewright):
    """Two ones cross the 2: the first number of the sheet, the third of the variant."""
    ran = rulewright("diff", "qwixx", "qwixx@mixed_numbers", "--quick", "--players", 2)
    stricter, looser = ran.out.partition("cross_sum: the old rules allow")[2].split(
        "cross_sum: the new rules allow"
    )
    looser = looser.partition("cross_colour: ")[0]
    assert "as the old rules have it" in stricter and "red    ( 2)   3    4 " in stricter
    assert "as the new rules have it" in looser and "red     10    6  ( 2)" in looser


def test_examples_of_the_game_are_not_broken_by_its_variant(rulewright, tmp_path):
    ran = rulewright("diff", "qwixx", "qwixx@mixed_colours", "--quick", "--players", 2,
                     "--forbid", "example-broken", "--format", "json")  # fmt: skip
    report = json.loads(ran.out)
    assert ran.exit == 0 and report["summary"]["examples_broken"] == 0
    examples = {each["example"]: each["what"] for each in report["results"] if "example" in each}
    assert examples["red_row"] == examples["mixed_colours_sheet"] == "otherwise"
    assert "laura_score" not in examples, "it goes the same way in the variant"


def test_an_example_of_a_variant_is_broken_by_a_change_of_the_variant(rulewright, tmp_path):
    text = (ROOT / "spec" / "qwixx.rules").read_text(encoding="utf-8")
    old = "red    10  6  2  8  3  4 12  5  9  7 11"
    assert old in text
    new = text.replace(old, "red    10  6  2  8  3  4 12  5  9 11  7")
    (tmp_path / "new.rules").write_text(new, encoding="utf-8")
    ran = rulewright("diff", "qwixx", "new.rules", "--variant", "mixed_numbers", "--quick",
                     "--players", 2, "--format", "json")  # fmt: skip
    examples = [each for each in json.loads(ran.out)["results"] if "example" in each]
    assert [(each["example"], each["what"]) for each in examples] == [
        ("mixed_numbers_lock", "broken")
    ]


def test_recorded_games_are_played_by_both(rulewright, pig):
    rulewright("run", "pig.rules", "--games", 5, "--players", 2, "--seed", 3, "--trace", "a.jsonl")
    rulewright("run", "stricter.rules", "--games", 2, "--players", 2, "--trace", "b.jsonl")
    ran = rulewright("diff", "pig.rules", "stricter.rules", "--quick", "--games", "a.jsonl",
                     "b.jsonl", "--forbid", "game-broken", "--format", "json")  # fmt: skip
    report = json.loads(ran.out)
    games = [each for each in report["results"] if "game" in each]
    assert [each["fate"] for each in games] == ["illegal"] * 5 + ["same"] * 2
    assert "hold.rolled" in games[0]["message"]
    assert ran.exit == 1 and {each["code"] for each in report["diagnostics"]} == {"RW323"}


def test_a_recorded_game_that_ends_differently_is_told(rulewright, pig, tmp_path):
    generous = PIG.replace(
        "fun score(p: Player): 0..105 = points[p]", "fun score(p: Player): 0..106 = points[p] + 1"
    )
    (tmp_path / "generous.rules").write_text(generous, encoding="utf-8")
    rulewright("run", "pig.rules", "--games", 2, "--players", 2, "--trace", "a.jsonl")
    ran = rulewright("diff", "pig.rules", "generous.rules", "--quick", "--games", "a.jsonl")
    assert ran.exit == 0
    assert "a.jsonl:1: ends differently: scores " in ran.out and "0 of 2 go as before" in ran.out
    assert "score: a finished game has another result" in ran.out
    told = ran.out.partition("score: a finished game")[2]
    assert "         scores " in told and " wins\n" in told, "one result among those of all"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing.rules", "qwixx"), "nothing.rules"),
        (("qwixx", "qwixx@nothing"), "nothing"),
        (("qwixx", "kubbar", "--players", "9"), "no number of players"),
        (("qwixx", "qwixx", "--quick", "--forbid", "property-lost"), "property-lost"),
        (("pig", "pig", "--quick", "--players", "2", "--games", "nothing.jsonl"), "nothing.jsonl"),
        (("qwixx", "qwixx", "--forbid", "game-broken"), "game-broken"),
    ],
)
def test_what_cannot_be_compared_is_refused(rulewright, arguments, said):
    ran = rulewright("diff", *arguments)
    assert ran.exit == 2
    assert ran.err.startswith("error: ") and said in ran.err.partition("\n")[0]


def test_what_never_happened_in_some_games_may_still_happen():
    never, sometimes = share(0, 100), share(2, 100)
    assert never.mean == 0 and 0.005 < never.error < 0.015
    assert never.shown(percent=True) == "0.0 ± 1.0 %"
    assert not StatisticsRow("ended by", never, sometimes, True).clear
    assert StatisticsRow("ended by", never, share(10, 100), True).clear
    assert Estimate(0.154, 0.031).shown() == "0.15 ± 0.03"
    assert Estimate(51.2346, 0.0031).shown() == "51.235 ± 0.003"
