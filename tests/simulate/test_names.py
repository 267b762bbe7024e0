"""Names of a spec: any alphabet, none mixed up, none of them ever code of ours."""

from __future__ import annotations

import ast
from pathlib import Path

from rulewright.simulate.compiled.compiled_game import CompiledGame
from tests.play.games import small


def test_names_that_differ_in_letters_python_does_not_know_are_not_mixed_up():
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
    machine = CompiledGame(instance)
    state = machine.begin()
    one, other = machine.numbers["_0"], machine.numbers["é"]
    state = machine.apply(machine.apply(state, (one, 1)), (other, 1))
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
    machine = CompiledGame(small(text, 2))
    state = machine.begin()
    for number, name in enumerate(names, 1):
        before = machine.position(state)["done"]
        state = machine.apply(state, (machine.numbers[name], 1))
        assert machine.position(state)["done"] == {**before, number: 1}


ALLOWED = {
    "checker/rulewright/syntax/node.py": {"exec"},  # made from a count and nothing else
}


def test_text_of_a_spec_never_becomes_code():
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
