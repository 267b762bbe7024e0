"""Asks one module its questions and prints the rows, a line of JSON each, as they come.

A process of its own, so that one question cannot disturb the next and can be given up; garbage is
looked for as seldom in it as in the program.
"""

from __future__ import annotations

import gc
import json
import sys
from importlib import import_module

from rulewright.cli.main import SELDOM


def main() -> None:
    name, quick = sys.argv[1], "--quick" in sys.argv
    module = import_module(f"benchmarks.questions.{name}")
    gc.set_threshold(*SELDOM)
    gc.freeze()
    for row in module.questions(quick):
        print(json.dumps(row._asdict()), flush=True)


if __name__ == "__main__":
    main()
