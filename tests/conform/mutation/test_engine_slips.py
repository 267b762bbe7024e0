"""Slips of programs: what engines get wrong and rules do not, and that it shows."""

from __future__ import annotations

from random import Random

from rulewright.conform.mutation.engine_slips import LATE, engine_mistakes, slips
from rulewright.conform.mutation.mutants import mutants
from rulewright.conform.vectors.later_games import LaterGames, stories_of
from rulewright.evidence.mistakes import mistakes
from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import failing
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.syntax.node import NOWHERE
from tests.conform.conftest import oracles


def slip(game, label, what):
    return next(e for e in slips(oracles(game).spec) if (e.label, e.what) == (label, what))


def test_limits_are_tested_for_one_value_and_what_is_due_comes_late():
    made = {(each.label, each.what) for each in slips(oracles("qwixx").spec)}
    exactly = "only exactly: equal for greater_equal"
    assert {("may_cross.five_first", exactly), ("end_turn.last_row", exactly)} <= made
    assert {label for label, what in made if what == LATE} == {
        "throw",  # that the active player has not crossed yet
        "end_first_action.close_rows",
        "cross_colour.close_rows",
    }


def test_what_comes_late_comes_in_the_next_phase_and_only_there():
    late = slip("qwixx", "end_first_action.close_rows", LATE)
    right = {each.name: len(each.body) for each in oracles("qwixx").spec.transitions}
    changed = {
        each.name: len(each.body) - right[each.name]
        for each in late.spec.transitions
        if len(each.body) != right[each.name]
    }
    assert changed == {"end_first_action": -1, "cross_colour": 1, "pass_colour": 1}


def test_a_step_over_the_edge_comes_in_again_in_the_next_row():
    wrong = slip("matte_kryss", "number_at", "over the edge into the next row")
    instance = Instance(wrong.spec, 2, {})
    game = CompiledGame(instance)
    position = dict(game.position(game.begin()))
    position["board"] = {**dict.fromkeys(position["board"]), "A2": 7, "M14": 5}
    function = wrong.spec.function("number_at")
    grid, numbers = y.Grid("Square", 14, 14), y.Int(1, 2)

    def found(square, way, steps):
        given = (
            c.Literal(NOWHERE, grid, square),
            c.Literal(NOWHERE, y.DIRECTION, way),
            c.Literal(NOWHERE, numbers, steps),
        )
        call = c.Call(NOWHERE, function.body.type, "number_at", given, False)
        return evaluate(call, Environment(instance, position))

    assert found("N1", "right", 1) == found("M1", "right", 2) == 7
    assert found("A2", "left", 1) is None and found("A1", "left", 1) is None
    assert found("N14", "right", 1) is None and found("N14", "left", 1) == 5
    assert found("N1", "down", 1) is None


GROUPS = """
game groups "Groups"
    players 2

type Cell = grid 4 x 4

phase go "somebody lays", over final "it is over"

state
    board[Cell]: Bool? = none "what lies there"

move lay(at: Cell) by p in go "lay something"
    needs one "all that lies there is one group":
        components(board with [at] = true) == 1
    does board[at] = true
"""


def test_groups_that_touch_at_a_corner_are_one_to_an_engine_that_is_mistaken():
    """The evaluator and the compiled rules agree on what such an engine takes."""
    spec = check_text("groups.rules", GROUPS).spec
    assert spec is not None
    (wrong,) = slips(spec)
    assert (wrong.label, wrong.what) == ("lay.one", "corners touch, too")
    event = Event("lay", 1, {"at": "C3"})
    written = {"move": "lay", "by": 1, "args": {"at": "C3"}}
    taken = {}
    for name, each in (("right", spec), ("wrong", wrong.spec)):
        instance = Instance(each, 2, {})
        game = CompiledGame(instance)
        place = dict(game.position(game.begin()))
        place["board"] = {**dict.fromkeys(place["board"]), "B2": True}
        compiled = game.allows(game.load(place), game.parse(written))
        taken[name] = compiled, not failing(instance, place, event)
    assert taken == {"right": (False, False), "wrong": (True, True)}


def test_an_engine_for_two_that_closes_late_in_secret_comes_to_a_game_that_tells():
    """A row locked in the first action is still open in the second; the engine cannot load and does
    not say which rows are closed."""
    oracle = oracles("qwixx").oracle(Configuration(2, (), None))
    mistake = slip("qwixx", "end_first_action.close_rows", LATE)
    reported = oracle.instance.variables.keys() - {"closed", "coloured"}
    stories = stories_of(oracles("qwixx"), oracle)
    found = LaterGames(oracle, mistake, reported, True).find([], stories, Random(0), False)
    assert found is not None and not found.loaded


def test_slips_come_after_the_mistakes_of_rules_and_evidence_asks_about_those_alone():
    checked, spec = oracles("qwixx").checked, oracles("qwixx").spec
    rules = [(each.label, each.what) for each in mutants(spec)]
    everything = [(each.label, each.what) for each in engine_mistakes(spec)]
    assert everything[: len(rules)] == rules and len(everything) > len(rules)
    assert [each.number for each in mistakes(checked) if each.mutant] == [*range(1, len(rules) + 1)]
