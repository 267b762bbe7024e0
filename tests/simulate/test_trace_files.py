"""Many files of recorded games, in all formats, however they are split."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from rulewright.simulate.tasks import trace_files
from rulewright.simulate.tasks.trace_files import Piece, PieceStream, pieces
from tests.conftest import Ran

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
Run = Callable[..., Ran]
ILLEGAL = '{"move": "hold", "by": 2, "args": {}}\n'


def recorded(rulewright: Run, folder: Path, games: int = 30) -> str:
    """Recorded games of pig, every fifth with an event that is illegal."""
    rulewright("run", "pig", "--games", games, "--players", 2, "--seed", 1, "--trace", "made")
    lines = (folder / "made").read_text("utf-8").splitlines(keepends=True)
    (folder / "made").unlink()
    headers = [number for number, line in enumerate(lines) if '"rulewright"' in line]
    for number in headers[::5]:
        lines[number + 1] = ILLEGAL
    return "".join(lines)


def games_of(text: str) -> list[str]:
    """The text of each game."""
    header = '{"rulewright"'
    return [header + each for each in text.split(header)[1:]]


def report(ran: Ran, name: str = "games.jsonl") -> dict[str, Any]:
    """A report in which the file has another name."""
    found: dict[str, Any] = json.loads(ran.out.replace(name, "FILE"))
    return found


@pytest.mark.parametrize("size", [300, 5000])
@pytest.mark.parametrize("end_of_line", ["\n", "\r\n"])
def test_however_a_file_is_split(
    size: int, end_of_line: str, rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n" + recorded(rulewright, tmp_path, 12) + "no JSON\n"
    (tmp_path / "games.jsonl").write_text(text, encoding="utf-8", newline=end_of_line)
    whole = rulewright("replay", "pig", "games.jsonl", "--format", "json", "--results", "one")
    monkeypatch.setattr(trace_files, "PIECE", size)
    assert len(pieces(["games.jsonl"])) > 1
    split = rulewright("replay", "pig", "games.jsonl", "--format", "json", "--results", "two")
    assert split == whole and whole.exit in (1, 2)
    assert (tmp_path / "one").read_text("utf-8") == (tmp_path / "two").read_text("utf-8")


def test_pieces_hold_every_line_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = '{"rulewright": 1}\n'
    text = "".join(header + '{"x": "rulewright"}\n' * number for number in range(9))
    file = tmp_path / "games"
    file.write_text(text, encoding="utf-8")
    for size in range(1, 60):
        monkeypatch.setattr(trace_files, "PIECE", size)
        streams = [PieceStream(each) for each in pieces([str(file)])]
        read = [stream.text.read() for stream in streams]
        assert "".join(read) == text
        assert all(each.startswith(header) for each in read if each)
        assert [each.lines for each in streams] == [each.count("\n") for each in read]


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_compressed_games(suffix: str, rulewright: Run, tmp_path: Path) -> None:
    text = recorded(rulewright, tmp_path)
    (tmp_path / "games.jsonl").write_text(text, encoding="utf-8")
    plain = rulewright("replay", "pig", "games.jsonl", "--format", "json")
    data = text.encode()
    ways: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress,
        ".zst": lambda each: pyarrow.compress(each, codec="zstd", asbytes=True),
    }  # fmt: skip
    packed = ways[suffix](data)
    name = f"games.jsonl{suffix}"
    (tmp_path / name).write_bytes(packed)
    found = rulewright("replay", "pig", name, "--format", "json")
    assert report(found, name) == report(plain)
    (tmp_path / name).write_bytes(packed[: len(packed) // 2])
    cut = rulewright("replay", "pig", name)
    assert cut.exit in (1, 2) and "the file cannot be read: it is not compressed" in cut.out
    (tmp_path / name).write_bytes(b"nothing like it")
    other = rulewright("replay", "pig", name)
    assert other.exit == 2 and "the file cannot be read: it is not compressed" in other.out


def test_games_in_parquet(rulewright: Run, tmp_path: Path) -> None:
    text = recorded(rulewright, tmp_path)
    (tmp_path / "games.jsonl").write_text(text, encoding="utf-8")
    plain = rulewright("replay", "pig", "games.jsonl", "--format", "json")
    rows = {"game": games_of(text), "date": ["today"] * 30}
    parquet.write_table(pyarrow.table(rows), tmp_path / "games.parquet", row_group_size=7)
    assert len(pieces([str(tmp_path / "games.parquet")])) == 5
    found = rulewright("replay", "pig", "games.parquet", "--format", "json")
    assert report(found, "games.parquet") == report(plain)


def test_parquet_that_is_none(rulewright: Run, tmp_path: Path) -> None:
    (tmp_path / "text.parquet").write_text("no table", encoding="utf-8")
    parquet.write_table(pyarrow.table({"move": ["hold"]}), tmp_path / "other.parquet")
    for name, said in (("text", "it is no Parquet file"), ("other", "it has no column `game`")):
        found = rulewright("replay", "pig", f"{name}.parquet")
        assert found.exit == 2 and said in found.out


def test_patterns_and_files_that_are_not_there(rulewright: Run, tmp_path: Path) -> None:
    text = recorded(rulewright, tmp_path, 5)
    for name in ("b", "a", "c"):
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    found = rulewright("replay", "pig", "*.jsonl", "--format", "json")
    assert [each["file"] for each in json.loads(found.out)["results"]] == [
        "a.jsonl", "b.jsonl", "c.jsonl"
    ]  # fmt: skip
    missing = rulewright("replay", "pig", "*.trace")
    assert missing.exit == 2 and "no such file" in missing.out
    assert pieces(["nowhere"]) == [Piece("nowhere", 0, 0)]


def test_a_pipe_is_read_to_its_end(rulewright: Run, tmp_path: Path) -> None:
    text = recorded(rulewright, tmp_path, 5)
    (tmp_path / "games.jsonl").write_text(text, encoding="utf-8")
    plain = rulewright("replay", "pig", "games.jsonl", "--format", "json")
    os.mkfifo(tmp_path / "pipe")
    writer = Thread(target=(tmp_path / "pipe").write_text, args=(text, "utf-8"))
    writer.start()
    piped = rulewright("replay", "pig", "pipe", "--format", "json")
    writer.join()
    assert report(piped, "pipe") == report(plain)


def test_a_summary_by_clause_and_rows_for_analysis(rulewright: Run, tmp_path: Path) -> None:
    text = recorded(rulewright, tmp_path)
    (tmp_path / "games.jsonl").write_text(text, encoding="utf-8")
    found = rulewright("replay", "pig", "games.jsonl", "--format", "json", "--results", "rows.json")
    summary = json.loads(found.out)["summary"]
    assert summary["illegal"] == 6 and set(summary["clauses"].values()) <= {6}
    rows = [json.loads(line) for line in (tmp_path / "rows.json").read_text("utf-8").splitlines()]
    assert [each["verdict"] for each in rows].count("illegal") == 6 and len(rows) == 30
    rulewright("replay", "pig", "games.jsonl", "--results", "rows.parquet")
    table = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    for each in table:
        each["event"] = None if each["event"] is None else json.loads(each["event"])
    assert table == rows
    said = rulewright("replay", "pig", "games.jsonl").err
    if summary["clauses"]:
        assert "by clause: " in said


@pytest.mark.parametrize("name", ["rows.json", "rows.parquet"])
def test_half_a_character_in_a_recorded_game_is_written_as_json_escapes_it(
    name: str, rulewright: Run, tmp_path: Path
) -> None:
    header = {"rulewright": 1, "spec": "\ud800", "players": 2, "readings": {}, "variant": None}
    event = {"move": "\ud801", "by": 1, "args": {"\udc00": "\ud802"}}
    lines = (json.dumps(header), json.dumps(event))
    (tmp_path / "games.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert rulewright("replay", "pig", "games.jsonl", "--results", name).exit in (1, 2)
    if name.endswith(".parquet"):
        (row,) = parquet.read_table(tmp_path / name).to_pylist()
    else:
        row = json.loads((tmp_path / name).read_text("utf-8"))
    assert row["verdict"] == "unreadable" and row["message"]


@pytest.mark.parametrize("option", ["--results", "--deal"])
def test_a_file_that_cannot_be_written(option: str, rulewright: Run, tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(recorded(rulewright, tmp_path, 2), encoding="utf-8")
    asked = ["replay", "pig", "games.jsonl", "--unknown", "roll", option, "nowhere/file"]
    found = rulewright(*asked)
    assert found.exit == 2 and "`nowhere/file` cannot be written" in found.err


def test_memory_does_not_grow_with_the_games(
    rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_files, "PIECE", 1 << 13)
    monkeypatch.setattr(trace_files, "BLOCK", 1 << 12)
    text = "".join(recorded(rulewright, tmp_path, 20))
    peaks = []
    for many in (2, 2, 20):  # the first run fills what is kept between runs
        (tmp_path / "games.jsonl").write_text(text * many, encoding="utf-8")
        tracemalloc.start()
        found = rulewright("replay", "pig", "games.jsonl", "--format", "concise")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert found.exit == 1
    few, all_of_them = peaks[1:]
    assert (tmp_path / "games.jsonl").stat().st_size > 20 * trace_files.PIECE
    assert all_of_them < few + 300_000
