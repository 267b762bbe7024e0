"""Whatever becomes of a worker, the run goes on, and what was not decided is unknown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.outcome import Outcome
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.run import scheduler as runs
from rulewright.prove.run import workers
from rulewright.prove.run.claim_order import inductive_claims
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover import prove
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.verdict.verdict import PROVED, UNKNOWN, Verdict, combined
from rulewright.resources import bundled_specs
from rulewright.smt.solver import solver

TWO = Configuration(2, (), None)
INVARIANTS = ("won_with_100", "one_winner")


def pig() -> Spec:
    spec = check_text("pig", bundled_specs()["pig"].read_text("utf-8")).spec
    assert spec is not None
    return spec


class Unlucky(Worker):
    """Something happens to it when it is to look at holding."""

    def run(self, job: Job) -> list[Outcome]:
        if job.subject == "hold" or job.kind == "strengthen":
            self.suffer()
        return super().run(job)

    def suffer(self) -> None:
        raise NotImplementedError


class Killed(Unlucky):
    def suffer(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Greedy(Unlucky):
    def suffer(self) -> None:
        bytearray(1 << 40)


class OutOfMemory(Unlucky):
    """As z3 ends a process."""

    def suffer(self) -> None:
        os._exit(workers.OUT_OF_MEMORY)


class KilledHalfway(Worker):
    """It is killed when it has found something out about holding."""

    def _outcomes(self, job: Job) -> Iterator[Outcome]:
        for each in super()._outcomes(job):
            yield each
            if job.subject == "hold" and each.name == "won_with_100":
                self.tell = None  # what comes after is not told
                os.kill(os.getpid(), signal.SIGKILL)


class Stuck(Unlucky):
    """A solver that does not count what it does."""

    def suffer(self) -> None:
        class Deaf(solver.Z3):
            def _say(self, text: str) -> str:
                while "check-sat" in text:  # the clock is that of the processor
                    pass
                return super()._say(text)

        Deaf("(declare-const h Bool)").check(["h"], 0.05)


def verdicts(monkeypatch: pytest.MonkeyPatch, worker: type[Worker]) -> dict[str, Verdict]:
    monkeypatch.setattr(runs, "Worker", worker)
    monkeypatch.setattr(solver, "GRACE", 0.2)
    monkeypatch.setattr(solver, "SLOWEST", 1.0)
    spec = pig()
    run = Scheduler({None: spec}, ProverOptions(1), None, 2, lambda done, of: None)
    jobs = [
        Job(TWO, kind, subject, fixed, (*INVARIANTS, "safe"))
        for kind, subject, fixed in (
            ("begins", "", ()),
            ("preserved", "roll", (("p", 1),)),
            ("preserved", "hold", (("p", 1),)),
            ("preserved", "fall", ()),
            ("stuck", "", ()),
        )
    ]
    found: dict[str, list[Outcome]] = {}
    for _, outcomes in run.outcomes(jobs):
        for each in outcomes:
            found.setdefault(each.name, []).append(each)
    return {name: combined(spec, 2, name, group[0].kind, group) for name, group in found.items()}


@pytest.mark.parametrize(
    ("worker", "reason"),
    [
        (Killed, "the process that worked on it was killed, perhaps for want of memory"),
        (Greedy, "out of memory"),
        (OutOfMemory, "out of memory"),
        (Stuck, "out of time, and the solver did not stop by itself"),
    ],
)
def test_what_a_lost_worker_was_to_decide_is_unknown_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, worker: type[Worker], reason: str
) -> None:
    found = verdicts(monkeypatch, worker)
    assert found.keys() == {*INVARIANTS, "safe"}
    assert {(each.verdict, each.reason) for each in found.values()} == {(UNKNOWN, reason)}


def test_what_was_told_before_a_worker_was_lost_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    order = [each for each in inductive_claims(pig()) if each in INVARIANTS]
    known = order[: order.index("won_with_100") + 1]
    found = verdicts(monkeypatch, KilledHalfway)
    assert {name for name, each in found.items() if each.verdict == PROVED} == {*known}
    left = {each.reason for each in found.values() if each.verdict == UNKNOWN}
    assert left == {"the process that worked on it was killed, perhaps for want of memory"}


def test_small_claims_come_before_large_ones_and_safe_comes_last() -> None:
    text = """game g "G"
    players 2..2
phase play, over final
state
    board[1..9]: 0..3 = 0
fun full(): Bool = all x in 1..9: board[x] > 0 and (some z in 1..9: board[z] == x)
invariant large: phase == over implies full() and full()
invariant small: phase == play or phase == over
move lay(x: 1..9) by p in play
    needs empty "it is empty": board[x] == 0
    does board[x] = 1
possible ends: board[1] == 1
"""
    spec = check_text("g", text).spec
    assert spec is not None
    assert inductive_claims(spec) == ["small", "large", "safe"]


def test_other_workers_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {each.verdict for each in verdicts(monkeypatch, Worker).values()} == {PROVED}


def test_nothing_is_proved_by_a_run_that_lost_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "Worker", Killed)
    spec = pig()
    run = Scheduler({None: spec}, ProverOptions(1), None, 2, lambda done, of: None)
    (found,) = prove({None: spec}, [TWO], run, ["points_stay"])
    assert {each.name: each.verdict for each in found.verdicts}["points_stay"] != PROVED


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
def test_ctrl_c_leaves_a_valid_cache_and_no_processes(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "rulewright",
        "prove",
        "qwixx",
        "--jobs",
        "2",
        "--players",
        "2",
    ]
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # it may be ignored
    )  # fmt: skip
    proofs = tmp_path / "rulewright" / "proofs"
    while started.poll() is None and len(list(proofs.glob("*/*"))) < 10:
        time.sleep(0.05)
    os.killpg(started.pid, signal.SIGINT)
    shown, said = started.communicate()
    assert started.returncode == 3 and "unknown" in shown
    assert "not everything was asked: it was interrupted" in said
    with pytest.raises(ProcessLookupError):  # nobody is left of the group
        os.killpg(started.pid, 0)
    kept = [path for path in proofs.glob("*/*") if len(path.name) == 62]
    assert len(kept) >= 9
    for path in kept:
        head, _, body = path.read_text("utf-8").partition("\n")
        assert head.startswith("rulewright ") and json.loads(body)
    assert not list((proofs / "new").iterdir())
