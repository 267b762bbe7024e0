"""Programs we start end with us, whatever ends us, and none takes code from the working folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.system.processes import ChildProcess, own_environment, own_program
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent.parent
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="it is only held on Linux")

DAEMON = """
import os, subprocess, sys, time
note = sys.argv[1]
def say():
    with open(note, "a") as told:
        told.write(f"{os.getpid()}\\n")
say()
for how in ("child", "session", "daemon"):
    if os.fork() == 0:
        if how != "child":
            os.setsid()
        if how == "daemon" and os.fork() != 0:
            os._exit(0)
        say()
        time.sleep(600)
        os._exit(0)
while len(open(note).read().split()) < 4:
    time.sleep(0.01)
print("ready", flush=True)
time.sleep(600)
"""
"""Four processes: itself, a child, a child in a session of its own, and a daemon."""


def running(number: int) -> bool:
    """Whether a process is there and not only waiting to be counted out."""
    try:
        told = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] != "Z"


def all_gone(numbers: list[int]) -> bool:
    until = time.monotonic() + PATIENCE  # at once, on a machine that has nothing else to do
    while any(map(running, numbers)) and time.monotonic() < until:
        time.sleep(0.02)
    return not any(map(running, numbers))


def daemons(note: Path) -> list[int]:
    return list(map(int, note.read_text().split()))


@LINUX
def test_all_that_a_program_started_ends_with_it(tmp_path: Path):
    note = tmp_path / "note"
    child = ChildProcess([sys.executable, "-c", DAEMON, str(note)])
    assert child.process.stdout is not None and child.process.stdout.readline()
    numbers = daemons(note)
    assert len(numbers) == 4 and all(map(running, numbers))
    child.end()
    assert not any(map(running, numbers)), "they are gone at once"


HOLDING = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)  # a job in the background is started deaf to it
sys.path.insert(0, sys.argv.pop(1))
from rulewright.system.processes import ChildProcess as Child
child = Child([sys.executable, "-c", *sys.argv[1:]])
child.process.stdout.readline()
print(child.process.pid, flush=True)
time.sleep(600)
"""


@LINUX
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV])
def test_all_that_a_program_started_ends_when_we_are_killed(tmp_path: Path, how: signal.Signals):
    note = tmp_path / "note"
    command = [sys.executable, "-c", HOLDING, str(ROOT), DAEMON, str(note)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as holder:
        assert holder.stdout is not None
        supervisor = int(holder.stdout.readline())
        numbers = daemons(note)
        assert len(numbers) == 4 and all(map(running, numbers))
        holder.send_signal(how)
    assert all_gone([*numbers, supervisor])


@LINUX
def test_a_program_ends_when_its_supervisor_is_killed(tmp_path: Path):
    child = ChildProcess(
        [
            sys.executable,
            "-c",
            "import os, time; print(os.getpid()); time.sleep(600)",
        ],
        environment={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert child.process.stdout is not None
    number = int(child.process.stdout.readline())
    os.kill(child.process.pid, signal.SIGKILL)
    child.end()
    assert all_gone([number])


@LINUX
def test_what_a_program_leaves_behind_when_it_ends_by_itself_is_ended(tmp_path: Path):
    note = tmp_path / "note"
    ending = DAEMON.replace('print("ready", flush=True)\ntime.sleep(600)', "sys.exit(7)")
    child = ChildProcess([sys.executable, "-c", ending, str(note)])
    assert child.process.wait(PATIENCE) == 7
    assert all_gone(daemons(note))
    child.end()


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("raise SystemExit(0)", 0),
        ("raise SystemExit(3)", 3),
        ("import os; os.kill(os.getpid(), 9)", -9),
        ("import os; os.kill(os.getpid(), 15)", -15),
        ("import os; os.abort()", -6),
    ],
)
def test_the_exit_code_is_that_of_the_program(program: str, code: int):
    child = ChildProcess([sys.executable, "-c", program])
    assert child.process.wait(PATIENCE) == code
    child.end()


def test_what_cannot_be_started_is_an_error_with_its_reason(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        ChildProcess(["no-such-program-anywhere"])
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(PermissionError):
        ChildProcess([str(file)])
    before = len(os.listdir("/dev/fd"))
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            ChildProcess(["no-such-program-anywhere"])
    assert len(os.listdir("/dev/fd")) == before, "no pipe is left open"


# ---- code from the working folder

SHADOWS = (
    "checker",
    "rulewright",
    "rulewright_engines",
    "engines",
    "json",
    "subprocess",
    "sitecustomize",
    "usercustomize",
    "lark",
    "z3",
    "ctypes",
    "resource",
    "argparse",
    "multiprocessing",
)


@pytest.fixture
def trapped(tmp_path: Path) -> Callable[[], list[str]]:
    """A folder in which whatever is imported from it leaves a note."""
    note = tmp_path / "note"
    trap = f"open({str(note)!r}, 'a').write(__name__ + '\\n')\n"
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in SHADOWS:
        (folder / f"{name}.py").write_text(trap)
    package = folder / "rulewright"
    package.mkdir()
    for name in ("__init__", "__main__"):
        (package / f"{name}.py").write_text(trap)
    return lambda: note.read_text().split() if note.exists() else []


def test_our_own_program_is_started_whatever_lies_in_the_working_folder(
    tmp_path: Path, trapped: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", ".", "folder", str(tmp_path / "none")]))
    ran = subprocess.run(
        [*own_program(), "--version"], cwd=tmp_path / "folder", env=own_environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("rulewright ")
    assert trapped() == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("docs", "pig", "--out", "pages"),
        ("verify", "pig"),
        ("conform", "qwixx", "python:rulewright_engines.qwixx:Qwixx", "--stages", "examples"),
        (
            "conform",
            "qwixx",
            f"exec:{sys.executable} -P -m rulewright_engines.play qwixx",
            "--stages",
            "examples",
        ),
        ("prove", "pig", "--players", "2"),
        ("diff", "pig", "pig"),
    ],
    ids=lambda given: given[0],
)
def test_no_command_runs_code_that_lies_in_the_working_folder(
    tmp_path: Path, trapped: Callable[[], list[str]], arguments: tuple[str, ...]
):
    """As an installed program: the folder of its script comes first, not the working folder."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("PYTHONPATH", None)
    program = Path(sys.executable).with_name("rulewright")
    if not program.exists():
        pytest.skip("the program is not installed beside this Python")
    ran = subprocess.run(
        [program, *arguments], cwd=tmp_path / "folder", env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert trapped() == [], (ran.stdout, ran.stderr)
    assert ran.returncode in (0, 1, 3), (ran.stdout, ran.stderr)
