"""Whoever looks after solvers interrupts one whose time is over, and no other."""

from __future__ import annotations

import sys
from multiprocessing import get_context
from time import process_time, sleep
from weakref import ref

import pytest

from checker.smt import patience
from checker.smt.patience import Patience


def work(seconds: float) -> None:
    """Keeps the processor busy."""
    until = process_time() + seconds
    while process_time() < until:
        pass


def interruptions(looks_after: Patience, seconds: float, worked: float) -> int:
    """How often something is interrupted that works so long and may so long."""
    told: list[None] = []
    with looks_after.within(seconds, lambda: told.append(None)):
        work(worked)
    return len(told)


def test_what_takes_too_long_is_interrupted_once() -> None:
    assert interruptions(Patience(), 0.05, 0.4) == 1


def test_what_is_done_in_time_is_left_alone() -> None:
    looks_after = Patience()
    told: list[None] = []
    with looks_after.within(0.1, lambda: told.append(None)):
        pass
    work(0.3)
    assert not told


def test_what_is_done_is_let_go() -> None:
    class Solver:
        def interrupt(self) -> None:
            raise AssertionError

    looks_after, solver = Patience(), Solver()
    known = ref(solver)
    with looks_after.within(5, solver.interrupt):
        sleep(3 * patience.LOOK)  # it was looked at
    del solver
    assert known() is None


def test_waiting_is_not_working() -> None:
    told: list[None] = []
    with Patience().within(0.2, lambda: told.append(None)):
        sleep(0.5)
    assert not told


def test_each_question_has_its_own_time() -> None:
    looks_after = Patience()
    outer: list[None] = []
    with looks_after.within(5, lambda: outer.append(None)):
        assert interruptions(looks_after, 0.05, 0.4) == 1
    assert not outer


def test_it_looks_again_after_nobody_asked_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "IDLE", 1)
    looks_after = Patience()
    assert interruptions(looks_after, 0.05, 0.4) == 1
    sleep(0.2)
    assert looks_after._thread is None
    assert interruptions(looks_after, 0.05, 0.4) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only there are workers forked")
def test_a_worker_that_was_forked_looks_for_itself() -> None:
    looks_after = Patience()
    assert interruptions(looks_after, 5, 0.01) == 0
    context = get_context("fork")
    receiving, sending = context.Pipe()
    child = context.Process(
        target=lambda: sending.send(interruptions(looks_after, 0.05, 0.4)), daemon=True
    )
    child.start()
    assert receiving.poll(30) and receiving.recv() == 1
    child.join()
