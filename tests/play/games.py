"""Games to play in tests: the bundled ones, and small ones written on the spot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from textwrap import dedent

from rulewright.frontend import LoadedSpec, check_text, read
from rulewright.play.semantics.chance import draw
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.rules import apply, is_final
from rulewright.play.semantics.values import Position

SPEC = Path(__file__).parent.parent.parent / "spec"


@cache
def bundled(name: str) -> LoadedSpec:
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


def usable(declarations: str) -> LoadedSpec:
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
