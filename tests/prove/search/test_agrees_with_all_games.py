"""The prover against the truth: small games and the mistakes that can be made in their rules, with
every position of every game gone through. What is proved holds, what is refuted does not."""

from __future__ import annotations

import pytest

from rulewright.conform.mutation.mutants import mutants
from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.run.prover import prove
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from tests.prove.search.explored import explored

DARE = """game dare "Dare"
    players 2..2
phase decide, rolling, won final
state
    active: Player
    total: 0..6 = 0
    each Player
        points: 0..6 = 0
effect next_turn()
    total = 0
    active = left_of(active)
    phase = decide
move roll by p in decide "roll"
    needs turn "the player's turn": p == active
    needs worth "holding would not win": points[p] + total < 4
    does phase = rolling
chance fall(pips: 1..3) in rolling "the die falls"
    does
        if pips == 1:
            next_turn()
        else:
            total += pips
            phase = decide
move hold by p in decide "hold"
    needs turn "the player's turn": p == active
    needs rolled "rolled before": total > 0
    does
        points[p] += total
        if points[p] >= 4:
            phase = won
        else:
            next_turn()
invariant won_with_4 "won with 4": (phase == won) == (some p: Player: points[p] >= 4)
invariant one_winner "one winner": (count p: Player: points[p] >= 4) <= 1
invariant reach "in reach": phase == decide implies points[active] + total <= 6
invariant worth_it "worth it": phase == rolling implies points[active] + total < 4
always kept "points are kept": all p: Player: points[p] >= old(points[p])
always left "to the left": active == old(active) or active == left_of(old(active))
possible four "four in a turn": total >= 4
possible five "five points kept": some p: Player: points[p] >= 5
possible both "both near": all p: Player: points[p] >= 3
"""

ROWS = """game rows "Rows"
    players 2..2
type Colour = red | blue
phase throw, answer simultaneous, over final
state
    die: 1..2 = 1
    closed: Set[Colour] = {}
    each Player
        crossed[Colour]: Set[1..2] = {}
chance throw_die(n: 1..2) in throw "the die is thrown"
    does
        die = n
        phase = answer
move cross(row: Colour) by p in answer "cross"
    needs open "the row is open": row not in closed
    needs right "to the right": all n in crossed[p][row]: n < die
    needs two "the last needs one before": die == 2 implies size(crossed[p][row]) >= 1
    does crossed[p][row] += {die}
move skip by p in answer "skip"
    needs reds "only without red": size(crossed[p][red]) <= 1
step close in answer "rows close"
    when everyone "all have answered": all p: Player: p in answered
    does
        closed += {each r: Colour where some p: Player: 2 in crossed[p][r]}
        if size(closed) >= 1:
            phase = over
        else:
            phase = throw
invariant closed_with_two "closed with two": all r: Colour: r in closed implies
    some p: Player: size(crossed[p][r]) >= 2
invariant over_closed "over when closed": (phase == over) == (size(closed) >= 1)
always never_erased "never erased": all p: Player, r: Colour: old(crossed[p][r]) <= crossed[p][r]
always closed_stays "no cross in a closed row": all p: Player, r: Colour:
    r in old(closed) implies crossed[p][r] == old(crossed[p][r])
possible both_rows "both rows close at once": size(closed) == 2
possible two_all "two crosses each": all p: Player: some r: Colour: size(crossed[p][r]) == 2
possible four "four crosses": some p: Player: all r: Colour: size(crossed[p][r]) == 2
"""

BOARD = """game placing "Placing"
    players 2..2
type Square = grid 2 x 2
type Tile = one | two
phase draw, play, over final
state
    active: Player = 1
    bag: Bag[Tile] hidden = {one, one, two}
    board[Square]: Tile? = none
    each Player
        hand: Tile? = none
        laid: 0..4 = 0
chance drawn(t: Tile) in draw "a tile is drawn"
    weight bag[t]
    does
        bag -= {t}
        hand[active] = t
        phase = play
move lay(s: Square) by p in play "lay the tile"
    needs turn "the player's turn": p == active
    needs free "the square is free": board[s] == none
    needs beside "beside another": size(occupied(board)) > 0 implies
        some d: Direction, n in step(s, d, 1): board[n] != none
    does
        board[s] = hand[p]
        hand[p] = none
        laid[p] += 1
        active = left_of(active)
        if size(bag) == 0:
            phase = over
        else:
            phase = draw
invariant tiles "three tiles":
    size(bag) + size(tally(board)) + (count p: Player: hand[p] != none) == 3
invariant ones "two ones": bag[one] + tally(board)[one] + (count p: Player: hand[p] == one) == 2
invariant counted "laid is counted": size(occupied(board)) == sum p: Player: laid[p]
invariant together "one piece": components(board) <= 1
invariant held "a tile is held in play": (phase == play) == (hand[active] != none)
always stays "a laid tile stays":
    all s: Square: old(board[s]) != none implies board[s] == old(board[s])
possible full_row "a row of ones": board[A1] == one and board[B1] == one
possible twos "two twos": tally(board)[two] == 2
ends finite "the game ends" by (size(bag)) at draw
"""

GAMES = {"dare": DARE, "rows": ROWS, "placing": BOARD}
SAMPLE = 19
"""One of so many mutants is tried."""


def spec_of(text: str) -> c.Spec:
    checked = check_text("small.rules", text)
    assert checked.spec is not None, checked.diagnostics
    return checked.spec


def cases() -> list[tuple[str, str, c.Spec]]:
    found = []
    for name, text in GAMES.items():
        spec = spec_of(text)
        found.append((name, "as it is", spec))
        found += [
            (name, f"{each.label} {each.what}", each.spec) for each in mutants(spec)[::SAMPLE]
        ]
    return found


def disagreements(spec: c.Spec) -> tuple[list[str], int, int]:
    """What the prover says that is not so; and how many verdicts there are, and how many open."""
    truth = explored(Instance(spec, 2))
    run = Scheduler({None: spec}, ProverOptions(1.0), None, 1, lambda done, of: None)
    [proved] = prove({None: spec}, [Configuration(2, (), None)], run, ())
    wrong, open_ = [], 0
    for each in proved.verdicts:
        if each.verdict == "unknown":
            open_ += 1
        if each.verdict not in ("proved", "refuted"):
            continue
        match each.kind:
            case "possible":
                holds = each.name in truth.reached
            case "ends":
                if each.verdict == "proved" and truth.endless:
                    wrong.append(f"{each.name} is proved")
                continue
            case "invariant" | "always":
                holds = each.name not in truth.broken
            case _ if each.name in ("safe", "goes_on"):
                holds = each.name not in truth.broken
            case _:
                continue
        if holds != (each.verdict == "proved"):
            wrong.append(f"{each.name} ({each.kind}) is {each.verdict}")
    return wrong, len(proved.verdicts), open_


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case[0]}: {case[1]}")
def test_what_is_said_is_so(case: tuple[str, str, c.Spec]) -> None:
    wrong, verdicts, _ = disagreements(case[2])
    assert verdicts and not wrong
