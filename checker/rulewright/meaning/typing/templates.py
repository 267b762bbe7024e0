"""Sentences with places for values: `"name {t} and guess {guess}"`.

A name in braces stands for a value that the sentence is said with, wherever the event is known that
it is about: in refusals, examples and games on pages. Elsewhere the name itself is read.
"""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.sentences import PLACE
from rulewright.meaning.names.symbol_table import suggestion
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.names.scope import Scope
    from rulewright.meaning.typing.expressions import ExpressionElaborator


def template(
    expressions: ExpressionElaborator, prose: t.Text | None, scope: Scope
) -> c.Template | None:
    """What is to be filled in, None if nothing is. A name that means nothing here is reported."""
    if prose is None or "{" not in prose.text:
        return None
    fills: dict[str, c.Fill] = {}
    for place in PLACE.finditer(prose.text):
        begin = prose.span.start + 1 + place.start(1)
        span = Span(begin, begin + len(place[1]))
        if place[1] not in scope.bound:
            known = ", ".join(f"`{each}`" for each in scope.bound) or "none"
            expressions.messages.error(
                "RW101", span, f"`{place[1]}` is not a name that this sentence can be said with",
                suggestion(
                    place[1], scope.bound,
                    f"in braces stands a parameter or who moves: here {known}",
                ),
            )  # fmt: skip
            continue
        value = expressions.infer(t.Name(span, place[1]), scope)
        if value.type != y.BROKEN:
            fills[place[1]] = c.Fill(span, place[1], value)
    return c.Template(prose.span, prose.text, tuple(fills.values())) if fills else None
