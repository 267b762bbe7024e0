"""Games that show something: a witness of a `possible`, a counterexample; replayed, then drawn.

What does not replay by the rules of the spec is not shown as a game. The evaluator has played each
before it became a verdict; here the compiled player does so again, which takes moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from rulewright.play.io.json_codec import decode_event, decode_variables
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position, initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, apply
from rulewright.play.semantics.values import Position
from rulewright.report.text_width import counted
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import PublishedStatus, PublishedVerdict
from rulewright.site.words.event_text import event_sentence
from rulewright.site.words.markdown import as_html, plain

MOST_BEGINNINGS = 200


def shown_game(book: Book, status: PublishedStatus) -> list[str]:
    """The shortest game among the verdicts, move by move with its last position."""
    games = [each for each in status.verdicts if each.trace]
    if not games:
        return []
    shortest = min(games, key=lambda each: len(each.trace or ()))
    try:
        return _replayed(book, shortest)
    except (UsageError, EvaluationError, Refused) as error:
        return [f"*The game that came with the verdict does not replay: {plain(str(error))}.*", ""]


def listing(events: Sequence[Event], instance: Instance) -> str:
    """The events of a game, one a line."""
    lines = "".join(f"<li>{as_html(event_sentence(each, instance))}</li>" for each in events)
    return f'<ol class="rw-game">{lines}</ol>'


def _beginnings(verdict: PublishedVerdict, instance: Instance) -> Iterator[Position]:
    """Where the game may have begun: as the verdict says, or else anywhere it can."""
    if verdict.start:
        yield initial_position(instance, decode_variables(verdict.start, instance))
    else:
        yield from islice(initial_positions(instance), MOST_BEGINNINGS)


def _end(game: CompiledGame, beginnings: Iterator[Position], events: list[Event]) -> Position:
    """Where the events lead from the first beginning that allows them all."""
    refused: Refused | None = None
    for position in beginnings:
        state = game.load(position)
        try:
            for event in events:
                happening = game.encode(event)
                if game.allows(state, happening):
                    state = game.apply(state, happening)
                else:  # the evaluator says why
                    after = apply(game.instance, game.position(state), event)[-1].after
                    state = game.load(after)
            return game.position(state)
        except Refused as refusal:
            refused = refused or refusal
    raise refused or UsageError("there is no way to begin the game", "")


def _replayed(book: Book, verdict: PublishedVerdict) -> list[str]:
    game = book.game(verdict.players, verdict.readings, verdict.variant)
    instance = game.instance
    assert verdict.trace is not None
    events = [
        decode_event(each, instance)
        for each in verdict.trace
        if isinstance(each, dict) and {"move", "chance"} & each.keys()
    ]
    position = _end(game, _beginnings(verdict, instance), events)
    summary = f"A game of {counted(len(events), 'event')} with {instance.players} players"
    if verdict.loop is not None:
        summary += f", which repeats for ever after event {verdict.loop}"
    drawn = book.scene(instance).show(position, near=True)
    return [
        f"<details><summary>{summary}</summary>{listing(events, instance)}{drawn}</details>",
        "",
    ]
