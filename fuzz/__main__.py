"""Holds the prover to the truth of random games: `python -m fuzz --seconds 60 --seed 1`.

Prints how many specs and verdicts of each kind there were, and every verdict that is not so; exit 1
if there is one. What is false is made small and saved.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from fuzz.choosing import chosen
from fuzz.compare import False_
from fuzz.judging import judged, judged_checked
from fuzz.mutate import mutated
from fuzz.proving import be_brief
from fuzz.shrink import shrunk

WORDS = ("proved", "refuted", "bounded", "unknown")
PER_SEED = 1_000_000
ALIKE = 3
"""So many of one kind are made small and saved."""


class Tally:
    """Counts of one run."""

    def __init__(self) -> None:
        self.specs = 0
        self.usable = 0
        self.complete = 0
        self.verdicts: Counter[tuple[str, str]] = Counter()
        self.false: Counter[str] = Counter()

    def lines(self, seconds: float) -> Iterator[str]:
        verdicts = sum(self.verdicts.values())
        yield (
            f"{self.specs} specs, {self.usable} usable, {self.complete} gone through whole, "
            f"{verdicts} verdicts in {seconds:.0f} s of the processor "
            f"({self.specs / max(seconds, 0.01):.1f} specs/s)"
        )
        kinds = sorted({kind for kind, _ in self.verdicts} | set(self.false))
        yield f"{'kind':12}" + "".join(f"{word:>9}" for word in (*WORDS, "false"))
        for kind in kinds:
            counts = [self.verdicts[kind, word] for word in WORDS]
            row = "".join(f"{count:9}" for count in (*counts, self.false[kind]))
            yield f"{kind:12}{row}"


def spec_of(number: int) -> str:
    """The spec with this number: every other one is a mutation of a seed or of another spec."""
    return mutated(number) if number % 3 == 0 else chosen(number)[0]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the processor (60)")
    parser.add_argument("--count", type=int, help="so many specs, however long that takes")
    parser.add_argument("--seed", type=int, default=0, help="which specs (0)")
    parser.add_argument("--out", type=Path, default=Path(".venv/fuzz"), help="for what is false")
    parser.add_argument("--no-shrink", action="store_true", help="save what is false as it is")
    options = parser.parse_args(arguments)
    be_brief()
    tally = Tally()
    saved: Counter[tuple[str, ...]] = Counter()
    print(f"seed {options.seed}")
    first = options.seed * PER_SEED
    shrinking = 0.0
    for number in range(first, first + PER_SEED):
        spent = process_time() - shrinking
        if tally.specs >= options.count if options.count is not None else spent > options.seconds:
            break
        text = spec_of(number)
        result = judged(text)
        tally.specs += 1
        tally.usable += result.usable
        tally.complete += result.complete
        tally.verdicts += result.verdicts
        began = process_time()
        for each in result.false:
            tally.false[each.kind] += 1
            mark = cause(each)
            saved[mark] += 1
            if saved[mark] <= ALIKE:
                path = options.out / f"{each.kind}-{each.said}-{number}.rules"
                save(path, text, each, options.no_shrink)
                print(f"FALSE {told(each)}\n      {path}", flush=True)
        shrinking += process_time() - began
    print("\n".join(tally.lines(process_time() - shrinking)))
    return 1 if tally.false else 0


def cause(false: False_) -> tuple[str, ...]:
    """What tells one kind of false verdict from another."""
    return false.kind, false.said, re.sub(r"\d+", "n", false.so)


def told(false: False_) -> str:
    return f"{false.kind} `{false.name}` is {false.said} ({false.setting}): {false.so}"


def save(path: Path, text: str, false: False_, whole: bool) -> str:
    """Writes a spec of which something false is said, as small as it can be made."""
    wanted = cause(false)

    def still(candidate: str) -> bool:
        return any(cause(each) == wanted for each in judged(candidate).false)

    if not whole:
        text = shrunk(text, still)
        false = next((each for each in judged(text).false if cause(each) == wanted), false)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# {told(false)}\n{text}", encoding="utf-8")
    return text


__all__ = ["judged_checked", "main"]

if __name__ == "__main__":
    sys.exit(main())
