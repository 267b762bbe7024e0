"""Vacuity evidence from random games and examples: transitions that happen, requirements that alone
refuse something, conditions of properties that come about.

A game that was played shows more than a position the invariants allow, and is found at once where
the solver would have to fill a board. An example is played from a position that the invariants
allow, and says of rare requirements what they refuse. Nothing is claimed of what did not come up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import chain, cycle
from random import Random
from typing import TypeAlias

from rulewright.meaning import core as c
from rulewright.play.explain.examples import play_example
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.prove.verdict.sanity_checks import OF_THE_LANGUAGE, without_then
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State, compiled_game
from rulewright.simulate.near_misses import near_miss
from rulewright.syntax.node import Node, replace

QUIET = 5_000
AGAIN = 1_000
"""So many transitions without anything new, and nothing more is expected of playing; or so many, if
what is of interest did not come up in another setting either."""
LENGTHS = (1000, 40, 40, 40)
"""Events of one game after the other: what matters may come early or late."""
MISSES = 4
"""Near misses of an event of each transition, in each position."""

Seen: TypeAlias = tuple[str | None, str]
"""A transition, or None for what is asked of positions, and the name of what matters there."""
"""The name of a property, and what is false where its condition comes about."""


class VacuityCheck(Node):
    """Something that should matter: in a transition, or None for what is asked of positions."""

    where: str | None
    name: str
    kind: str


def vacuity_checks(spec: c.Spec) -> list[VacuityCheck]:
    """All that should matter: that transitions happen, that requirements refuse something, that
    properties of the form *if this, then that* have this come about."""
    guarded = [each for each in spec.properties if without_then(each.claim) is not None]
    found = [
        VacuityCheck(None, each.name, "vacuity") for each in guarded if each.kind == "invariant"
    ]
    across = [each.name for each in guarded if each.kind == "always"]
    for each in spec.transitions:
        found.append(VacuityCheck(each.name, each.name, "transition"))
        labels = (need.label for need in each.requirements)
        asked = [label for label in labels if label.rpartition(".")[2] not in OF_THE_LANGUAGE]
        found += [VacuityCheck(each.name, label, "requirement") for label in asked]
        found += [VacuityCheck(each.name, name, "vacuity") for name in across]
    return found


def in_examples(instance: Instance) -> set[Seen]:
    """What matters in the examples of this very way to play: the requirements that alone refuse
    something, and the conditions that come about where they end."""
    spec = instance.spec
    found: set[Seen] = set()
    conditions = [(p.name, without_then(p.claim)) for p in spec.properties if p.kind == "invariant"]
    for example in spec.examples:
        if (example.players, example.variant) != (instance.players, spec.variant):
            continue
        played = play_example(spec, example)
        if played.instance.readings != instance.readings or not played.passed:
            continue
        found |= {*played.alone}
        env = Environment(instance, played.position or {})
        with suppress(EvaluationError):
            found |= {(None, name) for name, each in conditions if each and not evaluate(each, env)}
    return found


def vacuity_evidence(instance: Instance, only: Collection[str] = (), seed: int = 0) -> set[Seen]:
    """What examples and random play show to matter; if `only` some of that is of interest, there
    may be less to play for."""
    found = in_examples(instance)
    try:
        game = compiled_game(instance)
    except UsageError:  # nothing to play
        return found
    random = Random(seed)
    names = {each.name for each in vacuity_checks(instance.spec) if not only or each.name in only}
    seen = _Seen(game, random, names, found, AGAIN if only else QUIET)
    lengths = cycle(LENGTHS)
    while seen.expects_more():
        state = next(game.beginnings(random), None)
        if state is None:
            break
        with suppress(EvaluationError):  # a hole in the rules: `safe` reports it
            seen.game(state, next(lengths))
    return seen.found


class _Seen:
    """What has been seen so far."""

    def __init__(
        self, game: CompiledGame, random: Random, names: set[str], found: set[Seen], patience: int
    ) -> None:
        self.found = found
        self._patience = patience
        self._unseen = names - {name for _, name in found}
        self._known = 0
        self._quiet = 0
        self._game = game
        self._random = random
        self._last: dict[int, Happening] = {
            number: (number, None if each.mover is None else 1)
            for number, each in enumerate(game.transitions)
            if not each.params and each.kind != "step"
        }
        spec = game.instance.spec
        self._open = [
            {need.label for need in each.requirements} & self._unseen for each in spec.transitions
        ]
        self._of_phase = [
            [n for n, each in enumerate(spec.transitions) if phase.name in each.phases]
            for phase in spec.phases
        ]
        needs = {
            number: [(need.label, _as_claim(need)) for need in each.requirements]
            for number, each in enumerate(spec.transitions)
            if each.kind == "step"
        }
        now, across = (_conditions(spec, kind) for kind in ("invariant", "always"))
        asked = [each for _, each in (*chain(*needs.values()), *now, *across)]
        holds = dict(zip(map(id, asked), game.claims(asked)))
        self._steps = {
            number: [(label, holds[id(claim)]) for label, claim in each]
            for number, each in needs.items()
        }
        self._now = [(name, holds[id(claim)]) for name, claim in now]
        self._across = [(name, holds[id(claim)]) for name, claim in across]

    def expects_more(self) -> bool:
        """Whether there is something else to see, and it is not long ago that something was."""
        if len(self.found) > self._known:
            self._known, self._quiet = len(self.found), 0
            self._unseen -= {name for _, name in self.found}
        return self._quiet < self._patience and bool(self._unseen)

    def game(self, state: State, longest: int) -> None:
        """Plays one game, looking around at every position."""
        game = self._game
        self._quiet += 1
        self._look(state)
        for _ in range(longest):
            event = game.choose(state, self._random)
            if event is None or not self.expects_more():
                return
            self._last[event[0]] = event
            self._miss(event[0], state)
            for transition, after in game.steps(state, event):
                self._happened(transition, state, after)
                state = after

    def _happened(self, transition: c.Transition, before: State, state: State) -> None:
        self._quiet += 1
        self.found.add((transition.name, transition.name))
        for name, holds in self._across:
            if (transition.name, name) not in self.found and _comes_about(holds, before, state):
                self.found.add((transition.name, name))
        self._look(state)

    def _look(self, state: State) -> None:
        """Looks for conditions in a position, and for what refuses something there."""
        for name, holds in self._now:
            if (None, name) not in self.found and _comes_about(holds, state, state):
                self.found.add((None, name))
        for number in self._of_phase[self._game.phase(state)]:
            if number in self._steps:
                self._miss_step(number, state)
            elif number in self._last:
                self._miss(number, state)

    def _miss(self, number: int, state: State) -> None:
        """Tries near misses of the last event of a transition."""
        game = self._game
        for _ in range(MISSES if self._open[number] else 0):
            try:
                event = near_miss(game, self._last[number], self._random)
                refusing = game.broken(state, event)
            except EvaluationError:  # no value where something else refuses, but in another order
                continue
            if len(refusing) == 1:
                self._refused(number, refusing[0].label)

    def _miss_step(self, number: int, state: State) -> None:
        if not self._open[number]:
            return
        with suppress(EvaluationError):
            refusing = [label for label, holds in self._steps[number] if not holds(state, state)]
            if len(refusing) == 1 and not self._due_before(number, state):
                self._refused(number, refusing[0])

    def _due_before(self, number: int, state: State) -> bool:
        """Whether a step is due that comes first, so that it does not matter what refuses this."""
        return any(
            all(holds(state, state) for _, holds in needs)
            for other, needs in self._steps.items()
            if other < number
        )

    def _refused(self, number: int, label: str) -> None:
        """A requirement that has decided in one transition is not looked for in the others."""
        self.found.add((self._game.transitions[number].name, label))
        for each in self._open:
            each.discard(label)


def _comes_about(holds: Callable[[State, State], object], before: State, state: State) -> bool:
    try:
        return not holds(before, state)
    except EvaluationError:
        return False


def _conditions(spec: c.Spec, kind: str) -> list[tuple[str, c.Property]]:
    """The properties of a kind that say *if this, then that*, each with what is false where this
    comes about."""
    found = []
    for each in spec.properties:
        claim = without_then(each.claim) if each.kind == kind else None
        if claim is not None:
            found.append((each.name, replace(each, claim=claim)))
    return found


def _as_claim(need: c.Requirement) -> c.Property:
    return c.Property(need.span, "invariant", need.label, None, (), need.condition)
