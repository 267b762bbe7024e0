"""What was encoded before is only used again where it is worth the same."""

from __future__ import annotations

import pytest

from checker.front import check_text
from checker.meaning import core as c
from checker.resources import bundled_games
from checker.smt.expression import Expressions
from checker.smt.scene import Scene
from checker.smt.value import Entries
from checker.vc.context import ProofContext, Setting

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
    ground = ProofContext(spec_of(HANDS), Setting(2, (), None))
    terms = ground.terms
    claim = next(each.claim for each in ground.spec.properties if each.name == name)
    told = []
    for others in (0, 3):
        hands = Entries({1: terms.number(0), 2: terms.number(others)})
        scene = Scene({"hand": hands}, locals={"p": terms.number(1), "q": terms.number(1)})
        told.append(ground.ex.term(claim, scene))
    assert told == [terms.truth(False), terms.truth(True)]


@pytest.mark.parametrize("game", ["qwixx", "twenty_one"])
def test_after_every_event_it_is_as_if_nothing_was_remembered(game: str) -> None:
    spec = spec_of(bundled_games()[game].read_text("utf-8"))
    ground = ProofContext(spec, Setting(3, (), None))
    for transition in spec.transitions:
        mover = {str(transition.mover): ground.terms.number(2)} if transition.mover else {}
        locals = {**ground.parameters(transition), **mover}
        after = ground.statements.take(transition, ground.state, locals).after
        for property in spec.properties:
            if property.kind in ("invariant", "always"):
                scene = Scene(ground.state, after)
                anew = Expressions(ground.world).term(property.claim, scene)
                assert ground.ex.term(property.claim, scene) is anew, property.name
