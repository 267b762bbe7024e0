"""Breaks the prover on purpose and shows that the fuzzer notices: `python -m fuzz.faults.sabotage`.

Each fault is put into the running program, and the specs of the test slice are judged one after
another until something false is said of one. The table says how many that took. A fault that all of
them miss is named, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import process_time
from typing import NamedTuple

from fuzz.__main__ import spec_of
from fuzz.compare import judge
from fuzz.compare.judge import judged
from fuzz.compare.run_prover import briefly
from fuzz.compare.save import told
from fuzz.faults.encoder_faults import FAULTS as OF_THE_ENCODING
from fuzz.faults.fault import Fault, broken
from fuzz.faults.kernel_faults import FAULTS as OF_THE_KERNEL
from fuzz.faults.secret_faults import FAULTS as OF_SECRETS
from fuzz.truth.explorer import Truth

COUNT = 120
"""As many specs as the test slice has."""
FAULTS = [*OF_THE_KERNEL, *OF_THE_ENCODING, *OF_SECRETS]


class Noticed(NamedTuple):
    """After how many specs a fault was noticed, None if it was not, and by what."""

    fault: Fault
    specs: int | None
    by: str
    seconds: float


def noticed(fault: Fault, texts: Sequence[str], innocent: set[tuple[int, str]]) -> Noticed:
    """Judges specs with a fault in the program until one shows it. What is false without it does
    not count."""
    began = process_time()
    with broken(fault):
        for number, text in enumerate(texts):
            for each in judged(text, number).false:
                if (number, told(each.false)) not in innocent:
                    return Noticed(fault, number + 1, told(each.false), process_time() - began)
    return Noticed(fault, None, "", process_time() - began)


@contextmanager
def truth_kept() -> Iterator[None]:
    """Keeps the truth of each spec: no fault of the prover changes it."""
    original = judge.truths_of
    kept: dict[str, dict[object, Truth] | None] = {}

    def truths_of(checked: object) -> object:
        text = checked.text.text  # type: ignore[attr-defined]
        if text not in kept:
            kept[text] = original(checked)  # type: ignore[arg-type,assignment]
        return kept[text]

    judge.truths_of = truths_of  # type: ignore[assignment]
    try:
        yield
    finally:
        judge.truths_of = original


def main(arguments: list[str] | None = None) -> int:
    """Puts in one fault after another and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.faults.sabotage", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help=f"so many specs ({COUNT})")
    parser.add_argument("--only", action="append", default=[], help="this fault")
    options = parser.parse_args(arguments)
    missed = 0
    with briefly(), truth_kept():
        texts = [spec_of(number) for number in range(options.count)]
        innocent = {
            (number, told(each.false))
            for number, text in enumerate(texts)
            for each in judged(text, number).false
        }
        print(f"{len(innocent)} false verdicts without a fault, {options.count} specs")
        print("\n".join(f"    {number}: {what}" for number, what in sorted(innocent)))
        print(f"{'fault':34} {'in':28} {'specs':>5} {'s':>5}  noticed by")
        for fault in FAULTS:
            if options.only and fault.name not in options.only:
                continue
            found = noticed(fault, texts, innocent)
            missed += found.specs is None
            after = "-" if found.specs is None else str(found.specs)
            by = found.by[:90] if found.specs is not None else "NOT NOTICED"
            row = f"{fault.name:34} {fault.where:28} {after:>5} {found.seconds:5.1f}  {by}"
            print(row, flush=True)
    print(f"{missed} not noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
