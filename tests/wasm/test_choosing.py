"""How random games choose a move: every legal one equally often, no other one ever, whether moves
are drawn, noted in another order than they are written, or listed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulewright.frontend import read
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.wasm.runtime.exploring import Explorer
from rulewright.wasm.runtime.wasm_game import WasmGame
from tests.play.games import game, small

SPECS = Path(__file__).parent.parent.parent / "spec" / "library"
DRAWS = 30
"""For each legal move."""
SCATTERED = """
    phase play, over final
    state
        n: 0..999 = 0
    move pick(k: 0..999) by p in play
        needs first: p == 1
        needs few: {few}
        does n = k
"""


def board_game(name: str) -> Instance:
    spec = read(SPECS / f"{name}.rules").spec
    assert spec is not None
    return Instance(spec, 2)


def text(event: Event) -> str:
    return f"{event.name} {event.by} {sorted(event.arguments.items())}"


def go_on(compiled: WasmGame, number: int) -> None:
    """Makes a move at random, in a new game if this one is over."""
    event = compiled.choose(5, number)
    if event is None:
        compiled.begin()
    else:
        compiled.apply(event)


def chooses_evenly(compiled: WasmGame, many: int = DRAWS) -> None:
    """Compares how often each move is chosen with how often it should be, by the usual test. All
    players who can move have an equal share."""
    moves = list(legal_moves(compiled.instance, compiled.position))
    movers = Counter(move.by for move in moves)
    draws = many * len(moves)
    found: Counter[str] = Counter()
    for number in range(draws):
        event = compiled.choose(11, number)
        assert event is not None
        found[text(event)] += 1
    assert found.keys() <= {text(move) for move in moves}
    distance = 0.0
    for move in moves:
        wanted = draws / len(movers) / movers[move.by]
        distance += (found[text(move)] - wanted) ** 2 / wanted
    freedom = max(len(moves) - 1, 1)
    assert distance < freedom + 6 * (2 * freedom) ** 0.5 + 6


@pytest.mark.parametrize(
    "name", ["connect_four", "othello", "breakthrough", "hex", "draughts"]
)  # fmt: skip
def test_moves_of_board_games_are_equally_likely(name: str):
    compiled = WasmGame(board_game(name))
    compiled.begin()
    for number in range(24):
        if number % 8 == 0 and compiled.position["phase"] == "play":
            chooses_evenly(compiled)
        go_on(compiled, number)


def test_moves_of_qwixx_are_equally_likely():
    compiled = WasmGame(game("qwixx", 3))
    compiled.begin()
    asked = 0
    for number in range(40):
        if compiled.position["phase"] not in ("throw", "over"):
            asked += 1
            chooses_evenly(compiled)
        go_on(compiled, number)
    assert asked > 20


@pytest.mark.parametrize(
    "few", ["k % 500 == 7", "k == 7 or k == 998", "all i in 0..9: k >= 100 * i + 95"]
)
def test_few_moves_among_many_are_found(few: str):
    compiled = WasmGame(small(SCATTERED.format(few=few), 2))
    compiled.begin()
    chooses_evenly(compiled, 100)


def test_a_condition_that_fails_is_found_however_moves_are_chosen():
    """One of a thousand values has none; drawing a legal one would not notice."""
    from rulewright.play.semantics.errors import EvaluationError

    compiled = WasmGame(small(SCATTERED.format(few="1000 / (k - 900) != 1"), 2))
    compiled.begin()
    with pytest.raises(EvaluationError, match="divided by zero"):
        compiled.choose(1)


@pytest.mark.parametrize("name", ["othello", "breakthrough", "hex", "draughts"])
def test_board_games_have_the_moves_that_the_evaluator_has(name: str):
    compiled = WasmGame(board_game(name))
    compiled.begin()
    for number in range(30):
        if number % 6 == 0:
            wanted = [text(move) for move in legal_moves(compiled.instance, compiled.position)]
            assert [text(move) for move in compiled.legal()] == wanted
        go_on(compiled, number)


def counted(columns: int) -> int:
    """The positions of Connect Four with six rows, by a program of its own."""
    lines = [
        [(c + i * x, r + i * y) for i in range(4)]
        for c in range(columns) for r in range(6) for x, y in ((1, 0), (0, 1), (1, 1), (1, -1))
        if 0 <= c + 3 * x < columns and 0 <= r + 3 * y < 6
    ]  # fmt: skip
    known = waiting = {("",) * columns}
    while waiting:
        found = set()
        for heaps in waiting:
            owner = {(c, r): who for c, heap in enumerate(heaps) for r, who in enumerate(heap)}
            if any(len({owner.get(at, at) for at in line}) == 1 for line in lines):
                continue
            player = "AB"[len(owner) % 2]
            found |= {(*heaps[:c], heap + player, *heaps[c + 1 :])
                      for c, heap in enumerate(heaps) if len(heap) < 6}  # fmt: skip
        waiting = found - known
        known |= found
    return len(known)


@pytest.mark.parametrize("columns", [2, 3])
def test_exploring_finds_all_positions_either_way(columns: int):
    from rulewright.frontend import check_text

    text = (SPECS / "connect_four.rules").read_text().partition("# ---- what is proved")[0]
    for old, new in (("grid 7 x 6", f"grid {columns} x 6"), ("1..7", f"1..{columns}"),
                     ("c <= 7", f"c <= {columns}")):  # fmt: skip
        text = text.replace(old, new)
    spec = check_text("connect_four.rules", text).spec
    assert spec is not None
    compiled = WasmGame(Instance(spec, 2), parts=frozenset(("explore",)))
    compiled.begin()
    explorer = Explorer(compiled)
    broad, deep = explorer.positions(300_000), explorer.positions(300_000, deep=True)
    assert broad.positions == deep.positions == counted(columns)
    for what in ("finished", "stuck"):
        counts = [sum(getattr(level, what) for level in each.levels) for each in (broad, deep)]
        assert counts[0] == counts[1]
    assert explorer.room(300_000) < 1 << 25
