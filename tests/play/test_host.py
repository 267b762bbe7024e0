"""Generated text is made of a closed set of words, and whatever a spec says, it stays so."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from checker.conform.rendering import StateWriting, event_writer
from checker.play.compile import host
from checker.play.compiled import Machine
from checker.play.instance import Instance
from checker.syntax.node import Node, Span
from tests.play.games import game, small

MARK = "zqxj"
HOSTILE = (
    f"\rimport os; os.abort()#{MARK}",
    f"\nimport os; os.abort()#{MARK}\n",
    f'"""{MARK}',
    f"'+__import__('os').abort()+'{MARK}",
    f"{MARK}){{}}[]\\",
    f"__class__{MARK}",
    f"{MARK}{{0.__class__}}{{weight}}",
    f"\u2028{MARK}\x00\x1b[2J\ud800",
)


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "exec(s)",
        "s.__class__",
        "s . __class__",
        "v1 = 'text'",
        'v1 = "text"',
        "v1 = s  # comment",
        "v1 = s\rv2 = s",
        "v1 = s; v2 = s",
        "v1 = s\\\n[0]",
        "v\u00e9 = 1",
        "v1 = getattr(s, v2)",
        "v1 = ｓ",
        "v1 = 0x10",
        "v1 = s.",
        "v1 = s.pop()",
        "lambda: 1",
        "from os import path",
        "v1 = `s`",
        "\x0cv1 = s",
        "\tv1 = s",
        "v1 = __builtins__",
        "do_something(s)",
    ],
)
def test_text_with_anything_else_in_it_is_refused(text: str):
    namespace: dict[str, Any] = {}
    with pytest.raises(host.Refused):
        host.run(text, namespace)
    assert namespace == {}, "Python has not seen it"


def test_python_gives_generated_code_nothing_but_what_is_named():
    namespace: dict[str, Any] = {}
    host.run("v1 = len((1, 2))", namespace)
    assert namespace["v1"] == 2
    assert set(namespace["__builtins__"]) == set(host.BUILT_IN)


def test_strings_never_become_text():
    namespace: dict[str, Any] = {}
    hostile = "'); import os; os.abort() #\n"
    host.run("v1 = {constant_0: 1}", namespace, {"constant_0": hostile})
    assert namespace["v1"] == {hostile: 1}


def strings(node: Any) -> Iterator[str]:
    """Every string in the core of a spec."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, Node):
        for field in node._fields:
            yield from strings(getattr(node, field))
    elif isinstance(node, tuple | frozenset):
        for each in node:
            yield from strings(each)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from strings(key)
            yield from strings(value)


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """The core with other strings."""
    if isinstance(node, str):
        return names.get(node, node)
    if isinstance(node, Span):
        return node
    if isinstance(node, Node):
        return type(node)(*(renamed(getattr(node, field), names) for field in node._fields))
    if isinstance(node, tuple):
        return tuple(renamed(each, names) for each in node)
    if isinstance(node, frozenset):
        return frozenset(renamed(each, names) for each in node)
    if isinstance(node, dict):
        return {renamed(key, names): renamed(value, names) for key, value in node.items()}
    return node


OURS = frozenset(
    """move chance step invariant always possible final phase answered score wins up right down left
    occupied tally components size abs min max left_of right_of column row square not and or implies
    add subtract multiply divide remainder negate equal unequal less less_equal greater
    greater_equal member bag_member union difference common subset proper_subset sub_bag
    proper_sub_bag bag_union bag_common bag_difference all some count sum bag_sum""".split()  # noqa: SIM905 - easier to read
)
"""Words that mean something to the program wherever they stand in the core."""


@pytest.mark.parametrize("round", range(len(HOSTILE)))
@pytest.mark.parametrize("name", ["qwixx", "pig", "twenty_one"])
def test_no_string_of_a_spec_reaches_generated_text(name: str, round: int):
    """Every string of the core is made hostile: names, prose, labels, terms, titles."""
    instance = game(name, 2)
    words = [each for each in dict.fromkeys(strings(instance.spec)) if each and not _is_ours(each)]
    assert len(words) > 60
    hostile = {
        word: f"{HOSTILE[(number + round) % len(HOSTILE)]}{number}"
        for number, word in enumerate(words)
    }
    machine = Machine(Instance(renamed(instance.spec, hostile), 2))
    machine.scores(machine.begin())
    machine.broken_claims("invariant", machine.begin(), machine.begin())
    text = machine.generated.source
    host.look(text)
    assert MARK not in text
    StateWriting(machine.layout).writer(tuple(machine.layout.slots))
    for number, transition in enumerate(machine.transitions):
        assert transition.name in hostile.values()
        write = event_writer(transition, machine.layout)
        if not transition.params:
            assert write((number, 1))[transition.kind] == transition.name


def _is_ours(word: str) -> bool:
    return word in OURS or word.startswith("case ")


def test_names_that_differ_in_letters_python_does_not_know_are_not_mixed_up():
    """`é` and `_0` once were the same name in generated code, and shared one function."""
    instance = small(
        """
        phase play, over final
        state
            first: 0..9 = 0
            second: 0..9 = 0
        move _0 by p in play
            needs low "low": first < 9
            does first += 1
        move é by p in play
            needs low "low": second < 9
            does second += 2
        """
    )
    machine = Machine(instance)
    state = machine.begin()
    one, other = machine.numbers["_0"], machine.numbers["é"]
    machine.apply(state, (one, 1))
    machine.apply(state, (other, 1))
    position = machine.position(state)
    assert (position["first"], position["second"]) == (1, 2)


def test_a_spec_with_names_of_many_alphabets_plays():
    names = ["é", "_0", "è", "ö", "_", "__0", "þ", "ß", "ﬁ", "数", "v1", "do_0", "len", "exec"]
    moves = "\n".join(
        f'move {name} by p in play\n    needs one "one": done[{number}] == 0\n'
        f"    does done[{number}] = 1"
        for number, name in enumerate(names, 1)
    )
    text = f"phase play, over final\nstate\n    done[1..{len(names)}]: 0..1 = 0\n{moves}\n"
    machine = Machine(small(text, 2))
    state = machine.begin()
    for number, name in enumerate(names, 1):
        before = machine.position(state)["done"]
        machine.apply(state, (machine.numbers[name], 1))
        assert machine.position(state)["done"] == {**before, number: 1}


ALLOWED = {
    "checker/play/compile/host.py": {"exec", "compile"},
    "checker/syntax/node.py": {"exec"},  # made from a count and nothing else
    "checker/front.py": {"__import__"},  # of a name that stands there
}


def test_text_becomes_code_in_one_place_only():
    root = Path(__file__).parent.parent.parent
    found: dict[str, set[str]] = {}
    for path in (root / "checker").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="exec" | "eval" | "compile" | "__import__" as name)):
                    found.setdefault(path.relative_to(root).as_posix(), set()).add(name)
                case ast.keyword(arg="shell"):
                    found.setdefault(path.relative_to(root).as_posix(), set()).add("shell")
                case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="system" | "popen")):
                    found.setdefault(path.relative_to(root).as_posix(), set()).add("system")
                case _:
                    pass
    assert found == ALLOWED
