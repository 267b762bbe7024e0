"""Games to play in tests: the bundled ones, and small ones written on the spot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from textwrap import dedent

from checker.front import Checked, check_text, read
from checker.play.beginning import initial_position
from checker.play.chance import draw
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.listing import legal_moves
from checker.play.rules import apply, is_final
from checker.play.values import Position

SPEC = Path(__file__).parent.parent.parent / "spec"


@cache
def bundled(name: str) -> Checked:
    """A bundled game or a spec of the tutorial."""
    path = SPEC / f"{name}.rules"
    return read(path if path.exists() else SPEC / "tutorial" / f"{name}.rules")


def game(name: str, players: int | None = None, **readings: str) -> Instance:
    """A bundled game for so many players."""
    spec = bundled(name).spec
    assert spec is not None
    return Instance(spec, players, readings)


def small(
    declarations: str, players: int | None = None, readings: Mapping[str, str] | None = None
) -> Instance:
    """A game for two to four players with these declarations."""
    return Instance(usable(declarations).spec, players, readings)  # type: ignore[arg-type]


def usable(declarations: str) -> Checked:
    """The same, checked; what is wrong with it fails the test."""
    text = 'game small "Small"\n    players 2..4\n' + dedent(declarations)
    checked = check_text("small.rules", text)
    errors = [each for each in checked.diagnostics if each.severity == "error"]
    assert checked.spec is not None, errors
    return checked


def random_play(
    instance: Instance, seed: int, longest: int = 200
) -> list[tuple[Event | None, Position]]:
    """A game at random: each position, with the event that led to it."""
    random = Random(seed)
    position = initial_position(instance)
    played: list[tuple[Event | None, Position]] = [(None, position)]
    while not is_final(instance, position) and len(played) <= longest:
        event = draw(instance, position, random)
        if event is None:
            moves = list(legal_moves(instance, position))
            if not moves:
                break
            event = moves[random.randrange(len(moves))]
        position = apply(instance, position, event)[-1].after
        played.append((event, position))
    return played
