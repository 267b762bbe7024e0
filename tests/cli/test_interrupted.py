"""What a command has found is told when it is ended: by a signal, or by `--limit`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.resources import bundled_specs

ROOT = Path(__file__).parent.parent.parent
SAID: dict[int, str] = {
    signal.SIGINT: "it was interrupted",
    signal.SIGTERM: "it was ended by a signal",
}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


class Running:
    """A command as a process of its own that tells what it is at."""

    def __init__(self, folder: Path, *command: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", TOLD, *map(str, command), "--format", "json"],
            cwd=folder,
            env={
                **os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache"),
                "PYTHONUNBUFFERED": "1",
            },
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip

    def until(self, told: str) -> Running:
        """Waits until it says what it is at."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if told in line:
                return self
        raise AssertionError(f"it ended before {told}")

    def ended(self, number: int | None = None) -> tuple[int, dict[str, Any]]:
        """The exit code and the report, after a signal if there is one."""
        if number is not None:
            self.process.send_signal(number)
        out, said = self.process.communicate()
        assert "internal error" not in said, said
        return self.process.returncode, json.loads(out)


TOLD = """
import sys
from rulewright.cli import progress
progress.Progress.say = lambda self, text: print(text, file=sys.stderr, flush=True)
from rulewright.cli.main import run_safely
code = run_safely(sys.argv[1:])
sys.stdout.flush()
import os
os._exit(code)
"""
"""The program, with its progress on stderr also where that is no terminal."""

ENDLESS = """
import time
from rulewright_engines.twenty_one import TwentyOne

class Sleepy(TwentyOne):
    begun = 0

    def new(self, *given, **more):
        Sleepy.begun += 1
        if Sleepy.begun > 60:
            time.sleep(3600)
        return super().new(*given, **more)
"""


# Both signals go the same way, so the commands that take longest are ended by one of them.
@pytest.fixture(params=SAID, ids=lambda number: signal.Signals(number).name)
def number(request: pytest.FixtureRequest) -> int:
    found: int = request.param
    return found


def test_prove_tells_what_is_proved(tmp_path: Path, number: int) -> None:
    running = Running(tmp_path, "prove", "qwixx", "--players", 2, "--jobs", 1)
    code, report = running.until("proving qwixx: 14 of").ended(number)
    assert code == report["exit"] == 3 and report["summary"]["stopped"] == SAID[number]
    verdicts = {each["verdict"] for each in report["results"]}
    assert verdicts == {"proved", "unknown"}
    reasons = {each["reason"] for each in report["results"] if each["verdict"] == "unknown"}
    assert SAID[number] in reasons


def test_what_was_proved_is_kept(tmp_path: Path) -> None:
    asked = ["prove", "pig", "--jobs", 1]
    Running(tmp_path, *asked).until("proving pig: 9 of").ended(signal.SIGTERM)
    again = Running(tmp_path, *asked)
    assert again.process.stderr is not None
    told = (line.split() for line in again.process.stderr if "proving pig" in line)
    first = next(int(done) for _, _, done, _, of in told if int(of) > 9)
    assert first >= 9
    assert again.ended()[0] == 0


@pytest.mark.parametrize("number", [signal.SIGTERM])
def test_verify_tells_what_was_verified(tmp_path: Path, number: int) -> None:
    running = Running(tmp_path, "verify", "pig", "qwixx")
    code, report = running.until("proving qwixx: 3 of").ended(number)
    assert code == 3 and report["summary"]["stopped"] == SAID[number]
    assert report["summary"]["missing"] == ["qwixx: engine"]
    pig, qwixx = report["results"]
    assert pig["verdict"] == "holds" and qwixx["verdict"] == "undecided"
    assert qwixx["examples"]["verdict"] == "holds"


def test_conform_tells_which_stages_were_done(tmp_path: Path, number: int) -> None:
    (tmp_path / "sleepy.py").write_text(ENDLESS, encoding="utf-8")
    running = Running(
        tmp_path, "conform", "twenty_one", "python:sleepy:Sleepy", "--stages",
        "examples,games", "--timeout", 3600,
    )  # fmt: skip
    code, report = running.until("games: 5").ended(number)
    assert code == 3 and report["summary"]["stopped"] == SAID[number]
    examples, games = report["results"]
    assert examples["verdict"] == "conforms" and examples["checked"] > 0
    assert games["verdict"] == "unknown" and games["checked"] >= 5


def test_conform_that_found_something_says_so(tmp_path: Path) -> None:
    wrong = ENDLESS.replace("return super()", "self.wrong = 1\n        return super()") + (
        "\n    def legal(self):\n        return []\n"
    )
    (tmp_path / "sleepy.py").write_text(wrong, encoding="utf-8")
    running = Running(
        tmp_path, "conform", "twenty_one", "python:sleepy:Sleepy", "--stages", "examples,games",
        "--timeout", 3600,
    )  # fmt: skip
    code, report = running.until("shrinking").ended(signal.SIGTERM)
    assert code == 1
    assert "differs" in {each["verdict"] for each in report["results"]}


@pytest.mark.parametrize("number", [signal.SIGINT])
def test_vectors_writes_those_it_found(tmp_path: Path, number: int) -> None:
    running = Running(tmp_path, "vectors", "qwixx", "--out", "found.jsonl")
    code, report = running.until("30 of").ended(number)
    assert code == 3 and report["summary"]["stopped"] == SAID[number]
    header, *vectors = (tmp_path / "found.jsonl").read_text(encoding="utf-8").splitlines()
    assert vectors and json.loads(header)["stopped"] == SAID[number]
    assert {each["why"] for each in json.loads(header)["undecided"]} == {"there was no time left"}
    kept = tmp_path / "cache" / "rulewright" / "vectors"
    assert not kept.exists(), "what was cut short is not kept"


@pytest.mark.parametrize("number", [signal.SIGTERM])
def test_diff_tells_what_was_compared(tmp_path: Path, number: int) -> None:
    text = bundled_specs()["qwixx"].read_text(encoding="utf-8")
    changed = text.replace("[close.five] = 5", "[close.five] = 4")
    assert changed != text
    (tmp_path / "four.rules").write_text(changed, encoding="utf-8")
    running = Running(tmp_path, "diff", "qwixx", "four.rules", "--players", 2)
    code, report = running.until("proving: ").ended(number)
    assert code == 3 and report["summary"]["stopped"] == SAID[number]
    assert "properties" in report["summary"]["missing"]
    verdicts = {each["move"]: each["verdict"] for each in report["results"] if "move" in each}
    assert verdicts["cross_sum"] == "looser"


def test_evidence_tells_what_was_noticed_and_keeps_it(tmp_path: Path) -> None:
    running = Running(tmp_path, "evidence", "twenty_one", "--clauses")
    code, report = running.until("evidence: 12 of").ended(signal.SIGTERM)
    assert code == 3 and report["summary"]["stopped"] == SAID[signal.SIGTERM]
    assert report["summary"]["mistakes"] > 0 and report["results"]


def test_rulebook_tells_which_files_are_whole(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    running = Running(tmp_path, "rulebook", "pig", "qwixx", "--pdf", "--out", "books")
    code, report = running.until("the rulebook of qwixx").ended(signal.SIGTERM)
    assert code == 3 and report["summary"]["stopped"] == SAID[signal.SIGTERM]
    assert len(report["results"][0]["files"]) == 4
    for each in report["results"]:
        assert sorted(each["files"]) == sorted(os.listdir(tmp_path / each["folder"]))


@pytest.mark.parametrize(
    ("command", "told", "number"),
    [
        (["run", "pig", "--games", 1_000_000, "--seed", 1], "00 of", signal.SIGINT),
        (["perft", "twenty_one", "--depth", 40, "--seed", 1], "to depth 4", signal.SIGINT),
        (["replay", "pig", "-"], None, signal.SIGTERM),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else None,
)
def test_other_commands_end_with_what_they_have(
    command: list[object], told: str | None, tmp_path: Path, number: int
) -> None:
    if command[0] == "replay":
        code, report = _replayed(tmp_path, number)
        assert report["summary"]["games"] >= 1
    elif command[0] == "perft":
        running = Running(tmp_path, *command).until(str(told))
        running.process.send_signal(number)
        assert running.process.wait() == 3
        return
    else:
        code, report = Running(tmp_path, *command).until(str(told)).ended(number)
        assert report["summary"]["games"] >= 19
    assert code == 3 and report["summary"]["stopped"] == SAID[number]


def _replayed(folder: Path, number: int) -> tuple[int, dict[str, Any]]:
    """Games from a stream that does not come to its end."""
    recorded = Running(folder, "run", "pig", "--games", 1200, "--seed", 1, "--trace", "games.jsonl")
    recorded.ended()
    os.mkfifo(folder / "stream")
    running = Running(folder, "replay", "pig", "stream")
    with (folder / "stream").open("w", encoding="utf-8") as stream:
        stream.write((folder / "games.jsonl").read_text(encoding="utf-8"))
        stream.flush()
        return running.until("replaying").ended(number)


@pytest.mark.parametrize(
    "command",
    [
        ["run", "pig", "--games", 100_000_000, "--seed", 1],
        ["prove", "qwixx", "--jobs", 1, "--no-cache"],
        ["vectors", "qwixx", "--out", "found.jsonl"],
        ["verify", "qwixx"],
        ["readings", "qwixx"],
        ["evidence", "qwixx"],
        ["docs", "qwixx", "--out", "pages"],
    ],
    ids=lambda each: str(each[0]),
)
def test_the_end_of_the_time_leaves_it_undecided(
    command: list[object], tmp_path: Path, process: Callable[..., Any]
) -> None:
    code, report = Running(tmp_path, *command, "--limit", 1.5).ended()
    assert code == report["exit"] == 3
    assert report["summary"]["stopped"] == "it was not decided within 1.5 seconds"


def test_every_command_that_can_take_long_has_a_limit(process: Callable[..., Any]) -> None:
    playing = ["run", "replay", "perft", "test", "why", "conform", "vectors"]
    proving = ["prove", "verify", "diff", "readings", "docs", "evidence", "merge"]
    for each in [*playing, *proving, "rulebook"]:
        assert "--limit S" in process(each, "--help").stdout, each
