"""What is kept comes back as it was or not at all; damage heals by itself."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rulewright.cli.main import run_safely
from rulewright.system import store as stores
from rulewright.system.store import Store

ROOT = Path(__file__).parent.parent.parent
CONTENT = {"result": "unsat", "core": ["h0", "h3"], "numbers": list(range(40))}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store(str(tmp_path / "kept"))
    found.save("question", CONTENT)
    return found


def entries(folder: Path) -> list[Path]:
    """The files of a store, those that are being written among them."""
    return sorted(each for each in folder.rglob("*") if each.is_file())


def test_what_is_kept_comes_back(store: Store) -> None:
    assert store.load("question") == CONTENT
    assert store.load("another question") is None


def test_every_bit_counts_and_damage_heals(store: Store, tmp_path: Path) -> None:
    (path,) = entries(tmp_path)
    whole = path.read_bytes()
    for place in range(8 * len(whole)):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        assert store.load("question") is None, f"bit {place}"
        assert not path.exists()
        store.save("question", CONTENT)
        assert path.read_bytes() == whole


@pytest.mark.parametrize("length", [0, 1, 40, 80, 150])
def test_what_is_cut_off_is_not_there(store: Store, tmp_path: Path, length: int) -> None:
    (path,) = entries(tmp_path)
    path.write_bytes(path.read_bytes()[:length])
    assert store.load("question") is None


def test_what_belongs_to_another_question_is_not_read(store: Store, tmp_path: Path) -> None:
    (path,) = entries(tmp_path)
    store.save("other", CONTENT)
    (other,) = (each for each in entries(tmp_path) if each != path)
    other.write_bytes(path.read_bytes())
    assert store.load("other") is None


def test_what_the_reader_does_not_expect_is_thrown_away(store: Store, tmp_path: Path) -> None:
    assert store.load("question", lambda kept: kept["trace"]) is None
    assert entries(tmp_path) == []


def test_folders_are_for_their_owner_only(store: Store, tmp_path: Path) -> None:
    folders = [tmp_path / "kept", *(tmp_path / "kept").rglob("*")]
    assert {each.stat().st_mode & 0o777 for each in folders if each.is_dir()} == {0o700}
    assert {each.stat().st_mode & 0o777 for each in folders if each.is_file()} == {0o600}


def test_a_folder_that_others_may_write_to_is_not_used(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kept").chmod(0o777)
    for _ in range(2):
        assert store.load("question") is None
    store.save("more", CONTENT)
    assert len(entries(tmp_path)) == 1
    said = capsys.readouterr().err
    assert said.count("is not used: others may write to it") == 1 and "XDG_CACHE_HOME" in said


def test_a_folder_of_somebody_else_is_not_used(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stores, "_told", set())
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert store.load("question") is None
    assert "it belongs to somebody else" in capsys.readouterr().err


def test_a_folder_that_an_older_version_left_open_is_closed(store: Store, tmp_path: Path) -> None:
    (tmp_path / "kept").chmod(0o755)
    assert store.load("question") == CONTENT
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700


def test_a_full_disk_leaves_nothing_behind(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, content: bytes) -> int:
        if len(content) < 100:
            raise OSError(28, "No space left on device")
        return written(handle, content[:50])

    written = os.write
    monkeypatch.setattr(os, "write", full)
    store.save("more", CONTENT)
    assert len(entries(tmp_path)) == 1 and store.load("more") is None


def test_a_file_that_may_not_grow_leaves_nothing_behind(tmp_path: Path) -> None:
    keep = f"""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
from rulewright.system.store import Store
store = Store({str(tmp_path / "kept")!r})
store.save("long", list(range(1000)))
print(store.load("long"))
"""
    assert resource.RLIM_INFINITY  # the module is there
    ran = subprocess.run([sys.executable, "-c", keep], cwd=ROOT, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("None\n", "") and entries(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = Store(str(tmp_path / "file" / "kept"))
    nowhere.save("question", CONTENT)
    assert nowhere.load("question") is None


def test_what_was_never_finished_is_swept_away(tmp_path: Path) -> None:
    first = Store(str(tmp_path / "kept"))
    first.save("question", CONTENT)
    abandoned, recent = (tmp_path / "kept" / "new" / each for each in ("1-a", "1-b"))
    abandoned.write_text("half")
    recent.write_text("half")
    os.utime(abandoned, (0, 0))
    Store(str(tmp_path / "kept")).save("question", CONTENT)
    assert not abandoned.exists() and recent.exists()


WRITER = """
import sys
from rulewright.system.store import Store
store = Store(sys.argv[1])
for number in range(300):
    store.save("same", {"by": sys.argv[2], "numbers": list(range(500))})
    found = store.load("same")
    assert found is None or found["numbers"] == list(range(500))
"""


def test_two_processes_keep_the_same(tmp_path: Path) -> None:
    both = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "kept"), each], cwd=ROOT)
        for each in "ab"
    ]
    assert [each.wait() for each in both] == [0, 0]
    assert Store(str(tmp_path / "kept")).load("same")["by"] in "ab"
    assert len(entries(tmp_path)) == 1


def test_a_process_that_is_killed_leaves_whole_entries(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER.replace("range(300)", "range(10**9)")]
    process = subprocess.Popen([*command, str(tmp_path / "kept"), "a"], cwd=ROOT)
    while not any("new" not in each.parts for each in entries(tmp_path)):
        assert process.poll() is None
    process.kill()
    process.wait()
    assert Store(str(tmp_path / "kept")).load("same")["by"] == "a"


# ---- every kind of thing that is kept


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


FILLED_BY = {
    "grammar": ["check", "pig"],
    "proofs": ["prove", "pig", "--players", "2", "--jobs", "1"],
    "vectors": ["vectors", "pig", "--out", "vectors.jsonl"],
    "pages": ["docs", "pig", "--out", "pages", "--no-prove"],
}


@pytest.mark.parametrize("kind", FILLED_BY)
def test_damage_to_whatever_is_kept_changes_nothing(
    kind: str, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*FILLED_BY[kind], "--format", "json"]
    assert run_safely(command) == 0
    before = _plain(capsys.readouterr().out)
    kept = entries(cache / "rulewright" / kind)
    assert kept, kind
    random = Random(0)
    for _ in range(3):
        for path in kept:
            content = bytearray(path.read_bytes())
            place = random.randrange(8 * len(content))
            content[place // 8] ^= 1 << place % 8
            path.write_bytes(content)
        process = subprocess.run(
            [sys.executable, "-m", "rulewright", *command], capture_output=True, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert process.returncode == 0, process.stderr
        assert _plain(process.stdout) == before
        again = entries(cache / "rulewright" / kind)
        assert set(kept) <= set(again)


def _plain(printed: str) -> object:
    """A report without times."""
    report = json.loads(printed)
    for each in (report["summary"], *report["results"]):
        each.pop("seconds", None)
        each.pop("solver_seconds", None)
    return report


def test_nothing_is_kept_in_a_form_that_runs() -> None:
    """Neither `pickle` nor `marshal` of anything that is read from a file."""
    for path in (ROOT / "checker").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "import pickle" not in text and "import marshal" not in text, path
