"""Where a worked example shows that a property fails: it is played, and the property is asked of
every position and every change.

That a game need not end shows where play comes back to a position, or else where the measure of the
claim does not fall from one turn to the next. That play need not go on shows where nothing at all
can happen; of moves that cannot all be listed, what is proposed is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample
from rulewright.play.semantics.values import Position
from rulewright.prove.verdict.validate_model import claim_holds, measured, only_proposed, stuck
from rulewright.site.model.book import claims_of
from rulewright.syntax.node import Node

FAILS, CHANGES, CIRCLES, NO_CLOSER, STUCK, STUCK_AS_PROPOSED = (
    "fails", "changes", "circles", "no closer", "stuck", "stuck as proposed",
)  # fmt: skip


class FailingExample(Node):
    """An example with a position in which a property fails, and how that shows there; the one
    before it, if it is a change that breaks it."""

    played: PlayedExample
    how: str
    position: Position
    before: Position | None = None


def example_failures(played: PlayedExample, name: str) -> FailingExample | None:
    """The first place of an example where a property fails; None if it holds all along."""
    return next(_failing(played, name), None)


def _failing(played: PlayedExample, name: str) -> Iterator[FailingExample]:
    instance = played.instance
    if name == "goes_on":
        for position in _settled(played):
            if stuck(instance, position):
                how = STUCK_AS_PROPOSED if only_proposed(instance, position) else STUCK
                yield FailingExample(played, how, position)
    for claim in claims_of(instance.spec):
        if claim.name != name:
            continue
        match claim:
            case c.Property(kind="invariant"):
                for position in _positions(played):
                    if not claim_holds(instance, claim, position, position):
                        yield FailingExample(played, FAILS, position)
            case c.Property(kind="always"):
                for each in played.happened:
                    if not claim_holds(instance, claim, each.before, each.after):
                        yield FailingExample(played, CHANGES, each.after, each.before)
            case c.Ends():
                been = _settled(played)
                for number, position in enumerate(been):
                    if position in been[:number]:
                        yield FailingExample(played, CIRCLES, position)
                turns = [each for each in been if each.get("phase") == claim.at]
                for before, after in pairwise(turns):
                    if measured(instance, claim, after) >= measured(instance, claim, before):
                        yield FailingExample(played, NO_CLOSER, after)
            case _:
                pass  # that something can come about, no example shows to be wrong


def _positions(played: PlayedExample) -> list[Position]:
    """All positions of an example."""
    if not played.happened:
        return [] if played.position is None else [played.position]
    return [played.happened[0].before, *(each.after for each in played.happened)]


def _settled(played: PlayedExample) -> list[Position]:
    """The positions of an example in which something is to be done: no step is due any more."""
    happened = played.happened
    ends = [
        each.after
        for each, following in zip(happened, (*happened[1:], None))
        if following is None or following.event is not None
    ]
    return [*_positions(played)[:1], *ends]
