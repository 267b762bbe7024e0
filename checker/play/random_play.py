"""Games at random: played as fast as it goes, or watched.

A watched game is checked after every transition against the invariants and `always` properties of
the spec, and before every event a few near misses of it are tried: the same event with its mover
or some arguments changed at random. Where a single requirement refuses one, that has decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from checker.meaning import types as y
from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine
from checker.play.errors import EvaluationError
from checker.syntax.node import NOWHERE, Node, Span

LONGEST = 100_000
"""Events; a game that goes on longer is given up."""
MISSES = 3
"""Near misses of each event."""


class Fault(Node):
    """Something that must not happen in a game: what, where in the spec, after which event."""

    kind: str
    """invariant, always, error, stuck or endless."""
    message: str
    span: Span
    events: int


class Outcome(Node):
    """How one game went."""

    events: int
    fault: Fault | None
    scores: dict[int, int] | None
    winners: list[int] | None


class Counts:
    """What happened in games: events by name, those that were proposed by what proposed them,
    requirements by how often they decided alone."""

    def __init__(self, machines: Iterable[Machine] = ()) -> None:
        self.events: Counter[str] = Counter()
        self.proposed: Counter[str] = Counter()
        self.decided: Counter[str] = Counter()
        for machine in machines:
            for transition in machine.transitions:
                if transition.kind != "step":
                    self.events[transition.name] += 0
                    for proposal in transition.proposals:
                        self.proposed[f"{transition.name}.{proposal.name}"] += 0
                    for requirement in transition.requirements[1:]:  # not that of the phase
                        self.decided[requirement.label] += 0


def play_out(machine: Machine, random: Random, longest: int = LONGEST) -> tuple[State, int]:
    """A game at random: the state it ends in, and how many events it had."""
    state = machine.begin(random)
    choices, do, source = machine.choices, machine.do, random.random
    events = 0
    while events < longest:
        choose = choices[state[0]]
        if choose is None:
            break
        event = choose(state, source)
        if event is None:
            break
        do[event[0]](state, event)
        events += 1
    return state, events


def play_watched(
    machine: Machine,
    random: Random,
    counts: Counts,
    heard: Callable[[Happening | None, State], None] | None = None,
    longest: int = LONGEST,
) -> Outcome:
    """A game at random, checked and counted. `heard` is told of each event and the state after
    it, first of the beginning."""
    state = machine.begin(random)
    if heard is not None:
        heard(None, state)
    events, fault = 0, _broken(machine, "invariant", state, state, 0)
    while fault is None and events < longest:
        try:
            event = machine.choose(state, random)
            if event is None:
                break
            _miss(machine, state, event, random, counts)
            events += 1
            _count(machine, event, counts)
            fault = _happen(machine, state, event, events)
        except EvaluationError as error:
            fault = Fault("error", error.message, error.span, events)
            break
        if heard is not None:
            heard(event, state)
    if fault is None:
        fault = _ending(machine, state, events)
    if fault is not None:
        return Outcome(events, fault, None, None)
    return Outcome(events, None, machine.scores(state), machine.winners(state))


def _count(machine: Machine, event: Happening, counts: Counts) -> None:
    transition = machine.transitions[event[0]]
    counts.events[transition.name] += 1
    if transition.proposals and machine.proposal is not None:
        counts.proposed[f"{transition.name}.{machine.proposal.name}"] += 1


def _happen(machine: Machine, state: State, event: Happening, events: int) -> Fault | None:
    """Makes an event happen and checks each transition it is made of."""
    before = state[:]
    for _ in machine.steps(state, event):
        fault = _broken(machine, "always", before, state, events) or _broken(
            machine, "invariant", state, state, events
        )
        if fault is not None:
            return fault
        before = state[:]
    return None


def _broken(machine: Machine, kind: str, before: State, now: State, events: int) -> Fault | None:
    for claim in machine.broken_claims(kind, before, now):
        said = f": {claim.prose}" if claim.prose else ""
        return Fault(kind, f"`{claim.name}` does not hold{said}", claim.span, events)
    return None


def _ending(machine: Machine, state: State, events: int) -> Fault | None:
    """What is wrong with a game that went on no further, if anything."""
    if machine.is_final(state):
        return None
    phase = machine.instance.spec.phases[state[0]]
    if machine.choose(state, Random(0)) is not None:
        return Fault("endless", "the game goes on and on", NOWHERE, events)
    message = f"nothing can happen in the phase `{phase.name}`, and the game is not over"
    return Fault("stuck", message, phase.span, events)


# ---- near misses


def _miss(machine: Machine, state: State, event: Happening, random: Random, counts: Counts) -> None:
    """Counts the requirements that alone refuse a near miss."""
    for _ in range(MISSES):
        try:
            broken = machine.broken(state, near_miss(machine, event, random))
        except EvaluationError:
            continue  # no value where something else refuses, but in another order
        if len(broken) == 1 and broken[0].label in counts.decided:
            counts.decided[broken[0].label] += 1


def near_miss(machine: Machine, event: Happening, random: Random) -> Happening:
    """The event with its mover or some arguments changed at random; by chance none is."""
    transition = machine.transitions[event[0]]
    types = [param.type for param in transition.params]
    changed = [
        _another(value, type, machine, random) if random.random() < 0.5 else value
        for value, type in zip(event[2:], types)
    ]
    mover = event[1]
    if mover is not None and random.random() < 0.5:
        mover = 1 + random.randrange(machine.instance.players)
    return (event[0], mover, *changed)


def _another(value: Any, type: y.Type, machine: Machine, random: Random) -> Any:
    """Some value of a type; of a collection, the given one a little changed."""
    layout = machine.layout
    match type:
        case y.Set(element):
            each = _any(element, machine, random)
            return value ^ 1 << each if layout.is_bits(element) else value ^ {each}
        case y.Bag(element):
            each, count = _any(element, machine, random), random.randrange(2)
            changed = {**value, each: value.get(each, 0) + (count or -1)}
            return {key: many for key, many in changed.items() if many > 0}
        case y.Map(key, inside) if layout.is_sparse(type):
            held = list(value)
            at = held[random.randrange(len(held))] if held else _any(key, machine, random)
            new = _any(inside, machine, random)
            changed = {**value, at: new}
            return {place: each for place, each in changed.items() if each is not None}
        case y.Map(_, inside):
            place = random.randrange(len(value))
            new = _another(value[place], inside, machine, random)
            return (*value[:place], new, *value[place + 1 :])
        case _:
            return _any(type, machine, random)


def _any(type: y.Type, machine: Machine, random: Random) -> Any:
    """Any value of a plain type."""
    size = machine.layout.size(type)
    assert size is not None
    number = random.randrange(size)
    match type:
        case y.Bool():
            return number == 1
        case y.Option(inner):
            return None if number == 0 else _any(inner, machine, random)
        case _:
            return machine.layout.first(type) + number
