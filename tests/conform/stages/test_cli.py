"""`rulewright conform` and `vectors` as somebody runs them."""

from __future__ import annotations

import json
import re
import sys
from io import StringIO
from xml.etree import ElementTree

import pytest

from rulewright.cli.main import run_safely
from rulewright.system.interrupts import StoppedError
from rulewright_engines.qwixx import Qwixx
from tests.conform.conftest import ROOT

RIGHT = "python:rulewright_engines.qwixx:Qwixx"
WRONG = "python:tests.conform.stages.wrong_engines:BackToTheLeft"
QUICK = ("--stages", "examples,games", "--games", "4")


@pytest.fixture
def rulewright(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "stdin", StringIO())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*arguments):
        code = run_safely([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_an_engine_that_conforms(rulewright):
    code, out, err = rulewright("conform", "qwixx", RIGHT, *QUICK)
    assert code == 0
    assert "examples  28 examples  conforms" in out
    assert "conforms as far as tried:" in err and "seed 0" in err and "clauses exercised:" in err
    assert "the stage `vectors` was not run" in err


def test_an_engine_that_differs(rulewright, tmp_path):
    saved = tmp_path / "game.jsonl"
    code, out, err = rulewright("conform", "qwixx", WRONG, *QUICK, "--save", str(saved))
    assert code == 1
    assert "RW404" in out and "[cross.order, cross.left_out]" in out and "<-- here" in out
    assert str(saved) in err
    header, *events = map(json.loads, saved.read_text().splitlines())
    assert header["spec"] == "qwixx" and events[-1]["engine"] == "listed"


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("FourAreEnough", "refused by may_cross.five_first"),
        ("LockForgotten", "`locked` is not what was recorded"),
        ("LockForgotten", "recorded is [{}, {}]"),
    ],
)
def test_a_game_from_a_position_is_replayed(rulewright, tmp_path, engine, said):
    saved = tmp_path / "game.jsonl"
    wrong = f"python:tests.conform.stages.wrong_engines:{engine}"
    code, out, _ = rulewright("conform", "qwixx", wrong, "--stages", "examples", "--save", saved)
    assert code == 1 and "from a position" in out
    assert "position" in json.loads(saved.read_text().splitlines()[0])
    code, out, _ = rulewright("replay", "qwixx", saved)
    assert code == 1
    assert said in out


class Talkative(Qwixx):
    """Says on stdout what it does."""

    RULES = Qwixx.RULES

    def apply(self, event):
        print("applying", event)
        super().apply(event)


def test_what_an_engine_prints_does_not_get_into_the_report(rulewright):
    engine = "python:tests.conform.stages.test_cli:Talkative"
    code, out, err = rulewright(
        "conform", "qwixx", engine, "--stages", "games", "--games", 1, "--format", "json"
    )
    assert (code, json.loads(out)["exit"]) == (0, 0)
    assert "applying" in err


def test_what_an_engine_was_not_held_to_is_said(rulewright):
    refusing = f"exec:{sys.executable} -m tests.conform.engine.bad_engine 'knows no hello'"
    code, _, err = rulewright("conform", "qwixx", refusing, "--stages", "games", "--games", 1)
    assert code == 0
    assert (
        "not compared in any stage: lists of legal moves, scores and winners: the engine does not "
        'answer `hello` with what it can ("good day to you")'
    ) in err
    code, out, _ = rulewright(
        "conform", "qwixx", "python:tests.conform.stages.test_lockstep:Shy", "--stages", "games",
        "--games", 1, "--format", "json",
    )  # fmt: skip
    assert json.loads(out)["summary"]["left_out"] == [
        "not compared in any stage: states, lists of legal moves, scores and winners: the engine "
        "does not offer `state`, `legal`, `score`"
    ]


def test_json_is_as_the_contract_says(rulewright):
    code, out, _ = rulewright("conform", "qwixx", WRONG, *QUICK, "--format", "json")
    found = json.loads(out)
    assert (code, found["exit"], found["command"]) == (1, 1, "conform")
    examples = found["results"][0]
    assert examples["stage"] == "examples" and examples["verdict"] == "differs"
    difference = examples["difference"]
    assert difference["clauses"] == ["cross.order", "cross.left_out"]
    assert difference["requirement"] == "may_cross.left_to_right"
    assert {"trace", "expected", "got"} <= difference.keys()
    assert found["summary"]["coverage"]["cross.order"] > 0
    assert found["diagnostics"][0]["code"] == "RW404"


def test_other_formats(rulewright):
    _, junit, _ = rulewright("conform", "qwixx", WRONG, *QUICK, "--format", "junit")
    suite = ElementTree.fromstring(junit)[0]
    assert suite.get("failures") == "2" and "<-- here" in junit.replace("&lt;", "<")
    _, github, _ = rulewright("conform", "qwixx", WRONG, *QUICK, "--format", "github")
    assert github.startswith("::error file=spec/qwixx.rules,line=")
    assert "\n::group::examples\n" in github and "<-- here" in github
    _, sarif, _ = rulewright("conform", "qwixx", WRONG, *QUICK, "--format", "sarif")
    assert json.loads(sarif)["runs"][0]["results"][0]["ruleId"] == "RW404"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("qwixx", "qwixx"), "`qwixx` is not an engine"),
        (("qwixx", "python:engines.nothing:X"), "cannot be imported"),
        (("qwixx", "exec:no-such-program"), "cannot be started"),
        (
            ("qwixx", "python:rulewright_engines.twenty_one:TwentyOne"),
            "the engine plays `twenty_one`",
        ),
        (("nowhere", RIGHT), "cannot be used"),
        (("qwixx", RIGHT, "--stages", "game"), "there is no stage `game`"),
        (("qwixx", RIGHT, "--players", "9"), "cannot be played by 9"),
        (("qwixx", RIGHT, "--reading", "tie=shared"), "has no reading `tie`"),
        (("qwixx", RIGHT, "--variant", "x"), "has no variant `x`"),
        (("qwixx", RIGHT, "--timeout", "soon"), "not a number of seconds"),
    ],
)
def test_what_cannot_be_done_is_said(rulewright, arguments, message):
    code, out, err = rulewright("conform", *arguments)
    assert code == 2 and message in err
    said = out if arguments[0] == "nowhere" else err  # what is wrong with a spec is a finding
    assert "help:" in said and (said is out) == bool(out)


def test_an_engine_that_dies_at_once_is_a_difference(rulewright):
    code, out, _ = rulewright("conform", "qwixx", f"exec:{sys.executable} -c 'exit(7)'")
    assert code == 1
    assert "RW406" in out and "exit code 7" in out


def test_nothing_checked_is_not_green(rulewright):
    code, out, err = rulewright("conform", "qwixx", RIGHT, "--stages", "games", "--games", "0")
    assert code == 1
    assert "RW408" in out and f"{RIGHT} was not checked: 0 events" in err


def test_what_is_no_matter_of_a_rule_is_shown_at_the_name_of_the_game(rulewright):
    _, out, err = rulewright("conform", "qwixx", f"exec:{sys.executable} -c 'exit(7)'")
    assert 'game qwixx "Qwixx"' in out
    assert "clauses exercised" not in err


def test_what_two_stages_find_is_told_once(rulewright):
    wrong = "python:tests.conform.engine.test_protocol_hints:MapsAsObjects"
    code, out, _ = rulewright("conform", "qwixx", wrong, *QUICK)
    assert code == 1 and out.count("the engine begins a game of 2 players in another state") == 3
    assert "examples  none begun  differs" in out
    assert "`games` differs in the same way as `examples`" in out
    _, junit, _ = rulewright("conform", "qwixx", wrong, *QUICK, "--format", "junit")
    assert ElementTree.fromstring(junit)[0].get("failures") == "2"


def test_where_nothing_can_be_saved_nothing_is_played(rulewright, tmp_path):
    nowhere = tmp_path / "no" / "game.jsonl"
    code, out, err = rulewright("conform", "qwixx", RIGHT, *QUICK, "--save", str(nowhere))
    assert (code, out) == (2, "") and "cannot be written" in err
    unused = tmp_path / "game.jsonl"
    code, _, _ = rulewright("conform", "qwixx", RIGHT, *QUICK, "--save", str(unused))
    assert code == 0 and not unused.exists()


def test_an_engine_without_quotes_is_told_of_them(rulewright):
    code, _, err = rulewright("conform", "qwixx", "exec:node", "qwixx.mjs")
    assert code == 2 and "goes in quotes" in err


def test_examples_that_were_left_out_are_counted(rulewright):
    cannot_load = f"exec:{sys.executable} -m tests.conform.engine.bad_engine 'loads nothing'"
    _, out, err = rulewright("conform", "qwixx", cannot_load, "--stages", "examples")
    left_out = "of the examples from the middle of a game: the engine cannot load a position"
    (played,) = re.findall(r"examples +(\d+) examples +conforms", out)
    (not_played,) = re.findall(rf"left out of examples: (\d+) {left_out}", err)
    assert int(played) + int(not_played) == 28


def test_vectors_are_written_and_kept(rulewright, tmp_path):
    file = tmp_path / "pig.jsonl"
    code, _, err = rulewright("vectors", "pig", "--out", str(file))
    assert code == 0 and "vectors to" in err
    header, *vectors = map(json.loads, file.read_text().splitlines())
    assert header["vectors"] == len(vectors) > 0
    (kept,) = (tmp_path / "cache" / "rulewright" / "vectors").glob("??/*")
    assert kept.is_file()
    code, _, err = rulewright("vectors", "pig", "--out", str(tmp_path / "no" / "x"))
    assert code == 2 and "cannot be written" in err


def test_a_search_that_is_ended_has_what_it_found_and_nothing_of_it_is_kept(
    rulewright, tmp_path, monkeypatch
):
    def say(self, text):
        if text.startswith("vectors: 100 of"):
            raise StoppedError("it was ended")

    monkeypatch.setattr("rulewright.cli.progress.Progress.say", say)
    file = tmp_path / "vectors.jsonl"
    code, _, err = rulewright("vectors", "qwixx", "--out", str(file))
    assert code == 3 and "of 421 mutants" in err
    assert "not all were looked for: it was ended" in err
    header, *vectors = file.read_text().splitlines()
    assert vectors and len(json.loads(header)["undecided"]) > 100
    assert not (tmp_path / "cache" / "rulewright" / "vectors").exists()


def test_the_verdict_says_what_was_tested(rulewright, tmp_path):
    rows = "tests/conform/stages/rows.rules"
    engine = "python:tests.conform.stages.authors_engines"
    few = ("--games", "4")
    code, _, err = rulewright("conform", rows, f"{engine}:CanLoad", *few)
    assert code == 0 and f"{engine}:CanLoad conforms: " in err
    (tried, known) = re.findall(r"mistakes tried: (\d+) of (\d+)", err)[0]
    assert tried == known

    code, out, _ = rulewright("conform", rows, f"{engine}:Silent", *few, "--format", "json")
    found = json.loads(out)
    assert code == found["exit"] == 3 and found["summary"]["verdict"] == "unknown"
    untested = found["summary"]["mistakes"]["untested"]
    assert untested and all("does not report" in each["why"] for each in untested)
    code, _, err = rulewright("conform", rows, f"{engine}:Silent", *few, "--allow-untested")
    assert code == 0 and "conforms as far as tried" in err

    accepted = tmp_path / "accepted"
    accepted.write_text("".join(f"{each['mistake']}\n" for each in untested[1:]))
    code, _, err = rulewright(
        "conform", rows, f"{engine}:Silent", *few, "--known-untested", accepted
    )
    assert code == 3 and untested[0]["mistake"] in err and untested[-1]["mistake"] not in err
    accepted.write_text("".join(f"{each['mistake']}\n" for each in untested))
    known = ("--known-untested", accepted)
    assert rulewright("conform", rows, f"{engine}:Silent", *few, *known)[0] == 0


def test_the_base_game_can_be_asked_for_alone(rulewright):
    code, _, err = rulewright(
        "conform", "qwixx", RIGHT, "--stages", "games", "--games", "9", "--base-game"
    )
    assert code == 0 and "variant" not in err
