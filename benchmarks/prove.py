"""How long proving takes, as ratios measured in one run. `python -m benchmarks.prove`

Prints: our time against the time the solver itself spends; the second run from the cache against
the first; a refuting game and a witness in seconds; and proof time against the size of a board.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter

from checker.front import check_text
from checker.meaning.core import Spec
from checker.prove.ask import Effort
from checker.prove.cache import Cache
from checker.prove.ground import Ground, Setting
from checker.prove.job import Job, Worker, jobs_for
from checker.prove.prover import prove
from checker.prove.run import Run
from checker.prove.search import Search
from checker.prove.target import Target
from checker.resources import bundled_games

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


def induction(spec: Spec, players: Iterable[int], only: tuple[str, ...] = ()) -> dict[str, float]:
    """Wall time and solver time of all inductive proofs, on one core."""
    worker = Worker({None: spec}, Effort(30), Cache(None))
    began, solving, open_goals = perf_counter(), 0.0, 0
    for number in players:
        for job in jobs_for(spec, Setting(number, (), None), first=False):
            if job.kind not in INDUCTION or (only and job.kind not in ("begins", "preserved")):
                continue
            asked = Job(job.setting, job.kind, job.subject, job.fixed, only)
            for outcome in worker.run(asked):
                solving += outcome.seconds
                open_goals += outcome.result != outcome.wants
    seconds = perf_counter() - began
    return {"seconds": seconds, "solver": solving, "not proved": open_goals}


def four(spec: Spec, players: int) -> dict[str, float]:
    """The four, and every invariant that their proofs rest on."""
    setting = Setting(players, (), None)
    began = perf_counter()
    run = Run({None: spec}, Effort(30), None, 1, lambda done, of: None)
    (proved,) = prove({None: spec}, [setting], run, FOUR)
    open_ones = [each.name for each in proved.verdicts if each.verdict != "proved"]
    return {"seconds": perf_counter() - began, "properties": len(proved.verdicts),
            "not proved": len(open_ones)}  # fmt: skip


def cached(spec: Spec) -> float:
    """The second run's share of the first."""
    jobs = [j for j in jobs_for(spec, Setting(2, (), None), first=False) if j.kind in INDUCTION]
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            began = perf_counter()
            run = Run({None: spec}, Effort(30), Path(folder), 1, lambda done, of: None)
            list(run.outcomes(jobs))
            times.append(perf_counter() - began)
    return times[1] / times[0]


def found(spec: Spec, name: str, players: int, broken: bool) -> float:
    """Seconds until a game is found."""
    property = next(each for each in spec.properties if each.name == name)
    ground = Ground(spec, Setting(players, (), None))
    began = perf_counter()
    searched = Search(ground, Target(property, broken), True, anyhow=False).run(60)
    assert searched.game is not None, name
    return perf_counter() - began


def boards() -> dict[int, float]:
    """Seconds for tile conservation on boards of several sizes."""
    return {
        size: induction(spec_of(PLACEMENT.format(size=size)), [2], ("conserved",))["seconds"]
        for size in SIZES
    }


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
