"""Calls: of functions, of cases with fields, of squares by their column and row, of `old`.

`arguments` matches what is given with what is asked for, by place and by name, for everything
that has parameters.
"""

from __future__ import annotations

from rulewright.diagnostics import Suggestion
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.symbol_table import BUILTIN_FUNCTIONS, suggestion
from rulewright.meaning.typing.builtins import call_builtin
from rulewright.syntax import tree as t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.names.scope import Scope
    from rulewright.meaning.typing.expressions import ExpressionElaborator
    from rulewright.syntax.node import Span

CALLED_ELSEWHERE = {
    "len": "size", "length": "size", "next": "left_of", "previous": "right_of", "maximum": "max",
    "minimum": "min",
}  # fmt: skip
"""Functions of other languages, and ours."""


def call(
    expressions: ExpressionElaborator, e: t.Call, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A call, by what its name stands for."""
    name = e.function.text
    if name == "old":
        return _old(expressions, e, scope, expected)
    function = expressions.names.refer("function", name, e.function.span)
    if function is not None:
        signature = expressions.declared.signature(name)
        values = arguments(expressions, e.span, name, signature.params, e.arguments, scope)
        if values is None or signature.type == y.BROKEN:
            return expressions.broken(e.span)
        return c.Call(e.span, signature.type, name, values, scope.in_old)
    if name in expressions.types.cases:
        return _case(expressions, e, scope)
    grid = expressions.types.declared.get(name)
    if isinstance(grid, y.Grid):
        expressions.names.refer("type", name, e.function.span)
        params = (c.Param(e.span, "column", y.INT), c.Param(e.span, "row", y.INT))
        values = arguments(expressions, e.span, name, params, e.arguments, scope)
        return c.Builtin(e.span, grid, "square", values) if values else expressions.broken(e.span)
    if name in BUILTIN_FUNCTIONS:
        return call_builtin(expressions, e, scope)
    for kind, help in (
        ("rule", "a rule is asked for with `needs`, not used in an expression"),
        ("effect", "an effect stands in `does`, not in an expression"),
    ):
        if expressions.names.find(kind, name) is not None:
            expressions.messages.error("RW203", e.function.span, f"`{name}` is a {kind}", help)
            return expressions.broken(e.span)
    expressions.messages.error(
        "RW101", e.function.span, f"there is no function `{name}`",
        suggestion(
            name, [*expressions.names.of("function"), *BUILTIN_FUNCTIONS, *expressions.types.cases],
            "declare it with `fun`",
        )
        if name not in CALLED_ELSEWHERE
        else Suggestion(f"did you mean `{CALLED_ELSEWHERE[name]}`?", CALLED_ELSEWHERE[name]),
    )  # fmt: skip
    return expressions.broken(e.span)


def _old(
    expressions: ExpressionElaborator, e: t.Call, scope: Scope, expected: y.Type | None
) -> c.Expr:
    if not scope.may_old or scope.in_old:
        expressions.messages.error(
            "RW208", e.span, "`old` has no meaning here",
            "it stands in `always` properties, and not inside another `old`",
        )  # fmt: skip
        return expressions.broken(e.span)
    if len(e.arguments) != 1 or isinstance(e.arguments[0], t.Keyword):
        expressions.messages.error("RW202", e.span, "`old` takes one value", "write `old(x)`")
        return expressions.broken(e.span)
    return expressions.infer(e.arguments[0], scope.old(), expected)


def _case(expressions: ExpressionElaborator, e: t.Call, scope: Scope) -> c.Expr:
    """A case with fields: a literal when its fields are, else looked up by them."""
    enum, case = expressions.types.cases[e.function.text]
    expressions.names.find("type", enum.name)
    case_name = f"{enum.name}.{case.name.text}"
    expressions.names.references.use(e.function.span, "case", case_name)
    params = tuple(
        c.Param(field.span, field.name.text, expressions.types.of(field.type))
        for field in case.fields
    )
    values = arguments(expressions, e.span, e.function.text, params, e.arguments, scope)
    if values is None:
        return expressions.broken(e.span)
    known = [value for value in values if isinstance(value, c.Literal)]
    if len(known) == len(values):
        member = " ".join(y.value_name(value.value) for value in known)
        member = member if member in enum.members else f"{case.name.text} {member}"
        if member in enum.members:
            return c.Literal(e.span, enum, member)
    return c.Builtin(e.span, enum, f"case {case.name.text}", values)


def arguments(
    expressions: ExpressionElaborator,
    span: Span,
    name: str,
    params: tuple[c.Param, ...],
    arguments: tuple[t.Argument, ...],
    scope: Scope,
) -> tuple[c.Expr, ...] | None:
    """The values for the parameters in their order, positional ones first; None if they do
    not match (reported)."""
    given: dict[str, t.Expr] = {}
    for position, argument in enumerate(arguments):
        if isinstance(argument, t.Keyword):
            key, value = argument.name.text, argument.value
            if key not in (param.name for param in params):
                known = [param.name for param in params]
                expressions.messages.error(
                    "RW202", argument.name.span, f"`{name}` has no parameter `{key}`",
                    suggestion(key, known, f"it takes {', '.join(known) or 'none'}"),
                )  # fmt: skip
                return None
            expressions.names.references.use_bound(
                argument.name.span, next(p.span.start for p in params if p.name == key)
            )
        elif position < len(params):
            key, value = params[position].name, argument
        else:
            expressions.messages.error(
                "RW202", argument.span, f"`{name}` takes {len(params)} values, "
                f"here are {len(arguments)}", _signature(name, params),
            )  # fmt: skip
            return None
        if key in given:
            expressions.messages.error(
                "RW202", argument.span, f"`{key}` is given twice", "remove one"
            )
            return None
        given[key] = value
    missing = [param.name for param in params if param.name not in given]
    if missing:
        expressions.messages.error(
            "RW202", span, f"`{name}` also needs `{'`, `'.join(missing)}`",
            _signature(name, params),
        )  # fmt: skip
        return None
    return tuple(
        expressions.check(given[param.name], scope, param.type, f"`{param.name}`")
        for param in params
    )


def _signature(name: str, params: tuple[c.Param, ...]) -> str:
    inside = ", ".join(f"{param.name}: {y.show(param.type)}" for param in params)
    return f"it is `{name}({inside})`"
