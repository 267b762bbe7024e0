"""Games by the new rules that break a property: those that reach a difference, one event further,
and random games. The evaluator replays each and names what it breaks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from random import Random

from rulewright.change.games.example_seeds import carried
from rulewright.change.semantic.verdict import ComparisonVerdict
from rulewright.change.text.subject import EventRenaming
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, broken_always, broken_invariants, replay
from rulewright.play.semantics.values import Position
from rulewright.prove.search.random_search import play_at_random
from rulewright.prove.search.search_goals import OBLIGED, PropertyGoal
from rulewright.simulate.compiled.compiled_game import CompiledGame, State
from rulewright.simulate.search.playthrough import Observer, Playthrough
from rulewright.simulate.search.policies import uniform

LONGEST = 2000
MOMENT = 1.0
"""Seconds for games that break what could not be proved."""


def find_violations(
    instance: Instance, verdicts: Sequence[ComparisonVerdict], games: int, seed: int
) -> dict[str, tuple[Event, ...]]:
    """The shortest game found for each property that one breaks."""
    found: dict[str, tuple[Event, ...]] = {}
    naming = EventRenaming(each.subject for each in verdicts)
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
    compiled, random = CompiledGame(instance), Random(seed)
    for _ in range(games):
        _play(found, compiled, random)
    return found


def find_these_violations(
    instance: Instance, names: Collection[str], seed: int
) -> dict[str, tuple[Event, ...]]:
    """Games found by playing at random for a moment that break one of these, made short."""
    known = {each.name: PropertyGoal(each, broken=True) for each in instance.spec.properties}
    sought = [target for name in names if (target := known.get(name) or OBLIGED.get(name))]
    played = play_at_random(instance, sought, MOMENT, seed)
    return {name: game.events for name, games in played.items() for game in games}


def _play(found: dict[str, tuple[Event, ...]], game: CompiledGame, random: Random) -> None:
    """One game at random, kept where it breaks what none has broken yet."""
    played = Playthrough(game, game.begin(random))
    played.play(uniform(random), _BrokenClaims(found, played), LONGEST)


class _BrokenClaims(Observer):
    """Keeps a game where it breaks what none has broken yet."""

    def __init__(self, found: dict[str, tuple[Event, ...]], played: Playthrough) -> None:
        self._found = found
        self._played = played

    def passed(self, transition: c.Transition, before: State, after: State) -> bool:
        game = self._played.game
        broken = [
            *game.broken_claims("invariant", after, after),
            *game.broken_claims("always", before, after),
        ]
        if any(each.name not in self._found for each in broken):
            events = tuple(game.decode(each) for each in self._played.events)
            _note(self._found, game.instance, game.position(self._played.start), events)
        return False


def _note(
    found: dict[str, tuple[Event, ...]], instance: Instance, start: Position,
    events: tuple[Event, ...],
) -> None:  # fmt: skip
    """Replays a game in the evaluator and keeps it for each property that it breaks."""
    with suppress(Refused, EvaluationError):
        for number, happened in enumerate(replay(instance, start, events), 1):
            for each in happened:
                broken = [*broken_invariants(instance, each.after), *broken_always(instance, each)]
                for claim in broken:
                    if claim.name not in found or number < len(found[claim.name]):
                        found[claim.name] = events[:number]
