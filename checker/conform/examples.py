"""The worked examples of the rulebook, played with an engine.

An example that sets up a position of its own is loaded into the engine, if it can load; one that
begins like a game is played from the beginning. What the example says cannot be done, the engine
must refuse.
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.conform.coverage import Coverage
from checker.conform.engine import Engine, EngineFault
from checker.conform.made_up import is_allowed
from checker.conform.referee import Referee, Setup
from checker.conform.setups import Rulebook
from checker.conform.side_by_side import Pair
from checker.meaning import core as c
from checker.play.beginning import initial_position, open_variables
from checker.play.compile.layout import State
from checker.play.compiled import Happening
from checker.play.evaluate import Scene, evaluate, perform
from checker.play.event import Event
from checker.play.rules import unmet


def examples(rulebook: Rulebook) -> Iterator[tuple[c.Example, Setup]]:
    """Every example with the set-up it is played in."""
    for example in rulebook.spec.examples:
        readings = tuple(sorted(example.readings))
        yield example, Setup(example.players, readings, example.variant)


def play_example(example: c.Example, referee: Referee, engine: Engine, coverage: Coverage) -> bool:
    """Plays one example; False if the engine cannot be brought to where it begins. Raises where
    spec and engine part."""
    spec = referee.instance.spec
    example = next(each for each in spec.examples if each.name == example.name)
    state, is_beginning = _given(example, referee)
    if not is_beginning and "load" not in engine.can:
        return False
    pair = Pair(referee, engine, coverage)
    try:
        pair.begin(state, load=not is_beginning)
        _play_lines(example, pair)
        pair.compare_scores()
    except EngineFault as fault:
        fault.game = pair.game(pair.trying)
        raise
    return True


def _play_lines(example: c.Example, pair: Pair) -> None:
    for line in example.lines:
        match line:
            case c.Event():
                event = _event(line, pair.referee, pair.state)
                if not pair.referee.allows(pair.state, event):
                    return  # the example itself is wrong; `rulewright test` says so
                pair.play(event)
                pair.compare_legal()
            case c.Refusal(event=refused):
                pair.try_event(_event(refused, pair.referee, pair.state))


def tried(example: c.Example, referee: Referee) -> Iterator[tuple[State, list[Happening]]]:
    """The positions that an example goes through, each with the events that it tries there. Under
    other readings than its own they may not be allowed, nor what happens."""
    state, _ = _given(example, referee)
    here: list[Happening] = []
    for line in example.lines:
        if not is_allowed(referee, state):
            return
        match line:
            case c.Event():
                event = _event(line, referee, state)
                yield state[:], [*here, event]
                if not referee.allows(state, event):
                    return
                referee.take(state, event)
                here = []
            case c.Refusal(event=refused):
                here.append(_event(refused, referee, state))
    if is_allowed(referee, state):
        yield state[:], here


def _given(example: c.Example, referee: Referee) -> tuple[State, bool]:
    """The position that an example begins in, and whether a game can begin in it."""
    instance = referee.instance
    before = initial_position(instance)
    scene = Scene(instance, before, dict(before))
    perform(example.given, scene)
    chosen = {name: scene.now[name] for name in open_variables(instance)}
    is_beginning = all(
        scene.now[name] == before[name] for name in instance.variables if name not in chosen
    )
    allowed = not unmet(instance.spec.start, scene)
    return referee.state(scene.now), is_beginning and allowed


def _event(line: c.Event, referee: Referee, state: State) -> Happening:
    scene = Scene(referee.instance, referee.position(state))
    params = referee.instance.transitions[line.transition].params
    given = {
        param.name: evaluate(argument, scene) for param, argument in zip(params, line.arguments)
    }
    return referee.machine.encode(Event(line.transition, line.by, given))
