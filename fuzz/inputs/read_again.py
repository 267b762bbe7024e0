"""What the program wrote itself and reads again, changed in between: shards and certificates."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzz.inputs.mutated import changed, written
from fuzz.inputs.running import Case

SHARDED = (
    ("run", "pig", "--games", "300", "--seed", "1", "--players", "2"),
    ("replay", "pig", "t.jsonl"),
    ("prove", "pig", "--players", "2", "--jobs", "1", "--only", "to_the_left"),
)


@cache
def _printed(*command: str) -> str:
    """What a command prints, or writes to `certificate.json`, in a folder with a recorded game."""
    with tempfile.TemporaryDirectory() as folder:
        for each in (("run", "pig", "--games", "3", "--seed", "1", "--trace", "t.jsonl"), command):
            asked = [sys.executable, "-m", "rulewright", *each]
            ran = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=True)
        certificate = Path(folder) / "certificate.json"
        return certificate.read_text("utf-8") if certificate.exists() else ran.stdout


def shards(random: Random) -> Case:
    """Two shards of a run, one of them changed; answers of tasks are JSON within JSON."""
    command = random.choice(SHARDED)
    parts = [
        json.loads(_printed(*command, "--shard", f"{number}/2", "--format", "json"))
        for number in (1, 2)
    ]
    one = random.choice(parts)
    if one["results"] and random.random() < 0.8:
        result = random.choice(one["results"])
        result["answer"] = written(_inner(result["answer"], random), random)
    elif isinstance(other := changed(one, random), dict):
        one.update(other)
    files = {f"{at}.json": json.dumps(each) for at, each in enumerate(parts)}
    formats = ("full", "json", "junit", "github", "sarif", "concise")
    return Case("shards", ("merge", "0.json", "1.json", "--format", random.choice(formats)), files)


def _inner(answer: str, random: Random) -> Any:
    try:
        return changed(json.loads(answer), random)
    except ValueError:
        return answer


def certificates(random: Random) -> Case:
    """A certificate that says something else than was certified."""
    players = ("pig", "--players", "2")
    text = _printed("prove", *players, "--jobs", "1", "--certify",
                    "--certificate", "certificate.json")  # fmt: skip
    found = json.loads(text)
    for _ in range(random.choice((1, 1, 3))):
        found = changed(found, random)
    command = ("prove", *players, "--certificate", "c.json", "--format", "json")
    return Case("certificates", command, {"c.json": written(found, random)})
