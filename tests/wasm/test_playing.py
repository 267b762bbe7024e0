"""Random games inside the module: the numbers behind them, the odds of chance, what is watched, and
how much work and memory a spec is given."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rulewright.play.semantics import rules
from rulewright.play.semantics.chance import outcomes
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import frozen
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.perft import follow
from rulewright.wasm.assembler.instructions import I32, I64, sequence
from rulewright.wasm.codegen.compilation_unit import CompilationUnit
from rulewright.wasm.runtime.exploring import Explorer
from rulewright.wasm.runtime.link import ASK
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame
from rulewright.wasm.runtime.wasmtime_binding import LoadedModule
from rulewright.wasm.simulate.random_numbers import Generator, Reference
from tests.play.games import game, small

DRAWS = 4000


def drawn(instance: Instance) -> LoadedModule:
    """A module with nothing but random numbers."""
    unit = CompilationUnit(instance)
    generator = Generator(unit)
    seed = unit.module.function("begin", [I64, I64], None, export=True)
    seed.define(generator.seed()(*(each.value for each in seed.params)))
    below = unit.module.function("below", [I32], I32, export=True)
    below.define(sequence(generator.below()(below.params[0].value)))
    return LoadedModule(unit.finish(1 << 16, 1 << 20))


def test_random_numbers_are_those_that_are_documented():
    running = drawn(game("pig", 2))
    begin, below = running.function("begin", "ll>"), running.function("below", "i>i")
    for seed in (0, 1, 12345, 2**40):
        begin(seed, 7)
        reference = Reference(seed, 7)
        for limit in (6, 2, 3, 1000, 2**31 - 1, 1, 52) * 30:
            assert below(limit) == reference.below(limit)


def test_random_numbers_stay_what_they_were():
    """Recorded games rest on them."""
    reference = Reference(1, 0)
    assert [reference.below(100) for _ in range(8)] == [79, 52, 92, 73, 61, 94, 33, 69]


def odds_are_true(instance: Instance, position: dict) -> None:
    """Compares how often chance decides what with the weights, by the usual test."""
    compiled = WasmGame(instance)
    weights = {key(event): weight for event, weight in outcomes(instance, position)}
    total = sum(weights.values())
    compiled.load(position)
    counts: Counter[object] = Counter()
    for number in range(DRAWS):
        event = compiled.choose(99, number)
        assert event is not None
        counts[key(event)] += 1
    assert set(counts) <= set(weights)
    expected = {each: DRAWS * weight / total for each, weight in weights.items()}
    distance = sum((counts[each] - many) ** 2 / many for each, many in expected.items())
    freedom = len(weights) - 1
    assert distance < freedom + 5 * (2 * freedom) ** 0.5 + 5


def key(event: Event) -> object:
    return event.name, frozen(event.arguments)


LOTTERY = """
    phase draw, over final
    state
        red: 0..9 = 3
        bag: Bag[1..4] = {1, 1, 1, 2, 4, 4}
    chance take(n: 1..4, k: 1..3, flip: Bool) in draw
        needs apart "no": n != k
        weight bag[n]
        does phase = over
    chance other(m[1..2]: 1..3) in draw
        needs low "no": all i in 1..2: m[i] <= 2 or i == 1
        weight red
        does phase = over
"""


def test_chance_decides_with_its_true_odds():
    instance = small(LOTTERY, 2)
    odds_are_true(instance, initial_position(instance))


def test_chance_of_one_event_decides_with_its_true_odds():
    instance = game("pig", 2)
    position = {**initial_position(instance), "phase": "rolling"}
    odds_are_true(instance, position)


def test_a_game_of_a_seed_can_be_played_again():
    compiled = WasmGame(game("qwixx", 3))
    many = compiled.play(20, seed=5)
    again = compiled.play(1, seed=5, first=13)
    assert many.scores[13] == again.scores[0]
    assert many.games == 20 and many.endings == [20, 0, 0]
    assert compiled.play(20, seed=6).scores != many.scores


def test_games_end_as_the_evaluator_says():
    instance = game("pig", 3)
    compiled = WasmGame(instance)
    played = compiled.play(1, seed=3)
    compiled.load(initial_position(instance))
    assert played.endings == [1, 0, 0]
    # The state is where the game ended.
    compiled.play(1, seed=3)
    position = compiled.position
    assert rules.is_final(instance, position)
    assert rules.scores(instance, position) == dict(enumerate(played.scores[0], 1))
    assert rules.winners(instance, position) == list(played.winners[0])


COUNTING = """
    phase count, over final
    state
        n: 0..20 = 0
    move more(by_: 1..3) by p in count
        needs room "no": n + by_ <= 20
        does
            n += by_
            if n >= 18:
                phase = over
    invariant small "n stays small": n <= {limit}
    always grows "n grows": n > old(n)
"""


def test_a_watched_game_stops_where_a_property_does_not_hold():
    instance = small(COUNTING.format(limit=9), 2)
    compiled = WasmGame(instance, watched=True)
    played = compiled.play(10, seed=1)
    assert played.broken is not None and played.broken.name == "small"
    assert compiled.position["n"] > 9
    assert WasmGame(instance).play(10, seed=1).broken is None
    fine = small(COUNTING.format(limit=20), 2)
    assert WasmGame(fine, watched=True).play(10, seed=1).broken is None


def test_a_game_that_cannot_go_on_is_told_from_one_that_is_over():
    stuck = small("""
        phase play, over final
        state
            n: 0..3 = 0
        move more by p in play
            needs room "no": n < 3
            does n += 1
    """)
    assert WasmGame(stuck).play(4, seed=1).endings == [0, 4, 0]
    endless = small("""
        phase play, over final
        state
            flag: Bool = false
        move turn by p in play
            does flag = not flag
    """)
    assert WasmGame(endless).play(2, seed=1, longest=50).endings == [0, 0, 2]


def test_an_error_in_a_game_is_that_of_the_evaluator():
    instance = small("""
        phase play, over final
        state
            n: 0..3 = 0
        move more by p in play
            does n += 1
    """)
    compiled = WasmGame(instance)
    with pytest.raises(EvaluationError, match=r"`n` is 4, outside 0\.\.3"):
        compiled.play(1, seed=1)


def test_steps_that_do_not_stop_are_an_error():
    instance = small("""
        phase play, over final
        state
            flag: Bool = false
        move begin by p in play
            does flag = true
        step again in play
            when on "is on": flag
            does flag = true
    """)
    compiled = WasmGame(instance)
    compiled.begin()
    with pytest.raises(EvaluationError, match="do not stop"):
        compiled.apply(Event("begin", 1, {}))


def test_work_is_limited():
    instance = small("""
        phase play, over final
        state
            n: 0..9 = 0
        move go by p in play
            needs long "long": (count x: 1..5000: (count y: 1..50: x * y % 7 == n) > 3) > 0
            does phase = over
    """)
    compiled = WasmGame(instance)
    with pytest.raises(LimitError, match="work"):
        compiled.call("play", 0, 10, 1, 100_000, signature="iili>i", work=100)
    assert compiled.play(3, seed=1).games == 3


def test_calls_without_loops_are_work():
    """Sixty lines, each of which calls the one before twice, ask for more than can ever be done."""
    sums = "".join(
        f"fun f{n}(x: Int): Int = f{n - 1}(x + n) + f{n - 1}(x * 2 % 97)\n" for n in range(1, 60)
    )
    effects = "".join(f"effect e{n}()\n    e{n - 1}()\n    e{n - 1}()\n" for n in range(1, 60))
    text = (
        """
phase play, over final
state
    n: 0..9 = 0
fun f0(x: Int): Int = x % 7
effect e0()
    n = (n + 1) % 10
"""
        + sums
        + effects
    )
    for needs, does in (("f59(1) > 0", "n = 1"), ("true", "e59()")):
        rest = f'    needs vast "vast": {needs}\n    does\n        {does}\n        phase = over\n'
        instance = small(f"{text}move go() by p in play\n{rest}")
        with pytest.raises(LimitError, match="work"):
            WasmGame(instance).play(1, seed=1)


def test_memory_is_limited():
    compiled = WasmGame(game("twenty_one", 4))
    compiled.begin()
    with pytest.raises(LimitError, match="memory"):
        Explorer(compiled).positions(1 << 24)
    with pytest.raises(LimitError, match="memory"):
        Explorer(compiled).positions(100, depth=4)


def test_what_cannot_be_listed_says_so(many_choices):
    instance = small("""
        phase play, over final
        state
            n: 0..3 = 0
        move pick(chosen: Set[1..30]) by p in play
            does phase = over
    """)
    compiled = WasmGame(instance, parts=ASK)
    compiled.begin()
    with pytest.raises(UsageError, match="too many possible values"):
        compiled.legal()
    assert compiled.allows(Event("pick", 1, {"chosen": frozenset({3, 30})}))


@pytest.mark.parametrize(("name", "players", "depth"), [("matte_kryss", 2, 3), ("pig", 3, 5)])
def test_lines_are_counted_as_one_by_one(name: str, players: int, depth: int):
    instance = game(name, players)
    counting, played = WasmGame(instance), CompiledGame(instance)
    counting.begin()
    states, found = [counting.state], [1]
    for length in range(depth):
        going = [each for each in states if not played.is_final(each)]
        states = [
            played.apply(each, event) for each in going for event in follow(played, each, 0, None)
        ]
        found.append(len(states))
        assert Explorer(counting).lines(length + 1)[-1].lines == len(states)
    assert [each.lines for each in Explorer(counting).lines(depth)] == found


def test_exploring_meets_each_position_once():
    instance = small(COUNTING.format(limit=20), 2)
    compiled = WasmGame(instance, watched=True)
    compiled.begin()
    found = Explorer(compiled).positions(1000)
    assert found.positions == 21 and found.broken is None
    assert [level.lines for level in found.levels][:3] == [1, 3, 3]
    assert Explorer(compiled).positions(1000, depth=1).positions == 4
    broken = WasmGame(small(COUNTING.format(limit=9), 2), watched=True)
    broken.begin()
    assert Explorer(broken).positions(1000).broken is not None


def test_random_draws_of_the_playground_are_allowed():
    from tests.meaning.states import any_position, playground

    instance = Instance(playground(), 3)
    compiled = WasmGame(instance)
    random = Random(4)
    seen = 0
    for number in range(300):
        position = {**any_position(instance, random.randrange(10_000)), "phase": "play"}
        compiled.load(position)
        event = compiled.choose(3, number)
        if event is not None:
            seen += 1
            assert not rules.failing(instance, position, event)
    assert seen > 200


def test_long_loops_are_work():
    instance = small("""
        phase play, over final
        state
            n: 0..3 = 0
        move look by p in play
            needs many "no": (count i in 0..2000000: i % 7 == n) > 5
            does phase = over
    """)
    compiled = WasmGame(instance, parts=ASK)
    compiled.begin()
    assert len(compiled.legal()) == 2
    with pytest.raises(LimitError, match="work"):
        compiled.call("legal", work=100_000)


def test_a_spec_without_phases_is_not_played():
    with pytest.raises(UsageError, match="has no phases"):
        WasmGame(small("fun one(): Int = 1"))


def test_a_game_that_cannot_begin_is_not_played():
    """What lies in the memory of the module is no position of it."""
    compiled = WasmGame(small("""
        phase a, over final
        state
            n: 0..2
        start
            none_such "there is none": n > 2
        move go by p in a
            does phase = over
    """))  # fmt: skip
    for play in (lambda: compiled.play(1, seed=1), lambda: compiled.start(1, 0)):
        with pytest.raises(UsageError, match="no way to begin"):
            play()
