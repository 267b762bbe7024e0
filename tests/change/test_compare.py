"""The verdict on a change is right, proved, and shown by a position and a game."""

from __future__ import annotations

import pytest

from rulewright.change.games.example_seeds import from_example_seeds
from rulewright.change.games.lockstep import replays
from rulewright.change.games.reachability import SearchBudget
from rulewright.change.semantic.verdict import ComparisonResult, ComparisonVerdict
from rulewright.change.semantic.witness import says
from rulewright.compare.solve import ask
from rulewright.frontend import check_text
from rulewright.meaning.counterparts import same, subjects
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.vc.difference import differences
from rulewright.vc.product import Product
from tests.change.changes import DOUBLE, FOUR, SPEC, TWO, WINDOW, changed, compared


def verdict(found: ComparisonResult, name: str) -> ComparisonVerdict:
    return next(each for each in found.verdicts if each.subject.name == name)


def words(found: ComparisonResult) -> dict[str, str]:
    """Everything that is not equal."""
    return {each.subject.name: each.verdict for each in found.verdicts if each.verdict != "equal"}


def test_four_crosses_instead_of_five_are_looser():
    found = compared(changed(*FOUR))
    assert words(found) == {"cross_sum": "looser", "cross_colour": "looser"}
    (difference,) = verdict(found, "cross_sum").differences
    assert verdict(found, "cross_sum").proof == "proved"
    assert [each.label for each in difference.witness.said[0].refused_by] == [
        "may_cross.five_first"
    ]
    assert says(difference.witness, 1) == ["allowed"]
    event = difference.witness.event
    assert event is not None and event.arguments["at"] == 11
    crossed = difference.witness.positions[0]["crossed"][event.by][event.arguments["row"]]
    assert len(crossed) == 4
    assert difference.game is not None and replays(difference.game, 0)
    assert difference.game.witness is difference.witness and len(difference.game.events) == 13
    on_the_sheets = [
        row for query in difference.witness.positions[0]["crossed"].values()
        for row in query.values() if row
    ]  # fmt: skip
    assert len(on_the_sheets) <= 2, "few things are on the sheets"


def test_a_lock_that_counts_double_changes_only_the_result():
    found = compared(changed(*DOUBLE), budget=SearchBudget(2.0, search=8.0))
    assert words(found).keys() <= {"score", "wins"}
    assert words(found)["score"] == "changed"
    (difference,) = verdict(found, "score").differences
    witness = difference.witness
    assert difference.game is not None and verdict(found, "score").proof == "proved"
    other = 3 - (witness.player or 0)
    assert not any(witness.positions[1]["crossed"][other].values()), "one sheet is enough to see it"
    assert witness.player is not None and witness.said[1].value > witness.said[0].value
    assert witness.positions[1]["locked"][witness.player]


def test_closing_within_the_window_changes_what_a_cross_does():
    found = compared(changed(*WINDOW))
    assert words(found) == {"cross_sum": "changed"}
    (difference,) = verdict(found, "cross_sum").differences
    old, new = (said.after for said in difference.witness.said)
    assert old is not None and new is not None and old["closed"] < new["closed"]
    assert difference.game is not None and difference.game.witness is difference.witness


def test_lines_of_two_tiles_are_looser_and_the_rulebook_shows_where():
    kubbar = check_text("kubbar.rules", (SPEC / "kubbar.rules").read_text(encoding="utf-8"))
    new = changed(TWO, of=kubbar)
    assert kubbar.spec is not None and new.spec is not None
    product = Product.of(
        kubbar.spec, new.spec, (Configuration(2, (), None),) * 2, (frozenset(), frozenset())
    )
    (lay,) = (
        each for each in subjects(kubbar.spec, new.spec, {})
        if not same(kubbar.spec, new.spec, each)
    )  # fmt: skip
    assert lay.name == "lay"
    asked = [each for each in differences(product, lay) if each.way != "looser"]
    assert [ask(product, each, 30.0, Cache(None), small=False).result for each in asked] == [
        "unsat"
    ] * 3

    def beside(instance: Instance) -> Instance:
        assert new.spec is not None
        return Instance(new.spec, instance.players, instance.readings)

    example, witness = next(from_example_seeds(kubbar.spec, lay, beside, new=False))
    assert (example.name, witness.way) == ("too_short", "looser")
    assert [each.label for each in witness.said[0].refused_by] == ["sound.three_or_more"]


EQUIVALENT = {
    "swapped requirements": (
        ("    needs own_turn(p)\n    needs may_cross(p, row, at)\n    needs is_die",
         "    needs may_cross(p, row, at)\n    needs own_turn(p)\n    needs is_die"),
    ),
    "a renamed function": (("white_sum", "sum_of_white"),),
    "a rule split in two": (
        ("    left_to_right \"the number lies", "    further(p, row, at)\n\n"
         "rule further(p: Player, row: Colour, at: Space) \"further on\"\n"
         "    left_to_right \"the number lies"),
        ("because may_cross.left_to_right", "because further.left_to_right"),
        ("because may_cross.five_first", "because further.five_first"),
    ),
    "a condition written differently": (
        ("all s in crossed[p][row]: s < at", "not some s in crossed[p][row]: s >= at"),
    ),
    "a sum the other way round": (("= white[1] + white[2]", "= white[2] + white[1]"),),
    "what never decides": (
        (": row not in closed\n", ": row not in closed and size(closed) < 4\n"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", EQUIVALENT)
def test_what_means_the_same_is_proved_equal(how):
    found = compared(changed(*EQUIVALENT[how]))
    assert words(found) == {}
    assert {each.proof for each in found.verdicts} == {"proved"}


NEVER_THREE = (("needs own_turn(p)\n    does\n", "needs own_turn(p)\n"
                "    needs not_four \"nobody has a misthrow too many\": misthrows[p] < 4\n"
                "    does\n"),)  # fmt: skip


def test_a_change_that_no_game_notices_is_equal_by_the_invariants_that_say_so():
    found = compared(changed(*NEVER_THREE))
    assert words(found) == {}
    passing = verdict(found, "pass_colour")
    assert passing.proof == "proved"
    assert any("fourth_ends" in note for note in passing.notes), passing.notes


def test_a_change_in_positions_not_found_in_any_game_is_not_called_proved():
    new = changed(
        ("needs own_turn(p)\n    does\n", "needs own_turn(p)\n"
         "    needs few \"not too many crosses\":\n"
         "        size(crossed[p][red]) < 10 or white[1] != 6 or misthrows[p] != 3\n    does\n"),
    )  # fmt: skip
    found = compared(new, budget=SearchBudget(search=0.5, games=5))
    passing = verdict(found, "pass_colour")
    assert (passing.verdict, passing.proof) == ("stricter", "bounded")
    assert passing.differences[0].game is None


def test_a_wider_range_is_compared_where_both_know_the_value():
    new = changed(("misthrows: 0..4 = 0", "misthrows: 0..5 = 0"))
    found = compared(new)
    assert [(each.variable, each.partly) for each in found.mismatches] == [("misthrows", True)]
    assert words(found) == {}


PASSING = 'move pass_sum by p in first_action "cross nothing in the first action"'


def test_a_move_with_another_name_is_the_same_move():
    renamed = (PASSING, PASSING.replace("pass_sum", "leave_it"))
    found = compared(
        changed(
            renamed,
            (" plays pass_sum", " plays leave_it"),
            (" cannot pass_sum because pass_sum.", " cannot leave_it because leave_it."),
        )
    )
    assert words(found) == {}
    assert verdict(found, "leave_it").subject.old is not None


def test_a_move_that_is_new_is_looser():
    again = '\n\nmove rest by p in second_action "rest"\n    needs own_turn(p)\n'
    found = compared(changed(("\n\nfun crosses(", again + "\nfun crosses(")))
    assert words(found) == {"rest": "looser"}
    assert verdict(found, "rest").notes == ("it is new",)
    assert verdict(found, "rest").proof == "proved"
