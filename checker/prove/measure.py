"""That the game ends: a measure falls from one time a phase is entered to the next.

One round is played with every choice open, from any position in that phase in which all invariants
hold, until the phase is entered again. Where the measure is never negative and falls in every
round, no game has more rounds than the measure says at the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from checker.meaning import core as c
from checker.meaning import types as y
from checker.prove.ask import ask
from checker.prove.cache import Cache
from checker.prove.confirm import LONG, NEGATIVE, STAYS
from checker.prove.effort import Effort
from checker.prove.ground import Ground
from checker.prove.narrow import Narrow
from checker.prove.obligations import beginning
from checker.prove.rounds import Rounds, lower
from checker.prove.sheet import Goal, Sheet
from checker.prove.symmetry import seats_alike, to_all_alike
from checker.prove.unroll import Unrolled
from checker.prove.verdict import Outcome
from checker.smt.scene import Scene
from checker.smt.solver import UNKNOWN, UNSAT
from checker.smt.statement import State
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.watch import LateError

ROUNDS = 8
"""Events for each player within which the phase must be entered again."""
LATE = "a round is too much to be written down in time"


def falls(
    ground: Ground, name: str, effort: Effort, cache: Cache, narrow: Narrow, settled: bool
) -> Iterator[Outcome]:
    """Whether a measure falls in every round; how many rounds there are at most is the depth."""
    ends = next(each for each in ground.spec.ends if each.name == name)
    most = most_rounds(ground, ends)
    began = perf_counter()
    used = _by_event(ground, ends, effort, narrow, settled)
    if used is not None:
        seconds = perf_counter() - began
        yield Outcome(name, "ends", UNSAT, UNSAT, None, used, seconds, "", None, depth=most)
        return
    if name in ground.instance.accepted:  # a game shows it better than a position
        seconds = perf_counter() - began
        yield Outcome(name, "ends", UNSAT, UNKNOWN, None, (), seconds, "", None, depth=most)
        return
    hidden = ground.world.hidden
    try:
        with ground.terms.watch.within(effort.timeout):
            here = ground.in_phase(ends.at)
            sheet = fallen(turned(here, ends), ends)
            if ground.minds_order(hidden):
                sheet = fallen(here, ends)
    except LateError:
        seconds = perf_counter() - began
        yield Outcome(name, "ends", UNSAT, UNKNOWN, LATE, (), seconds, "", None, depth=most)
        return
    for found in ask(ground, sheet, effort, cache):
        yield Outcome(
            name, "ends", "unsat", found.result, found.reason, found.used, found.seconds,
            found.goal.note, None, found.position, found.events, depth=most,
        )  # fmt: skip


def _by_event(
    ground: Ground, ends: c.Ends, effort: Effort, narrow: Narrow, settled: bool
) -> tuple[str, ...] | None:
    """What it rests on that a measure falls, event by event; None if that was not shown in time."""
    try:
        with ground.terms.watch.within(effort.measuring):
            return Rounds(ground, ends, narrow, settled).fall()
    except LateError:
        return None


def turned(ground: Ground, ends: c.Ends) -> Ground:
    """The same ground with the table turned such that the first player is the one that a variable
    names, where it does not matter to a round who sits where."""
    spec = ground.spec
    if seats_alike(spec) and to_all_alike(spec, (*spec.transitions, *ends.measure)):
        for name, variable in ground.instance.variables.items():
            seat = ground.state[name]
            if isinstance(variable.type, y.Player) and isinstance(seat, Term):
                return ground.case(seat, 1)
    return ground


def fallen(ground: Ground, ends: c.Ends) -> Sheet:
    """From any position in the phase of a measure in which all invariants hold. Unsatisfiable, for
    the first goal: no part of the measure is negative or without a value there; for the second:
    after every round the measure is less than before; for the third: no round is longer than was
    looked at."""
    terms = ground.terms
    round = Unrolled(ground, True, ground.state, ends.at, ends.at)
    ground.world.take_hazards()
    before = _measure(ground, ends, ground.state)
    unsafe = terms.no(ground.safe(ground.world.take_hazards()))
    negative = terms.either([*(terms.less(part, terms.number(0)) for part in before), unsafe])
    returns: list[Term] = []
    so_far = terms.truth(True)
    open_end = FALSE
    for _ in range(ROUNDS * ground.instance.players):
        if not round.extend():
            break
        slot = round.slots[-1]
        so_far = terms.both(so_far, slot.allowed)
        state = slot.passed[-1]
        entered = terms.both(so_far, ground.phase_is(state, [ends.at]))
        if entered is not FALSE:
            less = lower(terms, _measure(ground, ends, state), before)
            returns.append(terms.both(entered, terms.no(less)))
        so_far = open_end = terms.both(so_far, slot.going)
        if round.done():
            break
    ground.world.take_hazards()
    goals = [
        Goal(f"{ends.name}", "ends", negative, note=NEGATIVE),
        Goal(f"{ends.name}", "ends", terms.either(returns), note=STAYS),
        Goal(f"{ends.name}", "ends", open_end, note=LONG),
    ]
    label = f"ends {ends.name}"
    return Sheet(label, ground.invariants, goals, ground.state, happens=round.events)


def most_rounds(ground: Ground, ends: c.Ends) -> int | None:
    """How often the phase is entered at the most, if the measure has one number and games begin in
    that phase."""
    state, _, _ = beginning(ground)
    parts = _measure(ground, ends, state)
    ground.world.take_hazards()
    begins_there = ground.phase_is(state, [ends.at]) is TRUE
    if not begins_there or len(parts) != 1 or parts[0].high is None:
        return None
    return parts[0].high + 1


def _measure(ground: Ground, ends: c.Ends, state: State) -> list[Term]:
    return [ground.ex.term(part, Scene(state)) for part in ends.measure]
