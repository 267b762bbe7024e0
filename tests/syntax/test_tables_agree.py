"""Our parser runs Lark's tables on its own; given the same tokens, Lark builds the same trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from lark import Lark, Tree
from lark import Token as LarkToken

from rulewright.diagnostics import Messages, Text
from rulewright.resources import grammar_path
from rulewright.syntax import tree as t
from rulewright.syntax.parsing import parser as parsing
from rulewright.syntax.parsing.lexer import Token
from rulewright.syntax.parsing.parse_tables import load_tables
from rulewright.syntax.parsing.tree_builder import ACTIONS
from rulewright.syntax.printing.formatter import format_spec
from tests.syntax import trees
from tests.syntax.tokens import read_tokens

ROOT = Path(__file__).parents[2]
SAMPLES = [
    *sorted((ROOT / "spec").rglob("*.rules")),
    *sorted((ROOT / "tests" / "golden" / "format").glob("*/expected.rules")),
]
TABLES = load_tables()
LARK = Lark(Path(grammar_path()).read_text("utf-8"), parser="lalr", start="declaration")


def lark_shapes(text: str) -> list[Any]:
    """What Lark makes of our tokens: nested lists of rule names, token texts and None."""
    shapes = []
    for reads in read_tokens(text, TABLES):
        parser = LARK.parse_interactive("")
        *tokens, end = [read.token for read in reads]
        for token in tokens:
            parser.feed_token(LarkToken(token.type, token.text))
        assert end.type == "$END"
        shapes.append(_shape(parser.feed_eof()))
    return shapes


def our_shapes(text: str) -> list[Any]:
    """The same of our parser, with its actions replaced by ones that only note their name."""
    noting = {name: _note(name) for name in ACTIONS}
    messages = Messages(Text("sample", text))
    with patch.object(parsing, "ACTIONS", noting):
        tree = parsing.parse(text, messages, TABLES)
    assert not messages.all, messages.all[0].message
    return [_shape(declaration) for declaration in tree.declarations]


def _note(name: str):
    return lambda span, children: Tree(name, children)


def _shape(value: Any) -> Any:
    match value:
        case Tree(data=name, children=children):
            return [str(name), *map(_shape, children)]
        case Token(text=text):
            return text
        case None:
            return None
        case _:
            return str(value)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_on_whole_files(sample: Path) -> None:
    text = sample.read_text("utf-8")
    assert our_shapes(text) == lark_shapes(text)


@pytest.mark.parametrize("kind", trees.DECLARATIONS, ids=lambda kind: kind.__name__)
def test_on_random_declarations(kind: type) -> None:
    @settings(deadline=None, max_examples=8, suppress_health_check=list(HealthCheck))
    @given(trees.node(t.Spec, trees.many(trees.DECLARATIONS[kind], 1, 2)))
    def law(spec: t.Spec) -> None:
        text = format_spec(spec)
        assert our_shapes(text) == lark_shapes(text)

    law()
