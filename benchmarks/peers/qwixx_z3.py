"""The model of README.md written by hand for z3: a proof by induction, and bounded search.

`python -m benchmarks.peers.qwixx_z3 prove PLAYERS [need=4]` asks one query for each transition and
invariant; `... search PLAYERS STEPS [need=4] [rows=3]` unrolls the known order of the phases, one
transition a step, and looks for a broken invariant or for so many closed rows. Prints one line of
JSON. Leaves out scores, readings and variants; the helper invariants were found by hand.
"""

from __future__ import annotations

import json
import sys
import time

from z3 import And, Bool, BoolVal, If, Implies, Int, IntVal, Not, Or, PbGe, Solver, sat, unsat

ROWS = range(4)
PLACES = range(11)
ROLL, WHITE, COLOUR = range(3)


def at_least(number, conditions):
    return PbGe([(each, 1) for each in conditions], number)


def place(row, value):
    return value - 2 if row < 2 else 12 - value


class State:
    """The variables of one position, or expressions for those of the next."""

    def __init__(self, players, tag):
        seats = range(players)
        self.players = players
        self.crossed = [
            [[Bool(f"crossed_{p}_{r}_{i}{tag}") for i in PLACES] for r in ROWS] for p in seats
        ]
        self.last = [[Int(f"last_{p}_{r}{tag}") for r in ROWS] for p in seats]
        self.lock = [[Bool(f"lock_{p}_{r}{tag}") for r in ROWS] for p in seats]
        self.misthrows = [Int(f"misthrows_{p}{tag}") for p in seats]
        self.closed = [Bool(f"closed_{r}{tag}") for r in ROWS]
        self.active, self.who = Int(f"active{tag}"), Int(f"who{tag}")
        self.used, self.over = Bool(f"used{tag}"), Bool(f"over{tag}")
        self.white = [Int(f"white_{die}{tag}") for die in (0, 1)]
        self.coloured = [Int(f"coloured_{r}{tag}") for r in ROWS]
        self.phase = Int(f"phase{tag}")

    def copy(self):
        other = object.__new__(State)
        other.__dict__.update(self.__dict__)
        other.crossed = [[list(row) for row in sheet] for sheet in self.crossed]
        other.last = [list(sheet) for sheet in self.last]
        other.lock = [list(sheet) for sheet in self.lock]
        other.misthrows, other.closed = list(self.misthrows), list(self.closed)
        return other

    def values(self):
        found = [each for sheet in self.crossed for row in sheet for each in row]
        found += [each for sheet in (*self.last, *self.lock) for each in sheet]
        found += [*self.misthrows, *self.closed, *self.white, *self.coloured]
        return [*found, self.active, self.who, self.used, self.over, self.phase]


def beginning(s):
    empty = [Not(each) for sheet in s.crossed for row in sheet for each in row]
    empty += [each == -1 for sheet in s.last for each in sheet]
    empty += [Not(each) for sheet in s.lock for each in sheet]
    empty += [each == 0 for each in s.misthrows] + [Not(each) for each in s.closed]
    empty += [each == 1 for each in (*s.white, *s.coloured)]
    order = [s.active == 0, s.who == 0, Not(s.used), Not(s.over), s.phase == ROLL]
    return And(empty + order)


def can(s, player, row, value, need):
    at = place(row, value)
    enough = Implies(at == 10, at_least(need, s.crossed[player][row]))
    return And(Not(s.closed[row]), at > s.last[player][row], enough)


def mark(after, player, row, value, chosen):
    """Crosses a value in a row of the state, if it is chosen."""
    at = place(row, value)
    crossed = after.crossed[player][row]
    after.crossed[player][row] = [Or(crossed[i], And(chosen, at == i)) for i in PLACES]
    after.last[player][row] = If(chosen, at, after.last[player][row])
    after.lock[player][row] = Or(after.lock[player][row], And(chosen, at == 10))


def transitions(s, tag, need):
    """Each with its name, its condition and the state after it."""
    choice, which = Int(f"choice{tag}"), Int(f"which{tag}")
    dice = [Int(f"die_{number}{tag}") for number in range(6)]
    going, found = Not(s.over), []

    after = s.copy()
    after.white, after.coloured = dice[:2], dice[2:]
    after.who, after.used, after.phase = IntVal(0), BoolVal(False), IntVal(WHITE)
    rolled = [And(die >= 1, die <= 6) for die in dice]
    found.append(("roll", And([going, s.phase == ROLL, *rolled]), after))

    total = s.white[0] + s.white[1]
    for player in range(s.players):
        allowed = [Implies(choice == row, can(s, player, row, total, need)) for row in ROWS]
        turn = [going, s.phase == WHITE, s.who == player, choice >= -1, choice <= 3]
        after = s.copy()
        for row in ROWS:
            mark(after, player, row, total, choice == row)
        after.used = Or(s.used, And(s.active == player, choice >= 0))
        if player < s.players - 1:
            after.who = IntVal(player + 1)
        else:
            after.who, after.phase = IntVal(0), IntVal(COLOUR)
            after.closed = [
                Or([s.closed[row], *(sheet[row] for sheet in after.lock)]) for row in ROWS
            ]
            after.over = at_least(2, after.closed)
        found.append((f"white{player}", And(turn + allowed), after))

    for player in range(s.players):
        die = If(which == 0, s.white[0], s.white[1])
        sums = [die + s.coloured[row] for row in ROWS]
        allowed = [Implies(choice == row, can(s, player, row, sums[row], need)) for row in ROWS]
        turn = [going, s.phase == COLOUR, s.active == player, choice >= -1, choice <= 3]
        after = s.copy()
        for row in ROWS:
            mark(after, player, row, sums[row], choice == row)
            closes = And(choice == row, place(row, sums[row]) == 10)
            after.closed[row] = Or(s.closed[row], closes)
        misthrow = And(choice == -1, Not(s.used))
        after.misthrows[player] = s.misthrows[player] + If(misthrow, 1, 0)
        after.over = Or(after.misthrows[player] == 4, at_least(2, after.closed))
        after.active, after.phase = IntVal((player + 1) % s.players), IntVal(ROLL)
        found.append((f"colour{player}", And([*turn, which >= 0, which <= 1, *allowed]), after))
    return found


def four(s):
    """The invariants to prove."""
    lock_needs_six, left_to_right = [], []
    for sheet, last, lock in zip(s.crossed, s.last, s.lock):
        for row in ROWS:
            lock_needs_six.append(Implies(lock[row], at_least(6, sheet[row])))
            left_to_right += [And(last[row] >= -1, last[row] <= 10)]
            left_to_right += [Implies(sheet[row][i], i <= last[row]) for i in PLACES]
            left_to_right += [Implies(last[row] == i, sheet[row][i]) for i in PLACES]
    ended = Or([each == 4 for each in s.misthrows] + [at_least(2, s.closed)])
    return [And(lock_needs_six), And(left_to_right), Not(And(s.closed)), s.over == ended]


def helpers(s):
    """What the four rest on."""
    ranges = [And(each >= 0, each <= 4) for each in s.misthrows]
    ranges += [And(each >= 1, each <= 6) for each in (*s.white, *s.coloured)]
    ranges += [s.active >= 0, s.active < s.players, s.who >= 0, s.who < s.players]
    ranges += [s.phase >= 0, s.phase <= 2]
    pending, settled = [], []
    for lock in s.lock:
        for row in ROWS:
            open_lock = And(s.phase == WHITE, lock[row], Not(s.closed[row]))
            pending.append(Implies(open_lock, place(row, s.white[0] + s.white[1]) == 10))
            settled.append(Implies(And(s.phase != WHITE, lock[row]), s.closed[row]))
    going = Implies(s.phase == WHITE, Not(s.over))
    return [And(ranges), going, And(pending), And(settled)]


def prove(players, need=5):
    """The queries that fail, of those that the invariants hold at the beginning and that every
    transition keeps them; and the seconds it took to build and to solve them."""
    started = time.process_time()
    before, first = State(players, ""), State(players, "_0")
    known = And(four(before) + helpers(before))
    queries = [("begin", [beginning(first), Not(each)]) for each in four(first) + helpers(first)]
    for name, condition, after in transitions(before, "", need):
        kept = four(after) + helpers(after)
        queries += [(name, [known, condition, Not(each)]) for each in kept]
    solving, failed = 0.0, []
    for name, query in queries:
        solver = Solver()
        solver.add(*query)
        began = time.process_time()
        if solver.check() != unsat:
            failed.append(name)
        solving += time.process_time() - began
    seconds = time.process_time() - started
    return {"not proved": failed, "queries": len(queries), "seconds": seconds, "solving": solving}


def search(players, steps, need, rows):
    """The first step at which an invariant can be broken, or so many rows be closed."""
    solver, here = Solver(), State(players, "_0")
    solver.add(beginning(here))
    for step in range(1, steps + 1):
        turn, part = divmod(step - 1, players + 2)
        name = f"white{part - 1}" if part else "roll"
        name = f"colour{turn % players}" if part > players else name
        following = State(players, f"_{step}")
        for each, condition, after in transitions(here, f"_{step}", need):
            if each == name:
                solver.add(condition)
                solver.add(*(a == b for a, b in zip(following.values(), after.values())))
        here = following
        solver.push()
        solver.add(at_least(rows, here.closed) if rows else Not(And(four(here))))
        if solver.check() == sat:
            return {"found": step}
        solver.pop()
    return {"found": None}


def main() -> None:
    mode, players = sys.argv[1], int(sys.argv[2])
    options = dict(each.split("=") for each in sys.argv if "=" in each)
    need = int(options.get("need", 5))
    if mode == "prove":
        print(json.dumps(prove(players, need)))
    else:
        print(json.dumps(search(players, int(sys.argv[3]), need, int(options.get("rows", 0)))))


if __name__ == "__main__":
    main()
