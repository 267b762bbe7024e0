"""The one place where generated text becomes Python code.

Text that the compiler writes is made of a closed set of words, of whole numbers and of a closed
alphabet: no quotes, no comments, no escapes, nothing of a spec. `run` refuses everything else
before Python sees it, so that a mistake of the compiler cannot become a way to run code for whoever
writes a spec. The code is given no built-in functions but those named here. Strings go in as
constants of the syntax tree, never as text.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from checker.play.compile import memory, runtime

Kind: TypeAlias = Literal[
    "answers", "claim", "constant", "effect", "fun", "near", "of_map", "recoded", "refusal",
    "stepping", "strays",
]  # fmt: skip
"""Kinds of names that a module gives out as it is written."""

BUILT_IN = (
    "abs", "bool", "dict", "enumerate", "frozenset", "int", "len", "range", "sorted", "tuple",
)  # fmt: skip
"""Python's own functions that generated code calls."""
KEYWORDS = (
    "False", "None", "True", "and", "as", "break", "continue", "def", "else", "except", "for",
    "from", "if", "in", "is", "not", "or", "pass", "raise", "return", "try", "while", "yield",
)  # fmt: skip
GIVEN = ("ELEMENTS", "ENDLESS", "EvaluationError", "STEPS", "begin", "due_step", "fail", "settle")
"""What a module is given, or has once."""
LOCAL = (
    "_", "attempt", "attempted", "before", "count", "each", "event", "found", "holds", "key", "map",
    "other", "out", "p", "phase", "players", "raised", "random", "s", "sizes", "square", "squares",
    "state", "step", "value", "was", "way", "write", "written",
)  # fmt: skip
"""Names within functions that are always the same."""
METHODS = frozenset(("append", "bit_count", "fromkeys", "get", "items", "values"))
FUNCTIONS = (
    "allows", "case", "check", "choose", "complete", "do", "draw", "movers", "moves", "outcomes",
    "propose", "size", "step", "step_on", "try", "write",
)  # fmt: skip
"""Kinds of functions; with the number of what they are for, and of a part of it, they are names."""

_WORDS = METHODS.union(BUILT_IN, KEYWORDS, GIVEN, LOCAL, runtime.__all__, memory.__all__)
_NAME = re.compile(
    rf"(?:{'|'.join((*FUNCTIONS, *get_args(Kind)))})_[0-9]+(?:_[0-9]+)?|v[0-9]+|[0-9]+"
)
_STRANGE = re.compile(r"[^A-Za-z0-9_ \n()\[\]{}:,.=<>!&|^~+*/%@-]")
_WORD = re.compile(r"\w+")
_METHOD = re.compile(r"\.\s*(\w*)")
_BUILTINS = {name: getattr(builtins, name) for name in BUILT_IN}


class Refused(Exception):  # noqa: N818 - a bug of ours: it ends the program with exit code 4
    """Generated text that is not made of what it may be made of."""


def run(text: str, namespace: dict[str, Any], strings: Mapping[str, str] | None = None) -> None:
    """Runs generated text in a namespace, after a look at every word of it. Names in `strings`
    stand for strings, which are put into the syntax tree in their place."""
    look(text)
    namespace["__builtins__"] = _BUILTINS
    code: Any = text
    if strings:
        code = _Strings(strings).visit(ast.parse(text))
    exec(compile(code, "<generated>", "exec"), namespace)


def look(text: str) -> None:
    """Refuses text with a character, a word or a method that is not among those above."""
    strange = _STRANGE.search(text)
    if strange is not None:
        raise Refused(f"generated code holds the character {strange.group()!r}")
    for word in set(_WORD.findall(text)):
        if word not in _WORDS and not _NAME.fullmatch(word):
            raise Refused(f"generated code holds the word {word!r}")
    for method in set(_METHOD.findall(text)):
        if method not in METHODS:
            raise Refused(f"generated code calls the method {method!r}")


class _Strings(ast.NodeTransformer):
    """Puts strings where their names stand."""

    def __init__(self, strings: Mapping[str, str]) -> None:
        self._strings = strings

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._strings:
            return node
        return ast.copy_location(ast.Constant(self._strings[node.id]), node)
