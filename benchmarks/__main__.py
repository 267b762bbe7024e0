"""Asks every question, shows a table as the answers come, and keeps them in results.json.

`python -m benchmarks [--quick] [--only MODULE]...` Each module of questions has a process and a
time limit of its own; one that fails or takes too long is reported and the others go on, and so
is a row that fails. Exits with 1 if one did. `--page` writes the page and the charts of the
documentation from the file.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

from benchmarks.harness import page, table
from benchmarks.harness.measure import ROOT, Row
from benchmarks.harness.results import RESULTS, Answers, here, load, row_of, save

MODULES = (
    "startup", "editor", "play", "wasm", "replay", "board", "invariants", "hunting", "reproof",
    "prove", "games", "certify", "diff", "conform", "cluster",
)  # fmt: skip
LIMIT = 400.0
QUICK_LIMIT = 60.0


def main() -> int:
    """Asks, shows, keeps."""
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of each, in a minute")
    parser.add_argument("--only", action="append", choices=MODULES, help="only this module")
    parser.add_argument("--limit", type=float, help="seconds for each module")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where to keep the answers")
    parser.add_argument("--page", action="store_true", help="only write the page, from --out")
    options = parser.parse_args()
    if options.page:
        page.write(load(options.out))
        return 0
    limit = options.limit or (QUICK_LIMIT if options.quick else LIMIT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left running
    answers: list[Answers] = []
    for name in options.only or MODULES:
        answers.append(asked(name, options.quick, limit))
        save(here(options.quick, answers), options.out)
    failures = [f"{each.module}: {why}" for each in answers for why in each.failures]
    for failure in failures:
        print(f"error: {failure}")
    print(f"{sum(len(each.rows) for each in answers)} rows in {options.out}")
    return 1 if failures else 0


def asked(name: str, quick: bool, limit: float) -> Answers:
    """The answers of a module, shown as they come."""
    file = Path(__file__).parent / "questions" / f"{name}.py"
    source = file.read_text(encoding="utf-8")
    about = ast.get_docstring(ast.parse(source)) or ""
    began, rows, failure = time.monotonic(), [], None
    shown = table.Table(name)
    try:
        for row in answers_of(name, quick, limit):
            rows.append(row)
            shown.show(row)
    except FailureError as why:
        failure = str(why)
    if not rows and failure is None:
        failure = "no answer at all"
    if failure:
        shown.fail(failure)
    return Answers(name, about, rows, failure, time.monotonic() - began)


class FailureError(Exception):
    """A module that did not answer all its questions, and why."""


def answers_of(name: str, quick: bool, limit: float) -> Iterator[Row]:
    """Its rows one by one; whatever it started is ended with it."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.harness.ask",
        name,
        *(["--quick"] if quick else []),
    ]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True,
            start_new_session=True,
        )  # fmt: skip
        alarm = _Alarm(process, limit)
        try:
            assert process.stdout is not None
            for line in process.stdout:
                yield read_row(line)
            code = process.wait()
        finally:
            alarm.cancel()
        if alarm.rang:
            raise FailureError(f"given up after {limit:g} s")
        if code:
            errors.seek(0)
            last = errors.read().strip().splitlines()[-1:] or [f"exit code {code}"]
            raise FailureError(last[0])


def read_row(line: str) -> Row:
    """A row as it was printed."""
    try:
        return row_of(json.loads(line))
    except (ValueError, TypeError, KeyError):
        raise FailureError(f"printed what is no row: {line.strip()[:80]}") from None


class _Alarm:
    """Ends a process and all it started when its time is up, or when nobody listens any more."""

    def __init__(self, process: subprocess.Popen[str], limit: float) -> None:
        self.process = process
        self.rang = False
        self.timer = Timer(limit, self._ring)
        self.timer.daemon = True
        self.timer.start()

    def _ring(self) -> None:
        self.rang = True
        self._end()

    def cancel(self) -> None:
        self.timer.cancel()
        if self.process.poll() is None:
            self._end()
            self.process.wait()

    def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
