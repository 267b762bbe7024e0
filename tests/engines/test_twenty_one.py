"""twenty one: the examples of the rulebook, and what is easily got wrong."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rulewright_engines.twenty_one import COLOURS, PLACE_OF, ROWS, SHEETS, TwentyOne
from tests.engines.acting import cannot, chance, change, plays, refuses, value


def dice(*pips: int) -> dict[str, int]:
    """White, black, red, blue, yellow, green."""
    return dict(zip(COLOURS, pips))


def answering(game: TwentyOne, *pips: int) -> None:
    """The active player throws and leaves it at that."""
    game.apply(chance("throw", dice=dice(*pips)))
    plays(game, game.active, "stop")


def entries(*first: int | None, later: int | None = None) -> list[Any]:
    """The first row as given, the others empty or all alike."""
    rows: list[list[Any]] = [[1, [[at, each] for at, each in enumerate(first, start=1)]]]
    return rows + [[row, [[at, later] for at in range(1, 7)]] for row in range(2, 6)]


def test_sheets_differ_and_have_all_colours():
    assert [*SHEETS] == ["A", "B", "C", "D", "E", "F"]
    for row in ROWS:
        for place in range(1, 7):
            at = [
                colour
                for sheet in SHEETS
                for colour in COLOURS
                if PLACE_OF[sheet][row][colour] == place
            ]
            assert Counter(at) == Counter(COLOURS)


def test_tim_throws_again_all_but_the_ones():
    game = TwentyOne()
    game.apply(chance("throw", dice=dice(6, 4, 3, 3, 1, 1)))
    cannot(game, 2, "throw_again", "not for player")
    plays(game, 1, "throw_again")
    refuses(game, chance("rethrow", dice=dice(6, 2, 3, 5, 1, 2)), "green one is not thrown")
    game.apply(chance("rethrow", dice=dice(6, 2, 3, 5, 1, 1)))
    assert (game.phase, value(game, "shown")) == ("answering", dice(6, 2, 3, 5, 1, 1))


def test_sara_hits_twice_and_writes_a_four():
    game = TwentyOne(sheet=[[1, "A"], [2, "F"]])
    answering(game, 4, 1, 1, 3, 4, 2)
    cannot(game, 2, "write", "white die is higher", dice=["white", "black"])
    plays(game, 2, "write", dice=["black", "blue", "yellow"])
    assert value(game, "entry", 2, 1) == [[1, 4], [2, None], [3, None], [4, 3], [5, None], [6, 1]]
    assert value(game, "hits", 2, 1) == [4, 6]
    assert game.answered == [2]


def test_emma_has_to_cross_out_the_white_five():
    game = TwentyOne(sheet=[[1, "A"], [2, "C"]])
    change(game, entry={2: entries(5, None, None, 2, 2, 1)})
    answering(game, 6, 1, 1, 1, 1, 5)
    assert game.usable(2) == []
    cannot(game, 2, "cross_out", "leftmost", at=3)
    cannot(game, 2, "write", "not free", dice=["black"])
    cannot(game, 2, "write", "one die at least", dice=[])
    plays(game, 2, "cross_out", at=2)
    assert value(game, "entry", 2, 1, 2) == 0


def test_emmas_row_is_worth_20():
    game = TwentyOne(sheet=[[1, "A"], [2, "C"]])
    change(game, entry={2: entries(5, 0, None, 2, 2, 1)}, hits={2: [[1, [5, 6]], *no_hits()]})
    answering(game, 6, 6, 6, 6, 6, 4)
    plays(game, 2, "write", dice=["green"])
    assert value(game, "points", 2, 1) == 20
    assert value(game, "current", 2) == 1
    plays(game, 1, "cross_out", at=1)
    assert (value(game, "current", 2), value(game, "current", 1)) == (2, 1)
    assert (game.active, game.phase) == (2, "throwing")
    assert set(value(game, "shown").values()) == {None}


def no_hits() -> list[Any]:
    return [[row, []] for row in range(2, 6)]


def test_crossing_out_is_allowed_by_choice():
    game = TwentyOne()
    answering(game, 1, 1, 1, 1, 1, 1)
    plays(game, 1, "cross_out", at=1)
    cannot(game, 1, "cross_out", "not for player", at=2)


def test_six_ones_cannot_be_thrown_again_unless_read_so():
    game = TwentyOne()
    game.apply(chance("throw", dice=dice(1, 1, 1, 1, 1, 1)))
    cannot(game, 1, "throw_again", "nothing to throw")
    assert [event["move"] for event in game.legal()] == ["stop"]
    game = TwentyOne(readings={"six_ones": "empty_throw"})
    game.apply(chance("throw", dice=dice(1, 1, 1, 1, 1, 1)))
    plays(game, 1, "throw_again")
    refuses(game, chance("rethrow", dice=dice(1, 1, 1, 1, 1, 2)), "not thrown")
    game.apply(chance("rethrow", dice=dice(1, 1, 1, 1, 1, 1)))
    assert game.phase == "answering"


def test_a_row_of_six_hits_is_worth_42():
    game = TwentyOne(sheet=[[1, "A"], [2, "C"]])
    answering(game, 4, 2, 3, 5, 1, 6)
    plays(game, 1, "write", dice=list(COLOURS))
    assert value(game, "points", 1, 1) == 42


def test_the_fifth_row_ends_the_game_and_the_others_score_what_they_have():
    game = TwentyOne(sheet=[[1, "A"], [2, "C"]])
    last_row = {1: [[row, 20 if row < 5 else None] for row in ROWS]}
    change(game, current={1: 5}, points=last_row)
    fields = [[row, [[at, 1 if row < 5 or at > 1 else None] for at in range(1, 7)]] for row in ROWS]
    change(game, entry={1: fields})
    answering(game, 6, 6, 6, 6, 6, 4)
    plays(game, 1, "cross_out", at=1)
    assert game.phase == "answering"
    plays(game, 2, "write", dice=["green"])
    assert game.phase == "over"
    assert game.score() == {1: 85, 2: 5}
    assert value(game, "points", 2) == [[1, 5], [2, None], [3, None], [4, None], [5, None]]
    assert game.winners() == [1]


@pytest.mark.parametrize(("ties", "winners"), [("shared", [1, 2]), ("undecided", [])])
def test_ties(ties: str, winners: list[int]):
    game = TwentyOne(readings={"ties": ties})
    change(game, phase="over")
    assert game.winners() == winners


def test_everybody_has_a_sheet_of_their_own():
    with pytest.raises(Exception, match="no value twice"):
        TwentyOne(sheet=[[1, "A"], [2, "A"]])
    assert value(TwentyOne(6), "sheet") == [[at, kind] for at, kind in enumerate("ABCDEF", 1)]
