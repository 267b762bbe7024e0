"""A game in words: line by line with the position drawn, as an `example` to paste, as a trace.

An example begins as the game did, plays its events and expects what the property says, as far as
that holds once all steps are taken. It plays in the spec it was found in; one that breaks a
property fails there until the rules are mended or the spec accepts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from checker.kernel.outcome import Game
from checker.message import Text
from checker.play.beginning import initial_position, start_of
from checker.play.errors import EvaluationError
from checker.play.instance import Instance
from checker.play.notation import write, write_line
from checker.play.picture import picture
from checker.play.rules import Refused, apply
from checker.play.trace import TraceWriter
from checker.play.values import Position
from checker.prove.confirm import claim_holds
from checker.prove.verdict import Verdict
from checker.vc.context import Setting


def game_lines(instance: Instance, game: Game) -> Iterator[str]:
    """The events of a game, where it began if that was open, and the position it has led to."""
    for name, value in start_of(instance, dict(game.start)).items():
        yield f"    begins with {name} = {write(value, instance.variables[name].type, instance)}"
    for number, event in enumerate(game.events):
        if number == game.loop:
            yield "  again and again:"
        yield f"    {write_line(event, instance)}"
    if game.stopped is not None:
        yield f"    which stops: {game.stopped}"
    yield ""
    yield from drawn(instance, dict(game.end))


def drawn(instance: Instance, position: Position) -> Iterator[str]:
    """A position, drawn and indented."""
    for line in picture(instance, position):
        yield f"    {line}".rstrip()
    yield ""


def example(instance: Instance, verdict: Verdict, game: Game, name: str, text: Text) -> list[str]:
    """The game as a block of the language."""
    spec = instance.spec
    defaults = {each.name: each.default for each in spec.readings}
    lines = [f"example {name}", f"    players {instance.players}"]
    lines += [
        f"    reading {reading} = {option}"
        for reading, option in instance.readings.items()
        if option != defaults[reading]
    ]
    if spec.variant is not None:
        lines.append(f"    variant {spec.variant}")
    chosen = start_of(instance, dict(game.start))
    if chosen != start_of(instance, initial_position(instance)):
        lines.append("    given")
        for variable, value in chosen.items():
            shown = write(value, instance.variables[variable].type, instance)
            lines.append(f"        {variable} = {shown}")
    events = game.events if game.stopped is None else game.events[:-1]
    lines += [f"    {write_line(event, instance)}" for event in events]
    lines += _expected(instance, verdict, game, text)
    return lines


def _expected(instance: Instance, verdict: Verdict, game: Game, text: Text) -> list[str]:
    """What a `possible` says, where it holds after the last event."""
    if verdict.kind != "possible":
        return []
    property = next(each for each in instance.spec.properties if each.name == verdict.name)
    position = dict(game.start)
    try:
        for event in game.events:
            position = apply(instance, position, event)[-1].after
    except (Refused, EvaluationError):
        return []
    if not claim_holds(instance, property, position, position):
        return []
    span = property.claim.span
    lines = text.text[span.start : span.end].splitlines()
    words = " ".join(line.partition("#")[0] for line in lines).split()
    return [f"    expect {' '.join(words)}"]


def save(
    folder: Path, instance: Instance, setting: Setting, verdict: Verdict, spec_hash: str | None
) -> list[Path]:
    """Writes every game of a verdict as a trace; the files it wrote."""
    readings = [f"{name}={option}" for name, option in setting.readings]
    parts = [instance.spec.name, verdict.name, f"{setting.players}-players", *readings]
    if setting.variant is not None:
        parts.append(setting.variant)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, game in enumerate(games_of(verdict), 1):
        ending = [] if number == 1 else [str(number)]
        path = folder / ("-".join([*parts, *ending]) + ".jsonl")
        with path.open("w", encoding="utf-8") as stream:
            writer = TraceWriter(stream, spec_hash)
            writer.begin(instance, dict(game.start))
            for event in game.events:
                writer.event(instance, event)
        written.append(path)
    return written


def games_of(verdict: Verdict) -> list[Game]:
    """All games that show a verdict, the shortest first."""
    return [] if verdict.game is None else [verdict.game, *verdict.more]
