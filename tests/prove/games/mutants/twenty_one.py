"""Small changes of the rules of twenty one."""

from __future__ import annotations

from tests.prove.games.mutants.mutant import Mutant

FREE = "all at: Place where field_colour(p, at) in dice: entry[p][current[p]][at] == none"
FILL = "entry[p][current[p]][at] = die_for(p, at)"
ANSWER = "answers[p][current[p]] += 1"

MUTANTS = (
    Mutant("    1 6 5 4 3 2 1\n", "    1 6 5 4 3 2 2\n", ("row_of_numbers",)),
    Mutant("A  1  green   blue", "A  1  blue    blue", ("row_of_colours",)),
    Mutant("A  1  green   blue", "A  1  blue    green", ("places_shared",)),
    Mutant(
        "B  1  red     black   yellow  white   blue    green",
        "B  1  green   blue    white   red     black   yellow",
        ("orders_differ",),
    ),
    Mutant("red     blue    white   black\n", "red     white   blue    black\n", ("sara_sheet",)),
    Mutant("C  1  blue    white", "C  1  white   blue", ("emma_sheet",)),
    Mutant("    0 1 3 6 10 15 21\n", "    0 1 3 6 10 15 20\n", ("best_row",)),
    Mutant("    0 1 3 6 10 15 21\n", "    0 1 3 6 10 14 21\n", ("bonus_triangular",)),
    Mutant(
        "box.players]:\n        all p, q: Player where p != q: sheet[p] != sheet[q]",
        "box.players]:\n        true",
        ("own_sheets",),
    ),
    Mutant("[throw.all]: shown[c] = dice[c]", "[throw.all]: shown[c] = none", ("all_thrown",)),
    Mutant("does phase = rethrowing", "does phase = throwing", ("turn_order",)),
    Mutant("all c: Colour where shown[c] == 1: dice[c] == 1", "true", ("ones_lie",)),
    Mutant(ANSWER, "answers[p][current[p]] += 1\n    shown[white] = 6", ("dice_rest",)),
    Mutant("active = left_of(active)", "active = left_of(left_of(active))", ("to_the_left",)),
    Mutant(ANSWER, "answers[p][current[p]] += 1 if p == 1 else 2", ("everybody_answers",)),
    Mutant(
        "current[p] += 1\n",
        "current[p] += 0\n",
        (
            "room_to_answer",
            "rows_apart",
        ),
    ),
    Mutant("pips <= number[current[p]][at]", "pips <= 6", ("written_fits",)),
    Mutant("if die_for(p, at) == number[current[p]][at]:", "if at == 6:", ("hits_exact",)),
    Mutant(FILL, "entry[p][current[p]][at] = 1", ("shown_only",)),
    Mutant(FREE, "true", ("nothing_erased",)),
    Mutant("entry[p][current[p]][at] = 0", "entry[p][5][at] = 0", ("one_row",)),
    Mutant(
        "all left: Place where left < at: entry[p][current[p]][left] != none",
        "true",
        ("leftmost_first",),
    ),
    Mutant(FILL, "entry[p][current[p]][at] = 0", ("crossed_alone",)),
    Mutant(
        "current[p] += 1\n",
        "current[p] = 5\n",
        (
            "rows_in_order",
            "next_row_next_turn",
        ),
    ),
    Mutant(
        "if full(p, current[p]):\n        at_once",
        "if filled(p, current[p]) >= 5:\n        at_once",
        ("counted_when_full",),
    ),
    Mutant("+ bonus[size(hits[p][r])]", "+ 0", ("points_right",)),
    Mutant("+ bonus[size(hits[p][r])]", "+ 43", ("row_limit",)),
    Mutant("points[p][r] otherwise 0", "points[p][r] otherwise 43", ("sheet_limit",)),
    Mutant(ANSWER, "answers[p][current[p]] += 2", ("answers_fill",)),
    Mutant(ANSWER, "answers[p][current[p]] += 7", ("row_in_six",)),
    Mutant(ANSWER, "answers[p][current[p]] += 6", ("thirty_answers",)),
    Mutant(
        "rows.over]: some p: Player: full(p, last_row)",
        "rows.over]: some p: Player: full(p, 1)",
        ("over_by_five",),
    ),
    Mutant(
        "score(p) > score(q) or",
        "score(p) < score(q) or",
        (
            "winner_has_most",
            "most_wins",
        ),
    ),
    Mutant("players 2..6", "players 2..7", ("sheets_enough",), players=7),
    Mutant(
        "        phase = over\n",
        "        phase = throwing\n",
        (
            "two_finish",
            "mid_row_end",
        ),
    ),
    Mutant(
        "last_turn == at_once or all p: Player: p in answered",
        "all p: Player: p in answered",
        ("first_to_finish",),
        also=(
            ('several can finish in it" default', 'several can finish in it"'),
            ('who has not answered counts as it stands"', 'who has not answered waits" default'),
            ("current[p] += 1\n", "current[p] = 5\n"),
        ),
    ),
    Mutant("        phase = deciding\n", "        phase = answering\n", ("six_ones_thrown",)),
    Mutant(ANSWER, "answers[p][current[p]] += 0", ("six_at_once",)),
    Mutant(
        "            entry[p][current[p]][at] = 0\n",
        "            hits[p][current[p]] = {}\n",
        ("thirty_turns",),
    ),
)
