"""Moves with other names, parameters with other ranges, state that only one side has."""

from __future__ import annotations

import json

import pytest

from rulewright.change.impact.violations import find_violations
from rulewright.change.text.text_diff import text_diffs
from rulewright.play.semantics.instance import Instance
from tests.change.changes import tree
from tests.change.test_small_games import OLD, STONES, compared, spec, verdicts

GIFT = (
    "move stop",
    'move gift by p in play "get six stones"\n'
    '    needs own_turn "it is the player\'s turn": p == turn\n'
    "    does hand[p] = 6\n\nmove stop",
)
RENAMED = ("move put", "move lay")


def headlines(*replaced: tuple[str, str]) -> list[str]:
    return [each.headline() for each in text_diffs(tree(OLD), tree(spec(*replaced)))]


@pytest.mark.parametrize(("replaced", "expected"), [
    ((("(n: 1..2)", "(m: 1..2)"), (">= n", ">= m"), ("+ n", "+ m"), ("= n", "= m")),
     {}),
    ((("(n: 1..2)", "(n: 1..3)"),), {"put": ("looser", "proved")}),
    ((("(n: 1..2)", "(n: 2..3)"),), {"put": ("incomparable", "proved")}),
    ((("turn: Player = 1", "turn: Player? = 1"), ("left_of(turn)", "left_of(p)")), {}),
], ids=["another name", "a wider range", "another range", "may be missing"])  # fmt: skip
def test_parameters_and_values_that_both_know_are_compared(replaced, expected):
    found = compared(spec(*replaced))
    assert verdicts(found) == expected
    for verdict in found.verdicts:
        for each in verdict.differences:
            assert each.game is not None
            assert each.witness.event is not None
            number = each.witness.event.arguments["n"]
            assert number == {"looser": 3, "stricter": 1}[each.way]


def test_a_move_with_another_name_is_followed_even_if_it_does_something_else():
    changed = (RENAMED, ("heap += n", "heap += 1"))
    assert headlines(*changed) == ["renamed move `lay` (was `put`)", "changed move `lay`"]
    found = compared(spec(*changed))
    assert verdicts(found) == {"lay": ("changed", "proved")}


def test_games_go_on_over_a_move_with_another_name():
    """Only games with several moves show what is different here."""
    found = compared(spec(RENAMED, ("heap > 0", "heap > 3"), ("heap: 0..9", "heap: 0..10")))
    stop = next(each for each in found.verdicts if each.subject.name == "stop")
    (difference,) = stop.differences
    assert difference.game is not None and difference.game.events[0].name == "put"


@pytest.mark.parametrize("changed", [
    (RENAMED, ("heap += n", "heap += 1")),
    (("    heap:", '    extra: 0..3 = 0 "new"\n    heap:'), ("heap += n\n", "heap += 1\n")),
], ids=["another name", "more state"])  # fmt: skip
def test_a_game_that_reaches_a_difference_breaks_what_it_breaks_by_the_new_rules(changed):
    new = spec(*changed)
    assert new.spec is not None
    found = find_violations(Instance(new.spec, 2), compared(new).verdicts, games=0, seed=0)
    assert [each.name for each in found["all_there"]] in (["lay"], ["put"], ["put", "put"],
                                                         ["lay", "lay"])  # fmt: skip


def test_an_invariant_that_the_new_rules_break_proves_nothing():
    """The old game never gets where `put` differs, the new one does."""
    found = compared(spec(GIFT, ("hand[p] >= n", "hand[p] >= n and hand[p] < 5")))
    assert verdicts(found) == {"put": ("stricter", "bounded"), "gift": ("looser", "proved")}


def test_where_only_the_old_rules_had_no_answer_the_new_ones_are_looser():
    old = spec(("heap > 0", "heap > 0 and 6 / (heap - 4) < 7"))
    found = compared(OLD, old=old)
    assert verdicts(found) == {"stop": ("looser", "proved")}
    (difference,) = next(v for v in found.verdicts if v.subject.name == "stop").differences
    assert difference.witness.said[0].error is not None


def test_state_of_another_kind_is_named_and_the_rest_compared():
    old, new = (spec(("    heap:", f"    extra: {each}\n    heap:")) for each in
                ("Bool = false", "0..1 = 0"))  # fmt: skip
    found = compared(new, old=old)
    assert verdicts(found) == {}
    (mismatch,) = found.mismatches
    assert mismatch.shown() == "`extra` was Bool and is 0..1: not compared"


@pytest.fixture
def stones(tmp_path):
    """Writes the game, with some text replaced, under a name."""

    def write(name: str, *replaced: tuple[str, str]) -> None:
        text = STONES
        for old, new in replaced:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")

    write("old")
    return write


def quick(rulewright, *more: str) -> str:
    ran = rulewright("diff", "old.rules", "new.rules", "--quick", "--players", 2, "--no-cache",
                     *more)  # fmt: skip
    assert ran.exit == 0, ran.err
    return str(ran.out)


def test_a_move_that_is_gone_is_shown_as_the_old_rules_had_it(rulewright, stones):
    text = STONES[STONES.index("move stop") : STONES.index("invariant never")]
    stones("new", (text, ""))
    shown = quick(rulewright)
    assert "stop  stricter" in shown and "it is gone" in shown
    assert "plays stop\n    old: allowed\n    new: there is no such move\n" in shown
    moves = {e["move"]: e for e in json.loads(quick(rulewright, "--format", "json"))["results"]
             if "move" in e}  # fmt: skip
    assert moves["stop"]["witness"]["move"]["move"] == "stop"


def test_what_only_one_side_has_is_shown_beside_the_position(rulewright, stones):
    stones(
        "new",
        ("    heap:", '    extra: 0..3 = 0 "new"\n    heap:'),
        ("heap += n\n", "heap += n\n        extra = n\n"),
        ("heap > 0", "heap > 0 and extra < 2"),
    )
    shown = quick(rulewright)
    assert "`extra` is new (0..3) and not compared" in shown
    assert "besides, by the new rules\n      extra: 2\n" in shown
    assert "a game gets there in 1 event:\n    1 plays put(n = 2)\n" in shown


def test_state_with_another_name_is_the_same_state(rulewright, stones):
    stones("new", ("heap", "pile"), ("pile > 0", "pile > 1"))
    shown = quick(rulewright)
    assert "renamed state variable `pile` (was `heap`)" in shown and "not compared" not in shown
    assert "stop  stricter      proved" in shown and "equal, proved: start, put\n" in shown


READING = """
reading enough "How many?"
    one "one" default
    two "two"

variant long "A long game"
    drop put.room

move stop"""


def test_ways_to_play_that_only_one_version_knows_are_named(rulewright, stones):
    stones("new", ("move stop", READING), ("players 2..3", "players 2..4"),
           ("heap > 0", "heap >= (1 if enough == one else 2)"))  # fmt: skip
    shown = quick(rulewright)
    assert "games of 4 players are new and not compared" in shown
    assert "`enough = two` is new and not compared" in shown
    assert "the variant `long` is new and not compared" in shown
    report = json.loads(quick(rulewright, "--format", "json"))
    assert len(report["summary"]["ways_not_compared"]) == 3


@pytest.mark.parametrize("command", [("diff", "old.rules"), ("readings",), ("run",)])
def test_a_spec_that_cannot_be_used_is_reported_in_every_format(rulewright, stones, command):
    stones("new", ("heap > 0", "haep > 0"))
    ran = rulewright(*command, "new.rules", "--format", "json")
    report = json.loads(ran.out)
    assert (ran.exit, report["exit"], report["command"]) == (2, 2, command[0])
    (found,) = report["diagnostics"]
    assert (found["code"], found["file"]) == ("RW101", "new.rules") and found["line"] > 20
    ran = rulewright(*command, "new.rules")
    assert "haep > 0" in ran.out and "cannot be used" in ran.err
