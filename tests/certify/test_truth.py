"""The checker held to the truth: small games, and mistakes made in their rules, of which every
position is gone through by the plain evaluator. Whatever is certified is so."""

from __future__ import annotations

import pytest

from rulewright.certify.claim import Claim
from rulewright.conform.mutation.mutants import mutants
from rulewright.frontend import LoadedSpec
from rulewright.play.semantics.instance import Instance
from rulewright.syntax.node import replace
from tests.certify.asking import certified, checked_of
from tests.prove.search.explored import explored
from tests.prove.search.test_agrees_with_all_games import GAMES

SAMPLE = 7
"""One of so many mutants is tried."""

COUNTDOWN = """game countdown "Countdown"
    players 2..2
phase add, both simultaneous, fall, over final
state
    left: 0..5 = 5
    sum: 0..20 = 0
    pile: Bag[1..3] = {1, 2, 2, 3}
    each Player
        taken: Set[1..3] = {}
        last: 1..3? = none
move take(n: 1..3) by p in add "take"
    needs there "there": n in pile
    needs new "new": n not in taken[p]
    does
        pile -= {n}
        taken[p] += {n}
        last[p] = n
        sum += n
        if size(pile) == 1:
            phase = both
move show by p in both "show"
    needs own "own": last[p] != none
    does sum += last[p] otherwise 0
move hide by p in both "hide"
    does last[p] = none
step fall_now in both "fall"
    when everybody "everybody": all p: Player: p in answered
    does
        for p: Player where last[p] == none:
            left -= 1
        phase = fall
step down in fall "down"
    when more "more": left > 2
    does left -= 1
step done in fall "done"
    when less "less": left <= 2
    does phase = over
move pass by p in add "pass"
    needs none_fit "nothing fits": all n in pile: n in taken[p]
    needs other "nor for the other": all q: Player, n in pile where q != p: n in taken[q]
    does phase = over
invariant shared "shared": size(pile) + (sum p: Player: size(taken[p])) <= 4
invariant kept "kept": all p: Player, n in taken[p]: (pile[n] == 0) or n == 2
invariant total "total": sum <= 20 and sum <= 8 * 2
invariant low "low": phase == over implies left <= 5
invariant wrong "wrong": sum <= 7
always grows "grows": sum >= old(sum)
always falls "falls": left == old(left) or left == old(left) - 1
possible all_taken "all taken": size(pile) == 0
possible many "many": sum > 12
ends finite "it ends" by (size(pile), left) at add
"""

TEXTS = {**GAMES, "countdown": COUNTDOWN}


def cases() -> list[tuple[str, LoadedSpec]]:
    found = []
    for name, text in TEXTS.items():
        checked = checked_of(text)
        assert checked.spec is not None
        found.append((name, checked))
        found += [
            (f"{name}: {each.label} {each.what}", replace(checked, spec=each.spec))
            for each in mutants(checked.spec)[::SAMPLE]
        ]
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: case[0])
def test_what_is_certified_is_so(case: tuple[str, LoadedSpec]):
    checked = case[1]
    assert checked.spec is not None
    truth = explored(Instance(checked.spec, 2))
    found = certified(checked)
    false = []
    for name, each in found.items():
        match each.claim.kind:
            case "possible":
                so = name not in truth.reached
            case "ends":
                so = not truth.endless
            case _:
                so = name not in truth.broken
        if each.certified and not so:
            false.append(name)
    assert not false
    assert any(each.certified for each in found.values())


def test_what_holds_is_certified():
    """Not only nothing false: what an induction shows is confirmed."""
    found = certified(checked_of(TEXTS["dare"]))
    shown = {"won_with_4", "one_winner", "reach", "worth_it", "kept", "left", "safe", "goes_on"}
    assert shown <= {name for name, each in found.items() if each.certified}
    found = certified(checked_of(TEXTS["rows"]))
    shown = {"over_closed", "never_erased", "closed_stays", "order", "steps_stop", "safe"}
    assert shown <= {name for name, each in found.items() if each.certified}


FALLING = """game falling "Falling"
    players 2..2
phase play, roll, over final
state
    left: 0..3 = 3
    rolled: Bool = false
move go by p in play "go"
    does phase = roll
chance roll(n: 1..2) in roll "roll"
    does
        rolled = n == 1
        if left == 0:
            phase = over
        else:
            left -= 1
            phase = play
ends finite "it ends" by (left) at play
"""


def test_how_often_a_phase_is_entered():
    for depth, so in ((5, True), (4, True), (3, False)):
        found = certified(checked_of(FALLING), [Claim("finite", "ends", depth)])
        assert found["finite"].certified == so, (depth, found["finite"].reason)


def test_a_measure_has_to_fall_even_where_games_end():
    text = FALLING.replace("by (left)", "by (3 - left)")
    assert not certified(checked_of(text), [Claim("finite", "ends")])["finite"].certified


CASES = """game cases "Cases"
    players 2..2
type Square = grid 2 x 2
type Mark = mark(lit: Bool, at: Square) | blank
phase lay, over final
state
    held: Mark = blank
    lit: Bool = false
move put(at: Square) by p in lay "put"
    does held = mark(lit, at)
move switch by p in lay "switch"
    does lit = not lit
move stop by p in lay "stop"
    does phase = over
invariant named "what is held is blank or has a square": held == blank or held.at != none
"""


def test_cases_with_truths_and_squares_as_fields_are_certified() -> None:
    found = certified(checked_of(CASES))
    assert found["named"].certified and found["safe"].certified
