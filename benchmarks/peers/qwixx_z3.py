"""Qwixx in z3's Python API, written by hand: what a person would write to prove four invariants.

The invariants are: a lock needs six crosses, crosses go from left to right, at most three rows are
closed, and the game is over exactly by a fourth misthrow or two closed rows. `last` notes the
right-most cross, `who` the next to answer the white sum; four more invariants, found by hand, make
the induction go through. One query for each transition and invariant. Nothing of the checker is
used. `python -m benchmarks.peers.qwixx_z3 PLAYERS`
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

from z3 import And, Bool, BoolVal, If, Implies, Int, IntVal, Not, Or, PbGe, Solver, unsat

ROWS = range(4)
PLACES = range(11)
ROLL, WHITE, COLOUR = 0, 1, 2
NEED = 5


def at_least(truths: list[Any], number: int) -> Any:
    return PbGe([(each, 1) for each in truths], number)


def place(row: int, number: Any) -> Any:
    """Where a number stands in a row: two rows rise from 2, two fall from 12."""
    return number - 2 if row < 2 else 12 - number


class State:
    """A position, each part a term."""

    def __init__(self, n: int, mark: str) -> None:
        self.n = n
        everybody = range(n)
        self.x = [[[Bool(f"x_{p}_{r}_{i}{mark}") for i in PLACES] for r in ROWS] for p in everybody]
        self.last = [[Int(f"last_{p}_{r}{mark}") for r in ROWS] for p in everybody]
        self.lock = [[Bool(f"lock_{p}_{r}{mark}") for r in ROWS] for p in everybody]
        self.mis: list[Any] = [Int(f"mis_{p}{mark}") for p in everybody]
        self.closed: list[Any] = [Bool(f"closed_{r}{mark}") for r in ROWS]
        self.active, self.who = Int(f"active{mark}"), Int(f"who{mark}")
        self.used, self.over = Bool(f"used{mark}"), Bool(f"over{mark}")
        self.w: list[Any] = [Int(f"w{j}{mark}") for j in (0, 1)]
        self.d: list[Any] = [Int(f"d{r}{mark}") for r in ROWS]
        self.phase: Any = Int(f"phase{mark}")

    def copy(self) -> Any:
        other = object.__new__(State)
        other.n = self.n
        other.x = [[list(row) for row in sheet] for sheet in self.x]
        other.last = [list(each) for each in self.last]
        other.lock = [list(each) for each in self.lock]
        other.mis, other.closed = list(self.mis), list(self.closed)
        other.active, other.who = self.active, self.who
        other.used, other.over = self.used, self.over
        other.w, other.d, other.phase = list(self.w), list(self.d), self.phase
        return other


def initial(s: State) -> Any:
    parts = [Not(each) for sheet in s.x for row in sheet for each in row]
    parts += [each == -1 for sheet in s.last for each in sheet]
    parts += [Not(each) for sheet in s.lock for each in sheet]
    parts += [each == 0 for each in s.mis] + [Not(each) for each in s.closed]
    parts += [s.active == 0, s.who == 0, Not(s.used), Not(s.over), s.phase == ROLL]
    return And(parts + [each == 1 for each in (*s.w, *s.d)])


def can(s: State, p: int, r: int, number: Any) -> Any:
    i = place(r, number)
    enough = Implies(i == 10, at_least(s.x[p][r], NEED))
    return And(Not(s.closed[r]), i > s.last[p][r], enough)


def mark(t: Any, p: int, r: int, number: Any, when: Any) -> None:
    """Crosses a number where a condition holds."""
    i = place(r, number)
    t.x[p][r] = [Or(t.x[p][r][k], And(when, i == k)) for k in PLACES]
    t.last[p][r] = If(when, i, t.last[p][r])
    t.lock[p][r] = Or(t.lock[p][r], And(when, i == 10))


def transitions(s: State) -> list[tuple[str, Any, Any]]:
    """The name of each, what it needs, and the position after it."""
    n, found = s.n, []
    choice, which = Int("choice"), Int("which")
    dice = [Int(f"die{k}") for k in range(6)]
    going = Not(s.over)
    t = s.copy()
    t.w, t.d = dice[:2], dice[2:]
    t.who, t.used, t.phase = IntVal(0), BoolVal(False), IntVal(WHITE)
    pips = [And(each >= 1, each <= 6) for each in dice]
    found.append(("roll", And([going, s.phase == ROLL, *pips]), t))
    number = s.w[0] + s.w[1]
    for p in range(n):
        needs = [going, s.phase == WHITE, s.who == p, choice >= -1, choice <= 3]
        needs += [Implies(choice == r, can(s, p, r, number)) for r in ROWS]
        t = s.copy()
        for r in ROWS:
            mark(t, p, r, number, choice == r)
        t.used = Or(s.used, And(s.active == p, choice >= 0))
        t.who = IntVal((p + 1) % n)
        if p == n - 1:
            t.phase = IntVal(COLOUR)
            t.closed = [Or([s.closed[r], *(t.lock[q][r] for q in range(n))]) for r in ROWS]
            t.over = at_least(t.closed, 2)
        found.append((f"white {p}", And(needs), t))
    for p in range(n):
        die = If(which == 0, s.w[0], s.w[1])
        needs = [going, s.phase == COLOUR, s.active == p, choice >= -1, choice <= 3]
        needs += [which >= 0, which <= 1]
        needs += [Implies(choice == r, can(s, p, r, die + s.d[r])) for r in ROWS]
        t = s.copy()
        for r in ROWS:
            mark(t, p, r, die + s.d[r], choice == r)
            t.closed[r] = Or(s.closed[r], And(choice == r, place(r, die + s.d[r]) == 10))
        t.mis[p] = If(And(choice == -1, Not(s.used)), s.mis[p] + 1, s.mis[p])
        t.over = Or(t.mis[p] == 4, at_least(t.closed, 2))
        t.active, t.phase = IntVal((p + 1) % n), IntVal(ROLL)
        found.append((f"colour {p}", And(needs), t))
    return found


def invariants(s: State) -> dict[str, Any]:
    """The four, then those that help."""
    everywhere = [(p, r) for p in range(s.n) for r in ROWS]
    ordered = [
        And(
            [Implies(s.x[p][r][i], i <= s.last[p][r]) for i in PLACES]
            + [s.last[p][r] >= -1, s.last[p][r] <= 10]
            + [Implies(s.last[p][r] == i, s.x[p][r][i]) for i in PLACES]
        )
        for p, r in everywhere
    ]
    ranges = [And(each >= 0, each <= 4) for each in s.mis]
    ranges += [s.active >= 0, s.active < s.n, s.who >= 0, s.who < s.n, s.phase >= 0, s.phase <= 2]
    ranges += [And(each >= 1, each <= 6) for each in (*s.w, *s.d)]
    white, last = s.phase == WHITE, s.w[0] + s.w[1]
    return {
        "lock needs six": And(
            [Implies(s.lock[p][r], at_least(s.x[p][r], 6)) for p, r in everywhere]
        ),
        "left to right": And(ordered),
        "three closed": Not(And(s.closed)),
        "over": s.over == Or([each == 4 for each in s.mis] + [at_least(s.closed, 2)]),
        "ranges": And(ranges),
        "going": Implies(white, Not(s.over)),
        "pending": And([
            Implies(And(white, s.lock[p][r], Not(s.closed[r])), place(r, last) == 10)
            for p, r in everywhere
        ]),
        "settled": And([
            Implies(And(Not(white), s.lock[p][r]), s.closed[r]) for p, r in everywhere
        ]),
    }  # fmt: skip


def prove(n: int) -> dict[str, Any]:
    """How many seconds of the processor the proof takes, and what is not proved."""
    began = process_time()
    s, start = State(n, ""), State(n, "_0")
    before = And(list(invariants(s).values()))
    queries = [(f"initial {name}", [initial(start), Not(each)])
               for name, each in invariants(start).items()]  # fmt: skip
    for transition, needs, after in transitions(s):
        for name, each in invariants(after).items():
            queries.append((f"{transition} {name}", [before, needs, Not(each)]))
    open_ones = []
    for name, parts in queries:
        solver = Solver()
        solver.add(*parts)
        if solver.check() != unsat:
            open_ones.append(name)
    return {"seconds": process_time() - began, "queries": len(queries), "not proved": open_ones}


if __name__ == "__main__":
    print(json.dumps(prove(int(sys.argv[1]))))
