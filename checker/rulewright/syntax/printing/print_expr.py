"""Expressions and types in the language's own syntax, without needless parentheses.

Follows the levels of grammar/rules.lark: a part stands in parentheses where it binds looser than
its place asks for. A quantifier or `let` reaches as far right as it can, so it stands bare only
where nothing that it could take in follows. Two kinds of parentheses are there for the reader:
around `and` within `or`, and around a quantifier within arithmetic or a comparison. Where lines
may break is said here, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.syntax import tree as t
from rulewright.syntax.parsing.lexer import SUBJECT_FOLLOWS
from rulewright.syntax.printing.pretty import (
    INDENT,
    SPACE,
    UNBROKEN,
    Concat,
    Doc,
    Group,
    Hang,
    Nest,
    Packed,
    bracketed,
    concat,
    enclosed,
    flat,
    hanging,
    joined,
    separated,
    width_of,
)

(
    EXPR, IMPLIES, OR, AND, NOT, COMPARE, ADD, MULTIPLY, PREFIX, FALLBACK, UPDATE, POSTFIX, ATOM
) = range(13)  # fmt: skip
"""The levels of the grammar, loosest first."""

_BINARY = {
    "implies": IMPLIES, "or": OR, "and": AND,
    "==": COMPARE, "!=": COMPARE, "<": COMPARE, "<=": COMPARE, ">": COMPARE, ">=": COMPARE,
    "in": COMPARE, "not in": COMPARE,
    "+": ADD, "-": ADD, "&": ADD,
    "*": MULTIPLY, "/": MULTIPLY, "%": MULTIPLY,
}  # fmt: skip
_LEVELS: dict[type, int] = {
    t.Between: COMPARE, t.Choose: EXPR, t.Match: PREFIX, t.NextSeat: PREFIX,
    t.Quantify: PREFIX, t.Let: PREFIX, t.Otherwise: FALLBACK, t.Updated: UPDATE,
    t.Index: POSTFIX, t.Member: POSTFIX,
}  # fmt: skip
_GREEDY = (t.Quantify, t.Let, t.NextSeat)
_BRACKETED = (t.Call, t.Match, t.SetOf, t.SetEach, t.ListOf, t.MapOf, t.MapEach)


def format_expr(expr: t.Expr) -> str:
    """An expression on one line."""
    return flat(expression(expr))


def expression(expr: t.Expr, least: int = EXPR, last: bool = True) -> Doc:
    """An expression where the grammar asks for level `least`; `last` if no operator follows."""
    doc = _PHRASES[type(expr)]
    if _level(expr) < least or (not last and isinstance(expr, _GREEDY)):
        return enclosed("(", doc(expr, True), ")")
    return doc(expr, last)


def after(expr: t.Expr) -> Doc:
    """An expression after `=` or `:`, on the next line if it is too long for this one."""
    return Hang(expression(expr), hug=isinstance(expr, _BRACKETED))


def condition(expr: t.Expr) -> Doc:
    """An expression before the `:` of a block; where it breaks, the block must still stand out."""
    doc = expression(expr)
    return Nest(doc, 2 * INDENT if isinstance(doc, _Chain) else INDENT)


def _level(expr: t.Expr) -> int:
    """How tightly an expression binds."""
    if isinstance(expr, t.Binary):
        return _BINARY[expr.operator]
    if isinstance(expr, t.Unary):
        return NOT if expr.operator == "not" else PREFIX
    if isinstance(expr, t.Number) and expr.value < 0:
        return PREFIX
    return _LEVELS.get(type(expr), ATOM)


# ---- operators


class _Chain(Group):
    """Operands and operators, broken before the operators."""

    __slots__ = ()


def _operand(doc: Doc) -> Doc:
    """A part of a chain: a chain in its turn is indented where it breaks; brackets and
    quantifiers see to that themselves."""
    return Nest(doc) if isinstance(doc, _Chain) else doc


def _chain(parts: list[Doc]) -> Doc:
    """An operand, then operators with their operands; each on a line of its own if too long."""
    if all(isinstance(part, str) for part in parts) and sum(map(width_of, parts)) <= UNBROKEN:
        return " ".join(parts)  # type: ignore[arg-type]
    pieces: list[Doc] = [_operand(parts[0])]
    for operator, operand in zip(parts[1::2], parts[2::2]):
        pieces += (SPACE, operator, " ", _operand(operand))
    return _Chain(Concat(pieces))


def _binary(expr: t.Binary, last: bool) -> Doc:
    level = _BINARY[expr.operator]
    if level == IMPLIES:
        return _implication(expr, last)
    if level == COMPARE:
        left, right = expression(expr.left, ADD, False), expression(expr.right, ADD, False)
        return _chain([left, expr.operator, right])
    parts: list[Doc] = []
    here: t.Expr = expr
    bare = last and level < COMPARE
    least = NOT if level == OR else level + 1
    while isinstance(here, t.Binary) and _BINARY[here.operator] == level:
        parts += (expression(here.right, least, bare), here.operator)
        here, bare = here.left, False
    parts.append(expression(here, least, False))
    parts.reverse()
    return _chain(parts)


def _implication(expr: t.Binary, last: bool) -> Doc:
    parts: list[Doc] = []
    here: t.Expr = expr
    while isinstance(here, t.Binary) and here.operator == "implies":
        parts += (expression(here.left, OR, False), "implies")
        here = here.right
    parts.append(expression(here, IMPLIES, last))
    return _chain(parts)


def _unary(expr: t.Unary, last: bool) -> Doc:
    word, level = ("not ", NOT) if expr.operator == "not" else ("-", PREFIX)
    signs = word
    operand = expr.operand
    while isinstance(operand, t.Unary) and operand.operator == expr.operator:
        signs += word
        operand = operand.operand
    return concat(signs, _operand(expression(operand, level, last)))


def _choose(expr: t.Choose, last: bool) -> Doc:
    pieces: list[Doc] = []
    here: t.Expr = expr
    while isinstance(here, t.Choose):
        then = expression(here.then, IMPLIES, False)
        condition = expression(here.condition, IMPLIES, True)
        pieces += (_chain([then, "if", condition]), SPACE, "else ")
        here = here.otherwise
    pieces.append(_operand(expression(here, EXPR, last)))
    return _Chain(Concat(pieces))


def _otherwise(expr: t.Otherwise, last: bool) -> Doc:
    parts: list[Doc] = []
    here: t.Expr = expr
    while isinstance(here, t.Otherwise):
        parts += (expression(here.value, UPDATE), "otherwise")
        here = here.default
    parts.append(expression(here, FALLBACK))
    return _chain(parts)


def _updated(expr: t.Updated, last: bool) -> Doc:
    parts: list[Doc] = []
    here: t.Expr = expr
    while isinstance(here, t.Updated):
        keys = bracketed("[", list(map(expression, here.keys)), "]")
        parts += (concat(keys, " = ", expression(here.value, POSTFIX)), "with")
        here = here.map
    parts.append(expression(here, UPDATE))
    parts.reverse()
    return _chain(parts)


def _postfix(expr: t.Index | t.Member, last: bool) -> Doc:
    parts: list[Doc] = []
    here: t.Expr = expr
    while True:
        match here:
            case t.Index(map=map_, keys=keys):
                parts.append(bracketed("[", list(map(expression, keys)), "]"))
                here = map_
            case t.Member(record=record, field=field):
                parts.append(f".{field.text}")
                here = record
            case _:
                break
    parts.append(expression(here, POSTFIX))
    parts.reverse()
    return joined(parts)


# ---- quantifiers and `let`


def binders(over: t.Binders) -> Doc:
    """What a quantifier ranges over, and the condition that narrows it."""
    each = separated([_binder(binder) for binder in over.binders], pack=True)
    if over.where is None:
        return each
    return Group(Concat((each, SPACE, "where ", _operand(expression(over.where)))))


def _binder(binder: t.TypedBinder | t.DrawnBinder) -> Doc:
    if isinstance(binder, t.TypedBinder):
        return f"{', '.join(name.text for name in binder.names)}: {format_type(binder.type)}"
    names = f"{', '.join(name.text for name in binder.names)} in "
    if binder.domain.high is None:
        return concat(names, expression(binder.domain.low, ADD))
    return concat(names, _range(binder.domain.low, binder.domain.high))


def _range(low: t.Expr, high: t.Expr) -> Doc:
    """From one number to another, with room around the dots where one of them is long."""
    tight = _level(low) >= POSTFIX and _level(high) >= POSTFIX
    return concat(
        expression(low, ADD, False), ".." if tight else " .. ", expression(high, ADD, False)
    )


def _between(expr: t.Between, last: bool) -> Doc:
    value = expression(expr.value, ADD, False)
    return _chain([value, "not in" if expr.outside else "in", _range(expr.low, expr.high)])


def _match(expr: t.Match, last: bool) -> Doc:
    arms = [concat(_chain(_or(arm.values)), ": ", expression(arm.result)) for arm in expr.arms]
    if expr.default is not None:
        arms.append(concat("else: ", expression(expr.default)))
    subject = expression(expr.subject, ADD, False)
    if not SUBJECT_FOLLOWS.match(" " + flat(subject)):
        subject = enclosed("(", subject, ")")
    return concat("match ", subject, " ", bracketed("{", arms, "}"))


def _or(values: tuple[t.Expr, ...]) -> list[Doc]:
    parts = [expression(values[0], ADD, False)]
    for each in values[1:]:
        parts += ("or", expression(each, ADD, False))
    return parts


def _quantify(expr: t.Quantify, last: bool) -> Doc:
    over = Nest(binders(expr.binders), 2 * INDENT)
    body = Nest(Concat((SPACE, expression(expr.body))))
    return Group(Concat((f"{expr.kind} ", over, ":", body)))


def _let(expr: t.Let, last: bool) -> Doc:
    parts = [concat(f"{each.name.text} = ", expression(each.value)) for each in expr.bindings]
    body = Nest(Concat((SPACE, expression(expr.body))))
    return Group(Concat(("let ", Nest(separated(parts), 2 * INDENT), ":", body)))


def _next_seat(expr: t.NextSeat, last: bool) -> Doc:
    seat = concat(f"next {expr.name.text} after ", expression(expr.after, ADD, last=False))
    where = Nest(Concat((SPACE, "where ", Nest(expression(expr.where)))))
    return Group(Concat((seat, where)))


# ---- atoms


def arguments(given: tuple[t.Argument, ...]) -> Doc:
    """Arguments in their parentheses."""
    return bracketed("(", list(map(_argument, given)), ")")


def _argument(argument: t.Argument) -> Doc:
    if isinstance(argument, t.Keyword):
        return concat(f"{argument.name.text} = ", expression(argument.value))
    return expression(argument)


def _call(expr: t.Call, last: bool) -> Doc:
    return concat(expr.function.text, arguments(expr.arguments))


def _set_of(expr: t.SetOf, last: bool) -> Doc:
    return bracketed("{", list(map(expression, expr.elements)), "}")


def _list_of(expr: t.ListOf, last: bool) -> Doc:
    return bracketed("[", list(map(expression, expr.values)), "]")


def _map_of(expr: t.MapOf, last: bool) -> Doc:
    entries = [concat(expression(e.key), ": ", expression(e.value)) for e in expr.entries]
    if expr.default is not None:
        entries.append(concat("else: ", expression(expr.default)))
    return bracketed("[", entries, "]")


def _each(opening: str, over: t.Binders, element: t.Expr | None, closing: str) -> Doc:
    content = concat("each ", Nest(binders(over)))
    if element is not None:
        content = concat(content, ":", hanging(expression(element)))
    return enclosed(opening, content, closing)


def _number(expr: t.Number, last: bool) -> Doc:
    return str(expr.value)


def _name(expr: t.Name, last: bool) -> Doc:
    return expr.text


_PHRASES: dict[type, Callable[[Any, bool], Doc]] = {
    t.Name: _name,
    t.Number: _number,
    t.Unary: _unary,
    t.Binary: _binary,
    t.Between: _between,
    t.Choose: _choose,
    t.Match: _match,
    t.Quantify: _quantify,
    t.Let: _let,
    t.NextSeat: _next_seat,
    t.Otherwise: _otherwise,
    t.Updated: _updated,
    t.Index: _postfix,
    t.Member: _postfix,
    t.Call: _call,
    t.SetOf: _set_of,
    t.SetEach: lambda e, last: _each("{", e.binders, e.element, "}"),
    t.ListOf: _list_of,
    t.MapOf: _map_of,
    t.MapEach: lambda e, last: _each("[", e.binders, e.value, "]"),
}


# ---- types


def format_type(type_: t.TypeBody) -> str:
    """A type on one line."""
    match type_:
        case t.NamedType(name=name):
            return name.text
        case t.RangeType(low=low, high=high):
            return f"{expression(low)}..{expression(high)}"
        case t.OptionalType(inner=inner):
            return f"{format_type(inner)}?"
        case t.CollectionType(kind=kind, element=element):
            return f"{kind}[{format_type(element)}]"
        case t.ListType(element=element, most=most):
            return f"List[{format_type(element)}, {format_expr(most)}]"
        case t.GridType(width=width, height=height, hex=hex):
            return f"{'hexes' if hex else 'grid'} {width} x {height}"
        case t.CasesType(cases=cases):
            return " | ".join(map(_case, cases))


def type_body(type_: t.TypeBody) -> Doc:
    """A type after `=`; too many cases for one line fill several, or with fields have one each."""
    if not isinstance(type_, t.CasesType):
        return concat(" ", format_type(type_))
    plain = not any(case.fields for case in type_.cases)
    first, *rest = map(_case, type_.cases)
    parts: list[Doc] = [SPACE, first]
    for case in rest:
        parts += (Packed(len(case) + 2) if plain else SPACE, f"| {case}")
    return Group(Nest(Concat(parts)))


def _case(case: t.Case) -> str:
    if not case.fields:
        return case.name.text
    fields = (f"{field.name.text}: {format_type(field.type)}" for field in case.fields)
    return f"{case.name.text}({', '.join(fields)})"


def declarator(declared: t.Declarator) -> str:
    """`name[Index, ...]: Type`."""
    indices = ", ".join(map(format_type, declared.indices))
    index = f"[{indices}]" if indices else ""
    hidden = " hidden" if declared.hidden else ""
    return f"{declared.name.text}{index}: {format_type(declared.type)}{hidden}"
