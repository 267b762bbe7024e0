"""That nothing can be done is certain only where no board at all would do, proposed or not."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.meaning.core import Spec
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import apply
from rulewright.prove.discharge.deadlock_proof import nothing_allowed
from rulewright.prove.search.directed_search import directed_search, examples_that_meet
from rulewright.prove.search.search_goals import DeadlockGoal, PropertyGoal
from rulewright.resources import bundled_games
from rulewright.vc.context import ProofContext

PAIRS = """game pairs "Pairs"
    players 1..1

type Piece = ant | bee | cat | dog
type Square = grid 12 x 12

phase turn, over final

state
    board[Square]: Piece? = {board}
    hand: Bag[Piece] = {hand}

fun friend(a: Piece): Piece = bee if a == ant else ant if a == bee else dog if a == cat else cat

fun beside(m[Square]: Piece?, s: Square): Bool =
    all a in m[s]: m[step(s, right, 1)] == friend(a) or m[step(s, left, 1)] == friend(a)

move lay(table[Square]: Piece?) by p in turn
    needs kept "nothing is taken": tally(board) <= tally(table)
    needs own "own pieces are laid": tally(table) <= tally(board) + hand
    needs some_laid "a piece is laid": tally(table) != tally(board)
    needs pairs "every piece lies beside its friend": all s in occupied(table): beside(table, s)
    {needs}
    does
        board = table
        phase = over
    propose nothing "what is there": board
"""


def certain(hand: str, board: str = "none", needs: str = "") -> bool:
    spec = check_text("pairs", PAIRS.format(hand=hand, board=board, needs=needs)).spec
    assert spec is not None
    context = ProofContext(spec, Configuration(1, (), None))
    return nothing_allowed(context, initial_position(context.instance), 10.0)


STAYS = 'needs stays "nothing is moved": all s in occupied(board): table[s] == board[s]'
LAID = "[C3: ant, D3: bee, else: none]"


@pytest.mark.parametrize(
    ("hand", "board", "needs", "blocked"),
    [
        ("{ant, cat, cat}", "none", "", True),
        ("{ant, cat, dog}", "none", "", False),  # nothing proposes them, and yet they may be laid
        ("{}", "none", "", True),
        ("{cat}", LAID, "", True),
        ("{ant}", LAID, "", False),
        ("{dog}", LAID, STAYS, True),
        ("{ant, bee}", LAID, STAYS, False),
    ],
)
def test_a_board_that_nobody_proposes_counts(
    hand: str, board: str, needs: str, blocked: bool
) -> None:
    assert certain(hand, board, needs) is blocked


def kubbar() -> Spec:
    spec = check_text("kubbar", bundled_games()["kubbar"].read_text("utf-8")).spec
    assert spec is not None
    return spec


def test_kubbar_by_the_letter_comes_to_a_stop_in_a_game() -> None:
    context = ProofContext(kubbar(), Configuration(4, (("empty_bag", "literal"),), None))
    instance = context.instance
    target = DeadlockGoal(proposed=True)
    (shown,) = examples_that_meet(instance, target)
    game = directed_search(instance, target, shown)
    assert game is not None
    position = dict(game.start)
    for event in game.events:
        position = apply(instance, position, event)[-1].after
    assert position == game.end
    assert nothing_allowed(context, position, 30.0)


def test_with_a_run_in_hand_nobody_is_stuck() -> None:
    context = ProofContext(kubbar(), Configuration(2, (("empty_bag", "literal"),), None))
    (shown,) = examples_that_meet(context.instance, DeadlockGoal(proposed=True))
    assert shown.position is not None
    racks = shown.position["rack"]
    swapped = {**shown.position, "rack": {1: racks[2], 2: racks[1]}}
    assert not nothing_allowed(context, swapped, 30.0)


def test_a_game_goes_on_as_an_example_does_that_breaks_a_property() -> None:
    instance = Instance(kubbar(), 2, {"last_action": "takes_effect"})
    (claim,) = [each for each in instance.spec.properties if each.name == "pass_leaves_some"]
    target = PropertyGoal(claim, broken=True)
    (shown,) = examples_that_meet(instance, target)
    game = directed_search(instance, target, shown)
    assert game is not None
    assert [each.name for each in game.events[-5:]] == ["lay", "lay", "pass_on", "give", "give"]
    assert game.events[0].name == "deal"


def test_only_examples_that_play_in_this_very_way_are_shown() -> None:
    spec, target = kubbar(), DeadlockGoal(proposed=True)
    shown = examples_that_meet(Instance(spec, 3, {"empty_bag": "literal"}), target)
    assert [each.example.name for each in shown] == ["stuck_of_three"]
    assert not list(examples_that_meet(Instance(spec, 3), target))
    assert not list(examples_that_meet(Instance(spec, 3, {"ties": "undecided"}), target))
