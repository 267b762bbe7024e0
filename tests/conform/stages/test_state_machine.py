"""The state machine of Hypothesis: extended, shortened, kept in its database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from rulewright.api import EngineMachine
from tests.conform.stages import authors_engines as engines

ROWS = Path(__file__).parent / "rows.rules"


def settled(database: InMemoryExampleDatabase | None = None, *phases: Phase) -> settings:
    return settings(
        deadline=None,
        max_examples=20 if database is None else 2_000,  # at random: until it is found
        stateful_step_count=6,
        derandomize=database is None,
        database=database,
        phases=phases or list(Phase),
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )


def machine(of: type, **more: object) -> type[EngineMachine]:
    return type("Machine", (EngineMachine,), {"spec": ROWS, "engine": of, "players": 2, **more})


@pytest.mark.parametrize("right", [engines.CanLoad])
def test_a_right_engine_passes(right):
    run_state_machine_as_test(machine(right), settings=settled())


class WrongTwice(engines.Rows):
    """Lets the second player pass no more, and reports another number for a four."""

    def _answer(self, event: dict[str, Any], args: dict[str, Any]) -> None:
        if event == {"move": "pass", "by": 2, "args": {}}:
            raise ValueError("you have to cross")
        super()._answer(event, args)

    def state(self) -> dict[str, Any]:
        return {**super().state(), "pips": 5 if self.pips == 4 else self.pips}


def failure(of: type, **more: object) -> BaseException:
    with pytest.raises((AssertionError, ExceptionGroup)) as caught:
        run_state_machine_as_test(machine(of, **more), settings=settled())
    return caught.value


def every(error: BaseException) -> list[str]:
    return [str(each) for each in getattr(error, "exceptions", (error,))]


def test_different_faults_are_different_failures_each_in_a_short_game():
    stories = every(failure(WrongTwice))
    assert len(stories) == 2
    assert any("the engine refuses `pass by 2`" in each for each in stories)
    assert any("expected: pips = 4" in each for each in stories), stories
    for each in stories:
        assert "<-- here" in each and each.count(" plays ") < 3


class Counting(EngineMachine):
    """Counts passes of its own."""

    spec = ROWS
    engine = engines.Rows
    players = 2
    passes: int

    @precondition(lambda self: self.position["phase"] == "answer")
    @rule()
    def first_passes(self) -> None:
        wanted = 1 not in self.position["answered"]
        assert self.play({"move": "pass", "by": 1, "args": {}}) == wanted

    @invariant()
    def what_it_reports_is_so(self) -> None:
        assert self.reported == self.position
        assert self.under_test.players == 2
        assert self.finished or self.position["phase"] != "answer" or self.legal

    @invariant()
    def a_three_never_falls(self) -> None:
        assert self.position["pips"] != 3, "a rule of my own"


def test_rules_and_invariants_of_ones_own_are_used_and_kept_in_the_database():
    database = InMemoryExampleDatabase()
    with pytest.raises(AssertionError, match="a rule of my own"):
        run_state_machine_as_test(Counting, settings=settled(database, Phase.generate))
    assert any(database.data.values())
    with pytest.raises(AssertionError, match="a rule of my own"):  # only what was kept is played
        run_state_machine_as_test(Counting, settings=settled(database, Phase.reuse))


def test_what_cannot_be_used_is_said():
    from rulewright.api import UsageError

    for more in ({"spec": "nowhere"}, {"players": 9}):
        with pytest.raises(UsageError) as caught:
            run_state_machine_as_test(machine(engines.Rows, **more), settings=settled())
        assert caught.value.help
