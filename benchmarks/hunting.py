"""Games found, not proofs: how long until a game breaks an invariant of mutated rules, and until
one reaches a position deep in the game.

The mutant lets a row be locked with four crosses; the shortest game that shows it has a dozen
steps. The deep position has three closed rows. Each hunter has a process of its own, from its start
to its answer, on one core. The script knows the order of the phases; Spin, Quint and Hypothesis
choose at random until they meet a game, and may not; Spin shows any, of hundreds of steps, the
script and we a shortest one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.invariants import PATIENCE, QWIXX, prove
from benchmarks.measure import Row, in_turns, rows, run, unanswered
from benchmarks.peer import Hypothesis, Quint, Script, Spin, python_model

PLAYERS = 2
MUTANT = ("[close.five] = 5", "[close.five] = 4")
REFUTING = "a game that refutes the mutant, 2 players"
WITNESS = "a game with three closed rows, 3 players"


def questions(quick: bool) -> Iterator[Row]:
    """The refuting game, then the witness."""
    rounds = 1 if quick else 3
    yield from rows(REFUTING, "s", in_turns({"rulewright": refuting}, rounds, warm=False))
    script, spin, quint, bare = Script(), Spin(), Quint(), Hypothesis()
    if quick:
        yield from (each.skipped(REFUTING, quick) for each in (script, spin, quint, bare))
        yield script.skipped(WITNESS, quick)
        return
    yield sought(REFUTING, script, PLAYERS, 12, "need=4")
    yield bare_hunt(bare)
    yield spin_hunt(spin) if spin.hunts else spin.skipped(REFUTING, quick)
    yield quint_hunt(quint) if quint.found else quint.skipped(REFUTING, quick)
    yield from rows(WITNESS, "s", in_turns({"rulewright": witness}, rounds, warm=False))
    yield sought(WITNESS, script, 3, 40, "rows=3")


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


def sought(question: str, script: Script, players: int, steps: int, *options: str) -> Row:
    """Seconds of the script; it is too slow to be asked more than once."""
    seconds = script.search(players, steps, PATIENCE, *options)
    if seconds is None:
        return unanswered(question, script.name, f"found none in {PATIENCE} s")
    return Row(question, script.name, "s", (seconds,))


def bare_hunt(bare: Hypothesis) -> Row:
    """Hypothesis for a while, shrinking included."""
    command = [sys.executable, *python_model("hypothesis"), PLAYERS, 4, 60, 100_000]
    ran = run(command, limit=PATIENCE)
    if ran.code < 0:
        return unanswered(REFUTING, bare.name, f"found none in {PATIENCE} s")
    return Row(REFUTING, bare.name, "s", (ran.seconds,))


def spin_hunt(spin: Spin) -> Row:
    """Spin for a while."""
    seconds = spin.hunt(PLAYERS, PATIENCE)
    if seconds is None:
        return unanswered(REFUTING, spin.name, f"found none in {PATIENCE} s")
    return Row(REFUTING, spin.name, "s", (seconds,), "any game")


def quint_hunt(quint: Quint) -> Row:
    """Quint for a while."""
    seconds = quint.hunt(PLAYERS, 60, PATIENCE)
    if seconds is None:
        return unanswered(REFUTING, quint.name, f"found none in {PATIENCE} s")
    return Row(REFUTING, quint.name, "s", (seconds,))
