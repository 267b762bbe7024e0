"""What chooses an element or an arm: `first`, `largest`, `smallest`, `match`, `in a..b`, several
names over one range. All are put together from the core, so that it is enough to ask the evaluator
what they come to, and the type checker what it refuses."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance

GAME = """game choosing "Choosing"
    players 3

type Colour = red | green | blue
type Square = grid 3 x 2
phase play, over final

table worth[Colour]: 0..9
    4 9 9
table cell[Square]: Colour?
      A    B     C
    1 none none  red
    2 blue green none
table points[1..3]: 0..9
    1 5 5

move stop by p in play
    does phase = over

"""


def worth(expression: str) -> object:
    """What an expression of the data is worth."""
    checked = check_text("choosing.rules", GAME + f"fun asked() = {expression}\n")
    assert checked.spec is not None, checked.diagnostics
    function = checked.spec.function("asked")
    assert function is not None
    return evaluate(function.body, Environment(Instance(checked.spec, 3), {}, {}))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("first c: Colour: worth[c] == 9", "green"),
        ("first c: Colour: worth[c] == 5", None),
        ("first s: Square where column(s) > 1: cell[s] != none", "C1"),
        ("first n in 2..9: n * n > 10", 4),
        ("first p: Player: p != 1", 2),
        ("largest c: Colour: worth[c]", "green"),
        ("smallest c: Colour: worth[c]", "red"),
        ("largest c in {red, blue}: worth[c]", "blue"),
        ("largest c: Colour where worth[c] > 9: worth[c]", None),
        ("smallest s: Square where cell[s] != none: row(s) * 10 - column(s)", "C1"),
        ("match blue {red: 1, green or blue: 2}", 2),
        ("match cell[A1] {none: 0, red: 1, else: 2}", 0),
        ("match cell[C1] {none: 0, red: match cell[A2] {blue: 7, else: 8}, else: 2}", 7),
        ("match (2 - 5) {-3: 1, else: 0}", 1),
        ("[each n: 0..4: n in 1..3]", {0: False, 1: True, 2: True, 3: True, 4: False}),
        ("count n in 0..9: (n * 2) not in 3..9", 7),
        ("green in red..green", True),
        ("count i, j in 1..3: i < j", 3),
        ("count i, j in {red, blue}: i != j", 2),
        ("let i = 2: count i, j in 1..i: true", 4),
    ],
)
def test_what_it_comes_to(expression: str, value: object):
    assert worth(expression) == value


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("match red {red: 1, green: 2}", "no arm is for `blue`"),
        ("match red {red: 1, green or red: 2, blue: 3}", "`red` stands in an arm before"),
        ("match cell[A1] {red: 1, green or blue: 2}", "no arm is for `none`"),
        ("match worth {else: 1}", None),
        ("match red {red: 1, else: green}", "this is `Colour`, the arms before are `1..1`"),
        ("match red {largest c: Colour: 1: 2, else: 3}", None),
        ("first c, d: Colour: c != d", "`first` looks for one element, these are more"),
        ("first b: Bool: b", "`first` looks for a single value, but this is `Bool`"),
        ("largest c: Colour: c", "`max` works on numbers, but this is `Colour`"),
        ("red in 1..3", "`1..1` cannot be compared with `Colour`"),
    ],
)
def test_what_is_refused(expression: str, message: str | None):
    checked = check_text("choosing.rules", GAME + f"fun asked() = {expression}\n")
    errors = [each.message for each in checked.diagnostics if each.severity == "error"]
    assert errors and (message is None or errors == [message])


@pytest.mark.parametrize("label", ["shows", "needs", "does", "propose", "weight", "deal", "next"])
def test_words_of_moves_are_still_labels(label: str):
    text = GAME.replace(
        "    does phase = over\n",
        f'    does\n        phase = play\n        {label} "it": phase = over\n',
    )
    checked = check_text("choosing.rules", text)
    assert not [each for each in checked.diagnostics if each.severity == "error"]


def test_words_of_new_constructs_are_still_names():
    text = GAME + (
        "fun match(first: 0..3, largest: 0..3): 0..9 = first + largest\n"
        "fun next(initially: 0..3): 0..9 = match(initially, 1) + match(1, 2)\n"
        "fun smallest(match: 0..3): Bool = match in 1..2 and match < 3 or match == 0\n"
    )
    checked = check_text("choosing.rules", text)
    assert not [each for each in checked.diagnostics if each.severity == "error"]
