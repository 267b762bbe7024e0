"""Kubbar: the examples of the rulebook, and what is easily got wrong."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright_engines.engine import IllegalError
from rulewright_engines.kubbar import Kubbar
from rulewright_engines.kubbar_table import BOX, is_line, read_square, square_name
from tests.engines.acting import cannot, chance, change, plays, refuses, value

ANNA, BIRNA, CARL = 1, 2, 3
COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}


def tiles(text: str) -> list[str]:
    """`r4 b12` is a red 4 and a blue 12; P and D are the action tiles."""
    return [
        {"P": "pass_two", "D": "draw_three"}.get(each) or f"{COLOURS[each[0]]} {each[1:]}"
        for each in text.split()
    ]


def table(picture: str, corner: str = "DA100") -> list[list[str]]:
    """The tiles of a picture, a dot for an empty square, row by row from a corner on."""
    start = read_square(corner)
    step = read_square("A2")
    found = []
    for down, line in enumerate(picture.strip().splitlines()):
        for across, each in enumerate(line.split()):
            if each != ".":
                found.append([square_name(start + down * step + across), *tiles(each)])
    return found


def ready(
    *racks: str, board: str = "", founded: list[int] | None = None, **readings: str
) -> Kubbar:
    """Anna's turn; everybody has founded a group unless said otherwise."""
    game = Kubbar(len(racks), readings)
    hands = {seat: tiles(rack) for seat, rack in enumerate(racks, start=1)}
    change(game, phase="turn", rack=hands, board=table(board) if board else [])
    change(game, founded=[*game.seats] if founded is None else founded, pool=tiles("r1 " * 6))
    return game


def lay(game: Kubbar, picture: str, by: int = ANNA) -> None:
    plays(game, by, "lay", table=table(picture))


def cannot_lay(game: Kubbar, why: str, picture: str, by: int = ANNA) -> None:
    cannot(game, by, "lay", why, table=table(picture))


# ---- sets, runs and groups


@pytest.mark.parametrize("line", ["r7 y7 g7 b7", "r7 y7 b7", "r3 r4 r5 r6 r7", "g9 g8 g7"])
def test_sets_and_runs(line: str):
    assert is_line(tiles(line))


@pytest.mark.parametrize(
    "line", ["r7 y7", "r7 y7 r7", "r7 y7 g8", "r3 r5 r7", "r3 r4 y5", "r3 r4 r3", "r13 r14 r1"]
)
def test_neither_sets_nor_runs(line: str):
    assert not is_line(tiles(line))


def test_two_tiles_beside_a_group_make_lines_that_are_too_short():
    board = """
        b4 b5 b6
        y4 .  .
        g4 .  . """
    game = ready("y5 r5 r1", "r1", board=board)
    cannot_lay(
        game,
        "neither a set nor a run",
        """
        b4 b5 b6
        y4 y5 .
        g4 r5 . """,
    )


def test_two_tiles_below_a_run_make_a_set():
    game = ready("y5 r5 r1", "r1", board="b3 b4 b5")
    lay(
        game,
        """
        b3 b4 b5
        .  .  r5
        .  .  y5 """,
    )
    assert value(game, "rack", ANNA) == tiles("r1")


def test_the_table_can_be_rearranged_and_groups_merged():
    board = """
        r3 g3 y3 . . r5 r6 r7
        .  .  y4 . . .  b6 .
        .  .  y5 . . .  y6 . """
    game = ready("r4 b3 r2 b14", "r1", board=board)
    cannot_lay(
        game,
        "is left over",
        """
        r2 r3 r4 r5 r6 r7 .  .  .  .
        .  g3 .  .  b6 .  .  .  .  .
        .  b3 .  .  y6 y5 y4 .  .  y3 """,
    )
    cannot_lay(
        game,
        "missing",
        """
        r2 r3 r4 r5 r6 r7
        .  g3 .  .  b6 .
        .  b3 .  .  y6 . """,
    )
    lay(
        game,
        """
        r2 r3 r4 r5 r6 r7 .  .
        .  g3 .  .  b6 .  .  .
        .  b3 .  .  y6 y5 y4 y3 """,
    )
    assert (value(game, "rack", ANNA), game.active) == (tiles("b14"), BIRNA)


def test_there_are_three_groups_at_most_and_four_with_four_players():
    board, more = "r1 y1 g1 . r2 y2 g2 . r3 y3 g3", "r4 y4 g4 b1"
    four = f"{board} . r4 y4 g4"
    cannot_lay(ready(more, "r1", "r1", board=board), "3 groups at most", four)
    lay(ready(more, "r1", "r1", "r1", board=board), four)
    five = "r5 y5 g5 . " + four
    cannot_lay(ready("r5 y5 g5", "r1", "r1", "r1", board=four), "4 groups at most", five)


def test_only_own_tiles_are_laid_and_one_at_least():
    game = ready("r4 P", "g5", board="r1 r2 r3 . b1 b2 b3")
    cannot_lay(game, "only own tiles", "r1 r2 r3 . b1 b2 b3 b4")
    cannot_lay(game, "one own tile at least", "r3 r2 r1 . b1 b2 b3")
    with_action = [*table("r1 r2 r3 . b1 b2 b3"), ["DM100", "pass_two"]]
    cannot(game, ANNA, "lay", "expected one of", table=with_action)
    cannot(game, BIRNA, "lay", "not for player", table=table("r1 r2 r3 r4 . b1 b2 b3"))


# ---- founding


def founded_by(game: Kubbar, player: int, picture: str) -> None:
    """The group in the picture is the player's own."""
    squares = [square for square, _ in table(picture)]
    change(game, home={player: squares})


def test_the_third_player_founds_and_already_adds():
    board = """
        y1 y2 y3 . . . . b9 b10 b11
        . . . . . . . . . . """
    game = ready("g1 g2 g3 g4 y4 y5 r1", "r1", "r1", board=board, founded=[BIRNA, CARL])
    founded_by(game, BIRNA, "y1 y2 y3")
    cannot_lay(game, "first group has to be founded", "y1 y2 y3 y4 y5 . . b9 b10 b11")
    both = """
        y1 y2 y3 y4 y5 . . b9 b10 b11
        .  .  .  .  .  . . .  .   .
        g1 g2 g3 g4 .  . . .  .   .  """
    lay(game, both)
    assert value(game, "founded") == [ANNA, BIRNA, CARL]
    assert value(game, "home") == [[ANNA, []], [BIRNA, []], [CARL, []]]


def test_other_groups_are_closed_until_everybody_has_founded_one():
    board = "y1 y2 y3"
    racks = ("g1 g2 g3 y4 b14 b13 b12", "r1", "r1")
    game = ready(*racks, board=board, founded=[BIRNA])
    cannot_lay(
        game,
        "nothing is laid at other groups",
        """
        y1 y2 y3 y4
        .  .  .  .
        g1 g2 g3 . """,
    )
    cannot_lay(
        game,
        "no tile is moved",
        """
        y3 y2 y1
        .  .  .
        g1 g2 g3 """,
    )
    lay(
        game,
        """
        y1 y2 y3
        .  .  .
        g1 g2 g3 """,
    )
    assert value(game, "home", ANNA) == ["DA102", "DB102", "DC102"]
    assert (value(game, "founded"), game.active) == ([ANNA, BIRNA], BIRNA)


OWN = "g1 g2 g3 . . . y1 y2 y3"
"""Anna's group and another's."""


def waiting(**readings: str) -> Kubbar:
    """Anna has founded a group, Carl has not."""
    rack = "g4 y4 b1 b2 b3 r14"
    game = ready(rack, "r1", "r1", board=OWN, founded=[ANNA, BIRNA], **readings)
    founded_by(game, ANNA, "g1 g2 g3")
    return game


def test_own_groups_can_be_added_to_and_moved_while_others_found():
    lay(waiting(), "g1 g2 g3 g4 . . y1 y2 y3")
    lay(waiting(), "g4 g3 g2 g1 . . y1 y2 y3")
    lay(waiting(own_group="fixed"), "g1 g2 g3 g4 . . y1 y2 y3")
    moved = "no tile of this group may be moved"
    cannot_lay(waiting(own_group="fixed"), moved, "g4 g3 g2 g1 . . y1 y2 y3")
    cannot_lay(waiting(), moved, "g1 g2 g3 g4 . . y3 y2 y1")
    cannot_lay(waiting(), "at other groups", "g1 g2 g3 . . . y1 y2 y3 y4")


def test_a_second_group_waits_until_everybody_has_founded_one():
    second = "g1 g2 g3 . . . y1 y2 y3 . b1 b2 b3"
    cannot_lay(waiting(), "before anybody founds a second", second)
    game = waiting(second_group="liberal")
    lay(game, second)
    assert len(value(game, "home", ANNA)) == 6
    plays(game, BIRNA, "draw")
    game.apply(chance("draw_tile", to=BIRNA, t="red 2"))
    change(game, rack={CARL: tiles("r5 r6 r7 r8")})
    cannot_lay(game, "3 groups at most", f"{second} . r5 r6 r7", by=CARL)


def test_two_players_wait_with_a_third_group_until_both_have_founded():
    rack = "b1 b2 b3 b4 r1"
    game = ready(rack, "r1", board=OWN, founded=[ANNA], second_group="liberal")
    founded_by(game, ANNA, OWN)
    cannot_lay(game, "before there is a third", f"{OWN} . b1 b2 b3")
    lay(ready(rack, "r1", board=OWN), f"{OWN} . b1 b2 b3")


def test_the_second_founder_may_found_the_third_group_at_once():
    game = ready("b1 b2 b3 g4 g5 g6 r1", "r1", board="y1 y2 y3", founded=[BIRNA])
    founded_by(game, BIRNA, "y1 y2 y3")
    lay(game, "y1 y2 y3 . b1 b2 b3 . g4 g5 g6")


def test_a_first_group_is_one_line_unless_read_otherwise():
    cross = """
        g1 g2 g3
        y1 .  .
        b1 .  . """
    rack = "g1 g2 g3 y1 b1 r9"
    cannot_lay(ready(rack, "r1", founded=[]), "with one set or one run", cross)
    lay(ready(rack, "r1", founded=[], founding_lines="crossing_lines"), cross)
    cannot_lay(ready(rack, "r1", founded=[]), "neither a set nor a run", "g1 g2")
    corner = """
        r3 r4 r5
        .  .  r6
        .  .  r7 """
    cannot_lay(ready("r3 r4 r5 r6 r7", "r1", founded=[]), "with one set or one run", corner)


def test_the_last_founder_may_join_groups_of_others_and_lay_there_in_any_shape():
    board = """
        y1 y2 y3 . y5 y6 y7
        . . . . . . . """
    joined = """
        y1 y2 y3 y4 y5 y6 y7
        . . . . . . .
        b1 b2 b3 . . . . """
    game = ready("b1 b2 b3 y4 r9", "r1", "r1", board=board, founded=[BIRNA, CARL])
    lay(game, joined)
    board = """
        y1 y2 y3 .
        .  .  .  . """
    corner = """
        y1 y2 y3 y4
        .  .  .  b4
        .  .  .  r4
        .  .  .  .
        b1 b2 b3 . """
    game = ready("b1 b2 b3 y4 b4 r4 r9", "r1", board=board, founded=[BIRNA])
    lay(game, corner)


def test_a_founder_with_lines_that_cross_leaves_one_group_more():
    board = """
        y1 y2 y3 . y5 y6 y7
        . . . . . . . """
    joined = """
        y1 y2 y3 y4 y5 y6 y7
        .  .  .  .  .  .  .
        b1 b2 b3 .  .  .  .
        .  .  g3 .  .  .  .
        .  .  r3 .  .  .  . """
    apart = joined.replace("y4", ". ")

    def crossing():
        rack, founded = "b1 b2 b3 g3 r3 y4 r9", [BIRNA, CARL]
        reading = {"founding_lines": "crossing_lines"}
        return ready(rack, "r1", "r1", board=board, founded=founded, **reading)

    cannot_lay(crossing(), "one group more", joined)
    lay(crossing(), apart)
    lay(crossing(), joined.replace("g3", ". ").replace("r3", ". "))


def test_nobody_founds_a_group_when_there_is_no_room():
    board = """
        y1 y2 y3 . . y5 y6 y7
        . . . . . . . .
        r1 r2 r3 . . . . . """
    merged = """
        y1 y2 y3 y4 y5 y6 y7
        . . . . . . .
        r1 r2 r3 . . . .
        . . . . . . .
        b1 b2 b3 . . . . """
    game = ready("b1 b2 b3 y4", "r1", "r1", board=board, founded=[BIRNA, CARL])
    cannot_lay(game, "no tile is moved", merged)
    board = board.replace(". . y5", ". y5").replace("y6 y7", "y6 y7 .")
    game = ready("b1 b2 b3 y4", "r1", "r1", board=board, founded=[BIRNA, CARL])
    cannot_lay(game, "no room for another group", merged)


def test_splitting():
    board, split = "r1 r2 r3 r4 r5", "r1 r2 r3 . r4 r5 r6"
    lay(ready("r6 b1", "r1", board=board), split)
    game = ready("r6 b1 b2 b3 b4", "r1", board=board, splitting="forbidden")
    cannot_lay(game, "no group may be split", split)
    cannot_lay(game, "no group may be split", ". r1 r2 r3 r4 r5 . b1 b2 b3")
    lay(game, "r1 r2 r3 r4 r5 r6 . b1 b2 b3")


# ---- taking, drawing, action tiles


def test_the_pool_is_filled_up_again():
    game = ready("r1", "r1")
    cannot(game, ANNA, "take", "no blue 9 in the pool", t="blue 9")
    plays(game, ANNA, "take", t="red 1")
    assert game.phase == "filling"
    game.apply(chance("fill_pool", t="blue 9"))
    assert (value(game, "pool"), game.active) == (tiles("r1 r1 r1 r1 r1 b9"), BIRNA)


def test_two_tiles_go_to_the_left_unseen():
    game = ready("P r1 r2 r3", "y1", "g1 g2 g3")
    plays(game, ANNA, "pass_on")
    assert (game.phase, value(game, "gone")) == ("giving", tiles("P"))
    cannot(game, CARL, "give", "2 tiles are to be given", tiles=tiles("g1"))
    cannot(game, CARL, "give", "only own tiles", tiles=tiles("g1 r1"))
    plays(game, CARL, "give", tiles=tiles("g1 g2"))
    cannot(game, CARL, "give", "not for player", tiles=tiles("g3"))
    plays(game, BIRNA, "give", tiles=tiles("y1"))
    assert value(game, "rack", BIRNA) == []
    plays(game, ANNA, "give", tiles=tiles("r1 r3"))
    racks = [[ANNA, tiles("r2 g1 g2")], [BIRNA, tiles("r1 r3")], [CARL, tiles("y1 g3")]]
    assert (value(game, "rack"), game.active, game.phase) == (racks, BIRNA, "turn")


def test_an_opponent_draws_three():
    game = ready("D r1", "y1", "g1")
    cannot(game, ANNA, "force", "against an opponent", victim=ANNA)
    cannot(game, ANNA, "pass_on", "has no pass_two")
    plays(game, ANNA, "force", victim=CARL)
    refuses(game, chance("draw_tile", to=ANNA, t="red 1"), "does not draw")
    for tile in tiles("b1 b2 b3"):
        game.apply(chance("draw_tile", to=CARL, t=tile))
    assert (value(game, "rack", CARL), game.active) == (tiles("g1 b1 b2 b3"), BIRNA)


@pytest.mark.parametrize("last_action", ["wins_round", "takes_effect", "refused"])
def test_an_action_tile_as_the_last_tile(last_action: str):
    game = ready("D", "y9", last_action=last_action)
    if last_action == "refused":
        cannot(game, ANNA, "force", "cannot be the last", victim=BIRNA)
        assert "force" not in {event["move"] for event in game.legal()}
        return
    plays(game, ANNA, "force", victim=BIRNA)
    if last_action == "takes_effect":
        for tile in tiles("b1 b2 b3"):
            game.apply(chance("draw_tile", to=BIRNA, t=tile))
    points = {"wins_round": 9, "takes_effect": 15}[last_action]
    assert (game.phase, game.out, game.score()) == ("over", ANNA, {ANNA: 0, BIRNA: points})


def test_passing_on_the_last_tile_can_make_the_neighbour_win():
    game = ready("P", "y1 y2", "g1 g2 g3", last_action="takes_effect")
    plays(game, ANNA, "pass_on")
    plays(game, ANNA, "give", tiles=[])
    plays(game, BIRNA, "give", tiles=tiles("y1 y2"))
    plays(game, CARL, "give", tiles=tiles("g1 g2"))
    assert (game.phase, game.out, game.score()) == ("over", BIRNA, {1: 3, 2: 0, 3: 6})


# ---- an empty bag, and the end


def test_with_an_empty_bag_what_is_not_there_is_not_drawn():
    game = ready("D r1 r2", "y1")
    change(game, bag=[])
    cannot(game, ANNA, "draw", "bag is empty")
    cannot(game, ANNA, "skip", "only when bag and pool are empty")
    plays(game, ANNA, "force", victim=BIRNA)
    assert game.active == BIRNA
    plays(game, BIRNA, "take", t="red 1")
    assert (game.active, len(game.pool)) == (ANNA, 5)


def test_by_the_letter_an_empty_bag_leaves_nothing_to_do():
    game = ready("D r1 r2", "y1", empty_bag="literal")
    change(game, bag=tiles("b1 b2"))
    cannot(game, ANNA, "force", "not 3 tiles", victim=BIRNA)
    change(game, bag=[])
    cannot(game, ANNA, "take", "cannot be filled up", t="red 1")
    assert game.legal() == []


@pytest.mark.parametrize("standstill", ["closes_round", "plays_on"])
def test_everybody_lets_the_turn_go_by(standstill: str):
    game = ready("r5 P", "y1", standstill=standstill)
    change(game, bag=[], pool=[])
    plays(game, ANNA, "skip")
    plays(game, BIRNA, "skip")
    if standstill == "plays_on":
        assert (game.phase, game.active) == ("turn", ANNA)
    else:
        assert (game.phase, game.out, game.score()) == ("over", None, {ANNA: 25, BIRNA: 1})
        assert game.winners() == [BIRNA]


def test_the_first_without_tiles_wins_and_the_others_count_theirs():
    game = ready("r4", "y9 g14 P", board="r1 r2 r3")
    lay(game, "r1 r2 r3 r4")
    assert (game.phase, game.out, game.winners()) == ("over", ANNA, [ANNA])
    assert game.score() == {ANNA: 0, BIRNA: 9 + 14 + 20}


def test_fewest_points_after_the_agreed_rounds_win():
    game = Kubbar(agreed=2, youngest=BIRNA)
    change(game, phase="turn", rack={1: tiles("r9"), 2: tiles("r4")}, founded=[1, 2])
    change(game, board=table("r1 r2 r3"), pool=tiles("r1"), total={1: 5})
    lay(game, "r1 r2 r3 r4", by=BIRNA)
    assert (game.phase, game.played, game.active, game.score()) == (
        "dealing",
        1,
        BIRNA,
        {1: 14, 2: 0},
    )
    assert (game.bag, game.board, game.pool) == (BOX, {}, [])


@pytest.mark.parametrize(("ties", "winners"), [("shared", [1, 2]), ("undecided", [])])
def test_ties(ties: str, winners: list[int]):
    game = Kubbar(readings={"ties": ties})
    change(game, phase="over")
    assert game.winners() == winners


def test_the_youngest_begins():
    assert value(Kubbar(active=2), "youngest") == 2
    with pytest.raises(IllegalError, match="youngest player begins"):
        Kubbar(youngest=1, active=2)


@pytest.mark.parametrize("name", ["A1", "Z9", "AA10", "IF240"])
def test_squares_have_names(name: str):
    assert square_name(read_square(name)) == name


@pytest.mark.parametrize(
    "name", ["", "A", "7", "A0", "A01", "A241", "IG1", "a1", "AAA1", "Å1", 7, None]
)
def test_what_is_no_square(name: Any):
    with pytest.raises(ValueError, match="expected a square"):
        read_square(name)
