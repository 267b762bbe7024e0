"""The test vectors of a spec, tried on an engine.

A vector's position is loaded into the engine, or played to if it cannot load and a game is known;
then its event is tried, and after a legal one play goes on at random for a little: deep positions
are where engines go wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from checker.conform.coverage import Coverage
from checker.conform.engine import Engine, EngineFault
from checker.conform.games import exhaust, random_play, source
from checker.conform.setups import Rulebook
from checker.conform.side_by_side import Pair
from checker.conform.vector_file import cached_lines, setup_of
from checker.play.encoding import decode_position

PLAYED_ON = 6
"""Events after a vector."""


def vector_lines(
    rulebook: Rulebook, seed: int, say: Callable[[str], None] = lambda _: None
) -> list[dict[str, Any]]:
    """The vectors of a spec, found before or now."""
    if seed not in rulebook.vectors:
        lines = cached_lines(rulebook, seed, say)
        rulebook.vectors[seed] = [each for each in lines if "vector" in each]
    return rulebook.vectors[seed]


def try_vector(
    line: Mapping[str, Any], rulebook: Rulebook, engine: Engine, coverage: Coverage, seed: int = 0
) -> bool:
    """Tries one vector; False if the engine cannot be brought to its position. Raises where spec
    and engine part."""
    referee = rulebook.referee(setup_of(line, rulebook))
    pair = Pair(referee, engine, coverage)
    event = referee.parse(line["event"])
    assert event is not None, "the cache is named after the spec, so its events fit"
    try:
        if "load" in engine.can:
            position = decode_position(line["position"], referee.instance)
            pair.begin(referee.state(position), load=True)
        elif line["game"] is not None:
            start = {n: line["setup"][n] for n in line["setup"] if n in referee.instance.variables}
            first = referee.position(referee.begin())
            pair.begin(referee.state(decode_position(start, referee.instance, first)))
            for each in line["game"]:
                played = referee.parse(each)
                assert played is not None
                pair.play(played)
        else:
            return False
        pair.try_event(event)
        if line["expected"]["legal"]:
            pair.compare_scores()
        if line["expected"]["legal"] and line["origin"] in ("played", "example"):
            exhaust(random_play(pair, source(seed, "vector", line["vector"]), most=PLAYED_ON))
    except EngineFault as fault:
        fault.game = pair.game(pair.trying)
        raise
    return True
