"""Holds verdicts against the truth: what is said and is not so.

`unknown` is never false. A game that is shown must be one: it is played again by the evaluator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fuzz.truth.choices import key_of
from fuzz.truth.explorer import Truth
from rulewright.kernel.outcome import WitnessGame
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EndlessError, EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import Refused, apply, is_final, scores, unmet, winners
from rulewright.play.semantics.values import Position, stray
from rulewright.prove.run.proof_result import ProofResult
from rulewright.prove.verdict.verdict import BOUNDED, PROVED, REFUTED, UNKNOWN, Verdict
from rulewright.syntax.node import Node

FINDINGS = ("requirement", "vacuity", "transition")


class False_(Node):  # noqa: N801 - `False` is taken
    """A verdict that is not so: where, of what, what was said, and what is so."""

    configuration: str
    name: str
    kind: str
    said: str
    so: str

    def cause(self) -> tuple[str, str]:
        """What tells one kind of false verdict from another."""
        return self.kind, self.said


def compared(
    cores: Mapping[str | None, c.Spec],
    truths: Mapping[Configuration, Truth],
    proved: list[ProofResult],
) -> Iterator[False_]:
    """All that is said of a spec and is not so."""
    for each in proved:
        configuration = each.configuration
        core = cores[configuration.variant]
        instance = Instance(core, configuration.players, dict(configuration.readings))
        for verdict in each.verdicts:
            if verdict.kind in FINDINGS:
                so = _of_finding(verdict, list(truths.values()))
            else:
                so = _of(instance, truths[configuration], verdict) or _of_games(instance, verdict)
            if so is not None:
                said = verdict.verdict
                yield False_(configuration.shown(), verdict.name, verdict.kind, said, so)


def _of_finding(verdict: Verdict, truths: list[Truth]) -> str | None:
    """A finding says that something does not matter, in any setting."""
    if verdict.verdict != REFUTED:
        return None
    name = verdict.name
    match verdict.kind:
        case "transition" if any(name in each.happened for each in truths):
            return "it happens"
        case "requirement" if any(name in each.decisive for each in truths):
            return "it alone refuses something"
        case "vacuity" if any(name in each.said for each in truths):
            return "its condition comes about"
        case _:
            return None


def _of(instance: Instance, truth: Truth, verdict: Verdict) -> str | None:
    """How a verdict is false by what was gone through; None if it is not."""
    said, name, kind = verdict.verdict, verdict.name, verdict.kind
    if said == UNKNOWN:
        return None
    fewest = truth.broken.get((name, kind))
    match kind:
        case "secret":  # that is a matter of two games
            return None
        case "possible":
            return _of_possible(truth, verdict)
        case "start":
            there = truth.starts > 0
            sure = truth.complete or there
            return "it is not so" if sure and there != (said == PROVED) else None
        case "sanity":
            wrong = said == REFUTED and truth.consistent
            return "a game reaches a position in which all invariants hold" if wrong else None
        case "ends":
            return _of_ends(truth, verdict)
    if said == PROVED and fewest is not None:
        return f"a game of {fewest[0]} events breaks it"
    if said == BOUNDED and fewest is not None and _within(verdict, fewest):
        return f"a game of {fewest[0]} events, {fewest[1]} turns breaks it"
    if said == REFUTED and fewest is None and truth.complete and name not in truth.open:
        return "no game breaks it"
    return _not_shortest(verdict, fewest)


def _of_possible(truth: Truth, verdict: Verdict) -> str | None:
    fewest = truth.reached.get(verdict.name)
    if verdict.verdict == REFUTED and fewest is not None:
        return f"a game of {fewest[0]} events gets there"
    if verdict.verdict == PROVED and fewest is None and truth.complete:
        return "no game gets there"
    return _not_shortest(verdict, fewest)


def _of_ends(truth: Truth, verdict: Verdict) -> str | None:
    if verdict.verdict == REFUTED:
        there_is_none = truth.complete and not truth.endless
        return "every game ends" if there_is_none else None
    if verdict.verdict != PROVED:
        return None
    if truth.endless:
        return "a game goes on for ever"
    if (verdict.name, "ends") in truth.broken:
        return "the measure is negative, has no value, or does not fall"
    most = truth.rounds.get(verdict.name)
    if verdict.depth is not None and most is not None and most > verdict.depth:
        return f"a game has {most} rounds, not {verdict.depth} at the most"
    return None


def _within(verdict: Verdict, fewest: tuple[int, int]) -> bool:
    """Whether games of the length that was looked at break something. Of those with answers in seat
    order alone nothing is known."""
    if "in seat order" in (verdict.reason or ""):
        return False
    unit = re.search(r"up to (\d+) (\w+)", verdict.reason or "")
    events = unit is not None and unit[2].startswith("event")
    return verdict.depth is not None and fewest[0 if events else 1] <= verdict.depth


def _not_shortest(verdict: Verdict, fewest: tuple[int, int] | None) -> str | None:
    """Shortest is a game of which there is none of fewer turns, or none of fewer events."""
    game = verdict.game
    if game is None or not game.shortest or fewest is None:
        return None
    if fewest[1] >= game.turns or fewest[0] >= len(game.events):
        return None
    return f"its game of {game.turns} turns is not the shortest: {fewest[1]} are enough"


def _of_games(instance: Instance, verdict: Verdict) -> str | None:
    """How a game that is shown does not show what it should."""
    if verdict.verdict == UNKNOWN:
        return None
    for game in (verdict.game, *verdict.more) if verdict.game is not None else ():
        assert game is not None
        if not _begins(instance, game):
            return "its game does not begin as games do"
        told = _replayed(instance, verdict, game)
        if told is not None:
            return told
    return None


def _begins(instance: Instance, game: WitnessGame) -> bool:
    begun = {name: game.start[name] for name in instance.variables}
    nowhere = Environment(instance, {})
    for name, variable in instance.variables.items():
        if stray(begun[name], variable.type, instance) is not None:
            return False
        if variable.initial is not None:
            given = {name: evaluate(variable.initial, nowhere)}
            if key_of(given) != key_of({name: begun[name]}):
                return False
    return not unmet(instance.spec.start, Environment(instance, begun))


def _replayed(instance: Instance, verdict: Verdict, game: WitnessGame) -> str | None:
    """What is wrong with a game that is said to break a verdict, or to show what is possible."""
    position: Position = {name: game.start[name] for name in instance.variables}
    been = [position]
    passed = [(position, position, True)]
    for number, event in enumerate(game.events):
        last = number == len(game.events) - 1
        transition = instance.transitions[event.name]
        for param in transition.params:
            if stray(event.arguments[param.name], param.type, instance) is not None:
                return f"event {number + 1} of its game has `{param.name}` outside its type"
        try:
            happened = apply(instance, position, event)
        except Refused:
            return f"its game does not replay: event {number + 1} is refused"
        except EndlessError:
            return None if last and verdict.name == "steps_stop" else "its steps do not stop"
        except EvaluationError:
            return None if last and verdict.name == "safe" else "its game has no value on the way"
        passed += [(each.before, each.after, False) for each in happened]
        position = happened[-1].after
        been.append(position)
    return None if _shown(instance, verdict, game, passed, been) else "its game does not show it"


def _shown(
    instance: Instance, verdict: Verdict, game: WitnessGame,
    passed: list[tuple[Position, Position, bool]], been: list[Position],
) -> bool:  # fmt: skip
    """Whether a game shows what it should, on its way or at its end. What breaks an obligation
    (`order`, say) was judged by going through all positions."""
    if verdict.kind == "ends":
        return game.loop is not None and key_of(been[game.loop]) == key_of(been[-1])
    if verdict.kind in ("invariant", "always", "possible"):
        claim = next(p.claim for p in instance.spec.properties if p.name == verdict.name)
        for before, after, start in passed:
            if start and verdict.kind == "always":
                continue
            try:
                holds = bool(evaluate(claim, Environment(instance, before, after)))
            except EvaluationError:
                holds = False
            if holds == (verdict.kind == "possible"):
                return True
        return False
    if verdict.kind == "safety":
        return is_final(instance, been[-1]) and _without_result(instance, been[-1])
    return True


def _without_result(instance: Instance, position: Position) -> bool:
    try:
        scores(instance, position)
        winners(instance, position)
    except EvaluationError:
        return True
    return False


__all__ = ["FINDINGS", "False_", "compared"]
