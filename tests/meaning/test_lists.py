"""Lists: what is done with them, what they are known for, and how they are shown. They are maps to
whatever comes after typing, so it is enough to ask the evaluator what they come to."""

from __future__ import annotations

from itertools import product

import pytest

from rulewright.frontend import check_text
from rulewright.play.io.notation import write, write_event
from rulewright.play.io.parse_notation import read_event
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance

GAME = """game listing "Listing"
    players 2..4

type Colour = red | green | blue
type Team = odd | even
phase play, over final

state
    path: List[Colour, 4] = [red, blue, red]
    nothing: List[1..9, 2] = []
    each Team
        pile: List[1..9, 3] = [7]
        points: 0..9 = 2
    each Player
        won: List[Colour, 2] = []

move stop by p in play
    does phase = over

"""


def instance(added: str) -> Instance:
    checked = check_text("listing.rules", GAME + added)
    assert checked.spec is not None, checked.diagnostics
    return Instance(checked.spec, 3)


def worth(expression: str, type: str = "") -> object:
    """What an expression is worth at the start; a list as what it is written as."""
    game = instance(f"fun asked(){type} = {expression}\n")
    function = game.functions["asked"]
    value = evaluate(function.body, Environment(game, initial_position(game)))
    return write(value, function.type, game) if type.startswith(": List") else value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("length(path)", 3),
        ("length(nothing)", 0),
        ("last(path)", "red"),
        ("last(nothing)", None),
        ("path[2]", "blue"),
        ("path[4]", None),
        ("blue in path", True),
        ("green in path", False),
        ("green not in path", True),
        ("last(path) in path", True),
        ("count c in path: c == red", 2),
        ("sum n in pile[odd]: n", 7),
        ("all c in path: c != green", True),
        ("some c in path, d in won[1]: c == d", False),
        ("first c in path: c != red", "blue"),
        ("first c in path where c > blue: true", None),
        ("{each c in path}", frozenset({"red", "blue"})),
        ("size(tally(path))", 3),
        ("path == [red, blue, red]", True),
        ("path == [red, blue]", False),
        ("append(path, green) == [red, blue, red, green]", True),
        ("take(path, 0) == []", True),
        ("drop(path, length(path)) == []", True),
        ("length(append(append(won[2], red), last(path) otherwise blue))", 2),
        ("sum t: Team: points[t] + length(pile[t])", 6),
        ("[each p: Player: seat(p) * 2]", {1: 2, 2: 4, 3: 6}),
        ("next q after 2 where q != 3", 1),
        ("next q after 3 where q == 3", 3),
        ("next q after 3 where q == 2", 2),
        ("next q after (next q after 1 where true) where true", 3),
    ],
)
def test_what_it_comes_to(expression: str, value: object) -> None:
    assert worth(expression) == value


@pytest.mark.parametrize("many", range(-1, 6))
def test_what_is_taken_and_dropped_is_what_python_says(many: int) -> None:
    path = ["red", "blue", "red"]
    taken = worth(f"take(path, {many})", ": List[Colour, 4]")
    left = worth(f"drop(path, {many})", ": List[Colour, 4]")
    assert taken == "[" + ", ".join(path[: max(many, 0)]) + "]"
    assert left == "[" + ", ".join(path[max(many, 0) :]) + "]"


def test_a_list_is_written_and_read_again() -> None:
    game = instance('move lay(way: List[Colour, 3]) by p in play "lay"\n    does path = []\n')
    for length in range(4):
        for colours in product(("red", "green"), repeat=length):
            written = f"lay(way = [{', '.join(colours)}])"
            assert write_event(read_event(written, game, 1), game) == written
    with pytest.raises(UsageError, match="gives 4 values, the list takes 3"):
        read_event("lay([red, red, red, red])", game, 1)


def test_nothing_is_appended_to_a_list_that_is_full() -> None:
    with pytest.raises(EvaluationError):
        worth("append(append(path, green), green)", ": List[Colour, 4]")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("path[1] = red", "a single place of a list cannot be assigned"),
        ("path += [red]", "`+=` does not work on a list"),
        ("path = path with [1] = blue", "`List[Colour, 4]` is not a map"),
        ("path = [1: red, else: blue]", "a list has no keys"),
        ("path = [red, red, red, red, red]", "here are 5 values, the list takes 4"),
        ("path = won[1]", "`path` must be `List[Colour, 4]`, but this is `List[Colour, 2]`"),
        ("path = append(path, 3)", "what `append` is given must be `Colour`, but this is `3..3`"),
        ("points[odd] = length({red})", "`length` takes a list, but this is `Set[Colour]`"),
        ("points[odd] = size(path)", "`size` takes a set or a bag, but this is `List[Colour, 4]`"),
        ("points[odd] = 1 if 3 in path else 2", "`3..3` can never be in `List[Colour, 4]`"),
        ("points[odd] = largest c in path: 1", "`largest` does not go through a list"),
    ],
)
def test_what_is_refused(line: str, message: str) -> None:
    text = GAME.replace("does phase = over", f"does\n        {line}\n        phase = over")
    errors = [e.message for e in check_text("l.rules", text).diagnostics if e.severity == "error"]
    assert errors[:1] == [message]


@pytest.mark.parametrize(
    ("type", "message"),
    [
        ("List[Colour, 0]", "a list of at most 0 values is always empty"),
        ("List[Set[Colour], 2]", "a list cannot hold `Set[Colour]`"),
        ("List[Int, 2]", "a list cannot hold `Int`"),
    ],
)
def test_lists_there_are_not(type: str, message: str) -> None:
    text = GAME.replace("    nothing: List[1..9, 2] = []\n", f"    nothing: {type}\n")
    errors = [e.message for e in check_text("l.rules", text).diagnostics if e.severity == "error"]
    assert errors[:1] == [message]


def test_a_list_is_known_to_have_its_values_first() -> None:
    game = instance('move lay(way: List[Colour, 3]) by p in play "lay"\n    does path = []\n')
    claims = [each.name for each in game.spec.properties]
    assert claims == ["path_in_order", "nothing_in_order", "pile_in_order", "won_in_order"]
    labels = [each.label for each in game.transitions["lay"].requirements]
    assert labels == ["lay.phase", "lay.in_order"]


def test_the_name_of_what_it_is_known_for_is_taken() -> None:
    text = GAME + "invariant path_in_order: true\n"
    errors = [e.message for e in check_text("l.rules", text).diagnostics if e.severity == "error"]
    assert errors == ["`path_in_order` is what the list `path` is known for"]


def test_a_loop_goes_through_a_list_as_it_was() -> None:
    from rulewright.play.semantics.event import Event
    from rulewright.play.semantics.rules import apply

    text = (
        "move clear by p in play\n    does\n"
        "        for q: Player, c in won[q]:\n            won[q] = []\n"
        "            path = append(path, c)\n"
        "        for c in path:\n            path = drop(path, 1)\n            points[odd] += 1\n"
        "        phase = over\n"
    )
    game = instance(text)
    start = initial_position(game)
    ended = apply(game, start, Event("clear", 1, {}))[-1].after
    assert ended["points"]["odd"] == 5
    assert write(ended["path"], game.variables["path"].type, game) == "[]"


def test_a_list_of_what_there_is_not_is_a_message() -> None:
    state = "    each Player\n        odd: List[Nonsense, 2] = [1]\n"
    checked = check_text("listing.rules", GAME.replace("    each Player\n", state))
    assert [each.code for each in checked.diagnostics] == ["RW104"]
