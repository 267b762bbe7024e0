"""What is worked out before a game is played takes little time, whatever a spec says."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.meaning import core as c
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.wasm.analysis import domain_pruning
from rulewright.wasm.runtime.link import CompiledModule
from tests.play.games import small

COUNTED = """
    phase play, over final
    state
        n: 0..9 = 0
    fun sevens(m: 0..9): Int = count i in 0..{most}: i % 7 == m
    move look(m: 0..9) by p in play
        needs many "no": sevens(m) > 5
        does n = m
"""


@pytest.mark.parametrize(("most", "tried"), [(20, True), (2_000_000, False)])
def test_a_condition_is_tried_for_all_values_only_if_that_is_quick(
    most: int, tried: bool, monkeypatch: pytest.MonkeyPatch
):
    calls = []

    def counted(e: c.Expr, env: Environment) -> Any:
        calls.append(e)
        return evaluate(e, env)

    monkeypatch.setattr(domain_pruning, "evaluate", counted)
    CompiledModule(small(COUNTED.format(most=most), 2))
    assert bool(calls) == tried
