"""What holds in every game of every engine, whoever plays it how."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest

from rulewright_engines import kubbar, matte_kryss, qwixx, twenty_one
from rulewright_engines.engine import Engine, Event, IllegalError
from rulewright_engines.kubbar import Kubbar
from rulewright_engines.kubbar_table import BOX
from rulewright_engines.matte_kryss import MatteKryss
from rulewright_engines.matte_kryss_board import DIRECTIONS, PRINTED, SQUARES, TILES
from rulewright_engines.play import Strategy, at_random, played
from rulewright_engines.qwixx import Qwixx
from rulewright_engines.twenty_one import TwentyOne
from tests.engines.acting import ENGINES, move

SENSIBLE: dict[str, Strategy[Any]] = {
    "qwixx": qwixx.sensible,
    "twenty_one": twenty_one.sensible,
    "matte_kryss": matte_kryss.sensible,
    "kubbar": kubbar.sensible,
}
BOUNDS = {"qwixx": (-20, 266), "twenty_one": (0, 210), "kubbar": (0, 920)}
MOST_EVENTS = 400
"""Under some readings a game need not end; then so many events are looked at."""


def set_ups() -> Iterator[tuple[str, int, dict[str, str], str | None]]:
    """Every engine with fewest and most players, each reading and each variant."""
    for name, kind in ENGINES.items():
        yield name, kind.PLAYERS[-1], {}, None
        for reading, options in kind.READINGS.items():
            for option in options[1:]:
                yield name, kind.PLAYERS[0], {reading: option}, None
        for variant in (None, *kind.VARIANTS):
            yield name, kind.PLAYERS[0], {}, variant


SET_UPS = [*set_ups()]
games = pytest.mark.parametrize(("name", "players", "readings", "variant"), SET_UPS)
engines = pytest.mark.parametrize("name", ENGINES)


def again(game: Engine) -> Engine:
    """Another game in the same position."""
    other = type(game)(len(game.seats), game.readings, game.variant)
    other.load(json.loads(json.dumps(game.state())))
    return other


def allowed(game: Engine, event: Event) -> bool:
    """Whether an event may happen; tried on another game. A refusal changes nothing."""
    other = again(game)
    try:
        other.apply(event)
    except IllegalError:
        assert other.state() == game.state()
        return False
    return True


@games
def test_a_game_keeps_the_laws(
    name: str, players: int, readings: dict[str, str], variant: str | None
):
    game = ENGINES[name](players, readings, variant)
    rng = Random(1)
    given_out = []
    for count, event in enumerate(islice(played(game, at_random, rng), MOST_EVENTS)):
        json.dumps(event)
        if count % 10 == 0:
            look_at(game, rng)
            given_out.append((state := game.state(), json.dumps(state)))
    look_at(game, rng)
    assert all(json.dumps(state) == text for state, text in given_out), "a state has changed later"


def look_at(game: Engine, rng: Random) -> None:
    """The laws of one position."""
    assert again(game).state() == game.state()
    moves = game.legal()
    assert {event["by"] for event in moves} <= set(game.movers())
    for event in rng.sample(moves, min(5, len(moves))):
        assert allowed(game, event)
        assert not allowed(game, {**event, "by": 0})
    outcome = game.roll(rng)
    if outcome is not None:
        assert moves == []
        assert allowed(game, outcome)
    low, high = BOUNDS.get(game.NAME, (-4000, 10**6))
    assert all(low <= points <= high for points in game.score().values())
    boxes: dict[str, list[Any]] = {"matte_kryss": TILES, "kubbar": BOX}
    tiles = boxes.get(game.NAME)
    if tiles is not None and game.phase != "lots":
        assert Counter(all_tiles(game)) == Counter(tiles)


def all_tiles(game: Engine) -> Iterator[Any]:
    """Every tile of the box, wherever it is."""
    state = game.state()
    for bag in ("pile", "bag", "pool", "gone"):
        yield from state.get(bag, [])
    for racks in ("rack", "handed"):
        for _, rack in state.get(racks, []):
            yield from rack
    for square, tile in state["board"]:
        if tile is not None and not (game.NAME == "matte_kryss" and square in PRINTED):
            yield tile


@engines
@pytest.mark.parametrize("seed", range(2))
def test_games_between_all_sorts_of_players_finish(name: str, seed: int):
    kind = ENGINES[name]
    rng = Random(seed)
    players = rng.choice(kind.PLAYERS)
    for strategy in (SENSIBLE[name], at_random):
        game = kind(players)
        events = sum(1 for _ in islice(played(game, strategy, rng), 20_000))
        assert game.phase == "over", f"not over after {events} events"
        assert game.winners()
        assert game.legal() == []
        assert game.movers() == []
        assert game.roll(rng) is None


@engines
def test_the_same_seed_plays_the_same_game(name: str):
    def record() -> list[Event]:
        return [*islice(played(ENGINES[name](), SENSIBLE[name], Random(7)), 300)]

    assert record() == record()


def test_sensible_players_do_better_than_random_ones():
    for name in ("qwixx", "twenty_one", "matte_kryss"):
        totals = []
        for strategy in (SENSIBLE[name], at_random):
            game = ENGINES[name](3)
            for _ in played(game, strategy, Random(3)):
                pass
            totals.append(sum(game.score().values()))
        assert totals[0] > totals[1], name


def qwixx_moves(game: Qwixx) -> Iterator[Event]:
    rows, spaces = qwixx.COLOURS, range(1, 12)
    for by in game.seats:
        yield from (move("pass_sum", by), move("pass_colour", by))
        for row in rows:
            for at in spaces:
                yield move("cross_sum", by, row=row, at=at)
                for white in (1, 2):
                    for die in qwixx.COLOURS:
                        yield move("cross_colour", by, row=row, at=at, white_die=white, die=die)


def twenty_one_moves(game: TwentyOne) -> Iterator[Event]:
    for by in game.seats:
        yield from (move("stop", by), move("throw_again", by))
        yield from (move("cross_out", by, at=at) for at in range(1, 7))
        for count in range(7):
            for dice in combinations(twenty_one.COLOURS, count):
                yield move("write", by, dice=[*dice])


def matte_kryss_moves(game: MatteKryss) -> Iterator[Event]:
    names = ("take_extra", "leave_extra", "finish", "object", "let_stand", "draw_new", "pass_turn")
    for by in game.seats:
        yield from (move(name, by) for name in names)
        yield from (move("give_back", by, tile=tile) for tile in sorted(set(TILES)))
    for tile in sorted({*game.rack[game.active], 0, 90}):
        for at in SQUARES:
            for count in range(3):
                for claims in combinations(DIRECTIONS, count):
                    yield move("lay", game.active, tile=tile, at=at, claims=[*claims])


@pytest.mark.parametrize(
    ("kind", "every_move"),
    [(Qwixx, qwixx_moves), (TwentyOne, twenty_one_moves), (MatteKryss, matte_kryss_moves)],
)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_not_listed_is_refused(kind: Any, every_move: Any, seed: int):
    rng = Random(seed)
    game = kind()
    events = played(game, SENSIBLE[kind.NAME], rng)
    for _ in islice(events, rng.randint(20, 60)):
        pass
    while not game.movers():
        next(events)
    known = {json.dumps(event) for event in every_move(game)}
    listed = {json.dumps(event) for event in game.legal()}
    found = {text for text in known if allowed_at_once(game, json.loads(text))}
    assert found == listed & known


def allowed_at_once(game: Engine, event: Event) -> bool:
    """Whether an event may happen; if so, the position is restored after it."""
    before = game.state()
    try:
        game.apply(event)
    except IllegalError:
        return False
    game.load(before)
    return True


@engines
def test_nonsense_is_refused(name: str):
    game = ENGINES[name]()
    before = game.state()
    nonsense: list[Any] = [
        {},
        {"move": "fly", "by": 1, "args": {}},
        {"move": ["lay"], "by": 1, "args": {}},
        {"move": None, "by": 1},
        {"chance": "fly", "args": {}},
        {"chance": "apply", "args": {}},
        {"move": "state", "by": 1, "args": {}},
        {"chance": {}, "args": {}},
    ]
    for rule, each in game.RULES.items():
        kind = "move" if each.is_move else "chance"
        wrong: list[Any] = [{"x": 1}, None, [], "", {key: {} for key in each.parameters} or 7]
        for args in wrong:
            nonsense.append({kind: rule, "by": 1, "args": args})
            nonsense.append({kind: rule, "args": args})
        nonsense.append({"move": rule, "chance": rule, "by": 1, "args": {}})
        nonsense.append({"chance" if each.is_move else "move": rule, "by": 1, "args": {}})
    outcome = game.roll(Random(1))
    assert outcome is not None
    nonsense.append({**outcome, "by": 1})
    for event in nonsense:
        with pytest.raises(IllegalError):
            game.apply(event)
    assert game.state() == before


@engines
def test_set_ups_that_cannot_be(name: str):
    kind = ENGINES[name]
    game = kind()
    before = game.state()
    wrong: list[tuple[Any, Any, Any, dict[str, Any]]] = [
        (1, None, None, {}),
        (kind.PLAYERS[-1] + 1, None, None, {}),
        (True, None, None, {}),
        ("2", None, None, {}),
        (2, {"ties": "maybe"}, None, {}),
        (2, {"weather": "rain"}, None, {}),
        (2, ["ties"], None, {}),
        (2, {"ties": ["shared"]}, None, {}),
        (2, None, "upside_down", {}),
        (2, None, [], {}),
        (2, None, None, {"phase": "over"}),
        (2, None, None, {"self": 1}),
        *[(2, None, None, {variable: "x"}) for variable in kind.OPEN],
    ]
    for players, readings, variant, start in wrong:
        with pytest.raises(IllegalError):
            game.new(players, readings, variant, **start)
        assert game.state() == before


@engines
def test_positions_that_cannot_be(name: str):
    game = ENGINES[name]()
    before = game.state()
    wrong: list[Any] = [None, [], {}, {**before, "weather": "rain"}]
    for variable in before:
        without = {key: value for key, value in before.items() if key != variable}
        wrong.append(without)
        for value in ("nonsense", 1.5, [[1]], [-1], {"red": 1}, -7000000):
            wrong.append({**before, variable: value})
    for state in wrong:
        with pytest.raises(IllegalError):
            game.load(state)
        assert game.state() == before


def test_kubbar_lists_only_some_layings():
    assert [name for name, kind in ENGINES.items() if not kind.LISTS_ALL] == [Kubbar.NAME]
