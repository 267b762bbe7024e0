"""A signal ends what is done, even where Python swallows what it raises."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from rulewright.system.interrupts import Limit, StoppedError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


class Swallowing:
    """What is raised while an object is thrown away is shown and forgotten."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        sum(range(100))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_was_swallowed_is_raised_again() -> None:
    def work() -> None:
        Swallowing()
        while True:
            sum(range(1000))

    limit = Limit()
    with limit.watched(), pytest.raises(StoppedError) as end:
        work()
    assert end.value.why == "it was ended by a signal" and limit.over


def test_who_asked_why_is_left_alone() -> None:
    limit = Limit()
    with limit.watched():
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except StoppedError as end:
            why = end.why
        used = os.times().user
        while os.times().user < used + 1.0:
            pass
    assert why == "it was interrupted"


def test_who_is_polite_is_woken_and_not_disturbed() -> None:
    limit = Limit()
    with limit.watched(), limit.politely():
        (ready,) = limit.wakes
        assert not ready.poll() and not limit.over
        os.kill(os.getpid(), signal.SIGTERM)
        assert ready.poll() and limit.over and limit.left() == 0
    assert limit.reason == "it was ended by a signal"


def test_signals_are_as_they_were_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    with Limit(3600).watched():
        assert signal.getsignal(signal.SIGTERM) != before[0]
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
