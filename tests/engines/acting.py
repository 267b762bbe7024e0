"""How the tests of the engines speak: somebody moves, chance decides, something is refused."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright_engines.engine import Engine, Event, IllegalError
from rulewright_engines.kubbar import Kubbar
from rulewright_engines.matte_kryss import MatteKryss
from rulewright_engines.qwixx import Qwixx
from rulewright_engines.twenty_one import TwentyOne

ENGINES: dict[str, type[Engine]] = {
    each.NAME: each for each in (Qwixx, TwentyOne, MatteKryss, Kubbar)
}


def move(name: str, by: int, **args: Any) -> Event:
    return {"move": name, "by": by, "args": args}


def chance(name: str, **args: Any) -> Event:
    return {"chance": name, "args": args}


def plays(game: Engine, by: int, name: str, **args: Any) -> None:
    """A player moves, and may."""
    game.apply(move(name, by, **args))


def cannot(game: Engine, by: int, name: str, why: str, **args: Any) -> None:
    """A move is refused for a reason, and nothing has changed."""
    refuses(game, move(name, by, **args), why)


def refuses(game: Engine, event: Event, why: str) -> None:
    """An event is refused for a reason, and nothing has changed."""
    before = game.state()
    with pytest.raises(IllegalError, match=why):
        game.apply(event)
    assert game.state() == before


def change(game: Engine, **values: Any) -> None:
    """Goes to a position that differs in some variables; of each player's, some seats differ."""
    state = game.state()
    for name, value in values.items():
        if isinstance(value, dict) and isinstance(state[name], list):
            state[name] = [[key, value.get(key, old)] for key, old in state[name]]
        else:
            state[name] = value
    game.load(state)


def value(game: Engine, name: str, *keys: Any) -> Any:
    """A variable of the position, or what it has for some keys."""
    found = game.state()[name]
    for key in keys:
        found = dict(found)[key]
    return found
