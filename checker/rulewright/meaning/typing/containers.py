"""Sets, bags, maps and cases with fields: as they are written, and what is looked up in them.

Braces are a set unless a bag is expected, square brackets a map whose keys are known from what is
expected or written out. A fault is reported once and what depends on it stays silent.
"""

from __future__ import annotations

from rulewright.diagnostics import Suggestion
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.symbol_table import suggestion
from rulewright.meaning.typing import lists
from rulewright.syntax import tree as t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.names.scope import Scope
    from rulewright.meaning.typing.expressions import ExpressionElaborator
    from rulewright.syntax.node import Span


def index(
    expressions: ExpressionElaborator, e: t.Index, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """What a map or bag has at some keys."""
    found = expressions.infer(e.map, scope)
    for key in e.keys:
        found = lookup(expressions, found, key, scope, e.span)
    return found


def lookup(
    expressions: ExpressionElaborator, found: c.Expr, key: t.Expr, scope: Scope, span: Span
) -> c.Expr:
    """What a map or bag has at a key; also the place an assignment writes to."""
    match found.type:
        case y.Map(key_type, value):
            at = expressions.infer(key, scope, key_type)
            if isinstance(at.type, y.Option) and isinstance(value, y.Option):
                expressions.fit(at, y.Option(key_type), "the key")
            else:
                at = expressions.fit(at, key_type, "the key")
            return c.Lookup(span, value, found, at)
        case y.Bag(element):
            at = expressions.check(key, scope, element, "what is counted")
            return c.BagCount(span, y.Int(0, None), found, at)
        case y.ErrorType():
            expressions.infer(key, scope)
            return found
        case y.Set():
            help = "ask whether something is in it: `x in ...`"
        case _:
            help = "only maps, tables and bags can be looked into with `[...]`"
    expressions.messages.error(
        "RW203", span, f"`{y.show(found.type)}` has no places to look up", help
    )
    return expressions.broken(span)


def updated(
    expressions: ExpressionElaborator, e: t.Updated, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A map with one place changed."""
    found = expressions.infer(e.map, scope, expected)
    return _update(expressions, found, e.keys, e.value, scope, e.span)


def _update(
    expressions: ExpressionElaborator,
    found: c.Expr,
    keys: tuple[t.Expr, ...],
    value: t.Expr,
    scope: Scope,
    span: Span,
) -> c.Expr:
    if not isinstance(found.type, y.Map) or isinstance(found.type, y.Seq):
        if found.type != y.BROKEN:
            expressions.messages.error(
                "RW203", found.span, f"`{y.show(found.type)}` is not a map",
                lists.OPERATIONS if isinstance(found.type, y.Seq)
                else "`with [...] = ...` changes one place of a map",
            )  # fmt: skip
        return expressions.broken(span)
    key = expressions.check(keys[0], scope, found.type.key, "the key")
    if len(keys) == 1:
        new = expressions.check(value, scope, found.type.value, "the value")
    else:
        inner = c.Lookup(span, found.type.value, found, key)
        new = _update(expressions, inner, keys[1:], value, scope, span)
    return c.Updated(span, found.type, found, key, new)


def member(
    expressions: ExpressionElaborator, e: t.Member, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A field of a case."""
    record = expressions.infer(e.record, scope)
    help: Suggestion | str | None
    fix: tuple[Span, str] | None = None
    if record.type == y.BROKEN:
        return record
    if isinstance(record.type, y.Enum):
        field = record.type.field(e.field.text)
        if field is not None:
            full = f"{record.type.name}.{field.name}"
            expressions.names.references.use(e.field.span, "field", full)
            return c.FieldOf(e.span, field.type, record, field.name)
        fields = [each.name for each in record.type.fields]
        help = suggestion(e.field.text, fields, f"its fields are {', '.join(fields)}")
        help = help if fields else "it has no fields"
    else:
        help = "only cases with fields have them"
        if isinstance(record.type, y.Option):
            help = "it may be `none`: open it with `some x in ...: x.field`"
        elif isinstance(record.type, y.Player) and e.field.text in expressions.names.owned:
            whose = expressions.messages.text.text[e.record.span.start : e.record.span.end]
            written = f"{e.field.text}[{whose}]"
            help, fix = f"write `{written}`", (e.span, written)
    expressions.messages.error(
        "RW203", e.field.span, f"`{y.show(record.type)}` has no field `{e.field.text}`", help, fix
    )
    return expressions.broken(e.span)


def set_of(
    expressions: ExpressionElaborator, e: t.SetOf, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A set or bag written out."""
    as_bag = isinstance(expected, y.Bag)
    hint = expected.element if isinstance(expected, y.Set | y.Bag) else None
    elements = [expressions.infer(each, scope, hint) for each in e.elements]
    element: y.Type = y.NEVER
    for each in elements:
        joined = y.join(element, each.type)
        if joined is None or not y.is_scalar(joined):
            expressions.messages.error(
                "RW201", each.span, f"`{y.show(each.type)}` cannot stand in this set",
                f"its elements are `{y.show(element)}`"
                if element != y.NEVER else "its elements are single values",
            )  # fmt: skip
            return expressions.broken(e.span)
        element = joined
    if as_bag:
        return c.BagOf(e.span, y.Bag(element), tuple(elements))
    return c.SetOf(e.span, y.Set(element), tuple(elements))


def set_each(
    expressions: ExpressionElaborator, e: t.SetEach, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A set or bag of what some names go through."""
    binders, inner = expressions.binders(e.binders, scope)
    hint = expected.element if isinstance(expected, y.Set | y.Bag) else None
    if e.element is not None:
        element = expressions.infer(e.element, inner, hint)
    elif _names(e.binders) == 1:
        only = binders.all[-1]
        element = c.Local(only.span, only.type, only.name)
    else:
        expressions.messages.error(
            "RW202", e.span, "which of these names are the elements?",
            "say it after a colon: `{each x: T, y: U where ...: x}`",
        )  # fmt: skip
        return expressions.broken(e.span)
    if element.type == y.BROKEN:
        return expressions.broken(e.span)
    kind = y.Bag if isinstance(expected, y.Bag) else y.Set
    return c.SetEach(e.span, kind(element.type), binders.all, binders.where, element)


def _names(binders: t.Binders) -> int:
    """How many names are written; going through a list takes one more that is not."""
    return sum(
        len(each.names) if isinstance(each, t.TypedBinder) else 1 + len(each.others)
        for each in binders.binders
    )


def list_of(
    expressions: ExpressionElaborator, e: t.ListOf, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A map written out in the order of its keys."""
    if isinstance(expected, y.Seq):
        return _list(expressions, e, scope, expected)
    if not isinstance(expected, y.Map):
        return _no_map(expressions, e, expected)
    given = [expressions.check(each, scope, expected.value, "a value") for each in e.values]
    if isinstance(expected.key, y.Player):
        keys: list[y.Value] = list(range(1, len(given) + 1))
    else:
        keys = y.values(expected.key, expressions.types.player.most)
    if len(keys) != len(given):
        expressions.messages.error(
            "RW202", e.span, f"here are {len(given)} values for {len(keys)} keys",
            f"give one for each of {y.show(expected.key)}, or name the keys: [key: value, ...]",
        )  # fmt: skip
        return expressions.broken(e.span)
    return c.MapOf(e.span, expected, tuple(keys), tuple(given), None)


def _list(expressions: ExpressionElaborator, e: t.ListOf, scope: Scope, expected: y.Seq) -> c.Expr:
    """A list written out, which may be shorter than the longest."""
    given = [expressions.check(each, scope, expected.element, "an element") for each in e.values]
    if len(given) > expected.most:
        expressions.messages.error(
            "RW202", e.span, f"here are {len(given)} values, the list takes {expected.most}",
            "leave some out, or give the list a larger length where it is declared",
        )  # fmt: skip
        return expressions.broken(e.span)
    nothing = c.Literal(e.span, y.NOTHING, None)
    return c.MapOf(e.span, expected, tuple(range(1, len(given) + 1)), tuple(given), nothing)


def map_of(
    expressions: ExpressionElaborator, e: t.MapOf, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A map written out key by key."""
    if not isinstance(expected, y.Map) or isinstance(expected, y.Seq):
        return _no_map(expressions, e, expected)
    keys: list[y.Value] = []
    given: list[c.Expr] = []
    for entry in e.entries:
        key = expressions.check(entry.key, scope, expected.key, "the key")
        if key.type == y.BROKEN:
            return key
        if not isinstance(key, c.Literal):
            expressions.messages.error(
                "RW213", entry.key.span, "the keys of a written map must be known",
                "use a value, or `m with [key] = value`",
            )  # fmt: skip
            return expressions.broken(e.span)
        if key.value in keys:
            expressions.messages.error(
                "RW102", entry.key.span, f"`{key.value}` has a value already", "remove one"
            )
        keys.append(key.value)
        given.append(expressions.check(entry.value, scope, expected.value, "a value"))
    default = None
    if e.default is not None:
        default = expressions.check(e.default, scope, expected.value, "a value")
    elif not isinstance(expected.key, y.Player):
        missing = [
            k for k in y.values(expected.key, expressions.types.player.most) if k not in keys
        ]
        if missing:
            expressions.messages.error(
                "RW202", e.span, f"no value is given for `{missing[0]}`",
                "give one for each key, or end with `else: value`",
            )  # fmt: skip
    return c.MapOf(e.span, expected, tuple(keys), tuple(given), default)


def _no_map(
    expressions: ExpressionElaborator, e: t.ListOf | t.MapOf, expected: y.Type | None
) -> c.Expr:
    if isinstance(expected, y.Seq):
        expressions.messages.error("RW201", e.span, "a list has no keys", lists.OPERATIONS)
    elif expected != y.BROKEN:
        inside = expressions.messages.text.text[e.span.start + 1 : e.span.end - 1]
        meant = isinstance(e, t.ListOf) and isinstance(expected, y.Set | y.Bag | None)
        expressions.messages.error(
            "RW201", e.span, "there is no map of known keys here for these values",
            "sets are written with braces: {a, b}", (e.span, f"{{{inside}}}") if meant else None,
        )  # fmt: skip
    return expressions.broken(e.span)


def map_each(
    expressions: ExpressionElaborator, e: t.MapEach, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A map made by going through a type."""
    binders, inner = expressions.binders(e.binders, scope)
    only = binders.all[0]
    if len(binders.all) > 1 or binders.where is not None or only.low is not None:
        expressions.messages.error(
            "RW202", e.span, "a map goes through one whole type",
            "write `[each k: T: value]`",
        )  # fmt: skip
        return expressions.broken(e.span)
    hint = expected.value if isinstance(expected, y.Map) else None
    value = expressions.infer(e.value, inner, hint)
    if y.BROKEN in (value.type, only.type):
        return expressions.broken(e.span)
    return c.MapEach(e.span, y.Map(only.type, value.type), only.name, value)
