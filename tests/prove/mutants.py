"""Small changes of the rules of Qwixx, each with a property that must not survive it."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A piece of the spec, what it is changed to, and the property that breaks by it."""

    property: str
    old: str
    new: str


MUTANTS = (
    Mutant("lock_needs_five", "[close.five] = 5", "[close.five] = 4"),
    Mutant("lock_counts", "[close.five] = 5", "[close.five] = 4"),
    Mutant("to_the_right", "all s in crossed[p][row]: s < at", "true"),
    Mutant(
        "lock_with_last",
        "[close.lock]: locked[p] += {row}",
        "[close.lock]: locked[p] += {}",
    ),
    Mutant("closed_is_locked", "[close.all]: closed += locked_rows()", "[close.all]: closed += {}"),
    Mutant("sum_only", "number[row][at] == white_sum()", "number[row][at] >= white_sum()"),
    Mutant("die_of_closed", "[close.die]: coloured[row] = none", "[close.die]: coloured[row] = 1"),
    Mutant("misthrow_due", "if not active_crossed:", "if active_crossed:"),
    Mutant("next_player", "active = left_of(active)", "active = left_of(left_of(active))"),
    Mutant("nothing_erased", "crossed[p][row] += {at}", "crossed[p][row] = {at}"),
    Mutant("cross_pays", "crossed[p][row] += {at}", "crossed[p][row] = {at}"),
    Mutant("active_only", "[play.second_only]: p == active", "[play.second_only]: true"),
    Mutant("open_until_answered", "locked[p] += {row}", "locked[left_of(p)] += {row}"),
    Mutant("locks_of_this_sum", "number[row][at] == white_sum()", "number[row][at] >= white_sum()"),
    Mutant("turn_order", "[play.order]: phase = second_action", "[play.order]: phase = throw"),
    Mutant("cross_noted", "active_crossed = true", "active_crossed = false"),
    Mutant("misthrow_active", "misthrows[active] += 1", "misthrows[left_of(active)] += 1"),
    Mutant("fourth_ends", "[end.misthrows] = 4", "[end.misthrows] = 5"),
    Mutant("highest_score", "[score.misthrow] = 5", "[score.misthrow] = -90"),
    Mutant("lowest_score", "[score.misthrow] = 5", "[score.misthrow] = 6"),
    Mutant("winner_is_highest", "score(p) > score(q) or", "score(p) < score(q) or"),
    Mutant("highest_wins", "score(p) > score(q) or", "score(p) < score(q) or"),
    Mutant("over_by_rule", "[end.misthrows] = 4", "[end.misthrows] = 3"),
    Mutant("second_ends", "[end.rows] = 2", "[end.rows] = 3"),
    Mutant("misthrow_costs", "[score.misthrow] = 5", "[score.misthrow] = 4"),
)
