"""Reads a solver's values: S-expressions with `let` and abbreviations, as SMT-LIB has them.

An answer to `get-value` is a list of pairs, a term and its value, in the order in which they were
asked for; a solver may abbreviate what occurs twice. Where it leaves a formula in place of a truth,
as it does with quantifiers, the formula is closed, and a solver is asked whether it holds. What is
not a number or a truth in the end is an error, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

Tree: TypeAlias = "str | list[Tree]"
TOKEN = re.compile(r"\(|\)|\|[^|]*\||[^\s()|]+")


class UnreadableError(Exception):
    """A value that cannot be read back from a model."""


Holds: TypeAlias = "Callable[[str], bool | None]"
"""Whether a closed formula holds; None if that is not soon found out."""
FORMULAS = ("and", "or", "not", "=>", "forall", "exists", "=", "<", "<=", ">", ">=")


def read_values(said: str, names: Sequence[str], holds: Holds) -> dict[str, int]:
    """The values in an answer to get-value, in the order of the names; truths are 0 and 1."""
    answer, known = _unfolded(_parsed(said), {})
    if not isinstance(answer, list) or len(answer) != len(names):
        raise UnreadableError("a solver gave another number of values than was asked for")
    found = {}
    for name, pair in zip(names, answer):
        pair, inside = _unfolded(pair, known)
        if not isinstance(pair, list) or len(pair) != 2:
            raise UnreadableError("a solver gave a value in a form that is not known")
        found[name] = _number(pair[1], inside, holds)
    return found


def _closed(tree: Tree, known: Mapping[str, Tree]) -> Tree:
    """An expression with what its names stand for."""
    if not known:
        return tree
    return ["let", [[name, value] for name, value in known.items()], tree]


def _parsed(text: str) -> Tree:
    """The first expression of a text."""
    open_lists: list[list[Tree]] = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            open_lists.append([])
        elif token == ")":
            if len(open_lists) == 1:
                raise UnreadableError("a solver's answer closes what it did not open")
            done = open_lists.pop()
            open_lists[-1].append(done)
        else:
            open_lists[-1].append(token)
    if len(open_lists) != 1 or len(open_lists[0]) != 1:
        raise UnreadableError("a solver's answer is not one expression")
    return open_lists[0][0]


def _unfolded(tree: Tree, known: Mapping[str, Tree]) -> tuple[Tree, Mapping[str, Tree]]:
    """What stands inside `let`s, and what the names in it stand for."""
    while isinstance(tree, list) and len(tree) == 3 and tree[0] == "let":
        _, bindings, tree = tree
        if not isinstance(bindings, list):
            raise UnreadableError("a solver's `let` binds nothing")
        added: dict[str, Tree] = {}
        for each in bindings:
            if not (isinstance(each, list) and len(each) == 2 and isinstance(each[0], str)):
                raise UnreadableError("a solver's `let` is not understood")
            added[each[0]] = _closed(each[1], known)
        known = {**known, **added}
    return tree, known


def _number(tree: Tree, known: Mapping[str, Tree], holds: Holds) -> int:
    """A value as a number."""
    tree, known = _unfolded(tree, known)
    match tree:
        case "true" | "false":
            return int(tree == "true")
        case str() if tree in known:
            return _number(known[tree], {}, holds)
        case str() if re.fullmatch(r"\d+", tree):
            return int(tree)
        case str() if re.fullmatch(r"#b[01]+", tree):
            return int(tree[2:], 2)
        case str() if re.fullmatch(r"#x[0-9a-fA-F]+", tree):
            return int(tree[2:], 16)
        case ["-", value]:
            return -_number(value, known, holds)
        case ["ite", condition, one, other]:
            return _number(one if _number(condition, known, holds) else other, known, holds)
        case [str() as word, *_] if word in FORMULAS:
            held = holds(_text(_closed(tree, known)))
            if held is None:
                raise UnreadableError("a solver leaves open what a part of its position is")
            return int(held)
        case _:
            raise UnreadableError(f"a solver's value `{_text(tree)[:60]}` is not a number")


def _text(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(_text, tree))})"
