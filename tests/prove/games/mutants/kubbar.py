"""Small changes of the rules of Kubbar."""

from __future__ import annotations

from tests.prove.games.mutants.mutant import Mutant

HAND = "[setup.fifteen] = 15"
ONE_TILE = (HAND, "[setup.fifteen] = 1")
TWO_TILES = (HAND, "[setup.fifteen] = 2")
BOX = "{each t: Tile} + {each t: Tile}"
SMALL_BOX = (BOX, "{each t: Tile}")
"""One of every tile: the bag is empty soon."""
PASSES = (BOX, "{" + ", ".join(["pass_two"] * 20) + "} + {each v in 1..8: tile(red, v)}")
"""With small hands and mostly action tiles, rounds are over soon."""
SHORT = (ONE_TILE, PASSES)
ANY_TABLE = ("    needs sound(table)\n", "    needs sound(board)\n")
"""What is laid is looked at in the next turn only."""
FOUND_ANYHOW = (
    ("components(table) > components(board)\n", "true\n"),
    ("size(tally(table)) >= size(tally(board)) + 3", "true"),
    ("founding_lines == crossing_lines", "true"),
)
"""Whoever lays has founded a group."""
RUN = "board with [s] = tile(c, v) with [t] = tile(c, v + 1) with [u] = tile(c, v + 2)"
OWN = "home[p] = {each s in occupied(table) where not others(p, s)}"
"""Where the rules say whose squares are whose."""

MUTANTS = (
    # ---- the box
    Mutant("{each t: Tile} + {each t: Tile}", "{each t: Tile}", ("box_size",)),
    Mutant("t.value otherwise 20", "t.value otherwise 19", ("box_worth",)),
    Mutant("number(b) == number(a) + 1 and", "number(b) >= number(a) + 1 and", ("runs_go_on",)),
    # ---- tiles and preparation
    Mutant("[setup.rest]: bag -= {t}", "[setup.rest]: bag += {}", ("conserved", "all_there")),
    Mutant("gone += {t}", "gone = {tile(red, 1)}", ("only_actions_go",)),
    Mutant("size(rack[to]) < hand", "size(rack[to]) <= hand", ("at_most_fifteen",)),
    Mutant("[setup.fifteen] = 15", "[setup.fifteen] = 14", ("fifteen_each",)),
    Mutant("[setup.pool, take.refill] = 6", "[setup.pool, take.refill] = 5", ("pool_of_six",)),
    Mutant("[setup.pool, take.refill] = 6", "[setup.pool, take.refill] = 7", ("six_at_most",)),
    # ---- the turn
    Mutant("active = left_of(active)", "active = active", ("to_the_left",)),
    Mutant("[turn.one]: p == active", "[turn.one]: true", ("others_wait", "founder_lays")),
    Mutant("due[victim] = 3", "due[victim] = 2", ("three_for_one",)),
    Mutant("        due[to] -= 1", "        due[to] = 0", ("due_is_drawn",)),
    Mutant(
        "            due[p] = 0\n        phase = done",
        "            due[p] = due[p]\n        phase = done",
        ("nothing_due",),
        (SMALL_BOX,),
    ),
    # ---- passing tiles on
    Mutant("rack[left_of(p)] += handed[p]", "rack[p] += handed[p]", ("handed_left",)),
    Mutant(
        "        handed[p] = tiles\n",
        "        rack[left_of(p)] += tiles\n        handed[p] = {}\n",
        ("two_given", "nobody_looks"),
    ),
    Mutant(
        "            handed[p] = {}\n        phase = done",
        "            handed[p] = handed[p]\n        phase = done",
        ("on_the_way",),
    ),
    Mutant(
        "size(tiles) == min(2, size(rack[p]))",
        "size(tiles) >= 1 and size(tiles) <= 2",
        ("two_got",),
        (('"all that is left": rack[p]', '"one tile" for a in rack[p]: {a}'),),
    ),
    Mutant(
        "last_action != refused or size(rack[p]) > 1",
        "true",
        ("all_hold_some", "pass_leaves_some"),
        SHORT,
    ),
    Mutant(
        "rack[left_of(p)] += handed[p]", "rack[p] += {}", ("one_goes_out",), (TWO_TILES, PASSES)
    ),
    # ---- the table
    Mutant("gone += {t}", "gone = {t}", ("gone_for_good",)),
    Mutant(
        "        due[p] = 1\n",
        "        due[p] = 1\n        board = [each s: Square: none]\n",
        ("nothing_taken_back",),
    ),
    Mutant(" =\n    4 if players == 4 else 3", " =\n    4", ("group_limit",)),
    Mutant(
        "x in of_hand(p, before(a, b))",
        "x in rack[p]",
        ("lines_valid", "beside_each_other"),
        (ANY_TABLE,),
    ),
    Mutant(
        RUN,
        "board with [s] = tile(c, v) with [t] = tile(c, v + 1)",
        ("no_short_line", "pairs_have_third"),
        (ANY_TABLE, *FOUND_ANYHOW),
    ),
    Mutant(RUN, "board with [s] = tile(c, v)", ("no_tile_over",), (ANY_TABLE, *FOUND_ANYHOW)),
    # ---- founding
    Mutant(
        "        opens(p)\n        or components(table) <= size(founded + {p})",
        "        true\n        or components(table) <= size(founded + {p})",
        ("never_locked_out",),
        players=3,
    ),
    Mutant(*FOUND_ANYHOW[0], ("founding_adds_group",), FOUND_ANYHOW[1:]),
    Mutant(
        '"once this player has founded, all have" =\n    all q: Player where q != p: q in founded',
        '"once this player has founded, all have" =\n    true',
        ("left_alone", "groups_apart", "home_has_tiles"),
        players=3,
    ),
    Mutant(OWN, "home[p] = occupied(table)", ("home_is_own",), players=3),
    Mutant(OWN, "home[p] = {}", ("all_owned",)),
    Mutant("founded += {p}\n", "founded += {left_of(p)}\n", ("home_of_founders",)),
    Mutant("if size(founded) == players:", "if size(founded) > players:", ("open_to_all",)),
    # ---- the end of a round, and the next one
    Mutant("    gone = {}\n    cleared", "    cleared", ("fresh_table",), SHORT),
    Mutant(
        "[setup.youngest]: active = youngest",
        "[setup.youngest]: active = left_of(youngest)",
        ("youngest_first",),
        SHORT,
    ),
    Mutant(
        "empty_bag == what_there_is and size(bag) == 0 and size(pool) == 0",
        "false",
        ("always_an_action",),
        (SMALL_BOX,),
    ),
    Mutant(
        "empty_bag == what_there_is and size(bag) == 0 and size(pool) == 0",
        "empty_bag == what_there_is",
        ("skips_at_end",),
    ),
    Mutant(
        "skips < players\n",
        "skips <= players\n",
        ("skips_counted",),
        (SMALL_BOX, ("or skips == players\n    does", "or skips > players\n    does")),
    ),
    Mutant(
        "[end.at_once]: all p: Player: size(rack[p]) > 0\n    when going_on",
        "[end.at_once]: true\n    when going_on",
        ("all_have_tiles",),
        SHORT,
    ),
    Mutant("if played == agreed:", "if played >= 1:", ("rounds_counted",), SHORT),
    Mutant(
        "total[p] += points(p)",
        "total[p] += 921",
        (
            "most_points",
            "all_counted",
            "winner_counts_nothing",
            "first_out_wins",
            "single_round",
        ),
        SHORT,
    ),
    Mutant("total[p] < total[q] or (", "total[p] > total[q] or (", ("fewest_win",), SHORT),
    Mutant("            skips += 1", "            skips = 0", ("finite",), (SMALL_BOX,)),
    # ---- what can come about
    Mutant(
        "        phase = turn\n",
        "        phase = done\n",
        ("under_way",),
        (("    does phase = turn\n", "    does phase = lay_out\n"),),
    ),
    Mutant("components(table) <= limit()", "components(table) < limit()", ("all_groups",)),
    Mutant(
        "components(table) <= limit()",
        "components(table) <= limit()\n"
        "        and (size(founded + {p}) < players or components(table) >= players)",
        ("merged",),
    ),
    Mutant("skips < players\n", "skips < players and size(pool) == pool_size\n", ("pool_shrinks",)),
    Mutant("out = p\n", "out = none\n", ("gone_out",)),
)
