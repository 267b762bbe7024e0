"""Random games inside the module until claims come true or are broken: a hundred times faster than
games watched event by event.

Of the first game that comes to a claim the start and the events are returned. They are replayed
elsewhere before they count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.compiled_game import Happening, State
from rulewright.simulate.compiled.modules import made
from rulewright.syntax.node import replace
from rulewright.wasm.runtime.wasm_game import WasmGame
from rulewright.wasm.simulate.random_play import BATCH, BROKEN

GAMES = 32
"""Games in one call to begin with."""


Wanted: TypeAlias = "tuple[c.Property, bool]"
"""A claim, and whether it should come true or false."""


def games_until(
    instance: Instance, wanted: Sequence[Wanted], seed: int, most: int, longest: int
) -> tuple[dict[str, tuple[State, list[Happening]]], int]:
    """The first game that comes to each claim, by its name, with its start and events; of so many
    events in all. And how many events were played."""
    found: dict[str, tuple[State, list[Happening]]] = {}
    left = {claim.name: _watch(claim, value) for claim, value in wanted}
    events, number, batch = 0, 0, GAMES
    game: WasmGame | None = None
    while left and events < most:
        game = game or made(lambda: _watching(instance, [*left.values()]))
        played = game.some(batch, seed, number, longest)
        events += played.events + 1
        number += played.games
        if played.broken is not None:
            found[played.broken.name] = _again(game, seed, number)
            del left[played.broken.name]
            game = None  # the same game may come to others
        elif played.wrong is not None and len(wanted) > 1:  # perhaps because of one of the claims
            for each in wanted:
                if each[0].name in left:
                    alone, more = games_until(instance, [each], seed, most, longest)
                    found, events = found | alone, events + more
            break
        elif played.wrong is not None:
            events += played.wrong[1]
            number += 1  # what the rules or the module cannot say is not what is looked for
        batch = min(2 * batch, BATCH)
    return found, events


def _watch(claim: c.Property, value: bool) -> c.Property:
    """A claim that is broken where the given one has a value."""
    kind = "always" if claim.kind == "always" else "invariant"
    negated = c.Unary(claim.span, y.BOOL, "not", claim.claim)
    return replace(claim, kind=kind, claim=negated if value else claim.claim)


def _watching(instance: Instance, claims: Sequence[c.Property]) -> WasmGame:
    """A module that plays until one of the claims is broken."""
    parts = frozenset(("play",))
    return WasmGame(instance, watched=True, parts=parts, reserving=False, watch=claims)


def _again(game: WasmGame, seed: int, number: int) -> tuple[State, list[Happening]]:
    """The game with a number once more, event by event."""
    game.start(seed, number)
    start, events = game.state, []
    ended = None
    while ended is None:
        ended = game.advance()
        if game.moved_on:
            events.append(game.chosen)
    assert ended == BROKEN
    return start, events
