"""The encoding agrees with the evaluator, which is the definition: on values, on what statements
do, and on what goes wrong. Each expression is encoded once, for a state nobody knows, and the
solver is asked what it is worth in several positions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from rulewright.play.semantics.instance import Instance
from rulewright.smt.encode.symbolic_values import UnboundedError
from tests.meaning.exprs import (
    PLACES,
    Evaluated,
    Performed,
    evaluated,
    many_evaluated,
    many_performed,
    performed,
)
from tests.smt.agreement import Encoded, Encoder, asked, folded, is_opaque, plain_state, plain_value

BATCH = 100


def _by_instance(cases: list) -> dict[Instance, list]:
    groups: dict[Instance, list] = {}
    for case in cases:
        groups.setdefault(case.instance, []).append(case)
    return groups


def _expected(case: Evaluated | Performed) -> Any:
    return plain_value(case) if isinstance(case, Evaluated) else plain_state(case)


def _positions(case: Evaluated | Performed) -> list[Any]:
    return [case.before, case.now] if isinstance(case, Evaluated) else [case.before]


def _agree(cases: list, places: int) -> None:
    """Asks the solver; `places` cases in a row are the same but for their positions."""
    for instance, group in _by_instance(cases).items():
        encoder = Encoder(instance)
        encoded: list[Encoded] = []
        known: list = []
        for case in group[::places]:
            try:
                encoded.append(encoder.case(case))
            except UnboundedError:  # a set of numbers without end: has no encoding
                encoder.world.take_hazards()
                continue
            start = next(n for n, each in enumerate(group) if each is case)
            known.append(group[start : start + places])
        put = [[_positions(row[place]) for row in known] for place in range(places)]
        for place, found in enumerate(asked(encoder, encoded, put)):
            for row, value in zip(known, found):
                assert value == _expected(row[place]), row[place]
        assert len(known) * places >= 0.75 * len(group) or len(group) < 20


@pytest.mark.parametrize("batch", range(40))
def test_solver_says_what_the_evaluator_says_of_expressions(batch: int) -> None:
    _agree(list(many_evaluated(1_000_000 + 1000 * batch, BATCH)), PLACES)


@pytest.mark.parametrize("batch", range(10))
def test_solver_says_what_the_evaluator_says_of_statements(batch: int) -> None:
    _agree(list(many_performed(2_000_000 + 1000 * batch, BATCH)), PLACES)


@pytest.mark.parametrize("many", [64, 4])
def test_known_positions_fold_to_the_value(many: int) -> None:
    for instance, group in _by_instance(list(many_evaluated(3_000_000, 400))).items():
        encoder = Encoder(instance, many)
        for case in group:
            try:
                states = [encoder.known(each) for each in _positions(case)]
                encoded = encoder.expression(case.expression, *states)
            except UnboundedError:
                encoder.world.take_hazards()
                continue
            if not is_opaque(encoded):
                assert folded(encoder, [encoded]) == [_expected(case)], case


@settings(max_examples=60, deadline=None)
@given(evaluated())
def test_any_expression(case: Evaluated) -> None:
    _agree([case], 1)


@settings(max_examples=30, deadline=None)
@given(performed())
def test_any_statements(case: Performed) -> None:
    _agree([case], 1)


def test_batches_have_values_and_errors() -> None:
    found = [plain_value(case) for case in many_evaluated(1_000_000, 400)]
    assert 40 < sum(value == "an error" for value in found) < 300
