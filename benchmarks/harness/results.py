"""What a run of the benchmarks found, as it is kept in results.json: the machine, the versions, the
seed, and for each module of questions its rows, with every value, and what went wrong."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from benchmarks.harness.measure import SEED, Row
from benchmarks.harness.peer import PEERS

RESULTS = Path(__file__).parent.parent / "results.json"
PACKAGES = ("rulewright", "z3-solver", "hypothesis", "lark")


class Answers(NamedTuple):
    """The rows of one module of questions, and why there are not more, if there are not."""

    module: str
    about: str
    rows: list[Row]
    failure: str | None
    seconds: float

    @property
    def failures(self) -> list[str]:
        """All that went wrong: rows by what they were about, then the module itself."""
        rows = [f"{row.question}, {row.subject}: {row.note}" for row in self.rows if row.failed]
        return rows + ([self.failure] if self.failure else [])


class Results(NamedTuple):
    """One run."""

    quick: bool
    taken: str
    machine: dict[str, str]
    versions: dict[str, str]
    answers: list[Answers]

    @property
    def rows(self) -> list[Row]:
        return [row for each in self.answers for row in each.rows]


def here(quick: bool, answers: list[Answers]) -> Results:
    """Answers given on this machine, now."""
    taken = datetime.now(UTC).strftime("%Y-%m-%d")
    return Results(quick, taken, _machine(), _versions(), answers)


def save(results: Results, path: Path) -> None:
    """Writes the file."""
    document = {
        "taken": results.taken,
        "quick": results.quick,
        "seed": SEED,
        "machine": results.machine,
        "versions": results.versions,
        "answers": [
            {
                "module": each.module, "about": each.about, "seconds": round(each.seconds, 1),
                "failure": each.failure, "rows": [_written(row) for row in each.rows],
            }
            for each in results.answers
        ],
    }  # fmt: skip
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def load(path: Path = RESULTS) -> Results:
    """Reads it back."""
    document = json.loads(path.read_text(encoding="utf-8"))
    answers = [
        Answers(
            each["module"], each["about"], [row_of(row) for row in each["rows"]],
            each["failure"], each["seconds"],
        )
        for each in document["answers"]
    ]  # fmt: skip
    return Results(
        document["quick"], document["taken"], document["machine"], document["versions"], answers
    )


def row_of(written: dict) -> Row:
    """A row as it is written down."""
    return Row(
        written["question"], written["subject"], written["unit"], tuple(written["values"]),
        written["note"], written["at"],
    )  # fmt: skip


def _written(row: Row) -> dict[str, object]:
    found: dict[str, object] = dict(row._asdict())
    found["values"] = [float(f"{value:.4g}") for value in row.values]
    if row.values:
        found["median"] = float(f"{row.median:.4g}")
        found["low"], found["high"] = (float(f"{value:.4g}") for value in row.spread)
    return found


def _machine() -> dict[str, str]:
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{pages / 2**30:.0f} GB",
        "system": f"{platform.system()} {platform.release()}",
    }


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    for peer in PEERS:
        found[peer.name] = peer.version() if peer.found else "not installed"
    return found
