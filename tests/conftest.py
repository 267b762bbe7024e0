"""What every test may ask for: golden files, and the program run as a user would run it."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.cli.main import run_safely

OWN_CACHE = "RULEWRIGHT_TESTS_CACHE"
"""Where the session that begins first notes its cache folder, for all processes that it starts."""


def _cache_of_its_own() -> str | None:
    """Has every test, worker and child process of this session keep things in one new folder, so
    that no answer depends on what was asked on this machine before; the folder, if it is ours."""
    if OWN_CACHE in os.environ:
        return None
    folder = tempfile.mkdtemp(prefix="rulewright-tests-")
    os.environ[OWN_CACHE] = os.environ["XDG_CACHE_HOME"] = folder
    return folder


_OURS = _cache_of_its_own()


def pytest_unconfigure() -> None:
    if _OURS is not None:
        shutil.rmtree(_OURS, ignore_errors=True)


MUCH = 4 << 30
"""Bytes that a process of tests may hold before it is asked to let go."""
GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parent.parent


class Ran(NamedTuple):
    """How a run of the program ended and what it printed."""

    exit: int
    out: str
    err: str


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files anew, then read them"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that no core is left alone with it in the end."""
    items.sort(key=lambda each: not (each.get_closest_marker("slow") or "test_docs" in each.nodeid))


def _let_go() -> None:
    """Frees what earlier tests have left in circles if it is much, memory of compiled games most of
    all: the program bounds what its process may have, and here that is the process of all tests."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[5])
    except (OSError, IndexError, ValueError):
        return
    if pages * os.sysconf("SC_PAGE_SIZE") > MUCH:
        gc.collect()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the file of that name under tests/golden/."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), f"no {path}: run pytest --update-golden and look at what it writes"
        assert text == path.read_bytes().decode("utf-8")

    return compare


@pytest.fixture
def rulewright(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Runs the program within the test, in an empty folder that is `tmp_path`."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Ran:
        _let_go()
        capsys.readouterr()
        exit_code = run_safely([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ran(exit_code, printed.out, printed.err)

    return run


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the program as a process of its own, in an empty folder that is `tmp_path`."""

    def run(*arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rulewright", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), **more},
            capture_output=True,
            encoding="utf-8",
        )

    return run


@pytest.fixture
def many_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets parameters be chosen in more ways than can be looked at."""
    monkeypatch.setattr("rulewright.meaning.elaborate.choosable", lambda *_: None)
