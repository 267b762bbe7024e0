"""How long inductions take, and how much of that is the solver's own time.

Conservation of tiles on boards of several sizes should cost the same on all of them. All inductions
of Qwixx are compared with the time that z3 needs for the same text: a context for each question,
parsing, solving. Both run in one process, in CPU seconds, with the garbage collector set as in the
program. The goal: at most a fifth more than z3.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from time import process_time
from typing import Any
from unittest.mock import patch

from benchmarks.harness.measure import Row
from rulewright.cli.main import SELDOM
from rulewright.frontend import check_text
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker, jobs_for
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.resources import bundled_games
from rulewright.smt.solver.solver import Z3

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


@contextmanager
def solver_time() -> Iterator[list[float]]:
    """A list of how long z3 took each time: to begin a question, to read its text, to answer it and
    to clear it away."""
    import z3

    times: list[float] = []

    def timed(own: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            began = process_time()
            said = own(*given)
            times.append(process_time() - began)
            return said

        return call

    with ExitStack() as stack:
        for of, name in ((Z3, "_say"), (z3.Context, "__init__"), (z3.Context, "__del__")):
            stack.enter_context(patch.object(of, name, timed(getattr(of, name))))
        yield times


def induction(spec: Spec, players: Iterable[int], only: tuple[str, ...] = ()) -> dict[str, float]:
    """The time of all inductive proofs, and what of it is the solver's."""
    gc.set_threshold(*SELDOM)
    gc.collect()  # what was measured before is no garbage of this
    worker = Worker({None: spec}, ProverOptions(30), Cache(None))
    began, open_goals = process_time(), 0
    with solver_time() as solving:
        for number in players:
            for job in jobs_for(spec, Configuration(number, (), None), first=False):
                if job.kind not in INDUCTION or (only and job.kind not in ("begins", "preserved")):
                    continue
                asked = Job(job.configuration, job.kind, job.subject, job.fixed, only)
                open_goals += sum(each.result != each.wants for each in worker.run(asked))
    seconds = process_time() - began
    return {"seconds": seconds, "solver": sum(solving), "not proved": open_goals}


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
        text = bundled_games()["qwixx"].read_text("utf-8")
        proofs = [induction(spec_of(text), range(2, 6)) for _ in range(3)]
        question = "every induction of Qwixx, 2 to 5 players"
        for name, measured in (("all told", "seconds"), ("in the solver", "solver")):
            yield Row(question, name, "s", tuple(each[measured] for each in proofs))
