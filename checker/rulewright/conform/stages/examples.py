"""The worked examples of the rulebook, played with an engine.

An example that sets up a position of its own is loaded into the engine, if it can load; one that
begins like a game is played from the beginning. What the example says cannot be done, the engine
must refuse.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.conform.engine.protocol import Engine, EngineFault
from rulewright.conform.inputs.perturbed_states import is_allowed
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.stages.lockstep import EngineLockstep
from rulewright.meaning import core as c
from rulewright.play.semantics.evaluate import Environment, evaluate, perform
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position, open_variables
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import unmet
from rulewright.simulate.compiled.compiled_game import Happening, State


def examples(oracles: Oracles) -> Iterator[tuple[c.Example, Configuration]]:
    """Every example with the set-up it is played in."""
    for example in oracles.spec.examples:
        readings = tuple(sorted(example.readings))
        yield example, Configuration(example.players, readings, example.variant)


def play_example(example: c.Example, oracle: Oracle, engine: Engine, coverage: Coverage) -> bool:
    """Plays one example; False if the engine cannot be brought to where it begins. Raises where
    spec and engine part."""
    spec = oracle.instance.spec
    example = next(each for each in spec.examples if each.name == example.name)
    state, is_beginning = _given(example, oracle)
    if not is_beginning and "load" not in engine.can:
        return False
    pair = EngineLockstep(oracle, engine, coverage)
    try:
        pair.begin(state, load=not is_beginning)
        _play_lines(example, pair)
        pair.compare_scores()
    except EngineFault as fault:
        fault.game = pair.game(pair.trying)
        raise
    return True


def _play_lines(example: c.Example, pair: EngineLockstep) -> None:
    for line in example.lines:
        match line:
            case c.ExampleEvent():
                event = _event(line, pair.oracle, pair.state)
                if not pair.oracle.allows(pair.state, event):
                    return  # the example itself is wrong; `rulewright test` says so
                pair.play(event)
                pair.compare_legal()
            case c.ExpectedRefusal(event=refused):
                pair.try_event(_event(refused, pair.oracle, pair.state))


def tried(example: c.Example, oracle: Oracle) -> Iterator[tuple[State, list[Happening]]]:
    """The positions that an example goes through, each with the events that it tries there. Under
    other readings than its own they may not be allowed, nor what happens."""
    state, _ = _given(example, oracle)
    here: list[Happening] = []
    for line in example.lines:
        if not is_allowed(oracle, state):
            return
        match line:
            case c.ExampleEvent():
                event = _event(line, oracle, state)
                yield state, [*here, event]
                if not oracle.allows(state, event):
                    return
                state, _ = oracle.take(state, event)
                here = []
            case c.ExpectedRefusal(event=refused):
                here.append(_event(refused, oracle, state))
    if is_allowed(oracle, state):
        yield state, here


def _given(example: c.Example, oracle: Oracle) -> tuple[State, bool]:
    """The position that an example begins in, and whether a game can begin in it."""
    instance = oracle.instance
    before = initial_position(instance)
    env = Environment(instance, before, dict(before))
    perform(example.given, env)
    chosen = {name: env.now[name] for name in open_variables(instance)}
    is_beginning = all(
        env.now[name] == before[name] for name in instance.variables if name not in chosen
    )
    allowed = not unmet(instance.spec.start, env)
    return oracle.state(env.now), is_beginning and allowed


def _event(line: c.ExampleEvent, oracle: Oracle, state: State) -> Happening:
    env = Environment(oracle.instance, oracle.position(state))
    params = oracle.instance.transitions[line.transition].params
    given = {param.name: evaluate(argument, env) for param, argument in zip(params, line.arguments)}
    return oracle.machine.encode(Event(line.transition, line.by, given))
