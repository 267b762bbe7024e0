"""Small games: all their positions are gone through where an induction does not do."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.conform.mutation.mutants import mutants
from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.run.prover import prove
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.search.explicit_state import explore_all_states
from rulewright.prove.search.search_goals import OBLIGED, PropertyGoal, SearchGoal
from tests.prove.search.explored import explored
from tests.prove.search.test_agrees_with_all_games import GAMES, spec_of

MANY = 1_000_000
LAPS = """game laps "Laps"
    players 1..1
type Field = 0..10
phase go, rest final
state
    at: Field = 0
    speed: 1..3 = 1
move walk by p in go "walk on"
    does at = (at + 4 * speed) % 11
move push by p in go "go faster"
    needs slow "not too fast": at == 4 and speed < 3
    does speed += 1
invariant never_ten "ten is passed over at this speed": at == 10 implies speed != 2
invariant slow "nobody goes faster than this": speed < 3
possible first "as far as three": at == 3
"""


def instance(text: str = LAPS) -> Instance:
    spec = check_text("laps.rules", text).spec
    assert spec is not None
    return Instance(spec, 1)


def target(game: Instance, name: str) -> Any:
    property = next(each for each in game.spec.properties if each.name == name)
    return PropertyGoal(property, broken=property.kind != "possible")


def test_the_game_is_the_shortest() -> None:
    game = instance()
    found = explore_all_states(game, target(game, "slow"), 5.0, MANY)
    assert found is not None and found.game is not None and found.game.shortest
    assert [each.name for each in found.game.events] == ["walk", "push", "push"]


def test_what_no_position_shows_is_proved() -> None:
    game = instance(LAPS.replace("speed < 3\n    does", "speed < 1\n    does"))
    found = explore_all_states(game, target(game, "slow"), 5.0, MANY)
    assert found is not None and found.complete and (found.turns, found.unit) == (11, "position")


def test_where_nothing_follows_counts_as_well() -> None:
    stopping = LAPS.replace("does at =", 'needs short "not from eight": at != 8\n    does at =')
    found = explore_all_states(instance(stopping), OBLIGED["goes_on"], 5.0, MANY)
    assert found is not None and found.game is not None
    assert [each.name for each in found.game.events] == ["walk", "walk"]


def test_too_many_positions_are_left_to_others() -> None:
    game = instance(LAPS.replace("speed < 3\n    does", "speed < 1\n    does"))
    assert explore_all_states(game, target(game, "slow"), 5.0, 10) is None
    assert explore_all_states(game, target(game, "slow"), 0.0, MANY) is None


def test_moves_that_are_only_proposed_are_left_to_others() -> None:
    game = instance(
        LAPS.replace("type Field", "type Spot = grid 2 x 1\ntype Field")
        + """
move put(b[Spot]: Field?) by p in go "put"
    propose one "one" for n: Field: [A1: n, else: none]
"""
    )
    assert explore_all_states(game, target(game, "slow"), 5.0, MANY) is None


def small_games() -> list[tuple[str, c.Spec]]:
    """Games that the evaluator can go through as well, and mutants of them."""
    found = []
    for name, text in GAMES.items():
        spec = spec_of(text)
        found.append((name, spec))
        found += [(f"{name}: {each.label} {each.what}", each.spec) for each in mutants(spec)[::11]]
    return found


@pytest.mark.parametrize("case", small_games(), ids=lambda case: case[0])
def test_inside_the_module_all_is_found_that_the_evaluator_finds(case: tuple[str, c.Spec]) -> None:
    game = Instance(case[1], 2)
    truth = explored(game)
    claims = [each for each in game.spec.properties if each.kind in ("invariant", "always")]
    reached = [each for each in game.spec.properties if each.kind == "possible"]
    targets: list[tuple[SearchGoal, bool]] = [
        *((PropertyGoal(each, broken=True), each.name in truth.broken) for each in claims),
        *((PropertyGoal(each, broken=False), each.name in truth.reached) for each in reached),
        (OBLIGED["goes_on"], "goes_on" in truth.broken),
        (OBLIGED["safe"], "safe" in truth.broken),
    ]
    decided = 0
    for each, met in targets:
        found = explore_all_states(game, each, 5.0, MANY)
        if found is None:  # the rules have no answer somewhere on the way
            assert "safe" in truth.broken
            continue
        decided += 1
        assert (found.game is not None) == met, each.name
        if found.game is None:
            assert found.turns == truth.positions
    assert decided or "safe" in truth.broken


CYCLES = """game laps "Laps"
    players 1..1
phase go, rest final
state
    at: 0..100 = 0
    far: 0..102 = 0
move walk by p in go "walk on"
    does
        at = (at * 5 + 3) % 101
        far = (far + 7) % 103
move halt by p in go "stop"
    needs home "only at the start": at == 0
    does phase = rest
invariant never "never both": not (at == 75 and far == 6)
possible there "both": at == 75 and far == 6
"""


def test_what_holds_in_more_positions_than_the_kernel_goes_through_is_bounded() -> None:
    spec = spec_of(CYCLES)
    run = Scheduler({None: spec}, ProverOptions(1.0), None, 1, lambda done, of: None)
    [proved] = prove({None: spec}, [Configuration(1, (), None)], run, ())
    said = {each.name: (each.verdict, each.reason) for each in proved.verdicts}
    many = "2,678 positions that games reach"
    assert said["never"] == ("bounded", f"it holds in all {many}, by the compiled rules")
    assert said["there"] == ("unknown", f"none of the {many} shows it, by the compiled rules")
