"""The benchmarks run to their end, say what they skip, and end up in the documentation.

Nothing here says how long anything may take.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest

from benchmarks.__main__ import MODULES, FailureError, read_row
from benchmarks.harness import page
from benchmarks.harness.measure import ROOT, Row, attempted, in_turns, run, skipped
from benchmarks.harness.peer import PeerError, Quint, QuintInRust
from benchmarks.harness.results import Answers, Results, load, save
from benchmarks.harness.simulated_cluster import Costs, Task, efficiency, smallest_task, takes
from benchmarks.peers.qwixx_sim import Simulator


def bench(*options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *map(str, options)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_quick_run_answers_something_in_every_module(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    ran = bench("--quick", "--out", out)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    results = load(out)
    assert [each.module for each in results.answers] == list(MODULES)
    for each in results.answers:
        assert each.rows, each.module
        assert all(row.values or row.note for row in each.rows), each.module
        assert all(row.subject in ran.stdout for row in each.rows)
    assert "Quint                        skipped: not in a quick run" in ran.stdout
    assert results.machine["cores"] and results.versions["z3-solver"]


def test_a_module_that_takes_too_long_is_reported_and_the_next_one_runs(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    ran = bench("--quick", "--only", "board", "--only", "diff", "--limit", 0.1, "--out", out)
    assert ran.returncode == 1
    assert "error: board: given up after 0.1 s" in ran.stdout
    assert "diff" in ran.stdout
    written = json.loads(out.read_text("utf-8"))
    assert written["answers"][0]["failure"] == "given up after 0.1 s"


def test_what_is_no_row_is_a_failure_of_its_module() -> None:
    with pytest.raises(FailureError, match="printed what is no row: checked 1 spec"):
        read_row("checked 1 spec\n")


def test_a_row_that_fails_is_named_and_what_came_before_it_stays() -> None:
    def ask() -> Iterator[Row]:
        yield Row("speed", "ours", "steps/s", (2.0,))
        raise PeerError("`quint` exits with 1:\n no such model")

    first, second = attempted("speed", "Quint", ask)
    assert first.values and not first.failed
    assert second == Row("speed", "Quint", "", (), "failed: `quint` exits with 1: no such model")
    answers = Answers("play", "", [first, second], None, 1.0)
    assert answers.failures == ["speed, Quint: failed: `quint` exits with 1: no such model"]
    text = page.text_of(Results(False, "2026-01-01", {}, {}, [answers]))
    assert "- not measured: play: speed, Quint: failed: `quint` exits with 1" in text


def test_hunters_and_players_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.harness.peer.MODULES", Path("nowhere"))
    for peer in (Quint(), QuintInRust()):
        assert not peer.found
        row = peer.skipped("speed", quick=False)
        assert row.note == "skipped: not installed: `make bench-peers`" and not row.failed


# ---- measuring


def test_contestants_take_turns_after_a_round_that_does_not_count() -> None:
    calls: list[str] = []

    def contestant(name: str) -> float:
        calls.append(name)
        return float(len(calls))

    values = in_turns({"a": lambda: contestant("a"), "b": lambda: contestant("b")}, 2)
    assert calls == ["a", "b"] * 3
    assert values == {"a": (3.0, 5.0), "b": (4.0, 6.0)}


def test_a_command_is_measured_by_what_it_computes() -> None:
    sleeping = run([sys.executable, "-c", "import time; time.sleep(0.3)"])
    computing = run([sys.executable, "-c", "print(sum(range(10_000_000)))"])
    assert sleeping.seconds < computing.seconds
    assert computing.output.strip() == "49999995000000"


def test_a_command_that_computes_too_long_is_ended() -> None:
    assert run([sys.executable, "-c", "while True: pass"], limit=1).code < 0


# ---- the peers


def test_the_script_for_z3_proves_the_rules_and_not_the_mutant() -> None:
    command = [sys.executable, "-m", "benchmarks.peers.qwixx_z3", "prove", 2]
    assert json.loads(run(command).output)["not proved"] == []
    assert json.loads(run([*command, "need=4"]).output)["not proved"] != []


def test_the_simulator_sees_a_lock_with_too_few_crosses() -> None:
    game = Simulator(2, need=4)
    assert game.holds()
    for number in (2, 3, 4, 5):
        game.cross(0, 0, number)
    assert game.can(0, 0, 12)
    assert not Simulator(2).can(0, 0, 12)
    game.cross(0, 0, 12)
    assert not game.holds()


# ---- the page

ROWS = [
    Row("random play", "compiled spec", "steps/s", (10.0, 30.0, 20.0)),
    Row("random play", "Spin", "steps/s", (25.0,)),
    skipped("random play", "Quint", "not installed: `make bench-peers`"),
    *(Row("growth by players", "rulewright", "s", (float(at),), at=at) for at in (2, 3)),
    *(Row("growth by players", "z3 script", "s", (at + 1.0,), at=at) for at in (2, 3)),
]


@pytest.fixture
def results() -> Results:
    answers = [
        Answers("play", "How fast it plays.", ROWS, None, 1.0),
        Answers("prove", "How long proofs take.", [], "given up after 5 s", 5.0),
    ]
    return Results(False, "2026-01-01", {"cores": "2"}, {"python": "3.11"}, answers)


def test_results_come_back_as_they_were_kept(results: Results, tmp_path: Path) -> None:
    save(results, tmp_path / "results.json")
    assert load(tmp_path / "results.json") == results


def test_the_page_says_what_was_measured_skipped_and_lost(results: Results) -> None:
    text = page.text_of(results)
    assert "| compiled spec | 20.0 steps/s | 10.0 to 30.0 | 1.25 × |" in text
    assert "| Quint | skipped: not installed: `make bench-peers` | | |" in text
    _, _, lost = text.partition("## Where we lose")
    lost, _, _ = lost.partition("\n## ")
    assert lost.strip().splitlines() == [
        "- random play: Spin 25.0 steps/s, compiled spec 20.0 steps/s",
        "- not measured: prove: given up after 5 s",
    ]


def test_the_page_has_a_chart_for_every_question_with_more_than_one_row(
    results: Results, tmp_path: Path
) -> None:
    (tmp_path / "old.svg").write_text("", encoding="utf-8")
    page.write(results, tmp_path / "page.md", tmp_path)
    charts = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert charts == ["growth-by-players.svg", "random-play.svg"]
    text = (tmp_path / "page.md").read_text("utf-8")
    for name in charts:
        assert f"(../assets/benchmarks/{name})" in text
        drawn = (tmp_path / name).read_text("utf-8")
        assert xml.fromstring(drawn).tag.endswith("svg")
    assert "Spin" in (tmp_path / "random-play.svg").read_text("utf-8")


def test_the_documentation_shows_the_results_that_are_kept() -> None:
    kept = load()
    assert not kept.quick, "the page shows what `make bench` measures"
    assert page.PAGE.read_text("utf-8") == page.text_of(kept)
    for name, drawn in page.drawings(kept):
        assert (page.CHARTS / name).read_text("utf-8") == drawn


def test_a_simulated_cluster_is_bounded_by_its_longest_task_and_its_scheduler():
    free = Costs(0.0, 0.0)
    even = [Task("", 1.0)] * 64
    assert takes([even], 8, free) == 8.0 and efficiency([even], 8, free) == 1.0
    assert takes([[*even, Task("long", 30.0)]], 64, free) == 31.0
    assert takes([even, even], 64, free) == 2.0, "a batch waits for the one before"
    assert takes([even], 64, Costs(0.5, 0.0)) == 33.0, "the last one is handed out after 32 s"
    assert takes([[Task("", 1.0, 1000)]], 1, Costs(0.0, 0.001)) == 2.0
    assert smallest_task(Costs(0.001, 0.0), 8) < smallest_task(Costs(0.001, 0.0), 512)
    size = smallest_task(Costs(0.001, 0.0), 64)
    assert efficiency([[Task("", size)] * 1280], 64, Costs(0.001, 0.0)) >= 0.8
