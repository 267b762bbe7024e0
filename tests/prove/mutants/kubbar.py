"""Small changes of the rules of Kubbar; so far for some of its properties only, which is why the
game is not in `GAMES`. Playing the compiled game at random breaks each of them soon."""

from __future__ import annotations

from tests.prove.mutants.mutant import Mutant

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
    ),
    # ---- passing tiles on
    Mutant("rack[left_of(p)] += handed[p]", "rack[p] += handed[p]", ("handed_left",)),
    Mutant(
        "        handed[p] = tiles\n",
        "        rack[left_of(p)] += tiles\n        handed[p] = {}\n",
        ("two_given", "nobody_looks"),
    ),
)
