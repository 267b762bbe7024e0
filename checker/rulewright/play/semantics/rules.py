"""The rules of play: when an event is refused, what it leads to, when the game is over.

An event happens in three parts: its requirements are asked, its body runs, and then the steps of
the game run for as long as one of them is due. Each of these is a transition of its own, from one
position to the next; invariants speak of all these positions. This module trusts that events
have arguments of the right types. Which events there are to choose from is in `legal_moves`, how
chance chooses in `chance`, where a game begins in `initial_states`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.sentences import with_values
from rulewright.meaning.names.symbol_table import RESULTS
from rulewright.play.io.notation import write
from rulewright.play.semantics.errors import EndlessError, EvaluationError, Unbound
from rulewright.play.semantics.evaluate import Environment, evaluate, perform
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node, replace
from rulewright.system.limits import most

MOST_STEPS = most("steps")
"""So many steps after one event, and we say that they do not stop."""


class Refused(Exception):  # noqa: N818 - a refusal is an ordinary answer
    """An event that the rules do not allow, and the requirements that refuse it."""

    def __init__(self, event: Event, failing: list[c.Requirement]) -> None:
        super().__init__(f"`{event.name}` is refused by {', '.join(r.label for r in failing)}")
        self.event = event
        self.failing = failing


class TakenTransition(Node):
    """One transition that took place; `event` is None for a step, `done` are the labelled
    statements that were carried out."""

    transition: c.Transition
    event: Event | None
    before: Position
    after: Position
    done: tuple[c.Labelled, ...]


def requirements(transition: c.Transition) -> tuple[c.Requirement, ...]:
    """What a transition needs: what is written, and of a chance event that it has a chance."""
    weight = transition.weight
    if weight is None:
        return transition.requirements
    nothing = c.Literal(weight.span, y.Int(0, 0), 0)
    possible = c.Requirement(
        weight.span,
        f"{transition.name}.weight",
        "it has a chance to happen",
        transition.clauses,
        c.Binary(weight.span, y.BOOL, "greater", weight, nothing),
    )
    return (*transition.requirements, possible)


def failing(instance: Instance, position: Position, event: Event) -> list[c.Requirement]:
    """All requirements that refuse an event; none if it is allowed."""
    transition = instance.transitions[event.name]
    env = Environment(instance, position, locals=event.locals(transition))
    return [said_of(each, env) for each in unmet(requirements(transition), env)]


def said_of(requirement: c.Requirement, env: Environment) -> c.Requirement:
    """The requirement in the words for this event, if it has such."""
    said = None if requirement.template is None else filled(requirement.template, env)
    return requirement if said is None else replace(requirement, prose=said)


def filled(template: c.Template, env: Environment) -> str | None:
    """The sentence with what it is said with, None if that has no value here."""
    words = {}
    for each in template.fills:
        try:
            value = evaluate(each.value, env)
        except (EvaluationError, Unbound):
            return None
        players = isinstance(each.value.type, y.Player)
        shown = write(value, each.value.type, env.instance)
        words[each.name] = f"player {shown}" if players else shown
    return with_values(template.text, words)


def unmet(needed: Iterable[c.Requirement], env: Environment) -> list[c.Requirement]:
    """The requirements that do not hold. One may lean on those before it: if it has no value
    where one of them fails, it is passed over."""
    found: list[c.Requirement] = []
    for requirement in needed:
        try:
            if not evaluate(requirement.condition, env):
                found.append(requirement)
        except EvaluationError:
            if not found:
                raise
    return found


def apply(
    instance: Instance, position: Position, event: Event, most: int = MOST_STEPS
) -> list[TakenTransition]:
    """What happens by an event: itself, then the steps it sets off. The last position is where
    the game stands afterwards. Raises Refused if the event is not allowed, and EndlessError after
    so many steps."""
    refused = failing(instance, position, event)
    if refused:
        raise Refused(event, refused)
    transition = instance.transitions[event.name]
    happened = [take(instance, position, transition, event)]
    while (step := due_step(instance, happened[-1].after)) is not None:
        if len(happened) > most:
            raise EndlessError(f"the steps do not stop, among them `{step.name}`", step.span)
        happened.append(take(instance, happened[-1].after, step, None))
    return happened


def replay(
    instance: Instance, position: Position, events: Iterable[Event]
) -> Iterator[list[TakenTransition]]:
    """What happens by one event after the other. Raises Refused where one is not allowed."""
    for event in events:
        yield (happened := apply(instance, position, event))
        position = happened[-1].after


def take(
    instance: Instance, position: Position, transition: c.Transition, event: Event | None
) -> TakenTransition:
    """Runs the body of one transition, asking nothing."""
    env = Environment(instance, position, dict(position), event.locals(transition) if event else {})
    perform(transition.body, env)
    return TakenTransition(transition, event, position, env.now, tuple(env.done))


def due_step(instance: Instance, position: Position) -> c.Transition | None:
    """The first step in the order of the file whose conditions all hold. Most are not due for the
    first of them, and the others may be long."""
    env = Environment(instance, position)
    for step in instance.of_kind("step"):
        if all(evaluate(each.condition, env) for each in step.requirements):
            return step
    return None


def is_final(instance: Instance, position: Position) -> bool:
    """Whether the game is over."""
    return position.get("phase") in instance.final_phases


def broken_invariants(instance: Instance, position: Position) -> list[c.Property]:
    """The invariants that do not hold in a position, but for those that the spec knows to fail."""
    return _false(instance, "invariant", Environment(instance, position))


def broken_always(instance: Instance, happened: TakenTransition) -> list[c.Property]:
    """The `always` properties that do not hold of a transition, known failures left out."""
    return _false(instance, "always", Environment(instance, happened.before, happened.after))


def _false(instance: Instance, kind: str, env: Environment) -> list[c.Property]:
    claims = [each for each in instance.spec.properties if each.kind == kind]
    asked = [each for each in claims if each.name not in instance.accepted]
    return [each for each in asked if not evaluate(each.claim, env)]


def results(instance: Instance) -> list[c.Function]:
    """The functions of one player that say how a game has ended."""
    named = (instance.functions.get(name) for name in RESULTS)
    return [
        each
        for each in named
        if each is not None and [type(param.type) for param in each.params] == [y.Player]
    ]


def scores(instance: Instance, position: Position) -> dict[int, int] | None:
    """Each player's score, None if the game keeps none."""
    return _for_each_player("score", instance, position)


def winners(instance: Instance, position: Position) -> list[int] | None:
    """Who wins, None if the game does not say."""
    wins = _for_each_player("wins", instance, position)
    return None if wins is None else [player for player, won in wins.items() if won]


def _for_each_player(
    function: str, instance: Instance, position: Position
) -> dict[int, int] | None:
    """The value of a function of one player, for each of them; None if there is no such one."""
    found = next((each for each in results(instance) if each.name == function), None)
    if found is None:
        return None
    player = found.params[0]
    return {
        seat: evaluate(found.body, Environment(instance, position, locals={player.name: seat}))
        for seat in range(1, instance.players + 1)
    }
