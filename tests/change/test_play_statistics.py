"""Random games by two sets of rules: what is counted is what the games came to."""

from __future__ import annotations

from collections import Counter

import pytest

from rulewright.change.impact import play_statistics
from rulewright.change.impact.play_statistics import estimate, sample_games, share
from rulewright.frontend import check_text
from rulewright.play.semantics import rules
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.wasm.runtime.wasm_game import WasmGame
from tests.play.games import bundled

GAMES, SEED = 12, 5
PAIRS = """game pairs "Pairs"
    players 1..1
phase go, over final
state
    seen: Set[1..3] = {}
    all: 0..9 = 0
chance throw(n: 1..4) in go "throw"
    does
        if n == 4:
            phase = over
        else:
            seen += {n}
            all += n
step full in go "all were seen"
    when three "three were seen": size(seen) == 3
    does
        close "the game is closed":
            phase = over
"""


def instance(name: str, players: int) -> Instance:
    spec = check_text("pairs.rules", PAIRS).spec if name == "pairs" else bundled(name).spec
    assert spec is not None
    return Instance(spec, players)


@pytest.mark.parametrize(("name", "players"), [("qwixx", 2), ("twenty_one", 3), ("pairs", 1)])
def test_games_are_counted_as_the_evaluator_plays_them(name: str, players: int):
    game = instance(name, players)
    sample, _ = sample_games(game, game, GAMES, SEED)
    lengths: Counter[int] = Counter()
    endings: Counter[str] = Counter()
    scores: Counter[int] = Counter()
    sizes: Counter[int] = Counter()
    played, unfinished = WasmGame(game, parts=frozenset(("play",))), 0
    for number in range(GAMES):
        played.start(SEED, number)
        position, happened = played.position, []
        ended: int | None = None
        try:
            while ended is None:
                ended = played.advance()
                if played.moved_on:
                    chosen = played.events.decode(played.memory, played.events.chosen)
                    happened = rules.apply(game, position, chosen)
                    position = happened[-1].after
                    lengths[number] += 1
        except EvaluationError:
            unfinished += 1
            lengths.pop(number, None)
            continue
        last = next(each for each in happened if rules.is_final(game, each.after))
        endings[last.done[-1].label if last.done else last.transition.name] += 1
        scores.update((rules.scores(game, position) or {}).values())
        sizes[len(position["seen" if name == "pairs" else "phase"])] += 1
    assert sample.games == GAMES and sample.unfinished == unfinished
    assert sample.lengths == Counter(lengths.values())
    assert sample.endings == endings
    assert sample.scores == scores
    if name == "pairs":
        assert sample.sizes["seen"] == sizes and unfinished and len(endings) > 1


def test_how_many_games_are_played_is_counted(monkeypatch: pytest.MonkeyPatch):
    game = instance("pairs", 1)
    monkeypatch.setattr(play_statistics, "MOST_WORK", 50_000)
    one, other = sample_games(game, game, None, 1)
    assert one == other and 1_000 < one.games < 20_000
    assert sample_games(game, game, 70_000, 1)[0].games == 70_000
    monkeypatch.setattr(play_statistics, "MOST_WORK", 1)
    assert sample_games(game, game, None, 1)[0].games >= play_statistics.LEAST


def test_means_and_shares():
    assert estimate({1: 1, 3: 1}).mean == 2 and estimate({1: 1, 3: 1}).error == 1
    assert estimate({7: 5}).error == 0
    assert share(1, 4).mean == 0.25
