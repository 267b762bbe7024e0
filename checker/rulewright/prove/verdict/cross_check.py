"""Cross-check: compares what is called proved with games before anybody sees it.

The games are those found in the same run, the worked examples that play from the start, and random
games. A game that contradicts a proof is a bug of this program: nothing of the run is printed, and
the spec and the game are kept for whoever mends it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rulewright.kernel.outcome import WitnessGame
from rulewright.play.explain.examples import play_example
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.search.replay_witness import replay
from rulewright.prove.search.search_goals import OBLIGED, PropertyGoal, SearchGoal
from rulewright.prove.verdict.trace_text import view
from rulewright.prove.verdict.verdict import PROVED, REFUTED, Verdict

EVENTS = 4_000
"""Events of random games."""
PLAYED = ("safe", "goes_on", "steps_stop")
"""What every spec is asked and a game that is just played can break."""


class ContradictionError(Exception):
    """Something was called proved, and a game shows that it is not so."""

    def __init__(
        self, instance: Instance, configuration: Configuration, name: str, game: WitnessGame
    ) -> None:
        said = (
            f"`{name}` was proved with {configuration.shown()}, and a game shows that it is not so"
        )
        super().__init__(said)
        self._instance = instance
        self._setting = configuration
        self._name = name
        self._game = game

    def keep(self, text: str | None) -> None:
        """Writes the spec and the game down, and says where."""
        folder = Path(tempfile.mkdtemp(prefix="rulewright-bug-"))
        what = {
            "claim": self._name, "players": self._setting.players,
            "readings": dict(self._setting.readings), "variant": self._setting.variant,
        }  # fmt: skip
        (folder / "claim.json").write_text(json.dumps(what, indent=2) + "\n", encoding="utf-8")
        if text is not None:
            (folder / "spec.rules").write_text(text, encoding="utf-8")
        with (folder / "game.jsonl").open("w", encoding="utf-8") as stream:
            view(self._instance, self._game).save(stream, None)
        self.args = (f"{self.args[0]}; the spec and the game are in `{folder}`",)


def claims(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """The kind and name of each verdict that a game could contradict."""
    found = []
    for each in verdicts:
        shown = each.verdict == PROVED and (
            each.kind in ("invariant", "always") or each.name in PLAYED
        )
        if shown or (each.kind == "possible" and each.verdict == REFUTED):
            found.append(f"{each.kind} {each.name}")
    return tuple(found)


def targets(instance: Instance, claimed: Iterable[str]) -> list[SearchGoal]:
    """What a game would meet that contradicts some claims."""
    properties = {each.name: each for each in instance.spec.properties}
    found: list[SearchGoal] = []
    for kind, _, name in (each.partition(" ") for each in claimed):
        property = properties.get(name)
        if property is not None and property.kind == kind:
            found.append(PropertyGoal(property, broken=kind != "possible"))
        else:
            found.append(OBLIGED[name])
    return found


def contradicted(
    instance: Instance, sought: Sequence[SearchGoal], games: Iterable[WitnessGame]
) -> tuple[str, WitnessGame] | None:
    """What a game that was found shows not to be so, with the game; None if nothing is. What holds
    of every position is looked at where each game ends."""
    for game in games:
        for each in sought:
            if each.at_start and each.met(instance, dict(game.end), dict(game.end)):
                shown = replay(instance, each, dict(game.start), game.events)
                if shown is not None:
                    return each.name, shown
    return None


def examples_against(
    instance: Instance, sought: Sequence[SearchGoal]
) -> tuple[str, WitnessGame] | None:
    """What a worked example shows not to be so, with the game; None if nothing is."""
    for game in _examples(instance):
        for each in sought:
            shown = replay(instance, each, dict(game.start), game.events)
            if shown is not None:
                return each.name, shown
    return None


def _examples(instance: Instance) -> Iterator[WitnessGame]:
    """The worked examples of this very way to play that begin as a game does."""
    spec = instance.spec
    for example in spec.examples:
        alike = (example.players, example.variant) == (instance.players, spec.variant)
        if not alike or example.given:
            continue
        played = play_example(spec, example)
        if played.instance.readings == instance.readings and played.happened:
            start, end = played.happened[0].before, played.happened[-1].after
            events = tuple(each.event for each in played.happened if each.event is not None)
            yield WitnessGame(start, events, end, 0)
