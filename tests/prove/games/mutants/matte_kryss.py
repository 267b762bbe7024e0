"""Small changes of the rules of Matte-Kryss."""

from __future__ import annotations

from tests.prove.games.mutants.mutant import Mutant

FILL = "if size(rack[active]) < rack_size and size(pile) > 0:"
NOTE = "points[p] += gained + bonus"
ONE_TILE = ("[prepare.seven, turn.refill] = 7", "[prepare.seven, turn.refill] = 1")
"""Racks of one tile."""
LOW = "    1 7 7 7 7 7 7 7 7 7\n    7 1 1 1 1 1 1 1 1 1\n"
HIGH = """    1 1 0 0 1 1 0 1 1 0
    1 0 1 0 0 1 1 0 0 0
    1 0 1 0 0 1 0 0 1 1
    1 0 0 0 1 0 1 0 0 0
    1 0 0 1 1 0 0 0 0 0
    1 0 1 0 0 0 0 0 0 0
    1 1 0 0 0 0 0 0 0 0
    1
"""
NO_ROW = "    0 0 0 0 0 0 0 0 0 0\n"
FEW_TILES = (LOW + HIGH, "    0 2 2 2 2 2 2 2 2 0\n" + 8 * NO_ROW + "    0\n")
"""Sixteen low tiles: after dealing to two players, two are left."""
IMPATIENT = ("fun idle_limit(): 6..12", "fun idle_limit(): 2..12")
ONE_ROUND = ('"rounds without a tile that end the game" = 3', '"rounds without a tile" = 1')
"""The game ends after one round without a tile."""

MUTANTS = (
    # ---- the board and the tiles
    Mutant("    1 7 7 7 7 7 7 7 7 7\n", "    0 7 7 7 7 7 7 7 7 7\n", ("tiles_106",)),
    Mutant("    7 1 1 1 1 1 1 1 1 1\n", "    7 2 0 1 1 1 1 1 1 1\n", ("tiles_by_seven",)),
    Mutant("1 if n >= 1 and n <= 4", "1 if n >= 1 and n <= 3", ("printed_four",)),
    Mutant(" 2 . D . . / . . . . /", " 2 . D . . - . . . . /", ("quarter_turn",)),
    Mutant("x only(multiply)", "x only(add)", ("no_mirror",)),
    Mutant("2 * n if on == double", "3 * n if on == double", ("face_value",)),
    Mutant(
        "[prepare.back]: pile += {tile}", "[prepare.back]: pile += {}", ("conserved", "all_106")
    ),
    Mutant(FILL, FILL.replace("<", "<="), ("rack_of_seven",)),
    Mutant(FILL, FILL.replace("rack_size", "rack_size - 1"), ("racks_filled", "turn_from_full")),
    # ---- laying
    Mutant("[lay.stays]: board[at] == none", "[lay.stays]: true", ("printed_stay", "tile_stays")),
    Mutant(
        "        wrong_result == challenged\n        or all towards",
        "        true\n        or all towards",
        ("laid_as_result", "stays_result", "sign_kept", "never_wrong"),
    ),
    Mutant(
        "board[step(at, towards, steps)]",
        "board[step(at, towards, steps + 1)]",
        ("connected", "connected_before"),
    ),
    Mutant("    laid += {tile}", "    laid += {}", ("board_kept", "tiles_kept")),
    Mutant("    board_before = board\n", "    board_before[G7] = none\n", ("printed_before",)),
    Mutant('in turn, laying "lay', 'in turn, laying, extra "lay', ("extra_first",)),
    Mutant(
        "feature[at].sign != none and size(pile) > 0",
        "feature[at].sign != none",
        ("extra_there",),
        (FEW_TILES,),
    ),
    # ---- how a game begins, and whose turn it is
    Mutant("        active = p\n", "        lot[p] = none\n", ("everybody_drew",)),
    Mutant("[prepare.highest]: drew_highest(p)", "[prepare.highest]: true", ("highest_begins",)),
    Mutant(
        "        if all q: Player: size(rack[q]) >= rack_size:",
        "        if all q: Player: size(rack[q]) > rack_size:",
        ("setting_up",),
    ),
    Mutant(
        "begin_turn(left_of(active))",
        "begin_turn(left_of(left_of(active)))",
        ("to_the_left",),
        players=3,
    ),
    Mutant("began = size(rack[p])", "began = 0", ("turn_began",)),
    # ---- exchanging and objecting
    Mutant("phase = exchanging", "phase = laying", ("exchange_lays_nothing",)),
    Mutant("given += 1", "given += 2", ("exchange_even",)),
    Mutant("if given == 0:", "if given <= 1:", ("nothing_owed",)),
    Mutant(
        "if wrong_result == challenged:\n            phase",
        "if true:\n            phase",
        ("taken_back",),
        (("        idle = 0\n        fill_up()\n", "        board[A1] = 5\n        idle = 0\n"),),
    ),
    # ---- points
    Mutant(NOTE, "points[p] += bonus", ("noted",)),
    Mutant(NOTE, "points[p] += gained + bonus + 2400", ("points_limit",)),
    Mutant("2 * n if on == double else n", "2 * n if on == double else 0", ("each_counts",)),
    Mutant(
        "gained += sum towards in claims: brings(tile, at, towards)",
        "gained += tile_points + 1",
        ("tile_limit",),
    ),
    Mutant("    began >= rack_size\n    and (", "    true\n    or (", ("fifty_from_seven",)),
    Mutant("bonus = all_laid", "bonus = 0", ("fifty_given",), (ONE_TILE,)),
    # ---- the end
    Mutant("            idle = 0\n", "            idle = 1\n", ("idle_known",)),
    Mutant(
        "idle == idle_limit()\n", "idle > idle_limit()\n", ("idle_below",), (IMPATIENT, ONE_ROUND)
    ),
    Mutant(
        "= points[p] - value_of(rack[p])\n    ",
        "= points[p]\n    ",
        ("totals_at_end",),
        (IMPATIENT, ONE_ROUND),
    ),
    Mutant(
        "        somebody_out() or nobody_can_lay() or stalled()\n    does",
        "        true\n    does",
        ("over_by_rule",),
    ),
    Mutant(
        "(no_way_on == must_pass and not can_give(p) and not can_lay(p))",
        "false",
        ("can_act",),
        (FEW_TILES,),
    ),
    Mutant(FILL, FILL.replace("> 0", "> 100"), ("all_have_tiles",), (ONE_TILE,)),
    Mutant(
        "score(p) > score(q) or (", "score(p) < score(q) or (", ("winner_has_most", "most_wins")
    ),
    Mutant("idle = min(idle + 1, idle_limit())", "idle = min(idle, idle_limit())", ("finite",)),
    # ---- what can come about
    Mutant(
        "    1 1 0 0 0 0 0 0 0 0\n    1\n",
        "    1 1 0 0 0 0 0 0 0 0\n    0\n",
        ("any_tile",),
        (("    == 110\n", "    == 109\n"),),
    ),
    Mutant(
        "size(pile) == 0 and some p: Player: size(rack[p]) == 0",
        "size(pile) == 0",
        ("short_start",),
    ),
    Mutant("some p: Player: size(rack[p]) == 0", "some p: Player: false", ("out_of_tiles",)),
    Mutant(
        "size(pile) == 0 and not some p: Player: can_lay(p)",
        "size(pile) == 0 and some p: Player: size(rack[p]) == 0",
        ("nothing_fits",),
    ),
)
