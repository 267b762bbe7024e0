"""How long it takes to find a game that breaks an invariant of wrong rules, and one that reaches a
position deep in the game.

The wrong rules let a row be locked with four crosses; the shortest game that shows it has a dozen
steps. In the deep position three rows are closed. Each tool runs in a process of its own, from its
start to its answer, on one core. The script knows the order of the phases. Spin, Quint, Hypothesis
and `rulewright run` play at random until they find a game, and may find none; their game is any
game (Spin's has hundreds of steps). The script and `rulewright prove` return a shortest one.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.harness.measure import SEED, Row, attempted, in_turns, rows, run, unanswered
from benchmarks.harness.peer import HUNTERS, Hunter
from benchmarks.questions.invariants import PATIENCE, QWIXX, prove

PLAYERS = 2
BROKEN = "lock_needs_five"
MUTANT = ("[close.five] = 5", "[close.five] = 4")
PROVE, RUN = "rulewright prove", "rulewright run"
REFUTING = "a game that refutes the mutant, 2 players"
WITNESS = "a game with three closed rows, 3 players"


def questions(quick: bool) -> Iterator[Row]:
    """The refuting game, then the witness: ours, then those who look for the same."""
    rounds = 1 if quick else 3
    ours = {REFUTING: {PROVE: refuting, RUN: met}, WITNESS: {PROVE: witness}}
    for question, hunts in list(ours.items())[: 1 if quick else None]:
        ask = partial(hunted, question, hunts, rounds)
        yield from attempted(question, PROVE, ask)
        for hunter in HUNTERS:
            yield from sought(question, hunter, quick)
    if quick:
        yield from (each.skipped(WITNESS, quick) for each in HUNTERS)


def hunted(question: str, hunts: dict[str, Callable[[], float]], rounds: int) -> Iterator[Row]:
    """How long we take."""
    for row in rows(question, "s", in_turns(hunts, rounds, warm=False)):
        yield row._replace(note="any game") if row.subject == RUN else row


def sought(question: str, hunter: Hunter, quick: bool) -> Iterator[Row]:
    """How long a peer takes; it is not asked more than once."""
    if quick or not hunter.hunts:
        yield hunter.skipped(question, quick)
        return

    def ask() -> Iterator[Row]:
        if question == REFUTING:
            seconds = hunter.refute(PLAYERS, PATIENCE)
        else:
            seconds = hunter.reach(3, PATIENCE)
        if seconds is None:
            yield unanswered(question, hunter.name, f"found none in {PATIENCE} s")
        else:
            yield Row(question, hunter.name, "s", (seconds,), hunter.finds)

    yield from attempted(question, hunter.name, ask)


@contextmanager
def mutant() -> Iterator[Path]:
    """The mutated rules."""
    text = QWIXX.read_text("utf-8")
    if MUTANT[0] not in text:
        raise RuntimeError("the rules have no such number to change")
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder, "mutant.rules")
        spec.write_text(text.replace(*MUTANT), "utf-8")
        yield spec


def refuting() -> float:
    """Seconds until `rulewright prove` shows a shortest game that breaks the mutated rules."""
    with mutant() as spec:
        seconds, answer = prove(spec, PLAYERS, "--only", BROKEN, "--no-cache")
    shown = [each for each in answer["results"] if each["name"] == BROKEN]
    if [each["verdict"] for each in shown] != ["refuted"] or not shown[0]["trace"]:
        raise RuntimeError(f"no refuting game: {answer['summary']}")
    return seconds


def met() -> float:
    """Seconds until `rulewright run` has met and recorded one."""
    with mutant() as spec:
        trace = spec.with_suffix(".jsonl")
        ran = run(
            [sys.executable, "-m", "rulewright", "run", spec, "--players", PLAYERS, "--seed", SEED,
             "--stop", "--trace", trace, "--format", "json"], errors=False,
        )  # fmt: skip
        faults = json.loads(ran.output)["results"][0]["faults"]
        if not faults or BROKEN not in faults[0]["message"] or not trace.stat().st_size:
            raise RuntimeError(f"no refuting game: {faults}")
    return ran.seconds


def witness() -> float:
    """Seconds until `rulewright prove` shows a game in which a third row closes."""
    seconds, answer = prove(QWIXX, 3, "--only", "third_row", "--no-cache")
    shown = [each for each in answer["results"] if each["name"] == "third_row"]
    if [each["verdict"] for each in shown] != ["proved"] or not shown[0]["trace"]:
        raise RuntimeError(f"no witness: {answer['summary']}")
    return seconds
