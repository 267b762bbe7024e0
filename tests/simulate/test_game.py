"""Playing from Python, as somebody who builds an engine would."""

from __future__ import annotations

import pytest

import rulewright
from rulewright.play.semantics.errors import UsageError
from rulewright.simulate.game import Game, IllegalMove, Rules, load


@pytest.fixture(scope="module")
def qwixx() -> Rules:
    return rulewright.load("qwixx")


def thrown(qwixx: Rules, white: tuple[int, int] = (3, 4), **start: int) -> Game:
    game = qwixx.game(players=3, seed=1, start={"active": 1, **start})
    game.play(game.move("throw", w=white, d={"red": 1, "yellow": 2, "green": 5, "blue": 6}))
    return game


def test_rules_say_how_they_can_be_played(qwixx: Rules):
    assert qwixx.title == "Qwixx"
    assert list(qwixx.players) == [2, 3, 4, 5]
    assert qwixx.readings["window_end"] == ("at_once", "finish_turn")
    assert qwixx.variants == ("mixed_numbers", "mixed_colours")


def test_a_game_goes_from_its_start_to_its_end(qwixx: Rules):
    game = qwixx.game(players=3, seed=7)
    assert game.phase == "throw"
    assert not game.finished
    while not game.finished:
        if game.chance_decides:
            game.chance()
        else:
            game.play(game.legal()[0])
    assert game.scores is not None
    assert game.winners == [p for p, s in game.scores.items() if s == max(game.scores.values())]
    assert game.step() is None


def test_legal_moves_are_written_as_the_spec_writes_them(qwixx: Rules):
    game = thrown(qwixx)
    assert [str(move) for move in game.legal(by=2)] == [
        "cross_sum(row = red, at = 6)",
        "cross_sum(row = yellow, at = 6)",
        "cross_sum(row = green, at = 6)",
        "cross_sum(row = blue, at = 6)",
        "pass_sum",
    ]
    assert len(game.legal()) == 15
    assert repr(game.legal()[0]) == "<player 1: cross_sum(row = red, at = 6)>"


def test_a_refused_move_says_why_and_changes_nothing(qwixx: Rules):
    game = thrown(qwixx)
    before = game.position
    with pytest.raises(IllegalMove) as raised:
        game.play("cross_sum(row = red, at = 11)", by=2)
    assert [each.label for each in raised.value.broken] == [
        "may_cross.five_first",
        "cross_sum.is_sum",
    ]
    assert raised.value.broken[1].clauses == ("play.sum",)
    assert "is_sum" in str(raised.value)
    assert game.position == before
    assert game.check("cross_sum(row = red, at = 6)", by=2) == []


def test_moves_can_be_made_from_text_by_name_or_from_the_list(qwixx: Rules):
    game = thrown(qwixx)
    by_name = game.move("cross_sum", 2, row="red", at=6)
    assert by_name in game.legal()
    assert by_name == game.play("cross_sum(row = red, at = 6)", by=2)
    assert game.position["crossed"][2]["red"] == {6}
    assert len({by_name, game.history[-1]}) == 1
    with pytest.raises(AttributeError):
        by_name.name = "another"


def test_what_happened_can_be_taken_back(qwixx: Rules):
    game = thrown(qwixx)
    before = game.position
    move = game.play(game.legal()[0])
    assert game.position != before
    assert game.undo() == move
    assert game.position == before
    assert len(game.history) == 1


def test_a_copy_goes_its_own_way(qwixx: Rules):
    game = thrown(qwixx)
    other = game.copy()
    other.play(other.legal()[0])
    assert len(game.history) == 1
    assert game.copy().step() == game.copy().step(), "it has the same luck"


def test_a_position_can_be_saved_and_loaded(qwixx: Rules):
    game = thrown(qwixx)
    game.play("cross_sum(row = green, at = 6)", by=3)
    saved = game.save()
    assert saved["white"] == [[1, 3], [2, 4]]
    other = qwixx.game(players=3)
    other.load(saved)
    assert other.position == game.position
    assert other.legal() == game.legal()


def test_a_game_is_its_trace(qwixx: Rules):
    game = thrown(qwixx)
    game.play("pass_sum", by=2)
    assert game.trace()[1] == {"move": "pass_sum", "by": 2, "args": {}}


def test_the_seed_decides(qwixx: Rules):
    one, other = qwixx.game(seed=5), qwixx.game(seed=5)
    assert [str(one.step()) for _ in range(50)] == [str(other.step()) for _ in range(50)]
    assert isinstance(qwixx.game().seed, int)


def test_readings_and_variants_change_the_game(qwixx: Rules):
    game = qwixx.game(players=2, readings={"ties": "undecided"}, variant="mixed_numbers")
    assert game.instance.readings["ties"] == "undecided"
    assert game.instance.spec.variant == "mixed_numbers"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda rules: rules.game(players=9), "`qwixx` cannot be played by 9"),
        (lambda rules: rules.game(readings={"tie": "shared"}), "`qwixx` has no reading `tie`"),
        (lambda rules: rules.game(variant="mixed"), "`qwixx` has no variant `mixed`"),
        (lambda rules: rules.game(start={"closed": []}), "`closed` cannot be chosen at the start"),
        (lambda rules: rules.game(start={"active": 8}), "`active` should be a player from 1 to 2"),
        (lambda rules: rules.game().move("thro"), "`qwixx` has no chance event `thro`"),
        (lambda rules: rules.game().play("pass_sum", by=7), "there is no player 7"),
        (lambda rules: rules.game().load({}), "the position does not say `phase`"),
        (lambda rules: rules.game().undo(), "nothing has happened yet"),
        (lambda rules: thrown(rules).chance(), "chance has nothing to decide here"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(qwixx: Rules, wrong, message: str):
    with pytest.raises(UsageError) as raised:
        wrong(qwixx)
    assert message in raised.value.message


def test_a_file_that_cannot_be_used_is_refused(tmp_path):
    path = tmp_path / "bad.rules"
    path.write_text("game bad\n")
    with pytest.raises(UsageError, match="cannot be used"):
        load(path)
    with pytest.raises(UsageError, match="there is no such file"):
        load("nowhere.rules")


def test_every_bundled_game_can_be_played_to_its_end():
    from rulewright.resources import bundled_specs

    for name in bundled_specs():
        game = load(name).game(seed=1)
        for _ in range(3000):
            if game.step() is None:
                break
        assert game.finished, name


def test_a_player_can_be_named_by_keyword(qwixx: Rules):
    game = thrown(qwixx)
    assert game.move("pass_sum", by=2) == game.move("pass_sum", 2)
    assert game.move("cross_sum", by=2, row="red", at=6) in game.legal()
    assert game.play(game.move("cross_sum", by=2, row="red", at=6)).by == 2


def test_a_position_that_breaks_an_invariant_is_refused(qwixx: Rules):
    game = thrown(qwixx)
    impossible = game.save()
    impossible["locked"] = [[1, ["red"]], [2, []], [3, []]]
    before = game.position
    with pytest.raises(UsageError, match="no game reaches this position") as raised:
        game.load(impossible)
    assert "`lock_with_last`" in raised.value.message
    assert raised.value.help is not None
    assert game.position == before and game.history, "nothing has changed"
    game.load(impossible, check=False)
    assert game.position["locked"][1] == {"red"}
    assert game.history == []


def test_every_position_of_a_game_can_be_loaded(qwixx: Rules):
    game, other = qwixx.game(players=2, seed=3), qwixx.game(players=2)
    while not game.finished:
        game.step()
        other.load(game.save())
        assert other.position == game.position
