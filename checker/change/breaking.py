"""Games by the new rules that break a property: first those that reach a difference, one event
further, then games at random. Each is replayed in the evaluator, which names what is broken. For
what an induction fails on, and what every spec is asked, more games are played.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from checker.change.precedents import carried
from checker.change.subject import Naming
from checker.change.verdict import Verdict
from checker.play.compiled import Machine
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.rules import Refused, apply, broken_always, broken_invariants
from checker.play.values import Position
from checker.prove.at_random import play_at_random
from checker.prove.target import OBLIGED, Target

LONGEST = 2000
MOMENT = 1.0
"""Seconds for games that break what could not be proved."""


def breaking(
    instance: Instance, verdicts: Sequence[Verdict], games: int, seed: int
) -> dict[str, tuple[Event, ...]]:
    """The shortest game found for each property that one breaks."""
    found: dict[str, tuple[Event, ...]] = {}
    naming = Naming(each.subject for each in verdicts)
    for verdict in verdicts:
        for difference in verdict.differences:
            witness, game = difference.witness, difference.game
            same = witness.instances[1].players == instance.players
            same = same and witness.instances[1].readings == instance.readings
            if game is not None and same:
                events = [naming.across(each, 0) for each in game.events]
                further = witness.event if witness.side == 1 else None
                known = tuple(each for each in (*events, further) if each is not None)
                start = carried(game.start, witness.instances, instance)
                if None not in events:
                    _note(found, instance, start, known)
    machine = Machine(instance)
    random = Random(seed)
    for _ in range(games):
        _play(found, machine, random)
    return found


def breaking_these(
    instance: Instance, names: Collection[str], seed: int
) -> dict[str, tuple[Event, ...]]:
    """Games found by playing at random for a moment that break one of these, made short."""
    known = {each.name: Target(each, broken=True) for each in instance.spec.properties}
    sought = [target for name in names if (target := known.get(name) or OBLIGED.get(name))]
    played = play_at_random(instance, sought, MOMENT, seed)
    return {name: game.events for name, games in played.items() for game in games}


def _play(found: dict[str, tuple[Event, ...]], machine: Machine, random: Random) -> None:
    """One game at random, kept where it breaks what none has broken yet."""
    state = machine.begin(random)
    start = machine.position(state)
    events: list[Event] = []
    try:
        while len(events) < LONGEST:
            chosen = machine.choose(state, random)
            if chosen is None:
                return
            events.append(machine.decode(chosen))
            before = state[:]
            for _ in machine.steps(state, chosen):
                broken = [
                    *machine.broken_claims("invariant", state, state),
                    *machine.broken_claims("always", before, state),
                ]
                if any(each.name not in found for each in broken):
                    _note(found, machine.instance, start, tuple(events))
                before = state[:]
    except EvaluationError:
        return


def _note(
    found: dict[str, tuple[Event, ...]], instance: Instance, start: Position,
    events: tuple[Event, ...],
) -> None:  # fmt: skip
    """Replays a game in the evaluator and keeps it for each property that it breaks."""
    position = start
    for number, event in enumerate(events, 1):
        try:
            happened = apply(instance, position, event)
        except (Refused, EvaluationError):
            return
        for each in happened:
            broken = [*broken_invariants(instance, each.after), *broken_always(instance, each)]
            for claim in broken:
                known = found.get(claim.name)
                if known is None or number < len(known):
                    found[claim.name] = events[:number]
        position = happened[-1].after
