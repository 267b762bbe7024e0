"""What was encoded before is only used again where it is worth the same."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from rulewright.resources import bundled_games
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.expression import ExpressionEncoder
from rulewright.smt.encode.symbolic_values import SymbolicMap
from rulewright.vc.context import ProofContext

HANDS = """
game hands "Hands"
    players 2..2

phase play, over final

state
    each Player
        hand: 0..3 = 1

fun weight(q: Player): Int = 2 * hand[q] + hand[q] * hand[q]

move take by p in play
    needs room "there is room": hand[p] < 3
    does
        hand[p] += 1

invariant somebody "somebody has something": some p: Player: hand[p] + hand[p] > 1
invariant heavy "somebody weighs something": some p: Player: weight(p) + weight(p) > 1
"""


def spec_of(text: str) -> c.Spec:
    spec = check_text("remembered", text).spec
    assert spec is not None
    return spec


@pytest.mark.parametrize("name", ["somebody", "heavy"])
def test_a_name_that_is_bound_inside_is_not_the_one_outside(name: str) -> None:
    context = ProofContext(spec_of(HANDS), Configuration(2, (), None))
    terms = context.terms
    claim = next(each.claim for each in context.spec.properties if each.name == name)
    told = []
    for others in (0, 3):
        hands = SymbolicMap({1: terms.number(0), 2: terms.number(others)})
        env = SymbolicEnvironment(
            {"hand": hands}, locals={"p": terms.number(1), "q": terms.number(1)}
        )
        told.append(context.ex.term(claim, env))
    assert told == [terms.truth(False), terms.truth(True)]


@pytest.mark.parametrize("game", ["qwixx", "twenty_one"])
def test_after_every_event_it_is_as_if_nothing_was_remembered(game: str) -> None:
    spec = spec_of(bundled_games()[game].read_text("utf-8"))
    context = ProofContext(spec, Configuration(3, (), None))
    for transition in spec.transitions:
        mover = {str(transition.mover): context.terms.number(2)} if transition.mover else {}
        locals = {**context.parameters(transition), **mover}
        after = context.statements.take(transition, context.state, locals).after
        for property in spec.properties:
            if property.kind in ("invariant", "always"):
                env = SymbolicEnvironment(context.state, after)
                anew = ExpressionEncoder(context.world).term(property.claim, env)
                assert context.ex.term(property.claim, env) is anew, property.name
