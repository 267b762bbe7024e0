"""A difference before a person's eyes: the position, drawn, with what the event would do in it;
what either side says of the event; and the game that gets there. `telling` puts the parts below
each other, `page` into a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.change.verdict import Difference
from checker.change.witness import Witness, says
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.notation import write, write_line
from checker.play.picture import picture

LONGEST_GAME = 30
"""Events that are listed; of a longer game only the last ones."""
SIDES = ("old", "new")


def shown(difference: Difference, sides: tuple[str, str] = SIDES) -> Iterator[str]:
    """All of it, line by line."""
    where, drawn = position(difference, sides)
    yield where
    yield from (f"  {line}" for line in drawn)
    yield from said(difference.witness, sides)
    yield from journey(difference, sides)


def position(difference: Difference, sides: tuple[str, str] = SIDES) -> tuple[str, list[str]]:
    """Where the two sides differ: a line about it, and the picture, as that side has it which
    allows the event."""
    witness = difference.witness
    after = [each.after for each in witness.said]
    side = 0 if after[1] is None and after[0] is not None else 1
    plain = [picture(witness.instances[each], dict(witness.positions[each])) for each in (0, 1)]
    where = f"with {difference.setting.shown()}, in this position"
    if plain[0] != plain[1]:
        where += f" as the {sides[side]} rules have it"
    leads = after[side]
    if leads is None:
        return where, [*plain[side], *_besides(witness, 1 - side, sides)]
    marked = picture(
        witness.instances[side], dict(witness.positions[side]), leads=dict(leads)
    )  # fmt: skip
    if marked != plain[side]:
        where += " (what the event would do stands in parentheses)"
    return where, [*marked, *_besides(witness, 1 - side, sides)]


def _besides(witness: Witness, side: int, sides: tuple[str, str]) -> Iterator[str]:
    """What only the side that is not drawn has, or has otherwise."""
    drawn, held = witness.positions[1 - side], witness.positions[side]
    variables = witness.instances[side].variables
    apart = [name for name in variables if name not in drawn or drawn[name] != held[name]]
    if apart:
        yield ""
        yield f"besides, by the {sides[side]} rules"
    for name in apart:
        yield f"  {name}: {write(held[name], variables[name].type, witness.instances[side])}"


def said(witness: Witness, sides: tuple[str, str] = SIDES) -> Iterator[str]:
    """The event, if there is one, and what either side says of it."""
    if witness.event is not None:
        yield write_line(witness.event, witness.speaker)
    for side, word in enumerate(sides):
        first, *rest = says(witness, side)
        yield f"  {word}: {first}"
        yield from (f"  {'':{len(word)}}  {line.strip()}" for line in rest)


def journey(difference: Difference, sides: tuple[str, str] = SIDES) -> Iterator[str]:
    """The game that gets there, or that none was found. One that gets somewhere else says what is
    different there."""
    game = difference.game
    if difference.example is not None:
        yield f"this is a position of the worked example `{difference.example}`"
    if game is None:
        looked = f"within {difference.turns} turns" if difference.turns else "by playing at random"
        yield f"no game was found that gets there, {looked}"
        return
    if not game.events:
        return
    there = game.witness is difference.witness
    where = "there" if there else "to another position of this kind"
    yield f"a game gets {where} in {many(game.events)}:"
    yield from (f"  {line}" for line in listed(game.events, game.witness.instances[0]))
    if not there:
        yield "and there"
        yield from (f"  {line}" for line in said(game.witness, sides))


def many(events: Sequence[Event]) -> str:
    """`13 events`."""
    return "1 event" if len(events) == 1 else f"{len(events)} events"


def listed(events: Sequence[Event], instance: Instance) -> Iterator[str]:
    """The events of a game, of a long one the last."""
    hidden = max(0, len(events) - LONGEST_GAME)
    if hidden:
        yield f"… {many(events[:hidden])}"
    yield from (write_line(event, instance) for event in events[hidden:])
