"""Why a move is refused, or what it will change.

A refused move is blocked by each of its failing requirements alone. Where some arguments are left
open, the question is why no choice of them works: then it takes a set of requirements, one of which
refuses each choice, and the smallest such sets are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from rulewright.meaning import core as c
from rulewright.play.explain.state_diff import StateChange, state_changes
from rulewright.play.io.notation import write_event
from rulewright.play.semantics.constraint_search import search
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.evaluate import Environment
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import parameter_types
from rulewright.play.semantics.rules import TakenTransition, apply, failing
from rulewright.play.semantics.values import Position, Value
from rulewright.syntax.node import Node
from rulewright.translate.wording import Wording

MOST_CHOICES = 20_000
"""So many ways to fill in open arguments are looked at."""
LARGEST_SET = 5


class RefusedMove(Node):
    """A move that is not allowed. Each of the `blocking` sets refuses it whatever else holds, and
    none is larger than it need be; `failing` are all requirements that refuse some choice of the
    open arguments."""

    name: str
    by: int | None
    failing: tuple[c.Requirement, ...]
    blocking: tuple[tuple[c.Requirement, ...], ...]
    choices: int


class Consequence(Node):
    """A move that is allowed: what happens by it, and what is different afterwards."""

    event: Event
    happened: tuple[TakenTransition, ...]
    changes: tuple[StateChange, ...]


class Possibilities(Node):
    """A move with open arguments, and how they can be filled in."""

    events: tuple[Event, ...]


def why(
    instance: Instance,
    position: Position,
    name: str,
    by: int | None,
    arguments: Mapping[str, Value],
) -> RefusedMove | Consequence | Possibilities:
    """Why a move is refused or what it leads to; arguments not given are left open."""
    events = _completions(instance, position, name, by, arguments)
    refusals = [(event, failing(instance, position, event)) for event in events]
    allowed = [event for event, refused in refusals if not refused]
    transition = instance.transitions[name]
    if not allowed:
        return _refusal(transition, by, [refused for _, refused in refusals])
    if len(arguments) < len(transition.params):
        return Possibilities(tuple(allowed))
    (event,) = allowed
    happened = apply(instance, position, event)
    different = state_changes(position, happened[-1].after, instance)
    return Consequence(event, tuple(happened), tuple(different))


def _refusal(
    transition: c.Transition, by: int | None, refusals: list[list[c.Requirement]]
) -> RefusedMove:
    found = {each.label: each for refused in refusals for each in refused}
    if len(refusals) > 1:  # no one choice stands for the others
        found = {each.label: each for each in transition.requirements if each.label in found}
    place = {label: at for at, label in enumerate(found)}
    covers = [
        sorted(cover, key=place.__getitem__)
        for cover in smallest_covers({each.label for each in refused} for refused in refusals)
    ]
    covers.sort(key=lambda cover: [place[label] for label in cover])
    blocking = tuple(tuple(found[label] for label in cover) for cover in covers)
    return RefusedMove(transition.name, by, tuple(found.values()), blocking, len(refusals))


def smallest_covers(families: Iterable[set[str]]) -> list[frozenset[str]]:
    """The smallest sets that have an element in common with each of some sets, none empty."""
    unique = {frozenset(each) for each in families}
    minimal = [each for each in unique if not any(other < each for other in unique)]
    labels = sorted({label for each in minimal for label in each})
    for size in range(1, min(len(labels), LARGEST_SET) + 1):
        found = [
            frozenset(chosen)
            for chosen in combinations(labels, size)
            if all(each & set(chosen) for each in minimal)
        ]
        if found:
            return found
    return [frozenset(labels)]


def describe(
    answer: RefusedMove | Consequence | Possibilities, instance: Instance,
    wording: Wording | None = None,
) -> list[str]:  # fmt: skip
    """The answer in words, a line each."""
    wording = wording or Wording()
    match answer:
        case RefusedMove():
            return _refusal_lines(answer, wording)
        case Possibilities(events):
            shown = [f"  {write_event(event, instance)}" for event in events]
            return [wording("allowed_ways", number=len(events)), *shown]
        case Consequence(event, happened, different):
            lines = [wording("allowed_move", move=write_event(event, instance))]
            for each in happened:
                kind = "then_step" if each.event is None else "does_step"
                lines.append("  " + wording(kind, step=_labelled(each.transition)))
                lines += [f"    {_labelled(statement)}" for statement in each.done]
            return [*lines, *(f"  {change.shown(instance)}" for change in different)]


def _refusal_lines(answer: RefusedMove, wording: Wording) -> list[str]:
    if answer.choices > 1:
        lines = [wording("refused_ways", number=answer.choices, move=answer.name)]
    else:
        lines = [wording("refused_move", move=answer.name)]
    if all(len(cover) == 1 for cover in answer.blocking):
        alone = "because" if len(answer.blocking) == 1 else "because_each"
        lines.append("  " + wording(alone))
        lines += [f"    {_labelled(cover[0])}" for cover in answer.blocking]
        return lines
    for cover in answer.blocking:
        lines.append("  " + wording("because_together"))
        lines += [f"    {_labelled(each)}" for each in cover]
    return lines


def _completions(
    instance: Instance,
    position: Position,
    name: str,
    by: int | None,
    arguments: Mapping[str, Value],
) -> list[Event]:
    """The events that fill in the arguments left open."""
    transition = instance.transitions[name]
    types = parameter_types(transition, instance)
    missing = {key: type for key, type in types.items()
               if key not in arguments and key != transition.mover}  # fmt: skip
    found: list[Event] = []
    for values in search(missing, [], Environment(instance, position), in_state=False):
        whole = {**arguments, **values}
        found.append(Event(name, by, {each.name: whole[each.name] for each in transition.params}))
        if len(found) > MOST_CHOICES:
            raise UsageError(
                f"there are too many ways to fill in `{name}`",
                f"give more of its arguments: {', '.join(missing)}",
            )
    return found


def _labelled(each: c.Requirement | c.Transition | c.Labelled) -> str:
    """`may_cross.row_open "the row is not closed" [close.all]`."""
    label = each.name if isinstance(each, c.Transition) else each.label
    prose = f' "{each.prose}"' if each.prose else ""
    clauses = f" [{', '.join(each.clauses)}]" if each.clauses else ""
    return label + prose + clauses
