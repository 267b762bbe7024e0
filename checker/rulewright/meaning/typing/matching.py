"""`match`: what a value comes to, by which it is.

Each arm names values, each value stands in one arm, and together they are all values of the type
unless there is an `else`. In the core it is a choice between the arms, the last one without asking.
"""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.names.scope import Scope
    from rulewright.meaning.typing.expressions import ExpressionElaborator

SHOWN = 3
"""So many values that no arm names are told."""


def match(
    expressions: ExpressionElaborator, e: t.Match, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """The choice between the arms, or a report of what is missing, double or of another type."""
    subject = expressions.infer(e.subject, scope)
    name, scope = scope.hold("matched")
    kinds = [_values(expressions, arm, subject.type, scope) for arm in e.arms]
    results: list[c.Expr] = []
    for written in [arm.result for arm in e.arms] + ([e.default] if e.default else []):
        hint = expected or (results[0].type if results else None)
        results.append(expressions.infer(written, scope, hint))
    broken = [subject, *results, *(value for kind in kinds for value in kind)]
    if any(each.type == y.BROKEN for each in broken) or not _complete(
        expressions, e, subject.type, kinds
    ):
        return expressions.broken(e.span)
    joined: y.Type = results[0].type
    for each in results[1:]:
        both = y.join(joined, each.type)
        if both is None:
            expressions.messages.error(
                "RW201", each.span,
                f"this is `{y.show(each.type)}`, the arms before are `{y.show(joined)}`",
                "all arms of a `match` must be of one type",
            )  # fmt: skip
            return expressions.broken(e.span)
        joined = both
    held = c.Local(e.subject.span, subject.type, name)
    result = results[-1]
    asked = list(zip(e.arms, kinds, results))
    for arm, values, value in reversed(asked if e.default else asked[:-1]):
        result = c.Choose(arm.span, joined, _one_of(held, values), value, result)
    return c.Let(e.span, joined, name, subject, result)


def _values(
    expressions: ExpressionElaborator, arm: t.Arm, type: y.Type, scope: Scope
) -> list[c.Expr]:
    """The values of an arm, which must be known."""
    found = []
    for written in arm.values:
        value = expressions.check(written, scope, type, "a value of this `match`")
        if value.type != y.BROKEN and not isinstance(value, c.Literal):
            expressions.messages.error(
                "RW213", written.span, "the values of a `match` must be known",
                "use a value, or `... if ... else ...`",
            )  # fmt: skip
            value = expressions.broken(written.span)
        found.append(value)
    return found


def _from_the_one_before(e: t.Match, arm: int, place: int) -> Span:
    """What goes with a value that stood before: its arm, if it is the only value there."""
    values = e.arms[arm].values
    if len(values) == 1:
        return Span(e.arms[arm - 1].span.end, e.arms[arm].span.end)
    if place:
        return Span(values[place - 1].span.end, values[place].span.end)
    return Span(values[0].span.start, values[1].span.start)


def _complete(
    expressions: ExpressionElaborator, e: t.Match, type: y.Type, kinds: list[list[c.Expr]]
) -> bool:
    """Whether each value of the type stands in one arm, or there is an `else` for the rest."""
    seen: set[object] = set()
    for arm, kind in enumerate(kinds):
        for place, value in enumerate(kind):
            assert isinstance(value, c.Literal)
            if value.value in seen:
                expressions.messages.error(
                    "RW102", value.span, f"`{_shown(value.value)}` stands in an arm before",
                    "remove it here", (_from_the_one_before(e, arm, place), ""),
                )  # fmt: skip
                return False
            seen.add(value.value)
    if e.default is not None:
        return True
    inner = type.inner if isinstance(type, y.Option) else type
    if not y.is_scalar(inner) or y.most_values(type) is None:
        expressions.messages.error(
            "RW202", e.span, f"no arms can name all values of `{y.show(type)}`",
            "end with `else: value`",
        )  # fmt: skip
        return False
    every = y.values(type, expressions.types.player.most)
    missing = [_shown(value) for value in every if value not in seen]
    if missing:
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        expressions.messages.error(
            "RW202", e.span, f"no arm is for `{'`, `'.join(missing[:SHOWN])}`{more}",
            "give an arm for each value, or end with `else: value`",
        )  # fmt: skip
    return not missing


def _shown(value: y.Value) -> str:
    return "none" if value is None else y.value_name(value)


def _one_of(held: c.Expr, values: list[c.Expr]) -> c.Expr:
    """Whether the value is one of some."""
    asked = [c.Binary(each.span, y.BOOL, "equal", held, each) for each in values]
    found = asked[-1]
    for each in reversed(asked[:-1]):
        found = c.Binary(each.span, y.BOOL, "or", each, found)
    return found
