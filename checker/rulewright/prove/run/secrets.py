"""What is claimed to be secret: proved of pairs of games, and told of the games themselves.

Pairs of games are a spec like any other (`meaning.twin_games`), and what is proved, refuted or left
open of it is decided like everything else. A pair that parts is told as two games, each of which
the evaluator has played again by the rules themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulewright.kernel.ledger import HELPER
from rulewright.kernel.outcome import WitnessGame
from rulewright.meaning import core as c
from rulewright.meaning.twin_games import (
    PARTED,
    PARTS,
    SECRET,
    TWIN,
    VIEWER,
    seen_alike,
    twin_games,
)
from rulewright.play.io.notation import write, write_event
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import Refused, failing, replay
from rulewright.play.semantics.values import Position
from rulewright.prove.verdict.verdict import UNKNOWN, Verdict, changed

Specs = Mapping[str | None, c.Spec]
ProveAll = Callable[[Specs, Sequence[str]], Mapping[Configuration, Sequence[Verdict]]]
"""Proves claims of these names of some specs; the verdicts by setting."""


def secrets(specs: Specs, only: Sequence[str]) -> tuple[str, ...]:
    """The claims of secrecy among those that were asked for."""
    names = [each.name for s in specs.values() for each in s.properties if each.kind == SECRET]
    return tuple(dict.fromkeys(each for each in names if not only or each in only))


def proved_secret(
    specs: Specs, names: Sequence[str], prove: ProveAll
) -> dict[Configuration, list[Verdict]]:
    """The verdicts on claims of secrecy, by setting."""
    twins = {variant: twin_games(spec) for variant, spec in specs.items()}
    found: dict[Configuration, list[Verdict]] = {}
    for configuration, verdicts in prove(twins, names).items():
        readings = dict(configuration.readings)
        spec, twin = specs[configuration.variant], twins[configuration.variant]
        pair = _Pair(
            Instance(spec, configuration.players, readings),
            Instance(twin, configuration.players, readings),
        )
        found[configuration] = [
            pair.told(each) for each in verdicts if each.name in names and each.kind == "invariant"
        ]
    return found


class _Pair:
    """Tells what is found of pairs of games as something about the games."""

    def __init__(self, single: Instance, both: Instance) -> None:
        self.single = single
        self.both = both

    def told(self, verdict: Verdict) -> Verdict:
        # helpers speak of both games at once: they are nothing that could be written in the spec
        used = (each for each in verdict.used if not each.startswith(HELPER))
        labels = (each.removesuffix(TWIN) for each in used)
        told = changed(verdict, kind=SECRET, used=tuple(dict.fromkeys(labels)), more=())
        if verdict.game is not None:
            return self._games(told, verdict.game)
        if verdict.position is not None:
            return self._position(told, verdict.position, verdict.events)
        return told

    def _games(self, verdict: Verdict, pair: WitnessGame) -> Verdict:
        """The two games of a pair, played again by the rules of one."""
        games = []
        try:
            for twin in ("", TWIN):
                start = self._of_one(pair.start, twin)
                events = self._events(pair.events, twin)
                position = dict(start)
                for happened in replay(self.single, position, events):
                    position = happened[-1].after
                games.append(WitnessGame(start, events, position, pair.turns))
            note = self._why(pair, dict(games[1].end))
        except (Refused, EvaluationError):
            note = None
        if note is None:
            reason = "a bug of ours: two games were found that do not part when played again"
            return changed(verdict, verdict=UNKNOWN, reason=reason, game=None)
        return changed(verdict, game=games[0], more=(games[1],), note=note)

    def _position(
        self, verdict: Verdict, position: Mapping[str, Any], events: Sequence[Event]
    ) -> Verdict:
        """Two positions that look alike, from which a proof does not get on."""
        first, second = (self._of_one(position, twin) for twin in ("", TWIN))
        apart = [
            f"{name} = {write(second[name], variable.type, self.single)}"
            for name, variable in self.single.variables.items()
            if first[name] != second[name]
        ]
        other = f", beside one with {', '.join(apart)}" if apart else ""
        note = f"{verdict.note.replace(TWIN, '')}, as player {position[VIEWER]} sees it{other}"
        return changed(verdict, position=first, events=self._events(events, ""), note=note)

    def _why(self, pair: WitnessGame, second: Position) -> str | None:
        """What tells two games apart that looked alike until then; None if nothing does."""
        viewer, last = pair.end[VIEWER], pair.events[-1] if pair.events else None
        if pair.end[PARTED] and last is not None and last.name.endswith(PARTS):
            event = self._events((last,), "")[0]
            if not failing(self.single, second, event):
                return None
            return (
                f"player {viewer} may play {write_event(event, self.single)} in the first, but not "
                "in the second"
            )
        if pair.end[PARTED]:
            return f"a step is due in one of them only, which player {viewer} sees"
        env = Environment(self.both, dict(pair.end))
        differ = [
            f"`{name}`"
            for name, parts in seen_alike(self.single.spec).items()
            if not all(evaluate(part, env) for part in parts)
        ]
        return f"player {viewer} sees a difference in {', '.join(differ)}" if differ else None

    def _of_one(self, pair: Mapping[str, Any], twin: str) -> Position:
        return {name: pair[name + twin] for name in self.single.variables}

    def _events(self, events: Sequence[Event], twin: str) -> tuple[Event, ...]:
        """The events of one game; what parts the two happens in the first only."""
        found = []
        for event in events:
            if event.name.endswith(PARTS) and twin:
                continue
            name = event.name.removesuffix(PARTS)
            given = event.arguments
            names = [param.name for param in self.single.transitions[name].params]
            values = {each: given.get(each + twin, given[each]) for each in names}
            found.append(Event(name, event.by, values))
        return tuple(found)
