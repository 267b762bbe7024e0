"""A cluster gives the answers of one machine, whatever happens to its processes."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.progress import Progress
from rulewright.distribute import remote
from rulewright.distribute.cluster import AGAIN, ClusterError, check_same, opened
from rulewright.distribute.pace import Pace
from rulewright.distribute.work import Lost, Work
from rulewright.system.interrupts import Limit
from tests.change.test_readings import GAME
from tests.conftest import Ran
from tests.distribute.conftest import Cluster

Run = Callable[..., Ran]
ENGINE = "python:rulewright_engines.twenty_one:TwentyOne"
COMMANDS = {
    "prove": ["prove", "stones.rules", "--no-cache"],
    "verify": ["verify", "stones.rules"],
    "run": ["run", "pig", "--games", "600", "--seed", "3", "--players", "2..3"],
    "replay": ["replay", "pig", "games*.jsonl"],
    "conform": ["conform", "twenty_one", ENGINE, "--stages", "examples,games", "--games", "5"],
    "evidence": ["evidence", "stones.rules"],
    "vectors": ["vectors", "stones.rules", "--out", "vectors.jsonl"],
    "readings": ["readings", "stones.rules", "--no-cache", "--players", "2", "--properties"],
    "diff": ["diff", "stones.rules", "changed.rules", "--players", "2", "--no-cache"],
}


def timeless(text: str) -> str:
    """A report without what depends on the clock."""
    return re.sub(r'"(solver_)?seconds": [0-9.]+', "", text)


def spoiled_games(rulewright: Run, folder: Path, games: int = 20) -> Path:
    """Recorded games of pig; in every fifth an event is made illegal."""
    rulewright("run", "pig", "--games", games, "--players", 2, "--seed", 1, "--trace", "made")
    lines = (folder / "made").read_text("utf-8").splitlines(keepends=True)
    (folder / "made").unlink()
    headers = [number for number, line in enumerate(lines) if '"rulewright"' in line]
    for number in headers[::5]:
        lines[number + 1] = json.dumps({"move": "hold", "by": 2, "args": {}}) + "\n"
    found = folder / "games.jsonl"
    found.write_text("".join(lines), encoding="utf-8")
    return found


def write_specs(folder: Path) -> None:
    """A small game with open questions, a variant and a claim that does not hold; and a change."""
    game = GAME.replace("players 2..3", "players 2..2")
    (folder / "stones.rules").write_text(game, encoding="utf-8")
    changed = game.replace('"the stones that fit" = 9', '"the stones that fit" = 8')
    assert game != GAME and changed != game
    (folder / "changed.rules").write_text(changed, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_cluster_answers_as_this_machine_does(
    name: str, cluster: Cluster, rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_specs(tmp_path)
    if name == "replay":
        # workers read the files, so they are named by where they are
        whole = spoiled_games(rulewright, tmp_path).read_text("utf-8")
        (tmp_path / "games2.jsonl").write_text(whole, encoding="utf-8")
    command = [
        str(tmp_path / each) if each.startswith("games") else each for each in COMMANDS[name]
    ]
    here = rulewright(*command, "--format", "json")
    written = {each: each.read_bytes() for each in tmp_path.glob("vectors*")}
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    there = rulewright(*command, "--format", "json", "--cluster", cluster.file)
    assert json.loads(there.out)["results"], there.err
    assert timeless(there.out) == timeless(here.out)
    assert there.exit == here.exit
    assert {each: each.read_bytes() for each in tmp_path.glob("vectors*")} == written
    if name == "replay":
        assert here.exit == 1 and json.loads(here.out)["summary"]["illegal"] == 8


def test_recorded_games_are_the_same(cluster: Cluster, rulewright: Run, tmp_path: Path) -> None:
    asked = ["run", "pig", "--games", "150", "--seed", "1", "--players", "2", "--trace"]
    rulewright(*asked, "here.jsonl")
    rulewright(*asked, "there.jsonl", "--cluster", cluster.file)
    assert (tmp_path / "here.jsonl").read_bytes() == (tmp_path / "there.jsonl").read_bytes()


def test_shards_are_made_and_merged_on_a_cluster(
    cluster: Cluster, rulewright: Run, tmp_path: Path
) -> None:
    command = ["prove", "pig", "--players", "2", "--no-cache", "--only", "twenty"]
    here = rulewright(*command, "--format", "json")
    for number in (1, 2):
        part = [*command, "--shard", f"{number}/2", "--cluster", cluster.file]
        (tmp_path / f"{number}.json").write_text(rulewright(*part, "--format", "json").out)
    files = ["1.json", "2.json"]
    merged = rulewright("merge", *files, "--cluster", cluster.file, "--format", "json")
    assert merged.out and timeless(merged.out) == timeless(here.out)


class Disturbed:
    """Does something once, when the progress tells that a task is done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, deed: Callable[[], object]) -> None:
        self.said: list[str] = []
        self.done = False

        def say(_: Progress, text: str) -> None:
            self.said.append(text)
            if not self.done and re.search(r": [1-9][0-9]* of .* on \d worker", text):
                self.done = True
                deed()

        monkeypatch.setattr(Progress, "say", say)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prove", "replay"])
def test_a_worker_that_dies_loses_nothing(
    name: str, own_cluster: Cluster, rulewright: Run, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    write_specs(tmp_path)
    command = COMMANDS[name]
    if name == "replay":
        whole = spoiled_games(rulewright, tmp_path).read_text("utf-8")
        for number in range(12):
            (tmp_path / f"games{number}.jsonl").write_text(whole, encoding="utf-8")
        command = ["replay", "pig", str(tmp_path / "games?*.jsonl")]
    here = rulewright(*command, "--format", "json")
    disturbed = Disturbed(monkeypatch, own_cluster.workers[0].kill)
    there = rulewright(*command, "--format", "json", "--cluster", own_cluster.file)
    assert disturbed.done and own_cluster.workers[0].wait() != 0
    assert timeless(there.out) == timeless(here.out)
    assert there.exit == here.exit


@pytest.mark.slow
def test_a_worker_that_hangs_loses_nothing(
    tmp_path: Path, rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cluster").mkdir()
    made = Cluster(tmp_path / "cluster", DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="3s")
    try:
        made.wait()
        command = ["run", "pig", "--games", "4000", "--seed", "3", "--players", "2"]
        here = rulewright(*command, "--format", "json")
        hang = made.workers[0]
        disturbed = Disturbed(monkeypatch, lambda: hang.send_signal(signal.SIGSTOP))
        there = rulewright(*command, "--format", "json", "--cluster", made.file)
        assert disturbed.done
        assert there.out == here.out
    finally:
        made.end()


@pytest.mark.slow
def test_without_its_scheduler_a_run_tells_what_is_decided(
    own_cluster: Cluster, rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Disturbed(monkeypatch, own_cluster.scheduler.kill)
    found = rulewright(
        "prove", "pig", "--players", 2, "--no-cache", "--format", "json",
        "--cluster", own_cluster.file,
    )  # fmt: skip
    assert found.exit == 3, found.err
    report = json.loads(found.out)
    assert report["summary"]["stopped"] == "the scheduler of the cluster went away"
    reasons = {each["reason"] for each in report["results"] if each["verdict"] == "unknown"}
    assert "the scheduler of the cluster went away" in reasons


@pytest.mark.slow
def test_without_its_scheduler_a_replay_tells_what_is_legal(
    own_cluster: Cluster, rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = spoiled_games(rulewright, tmp_path).read_text("utf-8")
    for number in range(200):
        (tmp_path / f"games{number}.jsonl").write_text(whole, encoding="utf-8")
    Disturbed(monkeypatch, own_cluster.scheduler.kill)
    found = rulewright(
        "replay", "pig", tmp_path / "games*.jsonl", "--format", "json",
        "--cluster", own_cluster.file,
    )  # fmt: skip
    summary = json.loads(found.out)["summary"]
    assert summary["stopped"] == "the scheduler of the cluster went away"
    assert summary["games"] % 20 == 0 and summary["games"] < 200 * 20
    assert found.exit == (1 if summary["illegal"] else 3)


@pytest.mark.slow
def test_a_worker_with_another_program_is_refused(tmp_path: Path, rulewright: Run) -> None:
    (tmp_path / "cluster").mkdir()
    # Another z3, as the program sees it: what is installed is read from these folders.
    other = tmp_path / "site"
    (other / "z3_solver-4.0.0.dist-info").mkdir(parents=True)
    made = Cluster(tmp_path / "cluster", PYTHONPATH=str(other))
    try:
        made.wait()
        found = rulewright("prove", "pig", "--cluster", made.file)
    finally:
        made.end()
    assert found.exit == 2
    assert "has z3-solver 4.0.0, this program" in found.err
    assert "install the same versions here and where the workers run" in found.err


@pytest.mark.parametrize(
    ("name", "there", "said"),
    [
        ("python", "3.9.1", "w has python 3.9.1, this program"),
        ("rulewright", "0.0.9", "w has rulewright 0.0.9, this program"),
        ("program", "another", "w has other sources of rulewright"),
    ],
)
def test_what_differs_is_named(name: str, there: str, said: str) -> None:
    mine = remote.versions()
    with pytest.raises(ClusterError, match=said):
        check_same(mine, {**mine, name: there}, "w")
    check_same(mine, dict(mine), "w")


def test_a_worker_refuses_another_program() -> None:
    """Also one that has come after the others were asked."""
    asker = remote.asker()
    answer = json.loads(remote.perform(("other", *asker[1:]), "play", "{}", "{}"))
    assert answer["refused"] == remote.versions()


def test_a_process_that_dies_loses_its_task_alone() -> None:
    """The next task is done by another process."""
    asker = remote.asker()
    looking = (asker, "traces", "", '["nowhere"]')
    assert "answer" in json.loads(remote.perform(*looking))
    child = remote._children.taken()
    child._process.process.kill()
    told = child._process.process.stdout
    assert told is not None
    assert told.read() == b""  # ends when its supervisor's child is gone, too
    remote._children.put_back(child)
    assert "the process that worked on it" in json.loads(remote.perform(*looking))["lost"]
    answer = json.loads(remote.perform(*looking))
    assert json.loads(answer["answer"]) == [["nowhere", 0, 0]]


def test_a_bug_in_a_task_is_told() -> None:
    answer = json.loads(remote.perform(remote.asker(), "play", "", "{}"))
    assert "JSONDecodeError" in answer["error"]


class Picky(Work[Any]):
    """Takes no answer before it has been asked so often."""

    kind = "traces"
    title = "being picky"

    def __init__(self, times: int) -> None:
        self.left = times

    def __len__(self) -> int:
        return 1

    def task(self, number: int) -> str:
        return '["nowhere"]'

    def read(self, number: int, answer: str) -> Any:
        self.left -= 1
        if self.left >= 0:
            raise ValueError("not this one")
        return len(json.loads(answer))


def test_what_comes_back_is_checked(cluster: Cluster) -> None:
    """An answer that is none is asked for again, and given up in the end."""
    with opened(str(cluster.file), Limit(), lambda _: None) as backend:
        work: Work[Any] = Picky(2)
        assert list(backend.results(work, [0])) == [(0, 1)]
        work = Picky(AGAIN + 2)
        [(_, found)] = list(backend.results(work, [0]))
        assert isinstance(found, Lost) and "not this one" in found.reason


def test_nobody_answers(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.distribute.cluster.CONNECTING", 0.5)
    found = rulewright("prove", "pig", "--cluster", "tcp://127.0.0.1:9")
    assert found.exit == 2
    assert found.err.startswith("error: no scheduler answers at `tcp://127.0.0.1:9`\nhelp: ")


def test_without_dask(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    found = rulewright("prove", "pig", "--cluster", "local")
    assert found.exit == 2 and "pip install rulewright[cluster]" in found.err


def test_dask_is_imported_only_for_a_cluster(process: Callable[..., Any], tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from rulewright.cli.main import run_safely; "
        "run_safely(['prove', 'pig', '--players', '2']); "
        "print({'dask', 'distributed', 'pyarrow'} & sys.modules.keys())"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert ran.stdout.endswith("set()\n"), ran.stdout + ran.stderr


def test_the_pace_is_told_with_an_estimate() -> None:
    said: list[str] = []
    clock = iter([0.0, 2.0, 4.0, 5.0])
    pace = Pace("replaying", 600, said.append, lambda: next(clock))
    pace.done(1)
    pace.done(2)
    pace.tell(2)
    assert said == [
        "replaying: 1 of 600 on 1 worker, 0.5/s, about 20 min left",
        "replaying: 2 of 600 on 2 workers, 0.5/s, about 20 min left",
        "replaying: 2 of 600 on 2 workers, 0.4/s, about 25 min left",
    ]


def test_a_cluster_is_ended_with_the_clock(cluster: Cluster) -> None:
    limit = Limit(0.01)
    time.sleep(0.02)
    with opened(str(cluster.file), limit, lambda _: None) as backend:
        work: Work[Any] = Picky(0)
        [(_, found)] = list(backend.results(work, [0]))
    assert isinstance(found, Lost) and "within" in found.reason


def test_an_address_that_is_none(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.distribute.cluster.CONNECTING", 0.5)
    with pytest.raises(ClusterError), opened("nonsense://x", Limit(), lambda _: None):
        pass
