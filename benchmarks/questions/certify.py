"""What it costs to certify what was proved, with the fewest players and by the default readings.

Everything is proved anew, on one core, and its certificate written; then the certificate is checked
by itself, as somebody else would. Seconds of the processor. The goal: at most ten times the proof,
and nothing that is proved and not certified.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.harness.measure import ROOT, Ran, Row, attempted, run
from benchmarks.questions.games import GAMES, PIG

PLAYERS = 2


def questions(quick: bool) -> Iterator[Row]:
    """Each game: its proof, its certificate."""
    for name in (PIG,) if quick else tuple(map(Path, GAMES)):
        question = f"certifying {name.name}, {PLAYERS} players"
        yield from attempted(question, "rulewright", partial(certified, name, question))


def certified(name: Path, question: str) -> Iterator[Row]:
    """One game."""
    spec = ROOT / "spec" / f"{name}.rules"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "certificate.json")
        proof = prove(spec, "--players", PLAYERS, "--defaults", "--jobs", 1, "--no-cache")
        prove(
            spec,
            "--players",
            PLAYERS,
            "--defaults",
            "--jobs",
            1,
            "--certify",
            "--certificate",
            file,
        )
        check = prove(spec, "--certificate", file)
    told = json.loads(check.output)["summary"]
    note = (
        f"{told['certified']} of {told['claims']} claims, {told['confirmed']} of "
        f"{told['obligations']} obligations"
    )
    yield Row(question, "the proof", "s", (proof.seconds,))
    yield Row(question, "the certificate", "s", (check.seconds,), note)
    yield Row(question, "certificate to proof", "times", (check.seconds / proof.seconds,))


def prove(spec: Path, *options: object) -> Ran:
    """`rulewright prove`, as JSON; what is not decided is no failure of the measurement."""
    return run(
        [sys.executable, "-m", "rulewright", "prove", spec, "--format", "json", *options],
        errors=False,
    )
