"""Small specs written so that something false is easily certified, and what is true beside it."""

from __future__ import annotations

import pytest

from tests.certify.asking import certified, checked_of, names

HEAD = 'game attack "Attack"\n    players 2..2\n'

REFUTED_ASSUMED = """
phase low, high, over final
state
    height: 0..3 = 0
move climb by p in low "climb"
    does phase = high
move jump by p in high "jump"
    does
        height = 3
        phase = over
invariant stays_low "nobody climbs": phase != high
invariant ground "the ground": height == 0
invariant fine "in range": height <= 3
"""

FIXED_SQUARE = """
type Square = grid {size}
phase play, over final
state
    board[Square]: 0..2 = 0
move put(at: Square) by p in play "put"
    needs clear "the corner is free": board[A1] == 0
    does board[at] = 1
move stop by p in play "stop"
    does phase = over
invariant one_counts "at most one": (count s: Square: board[s] == 1 and board[A1] == 1) <= 1
invariant never_two "no twos": all s: Square: board[s] < 2
invariant no_more "no more than there are": (count s: Square: board[s] == 1) <= {count}
"""

SAME_NAME = """
type Square = grid {size}
phase play, over final
state
    board[Square]: 0..1 = 0
move put(at: Square, value: 0..1) by p in play "put"
    does board[at] = value
move stop by p in play "stop"
    does phase = over
invariant alike "all alike":
    (sum s: Square: (count t: Square: board[t] == board[s])) == {pairs}
"""

INSIDE = """
type Square = grid 14 x 14
phase play, over final
state
    board[Square]: 0..2 = 0
    k: 0..2 = 0
move put(at: Square) by p in play "put"
    needs {needs}
    does board[at] = 1
move stop by p in play "stop"
    does phase = over
invariant small "small": k <= 2
"""

ENABLING = """
phase act simultaneous, over final
state
    each Player
        waved: Bool = false
        came: Bool = false
move wave by p in act "wave"
    does waved[p] = true
move come by p in act "come"
    needs seen "somebody waves": some q: Player: {seen}
    does came[p] = true
step done in act "all have acted"
    when everybody "everybody": all p: Player: p in answered
    does phase = over
"""

BEFORE = """
phase warm, play, over final
state
    n: 0..4 = 2
    flag: Bool = false
move again by p in warm "again"
    does flag = not flag
move go by p in warm "go"
    does phase = play
move stop by p in play "stop"
    needs some_left "left": n > 0
    does n -= 1
move leave by p in play "leave"
    does phase = over
ends finite "it ends" by (n) at play
"""

STUCK = """
phase wait, play, over final
state
    n: 0..1 = 0
step on in wait "on"
    when due "due": n == 0
    does phase = play
move stop by p in play "stop"
    does phase = over
"""

OVER_AND_BACK = """
phase play, over final
state
    n: 0..3 = 0
move end by p in play "end"
    does
        n = 1
        phase = over
step back in over "back"
    when due "due": n == 1
    does
        n = 0
        phase = play
ends finite "it ends" by (n) at play
"""

ACCEPTED = """
phase play, over final
state
    n: 0..3 = 0
move up by p in play "up"
    needs low "low": n < 3
    does n += 1
move stop by p in play "stop"
    does phase = over
always never "never": false
accept refuted never "known"
"""

SHORT_CUT = """
phase play, over final
state
    n: 0..3 = 0
move up by p in play "up"
    needs low "low": n < 3
    does n += 1
move stop by p in play "stop"
    does phase = over
invariant guarded "guarded": n == 0 or 6 / n >= 2
invariant bare "bare": 6 / n >= 0
invariant stopped "stopped": all k in 0..3: k > n or (some m in 0..3: m == k)
"""


def test_what_is_refuted_is_not_assumed():
    assert names(HEAD + REFUTED_ASSUMED) & {"stays_low", "ground", "fine"} == {"fine"}


@pytest.mark.parametrize(("size", "count"), [("6 x 6", 36), ("14 x 14", 196)])
def test_a_sum_that_reads_another_square(size: str, count: int):
    found = names(HEAD + FIXED_SQUARE.format(size=size, count=count))
    assert found & {"one_counts", "never_two", "no_more"} == {"never_two", "no_more"}
    short = names(HEAD + FIXED_SQUARE.format(size=size, count=count - 1))
    assert "no_more" not in short


@pytest.mark.parametrize(("size", "pairs"), [("6 x 6", 1296), ("14 x 14", 38416)])
def test_names_bound_in_one_another(size: str, pairs: int):
    assert "alike" not in names(HEAD + SAME_NAME.format(size=size, pairs=pairs))


@pytest.mark.parametrize(
    "needs",
    [
        'odd "odd": all t: Square: 2 / board[t] >= 0',
        'odd "odd": (count t: Square: 2 / board[t] > 1) < 300',
        'odd "odd": (sum t: Square: 2 % board[t]) >= 0',
        'odd "odd": some t: Square: 2 / board[t] == 1',
        'odd "odd": size({each t: Square where 2 / board[t] > 0}) >= 0',
        'odd "odd": ([each t: Square: 2 / board[t]])[A1] >= 0',
        'odd "odd": all t: Square: board[t] == 0 or 2 / k >= 0',
    ],
)
def test_what_goes_wrong_inside_a_quantifier_over_a_large_board(needs: str):
    found = certified(checked_of(HEAD + INSIDE.format(needs=needs)))
    assert not found["safe"].certified
    for name in ("goes_on", "one_step"):  # they ask what could be done, and so rest on it
        assert not found[name].certified and "`safe`" in found[name].reason
    assert found["small"].certified, "it holds of every event that comes to its end"


def test_the_same_where_nothing_goes_wrong():
    needs = 'even "even": all t: Square: board[t] == 0 or 2 / board[t] >= 0'
    assert {"safe", "small"} <= names(HEAD + INSIDE.format(needs=needs))


def test_a_move_that_lets_another_player_move():
    assert "order" not in names(HEAD + ENABLING.format(seen="waved[q]"))
    assert "order" in names(HEAD + ENABLING.format(seen="q == q"))


def test_a_circle_before_the_phase_of_the_measure():
    assert "finite" not in names(HEAD + BEFORE)
    assert "finite" in names(HEAD + BEFORE.replace("does flag = not flag", "does phase = play"))


def test_a_circle_through_a_step_after_the_end():
    assert "finite" not in names(HEAD + OVER_AND_BACK)


def test_a_due_step_is_no_way_on_at_the_start():
    assert "goes_on" not in names(HEAD + STUCK)
    moving = STUCK.replace("move stop", 'move start by p in wait "start"\nmove stop')
    assert "goes_on" in names(HEAD + moving)


def test_what_is_accepted_is_not_assumed():
    assert "never" not in names(HEAD + ACCEPTED)


def test_what_is_not_looked_at_need_not_have_a_value():
    assert names(HEAD + SHORT_CUT) & {"guarded", "bare", "stopped"} == {"guarded", "stopped"}


def test_invariants_that_fall_one_after_another():
    """Each holds only as long as the next one is assumed, and the last one is wrong."""
    many = range(12)
    lines = ["phase play, over final", "state", *(f"    a{k}: 0..1 = 0" for k in many)]
    lines += ['move go by p in play "go"', "    does"]
    lines += [f"        a{k} = {f'a{k + 1}' if k + 1 in many else 1}" for k in many]
    lines += ['move stop by p in play "stop"', "    does phase = over"]
    lines += [f'invariant i{k} "nought": a{k} == 0' for k in many]
    assert not names(HEAD + "\n".join(lines) + "\n") & {f"i{k}" for k in many}
