"""The explorer knows the truth: of small games whose truth anybody can see."""

from __future__ import annotations

import pytest

from fuzz.truth.explorer import Truth, explored
from rulewright.frontend import check_text
from rulewright.play.semantics.instance import Instance

HEAD = """game g "g"
    players 2..2
"""
COUNTER = """phase a, b, over final
state
    n: 0..5 = 0
move up by p in a "up"
    needs low "low": n < 3
    does n += 1
move on by p in a "on"
    needs high "high": n == 3
    does phase = b
move stop by p in b "stop"
    does phase = over
"""
ENABLING = """phase act simultaneous, over final
state
    up: Bool = false
    each Player
        joined: Bool = false
move raise by p in act "raise"
    does up = true
move join by p in act "join"
    needs is_up "up": up
    does joined[p] = true
step done in act "done"
    when everybody "all": all p: Player: p in answered
    does phase = over
"""


def truth_of(text: str) -> Truth:
    checked = check_text("small.rules", HEAD + text)
    assert checked.spec is not None, checked.diagnostics
    return explored(Instance(checked.spec))


def test_goes_through_every_position():
    truth = truth_of(COUNTER)
    assert truth.complete and truth.positions == 6 and truth.starts == 1
    assert not truth.broken and not truth.endless
    assert truth.happened == {"up", "on", "stop"}
    assert truth.decisive == {"up.low", "on.high"}


def test_an_invariant_breaks_after_as_many_events_as_it_takes():
    truth = truth_of(COUNTER + 'invariant few "few": n <= 1\ninvariant all_well "well": n <= 3\n')
    assert truth.broken == {("few", "invariant"): (2, 2)}


def test_an_invariant_without_a_value_is_broken():
    truth = truth_of(COUNTER + 'invariant odd "odd": 6 / (2 - n) > 0\n')
    assert ("odd", "invariant") in truth.broken


def test_always_looks_at_two_positions():
    claims = 'always rises "rises": n >= old(n)\nalways same "same": n == old(n)\n'
    assert set(truth_of(COUNTER + claims).broken) == {("same", "always")}


def test_what_is_possible_is_reached():
    truth = truth_of(COUNTER + 'possible three "three": n == 3\npossible four "four": n == 4\n')
    assert truth.reached == {"three": (3, 3)}


def test_what_happens_at_the_start_is_not_settled_by_steps():
    game = """phase a, over final
state
    n: 0..1 = 0
step on in a "on"
    when first "first": n == 0
    does phase = over
"""
    assert truth_of(game).broken == {("goes_on", "flow"): (0, 0)}


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("n < 3", set()),
        ("n < 6", {("safe", "safety")}),
        ("6 / (2 - n) > 0", {("safe", "safety")}),
        ("n < 3 and 6 / (3 - n) > 0", set()),
    ],
)
def test_everything_that_is_asked_must_have_a_value(line: str, broken: set[tuple[str, str]]):
    found = truth_of(COUNTER.replace("n < 3", line)).broken
    assert {each for each in found if each[0] == "safe"} == broken


def test_a_move_that_another_player_enables_minds_the_order():
    assert set(truth_of(ENABLING).broken) == {("order", "order")}
    alone = ENABLING.replace('needs is_up "up": up', 'needs is_up "up": true')
    assert not truth_of(alone).broken


def test_a_step_between_two_moves_minds_the_order():
    early = ENABLING.replace("all p: Player: p in answered", "up")
    assert ("order", "order") in truth_of(early).broken


def test_steps_that_never_stop_and_steps_that_disagree():
    steps = """step one in b "one"
    when low "low": n < 5
    does n = 0
step two in b "two"
    when low "low": n < 5
    does n = 1
"""
    broken = truth_of(COUNTER + steps).broken
    assert ("one_step", "steps") in broken and ("steps_stop", "steps") in broken


@pytest.mark.parametrize(
    ("measure", "fine", "endless"),
    [("3 - n", True, False), ("n", False, False), ("2 - n", False, False)],
)
def test_a_measure_is_not_negative_and_falls(measure: str, fine: bool, endless: bool):
    truth = truth_of(COUNTER + f'ends e "e" by ({measure}) at a\n')
    assert (("e", "ends") not in truth.broken) is fine
    assert truth.endless is endless
    assert truth.rounds["e"] == 4


def test_a_loop_before_the_phase_of_a_measure_is_endless():
    game = COUNTER.replace("n += 1", "n = (n + 1) % 3") + 'ends e "e" by (n) at b\n'
    assert truth_of(game).endless


def test_a_theorem_has_a_value_and_is_true():
    table = "table t[0..2]: 0..9\n    0 1 4\n"
    claims = (
        'theorem squares "squares": all x in 0..2: t[x] == x * x\n'
        'theorem twice "twice": all x in 0..2: t[x] == 2 * x\n'
    )
    assert set(truth_of(table + COUNTER + claims).broken) == {("twice", "theorem")}


def test_a_condition_that_never_comes_about_says_nothing():
    claims = (
        'invariant late "late": n == 3 implies phase != over\n'
        'invariant never "never": n == 5 implies phase == over\n'
    )
    assert truth_of(COUNTER + claims).said == {"late"}


def test_a_game_with_too_many_positions_is_not_called_complete():
    game = COUNTER.replace("n: 0..5 = 0", "n: 0..5 = 0\n    m[1..9]: 0..5 = 0").replace(
        "does n += 1", "does m[1 + n] = 5"
    )
    big = game + 'move set(i: 1..9, v: 0..5) by p in a "set"\n    does m[i] = v\n'
    assert not truth_of(big).complete
