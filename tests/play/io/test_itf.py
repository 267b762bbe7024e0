"""Games in the Informal Trace Format, read by a reader that goes by its definition."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from rulewright.meaning import types as y
from rulewright.play.io.itf import itf_text, itf_value
from rulewright.play.semantics.instance import Instance
from tests.meaning.states import any_position, playground
from tests.play.games import game, random_play


def itf_read(value: Any) -> Any:
    """A value of the format; anything that is not in its definition fails."""
    match value:
        case bool() | str():
            return value
        case {"#bigint": str() as digits} if len(value) == 1:
            assert re.fullmatch(r"-?[0-9]+", digits)
            return int(digits)
        case {"#set": list() as elements} if len(value) == 1:
            return frozenset(itf_read(each) for each in elements)
        case {"#tup": list() as elements} if len(value) == 1:
            return tuple(itf_read(each) for each in elements)
        case {"#map": list() as pairs} if len(value) == 1:
            assert all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)
            return {itf_read(key): itf_read(inside) for key, inside in pairs}
    raise AssertionError(value)


def plain(value: Any, type: y.Type) -> Any:
    """A value as the reader should give it."""
    match type:
        case y.Option(inner):
            return frozenset() if value is None else frozenset({plain(value, inner)})
        case y.Bag():
            return dict(value.counts)
        case y.Map(_, inner):
            return {key: plain(inside, inner) for key, inside in value.items()}
        case _:
            return value


def plain_state(position: Any, instance: Instance) -> Any:
    return {
        name: plain(position[name], variable.type) for name, variable in instance.variables.items()
    }


def test_a_game_is_a_trace():
    instance = game("qwixx", 3)
    played = random_play(instance, 2, 25)
    trace = json.loads("".join(itf_text(instance, "spec/qwixx.rules", played)))
    assert trace["#meta"]["format"] == "ITF" and trace["#meta"]["source"] == "spec/qwixx.rules"
    assert trace["vars"] == list(instance.variables)
    assert len(trace["states"]) == len(played)
    for index, (state, (event, position)) in enumerate(zip(trace["states"], played)):
        assert state["#meta"]["index"] == index
        assert ("event" in state["#meta"]) == (event is not None)
        assert set(state) == {"#meta", *trace["vars"]}
        read = {name: itf_read(state[name]) for name in trace["vars"]}
        assert read == plain_state(position, instance)
    assert trace["states"][1]["#meta"]["event"].startswith("chance throw(w = [")


def test_an_existing_reader_accepts_it():
    reader = pytest.importorskip("itf_py")
    instance = game("qwixx", 3)
    played = random_play(instance, 2, 25)
    trace = reader.trace_from_json(json.loads("".join(itf_text(instance, "qwixx", played))))
    assert trace.vars == list(instance.variables) and len(trace.states) == len(played)
    for state, (_, position) in zip(trace.states, played):
        assert state.values == plain_state(position, instance)


def test_values_of_every_type_are_in_the_format():
    instance = Instance(playground(), 3)
    for seed in range(40):
        for name, value in any_position(instance, seed).items():
            type = instance.variables[name].type
            written = itf_value(value, type, instance)
            assert itf_read(json.loads(json.dumps(written))) == plain(value, type)
