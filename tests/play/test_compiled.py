"""The compiled game: what its code looks like where that matters, and what it keeps to."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from checker.message import Text
from checker.play.compiled import Machine
from checker.play.errors import EvaluationError, UsageError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.random_play import play_out
from tests.play.games import bundled, game, small


def machine(name: str, players: int | None = None, **readings: str) -> Machine:
    return Machine(game(name, players, **readings), bundled(name).text)


def lines_of(source: str, name: str) -> list[str]:
    """The lines of a generated function."""
    found = source[source.index(f"def {name}(") :]
    return found[: found.index("\n\n")].splitlines()


def function_of(machine: Machine, kind: str, name: str) -> list[str]:
    """The lines of the function that does something of a spec."""
    legend = machine.generated.legend
    number = next(key for key, about in legend.items() if key.isdigit() and about == name)
    return lines_of(machine.generated.source, f"{kind}_{number}")


# ---- the code


def test_an_equality_with_a_table_is_solved_by_an_index():
    listed = function_of(machine("qwixx"), "moves", "first_action")
    assert any(re.search(r"for v\d+ in constant_\d+\[v\d+\]\[", line) for line in listed)
    assert not any("range(1, 12)" in line for line in listed)


def test_readings_and_the_number_of_players_are_known():
    at_once = machine("qwixx", 3)
    finish = machine("qwixx", 3, window_end="finish_turn")
    assert "s[0] = 3" in "".join(function_of(at_once, "step", "end_first_action"))
    assert "s[0] = 3" not in "".join(function_of(finish, "step", "end_first_action"))
    assert "if s[1] == 14:" in "".join(lines_of(at_once.generated.source, "due_step"))


def test_what_the_names_in_the_code_stand_for_is_told_beside_it():
    qwixx = machine("qwixx")
    qwixx.scores(qwixx.begin())
    generated = qwixx.generated
    lines = (bundled("qwixx").text or Text("", "")).text.split("\n")
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("fun score"))
    assert f"score, line {line}" in generated.legend.values()
    assert "cross_sum" in generated.legend.values()
    assert "cross" not in generated.source


def test_the_code_can_be_dumped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEWRIGHT_DUMP", str(tmp_path / "code"))
    machine("qwixx", 2)
    names, code = sorted((tmp_path / "code").iterdir())
    assert code.name == "qwixx_2_at_once_shared.py"
    assert "def do_1(s, event" in code.read_text()
    assert names.name == "qwixx_2_at_once_shared.names.json"
    assert "cross_sum" in json.loads(names.read_text()).values()


def test_a_check_that_cannot_fail_is_left_out():
    qwixx = machine("qwixx")
    assert "fail(" not in "".join(function_of(qwixx, "do", "cross_sum"))
    assert "fail(" in "".join(function_of(qwixx, "do", "pass_colour"))


# ---- what it keeps to


def test_leaving_a_range_is_an_error_that_names_the_variable_and_the_place():
    instance = small(
        """
        phase play
        state
            count[1..2]: 0..3 = 3
        move add(at: 1..2) by p in play
            does count[at] += 1
        """
    )
    machine = Machine(instance)
    with pytest.raises(EvaluationError) as raised:
        machine.apply(machine.begin(), machine.encode(Event("add", 1, {"at": 2})))
    assert raised.value.message == "`count[2]` is 4, outside 0..3"
    assign = instance.transitions["add"].body[0]
    assert raised.value.span == assign.span


def test_steps_that_do_not_stop_are_an_error():
    machine = Machine(
        small(
            """
            phase play
            state
                on: Bool = false
            move go by p in play
                does on = true
            step again in play
                when is_on "it is on": on
                does on = true
            """
        )
    )
    with pytest.raises(EvaluationError, match="the steps do not stop, among them `again`"):
        machine.apply(machine.begin(), (0, 1))


def test_a_failure_counts_only_where_nothing_else_refuses():
    """`10 / n` has no value for 0, but 0 is refused by the other requirement."""
    machine = Machine(
        small(
            """
            phase play
            move take(n: 0..3) by p in play
                needs many "it divides": 10 / n >= 4
                needs not_nothing "it is something": n > 0
            """
        )
    )
    state = machine.begin()
    assert {event[2] for event in machine.legal(state)} == {1, 2}
    with pytest.raises(EvaluationError, match="10 is divided by zero"):
        machine.allows(state, (0, 1, 0))


def test_a_failure_that_nothing_else_refuses_is_raised_when_moves_are_listed():
    machine = Machine(
        small(
            """
            phase play
            move take(n: 0..3) by p in play
                needs many "it divides": 10 / n >= 4
            """
        )
    )
    with pytest.raises(EvaluationError, match="10 is divided by zero"):
        machine.legal(machine.begin())


def test_sets_are_listed_from_what_they_may_hold():
    machine = Machine(
        small(
            """
            type Die = a | b | c | d
            phase play
            state
                free: Set[Die] = {a, c, d}
            move take(dice: Set[Die]) by p in play
                needs some_dice "there are some": dice != {}
                needs all_free "all are free": all d in dice: d in free
                needs not_c "c only alone": c in dice implies size(dice) == 1
            """,
            2,
        )
    )
    moves = [machine.decode(event) for event in machine.legal(machine.begin()) if event[1] == 1]
    assert [move.arguments["dice"] for move in moves] == [
        frozenset(each) for each in ("a", "c", "d", "ad")
    ]


def test_moves_with_too_many_parameters_are_checked_but_not_listed(many_choices):
    machine = Machine(
        small(
            """
            type Square = grid 20 x 20
            phase play
            state
                board[Square]: Bool? = none
            move lay(table[Square]: Bool?) by p in play
                needs something "something is laid": size(tally(table)) > 0
            chance draw(tiles: Bag[Bool]) in play
            """
        )
    )
    state = machine.begin()
    assert machine.allows(state, (0, 1, {5: True}))
    assert not machine.allows(state, (0, 1, {}))
    with pytest.raises(UsageError, match="`table` has too many possible values"):
        machine.legal(state)
    with pytest.raises(UsageError, match="`tiles` has too many possible values"):
        machine.draw(state, Random(1))


# ---- chance


def test_chance_has_its_true_odds():
    machine = Machine(
        small(
            """
            type Tile = a | b | c
            phase drawing
            state
                bag: Bag[Tile] = {a, a, a, b}
            chance draw(t: Tile) in drawing
                weight bag[t]
            """
        )
    )
    random, state = Random(1), machine.begin()
    drawn = Counter(machine.draw(state, random)[2] for _ in range(4000))  # type: ignore[index]
    assert set(drawn) == {0, 1}
    assert 0.72 < drawn[0] / 4000 < 0.78


def test_many_dice_are_thrown_without_going_through_all_outcomes():
    machine = Machine(
        small(
            """
            phase throwing
            chance throw(dice[1..12]: 1..6) in throwing
                needs not_all_six "not all are sixes": not all n in 1..12: dice[n] == 6
                needs first_low "the first is low": dice[1] <= 2
            """
        )
    )
    random, state = Random(1), machine.begin()
    thrown = [machine.draw(state, random) for _ in range(3000)]
    firsts = Counter(event[2][0] for event in thrown if event is not None)
    seconds = Counter(event[2][1] for event in thrown if event is not None)
    assert set(firsts) == {1, 2}
    assert all(420 < seconds[pips] < 580 for pips in range(1, 7))


def test_events_of_one_phase_are_as_likely_as_their_weights():
    """1 of 7 in 13: the coin weighs 6, the many dice 1 each of 36, but half are refused."""
    machine = Machine(
        small(
            """
            phase throwing
            chance coin in throwing
                weight 18
            chance throw(a: 1..6, b: 1..6, c: 1..20) in throwing
                needs even_sum "the sum is even": (a + b) % 2 == 0
                needs low "the third is 1": c == 1
                weight 1
            """
        )
    )
    random, state = Random(3), machine.begin()
    drawn = Counter(machine.draw(state, random)[0] for _ in range(3000))  # type: ignore[index]
    assert 0.46 < drawn[0] / 3000 < 0.54


def test_where_chance_has_nothing_to_decide_there_is_no_event():
    machine = Machine(
        small(
            """
            phase drawing
            state
                bag: Bag[Bool] = {}
            chance draw(t: Bool) in drawing
                weight bag[t]
            """
        )
    )
    assert machine.draw(machine.begin(), Random(1)) is None


# ---- proposals


def test_in_random_play_a_proposal_is_taken_as_soon_as_one_is_legal():
    """All proposals of a turn of Kubbar would take far longer than one."""
    kubbar = machine("kubbar", 2)
    random = Random(5)
    state = kubbar.begin(random)
    laid = 0
    while laid < 5:
        event = kubbar.choose(state, random)
        assert event is not None
        laid += kubbar.transitions[event[0]].name == "lay"
        assert kubbar.allows(state, event)
        kubbar.apply(state, event)


# ---- random games


@pytest.mark.parametrize("players", range(2, 6))
def test_random_games_of_qwixx_finish(players: int):
    qwixx = machine("qwixx", players)
    random = Random(players)
    for _ in range(200):
        state, events = play_out(qwixx, random)
        assert qwixx.is_final(state)
        assert events < 1000
        assert qwixx.winners(state)


def test_the_same_seed_is_the_same_game():
    qwixx = machine("qwixx", 3)
    assert play_out(qwixx, Random(8)) == play_out(qwixx, Random(8))
    assert play_out(qwixx, Random(8)) != play_out(qwixx, Random(9))


def test_players_that_do_not_play_are_out_of_range():
    """Seat 4 is a player of the game, but not of this one."""
    instance = small(
        """
        phase play
        state
            turn: Player = 1
        move give by p in play
            does turn = 4
        """,
        3,
    )
    compiled = Machine(instance)
    with pytest.raises(EvaluationError, match="`turn` is 4, outside Player"):
        compiled.apply(compiled.begin(), (0, 1))
    four = Machine(Instance(instance.spec, 4))
    state = four.begin()
    four.apply(state, (0, 1))
    assert four.position(state)["turn"] == 4


def test_more_parameters_than_python_has_loops_for(many_choices):
    machine = Machine(
        small(
            """
            phase play
            move mark(on[1..24]: Bool) by p in play
                needs first_two "only the first two": all n in 3..24: not on[n]
                needs not_both "not both": not (on[1] and on[2])
            chance throw(dice[1..30]: 1..6) in play
                needs not_all_six "not all are sixes": not all n in 1..30: dice[n] == 6
            """,
            2,
        )
    )
    state = machine.begin()
    assert machine.allows(state, (0, 1, (False, True, *[False] * 22)))
    assert machine.draw(state, Random(1)) is not None


def test_a_start_that_leaves_one_choice():
    machine = Machine(
        small(
            """
            phase play
            state
                turn: Player
                other: Player
            start
                first "the second player begins": turn == 2
                next "the other is to the left": other == left_of(turn)
            """,
            3,
        )
    )
    assert [machine.position(each)["other"] for each in machine.beginnings()] == [3]


def test_names_of_the_spec_do_not_get_into_the_way_of_the_code():
    machine = Machine(
        small(
            """
            type Len = s | out | event
            phase play, settle final
            table steps[Len]: 0..9
                1 2 3
            state
                range[Len]: 0..9 = 0
            fun sum_of(sorted: Len, len: 0..9): 0..18 = steps[sorted] + len
            move do(p: Len, out: 0..9) by s in play
                needs fits "it fits": all tuple: Len where tuple != p: sum_of(tuple, out) < 9
                does
                    range[p] = steps[p]
                    phase = settle
            step begin in play
                when full "all are full": all fail: Len: range[fail] > 0
                does phase = settle
            """,
            2,
        )
    )
    state = machine.begin()
    event = machine.encode(Event("do", 1, {"p": "out", "out": 5}))
    assert machine.allows(state, event)
    machine.apply(state, event)
    assert machine.position(state)["range"] == {"s": 0, "out": 2, "event": 0}


def test_a_value_given_where_an_optional_is_taken():
    """`pips in shown` goes through an optional; the argument that is put in is none."""
    machine = Machine(
        small(
            """
            phase play
            fun high(shown: 1..6?): Bool = some pips in shown: pips > 4
            move keep(n: 1..6) by p in play
                needs is_high "it is high": high(n)
            """,
            2,
        )
    )
    assert {event[2] for event in machine.legal(machine.begin())} == {5, 6}
