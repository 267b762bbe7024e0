"""Test vectors as JSON lines, which an engine's own tests can read without this program.

They are kept in the cache folder, under everything they depend on: the spec, the seed and the
program that found them. Vectors that were cut short by the end of a run are not kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.conform.oracle.configurations import Oracles
from rulewright.play.semantics.instance import Configuration
from rulewright.resources import cache_path
from rulewright.system.store import Store
from rulewright.system.toolchain import toolchain

if TYPE_CHECKING:  # the solver is not needed where vectors have been found before
    from rulewright.conform.mutation.mutants import Mutant
    from rulewright.conform.vectors.find_vectors import Vector, Vectors

VERSION = 4
ORIGINS = ("played", "example", "example", "made up", "solved")
"""Where a position comes from: a random game, an example or what follows one, a position of one of
these with something changed, or the solver. The last two satisfy every invariant."""


def lines_of(oracles: Oracles, vectors: Vectors, seed: int) -> Iterator[dict[str, Any]]:
    """The vectors as JSON: a header, then one object each."""
    yield {
        "rulewright_vectors": VERSION,
        "spec": oracles.spec.name,
        "spec_hash": oracles.checked.hash,
        "seed": seed,
        "vectors": len(vectors.found),
        "mutants": vectors.mutants,
        "equivalent": [
            {**_mistake(each.mutant), "given": list(each.given)} for each in vectors.equivalent
        ],
        "undecided": [{**_mistake(each.mutant), "why": each.why} for each in vectors.undecided],
        **({} if vectors.stopped is None else {"stopped": vectors.stopped}),
    }
    for number, vector in enumerate(vectors.found, start=1):
        yield _line(number, vector)


def _mistake(mutant: Mutant) -> dict[str, Any]:
    return {"requirement": mutant.label, "what": mutant.what}


def _line(number: int, vector: Vector) -> dict[str, Any]:
    situation = vector.situation
    oracle = situation.oracle
    state = situation.state
    expected: dict[str, Any] = {"legal": situation.refused_by is None}
    if situation.refused_by is None:
        after, _ = oracle.take(state, situation.event)
        expected["state"] = oracle.state_json(after)
        scores = oracle.machine.scores(after)
        if scores is not None:
            expected["scores"] = [list(each) for each in scores.items()]
        if oracle.machine.is_final(after) and (won := oracle.machine.winners(after)) is not None:
            expected["winners"] = won
    else:
        broken = oracle.machine.broken(state, situation.event)
        expected["refused_by"] = [each.label for each in broken]
    start = None
    if situation.begin is not None:
        start = oracle.setup_json(situation.begin)
    return {
        "vector": number,
        "origin": ORIGINS[situation.origin],
        "requirement": vector.label,
        "clauses": list(vector.clauses),
        "shows": list(dict.fromkeys(each.what for each in vector.shows)),
        "mistakes": [
            {"mistake": each.mistake, "what": each.what, "told_by": list(each.told_by)}
            for each in vector.shows
        ],
        "setup": start or oracle.setup_json(oracle.first),
        "position": oracle.state_json(state),
        "event": oracle.event_json(situation.event),
        "expected": expected,
        "game": None
        if situation.game is None
        else [oracle.event_json(each) for each in situation.game],
    }


def cached_lines(
    oracles: Oracles,
    seed: int,
    say: Callable[[str], None] = lambda _: None,
    only: Sequence[int] | None = None,
) -> list[dict[str, Any]]:
    """The vectors of a spec as JSON, from the cache if they have been found before; `only` those
    for some mutants, by their numbers. Where a run that is ended did not find all of them, the
    header says why it is `stopped`."""
    store = Store(cache_path("vectors"))
    some = "" if only is None else f" only {' '.join(map(str, only))}"
    key = f"vectors {VERSION} {oracles.checked.hash} {seed} {toolchain()}{some}"
    kept: list[dict[str, Any]] | None = store.load(key, lambda lines: _read(oracles, lines))
    if kept is not None:
        return kept
    from rulewright.conform.vectors.find_vectors import find_vectors

    found = find_vectors(oracles, seed, say, only=only)
    lines = list(lines_of(oracles, found, seed))
    if found.stopped is None:
        store.save(key, lines)
    return json.loads(json.dumps(lines))  # type: ignore[no-any-return]


def _read(oracles: Oracles, lines: Any) -> list[dict[str, Any]]:
    """Vectors as they were kept; raises where they are none of this spec."""
    header, *vectors = lines
    if header["spec_hash"] != oracles.checked.hash or header["vectors"] != len(vectors):
        raise ValueError(header)
    if not all(isinstance(each, dict) and "event" in each for each in vectors):
        raise ValueError(header)
    return [header, *vectors]


def setup_of(line: Mapping[str, Any], oracles: Oracles) -> Configuration:
    """The set-up that a vector is for."""
    usual = {each.name: each.default for each in oracles.spec.readings}
    given = line["setup"]
    chosen = {n: o for n, o in given["readings"].items() if usual.get(n) != o}
    return Configuration(given["players"], tuple(sorted(chosen.items())), given["variant"])
