"""Which set-ups of a game are played: how many players, which readings, which variant.

All of them would be too many. Every number of players comes with the usual readings, every option
of every reading and every variant at least once, and then some mixtures.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from rulewright.conform.oracle.oracle import Oracle
from rulewright.frontend import LoadedSpec
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration

MIXTURES = 4


class Oracles:
    """A spec and the referees of its set-ups, each made when it is first needed."""

    def __init__(self, checked: LoadedSpec, in_turn: str | None = None) -> None:
        assert checked.spec is not None
        self.checked = checked
        self.spec: Spec = checked.spec
        self.in_turn = in_turn
        """Where the order begins in which the engine asks its players, if it has one."""
        self._referees: dict[Configuration, Oracle] = {}
        self.vectors: dict[int, list[dict[str, Any]]] = {}
        """The test vectors of a seed and their header, once they have been found or read."""

    def oracle(self, setup: Configuration) -> Oracle:
        """Who plays a set-up."""
        if setup not in self._referees:
            self._referees[setup] = Oracle(self.checked, setup, self.in_turn)
        return self._referees[setup]


def played_configurations(
    spec: Spec,
    players: range | None = None,
    readings: Mapping[str, str] | None = None,
    variant: str | None = None,
    seed: int = 0,
) -> list[Configuration]:
    """The set-ups to play, those of the usual game first. What is chosen is kept to."""
    chosen = dict(readings or {})
    random = Random(seed)
    numbers = [
        each for each in range(spec.least, spec.most + 1) if players is None or each in players
    ]
    variants = [variant] if variant else [each.name for each in spec.variants]
    options = [
        (each.name, option.name)
        for each in spec.readings
        if each.name not in chosen
        for option in each.options
        if option.name != each.default
    ]

    def setup(number: int, more: Mapping[str, str], variant: str | None) -> Configuration:
        return Configuration(number, tuple(sorted({**chosen, **more}.items())), variant)

    found = [setup(number, {}, variant) for number in numbers]
    turn = 0
    for each in variants:
        found.append(setup(numbers[turn % len(numbers)], {}, each))
        turn += 1
    for name, option in options:
        found.append(setup(numbers[turn % len(numbers)], {name: option}, variant))
        turn += 1
    for _ in range(MIXTURES if options or variants else 0):
        mixed = dict(each for each in options if random.random() < 0.5)
        also = variant or random.choice([None, *variants])
        found.append(setup(random.choice(numbers), mixed, also))
    return list(dict.fromkeys(found))
