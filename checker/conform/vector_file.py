"""Test vectors as JSON lines, which an engine's own tests can read without this program.

They are kept in the cache folder, under everything they depend on: the spec, the seed, the program
that found them and its solver. Vectors that were cut short by the end of a run are not kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from checker.conform.referee import Setup
from checker.conform.setups import Rulebook
from checker.prove.edition import edition
from checker.resources import cache_path
from checker.store import Store

if TYPE_CHECKING:  # the solver is not needed where vectors have been found before
    from checker.conform.mutants import Mutant
    from checker.conform.vectors import Vector, Vectors

VERSION = 3
ORIGINS = ("played", "example", "example", "made up", "solved")
"""Where a position comes from: a random game, an example or what follows one, a position of one of
these with something changed, or the solver. The last two satisfy every invariant."""
FINDERS = ("change", "conform")
"""The folders of the program that have a part in the vectors, besides those of a proof."""


def lines_of(rulebook: Rulebook, vectors: Vectors, seed: int) -> Iterator[dict[str, Any]]:
    """The vectors as JSON: a header, then one object each."""
    yield {
        "rulewright_vectors": VERSION,
        "spec": rulebook.spec.name,
        "spec_hash": rulebook.checked.hash,
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
    referee = situation.referee
    state = list(situation.state)
    expected: dict[str, Any] = {"legal": situation.refused_by is None}
    if situation.refused_by is None:
        after = state[:]
        referee.take(after, situation.event)
        expected["state"] = referee.state_json(after)
        scores = referee.machine.scores(after)
        if scores is not None:
            expected["scores"] = [list(each) for each in scores.items()]
        if referee.machine.is_final(after) and (won := referee.machine.winners(after)) is not None:
            expected["winners"] = won
    else:
        broken = referee.machine.broken(state, situation.event)
        expected["refused_by"] = [each.label for each in broken]
    start = None
    if situation.begin is not None:
        start = referee.setup_json(list(situation.begin))
    return {
        "vector": number,
        "origin": ORIGINS[situation.origin],
        "requirement": vector.label,
        "clauses": list(vector.clauses),
        "shows": list(vector.shows),
        "setup": start or referee.setup_json(referee.first),
        "position": referee.state_json(state),
        "event": referee.event_json(situation.event),
        "expected": expected,
        "game": None
        if situation.game is None
        else [referee.event_json(each) for each in situation.game],
    }


def cached_lines(
    rulebook: Rulebook, seed: int, say: Callable[[str], None] = lambda _: None
) -> list[dict[str, Any]]:
    """The vectors of a spec as JSON, from the cache if they have been found before. Where a run
    that is ended did not find all of them, the header says why it is `stopped`."""
    store = Store(cache_path("vectors"))
    key = f"vectors {VERSION} {rulebook.checked.hash} {seed} {edition(*FINDERS)}"
    kept: list[dict[str, Any]] | None = store.load(key, lambda lines: _read(rulebook, lines))
    if kept is not None:
        return kept
    from checker.conform.vectors import find_vectors

    found = find_vectors(rulebook, seed, say)
    lines = list(lines_of(rulebook, found, seed))
    if found.stopped is None:
        store.save(key, lines)
    return json.loads(json.dumps(lines))  # type: ignore[no-any-return]


def _read(rulebook: Rulebook, lines: Any) -> list[dict[str, Any]]:
    """Vectors as they were kept; raises where they are none of this spec."""
    header, *vectors = lines
    if header["spec_hash"] != rulebook.checked.hash or header["vectors"] != len(vectors):
        raise ValueError(header)
    if not all(isinstance(each, dict) and "event" in each for each in vectors):
        raise ValueError(header)
    return [header, *vectors]


def setup_of(line: Mapping[str, Any], rulebook: Rulebook) -> Setup:
    """The set-up that a vector is for."""
    usual = {each.name: each.default for each in rulebook.spec.readings}
    given = line["setup"]
    chosen = {n: o for n, o in given["readings"].items() if usual.get(n) != o}
    return Setup(given["players"], tuple(sorted(chosen.items())), given["variant"])
