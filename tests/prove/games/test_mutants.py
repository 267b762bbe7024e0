"""Proofs bite: for every property there is a small change of the rules that breaks it."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.ledger import NEVER, entry
from rulewright.kernel.outcome import Outcome, WitnessGame
from rulewright.meaning.core import Property, Spec
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import apply
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.search.random_search import play_at_random
from rulewright.prove.search.search_goals import PropertyGoal
from rulewright.prove.verdict.validate_model import claim_holds
from rulewright.resources import bundled_specs
from tests.prove.games.mutants import GAMES
from tests.prove.games.mutants.mutant import Mutant

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
    configuration = Configuration(mutant.players, (), None)
    worker = Worker({None: spec}, ProverOptions(20), Cache(None))
    kinds = {each.name: each.kind for each in spec.properties}
    impossible = tuple(name for name in mutant.breaks if kinds.get(name) == "possible")
    if impossible:
        outcomes = worker.run(Job(configuration, "strengthen", only=impossible))
        assert [name for name in impossible if not excluded(spec, mutant, name, outcomes)] == []
    instance = Instance(spec, configuration.players)
    games = played(instance, mutant)
    for name in mutant.breaks:
        match kinds.get(name):
            case "possible":
                pass
            case "theorem":
                (outcome,) = worker.run(Job(configuration, "theorems", only=(name,)))
                assert outcome.result == "sat"
            case None:
                briefly = Worker({None: spec}, ProverOptions(3), Cache(None))
                (outcome,) = briefly.run(Job(configuration, "refute", name, of="ends"))
                if outcome.game is not None:
                    assert goes_round(instance, outcome.game)
                    continue
                outcomes = worker.run(Job(configuration, "ends", name))
                assert any(each.result == "sat" and each.position for each in outcomes)
            case _:
                found = games.get(name)
                if not found:
                    (outcome,) = worker.run(Job(configuration, "refute", name))
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


def played(instance: Instance, mutant: Mutant) -> dict[str, list[WitnessGame]]:
    """Random games that break what a mutant breaks, which is what the prover tries first."""
    targets = [
        PropertyGoal(each, broken=True)
        for each in instance.spec.properties
        if each.name in mutant.breaks and each.kind in ("invariant", "always")
    ]
    return play_at_random(instance, targets, 3.0) if targets else {}


def goes_round(instance: Instance, game: WitnessGame) -> bool:
    """Whether the evaluator comes back to where the game has been."""
    positions = [dict(game.start)]
    for event in game.events:
        positions.append(apply(instance, positions[-1], event)[-1].after)
    return game.loop is not None and positions[game.loop] == positions[-1]


def breaks(instance: Instance, game: WitnessGame, property: Property) -> bool:
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
