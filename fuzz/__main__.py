"""Holds the prover to the truth of random games: `python -m fuzz --seconds 60 --seed 1`.

Prints how many specs and verdicts of each kind there were, and every verdict that is not so; exit 1
if there is one. What is false is made small and saved.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from fuzz.compare.judge import Wrong, judged
from fuzz.compare.run_prover import briefly
from fuzz.compare.save import cause, save, told
from fuzz.generate.mutations import hand_written, mutated
from fuzz.generate.properties import chosen

WORDS = ("proved", "refuted", "bounded", "unknown")
PER_SEED = 1_000_000
ALIKE = 2
"""So many of one kind are made small and saved."""


class Tally:
    """Counts of one run."""

    def __init__(self) -> None:
        self.specs = 0
        self.usable = 0
        self.complete = 0
        self.verdicts: Counter[tuple[str, str]] = Counter()
        self.false: Counter[str] = Counter()
        self.causes: Counter[tuple[str, ...]] = Counter()

    def lines(self, seconds: float) -> Iterator[str]:
        verdicts = sum(self.verdicts.values())
        yield (
            f"{self.specs} specs, {self.usable} usable, {self.complete} gone through whole, "
            f"{verdicts} verdicts, {sum(self.false.values())} false, in {seconds:.0f} s of the "
            f"processor ({self.specs / max(seconds, 0.01):.1f} specs/s)"
        )
        of_prove = {kind for kind, word in self.verdicts if word in WORDS[:3]}
        yield f"{'kind':12}" + "".join(f"{word:>9}" for word in (*WORDS, "false"))
        for kind in sorted(of_prove):
            counts = [self.verdicts[kind, word] for word in WORDS]
            row = "".join(f"{count:9}" for count in (*counts, self.false[kind]))
            yield f"{kind:12}{row}"
        for kind in sorted({kind for kind, _ in self.verdicts} - of_prove):
            words = [f"{n} {word}" for (k, word), n in sorted(self.verdicts.items()) if k == kind]
            yield f"{kind:12} {', '.join(words)}; {self.false[kind]} false"
        for kind in sorted(set(self.false) - {kind for kind, _ in self.verdicts}):
            yield f"{kind:12} {self.false[kind]} false"


def spec_of(number: int) -> str:
    """The spec with this number: first those written by hand, as they are; then every third is a
    mutation, of one of these or of another spec."""
    if number < len(hand_written()):
        return hand_written()[number]
    return mutated(number) if number % 3 == 0 else chosen(number)[0]


def main(arguments: list[str] | None = None) -> int:
    """Runs for so many seconds, or over so many specs."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the processor (60)")
    parser.add_argument("--count", type=int, help="so many specs, however long that takes")
    parser.add_argument("--seed", type=int, default=0, help="which specs (0)")
    parser.add_argument("--out", type=Path, default=Path(".venv/fuzz"), help="for what is false")
    parser.add_argument("--no-shrink", action="store_true", help="save what is false as it is")
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}")
    with briefly():
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    tally = Tally()
    first = options.seed * PER_SEED
    shrinking = 0.0
    for number in range(first, first + PER_SEED):
        spent = process_time() - shrinking
        if tally.specs >= options.count if options.count is not None else spent > options.seconds:
            break
        for each in add(tally, spec_of(number), number):
            began = process_time()
            path = save(options.out, each, number, not options.no_shrink)
            print(f"FALSE {told(each.false)}\n      {path}", flush=True)
            shrinking += process_time() - began
    print("\n".join(tally.lines(process_time() - shrinking)))
    return 1 if tally.false else 0


def add(tally: Tally, text: str, number: int) -> list[Wrong]:
    """Judges a spec and counts; what is false and not often met before is returned."""
    result = judged(text, number)
    tally.specs += 1
    tally.usable += result.usable
    tally.complete += result.complete
    tally.verdicts += result.verdicts
    found = []
    for each in result.false:
        tally.false[each.false.kind] += 1
        mark = cause(each.false)
        tally.causes[mark] += 1
        if tally.causes[mark] <= ALIKE:
            found.append(each)
    return found


if __name__ == "__main__":
    sys.exit(main())
