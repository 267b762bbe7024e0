"""A verdict that is not so is noticed, whatever it is about; one that is so is left alone."""

from __future__ import annotations

from fuzz.compare.verdicts import compared
from fuzz.truth.choices import beginnings
from fuzz.truth.explorer import explored
from rulewright.frontend import check_text
from rulewright.kernel.outcome import WitnessGame
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.run.proof_result import ProofResult
from rulewright.prove.verdict.verdict import Verdict

GAME = """game g "g"
    players 2..2
phase a, b, over final
state
    n: 0..5 = 0
move up by p in a "up"
    needs low "low": n < 3
    needs again "again": n < 4
    does n += 1
move on by p in a "on"
    does phase = b
move stop by p in b "stop"
    does phase = over
move never by p in b "never"
    needs no "no": n == 5
invariant few "few": n <= 1
invariant well "well": n <= 3
always rises "rises": n >= old(n)
possible two "two": n == 2
possible four "four": n == 4
ends e "e" by (3 - n) at a
"""
SETTING = Configuration(2, (), None)


def false_of(name: str, kind: str, word: str, **more: object) -> list[str]:
    checked = check_text("small.rules", GAME)
    assert checked.spec is not None
    truth = explored(Instance(checked.spec))
    verdict = Verdict(name, kind, word, None, 0.0, (), **more)  # type: ignore[arg-type]
    proved = [ProofResult(SETTING, (verdict,), 1, 0.0)]
    return [each.so for each in compared({None: checked.spec}, {SETTING: truth}, proved)]


def game_of(*names: str, shortest: bool = False, turns: int = 1) -> WitnessGame:
    checked = check_text("small.rules", GAME)
    assert checked.spec is not None
    [start], _ = beginnings(Instance(checked.spec))
    return WitnessGame(start, tuple(Event(each, 1, {}) for each in names), start, turns,
                shortest=shortest)  # fmt: skip


def test_invariants():
    assert false_of("few", "invariant", "proved") == ["a game of 2 events breaks it"]
    assert false_of("few", "invariant", "unknown") == []
    assert false_of("well", "invariant", "proved") == []
    assert false_of("well", "invariant", "refuted") == ["no game breaks it"]
    assert false_of("few", "invariant", "refuted", game=game_of("up", "up")) == []


def test_games_that_are_no_games():
    refused = false_of("few", "invariant", "refuted", game=game_of("stop"))
    assert refused == ["its game does not replay: event 1 is refused"]
    nothing = false_of("few", "invariant", "refuted", game=game_of("up"))
    assert nothing == ["its game does not show it"]


def test_what_was_looked_at_only_so_far():
    assert false_of("few", "invariant", "bounded", depth=1) == []
    assert false_of("few", "invariant", "bounded", depth=2) == [
        "a game of 2 events, 2 turns breaks it"
    ]


def test_the_shortest_game():
    long = game_of("up", "up", "up", shortest=True, turns=3)
    assert "is not the shortest" in false_of("few", "invariant", "refuted", game=long)[0]


def test_possible():
    assert false_of("two", "possible", "refuted") == ["a game of 2 events gets there"]
    assert false_of("four", "possible", "refuted") == []
    assert false_of("four", "possible", "proved") == ["no game gets there"]


def test_ends():
    assert false_of("e", "ends", "proved", depth=4) == []
    assert false_of("e", "ends", "proved", depth=3) == ["a game has 4 rounds, not 3 at the most"]
    assert false_of("e", "ends", "refuted") == ["every game ends"]


def test_what_every_game_owes():
    assert false_of("goes_on", "flow", "proved") == []
    assert false_of("goes_on", "flow", "refuted") == ["no game breaks it"]
    assert false_of("begins", "start", "refuted") == ["it is not so"]
    assert false_of("safe", "safety", "refuted") == ["no game breaks it"]
    assert false_of("assumptions", "sanity", "refuted") == [
        "a game reaches a position in which all invariants hold"
    ]


def test_findings():
    assert false_of("up.low", "requirement", "refuted") == ["it alone refuses something"]
    assert false_of("up.again", "requirement", "refuted") == []
    assert false_of("stop", "transition", "refuted") == ["it happens"]
    assert false_of("never", "transition", "refuted") == []
