"""Small changes of the rules of Qwixx."""

from __future__ import annotations

from tests.prove.games.mutants.mutant import Mutant

QUICK_LOCKS = ("[close.five] = 5", "[close.five] = 0")
"""Rows can be closed by their first cross."""

MUTANTS = (
    # ---- the sheet
    Mutant("45 55 66 78", "45 55 66 77", ("triangular",)),
    Mutant("45 55 66 78", "45 55 66 76", ("each_pays_more",)),
    Mutant("red     2  3  4", "red     3  3  4", ("numbers_once", "colours_once")),
    Mutant("[close.five] = 11", "[close.five] = 10", ("last_numbers",)),
    Mutant(
        "red    r r r r r r r r r r r\n",
        "red    r r r r r r r r r r y\n",
        ("last_colours",),
    ),
    # ---- crosses
    Mutant("all s in crossed[p][row]: s < at", "true", ("to_the_right",)),
    Mutant("crossed[p][row] += {at}", "crossed[p][row] = {at}", ("nothing_erased", "cross_pays")),
    Mutant(
        "number[row][at] == white_sum()",
        "number[row][at] >= white_sum()",
        ("sum_only", "locks_of_this_sum"),
    ),
    Mutant("[play.second_only]: p == active", "[play.second_only]: true", ("active_only",)),
    Mutant(
        "all s in crossed[p][row]: s < at",
        "some s in crossed[p][row]: s < at",
        ("begun_later", "several_skipped", "fifth_then_lock", "locked_together", "third_row"),
    ),
    # ---- closing
    Mutant("[close.five] = 5", "[close.five] = 4", ("lock_needs_five", "lock_counts")),
    Mutant(
        "[close.lock]: locked[p] += {row}", "[close.lock]: locked[p] += {}", ("lock_with_last",)
    ),
    Mutant(
        "[close.lock]: locked[p] += {row}",
        "[close.lock]: locked[left_of(p)] += {row}",
        ("open_until_answered",),
    ),
    Mutant(
        "[close.all]: closed += locked_rows()", "[close.all]: closed += {}", ("closed_is_locked",)
    ),
    Mutant(
        "[close.die]: coloured[row] = none", "[close.die]: coloured[row] = 1", ("die_of_closed",)
    ),
    Mutant(
        "[close.all, close.no_more]: row not in closed",
        "[close.all, close.no_more]: true",
        ("closed_is_done",),
        (QUICK_LOCKS,),
    ),
    # ---- the turn and the misthrows
    Mutant("[play.order]: phase = second_action", "[play.order]: phase = throw", ("turn_order",)),
    Mutant(
        "all p: Player: p in answered\n", "some p: Player: p in answered\n", ("everybody_asked",)
    ),
    Mutant("active = left_of(active)", "active = left_of(left_of(active))", ("next_player",)),
    Mutant("active_crossed = true", "active_crossed = false", ("cross_noted",)),
    Mutant("if not active_crossed:", "if active_crossed:", ("misthrow_due", "finite")),
    Mutant("misthrows[active] += 1", "misthrows[left_of(active)] += 1", ("misthrow_active",)),
    Mutant("[score.misthrow] = 5", "[score.misthrow] = 4", ("misthrow_costs",)),
    # ---- the end
    Mutant("[end.misthrows] = 4", "[end.misthrows] = 5", ("fourth_ends",)),
    Mutant("[end.misthrows] = 4", "[end.misthrows] = 3", ("over_by_rule",)),
    Mutant(
        "[end.rows] = 2",
        "[end.rows] = 4",
        ("second_ends", "third_by_sum", "three_rows", "two_locks"),
        (QUICK_LOCKS,),
    ),
    Mutant("[score.misthrow] = 5", "[score.misthrow] = -90", ("highest_score",)),
    Mutant("[score.misthrow] = 5", "[score.misthrow] = 6", ("lowest_score",)),
    Mutant(
        "score(p) > score(q) or", "score(p) < score(q) or", ("winner_is_highest", "highest_wins")
    ),
)
