"""Law: expressions and statements compiled to WebAssembly come to what the evaluator says, errors
included."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from rulewright.play.semantics import values
from rulewright.wasm.codegen import data_layout
from tests.meaning import exprs
from tests.meaning.exprs import Evaluated, Performed
from tests.meaning.states import any_position
from tests.wasm.agreement import Batch

EXPRESSIONS = 1500
STATEMENTS = 1000
FEW = 0.02
"""The share of cases that may be beyond what is compiled: sets of numbers without limits."""


@pytest.fixture(params=["usual", "tight"])
def kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How values are kept: as usual, or as if all types were too big for it."""
    if request.param == "tight":
        monkeypatch.setattr(data_layout, "MASK", 2)
        monkeypatch.setattr(values, "DENSE", 4)
    any_position.cache_clear()
    return str(request.param)


@pytest.mark.parametrize("batch", range(6))
def test_random_expressions_agree(batch: int, kept: str):
    seed = 40_000_000 + 100_000 * batch + (50_000 if kept == "tight" else 0)
    together = Batch(list(exprs.many_evaluated(seed, EXPRESSIONS)))
    assert together.compare() >= (1 - FEW) * EXPRESSIONS


@pytest.mark.parametrize("batch", range(3))
def test_random_statements_agree(batch: int, kept: str):
    seed = 80_000_000 + 100_000 * batch + (50_000 if kept == "tight" else 0)
    cases = list(exprs.many_performed(seed, STATEMENTS))
    together = Batch(cases)
    assert together.compare() >= (1 - FEW) * STATEMENTS


@settings(max_examples=60)
@given(case=exprs.evaluated())
def test_an_expression_agrees(case: Evaluated):
    Batch([case]).compare()


@settings(max_examples=40)
@given(case=exprs.performed())
def test_statements_agree(case: Performed):
    Batch([case]).compare()
