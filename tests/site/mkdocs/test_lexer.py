"""Every bundled spec is coloured without a letter left over."""

from __future__ import annotations

import pytest

from tests.site.conftest import SPECS

pytest.importorskip("pygments")


@pytest.mark.parametrize("name", SPECS)
def test_every_letter_of_a_spec_has_a_colour(name):
    from pygments.token import Error

    from rulewright.site.mkdocs.lexer import RulesLexer

    text = SPECS[name].read_text("utf-8")
    tokens = list(RulesLexer(stripnl=False).get_tokens(text))
    assert [value for kind, value in tokens if kind is Error] == []
    assert "".join(value for _, value in tokens) == text


def test_declarations_prose_and_clauses_look_different():
    from pygments.token import Keyword, Name, String

    from rulewright.site.mkdocs.lexer import RulesLexer

    line = 'move hold by p in decide "keep the total" [turn.hold]\n'
    found = {value: kind for kind, value in RulesLexer().get_tokens(line)}
    assert found["move"] is Keyword.Declaration
    assert found["hold"] is Name.Function
    assert found['"keep the total"'] is String
    assert found["turn.hold"] is Name.Decorator
