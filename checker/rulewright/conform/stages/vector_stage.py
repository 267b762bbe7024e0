"""The test vectors of a spec, tried on an engine.

A vector's position is loaded into the engine, or played to if it cannot load and a game is known;
then its event is tried, and after a legal one play goes on at random for a little: deep positions
are where engines go wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from rulewright.conform.engine.protocol import Engine, EngineFault
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.stages.lockstep import EngineLockstep
from rulewright.conform.stages.random_games import exhaust, random_play, source
from rulewright.conform.vectors.vector_file import cached_lines, setup_of
from rulewright.play.io.json_codec import decode_position

PLAYED_ON = 6
"""Events after a vector."""


def vector_lines(
    oracles: Oracles, seed: int, say: Callable[[str], None] = lambda _: None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The vectors of a spec, found before or now, with what is said of all of them."""
    if seed not in oracles.vectors:
        oracles.vectors[seed] = cached_lines(oracles, seed, say)
    header, *lines = oracles.vectors[seed]
    return header, lines


def try_vector(
    line: Mapping[str, Any], oracles: Oracles, engine: Engine, coverage: Coverage, seed: int = 0
) -> Collection[str] | None:
    """Tries one vector, and says which variables the engine reported after its event; None if it
    cannot be brought to the position. Raises where spec and engine part."""
    oracle = oracles.oracle(setup_of(line, oracles))
    pair = EngineLockstep(oracle, engine, coverage)
    event = oracle.parse(line["event"])
    assert event is not None, "the cache is named after the spec, so its events fit"
    try:
        if "load" in engine.can:
            position = decode_position(line["position"], oracle.instance)
            pair.begin(oracle.state(position), load=True)
        elif line["game"] is not None:
            start = {n: line["setup"][n] for n in line["setup"] if n in oracle.instance.variables}
            first = oracle.position(oracle.begin())
            begin = oracle.state(decode_position(start, oracle.instance, first))
            pair.begin(begin)
            played = [each for each in map(oracle.parse, line["game"]) if each is not None]
            for each in played if oracle.order is None else oracle.order.arranged(begin, played):
                pair.play(each)
        else:
            return None
        pair.try_event(event)
        reported = frozenset(pair.reported)
        if line["expected"]["legal"]:
            pair.compare_scores()
        if line["expected"]["legal"] and line["origin"] in ("played", "example"):
            exhaust(random_play(pair, source(seed, "vector", line["vector"]), most=PLAYED_ON))
    except EngineFault as fault:
        fault.game = pair.game(pair.trying)
        raise
    return reported
