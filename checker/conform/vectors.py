"""Test vectors: for each mistake one could make in the rules, a position and a move that show it.

A vector is a situation in which the spec and a mutant of it part, the smallest that was found. The
finder here uses random play and knows nothing of solvers; what it does not tell apart is listed as
undistinguished, which does not mean that it cannot be told apart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from checker.conform.examples import examples, positions
from checker.conform.explain import effects_of
from checker.conform.mutants import Mutant, mutants
from checker.conform.referee import Setup
from checker.conform.setups import Rulebook
from checker.conform.situations import GAMES, Collection, Situation, collect, collect_from
from checker.meaning import core as c
from checker.play.errors import EvaluationError
from checker.play.evaluate import Scene, evaluate
from checker.play.instance import Instance
from checker.play.rules import MOST_STEPS, due_step, take
from checker.play.values import Position
from checker.resources import cache_directory
from checker.syntax.node import Node

VERSION = 1
ORIGINS = ("played", "example", "made up")
"""Where a position comes from: a random game, what follows an example, or only the invariants."""
MOST_TRIED = 40
"""Situations of each origin that are tried on a mutant of an effect, which takes longer."""


class Vector(Node):
    """A situation, the requirement or statement it is about, and the mistakes it shows."""

    situation: Situation
    label: str
    clauses: tuple[str, ...]
    shows: tuple[str, ...]


class Vectors(Node):
    """The vectors of a spec, and the mistakes that none of them shows."""

    found: tuple[Vector, ...]
    undistinguished: tuple[str, ...]


def find_vectors(
    rulebook: Rulebook,
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
    games: int = GAMES,
) -> Vectors:
    """A vector for each mutant that random play tells from the spec; the same for a seed."""
    collection = Collection()
    for setup in _setups(rulebook.spec):
        say(f"vectors: playing {setup.described()}")
        collect(rulebook.referee(setup), seed, collection, games)
    for example, setup in examples(rulebook):
        if setup.variant is None:
            say(f"vectors: looking around in {example.name}")
            referee = rulebook.referee(setup)
            for state in positions(example, referee):
                collect_from(referee, state, seed, collection)
    collection.sort()
    finder = _Finder(collection)
    everything = mutants(rulebook.spec)
    for number, mutant in enumerate(everything):
        say(f"vectors: {number} of {len(everything)} mutants")
        finder.show(mutant)
    return Vectors(tuple(finder.vectors()), tuple(finder.undistinguished))


class _Finder:
    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self.undistinguished: list[str] = []
        self._shown: dict[str, dict[int, tuple[Situation, list[Mutant]]]] = {}
        self._positions: dict[int, Position] = {}
        self._after: dict[int, Position] = {}
        self._fitting: dict[object, Sequence[Situation]] = {}
        self._instances: dict[tuple[int, Setup], Instance] = {}

    def show(self, mutant: Mutant) -> None:
        """Finds a situation that shows a mutant, one already used if it can be."""
        used = self._shown.setdefault(mutant.label, {})
        candidates = self._candidates(mutant)
        fit = {id(each) for each in candidates}
        again = [each for each, _ in used.values() if id(each) in fit]
        self._instances = {}
        for situation in (*again, *candidates):
            if self._parts(mutant, situation):
                used.setdefault(id(situation), (situation, []))[1].append(mutant)
                return
        self.undistinguished.append(f"{mutant.label}: {mutant.what}")

    def vectors(self) -> Iterator[Vector]:
        for label, used in self._shown.items():
            for situation, shown in used.values():
                what = tuple(dict.fromkeys(each.what for each in shown))
                yield Vector(situation, label, shown[0].clauses, what)

    def _candidates(self, mutant: Mutant) -> Sequence[Situation]:
        """The situations that may show a mutant, the smallest first."""
        key = (mutant.transition, mutant.requirement, mutant.effect)
        if key not in self._fitting:
            self._fitting[key] = self._find_candidates(mutant)
        return self._fitting[key]

    def _find_candidates(self, mutant: Mutant) -> Sequence[Situation]:
        legal = self.collection.legal
        name = mutant.transition
        every = [each for one in legal.values() for each in one]
        if mutant.effect is not None:
            return _varied([each for each in every if _performs(each, mutant.effect)])
        transition = mutant.spec.transition(str(name))
        assert transition is not None and name is not None
        if transition.kind == "step":
            asked = mutant.requirement is not None
            return _varied([each for each in every if asked or _includes(each, name)])
        if mutant.requirement is None:
            return _varied(legal.get(name, []))
        refused = self.collection.refused.get((name, mutant.requirement), [])
        return sorted([*legal.get(name, []), *refused], key=lambda each: each.size)

    def _parts(self, mutant: Mutant, situation: Situation) -> bool:
        """Whether the mutant says otherwise than the spec."""
        if mutant.condition is not None and situation.event is not None:
            transition = mutant.spec.transition(str(mutant.transition))
            assert transition is not None
            if transition.kind != "step":
                return self._decides(mutant, situation)
        return self._leads_elsewhere(mutant, situation)

    def _decides(self, mutant: Mutant, situation: Situation) -> bool:
        assert mutant.condition is not None
        instance = situation.referee.instance
        event = situation.as_event()
        names = event.locals(instance.transitions[event.name])
        try:
            holds = evaluate(
                mutant.condition, Scene(instance, self._position(situation), None, names)
            )
        except EvaluationError:
            return situation.refused_by is None
        return bool(holds) != (situation.refused_by is None)

    def _leads_elsewhere(self, mutant: Mutant, situation: Situation) -> bool:
        if situation.refused_by is not None:
            return False
        key = (id(mutant), situation.referee.setup)
        if key not in self._instances:
            setup = situation.referee.setup
            self._instances[key] = Instance(mutant.spec, setup.players, dict(setup.readings))
        try:
            after = _carried_out(self._instances[key], self._position(situation), situation)
        except EvaluationError:
            return True
        return after != self._expected(situation)

    def _position(self, situation: Situation) -> Position:
        if id(situation) not in self._positions:
            self._positions[id(situation)] = situation.position()
        return self._positions[id(situation)]

    def _expected(self, situation: Situation) -> Position:
        if id(situation) not in self._after:
            self._after[id(situation)] = state_after(situation)
        return self._after[id(situation)]


def state_after(situation: Situation) -> Position:
    """The position that a legal event leads to."""
    state = list(situation.state)
    situation.referee.take(state, situation.event)
    return situation.referee.position(state)


def _carried_out(instance: Instance, position: Position, situation: Situation) -> Position:
    """What follows from an event by other rules, without asking whether it is allowed."""
    event = situation.as_event()
    now = take(instance, position, instance.transitions[event.name], event).after
    for _ in range(MOST_STEPS):
        step = due_step(instance, now)
        if step is None:
            return now
        now = take(instance, now, step, None).after
    return now


def _varied(situations: Sequence[Situation]) -> list[Situation]:
    """The smallest of each kind first, so that few have to be tried; of each origin as many."""
    kinds: dict[object, int] = {}
    origins: dict[int, list[tuple[int, int, Situation]]] = {}
    for number, each in enumerate(sorted(situations, key=lambda each: each.size)):
        kind = (each.event[0], each.done, each.referee.setup, each.origin)
        kinds[kind] = kinds.get(kind, 0) + 1
        origins.setdefault(each.origin, []).append((kinds[kind], number, each))
    ranked = [sorted(each, key=lambda one: one[:2])[:MOST_TRIED] for each in origins.values()]
    return [each for one in ranked for *_, each in one]


def _includes(situation: Situation, step: str) -> bool:
    """Whether a step followed from an event."""
    carried_out = situation.referee.carried_out(situation.done)
    return any(isinstance(each, c.Transition) and each.name == step for each in carried_out)


def _performs(situation: Situation, effect: str) -> bool:
    """Whether what an event carried out has to do with an effect."""
    referee = situation.referee
    transition = referee.instance.spec.transitions[situation.event[0]]
    steps = [each for each in referee.carried_out(situation.done) if isinstance(each, c.Transition)]
    return any(effect in effects_of(referee, each.body) for each in (transition, *steps))


def _setups(spec: c.Spec) -> list[Setup]:
    """With the fewest players, with three, and with each option of each reading."""
    numbers = dict.fromkeys([spec.least, max(spec.least, min(spec.most, 3))])
    found = [Setup(number, (), None) for number in numbers]
    for reading in spec.readings:
        for option in reading.options:
            if option.name != reading.default:
                found.append(Setup(spec.least, ((reading.name, option.name),), None))
    return found


# ---- as JSON lines


def lines_of(rulebook: Rulebook, vectors: Vectors, seed: int) -> Iterator[dict[str, Any]]:
    """The vectors as JSON: a header, then one object each."""
    yield {
        "rulewright_vectors": VERSION,
        "spec": rulebook.spec.name,
        "spec_hash": rulebook.checked.hash,
        "seed": seed,
        "vectors": len(vectors.found),
        "undistinguished": list(vectors.undistinguished),
    }
    for number, vector in enumerate(vectors.found, start=1):
        yield _line(number, vector)


def _line(number: int, vector: Vector) -> dict[str, Any]:
    situation = vector.situation
    referee = situation.referee
    state = list(situation.state)
    expected: dict[str, Any] = {"legal": situation.refused_by is None}
    if situation.refused_by is None:
        after = state[:]
        referee.take(after, situation.event)
        expected["state"] = referee.state_json(after)
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
    """The vectors of a spec as JSON, from the cache if they have been found before."""
    from checker import __version__

    name = f"{rulebook.spec.name}-{rulebook.checked.hash}-{seed}-{VERSION}-{__version__}.jsonl"
    path = cache_directory() / "vectors" / name
    try:
        return [json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError):
        pass
    lines = list(lines_of(rulebook, find_vectors(rulebook, seed, say), seed))
    text = "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in lines)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".new")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError:
        pass
    return json.loads(json.dumps(lines))  # type: ignore[no-any-return]


def setup_of(line: Mapping[str, Any], rulebook: Rulebook) -> Setup:
    """The set-up that a vector is for."""
    usual = {each.name: each.default for each in rulebook.spec.readings}
    given = line["setup"]
    chosen = {n: o for n, o in given["readings"].items() if usual.get(n) != o}
    return Setup(given["players"], tuple(sorted(chosen.items())), given["variant"])
