"""What belongs to no single game: numbers of players that there are not, two games at a time.

An engine must not begin a game that the rules do not know, and what happens in one game must not
show in another.
"""

from __future__ import annotations

from random import Random

from rulewright.conform.engine.protocol import Engine, EngineFault, EngineRefusal
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.stages.lockstep import Divergence, EngineLockstep
from rulewright.conform.stages.random_games import source

EVENTS = 40
"""That each of two games has which are played at a time."""


def strange_players(oracle: Oracle, engine: Engine) -> None:
    """Asks for games of one player too few and too many; raises where the engine begins one."""
    spec = oracle.instance.spec
    pair = EngineLockstep(oracle, engine, Coverage())
    pair.first = oracle.first
    for number in (spec.least - 1, spec.most + 1):
        asked = oracle.setup_json(oracle.first)
        try:
            engine.new({**asked, "players": number})
        except EngineRefusal:
            continue
        except EngineFault:
            engine.restart()  # that it does not begin is all that is asked for
            continue
        raise Divergence("begun", pair.game(), _players(number))


def _players(number: int) -> str:
    return "1 player" if number == 1 else f"{number} players"


def two_at_once(oracle: Oracle, one: Engine, other: Engine, seed: int) -> None:
    """Plays two games in turn, each with an engine of its own; raises where one of them shows in
    the other."""
    with other:
        pairs = [EngineLockstep(oracle, each, Coverage()) for each in (one, other)]
        sources = [source(seed, "two", number) for number in range(len(pairs))]
        for pair, random in zip(pairs, sources):
            pair.begin(oracle.begin(random))
        for _ in range(EVENTS):
            for pair, random in zip(pairs, sources):
                _play_one(pair, random)


def _play_one(pair: EngineLockstep, random: Random) -> None:
    """One event more of a game, if it is not over."""
    event = pair.oracle.choose(pair.state, random)
    if event is None:
        return
    try:
        pair.play(event)
    except EngineFault as fault:
        fault.game = pair.game(pair.trying)
        raise
