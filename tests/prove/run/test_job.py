"""What a worker takes along from one setting to the next, and what it asks first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.query import Query
from rulewright.meaning.core import Spec, Transition
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run import job
from rulewright.prove.run.job import MANY_TERMS, Job, Worker
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict import sanity_checks
from rulewright.resources import bundled_games
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.vc import conditions
from rulewright.vc.context import ProofContext

TWO, THREE = (Configuration(players, (), None) for players in (2, 3))
COUNTING = """game counting "Counting"
    players 2..3

phase play, over final

state
    active: Player
    count: 0..8 = 0

move add(more: 1..2) by p in play "add something"
    needs turn "it is the player's turn": p == active
    needs room "there is room": count < 7
    does
        count += more
        active = left_of(active)

move stop by p in play "stop"
    needs turn "it is the player's turn": p == active
    needs full "it is full": count >= {full}
    does phase = over

theorem small "two and two are four": 2 + 2 == 4
theorem pair "there are two players": players == 2
"""


def spec_of(text: str) -> Spec:
    spec = check_text("counting", text).spec
    assert spec is not None
    return spec


def worker_of(full: int, many_terms: int = MANY_TERMS) -> Worker:
    specs: dict[str | None, Spec] = {None: spec_of(COUNTING.format(full=full))}
    return Worker(specs, ProverOptions(10), Cache(None), many_terms)


def test_settings_share_their_terms_until_there_are_many() -> None:
    worker = worker_of(7)
    terms = worker.context(TWO).terms
    assert worker.context(THREE).terms is terms
    worker = worker_of(7, many_terms=1)
    assert worker.context(TWO).terms is not worker.context(THREE).terms


def test_what_has_another_interval_in_another_setting_is_another_unknown() -> None:
    terms = TermBuilder()
    few, many = (terms.unknown("active", 1, players) for players in (2, 5))
    assert few is not many and terms.unknown("active", 1, 2) is few
    third = terms.number(3)
    assert terms.equal(few, third) is terms.truth(False)
    assert "5" in script([LabelledAssertion("", terms.equal(many, third))]).text


@pytest.mark.parametrize("players", [(2, 3), (3, 2)])
def test_a_theorem_that_speaks_of_the_players_is_looked_at_in_each_setting(
    players: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    worker, looked_at = worker_of(7), []
    is_true = sanity_checks._is_true

    def counted(context: ProofContext, *given: object) -> bool:
        looked_at.append(context.configuration.players)
        return is_true(context, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(sanity_checks, "_is_true", counted)
    for number in players:
        outcomes = worker.run(Job(Configuration(number, (), None), "theorems"))
        found = {each.name: each.result == each.wants for each in outcomes}
        assert found == {"small": True, "pair": number == 2}
    assert looked_at == [players[0], players[0], players[1]]


@pytest.mark.parametrize(
    ("full", "asked", "result"),
    [
        (0, ["without add"], "unsat"),
        (7, ["without add", "all"], "unsat"),
        (8, ["without add", "all"], "sat"),
    ],
    ids=["one can always stop", "or add", "or neither"],
)
def test_a_way_on_is_first_sought_where_nothing_is_to_be_chosen(
    full: int, asked: list[str], result: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, said = conditions.stuck, []

    def noted(context: ProofContext, without: Sequence[Transition] = ()) -> Query:
        said.append(" ".join(["without", *(each.name for each in without)]) if without else "all")
        return stuck(context, without)

    monkeypatch.setattr(conditions, "stuck", noted)
    outcomes = worker_of(full).run(Job(TWO, "stuck"))
    assert said == asked
    assert [(each.name, each.result) for each in outcomes] == [
        ("goes_on", result), ("safe", "unsat"),  # what is counted when it is over has a value
    ]  # fmt: skip


def test_where_everything_takes_a_choice_everything_is_asked_at_once() -> None:
    spec = spec_of(bundled_games()["qwixx"].read_text("utf-8"))
    context = ProofContext(spec, TWO)
    chosen = {
        phase: [each.name for each in job._with_a_choice(context.in_phase(phase))]
        for phase in ("throw", "first_action", "second_action")
    }
    assert chosen == {
        "throw": [], "first_action": ["cross_sum"], "second_action": ["cross_colour"],
    }  # fmt: skip
