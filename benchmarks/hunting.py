"""Games found, not proofs: how long until a game breaks an invariant of mutated rules, and until
one reaches a position deep in the game.

The mutant lets a row be locked with four crosses; the shortest game that shows it has a dozen
steps. The deep position has three closed rows. Each hunter has a process of its own, from its start
to its answer, on one core. The script knows the order of the phases; Spin, Quint and Hypothesis
choose at random until they meet a game, and may not; Spin shows any, of hundreds of steps, the
script and we a shortest one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.invariants import PATIENCE, QWIXX, prove
from benchmarks.measure import Row, attempted, in_turns, rows, unanswered
from benchmarks.peer import HUNTERS, Hunter

PLAYERS = 2
MUTANT = ("[close.five] = 5", "[close.five] = 4")
REFUTING = "a game that refutes the mutant, 2 players"
WITNESS = "a game with three closed rows, 3 players"


def questions(quick: bool) -> Iterator[Row]:
    """The refuting game, then the witness: ours, then those who look for the same."""
    rounds = 1 if quick else 3
    ours = {REFUTING: refuting} if quick else {REFUTING: refuting, WITNESS: witness}
    for question, hunt in ours.items():
        ask = partial(hunted, question, hunt, rounds)
        yield from attempted(question, "rulewright", ask)
        for hunter in HUNTERS:
            yield from sought(question, hunter, quick)
    if quick:
        yield from (each.skipped(WITNESS, quick) for each in HUNTERS)


def hunted(question: str, hunt: Callable[[], float], rounds: int) -> Iterable[Row]:
    """How long we take."""
    return rows(question, "s", in_turns({"rulewright": hunt}, rounds, warm=False))


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


def refuting() -> float:
    """Seconds until `rulewright prove` shows a game that breaks the mutated rules."""
    with tempfile.TemporaryDirectory() as folder:
        mutant = Path(folder, "mutant.rules")
        text = QWIXX.read_text("utf-8")
        if MUTANT[0] not in text:
            raise RuntimeError("the rules have no such number to change")
        mutant.write_text(text.replace(*MUTANT), "utf-8")
        seconds, answer = prove(mutant, PLAYERS, "--only", "lock_needs_five", "--no-cache")
    shown = [each for each in answer["results"] if each["name"] == "lock_needs_five"]
    if [each["verdict"] for each in shown] != ["refuted"] or not shown[0]["trace"]:
        raise RuntimeError(f"no refuting game: {answer['summary']}")
    return seconds


def witness() -> float:
    """Seconds until `rulewright prove` shows a game in which a third row closes."""
    seconds, answer = prove(QWIXX, 3, "--only", "third_row", "--no-cache")
    shown = [each for each in answer["results"] if each["name"] == "third_row"]
    if [each["verdict"] for each in shown] != ["proved"] or not shown[0]["trace"]:
        raise RuntimeError(f"no witness: {answer['summary']}")
    return seconds
