"""States and events are written from their bytes as the definition of the format has them."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.conform.oracle.configurations import played_configurations
from rulewright.play.io.json_codec import encode, encode_position
from tests.conform.conftest import oracles


@pytest.mark.parametrize("name", ["pig", "qwixx", "twenty_one", "matte_kryss", "kubbar"])
def test_what_is_written_is_what_the_evaluator_would_write(name):
    book = oracles(name)
    setup = played_configurations(book.spec)[-1]
    oracle, random = book.oracle(setup), Random(3)
    state = oracle.begin(random)
    was, written = state, oracle.state_json(state)
    update = oracle.state_writer(oracle.instance.variables)
    for _ in range(120):
        event = oracle.machine.choose(state, random)
        if event is None:
            break
        plain = oracle.event(event)
        params = oracle.instance.transitions[plain.name].params
        assert oracle.event_json(event)["args"] == {
            each.name: encode(plain.arguments[each.name], each.type, oracle.instance)
            for each in params
        }
        state, _ = oracle.take(state, event)
        update(state, was, written)
        was = state
        expected = encode_position(oracle.position(state), oracle.instance)
        assert written == expected == oracle.state_json(state)


def test_an_event_is_checked_and_applied_in_one_call():
    oracle, random = (
        oracles("qwixx").oracle(played_configurations(oracles("qwixx").spec)[0]),
        Random(5),
    )
    machine, state = oracle.machine, oracle.begin(random)
    refused = 0
    for _ in range(200):
        event = machine.choose(state, random)
        if event is None:
            break
        for by in (1, 2):
            other = (event[0], by, *event[2:]) if event[1] else event
            after = machine.tried(state, other)
            refused += after is None
            assert (after is not None) == machine.allows(state, other)
            assert after is None or after == machine.apply(state, other)
        state = machine.apply(state, event)
    assert refused
