"""How often `conform` blames the right rule.

`python benchmarks/blame.py [GAME...] [--sample N]`. An engine is made of each mistake of the
catalogue: it plays a game by the spec with that mistake in it. It is brought to the vectors that
show the mistake, and what differs first is explained. The blame is right if it names the rule that
is mistaken, or cites one of its clauses. What is not right is listed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.mutation.engine_slips import engine_mistakes
from rulewright.conform.mutation.mutants import Mutant
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.oracle.state_json import StateJsonWriter
from rulewright.conform.report.finding import Finding, finding_of
from rulewright.conform.stages.lockstep import Divergence
from rulewright.conform.stages.vector_stage import try_vector, vector_lines
from rulewright.conform.vectors.vector_file import setup_of
from rulewright.frontend import read
from rulewright.meaning import core as c
from rulewright.play.io.json_codec import decode_position
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.compiled.parse_events import Unfit

ROOT = Path(__file__).parent.parent
GAMES = ("qwixx", "twenty_one", "matte_kryss", "kubbar")


class MistakenEngine:
    """An engine that plays by a spec; `load` brings it to a position."""

    spec: c.Spec

    def new(self, players: int, readings: dict[str, str], variant: str | None, **_: Any) -> None:
        if variant is not None:
            raise ValueError("only the usual game")
        self.instance = Instance(self.spec, players, readings)
        self.game = CompiledGame(self.instance)
        self.place = self.game.begin()
        names = tuple(self.instance.variables)
        self.write = StateJsonWriter(self.game.portable, shared=False).writer(names)

    def load(self, state: dict[str, Any]) -> None:
        self.place = self.game.load(decode_position(state, self.instance))

    def apply(self, event: dict[str, Any]) -> bool:
        try:
            after = self.game.tried(self.place, self.game.parse(event))
        except (Unfit, EvaluationError):
            return False
        self.place = self.place if after is None else after
        return after is not None

    def state(self) -> dict[str, Any]:
        written: dict[str, Any] = {}
        self.write(self.place, self.place, written)
        return written

    def score(self) -> dict[str, Any]:
        scores, winners = self.game.scores(self.place), self.game.winners(self.place)
        found: dict[str, Any] = {}
        if scores is not None:
            found["scores"] = [list(each) for each in scores.items()]
        if winners is not None:
            found["winners"] = winners
        return found


def told(
    mutant: Mutant, number: int, oracles: Oracles, lines: list[dict[str, Any]]
) -> list[Finding]:
    """What is said of an engine with a mistake where it goes wrong first; nothing if no vector of
    the usual game shows it."""
    engine = type("Mistaken", (MistakenEngine,), {"spec": mutant.spec})
    for line in lines:
        if setup_of(line, oracles).variant is not None or not _shows(line, number):
            continue
        with PythonEngine.of(engine) as opened:
            try:
                try_vector(line, oracles, opened, Coverage())
            except Divergence as found:
                return [finding_of(found, None)]
    return []


def _shows(line: Mapping[str, Any], number: int) -> bool:
    return any(each["mistake"] == number for each in line["mistakes"])


def is_right(finding: Finding, mutant: Mutant) -> bool:
    """Whether a blame names the rule that is mistaken, or one of its clauses."""
    named = {finding.blame.requirement, *finding.blame.others}
    return mutant.label in named or bool(set(mutant.clauses) & set(finding.blame.clauses))


def run(game: str, sample: int) -> None:
    """Judges the blame of a game's mistakes."""
    oracles = Oracles(read(ROOT / "spec" / f"{game}.rules"))
    _, lines = vector_lines(oracles, 0)
    everything = list(enumerate(engine_mistakes(oracles.spec), start=1))
    chosen = everything
    if sample and sample < len(everything):
        chosen = sorted(Random(0).sample(everything, sample), key=lambda each: each[0])
    counted: Counter[str] = Counter()
    for number, mutant in chosen:
        for finding in told(mutant, number, oracles, lines):
            right = is_right(finding, mutant)
            counted["right" if right else "wrong"] += 1
            counted["one of several"] += right and bool(finding.blame.others)
            counted["said to be a guess"] += finding.blame.is_guess
            if not right:
                print(f"wrong  {mutant.label}: {mutant.what}\n       {finding.message}", flush=True)
    judged = counted["right"] + counted["wrong"]
    print(
        f"{game}: {counted['right']} of {judged} right ({counted['one of several']} of them one of "
        f"several, {counted['said to be a guess']} of all said to be guesses)",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", default=list(GAMES), choices=GAMES)
    parser.add_argument("--sample", type=int, default=0, help="only so many, chosen at random")
    options = parser.parse_args()
    for game in options.games:
        run(game, options.sample)
    return 0


if __name__ == "__main__":
    sys.exit(main())
