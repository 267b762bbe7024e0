"""Small changes of the rules of twenty one, each with a property that must not survive it."""

from __future__ import annotations

from tests.prove.mutants import Mutant

FREE = "all at: Place where field_colour(p, at) in dice: entry[p][current[p]][at] == none"
FILL = "entry[p][current[p]][at] = die_for(p, at)"
ANSWER = "answers[p][current[p]] += 1"

THEOREMS = (
    Mutant("row_of_numbers", "    1 6 5 4 3 2 1\n", "    1 6 5 4 3 2 2\n"),
    Mutant("row_of_colours", "A  1  green   blue", "A  1  blue    blue"),
    Mutant("places_shared", "A  1  green   blue", "A  1  blue    green"),
    Mutant(
        "orders_differ",
        "B  1  red     black   yellow  white   blue    green",
        "B  1  green   blue    white   red     black   yellow",
    ),
    Mutant("sara_sheet", "red     blue    white   black\n", "red     white   blue    black\n"),
    Mutant("emma_sheet", "C  1  blue    white", "C  1  white   blue"),
    Mutant("best_row", "    0 1 3 6 10 15 21\n", "    0 1 3 6 10 15 20\n"),
    Mutant("bonus_triangular", "    0 1 3 6 10 15 21\n", "    0 1 3 6 10 14 21\n"),
)

MUTANTS = (
    Mutant(
        "own_sheets",
        "box.players]:\n        all p, q: Player where p != q: sheet[p] != sheet[q]",
        "box.players]:\n        true",
    ),
    Mutant("all_thrown", "[throw.all]: shown[c] = dice[c]", "[throw.all]: shown[c] = none"),
    Mutant("turn_order", "does phase = rethrowing", "does phase = throwing"),
    Mutant("ones_lie", "all c: Colour where shown[c] == 1: dice[c] == 1", "true"),
    Mutant("dice_rest", ANSWER, ANSWER + "\n    shown[white] = 6"),
    Mutant("to_the_left", "active = left_of(active)", "active = left_of(left_of(active))"),
    Mutant("everybody_answers", ANSWER, "answers[p][current[p]] += 1 if p == 1 else 2"),
    Mutant("room_to_answer", "current[p] += 1\n", "current[p] += 0\n"),
    Mutant("written_fits", "pips <= number[current[p]][at]", "pips <= 6"),
    Mutant("hits_exact", "if die_for(p, at) == number[current[p]][at]:", "if at == 6:"),
    Mutant("shown_only", FILL, "entry[p][current[p]][at] = 1"),
    Mutant("nothing_erased", FREE, "true"),
    Mutant("one_row", "entry[p][current[p]][at] = 0", "entry[p][5][at] = 0"),
    Mutant(
        "leftmost_first",
        "all left: Place where left < at: entry[p][current[p]][left] != none",
        "true",
    ),
    Mutant("crossed_alone", FILL, "entry[p][current[p]][at] = 0"),
    Mutant("rows_in_order", "current[p] += 1\n", "current[p] = 5\n"),
    Mutant(
        "counted_when_full",
        "if full(p, current[p]):\n        at_once",
        "if filled(p, current[p]) >= 5:\n        at_once",
    ),
    Mutant("points_right", "+ bonus[size(hits[p][r])]", "+ 0"),
    Mutant("next_row_next_turn", "current[p] += 1\n", "current[p] = 5\n"),
    Mutant("row_limit", "+ bonus[size(hits[p][r])]", "+ 43"),
    Mutant("sheet_limit", "points[p][r] otherwise 0", "points[p][r] otherwise 43"),
    Mutant("answers_fill", ANSWER, "answers[p][current[p]] += 2"),
    Mutant("row_in_six", ANSWER, "answers[p][current[p]] += 7"),
    Mutant("thirty_answers", ANSWER, "answers[p][current[p]] += 6"),
    Mutant("over_by_five", "rows.over]: some p: Player: full(p, last_row)",
           "rows.over]: some p: Player: full(p, 1)"),
    Mutant("winner_has_most", "score(p) > score(q) or", "score(p) < score(q) or"),
    Mutant("most_wins", "score(p) > score(q) or", "score(p) < score(q) or"),
)  # fmt: skip
