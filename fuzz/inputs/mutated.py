"""Specs and JSON with a few places changed, each to another of its kind, so that most parse."""

from __future__ import annotations

import json
import re
from functools import cache
from random import Random
from typing import Any

from fuzz.inputs.grown import Grower
from fuzz.inputs.words import HIDDEN, HOSTILE, HUGE, NAMES, NUMBERS, anything, prose
from rulewright.codes import BASE, REGISTRY
from rulewright.resources import bundled_specs

_TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|[^\W\d]\w*|\d+|[=!<>]=|\.\.|[+*/%<>&|?-]|[^\S\n]+|\n|.')
_OPERATORS = (
    "==",
    "!=",
    "<=",
    ">=",
    "<",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "and",
    "or",
    "implies",
)
SMALL = ("pig",)


@cache
def corpus() -> tuple[str, ...]:
    """Small specs that are in order, or nearly."""
    whole = [each.fix if each.whole else BASE + each.fix for each in REGISTRY.values() if each.fix]
    specs = bundled_specs()
    return (*(specs[name].read_text("utf-8") for name in SMALL), *whole, BASE)


def spec(random: Random) -> str:
    """The text of a spec: grown, or one that is known with a few changes."""
    text = Grower(random).spec() if random.random() < 0.6 else random.choice(corpus())
    if random.random() < 0.5:
        return text
    tokens = _TOKEN.findall(text)
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        at = random.randrange(len(tokens))
        tokens[at] = _other(tokens[at], tokens, random)
    return "".join(tokens)


def _other(token: str, tokens: list[str], random: Random) -> str:
    """Something of the same kind; now and then anything."""
    chance = random.random()
    if chance < 0.04:
        return random.choice(HOSTILE + HIDDEN[:-1])
    if chance < 0.08:
        return ""
    if chance < 0.12:
        return token * 2
    if token.startswith('"'):
        return f'"{prose(random)}"'
    if token.isdigit():
        return str(random.choice(NUMBERS if random.random() < 0.8 else HUGE))
    if token in _OPERATORS:
        return random.choice(_OPERATORS)
    if token.isidentifier():
        others = [each for each in tokens if each.isidentifier()]
        return random.choice(others if random.random() < 0.9 else list(NAMES))
    return random.choice(tokens) if random.random() < 0.2 else token


def value(random: Random, depth: int = 2) -> Any:
    """Any JSON."""
    ways: list[Any] = [
        lambda: random.choice((None, True, False)),
        lambda: random.choice((*NUMBERS, *HUGE, -1, 0.5, 1e300, float("nan"), float("inf"))),
        lambda: anything(random),
    ]
    if depth:
        ways += [
            lambda: [value(random, depth - 1) for _ in range(random.randint(0, 3))],
            lambda: {anything(random): value(random, depth - 1) for _ in range(2)},
        ]
    return random.choice(ways)()


def changed(json_value: Any, random: Random) -> Any:
    """JSON with one place in it changed."""
    if isinstance(json_value, dict) and json_value and random.random() < 0.85:
        key = random.choice(list(json_value))
        what = random.random()
        if what < 0.1:
            return {name: each for name, each in json_value.items() if name != key}
        if what < 0.2:
            return {**json_value, anything(random): value(random)}
        return {**json_value, key: changed(json_value[key], random)}
    if isinstance(json_value, list) and json_value and random.random() < 0.85:
        at = random.randrange(len(json_value))
        what = random.random()
        if what < 0.1:
            return [*json_value[:at], *json_value[at + 1 :]]
        if what < 0.2:
            return [*json_value, json_value[at]]
        return [*json_value[:at], changed(json_value[at], random), *json_value[at + 1 :]]
    if isinstance(json_value, int) and random.random() < 0.5:
        return json_value + random.choice((-1, 1, 2))
    return value(random)


def written(json_value: Any, random: Random) -> str:
    """JSON as text, now and then not quite."""
    text = json.dumps(json_value, ensure_ascii=random.random() < 0.5)
    if random.random() < 0.1:
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(("", "}", '"', "\\", "[" * 2000, anything(random)))
    return text
