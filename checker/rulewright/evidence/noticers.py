"""Who notices a mistake: the examples that no longer pass, the properties that no longer hold.

A property notices a mistake if a game by the mistaken rules breaks it. Games come from three
places: the situations that test vectors keep for the mistake, games at random that are played in
the compiled module, and the worked examples. Work is counted, so the answer is always the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulewright.conform.mutation.kill_check import KillChecker
from rulewright.evidence.mistakes import Mistake
from rulewright.meaning import core as c
from rulewright.play.explain.examples import play_example
from rulewright.play.io.json_codec import decode_event, decode_variables
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, apply
from rulewright.simulate.compiled.modules import made
from rulewright.syntax.node import Node
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame

EVENTS = 200_000
"""Events of random games in which a mistake may show."""
BATCH = 64
LONGEST = 2_000
SETUP = ("players", "readings", "variant")
"""What a set-up says beside the values that variables begin with."""
SAFE = "safe"
"""What every spec claims without saying so: the rules always have an answer."""


class Noticer(Node):
    """Something that notices a mistake: a property or an example, and how."""

    name: str
    kind: str
    """property or example."""


class Watch:
    """The properties and examples of a spec, on the watch for mistakes."""

    def __init__(self, spec: c.Spec, vectors: Sequence[Mapping[str, Any]]) -> None:
        self.spec = spec
        self._telling = KillChecker(spec)
        self._vectors: dict[int, list[Mapping[str, Any]]] = {}
        for line in vectors:
            for each in line["mistakes"]:
                self._vectors.setdefault(each["mistake"], []).append(line)
        self._examples = [each for each in spec.examples if each.variant is None]
        self._touched = {each.name: _transitions(each) for each in self._examples}

    def vectors(self, mistake: Mistake) -> list[Mapping[str, Any]]:
        """The situations that show a mistake, those that a game leads to first."""
        found = self._vectors.get(mistake.number, [])
        return sorted(found, key=lambda line: line["game"] is None)

    def noticers(self, mistake: Mistake) -> list[Noticer]:
        """All that notices a mistake, as far as the work that is spent goes. What cites a clause
        of the mistake is looked at first, and what else there is only if none of that notices."""
        found = [Noticer(name, "example") for name in self._by_examples(mistake)]
        citing = [each for each in mistake.spec.properties if _cites(each, mistake)]
        names = dict.fromkeys(self._by_properties(mistake, citing))
        if not names and not found:
            others = [each for each in mistake.spec.properties if not _cites(each, mistake)]
            names = dict.fromkeys(self._by_properties(mistake, others))
        return [*(Noticer(name, "property") for name in names), *found]

    # ---- examples

    def _by_examples(self, mistake: Mistake) -> Iterator[str]:
        mine = {each.name: each for each in mistake.spec.examples}
        for example in self._examples:
            if self._may_show(mistake, example) and not passes(mistake.spec, mine[example.name]):
                yield example.name

    def _may_show(self, mistake: Mistake, example: c.Example) -> bool:
        if mistake.mutant is None:
            return True
        touched = self._touched[example.name]
        return any(self._telling.may_show(mistake.mutant, name) for name in touched)

    # ---- properties

    def _by_properties(self, mistake: Mistake, claims: Sequence[c.Property]) -> Iterator[str]:
        yield from _false_theorems(mistake.spec, claims)
        watched = [each for each in claims if each.kind in ("invariant", "always")]
        if not watched:
            return
        known = set()
        for name in self._by_vectors(mistake, watched):
            known.add(name)
            yield name
        yield from _by_games(mistake.spec, [each for each in watched if each.name not in known])

    def _by_vectors(self, mistake: Mistake, claims: Sequence[c.Property]) -> Iterator[str]:
        for line in self.vectors(mistake)[:2]:
            if line["game"] is not None:
                yield from _broken_along(mistake.spec, line, claims)


def _transitions(example: c.Example) -> list[str]:
    found = []
    for each in example.lines:
        if not isinstance(each, c.Expectation):
            event = each.event if isinstance(each, c.ExpectedRefusal) else each
            found.append(event.transition)
    return found


def _cites(claim: c.Property, mistake: Mistake) -> bool:
    return not set(claim.clauses).isdisjoint(mistake.clauses)


def passes(spec: c.Spec, example: c.Example) -> bool:
    """Whether an example goes as it says, by these rules."""
    try:
        return play_example(spec, example).passed
    except (EvaluationError, UsageError):
        return False


def _false_theorems(spec: c.Spec, claims: Iterable[c.Property]) -> Iterator[str]:
    instance = Instance(spec, spec.least)
    for each in claims:
        if each.kind == "theorem":
            try:
                if not evaluate(each.claim, Environment(instance, {})):
                    yield each.name
            except EvaluationError:
                yield each.name


def _broken_along(
    spec: c.Spec, line: Mapping[str, Any], claims: Sequence[c.Property]
) -> Iterator[str]:
    """The claims that do not hold when a game is played by mistaken rules."""
    setup = line["setup"]
    if setup["variant"] is not None:
        return
    instance = Instance(spec, setup["players"], dict(setup["readings"]))
    left = [each for each in claims if each.name not in instance.accepted]
    try:
        given = {name: told for name, told in setup.items() if name not in SETUP}
        position = initial_position(instance, decode_variables(given, instance))
        for told in (*line["game"], line["event"]):
            event = decode_event(told, instance)
            for taken in apply(instance, position, event):
                env = Environment(instance, taken.before, taken.after)
                there = Environment(instance, taken.after)
                broken = [
                    each
                    for each in left
                    if not evaluate(each.claim, env if each.kind == "always" else there)
                ]
                yield from (each.name for each in broken)
                left = [each for each in left if each not in broken]
                position = taken.after
    except Refused:
        return
    except (EvaluationError, UsageError):
        yield SAFE


def _by_games(spec: c.Spec, claims: Sequence[c.Property]) -> Iterator[str]:
    """The claims that games at random break, one after the other; where the rules come to a stop
    instead, that."""
    left, number, events = list(claims), 0, 0
    while left and events < EVENTS:
        game = _watched(spec, left)
        broken = None
        while game is not None and broken is None and events < EVENTS:
            played = game.some(BATCH, 1, number, LONGEST)
            events += played.events + 1
            number += played.games
            if played.wrong is not None:
                number += 1
                events += played.wrong[1]
                broken = played.broken
                if broken is None and not isinstance(played.error, Unsupported | LimitError):
                    yield SAFE
                    return
        if broken is None:
            return
        yield broken.name
        left = [each for each in left if each.name != broken.name]


def _watched(spec: c.Spec, claims: Sequence[c.Property]) -> WasmGame | None:
    """The game of the fewest players, watching some claims; None if it cannot be played."""
    try:
        instance = Instance(spec, spec.least)
        return made(lambda: WasmGame(
            instance, watched=True, parts=frozenset(("play",)), reserving=False, watch=claims
        ))  # fmt: skip
    except (UsageError, EvaluationError, Unsupported):
        return None
