"""What is connected, in certificates: the checker says what the evaluator says."""

from __future__ import annotations

from itertools import combinations

import pytest

from rulewright.certify.claim import Claim
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from tests.certify.asking import certified, checked_of

BOARDS = {
    "squares": ("type Place = grid 3 x 2", ("A1", "B1", "C1", "A2", "B2", "C2"), ""),
    "diagonals": ("type Place = grid 3 x 2", ("A1", "B1", "C1", "A2", "B2", "C2"), ", Diagonal"),
    "hexagons": ("type Place = hexes 3 x 2", ("A1", "B1", "C1", "A2", "B2", "C2"), ""),
    "lines": (
        "type Place = a | b | c | d | e\ntype Way2 = on | back\n"
        "table beside[Place, Way2]: Place?\n    a b none\n    b c none\n    c b d\n    d none a\n"
        "    e e none",
        ("a", "b", "c", "d", "e"),
        ", beside",
    ),
    "pairs": (
        "type Place = a | b | c\ntable beside[Place, Place]: Bool\n"
        "    a false true false\n    b false false true\n    c false false true",
        ("a", "b", "c"),
        ", beside",
    ),
}

PLAYED = """game links "Links"
    players 1
{board}
phase play, over final
state
    open: Set[Place] = {{{first}}}
move unlock(q: Place) by p in play "unlock"
    does open += {{q}}
move stop by p in play "stop"
    does phase = over
"""


def board(name: str) -> tuple[str, tuple[str, ...], str]:
    declared, places, beside = BOARDS[name]
    return PLAYED.format(board=declared, first=places[0]), places, beside


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_reached_within_known_places(name: str):
    """Each set of places, from the first of them and from one that may be outside."""
    text, places, beside = board(name)
    truths = []
    for number, inside in enumerate(
        each for size in range(1, len(places) + 1) for each in combinations(places, size)
    ):
        reach = f"reach({(inside[0], places[0])[number % 2]}, {{{', '.join(inside)}}}{beside})"
        truths.append(f'theorem t{number} "t": {places[-1 - number % 3]} in {reach}')
    checked = checked_of(text + "\n".join(truths) + "\n")
    assert checked.spec is not None
    instance = Instance(checked.spec, 1)
    so = {
        each.name: evaluate(each.claim, Environment(instance, {}))
        for each in checked.spec.properties
    }
    claims = [Claim(each.name, "theorem") for each in checked.spec.properties]
    found = certified(checked, claims)
    assert {name: each.certified for name, each in found.items()} == so
    assert {True, False} == set(so.values())


CLAIMS = """
invariant held "it has what it begins with": {first} in reach({first}, open{beside})
invariant inside "nothing else": reach({first}, open{beside}) <= open
invariant nowhere "nothing is reached": not connected({first}, {last}, open{beside})
always grows "nothing is cut off":
    reach({first}, old(open){beside}) <= reach({first}, open{beside})
always stays "nothing is reached anew":
    reach({first}, open{beside}) <= reach({first}, old(open){beside})
"""


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_always_so_is_certified_and_nothing_else(name: str):
    text, places, beside = board(name)
    claims = CLAIMS.format(first=places[0], last=places[-1], beside=beside)
    found = certified(checked_of(text + claims))
    shown = {"held", "inside", "grows"} | ({"nowhere"} if name in ("lines", "diagonals") else set())
    assert {n for n in ("held", "inside", "nowhere", "grows", "stays") if found[n].certified} == (
        shown
    )


def test_a_board_that_is_not_written_out_is_left_open():
    text = PLAYED.format(board="type Place = grid 11 x 11", first="A1")
    found = certified(checked_of(text + CLAIMS.format(first="A1", last="K11", beside="")))
    assert not found["grows"].certified
    assert "`reach` on a large board" in found["grows"].reason
