"""The story of a change tells what happened to the text, and takes a new name for what it is."""

from __future__ import annotations

from rulewright.change.text.text_diff import text_diffs
from tests.change.changes import FOUR, QWIXX, changed, tree


def told(*replaced: tuple[str, str]) -> list[str]:
    return [each.headline() for each in text_diffs(tree(QWIXX), tree(changed(*replaced)))]


def test_a_changed_constant_is_shown_with_both_lines():
    (chapter,) = text_diffs(tree(QWIXX), tree(changed(*FOUR)))
    assert chapter.headline() == "changed constant `need`"
    assert [line.strip()[-1] for line in chapter.lines()[1:]] == ["5", "4"]


def test_a_new_name_is_one_change_wherever_it_is_used():
    assert told(("white_sum", "sum_of_white")) == [
        "renamed function `sum_of_white` (was `white_sum`)"
    ]


def test_a_rule_with_another_name_takes_its_requirements_along():
    found = told(("rule own_turn", "rule his_turn"), ("needs own_turn", "needs his_turn"),
                 ("because own_turn.", "because his_turn."))  # fmt: skip
    assert found == ["renamed rule `his_turn` (was `own_turn`)"]


def test_other_words_for_the_same_are_only_reworded():
    found = told(("the row is not closed", "the row is still open"))
    assert found == ["reworded requirement `may_cross.row_open`"]


def test_layout_and_comments_are_no_change():
    assert told(("# ---- the rulebook", "# ---- the book\n\n")) == []


def test_what_is_new_and_what_is_gone_is_named():
    old = "possible third_row "
    found = told((old, "possible three_closed "), ("size(closed) == 3\n", "size(closed) > 2\n"),
                 ("drop third_row", "drop three_closed"))  # fmt: skip
    assert "added possible `three_closed`" in found
    assert "removed possible `third_row`" in found
