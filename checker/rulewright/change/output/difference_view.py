"""View of one difference: the position, drawn, with what the event would do in it;
what either side says of the event; and the game that gets there. `text` puts the parts below
each other, `html` into a page.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.change.semantic.verdict import Difference
from rulewright.change.semantic.witness import Witness, says
from rulewright.play.explain.game_view import event_lines
from rulewright.play.explain.text_picture import picture
from rulewright.play.io.notation import write, write_line
from rulewright.report.text_width import counted

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
    where = f"with {difference.configuration.shown()}, in this position"
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
    yield f"a game gets {where} in {counted(len(game.events), 'event')}:"
    listed = event_lines(game.witness.instances[0], game.events, LONGEST_GAME)
    yield from (f"  {line}" for line in listed)
    if not there:
        yield "and there"
        yield from (f"  {line}" for line in said(game.witness, sides))
