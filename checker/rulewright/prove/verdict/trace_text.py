"""Witnesses of verdicts: as a view to show, as an `example` to paste, as files with traces.

An example begins as the game did, plays its events and expects what the property says, as far as
that holds once all steps are taken. It plays in the spec it was found in; one that breaks a
property fails there until the rules are mended or the spec accepts it.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.diagnostics import Text
from rulewright.kernel.outcome import WitnessGame
from rulewright.play.explain.game_view import GameView, event_lines
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.initial_states import initial_position, start_of
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import Refused, replay
from rulewright.prove.verdict.validate_model import claim_holds
from rulewright.prove.verdict.verdict import Verdict
from rulewright.system.atomic_write import short_name, whole_file


def view(instance: Instance, game: WitnessGame) -> GameView:
    """A witness as it is shown."""
    return GameView(instance, game.start, game.events, game.end, game.loop, game.stopped)


def example(
    instance: Instance, verdict: Verdict, game: WitnessGame, name: str, text: Text
) -> list[str]:
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
        given = view(instance, game).beginning()
        lines += ["    given", *(f"        {each}" for each in given)]
    events = game.events if game.stopped is None else game.events[:-1]
    lines += [f"    {line}" for line in event_lines(instance, events)]
    lines += _expected(instance, verdict, game, text)
    return lines


def _expected(instance: Instance, verdict: Verdict, game: WitnessGame, text: Text) -> list[str]:
    """What a `possible` says, where it holds after the last event."""
    if verdict.kind != "possible":
        return []
    property = next(each for each in instance.spec.properties if each.name == verdict.name)
    position = dict(game.start)
    try:
        for happened in replay(instance, position, game.events):
            position = happened[-1].after
    except (Refused, EvaluationError):
        return []
    if not claim_holds(instance, property, position, position):
        return []
    span = property.claim.span
    lines = text.text[span.start : span.end].splitlines()
    words = " ".join(line.partition("#")[0] for line in lines).split()
    return [f"    expect {' '.join(words)}"]


def save(
    folder: Path,
    instance: Instance,
    configuration: Configuration,
    verdict: Verdict,
    spec_hash: str | None,
) -> list[Path]:
    """Writes every game of a verdict as a trace; the files it wrote."""
    readings = [f"{name}={option}" for name, option in configuration.readings]
    parts = [instance.spec.name, verdict.name, f"{configuration.players}-players", *readings]
    if configuration.variant is not None:
        parts.append(configuration.variant)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, game in enumerate(games_of(verdict), 1):
        ending = [] if number == 1 else [str(number)]
        path = folder / (short_name("-".join([*parts, *ending])) + ".jsonl")
        with whole_file(path, follow=False) as stream:
            view(instance, game).save(stream, spec_hash)
        written.append(path)
    return written


def games_of(verdict: Verdict) -> list[WitnessGame]:
    """All games that show a verdict, the shortest first."""
    return [] if verdict.game is None else [verdict.game, *verdict.more]
