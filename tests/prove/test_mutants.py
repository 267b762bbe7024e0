"""Proofs bite: for every property there is a small change of the rules that breaks it."""

from __future__ import annotations

import pytest

from checker.front import check_text
from checker.kernel.ledger import NEVER, entry
from checker.kernel.outcome import Game, Outcome
from checker.meaning.core import Property, Spec
from checker.play.instance import Instance
from checker.play.rules import apply
from checker.prove.at_random import play_at_random
from checker.prove.cache import Cache
from checker.prove.confirm import claim_holds
from checker.prove.effort import Effort
from checker.prove.job import Job, Worker
from checker.prove.target import Target
from checker.resources import bundled_specs
from checker.vc.context import Setting
from tests.prove.mutants import GAMES
from tests.prove.mutants.mutant import Mutant

CASES = [(game, mutant) for game, mutants in GAMES.items() for mutant in mutants]


def text_of(game: str) -> str:
    return bundled_specs()[game].read_text("utf-8")


def spec_of(game: str, text: str) -> Spec:
    spec = check_text(game, text).spec
    assert spec is not None
    return spec


@pytest.mark.parametrize("game", GAMES)
def test_every_property_has_a_mutant(game: str) -> None:
    spec = spec_of(game, text_of(game))
    claimed = {p.name for p in spec.properties} | {e.name for e in spec.ends}
    broken = [name for mutant in GAMES[game] for name in mutant.breaks]
    assert set(broken) == claimed
    assert len(broken) == len(set(broken))


@pytest.mark.parametrize(
    ("game", "mutant"), CASES, ids=[f"{game}: {each.breaks[0]}" for game, each in CASES]
)
def test_a_changed_rule_breaks_its_properties(game: str, mutant: Mutant) -> None:
    spec = spec_of(game, mutant.apply(text_of(game)))
    setting = Setting(mutant.players, (), None)
    worker = Worker({None: spec}, Effort(20), Cache(None))
    kinds = {each.name: each.kind for each in spec.properties}
    impossible = tuple(name for name in mutant.breaks if kinds.get(name) == "possible")
    if impossible:
        outcomes = worker.run(Job(setting, "strengthen", only=impossible))
        assert [name for name in impossible if not excluded(spec, mutant, name, outcomes)] == []
    instance = Instance(spec, setting.players)
    games = played(instance, mutant)
    for name in mutant.breaks:
        match kinds.get(name):
            case "possible":
                pass
            case "theorem":
                (outcome,) = worker.run(Job(setting, "theorems", only=(name,)))
                assert outcome.result == "sat"
            case None:
                briefly = Worker({None: spec}, Effort(3), Cache(None))
                (outcome,) = briefly.run(Job(setting, "refute", name, of="ends"))
                if outcome.game is not None:
                    assert goes_round(instance, outcome.game)
                    continue
                outcomes = worker.run(Job(setting, "ends", name))
                assert any(each.result == "sat" and each.position for each in outcomes)
            case _:
                found = games.get(name)
                if not found:
                    (outcome,) = worker.run(Job(setting, "refute", name))
                    assert outcome.game is not None, outcome.reason
                    found = [outcome.game]
                claim = next(each for each in spec.properties if each.name == name)
                assert breaks(instance, found[0], claim)


def excluded(spec: Spec, mutant: Mutant, name: str, outcomes: list[Outcome]) -> bool:
    """Whether the invariants, those that were found among them, exclude that something comes about;
    or it is shown of every event that it never does."""
    for claim in ((name, "possible"), (NEVER + name, "invariant")):
        answers = [each for each in outcomes if (each.name, each.kind) == claim]
        if entry(spec, mutant.players, *claim, answers).rests is not None:
            return True
    return False


def played(instance: Instance, mutant: Mutant) -> dict[str, list[Game]]:
    """Random games that break what a mutant breaks, which is what the prover tries first."""
    targets = [
        Target(each, broken=True)
        for each in instance.spec.properties
        if each.name in mutant.breaks and each.kind in ("invariant", "always")
    ]
    return play_at_random(instance, targets, 3.0) if targets else {}


def goes_round(instance: Instance, game: Game) -> bool:
    """Whether the evaluator comes back to where the game has been."""
    positions = [dict(game.start)]
    for event in game.events:
        positions.append(apply(instance, positions[-1], event)[-1].after)
    return game.loop is not None and positions[game.loop] == positions[-1]


def breaks(instance: Instance, game: Game, property: Property) -> bool:
    """Whether the evaluator finds a property broken in a game."""
    position = dict(game.start)
    if property.kind == "invariant" and not claim_holds(instance, property, position, position):
        return True
    for event in game.events:
        for happened in apply(instance, position, event):
            position = happened.after
            if not claim_holds(instance, property, happened.before, position):
                return True
    return False
