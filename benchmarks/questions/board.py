"""Checking a whole rearranged table of Kubbar against the rules, by the number of tiles and by the
size of the grid.

A run of three tiles is laid on a table with so many tiles. Every table is in another place, so that
nothing is cached. The goal: sixteen times as many squares take at most 1.5 times as long, because
only the tiles count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.harness.measure import ROOT, Row, in_turns, rows, spent
from benchmarks.questions.play import USUAL
from rulewright.frontend import LoadedSpec, check_text, read
from rulewright.meaning import types as y
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, SparseMap
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State

WIDTHS = (120, 480)
TILES = (12, 24, 48, 96)
PLACES = 10
"""So many tables are checked in turn."""


def questions(quick: bool) -> Iterator[Row]:
    """Checking one proposed table."""
    kubbar = read(ROOT / "spec" / "kubbar.rules")
    games = {width: game_of(kubbar, width) for width in WIDTHS}
    for tiles in TILES[:1] if quick else TILES:
        measured = in_turns(
            {f"grid {width} x {width}": checking(games[width], width, tiles)
             for width in WIDTHS},
            2 if quick else 7,
        )  # fmt: skip
        yield from rows("checking a table by its tiles", "µs", measured, at=tiles)


def game_of(kubbar: LoadedSpec, width: int) -> CompiledGame:
    """The game on a grid of another size."""
    assert kubbar.text is not None
    text = kubbar.text.text.replace("grid 240 x 240", f"grid {width} x {width}")
    spec = check_text("kubbar.rules", text).spec
    assert spec is not None
    return CompiledGame(Instance(spec, USUAL))


def checking(game: CompiledGame, width: int, tiles: int) -> Callable[[], float]:
    """Measures the microseconds to check one more run laid on a table of so many tiles."""
    asked = [laying(game, width, tiles, away) for away in range(PLACES)]
    repeats = max(1, 200 // tiles)

    def check() -> None:
        for _ in range(repeats):
            for state, lay in asked:
                game.broken(state, lay)

    return lambda: 1e6 * spent(check) / (repeats * PLACES)


def laying(game: CompiledGame, width: int, tiles: int, away: int) -> tuple[State, Happening]:
    """A table of so many tiles, so many squares away from the edge, and one more run laid on it."""
    instance = game.instance
    lay = instance.transitions["lay"].params[0].type
    assert isinstance(lay, y.Map) and isinstance(lay.key, y.Grid)
    tile = lay.value.inner if isinstance(lay.value, y.Option) else lay.value
    squares, kinds = list(instance.order(lay.key)), list(instance.order(tile))
    runs = {}
    for number in range(tiles // 3):
        row, column = 2 + 3 * (number // 8), 2 + away + 5 * (number % 8)
        for step in range(3):
            kind = 14 * (number % 4) + 3 * (number // 8 % 4) + step
            runs[squares[row * width + column + step]] = kinds[kind]
    begin = game.position(game.begin())
    new = {squares[90 * width + 50 + away + step]: kinds[11 + step] for step in range(3)}
    state = game.load({
        **begin, "phase": "turn", "active": 1, "board": SparseMap(instance.order(lay.key), runs),
        "founded": frozenset((1, 2, 3)),
        "rack": {**begin["rack"], 1: BagValue((*new.values(), kinds[0]))},
    })  # fmt: skip
    table = SparseMap(instance.order(lay.key), {**runs, **new})
    return state, game.encode(Event("lay", 1, {instance.transitions["lay"].params[0].name: table}))
