"""The Python API: everything the commands can do, for programs, without printing."""

from __future__ import annotations

import inspect
import json
import re
import threading
from importlib import import_module
from pathlib import Path

import pytest

from rulewright import api
from rulewright.cli.main import run_safely
from rulewright.cli.options import Parser
from rulewright.cli.registry import summaries
from rulewright_engines.qwixx import Qwixx
from tests.conform.stages.wrong_engines import FourAreEnough
from tests.conftest import ROOT

PIG = ROOT / "spec" / "tutorial" / "pig.rules"
FORMATTING = {"new", "fmt", "docs", "rulebook", "translate", "lsp"}
"""Commands that write files for people, or serve an editor."""


def test_there_is_a_function_for_every_command_that_answers():
    functions = {name for name in api.__all__ if inspect.isfunction(getattr(api, name))}
    commands = set(summaries()) - FORMATTING
    assert functions - {"load", "check_certificate"} == commands - {"test"} | {"examples"}
    assert {name for name in api.__all__ if not hasattr(api, name)} == set()


WORDS = {"help", "format", "shard"}
TEXT_ONLY = {"prove": {"example"}, "evidence": {"mistakes"}}
"""Options that change nothing but what is printed for people, or how the work is split."""


@pytest.mark.parametrize("name", sorted(set(summaries()) - FORMATTING))
def test_every_option_of_a_command_is_a_keyword(name: str):
    command = import_module(f"rulewright.cli.commands.{name}")
    parser = Parser(prog=name)
    command.configure(parser)
    options = {each.dest for each in parser._actions if each.option_strings}
    options -= WORDS | TEXT_ONLY.get(name, set())
    function = getattr(api, {"test": "examples"}.get(name, name))
    keywords = set(inspect.signature(function).parameters)
    assert {{"reading": "readings"}.get(each, each) for each in options} <= keywords


def test_the_page_names_every_keyword():
    page = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)\(([^)]*(?:\(\)[^)]*)?)\)`", page, re.MULTILINE))
    functions = {name for name in api.__all__ if inspect.isfunction(getattr(api, name))} - {"load"}
    assert functions <= set(rows)
    for name in functions:
        named = {each.strip().lstrip("*").partition("=")[0] for each in rows[name].split(",")}
        keywords = set(inspect.signature(getattr(api, name)).parameters) - {"cluster"}
        assert named == keywords, name


def test_an_answer_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]):
    answer = api.check("qwixx", "kubbar")
    assert capsys.readouterr() == ("", ""), "the API prints nothing"
    assert run_safely(["check", "qwixx", "kubbar", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {key: getattr(answer, key) for key in printed} == printed
    assert answer.holds


def test_a_spec_with_errors_is_an_answer_with_diagnostics(tmp_path: Path):
    (tmp_path / "bad.rules").write_text("game bad\n\nphase = 1\n")
    for answer in (api.check(tmp_path / "bad.rules"), api.run(tmp_path / "bad.rules")):
        assert answer.exit == 2
        assert not answer.holds
        assert answer.diagnostics[0]["severity"] == "error"


def test_what_cannot_be_asked_raises_with_help():
    with pytest.raises(api.UsageError) as raised:
        api.run("qwixx", variant="mixed")
    assert "no variant `mixed`" in raised.value.message
    assert raised.value.help
    with pytest.raises(api.UsageError, match="number of players"):
        api.prove(PIG, players=0)
    with pytest.raises(api.UsageError, match="certificate"):
        api.prove(PIG, certificate="c.json")
    with pytest.raises(api.UsageError, match="not an engine"):
        api.conform("qwixx", "nonsense")


def test_examples_are_played():
    answer = api.examples("qwixx")
    assert answer.holds
    assert {each["verdict"] for each in answer.results} == {"passed"}
    assert answer.summary["examples"] == len(answer.results)


def test_proofs_name_what_they_prove(tmp_path: Path):
    answer = api.prove(
        PIG, players=2, only=["won_with_100"], certify=True, certificate=tmp_path / "c.json"
    )
    assert answer.holds
    (proof,) = [each for each in answer.results if each["name"] == "won_with_100"]
    assert (proof["verdict"], proof["players"], proof["certified"]) == ("proved", 2, True)
    checked = api.check_certificate(PIG, tmp_path / "c.json")
    assert checked.holds
    assert "won_with_100" in {each["name"] for each in checked.results}


def test_players_may_be_a_range():
    answer = api.prove(PIG, players=range(2, 4), only=["won_with_100"])
    assert {each["players"] for each in answer.results} == {2, 3}


def test_games_are_recorded_and_replayed(tmp_path: Path):
    trace = tmp_path / "-games.jsonl"
    played = api.run("qwixx", games=2, players=2, seed=1, trace=trace, states=True)
    assert played.results[0]["finished"] == 2
    assert api.replay("qwixx", trace).summary["legal"] == 2
    header, first, *_ = trace.read_text().splitlines()
    trace.write_text("\n".join([header, first, first]) + "\n")
    answer = api.replay("qwixx", trace)
    assert answer.exit == 1
    assert answer.results[0]["verdict"] == "illegal"
    assert answer.results[0]["line"] == 3


def test_why_tells_the_reasons_in_a_position():
    game = api.load("qwixx").game(players=3, seed=7, start={"active": 2})
    game.play(game.move("throw", w=[2, 3], d={"red": 1, "yellow": 2, "green": 5, "blue": 6}))
    refused = api.why("qwixx", "cross_sum(row = red, at = 11)", by=1, position=game.save())
    assert refused.exit == 1
    labels = [each["label"] for each in refused.results[0]["failing"]]
    assert labels == [each.label for each in game.check("cross_sum(row = red, at = 11)", by=1)]
    allowed = api.why("qwixx", "cross_sum(row = red, at = 4)", by=1, position=game.save())
    assert allowed.holds
    assert allowed.results[0]["verdict"] == "allowed"


def test_lines_of_play_are_counted():
    assert api.perft(PIG, 3).results[-1]["depth"] == 3


def test_an_engine_may_be_a_class():
    right = api.conform("qwixx", Qwixx, stages=["examples"])
    assert right.holds
    wrong = api.conform("qwixx", FourAreEnough, stages=["examples"], players=2)
    assert wrong.exit == 1
    difference = wrong.results[0]["difference"]
    assert difference is not None and difference["requirement"] == "may_cross.five_first"


def test_a_change_is_compared(tmp_path: Path):
    new = tmp_path / "new.rules"
    new.write_text(PIG.read_text("utf-8").replace("1..6", "1..7"), encoding="utf-8")
    answer = api.diff(PIG, new, players=2, quick=True, allow=["equal"])
    assert answer.exit == 1
    assert [each["code"] for each in answer.diagnostics] == ["RW320"]
    assert answer.summary["looser"] == 1


def test_vectors_are_written(tmp_path: Path):
    answer = api.vectors(PIG, tmp_path / "v.jsonl")
    assert answer.results[0]["vectors"] == len((tmp_path / "v.jsonl").read_text().splitlines()) - 1


def test_a_limit_leaves_things_undecided_and_works_in_the_main_thread_only():
    answer = api.prove("kubbar", no_cache=True, limit=0.3)
    assert answer.exit == 3
    assert answer.summary["stopped"]
    raised: list[api.UsageError] = []

    def ask() -> None:
        try:
            api.prove(PIG, limit=1.0)
        except api.UsageError as error:
            raised.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert "main thread" in raised[0].message


def test_threads_do_not_see_the_answers_of_others():
    answers = []
    threads = [
        threading.Thread(target=lambda name=name: answers.append((name, api.check(name).spec)))
        for name in ("qwixx", "kubbar", "twenty_one")
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert all(name in str(spec) for name, spec in answers) and len(answers) == 3
