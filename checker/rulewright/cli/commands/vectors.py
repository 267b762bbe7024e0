"""Writes test vectors: for each typical mistake in a rule, a position and an event that show it.

The file has JSON lines that an engine's own tests can read without this program.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path

from rulewright.cli.exit_codes import HOLDS, UNDECIDED
from rulewright.cli.exit_status import counted
from rulewright.cli.inputs.open_game import read_spec
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.options import add_distribution, add_format, add_limit
from rulewright.cli.output.named_files import write_output
from rulewright.cli.progress import Progress
from rulewright.cli.tasks.all_vectors import VectorsWork
from rulewright.distribute.backend import answers
from rulewright.report.emit import emit
from rulewright.report.model import Result


def configure(parser: ArgumentParser) -> None:
    """The arguments of `vectors`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument("--out", required=True, metavar="FILE", help="where the vectors go")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the search (0)")
    add_limit(parser)
    add_distribution(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Finds the vectors, unless they have been found before, and writes them."""
    checked = read_spec(options.spec)
    with Progress(sys.stderr) as progress:
        [lines] = answers(VectorsWork(checked, options.seed, progress.say))
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    write_output(Path(options.out), text)
    header, *vectors = lines
    stopped = header.get("stopped")
    equivalent, undecided = len(header["equivalent"]), len(header["undecided"])
    shown = header["mutants"] - equivalent - undecided
    origins = Counter(each["origin"] for each in vectors)
    counts = {"vectors": len(vectors), "mutants": header["mutants"], "shown": shown}
    data = {
        "file": options.out,
        **counts,
        "equivalent": header["equivalent"],
        "undecided": header["undecided"],
    }
    report = report_on(
        "vectors",
        [checked],
        results=[Result(options.out, "holds" if stopped is None else "undecided", data)],
        summary={
            **counts,
            "equivalent": equivalent,
            "undecided": undecided,
            "origins": dict(origins),
            "seed": options.seed,
            **({} if stopped is None else {"stopped": stopped}),
        },
        exit=HOLDS if stopped is None else UNDECIDED,
        closing=f"wrote {counted(len(vectors), 'vector')} to {options.out} ("
        + ", ".join(f"{number} {origin}" for origin, number in sorted(origins.items()))
        + f"); of {counted(header['mutants'], 'mutant')} they show {shown}, {equivalent} are "
        f"equivalent to the rules, {undecided} undecided (seed {options.seed})"
        + ("" if stopped is None else f"\nnot all were looked for: {stopped}"),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)
