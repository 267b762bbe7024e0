"""Feeds the program what strangers could: `python -m fuzz.inputs --seconds 60 --seed 1`.

Prints how many inputs of each kind were tried and how many of them the program could use, and every
input that broke it; exit 1 if there is one. Those are kept in a folder, with how to run them again.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from fuzz.inputs.running import GRAMMAR, KEPT, Case, Outcome, run
from fuzz.inputs.targets import KEPT_BY, TARGETS, case

ALIKE = 3
"""So many findings of one kind are kept."""


def main() -> int:
    """Tries inputs for so many seconds, or so many of them."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.inputs", description=__doc__)
    parser.add_argument("--seconds", type=float, help="how long, by the clock")
    parser.add_argument("--count", type=int, help="how many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with the Nth")
    parser.add_argument("--only", choices=list(TARGETS))
    parser.add_argument("--out", type=Path, default=Path(".fuzz"), help="where findings are kept")
    options = parser.parse_args()
    until = time.monotonic() + (options.seconds or (1e9 if options.count else 60))
    warm()
    tried: Counter[str] = Counter()
    used: Counter[str] = Counter()
    found: Counter[str] = Counter()
    number = options.first
    while time.monotonic() < until and number - options.first < (options.count or 10**12):
        made = case(options.seed, number, options.only)
        outcome = run(made)
        tried[made.target] += 1
        used[made.target] += outcome.exit not in (2, None)
        if outcome.wrong is not None:
            found[outcome.wrong] += 1
            if found[outcome.wrong] <= ALIKE:
                tell(made, outcome, options.seed, number, options.out)
        number += 1
    for name in TARGETS:
        if tried[name]:
            print(f"{name:10} {tried[name]:7} tried {used[name]:7} usable")
    print(f"{sum(tried.values())} inputs (seed {options.seed}, {options.first} to {number - 1}), "
          f"{sum(found.values())} findings")  # fmt: skip
    for wrong, times in found.most_common():
        print(f"{times:6}  {wrong}")
    return 1 if found else 0


def warm() -> None:
    """Has the tables of the grammar made once, for every input to begin with, and answers that are
    kept, for those that damage them."""
    place = Path(tempfile.gettempdir())
    os.environ["XDG_CACHE_HOME"] = str(place / GRAMMAR)
    from rulewright.syntax.parsing.parse_tables import load_tables

    load_tables()
    own = {**os.environ, "XDG_CACHE_HOME": str(place / KEPT)}
    own["PYTHONPATH"] = str(Path(__file__).parent.parent.parent)
    for command in KEPT_BY:
        with tempfile.TemporaryDirectory() as folder:
            asked = [sys.executable, "-m", "rulewright", *command]
            subprocess.run(asked, cwd=folder, env=own, capture_output=True, check=True)


def tell(made: Case, outcome: Outcome, seed: int, number: int, out: Path) -> None:
    """Prints a finding and keeps its files."""
    folder = out / f"{seed}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in made.files.items():
        data = content if isinstance(content, bytes) else content.encode(errors="surrogatepass")
        (folder / name).write_bytes(data)
    (folder / "command.txt").write_text(repr(made.arguments) + "\n", encoding="utf-8")
    (folder / "printed.txt").write_text(outcome.out + outcome.err, errors="backslashreplace")
    print(f"{made.target} {seed}:{number}: {outcome.wrong}", flush=True)
    print(f"    {list(made.arguments)!r}, in {folder}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
