"""The compiled game: what it keeps to, its chance, its random games."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rulewright.conform.oracle.instrumentation import DONE, instrumented
from rulewright.meaning import types as y
from rulewright.play.semantics import rules
from rulewright.play.semantics.errors import EndlessError, EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from tests.play.games import game, small


def compiled(name: str, players: int | None = None) -> CompiledGame:
    return CompiledGame(game(name, players))


def play_out(game: CompiledGame, random: Random) -> tuple[State, int]:
    """A game at random: the state it ends in, and how many events it had."""
    state, events = game.begin(random), 0
    while (event := game.choose(state, random)) is not None:
        state = game.apply(state, event)
        events += 1
    return state, events


def event(game: CompiledGame, name: str, by: int | None = None, **given: object) -> Happening:
    return game.encode(Event(name, by, given))


# ---- games played ahead


@pytest.mark.parametrize("name", ["qwixx", "twenty_one", "matte_kryss"])
def test_a_game_played_ahead_is_one_that_the_rules_allow(name: str):
    spec = game(name).spec
    noting = instrumented(spec)
    machine = CompiledGame(Instance(noting.spec, spec.least), forgetting=DONE)
    notes = machine.portable.layout.places[DONE]
    at = slice(notes.offset, notes.offset + notes.kept.size)
    random, state, events = Random(4), machine.begin(), 0
    while played := machine.ahead(state, random, 300 - events):
        for happened, after in played:
            assert after == machine.attempt(state, happened)
            state = after[: at.start] + bytes(notes.kept.size) + after[at.stop :]
        events += len(played)
    assert events == 300 or machine.is_final(state)
    assert events > 40


ERROR_AHEAD = """
    phase play, over final
    state
        n: 0..6 = 0
        seen: Set[1..3] = {}
    move add(by_much: 1..2) by p in play
        does n += by_much
"""


def test_what_goes_wrong_ahead_is_raised_after_what_went_well():
    machine, random, seen = CompiledGame(small(ERROR_AHEAD), forgetting="seen"), Random(1), []

    def play() -> None:
        state = machine.begin()
        while True:
            for happened, after in machine.ahead(state, random, 100) or ():
                assert after == machine.apply(state, happened)
                state = after
                seen.append(happened)

    with pytest.raises(EvaluationError, match="outside"):
        play()
    assert 3 <= len(seen) <= 6


def test_a_game_with_wide_boards_is_not_played_ahead():
    machine = CompiledGame(game("kubbar"), forgetting="phase")
    assert machine.ahead(machine.begin(), Random(1), 5) is None


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
    machine = CompiledGame(instance)
    with pytest.raises(EvaluationError) as raised:
        machine.apply(machine.begin(), machine.encode(Event("add", 1, {"at": 2})))
    assert raised.value.message == "`count[2]` is 4, outside 0..3"
    assign = instance.transitions["add"].body[0]
    assert raised.value.span == assign.span


def test_steps_that_do_not_stop_are_an_error():
    machine = CompiledGame(
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
    with pytest.raises(EndlessError, match="the steps do not stop, among them `again`"):
        machine.apply(machine.begin(), (0, 1))


def test_a_failure_counts_only_where_nothing_else_refuses():
    """`10 / n` has no value for 0, but 0 is refused by the other requirement."""
    machine = CompiledGame(
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
    machine = CompiledGame(
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
    machine = CompiledGame(
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
    machine = CompiledGame(
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
    type = machine.transitions[0].params[0].type
    assert isinstance(type, y.Map)
    squares = machine.instance.order(type.key)
    laid, nothing = (
        event(machine, "lay", 1, table={each: each == there or None for each in squares})
        for there in (next(iter(squares)), None)
    )
    assert machine.allows(state, laid)
    assert not machine.allows(state, nothing)
    with pytest.raises(UsageError, match="`table` has too many possible values"):
        machine.legal(state)
    with pytest.raises(UsageError, match="`tiles` has too many possible values"):
        machine.draw(state, Random(1))


# ---- chance


def test_chance_has_its_true_odds():
    machine = CompiledGame(
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
    machine = CompiledGame(
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
    thrown = [machine.draw(state, random) for _ in range(900)]
    dice = [machine.decode(each).arguments["dice"] for each in thrown if each is not None]
    firsts, seconds = Counter(each[1] for each in dice), Counter(each[2] for each in dice)
    assert set(firsts) == {1, 2}
    assert all(100 < seconds[pips] < 200 for pips in range(1, 7))


def test_events_of_one_phase_are_as_likely_as_their_weights():
    """1 of 7 in 13: the coin weighs 6, the many dice 1 each of 36, but half are refused."""
    machine = CompiledGame(
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
    machine = CompiledGame(
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
    kubbar = compiled("kubbar", 2)
    random = Random(5)
    state = kubbar.begin(random)
    laid = 0
    while laid < 5:
        event = kubbar.choose(state, random)
        assert event is not None
        laid += kubbar.transitions[event[0]].name == "lay"
        assert kubbar.allows(state, event)
        state = kubbar.apply(state, event)


# ---- random games


@pytest.mark.parametrize("players", range(2, 6))
def test_random_games_of_qwixx_finish(players: int):
    qwixx = compiled("qwixx", players)
    random = Random(players)
    for _ in range(200):
        state, events = play_out(qwixx, random)
        assert qwixx.is_final(state)
        assert events < 1000
        assert qwixx.winners(state)


def test_the_same_seed_is_the_same_game():
    qwixx = compiled("qwixx", 3)
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
    played = CompiledGame(instance)
    with pytest.raises(EvaluationError, match="`turn` is 4, outside Player"):
        played.apply(played.begin(), (0, 1))
    four = CompiledGame(Instance(instance.spec, 4))
    assert four.position(four.apply(four.begin(), (0, 1)))["turn"] == 4


def test_many_parameters(many_choices):
    machine = CompiledGame(
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
    on = {n: n == 2 for n in range(1, 25)}
    assert machine.allows(state, event(machine, "mark", 1, on=on))
    assert machine.draw(state, Random(1)) is not None


def test_a_start_that_leaves_one_choice():
    machine = CompiledGame(
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
    machine = CompiledGame(
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
    done = event(machine, "do", 1, p="out", out=5)
    assert machine.allows(state, done)
    assert machine.position(machine.apply(state, done))["range"] == {"s": 0, "out": 2, "event": 0}


def test_a_value_given_where_an_optional_is_taken():
    """`pips in shown` goes through an optional; the argument that is put in is none."""
    machine = CompiledGame(
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


# ---- where the module gives up


GROWING = """
    phase play, over final
    state
        n: Int = 3
    move grow by p in play
        needs first "only the first": p == 1
        does n = n * n
    move stop by p in play
        does phase = over
    invariant whole: n * n * n > 0
    """


def test_numbers_beyond_64_bits_are_left_to_the_evaluator():
    played = CompiledGame(small(GROWING, 2))
    state = played.load({"phase": "play", "n": 3**20})
    assert not played.broken_claims("invariant", state, state)
    with pytest.raises(UsageError, match="a number that 64 bits do not hold"):
        played.apply(played.apply(state, (0, 1)), (0, 1))


def test_what_is_left_to_the_evaluator_is_said_all_the_same():
    instance = game("qwixx", 2)
    whole, little = CompiledGame(instance), CompiledGame(instance, only=0)
    random, state = Random(4), whole.begin(Random(1))
    for _ in range(12):
        happens = whole.choose(state, random)
        assert happens is not None
        other = (happens[0], happens[1] and 3 - happens[1], *happens[2:])
        assert little.allows(state, happens)
        assert little.allows(state, other) == whole.allows(state, other)
        after = whole.apply(state, happens)
        assert little.apply(state, happens) == after
        assert little.scores(after) == whole.scores(after)
        state = after


@pytest.mark.parametrize("name", ["qwixx", "kubbar", "matte_kryss"])
def test_states_and_events_go_out_and_come_back(name: str):
    played = compiled(name)
    random = Random(2)
    state = played.begin(random)
    for _ in range(60):
        happens = played.choose(state, random)
        if happens is None:
            break
        position, plain = played.position(state), played.decode(happens)
        assert played.load(position) == state
        assert played.encode(plain) == happens
        happened = rules.apply(played.instance, position, plain)
        passed = list(played.steps(state, happens))
        assert [each.name for each, _ in passed] == [each.transition.name for each in happened]
        assert [played.position(after) for _, after in passed] == [each.after for each in happened]
        for variable in played.instance.variables:
            part = played.portable.part(state, variable)
            assert played.portable.with_part(state, variable, part) == state
        state = passed[-1][1]
