"""A whole rearranged table of Kubbar checked against the rules: by the tiles on it and by the size
of the grid.

One more run of three is laid on a table of so many tiles. No table is where the one before was, so
that nothing is known of it. The goal: sixteen times the squares take at most half as long again,
because only the tiles count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.measure import ROOT, Row, in_turns, rows, spent
from benchmarks.play import USUAL
from checker.front import Checked, check_text, read
from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine
from checker.play.instance import Instance

WIDTHS = (120, 480)
TILES = (12, 24, 48, 96)
PLACES = 10
"""So many tables are checked in turn."""


def questions(quick: bool) -> Iterator[Row]:
    """Checking one proposed table."""
    kubbar = read(ROOT / "spec" / "kubbar.rules")
    machines = {width: machine_of(kubbar, width) for width in WIDTHS}
    for tiles in TILES[:1] if quick else TILES:
        measured = in_turns(
            {f"grid {width} x {width}": checking(machines[width], width, tiles)
             for width in WIDTHS},
            2 if quick else 7,
        )  # fmt: skip
        yield from rows("checking a table by its tiles", "µs", measured, at=tiles)


def machine_of(kubbar: Checked, width: int) -> Machine:
    """The game on a grid of another size."""
    assert kubbar.text is not None
    text = kubbar.text.text.replace("grid 240 x 240", f"grid {width} x {width}")
    spec = check_text("kubbar.rules", text).spec
    assert spec is not None
    return Machine(Instance(spec, USUAL))


def checking(machine: Machine, width: int, tiles: int) -> Callable[[], float]:
    """Measures the microseconds to check one more run laid on a table of so many tiles."""
    asked = [laying(machine, width, tiles, away) for away in range(PLACES)]
    repeats = max(1, 200 // tiles)

    def check() -> None:
        for _ in range(repeats):
            for state, lay in asked:
                machine.broken(state, lay)

    return lambda: 1e6 * spent(check) / (repeats * PLACES)


def laying(machine: Machine, width: int, tiles: int, away: int) -> tuple[State, Happening]:
    """A table of so many tiles, so many squares away from the edge, and one more run laid on it."""
    state = machine.begin()
    spec = machine.instance.spec
    slot = {name: slots.base for name, slots in machine.layout.slots.items()}
    runs = {}
    for number in range(tiles // 3):
        row, column = 2 + 3 * (number // 8), 2 + away + 5 * (number % 8)
        for step in range(3):
            runs[row * width + column + step] = 14 * (number % 4) + 3 * (number // 8 % 4) + step
    state[0] = [phase.name for phase in spec.phases].index("turn")
    state[slot["active"]] = 1
    state[slot["board"]] = runs
    state[slot["founded"]] = 2 + 4 + 8
    state[slot["rack"]] = {11: 1, 12: 1, 13: 1, 0: 1}
    at = 90 * width + 50 + away
    return state, (machine.numbers["lay"], 1, {**runs, at: 11, at + 1: 12, at + 2: 13})
