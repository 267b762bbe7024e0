"""The shards of a run together give the report of one run, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fuzz.inputs.mutated import changed
from rulewright.hidden_characters import HIDDEN
from tests.conftest import Ran
from tests.distribute.test_cluster import COMMANDS, spoiled_games, timeless, write_specs

Run = Callable[..., Ran]


def shards_of(rulewright: Run, folder: Path, number: int, command: list[str]) -> list[Path]:
    """The files of all shards of a command."""
    files = []
    for each in range(1, number + 1):
        ran = rulewright(*command, "--shard", f"{each}/{number}", "--format", "json")
        assert ran.exit == 0, ran.err
        files.append(folder / f"shard{each}.json")
        files[-1].write_text(ran.out, encoding="utf-8")
    return files


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_shards_give_the_report_of_one_run(name: str, rulewright: Run, tmp_path: Path) -> None:
    write_specs(tmp_path)
    if name == "replay":
        whole = spoiled_games(rulewright, tmp_path).read_text("utf-8")
        for number in range(4):
            (tmp_path / f"games{number}.jsonl").write_text(whole, encoding="utf-8")
    command = COMMANDS[name]
    here = rulewright(*command, "--format", "json")
    files = shards_of(rulewright, tmp_path, 2, command)
    if name == "replay":  # it is not needed where shards are put together
        for each in tmp_path.glob("games*"):
            each.unlink()
    merged = rulewright("merge", *files, "--format", "json")
    assert timeless(merged.out) == timeless(here.out)
    assert merged.exit == here.exit


def test_people_read_it_as_of_one_run(rulewright: Run, tmp_path: Path) -> None:
    command = ["run", "pig", "--games", "5", "--seed", "3", "--players", "2"]
    here = rulewright(*command)
    files = shards_of(rulewright, tmp_path, 2, command)
    assert rulewright("merge", *files) == here


def test_every_task_is_done_once(rulewright: Run, tmp_path: Path) -> None:
    command = ["run", "pig", "--games", "1500", "--seed", "3", "--players", "2..3"]
    files = shards_of(rulewright, tmp_path, 3, command)
    tasks = [
        each["task"] for file in files for each in json.loads(file.read_text("utf-8"))["results"]
    ]
    assert len(tasks) == len(set(tasks)) == 6


def test_jobs_that_others_wait_for_are_done_in_every_shard(rulewright: Run, tmp_path: Path) -> None:
    """So that what waits for them can be done in shards, too, and only once."""
    command = ["prove", "pig", "--players", "2..3", "--no-cache", "--only", "can_reach"]
    asked = rulewright(*command[:2], "--players", 2, "--format", "json")
    names = [
        each["name"] for each in json.loads(asked.out)["results"] if each["kind"] == "possible"
    ]
    command[-1] = names[0]
    files = shards_of(rulewright, tmp_path, 2, command)
    done = [
        {each["task"] for each in json.loads(file.read_text("utf-8"))["results"]} for file in files
    ]
    assert len(done[0] & done[1]) == 1


def _damaged(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    found = json.loads(file.read_text("utf-8"))
    change(found)
    file.write_text(json.dumps(found), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda each: each["summary"].update(shard=1), "of 2 shards these are missing: 2"),
        (lambda each: each["summary"].update(arguments=["pig"]), "are shards of different runs"),
        (lambda each: each["summary"].update(program="x"), "another version of this program"),
        (lambda each: each["summary"].update(of="os"), "is no shard of a run"),
        (lambda each: each.update(command="run"), "is no shard of a run"),
        (lambda each: each["results"].append({"task": 1}), "is no shard of a run"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    change: Callable[[dict[str, Any]], None], said: str, rulewright: Run, tmp_path: Path
) -> None:
    files = shards_of(rulewright, tmp_path, 2, ["run", "pig", "--games", "5", "--seed", "1"])
    _damaged(files[1], change)
    found = rulewright("merge", *files)
    assert found.exit == 2 and said in found.err


def test_an_answer_that_is_none_is_no_answer(rulewright: Run, tmp_path: Path) -> None:
    """What a shard says is read as if a stranger had said it; the task is then done anew."""
    command = ["run", "pig", "--games", "5", "--seed", "1", "--players", "2"]
    here = rulewright(*command, "--format", "json")
    files = shards_of(rulewright, tmp_path, 1, command)
    _damaged(files[0], lambda each: each["results"][0].update(answer='{"outcomes": 1}'))
    merged = rulewright("merge", *files, "--format", "json")
    assert merged.out == here.out


def test_no_engine_is_started_that_a_shard_names(rulewright: Run, tmp_path: Path) -> None:
    asked = ["conform", "pig", "python:nowhere:Engine", "--stages", "games", "--games", "1"]
    files = shards_of(rulewright, tmp_path, 1, ["run", "pig", "--games", "5", "--seed", "1"])
    asked[2] = f"exec:touch {tmp_path / 'started'}"
    _damaged(files[0], lambda each: each["summary"].update(of="conform", arguments=asked[1:]))
    found = rulewright("merge", *files)
    assert found.exit == 2 and "`merge` starts no engine" in found.err
    assert not (tmp_path / "started").exists()


def test_a_command_without_shards(rulewright: Run, tmp_path: Path) -> None:
    files = shards_of(rulewright, tmp_path, 1, ["run", "pig", "--games", "5", "--seed", "1"])
    _damaged(files[0], lambda each: each["summary"].update(of="fmt", arguments=["x.rules"]))
    found = rulewright("merge", *files)
    assert found.exit == 2 and "`fmt` has no shards" in found.err


def test_what_cannot_be_read(rulewright: Run, tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("no JSON", encoding="utf-8")
    for file, said in (("text.json", "it is not json"), ("nowhere.json", "no such file")):
        found = rulewright("merge", file)
        assert found.exit == 2 and said in found.err.lower()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["prove", "pig", "--shard", "0/2"], "`0/2` is not a shard like 3/8"),
        (["prove", "pig", "--shard", "3/2"], "`3/2` is not a shard like 3/8"),
        (["prove", "pig", "--shard", "1/2"], "a shard has no report of its own"),
        (["run", "pig", "--shard", "1/2", "--format", "json"], "all shards must play by one seed"),
        (["replay", "pig", "-", "--shard", "1/2", "--format", "json"], "standard input"),
        (["prove", "pig", "--smtlib", "x", "--shard", "1/2", "--format", "json"], "--smtlib"),
    ],
)
def test_requests_that_cannot_be_met(command: list[str], said: str, rulewright: Run) -> None:
    found = rulewright(*command)
    assert found.exit == 2 and said in found.err


QUICK = {
    "run": ["run", "pig", "--games", "60", "--seed", "1", "--players", "2"],
    "replay": ["replay", "pig", "games.jsonl", "--results", "rows.jsonl"],
    "evidence": ["evidence", "stones.rules", "--clauses"],
    "readings": ["readings", "stones.rules", "--players", "2", "--timeout", "0.1"],
    "prove": ["prove", "stones.rules", "--players", "2", "--timeout", "0.1", "--jobs", "1"],
}
"""Small runs, so that answers which are none are soon done anew."""


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_whatever_a_shard_says_it_ends_in_a_report(
    name: str, rulewright: Run, tmp_path: Path
) -> None:
    """An answer with one place changed to anything is an answer, or none: never a mistake of ours,
    and never anything for a terminal or a build but words."""
    write_specs(tmp_path)
    if name == "replay":
        spoiled_games(rulewright, tmp_path)
    file = shards_of(rulewright, tmp_path, 1, QUICK[name])[0]
    whole = json.loads(file.read_text("utf-8"))
    for seed in range(12):
        random = Random(f"{name}{seed}")
        results = [dict(each) for each in whole["results"]]
        chosen = random.choice(results)
        chosen["answer"] = json.dumps(changed(json.loads(chosen["answer"]), random))
        file.write_text(json.dumps({**whole, "results": results}), encoding="utf-8")
        merged = rulewright("merge", file, "--format", random.choice(("full", "json", "github")))
        assert merged.exit in (0, 1, 2, 3), (chosen["answer"], merged.err)
        assert not HIDDEN.search(merged.out + merged.err)
