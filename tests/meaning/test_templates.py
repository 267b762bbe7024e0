"""Sentences with places for values: what they are said with, where, and what is refused."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.play.explain.why import RefusedMove, why
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import failing
from rulewright.simulate.compiled.compiled_game import compiled_game
from rulewright.site.words.event_text import event_sentence
from rulewright.translate.prose import retold

GAME = """game saying "Saying"
    players 2

type Card = guard | priest
phase play, over final

state
    left: 0..6 = 1

rule chosen_by(a: Player, b: Player)
    other "{a} does not choose {b}": a != b

move guess(t: Player, card: Card, n: 0..6) by p in play "{p} says {card} of {t}"
    needs chosen_by(p, t)
    needs few "there are not {n} left, {p}": n <= left
    does phase = over
"""


def instance(text: str = GAME) -> Instance:
    checked = check_text("saying.rules", text)
    assert checked.spec is not None, checked.diagnostics
    return Instance(checked.spec, 2)


def event(n: int, t: int = 1) -> Event:
    return Event("guess", 1, {"t": t, "card": "priest", "n": n})


def test_a_refusal_is_said_with_its_values() -> None:
    game = instance()
    start = initial_position(game)
    said = [each.prose for each in failing(game, start, event(3))]
    assert said == ["player 1 does not choose player 1", "there are not 3 left, player 1"]
    compiled = compiled_game(game)
    state = compiled.load(start)
    assert [each.prose for each in compiled.broken(state, compiled.encode(event(3)))] == said


def test_where_a_choice_is_open_the_names_are_read() -> None:
    game = instance()
    refused = why(game, initial_position(game), "guess", 1, {"t": 1})
    assert isinstance(refused, RefusedMove)
    assert [each.prose for each in refused.blocking[0]] == ["a does not choose b"]


def test_an_event_is_told_with_its_values() -> None:
    game = instance()
    assert game.transitions["guess"].prose == "p says card of t"
    assert event_sentence(event(1, 2), game, ("ann", "bob")) == "*Ann*: Ann says priest of Bob (1)."


def test_a_translation_keeps_the_places() -> None:
    seen = []

    def say(context: str, text: str, span: object) -> str:
        seen.append(text)
        return text.replace("there are not {n} left", "{n} er ikke igjen")

    game = Instance(retold(instance().spec, say), 2)
    assert "{p} says {card} of {t}" in seen
    said = [each.prose for each in failing(game, initial_position(game), event(3, 2))]
    assert said == ["3 er ikke igjen, player 1"]


@pytest.mark.parametrize("name", ["left", "q", "card_"])
def test_only_what_the_sentence_can_be_said_with(name: str) -> None:
    found = check_text("saying.rules", GAME.replace("{n}", f"{{{name}}}")).diagnostics
    (error,) = [each for each in found if each.severity == "error"]
    assert error.message == f"`{name}` is not a name that this sentence can be said with"
    assert (error.code, error.end_column - error.column) == ("RW101", len(name))


def test_other_braces_are_braces() -> None:
    game = instance(GAME.replace("there are not {n} left, {p}", "{ none } {} {1}"))
    assert game.transitions["guess"].template is not None
    assert [each.prose for each in failing(game, initial_position(game), event(3, 2))] == [
        "{ none } {} {1}"
    ]
