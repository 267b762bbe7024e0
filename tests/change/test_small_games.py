"""What a change does to a game that fits on a napkin: quick enough to try many of them."""

from __future__ import annotations

import pytest

from rulewright.change.games.bmc import DifferenceBmc, DifferenceBmcResult
from rulewright.change.games.lockstep import replays
from rulewright.change.games.reachability import SearchBudget
from rulewright.change.impact.affected_proofs import affected_proofs
from rulewright.change.impact.properties import ChangeProver
from rulewright.change.impact.property_status import PropertyDiff
from rulewright.change.semantic import compare
from rulewright.change.semantic.compare import SpecComparison
from rulewright.change.semantic.verdict import ComparisonResult
from rulewright.change.text.text_diff import renames
from rulewright.frontend import LoadedSpec, check_text
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.invariants.lemmas import Lemmas
from tests.change.changes import not_asked, tree

STONES = """
game stones "Stones"
    players 2..3

phase play "stones are put down", over final "the game is over"

state
    turn: Player = 1 "whose turn it is"
    heap: 0..9 = 0 "the stones put down"
    each Player
        hand: 0..6 = 3 "the stones a player has left"

move put(n: 1..2) by p in play "put down stones"
    needs own_turn "it is the player's turn": p == turn
    needs has_them "the player has so many": hand[p] >= n
    needs room "there is room for them": heap + n <= 9
    does
        hand[p] -= n
        heap += n
        turn = left_of(turn)

move stop by p in play "stop"
    needs own_turn "it is the player's turn": p == turn
    needs some_there "a stone is there": heap > 0
    does phase = over

invariant never_more "nobody has more than at the start": all p: Player: hand[p] <= 3
invariant all_there "no stone is lost": heap + (sum p: Player: hand[p]) == 3 * players
invariant few "what somebody holds would have room": all p: Player: hand[p] + heap <= 9
always only_grows "the heap only grows": old(heap) <= heap
"""


def spec(*replaced: tuple[str, str]) -> LoadedSpec:
    text = STONES
    for old, new in replaced:
        assert old in text, old
        text = text.replace(old, new)
    found = check_text("stones.rules", text)
    assert found.spec is not None, found.diagnostics
    return found


OLD = spec()


def compared(
    new: LoadedSpec, players: tuple[int, ...] = (2,), old: LoadedSpec = OLD
) -> ComparisonResult:
    assert old.spec is not None and new.spec is not None
    settings = [Configuration(each, (), None) for each in players]
    trust, cache, budget = Lemmas(5.0, None, 1), Cache(None), SearchBudget(5.0, 20, 4.0)
    comparison = SpecComparison(old.spec, new.spec, settings, trust, cache, budget, lambda _: None)
    return comparison.run(renames(tree(old), tree(new)))


def verdicts(found: ComparisonResult) -> dict[str, tuple[str, str]]:
    return {
        each.subject.name: (each.verdict, each.proof)
        for each in found.verdicts
        if (each.verdict, each.proof) != ("equal", "proved")
    }


def fates(
    new: LoadedSpec,
    games: dict[str, tuple[Event, ...]] | None = None,
    players: tuple[int, ...] = (2, 3),
    old: LoadedSpec = OLD,
) -> dict[str, PropertyDiff]:
    """The properties after a change, for these numbers of players."""
    assert old.spec is not None and new.spec is not None
    found = compared(new, players, old)
    prover = ChangeProver(5.0, None, 1, lambda _: None)
    settings = [Configuration(each, (), None) for each in players]
    touched = affected_proofs(old.spec, new.spec, found.verdicts)
    listed = prover.fates(old.spec, new.spec, settings, touched, lambda _: games or {})
    return {each.name: each for each in listed}


def test_where_only_the_new_rules_have_no_answer_they_are_stricter():
    found = compared(spec(("hand[p] >= n", "hand[p] >= n and (6 / hand[p] >= 0 or n < 9)")))
    assert verdicts(found) == {}
    found = compared(spec(("heap > 0", "heap > 0 and 6 / (heap - 4) < 7")))
    assert verdicts(found)["stop"][0] == "stricter"
    (difference,) = next(v for v in found.verdicts if v.subject.name == "stop").differences
    assert difference.witness.said[1].error is not None
    assert difference.witness.positions[0]["heap"] == 4
    assert difference.game is not None and len(difference.game.events) == 2


CHANGES: dict[str, tuple[tuple[tuple[str, str], ...], dict[str, tuple[str, str]]]] = {
    "stricter": ((("heap > 0", "heap > 1"),), {"stop": ("stricter", "proved")}),
    "looser": ((("heap > 0", "heap >= 0"),), {"stop": ("looser", "proved")}),
    "incomparable": ((("heap > 0", "heap != 2"),), {"stop": ("incomparable", "proved")}),
    "another outcome": ((("heap += n", "heap += 1"),), {"put": ("changed", "proved")}),
    "another beginning": ((("0..6 = 3", "0..6 = 2"), ("<= 3", "<= 2"), ("3 *", "2 *")),
                          {"start": ("changed", "proved")}),
    "only where no game goes": ((("hand[p] >= n", "hand[p] >= n and hand[p] < 5"),), {}),
}  # fmt: skip


@pytest.mark.parametrize("how", CHANGES)
def test_the_verdict_is_the_right_one(how):
    replaced, expected = CHANGES[how]
    found = compared(spec(*replaced))
    assert verdicts(found) == expected
    if how == "only where no game goes":
        put = next(each for each in found.verdicts if each.subject.name == "put")
        assert any("by the proved `never_more`" in each for each in put.notes)


def test_without_the_invariant_it_is_not_found_reachable():
    replaced = (("hand[p] >= n", "hand[p] >= n and hand[p] < 5"),)
    lean = (STONES[STONES.index("invariant never"):STONES.index("always")], "")  # fmt: skip
    without = spec(lean)
    assert OLD.spec is not None and without.spec is not None
    new = spec(*replaced, lean)
    comparison = SpecComparison(
        without.spec, new.spec or without.spec, [Configuration(2, (), None)], Lemmas(5.0, None, 1),
        Cache(None), SearchBudget(5.0, 20, 2.0), lambda _: None,
    )  # fmt: skip
    found = comparison.run({})
    assert verdicts(found) == {"put": ("stricter", "bounded")}
    (difference,) = next(v for v in found.verdicts if v.subject.name == "put").differences
    assert difference.game is None and difference.turns >= 3


STATE = {
    "added": ((("    heap:", '    extra: Bool = false "new"\n    heap:'),), "extra", None, "Bool"),
    "retyped": ((("turn: Player = 1", "turn: Player? = 1"),
                 ("turn = left_of(turn)", "turn = left_of(p)")), "turn", "Player", "Player?"),
}  # fmt: skip


@pytest.mark.parametrize("how", STATE)
def test_state_that_is_not_the_same_is_named_and_the_rest_compared(how):
    replaced, name, old, new = STATE[how]
    found = compared(spec(*replaced, ("heap > 0", "heap > 1")))
    (mismatch,) = found.mismatches
    assert (mismatch.variable, mismatch.old, mismatch.new) == (name, old, new)
    how_far = "compared where both know the value" if old else "not compared"
    assert f"`{name}`" in mismatch.shown() and how_far in mismatch.shown()
    assert verdicts(found)["stop"][0] in ("stricter", "incomparable")


def test_state_that_is_gone_is_named():
    assert OLD.spec is not None
    new, old = OLD.spec, spec(*STATE["added"][0]).spec
    assert old is not None
    comparison = SpecComparison(
        old,
        new,
        [Configuration(2, (), None)],
        Lemmas(5.0, None, 1),
        Cache(None),
        SearchBudget(5.0, 20, 2.0),
        lambda _: None,
    )
    found = comparison.run({})
    assert [each.shown() for each in found.mismatches] == [
        "`extra` (Bool) is gone and not compared"
    ]
    assert verdicts(found) == {}


def test_properties_are_asked_for_every_number_of_players():
    new = spec(
        ("heap += n\n        turn", "heap += (1 if players == 3 and n == 2 else n)\n        turn")
    )
    found = fates(new)
    assert found["all_there"].fate == "open"
    assert found["never_more"].new is not None and found["never_more"].new.verdict != "unknown"
    with_two = fates(new, players=(2,))
    assert {each.fate for each in with_two.values()} <= {"same"}


def test_a_change_that_touches_no_proof_asks_nothing():
    found = fates(spec(('"a stone is there"', '"there is a stone"')))
    assert found == {}


def test_what_leans_on_a_broken_invariant_is_proved_without_it_or_not_at_all():
    found = fates(spec(("hand[p] -= n", "hand[p] = 4")), {"never_more": (), "all_there": ()})
    assert found["never_more"].fate == "lost" and found["all_there"].fate == "lost"
    assert found["only_grows"].fate == found["safe"].fate == "same"
    assert found["few"].fate == "open"


def test_nothing_is_proved_by_an_invariant_that_never_held():
    wrong = 'invariant wrong "never so": heap < 0\nalways only'
    old, new = spec(("always only", wrong)), spec(("always only", wrong), (" needs has_", "# has_"))
    found = fates(new, old=old)
    assert found["safe"].new is not None and found["safe"].new.verdict == "unknown"


GATE = """
game gate "Gate"
    players 2..2

phase play, over final

state
    open: 0..1 = 0
    high: 0..5 = 0

move unlock by p in play "unlock"
    needs far "far enough": high > 3
    does open = 1

move jump by p in play "jump"
    needs free "the gate is open": open == 1
    does high = 5

invariant low "nobody gets up": high == 0
"""


def test_a_change_that_lets_an_old_rule_break_a_property_is_noticed():
    """What changed keeps the property; it makes way for a rule that did not change."""
    old, new = (
        check_text("gate.rules", text) for text in (GATE, GATE.replace("high > 3", "high >= 0"))
    )
    found = fates(new, players=(2,), old=old)
    assert found["low"].old is not None and found["low"].old.verdict == "proved"
    assert found["low"].new is not None and found["low"].new.verdict == "unknown"


def test_an_invariant_that_others_lean_on_is_missed_when_it_is_gone():
    gone = next(line for line in STONES.splitlines(True) if "all_there" in line)
    found = fates(spec((gone, "")))
    assert found["all_there"].new is None
    assert found["few"].fate == "open" and found["only_grows"].fate == "same"


def test_a_rule_that_leaves_a_range_takes_no_other_proof_with_it():
    kept = fates(spec((" needs room", "# needs room")))  # the invariants keep the range
    assert {each.fate for each in kept.values()} <= {"same"}
    found = fates(spec((" needs room", "# needs room"), ("heap += n", "heap += n + 7")))
    assert found["safe"].fate == "open"
    assert found["never_more"].fate == "same"  # an event that fails does not come to its end


def test_where_the_solver_gives_up_playing_at_random_is_tried(monkeypatch):
    """Of what no game shows it remains unknown whether it is so."""
    monkeypatch.setattr(compare, "ask", lambda *_, **__: not_asked())
    monkeypatch.setattr(DifferenceBmc, "run", lambda *_: DifferenceBmcResult(None, 0))
    found = compared(spec(("hand[p] >= n", "hand[p] > n"), ("heap > 0", "heap >= 1")))
    put, stop = (each for each in found.verdicts if each.subject.name in ("put", "stop"))
    assert (put.verdict, put.proof) == ("stricter", "unknown")
    (difference,) = put.differences
    assert difference.game is not None and replays(difference.game, 0)
    assert (stop.verdict, stop.proof, stop.differences) == ("equal", "unknown", ())
