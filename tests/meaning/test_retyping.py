"""Types worked out anew: those of an unchanged core stay, those of a mutant fit what it says, so
that the compiled code of every mutant agrees with the evaluator."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.conform.mutation.mutants import Mutant, mutants
from rulewright.frontend import check_text
from rulewright.meaning import types as y
from rulewright.meaning.core import Spec
from rulewright.meaning.retyping import retyped, retyped_block
from rulewright.play.semantics import rules
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.values import Position
from rulewright.resources import bundled_specs
from rulewright.simulate.compiled.compiled_game import CompiledGame
from tests.meaning.states import playground
from tests.play.games import bundled

NARROW = """
game narrow "Narrow"
    players 1..2

phase walk, over final

state
    at: 0..4 = 0 "where"
    seen: Set[1..5] = {} "been there"
    mark[1..5]: 0..3 = 0 "how often"
    far: 0..60 = 0 "how far"

fun worth(n: 1..5): 0..9 = n + mark[n]

move go(step: 1..2) by p in walk "go on"
    needs free "not too often": mark[at + 1] < 3
    needs inside "not beyond": at + step <= 4
    needs fresh "not twice": not (at + 1 in seen) or mark[at + 1] == 0
    needs apart "none is full": all n in 1..at: mark[n] < 3 or n + 1 in seen
    needs low "not too many": (sum n in 1..3: mark[n + 1]) < 9
    does
        let here = at + 1
        seen += {here}
        mark[here] += 1
        for n in 1..2:
            far += mark[n + 3]
        far += worth(at + 1)
        far += size({each n in 1..4: n + 1})
        at += step

move stop() by p in walk "stop"
    needs end "at the end, or often enough": at >= 3 or mark[at + 1] == 3
    does
        phase = over
"""


def narrow() -> Spec:
    spec = check_text("narrow.rules", NARROW).spec
    assert spec is not None
    return spec


def specs() -> list[Spec]:
    found = [bundled(name).spec for name in bundled_specs()]
    return [*(each for each in found if each is not None), playground(), narrow()]


@pytest.mark.parametrize("spec", specs(), ids=lambda each: each.name)
def test_what_is_unchanged_keeps_its_types(spec: Spec):
    for function in spec.functions:
        assert retyped(function.body) == function.body
    for claim in spec.properties:
        assert retyped(claim.claim) == claim.claim
    for effect in spec.effects:
        assert retyped_block(effect.body) == effect.body
    for transition in spec.transitions:
        assert retyped_block(transition.body) == transition.body
        for needed in transition.requirements:
            assert retyped(needed.condition) == needed.condition


def test_a_mutant_has_the_types_of_what_it_says():
    found = next(each for each in mutants(narrow())
                 if each.label == "go.free" and each.what == "one more: 2 for 1")  # fmt: skip
    condition: Any = found.condition
    assert condition.left.key.type == y.Int(2, 6)


@pytest.mark.parametrize("mutant", mutants(narrow()), ids=lambda each: f"{each.label}: {each.what}")
def test_a_compiled_mutant_says_what_the_evaluator_says(mutant: Mutant):
    """In every position of the game: what refuses an event, and where it leads."""
    instance, honest = Instance(mutant.spec, 1), Instance(narrow(), 1)
    game = CompiledGame(instance)
    known: set[str] = set()
    waiting = list(initial_positions(honest))
    while waiting:
        position = waiting.pop()
        for event in legal_moves(honest, position):
            after = rules.apply(honest, position, event)[-1].after
            if (key := repr(after)) not in known and len(known) < 150:
                known.add(key)
                waiting.append(after)
            _compare(game, position, event)


def _compare(game: CompiledGame, position: Position, event: Event) -> None:
    instance, state, encoded = game.instance, game.load(position), game.encode(event)
    failing = _said(lambda: rules.failing(instance, position, event))
    assert _said(lambda: game.broken(state, encoded)) == failing
    tried = _said(lambda: game.attempt(state, encoded))
    if failing == []:
        tried = tried if isinstance(tried, tuple) else game.position(tried)
        failing = _said(lambda: rules.apply(instance, position, event)[-1].after)
    assert tried == failing


def _said(ask: Any) -> Any:
    try:
        return ask()
    except EvaluationError as error:
        return error.message, error.span
