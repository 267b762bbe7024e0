"""How long the program takes to start, to check a game, and to check a longer and longer one.

Times are medians of runs that take turns, so that a busy moment hits all alike; what counts is the
ratio to `python -c pass` in the same run. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
QWIXX = ROOT / "spec" / "qwixx.rules"
RUNS = 15
HELP_GOAL = 3.0
CHECK_GOAL = 8.0

COPIED = (
    "const", "table", "fun", "rule", "effect", "clause", "move", "chance", "step", "invariant",
    "always", "possible", "theorem",
)  # fmt: skip
"""The declarations that a longer spec has more of."""
NAMED_ELSEWHERE = ("const", "table", "fun", "rule", "effect", "clause")
"""Those that others refer to, so that a copy has to refer to the copies."""


def main() -> int:
    """Measures, prints a table, and says whether the goals are met."""
    python = [sys.executable, "-c", "pass"]
    program = [str(Path(sys.executable).with_name("rulewright"))]
    commands = {"python -c pass": python, "rulewright --help": [*program, "--help"]}
    if not QWIXX.exists():
        times = medians(commands)
        return 0 if show(times) else 1
    with tempfile.TemporaryDirectory() as folder:
        commands["rulewright check qwixx"] = [*program, "check", str(QWIXX)]
        for factor in (2, 4, 6, 8, 10):
            longer = Path(folder, f"qwixx{factor}.rules")
            longer.write_text(lengthened(QWIXX.read_text(encoding="utf-8"), factor))
            commands[f"  {factor} times as long"] = [*program, "check", str(longer)]
        times = medians(commands)
    return 0 if show(times) else 1


def medians(commands: dict[str, list[str]]) -> dict[str, float]:
    """The median seconds of each command, run in turns after one round that nobody counts."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for round_number in range(RUNS + 1):
        for name, command in commands.items():
            began = time.perf_counter()
            ran = subprocess.run(command, env=environment, capture_output=True, text=True)
            taken = time.perf_counter() - began
            if round_number:
                seconds[name].append(taken)
            elif ran.returncode:
                print(f"warning: `{name.strip()}` exits with {ran.returncode}")
                print("\n".join(ran.stdout.splitlines()[:6]))
    return {name: statistics.median(each) for name, each in seconds.items()}


def show(times: dict[str, float]) -> bool:
    """Prints the times and ratios; whether all goals are met."""
    bare = times["python -c pass"]
    goals = {"rulewright --help": HELP_GOAL, "rulewright check qwixx": CHECK_GOAL}
    met = True
    print(f"{'':24} {'ms':>8} {'ratio':>7} {'goal':>7}")
    for name, seconds in times.items():
        ratio, goal = seconds / bare, goals.get(name)
        met = met and (goal is None or ratio <= goal)
        wanted = "" if goal is None else f"{goal:.1f}{' ' if ratio <= goal else ' missed'}"
        print(f"{name:24} {seconds * 1000:8.1f} {ratio:7.2f} {wanted:>7}")
    return met


def lengthened(text: str, factor: int) -> str:
    """The spec with its declarations repeated under other names until it is that much longer."""
    starts = [match.start() for match in re.finditer(r"^[^ #\n]", text, re.MULTILINE)]
    declarations = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)])]
    heads = [re.match(r"(\w+) +([\w.]+)", declaration) for declaration in declarations]
    copied = [
        (declaration, head[1], head[2])
        for declaration, head in zip(declarations, heads)
        if head and head[1] in COPIED
    ]
    shared = [re.escape(name) for _, kind, name in copied if kind in NAMED_ELSEWHERE]
    named = re.compile(rf"(?<![\w.])({'|'.join(shared)})(?![\w.])")
    parts, number = [text], 2
    while sum(map(len, parts)) < factor * len(text):
        for declaration, kind, name in copied:
            if kind not in NAMED_ELSEWHERE:
                declaration = re.sub(rf"^(\w+ +{name})", rf"\1_{number}", declaration)
            parts.append(named.sub(rf"\1_{number}", declaration))
        number += 1
    return "".join(parts)


if __name__ == "__main__":
    sys.exit(main())
