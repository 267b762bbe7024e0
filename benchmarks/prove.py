"""How long proving takes, as ratios measured in one run. `python -m benchmarks.prove`

Prints: our time against the time the solver itself spends, and against a script written by hand for
four of the invariants; the second run from the cache against the first; a refuting game and a
witness in seconds; and proof time against the size of a board. Times are of the processor, those of
the processes that were started included, so that a busy machine does not matter.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.measure import Row
from benchmarks.peers import qwixx_z3
from checker.front import check_text
from checker.meaning.core import Spec
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.ground import Ground, Setting
from checker.prove.job import Job, Worker, jobs_for
from checker.prove.prover import prove
from checker.prove.run import Run
from checker.prove.search import Search
from checker.prove.target import Target
from checker.prove.turns import Turns
from checker.resources import bundled_games
from checker.smt.solver import Z3

FOUR = ("lock_needs_five", "to_the_right", "three_rows", "over_by_rule")
"""The invariants that a script written by hand proves too."""
INDUCTION = ("theorems", "begins", "preserved", "steps", "stuck", "order", "ends")
SIZES = (6, 10, 14, 30)
PLACEMENT = """
game placement "Placement"
    players 2..2

type Square = grid {size} x {size}
type Stone = black | white | grey

phase play, over final

state
    turn: Player = 1
    board[Square]: Stone? = none
    box: Bag[Stone] = sum s: Stone, k in 1..12: {{s}}

move put(s: Stone, at: Square) by p in play
    needs is_turn "it is the player's turn": p == turn
    needs vacant "the square is empty": board[at] == none
    needs in_box "there is such a stone": s in box
    does
        board[at] = s
        box -= {{s}}
        turn = left_of(turn)

invariant conserved "no stone is lost": all s: Stone: tally(board)[s] + box[s] == 12
"""


def spec_of(text: str) -> Spec:
    spec = check_text("benchmark", text).spec
    assert spec is not None
    return spec


def spent() -> float:
    """Seconds of the processor that went into this process and those it started and saw end."""
    return sum(os.times()[:4])


@contextmanager
def solver_time() -> Iterator[list[float]]:
    """A list of how long the solver took each time it read a text or was asked."""
    times: list[float] = []
    own = Z3._say

    def timed(self: Z3, text: str) -> str:
        began = process_time()
        said = own(self, text)
        times.append(process_time() - began)
        return said

    Z3._say = timed  # type: ignore[method-assign]
    try:
        yield times
    finally:
        Z3._say = own  # type: ignore[method-assign]


def induction(spec: Spec, players: Iterable[int], only: tuple[str, ...] = ()) -> dict[str, float]:
    """The time of all inductive proofs, and what of it is the solver's."""
    worker = Worker({None: spec}, Effort(30), Cache(None))
    began, open_goals = process_time(), 0
    with solver_time() as solving:
        for number in players:
            for job in jobs_for(spec, Setting(number, (), None), first=False):
                if job.kind not in INDUCTION or (only and job.kind not in ("begins", "preserved")):
                    continue
                asked = Job(job.setting, job.kind, job.subject, job.fixed, only)
                open_goals += sum(each.result != each.wants for each in worker.run(asked))
    seconds = process_time() - began
    return {"seconds": seconds, "solver": sum(solving), "not proved": open_goals}


def four(spec: Spec, players: int) -> dict[str, Any]:
    """The four, and every invariant that their proofs rest on, against the script."""
    setting = Setting(players, (), None)
    began = spent()
    run = Run({None: spec}, Effort(30), None, 1, lambda done, of: None)
    (proved,) = prove({None: spec}, [setting], run, FOUR)
    del run  # its processes end
    seconds = spent() - began
    by_hand = qwixx_z3.prove(players)
    return {"seconds": seconds, "properties": len(proved.verdicts),
            "not proved": [each.name for each in proved.verdicts if each.verdict != "proved"],
            "by hand": by_hand["seconds"], "not proved by hand": by_hand["not proved"],
            "against the script": seconds / by_hand["seconds"]}  # fmt: skip


def cached(spec: Spec) -> float:
    """The second run's share of the first."""
    jobs = [j for j in jobs_for(spec, Setting(2, (), None), first=False) if j.kind in INDUCTION]
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            began = spent()
            run = Run({None: spec}, Effort(30), Path(folder), 1, lambda done, of: None)
            list(run.outcomes(jobs))
            del run
            times.append(spent() - began)
    return times[1] / times[0]


def found(spec: Spec, name: str, players: int, broken: bool) -> float:
    """Seconds until a game is found."""
    property = next(each for each in spec.properties if each.name == name)
    ground = Ground(spec, Setting(players, (), None))
    began = process_time()
    searched = Search(Turns(ground), Target(property, broken)).run(60)
    assert searched.game is not None, name
    return process_time() - began


def boards() -> dict[int, float]:
    """Seconds for tile conservation on boards of several sizes, the best of a few runs."""
    specs = {size: spec_of(PLACEMENT.format(size=size)) for size in SIZES}
    return {
        size: min(induction(spec, [2], ("conserved",))["seconds"] for _ in range(5))
        for size, spec in specs.items()
    }


def questions(quick: bool) -> Iterator[Row]:
    """Conservation of tiles by the size of the board; all of Qwixx, and what the solver takes."""
    for size in SIZES[:1] if quick else SIZES:
        spec = spec_of(PLACEMENT.format(size=size))
        times = [induction(spec, [2], ("conserved",)) for _ in range(1 if quick else 3)]
        values = tuple(each["seconds"] for each in times)
        yield Row(
            "conservation of tiles by width of the board", "rulewright", "s", values, "", size
        )
    if not quick:
        qwixx = spec_of(bundled_games()["qwixx"].read_text("utf-8"))
        everything = induction(qwixx, [2])
        question = "every induction of Qwixx, 2 players"
        yield Row(question, "all told", "s", (everything["seconds"],))
        yield Row(question, "in the solver", "s", (everything["solver"],))


def main() -> None:
    text = bundled_games()["qwixx"].read_text("utf-8")
    qwixx = spec_of(text)
    mutant = spec_of(text.replace("[close.five] = 5", "[close.five] = 4"))
    everything = induction(qwixx, range(2, 6))
    sizes = boards()
    result = {
        "qwixx 2 to 5 players": everything,
        "time against the solver's": everything["seconds"] / everything["solver"],
        "four invariants, 2 players": four(qwixx, 2),
        "four invariants, 5 players": four(qwixx, 5),
        "cached against fresh": cached(qwixx),
        "refuting game": found(mutant, "lock_needs_five", 2, True),
        "third row, 3 players": found(qwixx, "third_row", 3, False),
        "board sizes": sizes,
        "largest against smallest board": sizes[SIZES[-1]] / sizes[SIZES[0]],
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
