"""`diff` and `readings` as somebody uses them: formats, gates, versions, pages."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.change.changes import FOUR, QWIXX, WINDOW, changed, text


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def four(tmp_path):
    path = tmp_path / "four.rules"
    path.write_text(text(changed(*FOUR)), encoding="utf-8")
    return path


def test_a_gate_lets_only_through_what_is_allowed(rulewright, four):
    ran = rulewright("diff", "qwixx", four, "--players", 2, "--quick", "--allow", "equal,stricter",
                     "--format", "json")  # fmt: skip
    assert ran.exit == 1
    report = json.loads(ran.out)
    assert {each["code"] for each in report["diagnostics"]} == {"RW320"}
    moves = {each["move"]: each for each in report["results"] if "move" in each}
    assert moves["cross_sum"]["verdict"] == "looser"
    witness = moves["cross_sum"]["witness"]
    assert witness["old"]["refused_by"] == ["may_cross.five_first"]
    assert witness["reached"] and witness["trace"][0]["chance"] == "throw"
    assert report["summary"]["looser"] == 2


def test_without_a_gate_a_difference_is_no_failure(rulewright, four):
    assert rulewright("diff", "qwixx", four, "--players", 2, "--quick").exit == 0


def test_properties_play_and_a_page(rulewright, four, tmp_path):
    ran = rulewright("diff", "qwixx", four, "--players", 2, "--html", "page.html",
                     "--random-games", 30, "--forbid", "property-lost")  # fmt: skip
    assert ran.exit == 1
    assert "RW321" in ran.out and "lock_needs_five" in ran.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<svg" in page and "prefers-color-scheme" in page
    assert "src=" not in page and "href=" not in page


def test_a_property_that_is_no_longer_proved_is_not_green(rulewright, tmp_path):
    (tmp_path / "window.rules").write_text(text(changed(*WINDOW)), encoding="utf-8")
    ran = rulewright("diff", "qwixx", "window.rules", "--players", 2, "--random-games", 0,
                     "--forbid", "property-lost", "--format", "json")  # fmt: skip
    fates = {each["property"]: each["fate"] for each in json.loads(ran.out)["results"]
             if "property" in each}  # fmt: skip
    assert ran.exit == 3 and fates["order"] == "open" and "lost" not in fates.values()


def test_a_version_of_git_is_read_by_revision(rulewright, tmp_path):
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "q.rules").write_text(text(QWIXX), encoding="utf-8")
    git("init", "-q")
    git("add", "q.rules")
    git("commit", "-qm", "rules")
    (tmp_path / "q.rules").write_text(text(QWIXX) + "\n# nothing\n", encoding="utf-8")
    ran = rulewright("diff", "HEAD:q.rules", "q.rules", "--quick")
    assert (ran.exit, "nothing but layout" in ran.out) == (0, True)
    ran = rulewright("diff", "HEAD:gone.rules", "q.rules")
    assert ran.exit == 2 and "cannot be read" in ran.err


def test_a_game_is_compared_with_its_variant(rulewright):
    ran = rulewright("diff", "qwixx", "qwixx@mixed_numbers", "--quick", "--players", 2)
    assert ran.exit == 0
    assert "changed table `number`" in ran.out
    assert "incomparable" in ran.out


def test_recorded_games_are_played_by_both(rulewright, four):
    rulewright("run", four, "--games", 25, "--players", 2, "--seed", 3, "--trace", "games.jsonl")
    rulewright("run", "qwixx", "--games", 5, "--players", 2, "--seed", 1, "--trace", "old.jsonl")
    ran = rulewright("diff", four, "qwixx", "--quick", "--players", 2, "--games", "games.jsonl",
                     "old.jsonl", "--format", "json")  # fmt: skip
    games = [each for each in json.loads(ran.out)["results"] if "game" in each]
    assert len(games) == 30
    assert {each["fate"] for each in games[25:]} == {"same"}


@pytest.mark.parametrize("arguments", [("nothing.rules", "qwixx"), ("qwixx", "qwixx@nothing"),
                                       ("qwixx", "kubbar", "--players", "9"),
                                       ("qwixx", "qwixx", "--quick", "--forbid", "property-lost"),
                                       ("qwixx", "qwixx", "--forbid", "game-broken")])  # fmt: skip
def test_what_cannot_be_compared_is_refused(rulewright, arguments):
    ran = rulewright("diff", *arguments)
    assert ran.exit == 2
    assert ran.err.startswith("error: ")


def test_readings_part_where_a_game_gets(rulewright):
    ran = rulewright("readings", "qwixx", "--players", 2, "--format", "json")
    found = {each["option"]: each for each in json.loads(ran.out)["results"]}
    assert ran.exit == 0
    assert found["undecided"]["outcome"] == "parts"
    assert [each["move"] for each in found["undecided"]["differences"]] == ["wins"]
    window = found["finish_turn"]["differences"]
    assert "end_first_action" in [each["move"] for each in window]
