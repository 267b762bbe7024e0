"""Which mistakes of the catalogue explain what an engine did.

A mutant of the spec that does just what the engine did, here and in the events that both agreed on
before, is a likely cause. Where mutants of one rule explain it, that rule is to blame; where those
of several do, one of them is, and all are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulewright.conform.mutation.judgement import REFUSED, outcome
from rulewright.conform.mutation.kill_check import KillChecker
from rulewright.conform.mutation.mutants import Mutant, mutants
from rulewright.conform.mutation.mutation_operators import SLIGHT
from rulewright.conform.oracle.oracle import Oracle, StateMismatch
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node, Span

MOST_TRIED = 600
"""Mutants that are tried on a difference."""
MOST_BEFORE = 6
"""Earlier events in which a mutant has to agree with the spec."""
MOST_NAMED = 4


class Explanation(Node):
    """A rule that a mistake in would explain a difference: its label, prose and clauses, and where
    it is."""

    label: str
    prose: str | None
    clauses: tuple[str, ...]
    span: Span


def explaining_refusal(
    oracle: Oracle, position: Position, event: Event, before: Sequence[tuple[Position, Event]]
) -> list[Explanation]:
    """The rules that would refuse an event if they were slightly mistaken; only if there are none,
    those that would if they were turned round or the like."""
    found: list[Explanation] = []
    for slight in (True, False):
        found = found or _explaining(
            oracle, position, event, before, lambda said: bool(said == REFUSED), slight
        )
    return found


def explaining_state(
    oracle: Oracle,
    position: Position,
    event: Event,
    before: Sequence[tuple[Position, Event]],
    mismatches: Sequence[StateMismatch],
) -> list[Explanation]:
    """The rules by which an event would lead to what the engine reports."""
    reported = {each.variable: each.value for each in mismatches}
    if any(each.value is None and each.json is not None for each in mismatches):
        return []  # it is no value of the game
    expected = outcome(oracle.instance, position, event)
    if not isinstance(expected, tuple):
        return []
    wanted = {**expected[0], **reported}
    return _explaining(
        oracle, position, event, before,
        lambda said: isinstance(said, tuple) and said[0] == wanted,
    )  # fmt: skip


def _explaining(
    oracle: Oracle,
    position: Position,
    event: Event,
    before: Sequence[tuple[Position, Event]],
    explains: Callable[[Any], bool],
    slight: bool | None = None,
) -> list[Explanation]:
    spec, setup = oracle.instance.spec, oracle.setup
    if any(_has_squares(each.type) for each in spec.variables):
        return []  # hundreds of mutants on a board take the evaluator minutes
    telling = KillChecker(spec)
    earlier = [each for each in before if each[1].name == event.name][-MOST_BEFORE:]
    agreed = [outcome(oracle.instance, *each) for each in earlier]
    found: dict[str, Mutant] = {}
    fitting = (
        each
        for each in mutants(spec)
        if slight in (None, each.what.startswith(SLIGHT)) and telling.may_show(each, event.name)
    )
    for tried, mutant in enumerate(fitting):
        if tried >= MOST_TRIED or len(found) > MOST_NAMED:
            break
        if mutant.label in found:
            continue
        instance = Instance(mutant.spec, setup.players, dict(setup.readings))
        if explains(outcome(instance, position, event)) and all(
            outcome(instance, *each) == said for each, said in zip(earlier, agreed)
        ):
            found[mutant.label] = mutant
    return [_explanation(spec, each) for each in found.values()]


def _has_squares(type: y.Type) -> bool:
    """Whether something is kept for each square of a board."""
    return isinstance(type, y.Map) and (isinstance(type.key, y.Grid) or _has_squares(type.value))


def _explanation(spec: c.Spec, mutant: Mutant) -> Explanation:
    for label, prose, span in _labels(spec):
        if label == mutant.label:
            return Explanation(label, prose, mutant.clauses, span)
    owner = next((each for each in spec.transitions if each.name == mutant.transition), None)
    span = spec.span if owner is None else owner.span
    return Explanation(mutant.label, None if owner is None else owner.prose, mutant.clauses, span)


def _labels(spec: c.Spec) -> Iterator[tuple[str, str | None, Span]]:
    """Everything in a spec that has a name or a label, with where it is."""
    for transition in spec.transitions:
        yield transition.name, transition.prose, transition.span
        for requirement in transition.requirements:
            yield requirement.label, requirement.prose, requirement.span
    for function in spec.functions:
        yield function.name, function.prose, function.span
    for effect in spec.effects:
        yield effect.name, effect.prose, effect.span
    for table in spec.tables:
        yield table.name, table.prose, table.span
    for body in (*spec.transitions, *spec.effects):
        for node in walk(body):
            if isinstance(node, c.Labelled):
                yield node.label, node.prose, node.span
