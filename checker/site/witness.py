"""Games that show something: a witness of a `possible`, a counterexample; replayed, then drawn.

What does not replay by the rules of the spec is not shown as a game. The evaluator has played each
before it became a verdict; here the compiled player does so again, which takes moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from checker.play.beginning import initial_position, initial_positions
from checker.play.compiled import Machine
from checker.play.encoding import decode_event, decode_variables
from checker.play.errors import EvaluationError, UsageError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.rules import Refused, apply
from checker.play.values import Position
from checker.site.book import Book
from checker.site.markdown import as_html, counted, plain
from checker.site.verdicts import Standing, Verdict
from checker.site.wording import told

MOST_BEGINNINGS = 200


def shown_game(book: Book, standing: Standing) -> list[str]:
    """The shortest game among the verdicts, move by move with its last position."""
    games = [each for each in standing.verdicts if each.trace]
    if not games:
        return []
    shortest = min(games, key=lambda each: len(each.trace or ()))
    try:
        return _replayed(book, shortest)
    except (UsageError, EvaluationError, Refused) as error:
        return [f"*The game that came with the verdict does not replay: {plain(str(error))}.*", ""]


def listing(events: Sequence[Event], instance: Instance) -> str:
    """The events of a game, one a line."""
    lines = "".join(f"<li>{as_html(told(each, instance))}</li>" for each in events)
    return f'<ol class="rw-game">{lines}</ol>'


def _beginnings(verdict: Verdict, instance: Instance) -> Iterator[Position]:
    """Where the game may have begun: as the verdict says, or else anywhere it can."""
    if verdict.start:
        yield initial_position(instance, decode_variables(verdict.start, instance))
    else:
        yield from islice(initial_positions(instance), MOST_BEGINNINGS)


def _end(machine: Machine, beginnings: Iterator[Position], events: list[Event]) -> Position:
    """Where the events lead from the first beginning that allows them all."""
    refused: Refused | None = None
    for position in beginnings:
        state = machine.load(position)
        try:
            for event in events:
                happening = machine.encode(event)
                if machine.allows(state, happening):
                    machine.apply(state, happening)
                else:  # the evaluator says why
                    after = apply(machine.instance, machine.position(state), event)[-1].after
                    state = machine.load(after)
            return machine.position(state)
        except Refused as refusal:
            refused = refused or refusal
    raise refused or UsageError("there is no way to begin the game", "")


def _replayed(book: Book, verdict: Verdict) -> list[str]:
    machine = book.machine(verdict.players, verdict.readings, verdict.variant)
    instance = machine.instance
    assert verdict.trace is not None
    events = [
        decode_event(each, instance)
        for each in verdict.trace
        if isinstance(each, dict) and {"move", "chance"} & each.keys()
    ]
    position = _end(machine, _beginnings(verdict, instance), events)
    summary = f"A game of {counted(len(events), 'event')} with {instance.players} players"
    if verdict.loop is not None:
        summary += f", which after event {verdict.loop} goes round for ever"
    drawn = book.scene(instance).show(position, near=True)
    return [
        f"<details><summary>{summary}</summary>{listing(events, instance)}{drawn}</details>",
        "",
    ]
