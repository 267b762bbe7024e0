"""Which ways to play are proved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration


def proof_configurations(
    spec: c.Spec, players: Iterable[int] | None, readings: Mapping[str, str] | None,
    variant: str | None,
) -> list[Configuration]:  # fmt: skip
    """All ways to play that are to be proved: for each number of players the defaults, each other
    option one at a time, and each variant; or just the way that was asked for."""
    numbers = list(players) if players is not None else range(spec.least, spec.most + 1)
    if readings or variant:
        chosen = tuple(sorted((readings or {}).items()))
        ways: list[tuple[tuple[tuple[str, str], ...], str | None]] = [(chosen, variant)]
    else:
        ways = [((), None)]
        for reading in spec.readings:
            options = [each.name for each in reading.options if each.name != reading.default]
            ways += [(((reading.name, option),), None) for option in options]
        ways += [((), each.name) for each in spec.variants]
    return [Configuration(number, *way) for way in ways for number in numbers]
