"""A disk that is full is no bug of ours, and leaves nothing half written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="has /dev/full, and keeps to limits"
)

ROOM = 2048
"""Bytes that a file may have."""


def ran(folder: Path, *command: str, full: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs the program where no file may be large, or nothing can be printed."""
    import resource

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))

    with open("/dev/full" if full else os.devnull, "w") as out:
        return subprocess.run(
            [sys.executable, "-m", "rulewright", *command], cwd=folder, text=True, stdout=out,
            stderr=subprocess.PIPE, preexec_fn=None if full else little_room,
            env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")},
        )  # fmt: skip


@pytest.mark.parametrize("command", [("check", "pig"), ("run", "pig", "--games", "2")])
def test_what_cannot_be_printed(command: tuple[str, ...], tmp_path: Path):
    found = ran(tmp_path, *command, full=True)
    assert found.returncode == 2
    assert found.stderr.startswith("error: what was found cannot be written: no space left")
    assert "internal error" not in found.stderr and "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("vectors", "pig", "--out", "found"), 2),
        (("diff", "pig", "pig", "--quick", "--players", "2", "--html", "found"), 2),
        (("run", "pig", "--games", "200", "--seed", "1", "--trace", "found"), 2),
        (("prove", "pig", "--players", "2"), 0),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else None,
)
def test_no_file_is_half_written(command: tuple[str, ...], code: int, tmp_path: Path):
    (tmp_path / "found").write_text("as it was")
    found = ran(tmp_path, *command)
    assert found.returncode == code, found.stderr
    if code == 2:
        assert "error: `found` cannot be written: file too large" in found.stderr
    assert {each.name for each in tmp_path.iterdir()} <= {"found", "cache"}
    assert (tmp_path / "found").read_text() == "as it was"
    assert not list((tmp_path / "cache").glob("rulewright/*/new/*"))


def test_what_is_no_file_is_written_to_as_it_is(tmp_path: Path):
    os.symlink(os.devnull, tmp_path / "found")
    assert ran(tmp_path, "vectors", "pig", "--out", "found").returncode == 0
    assert os.path.exists(os.devnull) and not os.path.isfile(os.devnull)
