"""Law: values, positions, events and errors of an exported game are those of the evaluator, byte
for byte and word for word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from rulewright.frontend import LoadedSpec, check_text
from rulewright.play.io.json_codec import decode_event
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.rules import MOST_STEPS
from rulewright.play.semantics.values import BagValue
from rulewright.wasm.runtime.queries import LimitError
from tests.meaning.states import PLAYGROUND, Dice, any_position, any_value
from tests.play.games import bundled, usable
from tests.wasm.agreement import FIRST_MET
from tests.wasm.hosts import needs_node
from tests.wasm.scripts import Script, in_node, load_whatever, spoiled


@cache
def playground() -> LoadedSpec:
    return check_text("playground.rules", PLAYGROUND.read_text(encoding="utf-8"))


@needs_node
def test_positions_go_in_and_out_whatever_they_are(tmp_path: Path):
    script = Script(playground(), 3, name="positions")
    random = Random(1)
    for seed in range(300):
        position = any_position(script.instance, seed)
        script.load(position)
        load_whatever(script, spoiled(script.shown(position), random))
    refused = [line for line in script.lines if line[2].startswith("UsageError")]
    assert len(refused) > 100
    assert len({line[2] for line in refused}) > 60
    in_node([script], tmp_path)


@needs_node
def test_whatever_is_played_from_wherever_goes_the_same_way(tmp_path: Path):
    script = Script(playground(), 3, name="anything")
    instance, random = script.instance, Random(2)
    events = [each for each in instance.spec.transitions if each.kind != "step"]
    for seed in range(800):
        position = {**any_position(instance, 1000 + seed), "phase": "play"}
        event = random.choice(events)
        by = None if event.mover is None else random.randrange(3) + 1
        arguments = {
            each.name: any_value(each.type, instance, Dice(random.randrange(1 << 30)))
            for each in event.params
        }
        script.load(position)
        script.refusals(position, Event(event.name, by, arguments))
        script.play(position, Event(event.name, by, arguments))
    # Which of several stray elements is named first says nothing about the game.
    script.lines = [line for line in script.lines
                    if not any(pattern.search(line[2]) for pattern, _ in FIRST_MET)]  # fmt: skip
    kinds = Counter(line[2].split(" ")[0] for line in script.lines if line[0] == "play")
    assert kinds["RefusedError:"] > 20
    assert kinds["RulesError:"] > 2
    assert sum(kinds.values()) - kinds["RefusedError:"] > 30
    in_node([script], tmp_path)


WIDE = """
    phase play, over final
    type Kind = one | __proto__ | constructor
    type Face = joker | face(value: 1..3)
    state
        n: Int = 0
        least: Int? = none
        far: -5000000000..900719925474099 = 0
        kinds[Kind]: Int = 3
        faces[Face]: Set[Face] = {}
        many: Bag[-3..3] = {}
        some: Set[-40..60] = {}
        whole: Bag[Kind] = {}
    move double by p in play
        does n = n * 2
    move add(m: Int, k: Kind) by p in play
        needs small "not that much": m < 4611686018427
        does
            n += m
            kinds[k] += m
    move divide(by_: 0..3) by p in play
        does n = n / by_
"""


@needs_node
def test_numbers_of_any_size_stay_exact(tmp_path: Path):
    script = Script(usable(WIDE), 2, name="wide")
    first = initial_position(script.instance)
    for number in (2**53 - 1, 2**53 + 1, -(2**53) - 1, 2**60 + 3, -(2**60) - 7, -1):
        position = {**first, "n": number, "least": number}
        script.load(position)
        position = script.play(position, Event("add", 1, {"m": 12345, "k": "__proto__"}))
        script.play(position, Event("double", 2, {}))
    for number in (900719925474099, -5_000_000_000):
        load_whatever(script, script.shown({**first, "far": number, "n": 7}))
    for number in (900719925474100, -5_000_000_001, 2**63, -(2**63) - 1, 2**200):
        load_whatever(script, script.shown({**first, "far": number}))
        load_whatever(script, script.shown({**first, "n": number}))
    faces = {**first["faces"], "2": frozenset({"3", "joker", "1"}), "joker": frozenset({"2"})}
    script.load({**first, "some": frozenset({-40, 60, 0}), "faces": faces})
    in_node([script], tmp_path)


FAILING = """
    phase play, over final
    type Square = grid 4 x 3
    type Tile = blank | tile(value: 1..3, red: Bool)
    table points[1..3]: 0..9
        4 5 6
    state
        n: 0..9 = 0
        low: -5..5 = 0
        when[Player]: 0..3 = 0
        some: Set[1..4] = {}
        bag: Bag[1..4] = {1, 1, 2}
        board[Square]: Tile? = none
        who: Player = 1
        flag: Bool = false
        left: 0..100000 = 0
    fun half(k: Int, of: Set[1..4]): 0..4 = k / 2
    move set_to(m: -20..20) by p in play
        does n = m
    move add_for(q: Player, m: 0..9) by p in play
        does when[q] += m
    move divide(m: 0..3) by p in play
        does n = 7 / m
    move remainder(m: 0..3) by p in play
        does n = 7 % m
    move look(m: 0..9) by p in play
        needs there "there are points": points[m] > 0
        does n = points[m]
    move add_to_set(m: 0..9) by p in play
        does some = some + {m}
    move take_away(m: Bag[1..4]) by p in play
        does bag -= m
    move least by p in play
        does n = (min i in 1..4 where i in some: i) otherwise 0
    move halve(k: Int) by p in play
        does n = half(k, some)
    move place(x: 0..9, y: 0..9, v: 0..5) by p in play
        does board[Square(x, y)] = tile(v, flag)
    move endless by p in play
        does flag = true
    move count(m: 0..9) by p in play
        needs many "it is many": (count i in 0..2000000: i % 7 == n + m) > 5
        does n = m
    move wait(m: 0..100000) by p in play
        does left = m
    step less in play
        when waiting "it is not over": left > 0
        does left -= 1
    step again in play
        when on "it is on": flag
        does low = -5 if low == 5 else low + 1
"""


def failing() -> LoadedSpec:
    """A game with everything in it that can go wrong, as far as the language has it."""
    return usable(FAILING)


def wrong_events() -> Iterator[Event]:
    wrong: dict[str, list[dict[str, Any]]] = {
        "set_to": [{"m": -20}, {"m": 3}, {"m": 20}],
        "divide": [{"m": 0}, {"m": 2}],
        "remainder": [{"m": 0}, {"m": 2}],
        "look": [{"m": 0}, {"m": 3}, {"m": 9}],
        "add_to_set": [{"m": 0}, {"m": 4}, {"m": 9}],
        "least": [{}],
        "halve": [{"k": 3}, {"k": -7}, {"k": 50}],
        "endless": [{}],
    }
    for name, choices in wrong.items():
        yield from (Event(name, 2, each) for each in choices)
    for steps in (MOST_STEPS, MOST_STEPS + 1):
        yield Event("wait", 1, {"m": steps})
    for taken in ([2, 2], [3], [1, 2]):
        yield Event("take_away", 1, {"m": BagValue(taken)})
    for player in (1, 2):
        yield Event("add_for", 1, {"q": player, "m": 4})
    for x, y, v in ((0, 1, 1), (5, 3, 2), (4, 4, 2), (4, 3, 0), (4, 3, 5), (4, 3, 3)):
        yield Event("place", 1, {"x": x, "y": y, "v": v})


@needs_node
def test_errors_say_what_the_evaluator_says(tmp_path: Path):
    script = Script(failing(), 2, name="errors")
    position = initial_position(script.instance)
    script.load(position)
    for event in wrong_events():
        script.refusals(position, event)
        script.play(position, event)
        script.load(position)
    said = {line[2] for line in script.lines if line[2].startswith("RulesError")}
    assert len(said) > 12, said
    in_node([script], tmp_path)


@needs_node
def test_work_is_limited(tmp_path: Path):
    script = Script(failing(), 2, name="limits", work=100_000)
    position = initial_position(script.instance)

    def out_of(what: str) -> None:
        raise LimitError(what)

    count = script.event(Event("count", 1, {"m": 3}))
    script.add("refusals", count, lambda: out_of("one event takes too much work"))
    script.load(position)
    script.play(position, Event("set_to", 1, {"m": 3}))
    in_node([script], tmp_path)


@needs_node
def test_events_that_are_none_are_refused_in_the_same_words(tmp_path: Path):
    script = Script(bundled("qwixx"), 2, name="events")
    good = {"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 4}}
    odd: list[Any] = [
        3, [], {}, {"move": "cross_sum", "chance": "throw"}, {"move": 3, "by": 1},
        {"move": "fly", "by": 1}, {"chance": "cross_sum"}, {"chance": "throw", "by": 1},
        {"move": "cross_sum", "args": {}}, {**good, "by": 0}, {**good, "by": 3},
        {**good, "by": "1"}, {**good, "args": []},
    ]  # fmt: skip
    for args in (
        {"row": "red"}, {"at": 4}, {"row": "red", "at": 4, "more": 1}, {"row": 1, "at": 4},
        {"row": "red", "at": 99}, {"row": "red", "at": 2.5}, {"row": "red", "at": True},
        {"row": None, "at": 4},
    ):  # fmt: skip
        odd.append({**good, "args": args})
    for each in odd:
        script.add("refusals", each, lambda each=each: decode_event(each, script.instance))  # type: ignore[misc]
    assert all(line[2].startswith("UsageError") for line in script.lines), script.lines
    in_node([script], tmp_path)
