"""Which mistakes of the catalogue explain what an engine did.

A mutant of the spec that does just what the engine did, here and in the events that both agreed on
before, is a likely cause. Where mutants of one rule explain it, that rule is to blame; where those
of several do, one of them is, and all are named. An engine that does not report all of its state
may have been mistaken some events ago, in what it keeps to itself: so mutants play those, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from rulewright.conform.mutation.dependencies import RESULT, DependencyGraph
from rulewright.conform.mutation.engine_slips import engine_mistakes
from rulewright.conform.mutation.judgement import REFUSED, outcome
from rulewright.conform.mutation.kill_check import KillChecker
from rulewright.conform.mutation.mutants import Mutant
from rulewright.conform.mutation.mutation_operators import SLIGHT
from rulewright.conform.oracle.oracle import Oracle, StateMismatch
from rulewright.conform.stages.lockstep import as_pairs
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import is_final, scores, winners
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node, Span

MOST_TRIED, MOST_ON_BOARDS = 600, 250
"""Mutants that are tried on a difference; on a board the evaluator may take long for each."""
MOST_BEFORE = 6
"""Earlier events in which a mutant has to agree with the spec."""
MOST_NAMED = 4
RECENT = 6
"""Earlier events in which an engine may have gone wrong unseen."""
MOST_STEPS = 16
"""Steps that an event may set off by mistaken rules: some never stop."""


class Explanation(Node):
    """A rule that a mistake in would explain a difference: its label, prose and clauses, and where
    it is."""

    label: str
    prose: str | None
    clauses: tuple[str, ...]
    span: Span


def explaining_refusal(
    oracle: Oracle,
    position: Position,
    event: Event,
    before: Sequence[tuple[Position, Event]],
    seen: Collection[str],
) -> list[Explanation]:
    """The rules that would refuse an event if they were slightly mistaken; only if there are none,
    those that would if they were turned round or the like."""
    found: list[Explanation] = []
    for slight in (True, False):
        found = found or _explaining(
            oracle, position, event, before, lambda said: bool(said == REFUSED), slight
        )
    return found or _explaining_unseen(
        oracle, position, event, before, lambda said: bool(said == REFUSED), seen
    )


def explaining_state(
    oracle: Oracle,
    position: Position,
    event: Event,
    before: Sequence[tuple[Position, Event]],
    mismatches: Sequence[StateMismatch],
    seen: Collection[str],
) -> list[Explanation]:
    """The rules by which an event would lead to what the engine reports."""
    reported = {each.variable: each.value for each in mismatches}
    if any(each.is_unread for each in mismatches):
        return []  # it is no value of the game
    expected = outcome(oracle.instance, position, event)
    if not isinstance(expected, tuple):
        return []
    wanted = {**expected[0], **reported}
    names = {*seen, *reported} & wanted.keys()

    def is_reported(said: Any) -> bool:
        return isinstance(said, tuple) and all(said[0][name] == wanted[name] for name in names)

    found = _explaining(
        oracle, position, event, before,
        lambda said: isinstance(said, tuple) and said[0] == wanted,
    )  # fmt: skip
    if found or not seen or names == wanted.keys():
        return found
    found = _explaining(oracle, position, event, before, is_reported)
    return found or _explaining_unseen(oracle, position, event, before, is_reported, names)


def explaining_result(
    oracle: Oracle, position: Position, mismatches: Sequence[StateMismatch]
) -> list[Explanation]:
    """The functions and tables by which a game would have the result that the engine reports: of
    scores and winners, what is not reported otherwise is right."""
    reported = {
        each.variable: as_pairs(each.json) if each.variable == "score" else each.json
        for each in mismatches
    }
    spec, setup = oracle.instance.spec, oracle.setup
    wanted = {**_result(oracle.instance, position), **reported}
    needed = DependencyGraph(spec).of[RESULT]
    found: dict[str, Mutant] = {}
    for mutant in engine_mistakes(spec):
        if mutant.shared not in needed or mutant.label in found:
            continue
        instance = Instance(mutant.spec, setup.players, dict(setup.readings))
        if _result(instance, position) == wanted:
            found[mutant.label] = mutant
    return [_explanation(spec, each) for each in found.values()][: MOST_NAMED + 1]


def _result(instance: Instance, position: Position) -> dict[str, Any]:
    """The scores and, if a game is over, the winners, as engines report them; nothing if the rules
    are at a loss."""
    try:
        found = scores(instance, position)
        won = winners(instance, position) if is_final(instance, position) else None
    except EvaluationError:
        return {}
    return {"score": None if found is None else [list(each) for each in found.items()], "wins": won}


def _explaining(
    oracle: Oracle,
    position: Position,
    event: Event,
    before: Sequence[tuple[Position, Event]],
    explains: Callable[[Any], bool],
    slight: bool | None = None,
) -> list[Explanation]:
    spec, setup = oracle.instance.spec, oracle.setup
    has_board = any(_has_squares(each.type) for each in spec.variables)
    most = MOST_ON_BOARDS if has_board else MOST_TRIED
    telling = KillChecker(spec)
    earlier = [each for each in before if each[1].name == event.name][-MOST_BEFORE:]
    agreed = [outcome(oracle.instance, *each) for each in earlier]
    found: dict[str, Mutant] = {}
    own_first = sorted(engine_mistakes(spec), key=lambda each: each.transition != event.name)
    fitting = (
        each
        for each in own_first
        if slight in (None, _is_slight(each)) and telling.may_show(each, event.name)
    )
    for tried, mutant in enumerate(fitting):
        if tried >= most or len(found) > MOST_NAMED:
            break
        if mutant.label in found:
            continue
        instance = Instance(mutant.spec, setup.players, dict(setup.readings))
        if explains(outcome(instance, position, event, MOST_STEPS)) and all(
            outcome(instance, *each, MOST_STEPS) == said for each, said in zip(earlier, agreed)
        ):
            found[mutant.label] = mutant
    return [_explanation(spec, each) for each in found.values()]


def _explaining_unseen(
    oracle: Oracle,
    position: Position,
    event: Event,
    before: Sequence[tuple[Position, Event]],
    explains: Callable[[Any], bool],
    seen: Collection[str],
) -> list[Explanation]:
    """The rules by which an event would come out so if they had been mistaken in one of the last
    events, where that was not seen."""
    recent = before[-RECENT:]
    if not recent or position.keys() <= set(seen):
        return []
    spec, setup, telling = oracle.instance.spec, oracle.setup, KillChecker(oracle.instance.spec)
    happened = {each.name for _, each in recent}
    found: dict[str, Mutant] = {}
    for mutant in engine_mistakes(spec):
        is_asked = mutant.requirement is not None and not telling.is_step(mutant)
        if mutant.label in found or is_asked or len(found) > MOST_NAMED:
            continue
        if not any(telling.may_show(mutant, name) for name in happened):
            continue
        instance = Instance(mutant.spec, setup.players, dict(setup.readings))
        now = _carried(instance, recent, position, seen)
        if now is not None and explains(outcome(instance, now, event, MOST_STEPS)):
            found[mutant.label] = mutant
    return [_explanation(spec, each) for each in found.values()]


def _carried(
    instance: Instance,
    recent: Sequence[tuple[Position, Event]],
    position: Position,
    seen: Collection[str],
) -> Position | None:
    """Where the last events lead by these rules; None if that is where they should, or if it would
    have been seen that it is not."""
    now = recent[0][0]
    should_be = [*(before for before, _ in recent[1:]), position]
    for (_, event), right in zip(recent, should_be):
        said = outcome(instance, now, event, MOST_STEPS)
        if not isinstance(said, tuple) or any(said[0][name] != right[name] for name in seen):
            return None
        now = said[0]
    return None if now == position else now


def _is_slight(mutant: Mutant) -> bool:
    """Whether a mistake is one that somebody makes who knows the rule: a number one too high, a
    wrong entry of a table."""
    return mutant.what.startswith(SLIGHT) or str(mutant.shared).startswith("table ")


def _has_squares(type: y.Type) -> bool:
    """Whether something is kept for each square of a board."""
    return isinstance(type, y.Map) and (isinstance(type.key, y.Grid) or _has_squares(type.value))


def _explanation(spec: c.Spec, mutant: Mutant) -> Explanation:
    clauses = mutant.clauses or _citing(spec, mutant)
    for label, prose, span in _labels(spec):
        if label == mutant.label:
            return Explanation(label, prose, clauses, span)
    owner = next((each for each in spec.transitions if each.name == mutant.transition), None)
    for effect in spec.effects:
        if owner is not None and mutant.label == f"{owner.name}.{effect.name}":
            inside = [each for each in walk(effect) if isinstance(each, c.Labelled)]
            cited = (clause for each in inside for clause in each.clauses)
            clauses = tuple(dict.fromkeys((*clauses, *cited)))
            return Explanation(mutant.label, effect.prose, clauses, owner.span)
    span = spec.span if owner is None else owner.span
    return Explanation(mutant.label, None if owner is None else owner.prose, clauses, span)


def _citing(spec: c.Spec, mutant: Mutant) -> tuple[str, ...]:
    """The clauses of the functions and requirements that use a function that has none itself."""
    found: dict[str, None] = {}
    needs = [need for each in spec.transitions for need in each.requirements]
    users = [(each.clauses, each.body) for each in spec.functions]
    users += [(each.clauses, each.condition) for each in needs]
    for clauses, body in users:
        used = (each.function for each in walk(body) if isinstance(each, c.Call))
        if mutant.label in used:
            found.update(dict.fromkeys(clauses))
    return tuple(found)


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
