"""What expressions are worth and what statements do: the language's meaning, case by case."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given

from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate, perform
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import apply
from rulewright.play.semantics.values import BagValue, stray
from rulewright.syntax.node import NOWHERE
from tests.meaning.exprs import evaluated, many_evaluated, many_performed, performed
from tests.meaning.states import PLAYGROUND, any_position, playground
from tests.play.games import small

STATE: dict[str, Any] = {
    **any_position(Instance(playground(), 3), 0),
    "turn": 3, "number": 2, "total": -7, "hue": "yellow", "mark": "B2",
    "palette": frozenset({"red", "green"}), "spots": frozenset({"A1", "C3"}),
    "numbers": frozenset({1, 3, 5}), "bag": BagValue(["red 1", "red 1", "joker"]),
    "level": {"red": 1, "yellow": 5, "green": 0},
}  # fmt: skip
STATE["board"] = {**STATE["board"], "A1": "red 1", "B1": "joker", "C3": "red 1"}
STATE["seen"] = {
    player: {"red": frozenset({player}), "yellow": frozenset(), "green": frozenset({0, 5})}
    for player in (1, 2, 3)
}

WORTH: list[tuple[str, Any]] = [
    # truths, with the right side looked at only where it matters
    ("flag and 1 / (number - 2) == 1", False),
    ("not flag or 1 / (number - 2) == 1", True),
    ("flag implies 1 / (number - 2) == 1", True),
    ("all x in 0..3: x < 2 and 6 / (2 - x) > 0", False),
    ("some x in 0..3: x == 1 or 6 / x == 1", "6 is divided by zero"),
    # numbers
    ("7 / 2", 3),
    ("-7 / 2", -4),
    ("7 / -2", -4),
    ("-7 % 3", 2),
    ("7 % -3", -2),
    ("number / (number - 2)", "2 is divided by zero"),
    ("number % (number - 2)", "2 is divided by zero"),
    ("abs(total) + min(1, 2) * max(3, 4)", 11),
    # comparison
    ("hue == yellow and hue != none", True),
    ("red < yellow and green >= yellow", True),
    ("palette <= {red, yellow, green} and palette < palette", False),
    ("{red} < palette and palette > {}", True),
    ("bag <= bag and not (bag < bag)", True),
    ("turn > 1", True),
    # sets and bags
    ("palette + {yellow} == {red, yellow, green}", True),
    ("palette - {red, yellow}", frozenset({"green"})),
    ("palette & {red, yellow}", frozenset({"red"})),
    ("bag + {joker}", BagValue(["red 1", "red 1", "joker", "joker"])),
    ("bag - {joker, tile(red, 1)}", BagValue(["red 1"])),
    ("bag - {joker, joker}", "2 of `joker` cannot be taken from `bag`, which holds 1"),
    ("bag & {tile(red, 1), tile(red, 2)}", BagValue(["red 1"])),
    ("bag[tile(red, 1)] + bag[tile(green, 1)]", 2),
    ("size(bag) + size(palette)", 5),
    ("joker in bag and red not in {yellow}", True),
    ("{each s: Square where board[s] != none}", frozenset({"A1", "B1", "C3"})),
    ("{each x in 0..9: x / 5}", frozenset({0, 1})),
    ("tiles_of(red)", BagValue(["red 1", "red 2", "red 3"])),
    # quantifiers
    ("all p, q: Player where p != q: seen[p][red] != seen[q][red]", True),
    ("count x in bag: x != joker", 1),
    ("sum n in numbers: n", 9),
    ("sum n in numbers where n > 9: n", 0),
    ("min n in numbers: -n", -5),
    ("max n in numbers where n > 9: n", None),
    ("max c: Colour: level[c]", 5),
    (
        "sum c: Colour: tiles_of(c)",
        BagValue([f"{c} {v}" for c in STATE["level"] for v in (1, 2, 3)]),
    ),
    ("count n in 3..1: true", 0),
    ("count x in hue: x == yellow", 1),
    ("all n in 1..2, m in n..2: n <= m", True),
    # optionals, fields
    ("(board[A2] otherwise joker) == joker", True),
    ("hue otherwise level_of_nothing()", "yellow"),
    ("board[step(A1, up, 1)]", None),
    ("board[step(A1, right, 1)]", "joker"),
    ("tile(green, 3).value", 3),
    ("joker.value", None),
    ("tile(hue otherwise red, number)", "yellow 2"),
    ("tile(red, number + 2)", "there is no `tile(red, 4)`"),
    # maps
    ("[each c: Colour: level[c] + 1]", {"red": 2, "yellow": 6, "green": 1}),
    ("lifted([red: 4, else: 0], red)", 5),
    ("lifted([1, 2, 3], green)", 4),
    ("lifted(level with [red] = 5, red)", 5),
    ("lifted(level with [red] = (number * 3), red)", "`level[red]` is 6, outside 0..5"),
    ("lifted([red: number * 3, else: 0], red)", "a value of this map is 6, outside 0..5"),
    ("points[number * 3]", "`points` has no key `6`, only 0..5"),
    ("worth[hue otherwise red][number]", 4),
    ("worth[red, 5]", 5),
    # functions
    ("double(number)", 4),
    ("double(number * 3)", "`x` of `double` is 6, outside 0..5"),
    ("height(1, green)", 4),
    ("narrow(5)", "`narrow(5)` is 6, outside 0..5"),
    # the grid
    ("step(B2, up, 1)", "B1"),
    ("step(B2, left, -1)", "C2"),
    ("step(B2, down, 2)", None),
    ("column(C2) * 10 + row(C2)", 32),
    ("Square(3, 2)", "C2"),
    ("Square(number, 4)", "`Square` has no square in column 2, row 4"),
    ("occupied(board)", frozenset({"A1", "B1", "C3"})),
    ("tally(board)", BagValue(["red 1", "red 1", "joker"])),
    ("components(board)", 2),
    # players and readings
    ("left_of(turn) == 1 and right_of(left_of(turn)) == 3 and players == 3", True),
    ("taste == sour", True),
]


@cache
def probes() -> Instance:
    """The playground with a function for each of the expressions."""
    more = [
        "fun level_of_nothing(): Colour = joker.colour otherwise board_colour(1 / (number - 2))"
    ]
    more += ["fun board_colour(n: Int): Colour = red", "fun narrow(n: Small): Small = n + 1"]
    more += [f"fun probe_{at}() = {text}" for at, (text, _) in enumerate(WORTH)]
    text = PLAYGROUND.read_text() + "\n" + "\n".join(more) + "\n"
    checked = check_text("playground.rules", text)
    errors = [(each.line, each.message) for each in checked.diagnostics if each.severity == "error"]
    assert checked.spec is not None, errors
    return Instance(checked.spec, 3, {"taste": "sour"})


@pytest.mark.parametrize(("at", "worth"), list(enumerate(each for _, each in WORTH)))
def test_what_an_expression_is_worth(at, worth):
    probe = probes().functions[f"probe_{at}"]
    env = Environment(probes(), STATE)
    if isinstance(worth, str) and " " in worth and worth not in ("yellow 2",):
        with pytest.raises(EvaluationError) as error:
            evaluate(probe.body, env)
        assert error.value.message == worth
        text = check_text("x", PLAYGROUND.read_text()).text
        assert text is not None and error.value.span.start > len(text.text), "it points into it"
    else:
        assert evaluate(probe.body, env) == worth, WORTH[at][0]


STATEMENTS: list[tuple[str, dict[str, Any] | str]] = [
    ("number = number + 1\n        total = number", {"number": 3, "total": 3}),
    ("number += 4", "`number` is 6, outside 0..5"),
    ("level[yellow] += 1", "`level[yellow]` is 6, outside 0..5"),
    ("seen[2][red] += {number * 3}", "`seen[2][red]` holds 6, outside 0..5"),
    ("bag -= {tile(green, 1)}", "1 of `green 1` cannot be taken from `bag`, which holds 0"),
    ("palette -= {yellow}", {}),
    ("if number > 1:\n            flag = true\n        else:\n            number = 0",
     {"flag": True}),
    # each turn of a loop sees what those before it wrote, also in its `where`
    ("for n in 0..5 where n == number:\n            number += 1", "`number` is 6, outside 0..5"),
    ("for n in numbers:\n            numbers -= {n}\n            total += n",
     {"numbers": frozenset(), "total": 2}),
    ("let twice = double(number)\n        number = 5\n        total = twice",
     {"number": 5, "total": 4}),
    ("raise_level(red)", {"level": {"red": 2, "yellow": 5, "green": 0}}),
    ("for i in 1..2:\n            raise_level(red)",
     {"level": {"red": 3, "yellow": 5, "green": 0}, "flag": True}),
    ("board = board with [A2] = joker\n        board[A1] = none",
     {"board": {**STATE["board"], "A2": "joker", "A1": None}}),
    ("phase = over", {"phase": "over", "answered": frozenset()}),
]  # fmt: skip


@pytest.mark.parametrize(("written", "changes"), STATEMENTS)
def test_what_statements_do(written, changes):
    text = PLAYGROUND.read_text() + f"\neffect probe()\n        {written}\n"
    spec = check_text("playground.rules", text).spec
    assert spec is not None
    instance = Instance(spec, 3)
    now = dict(STATE)
    env = Environment(instance, STATE, now)
    if isinstance(changes, str):
        with pytest.raises(EvaluationError) as error:
            perform(instance.effects["probe"].body, env)
        assert error.value.message == changes
    else:
        perform(instance.effects["probe"].body, env)
        assert now == {**STATE, **changes}


def test_labelled_statements_are_noted_when_carried_out():
    text = PLAYGROUND.read_text() + (
        '\neffect probe()\n    one "the first": number = 0\n'
        '    if flag:\n        two "the second": number = 1\n'
    )
    spec = check_text("playground.rules", text).spec
    assert spec is not None
    env = Environment(Instance(spec, 3), STATE, dict(STATE))
    perform(env.instance.effects["probe"].body, env)
    assert [each.label for each in env.done] == ["probe.one"]


def worth_or_error(case):
    try:
        return evaluate(case.expression, Environment(case.instance, case.before, case.now))
    except EvaluationError as error:
        return error


def value_is_of_its_type(case):
    found = worth_or_error(case)
    if not isinstance(found, EvaluationError):
        assert stray(found, case.expression.type, case.instance) is None


def state_stays_in_range(case):
    env = Environment(case.instance, case.before, dict(case.before))
    untouched = {name: repr(value) for name, value in case.before.items()}
    with suppress(EvaluationError):
        perform(case.statements, env)
    for name, variable in case.instance.variables.items():
        assert stray(env.now[name], variable.type, case.instance) is None
    assert {name: repr(value) for name, value in case.before.items()} == untouched


@given(evaluated())
def test_the_value_of_an_expression_lies_in_its_type(case):
    value_is_of_its_type(case)


@given(performed())
def test_statements_keep_the_state_in_range_and_the_old_one_as_it_was(case):
    state_stays_in_range(case)


def test_both_laws_many_times():
    for case in many_evaluated(1, 4000):
        value_is_of_its_type(case)
    for body in many_performed(1, 1000):
        state_stays_in_range(body)


def test_what_is_wrong_is_named_in_the_order_of_its_type():
    """Whatever order a set or a bag happens to have in memory, which hashing decides."""
    instance = Instance(playground(), 3)
    players = y.Player(2, 4)
    hues = next(each for each in playground().enums if "yellow" in each.members)
    for wrong in ([9, 4], [4, 9]):
        assert stray(BagValue(wrong), y.Bag(players), instance) == (4, players)
        assert stray(frozenset(wrong), y.Set(players), instance) == (4, players)
    bag = y.Bag(hues)
    hand, out = (c.Local(NOWHERE, bag, name) for name in ("hand", "taken"))
    less = c.Binary(NOWHERE, bag, "bag_difference", hand, out)
    for taken in permutations(("red", "yellow", "green")):
        with pytest.raises(EvaluationError, match="1 of `red` cannot be taken"):
            evaluate(
                less,
                Environment(instance, {}, locals={"hand": BagValue(), "taken": BagValue(taken)}),
            )


def test_random_expressions_cover_the_language():
    """Every kind of node is made, and most but not all of the expressions have a value."""
    from rulewright.play.semantics.evaluate import _MEANING

    seen: set[type] = set()

    def visit(node: Any) -> None:
        if isinstance(node, tuple):
            for each in node:
                visit(each)
        elif hasattr(node, "_fields"):
            seen.add(type(node))
            for field in node._fields:
                if field not in ("span", "type"):
                    visit(getattr(node, field))

    cases = list(many_evaluated(7, 4000))
    for case in cases:
        visit(case.expression)
    assert set(_MEANING) <= seen
    errors = sum(isinstance(worth_or_error(case), EvaluationError) for case in cases)
    assert 0.02 < errors / len(cases) < 0.3


def test_cases_have_truths_as_fields():
    instance = small("""
        phase play, over final
        type Card = joker | card(value: 1..2, open: Bool)
        state
            top: Card = joker
            flag: Bool = true
        move turn by p in play
            does top = card(2, not flag)
    """)
    (happened,) = apply(instance, initial_position(instance), Event("turn", 1, {}))
    assert happened.after["top"] == "2 false"
