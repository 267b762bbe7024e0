"""Law: compiled expressions and statements come to what the evaluator says, errors included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings

from checker.play.compile import layout
from checker.play.instance import Instance
from tests.meaning import exprs
from tests.meaning.exprs import Evaluated, Performed
from tests.play import agreement
from tests.play.agreement import Compiler

BATCH = 450
"""Cases in each of the tests below that roll dice; there are 20 such tests."""


@pytest.fixture(params=["usual", "tight"])
def kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """How values are kept: as usual, or as if all types were too big for it."""
    if request.param == "tight":
        monkeypatch.setattr(layout, "SPARSE", 2)
        monkeypatch.setattr(layout, "WIDEST_BITS", 2)
        monkeypatch.setattr(layout, "MOST_SLOTS", 6)
    compilers.cache_clear()
    yield request.param
    compilers.cache_clear()


@cache
def compilers(instance: Instance) -> Compiler:
    return Compiler(instance)


def agree_on_value(case: Evaluated) -> None:
    compiled = compilers(case.instance).value(case.expression, case.before, case.now)
    assert compiled == agreement.evaluated(case.expression, case.instance, case.before, case.now)


def agree_on_position(case: Performed) -> None:
    compiled = compilers(case.instance).after(case.statements, case.before)
    assert compiled == agreement.performed(case.statements, case.instance, case.before)


@pytest.mark.parametrize("batch", range(7))
def test_random_expressions_agree(batch: int, kept: str):
    seed = 1_000_000 * (batch + 1) + (500_000 if kept == "tight" else 0)
    for case in exprs.many_evaluated(seed, BATCH):
        agree_on_value(case)


@pytest.mark.parametrize("batch", range(3))
def test_random_statements_agree(batch: int, kept: str):
    seed = 9_000_000 * (batch + 1) + (500_000 if kept == "tight" else 0)
    for case in exprs.many_performed(seed, BATCH):
        agree_on_position(case)


@settings(max_examples=150)
@given(case=exprs.evaluated())
def test_an_expression_agrees(case: Evaluated):
    agree_on_value(case)


@settings(max_examples=100)
@given(case=exprs.performed())
def test_statements_agree(case: Performed):
    agree_on_position(case)
