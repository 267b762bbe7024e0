"""Law: what is claimed `initially` is so exactly if it is so in every position that games begin
with."""

from __future__ import annotations

import pytest

from fuzz.generate.specs import draft
from fuzz.truth.choices import TooManyError, beginnings
from rulewright.frontend import check_text
from rulewright.meaning.beginnings import UnlistedError, about_beginnings
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance

SEEDS = 60
GAME = """
game small "Small"
    players 2

phase play, over final

state
    first_one: Player
    left: 0..9 = 7
    each Player
        held: 0..3 = 2

start
    not_second: first_one == 1

fun together(): 0..20 = left + sum p: Player: held[p]

move take by p in play
    does left -= 1

"""


def test_random_claims_are_so_at_every_beginning():
    compared = 0
    for seed in range(SEEDS):
        checked = check_text("fuzz.rules", draft(seed).text())
        if checked.spec is None:
            continue
        spec = checked.spec
        instance = Instance(spec, spec.least)
        functions = {each.name: each for each in spec.functions}
        try:
            starts, safe = beginnings(instance)
        except (TooManyError, UsageError, EvaluationError):
            continue
        if not starts:
            continue
        for claim in (each.claim for each in spec.properties if each.kind == "invariant"):
            try:
                theorem = about_beginnings(claim, spec.variables, spec.start, functions)
                said = evaluate(theorem, Environment(instance, {}, {}))
                seen = all(evaluate(claim, Environment(instance, at, at)) for at in starts)
            except (UnlistedError, EvaluationError):
                continue
            assert said == seen, (seed, claim)
            compared += safe
    assert compared > SEEDS


@pytest.mark.parametrize(
    ("claim", "holds"),
    [("left == 7", True), ("first_one == 1", True), ("together() == 11", True),
     ("left < 7", False), ("first_one == 2", False), ("all p: Player: held[p] == 3", False)],
)  # fmt: skip
def test_a_claim_about_the_beginning(claim: str, holds: bool):
    checked = check_text("small.rules", GAME + f"initially it: {claim}\n")
    assert checked.spec is not None
    [property] = checked.spec.properties
    instance = Instance(checked.spec, 2)
    assert evaluate(property.claim, Environment(instance, {}, {})) is holds


def test_what_may_begin_with_anything_can_be_too_much():
    text = GAME.replace("held: 0..3 = 2", "held: 0..3")
    checked = check_text("small.rules", text + "initially it: held[first_one] > 0\n")
    assert [each.code for each in checked.diagnostics] == ["RW209"]


def test_nothing_is_of_the_type_of_the_variable():
    """Of `{}` alone, nobody could say what lies beside what."""
    board = GAME.replace("state\n", "type Square = grid 3 x 3\nstate\n    s: Set[Square] = {}\n", 1)
    claim = "size(reach(A1, s)) == 0 and not connected(A1, s, s)"
    checked = check_text("small.rules", f"{board}initially it: {claim}\n")
    assert checked.spec is not None, checked.diagnostics
    [property] = checked.spec.properties
    assert evaluate(property.claim, Environment(Instance(checked.spec, 2), {}, {})) is True
