"""A difference that is so: a position and an event, judged by both evaluators.

Whatever a solver, an example or a random game suggests becomes a witness only here, by playing it
by the old and the new rules. What each side says is kept for people and programs to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.change.text.subject import knows
from rulewright.kernel.comparison import CHANGED, LOOSER, STRICTER
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import Subject, agree, differing_parameters
from rulewright.play.explain.state_diff import state_changes
from rulewright.play.io.notation import write
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import failing, is_final, scores, take, unmet, winners
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node
from rulewright.vc.product import translatable

MOST_CHANGES = 8


class SideJudgement(Node):
    """What one side says of an event: allowed or not, refused by what, and what it leads to.
    `error` is why the rules give up; `after_step` is the step that comes first here."""

    allowed: bool
    refused_by: tuple[c.Requirement, ...] = ()
    after: Mapping[str, Any] | None = None
    value: Any = None
    error: str | None = None
    after_step: str | None = None


class Witness(Node):
    """A position and an event of which the old and the new rules say different things."""

    way: str
    instances: tuple[Instance, Instance]
    positions: tuple[Position, Position]
    event: Event | None
    """None for a step, the beginning and results."""
    player: int | None
    """Whose result is another one."""
    said: tuple[SideJudgement, SideJudgement]
    side: int = 1
    """Which side's names the event has."""

    @property
    def speaker(self) -> Instance:
        """The side that knows the event."""
        return self.instances[self.side]


def judge_witness(
    subject: Subject, instances: tuple[Instance, Instance], positions: tuple[Position, Position],
    choices: tuple[Mapping[str, Any], Mapping[str, Any]],
) -> Witness | None:  # fmt: skip
    """The witness that a position and choices are, None if both sides say the same, or if what one
    side chooses is no choice of the other."""
    if differing_parameters(subject) is not None:
        return None
    if subject.kind == "start":
        return _judged_start(instances, positions)
    if subject.kind == "result":
        return _judged_result(subject, instances, positions, choices)
    old, new = subject.old, subject.new
    said = []
    for instance, position, shape, chosen, first in zip(
        instances, positions, (old, new), choices, subject.first
    ):
        if shape is None:
            said.append(SideJudgement(False))
            continue
        assert isinstance(shape, c.Transition)
        said.append(_said(instance, position, shape, chosen, first))
    way = _way(subject, instances, said[0], said[1])
    if way is None:
        return None
    shape, chosen = (new, choices[1]) if new is not None else (old, choices[0])
    assert isinstance(shape, c.Transition)
    event = None if shape.kind == "step" else _event(shape, chosen)
    side = 0 if new is None else 1
    return Witness(way, instances, positions, event, None, (said[0], said[1]), side)


def _event(transition: c.Transition, chosen: Mapping[str, Any]) -> Event:
    given = dict(chosen)
    by = given.pop(transition.mover) if transition.mover is not None else None
    return Event(transition.name, by, given)


def _said(
    instance: Instance, position: Position, transition: c.Transition, chosen: Mapping[str, Any],
    first: Sequence[str] = (),
) -> SideJudgement:  # fmt: skip
    if not all(knows(each, chosen[each.name]) for each in transition.params):
        return SideJudgement(False)
    try:
        if transition.kind == "step":
            env = Environment(instance, position)
            refused = unmet(transition.requirements, env)
            for name in first if not refused else ():
                if not unmet(instance.transitions[name].requirements, env):
                    return SideJudgement(False, after_step=name)
            event = None
        else:
            event = _event(transition, chosen)
            refused = failing(instance, position, event)
    except EvaluationError as error:
        return SideJudgement(False, error=error.message)
    if refused:
        return SideJudgement(False, tuple(refused))
    try:
        after = take(instance, position, transition, event).after
        weight = None
        if transition.weight is not None and event is not None:
            env = Environment(instance, position, locals=event.locals(transition))
            weight = evaluate(transition.weight, env)
    except EvaluationError as error:
        return SideJudgement(True, error=error.message)
    return SideJudgement(True, (), after, weight)


def _way(
    subject: Subject, instances: tuple[Instance, Instance], old: SideJudgement, new: SideJudgement
) -> str | None:
    """In which way the two sides differ."""
    if old.allowed != new.allowed:
        return STRICTER if old.allowed else LOOSER
    if not old.allowed:
        return None
    if old.error is not None or new.error is not None:
        return CHANGED if old.error is None or new.error is None else None
    weighed = isinstance(subject.new, c.Transition) and subject.new.kind == "chance"
    if weighed and (old.value or 1) != (new.value or 1):
        return CHANGED
    assert old.after is not None and new.after is not None
    for name in shared(instances):
        if old.after[name] != new.after[name]:
            return CHANGED
    return None


def shared(instances: tuple[Instance, Instance]) -> list[str]:
    """The variables that can be compared by value."""
    old, new = (each.variables for each in instances)
    return [
        name for name, variable in new.items()
        if name in old and (
            agree(old[name].type, variable.type) or translatable(old[name].type, variable.type)
        )
    ]  # fmt: skip


def _judged_result(
    subject: Subject, instances: tuple[Instance, Instance], positions: tuple[Position, Position],
    choices: tuple[Mapping[str, Any], Mapping[str, Any]],
) -> Witness | None:  # fmt: skip
    said = []
    player = None
    for instance, position, function, chosen in zip(
        instances, positions, (subject.old, subject.new), choices
    ):
        assert isinstance(function, c.Function)
        (player,) = chosen.values()
        try:
            value = evaluate(function.body, Environment(instance, position, locals=chosen))
        except EvaluationError as error:
            said.append(SideJudgement(True, error=error.message))
            continue
        said.append(SideJudgement(True, value=value))
    final = instances[1].final_phases
    if final and not is_final(instances[1], positions[1]):
        return None
    if said[0] == said[1] or all(each.error is not None for each in said):
        return None
    return Witness(CHANGED, instances, positions, None, player, (said[0], said[1]))


def _judged_start(
    instances: tuple[Instance, Instance], positions: tuple[Position, Position]
) -> Witness | None:
    said = [
        SideJudgement(*_begins(instance, position))
        for instance, position in zip(instances, positions)
    ]
    if said[0].allowed == said[1].allowed:
        return None
    way = STRICTER if said[0].allowed else LOOSER
    return Witness(way, instances, positions, None, None, (said[0], said[1]))


def _begins(instance: Instance, position: Position) -> tuple[bool, tuple[c.Requirement, ...]]:
    env = Environment(instance, {})
    for name, variable in instance.variables.items():
        if variable.initial is not None and evaluate(variable.initial, env) != position[name]:
            return False, ()
    try:
        refused = unmet(instance.spec.start, Environment(instance, position))
    except (EvaluationError, UsageError):
        return False, ()
    return not refused, tuple(refused)


# ---- in words


def says(witness: Witness, side: int) -> list[str]:
    """What one side says, in words."""
    said = witness.said[side]
    if said.error is not None:
        return [f"the rules give up: {said.error}"]
    if witness.player is not None:
        return [f"{_value(said.value)} for player {witness.player}", *_result(witness, side)]
    if said.after_step is not None:
        return [f"does not run: the step `{said.after_step}` comes first and is due"]
    if witness.event is None and said.after is None and not said.refused_by:
        return ["possible" if said.allowed else "not possible"]
    if not said.allowed:
        if not said.refused_by:
            return ["there is no such move"]
        return [f"refused by {labelled(each)}" for each in said.refused_by]
    word = "happens" if witness.event is None else "allowed"
    if witness.way != CHANGED:
        return [word]
    lines = [word, *_outcome(witness, side)]
    if said.value is not None:
        lines.append(f"  with weight {said.value}")
    return lines


def _result(witness: Witness, side: int) -> list[str]:
    """How the game has ended, so that one result is seen among the others."""
    instance, position = witness.instances[side], witness.positions[side]
    try:
        kept, won = scores(instance, position), winners(instance, position)
    except EvaluationError:
        return []
    lines = []
    if kept is not None:
        lines.append(f"scores {', '.join(map(str, kept.values()))}")
    if won is not None:
        names = [f"player {each}" for each in won]
        lines.append(f"{' and '.join(names) or 'nobody'} {'win' if len(won) > 1 else 'wins'}")
    return lines


def _outcome(witness: Witness, side: int) -> list[str]:
    """What the two sides make different, as it is on one of them."""
    said = witness.said[side]
    other = witness.said[1 - side].after
    assert said.after is not None
    instance = witness.instances[side]
    here = dict(said.after)
    if other is None:
        different = state_changes(dict(witness.positions[side]), here, instance)
    else:
        names = set(shared(witness.instances))
        there = {name: other[name] if name in names else here[name] for name in here}
        different = state_changes(there, here, instance)
    lines = [f"  {each.place} = {write(each.after, each.type, instance)}" for each in different]
    if len(lines) > MOST_CHANGES:
        lines = [*lines[:MOST_CHANGES], f"  and {len(lines) - MOST_CHANGES} more"]
    return lines


def labelled(each: c.Requirement) -> str:
    """`may_cross.five_first "the last number needs five crosses" [close.five]`."""
    prose = f' "{each.prose}"' if each.prose else ""
    clauses = f" [{', '.join(each.clauses)}]" if each.clauses else ""
    return each.label + prose + clauses


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
