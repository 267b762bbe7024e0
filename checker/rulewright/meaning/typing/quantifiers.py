"""What quantifiers and folds come out as: their kind and the range of their value."""

from __future__ import annotations

from rulewright.diagnostics import Messages
from rulewright.meaning import core as c
from rulewright.meaning import ranges
from rulewright.meaning import types as y
from rulewright.meaning.checks.size_limits import listable, within_digits
from rulewright.meaning.typing.lists import is_gone_through
from rulewright.syntax import tree as t
from rulewright.syntax.node import Node, Span


class Binders(Node):
    """Bound names and the condition that narrows them."""

    all: tuple[c.Binder, ...]
    where: c.Expr | None

    def counts(self) -> tuple[int, int | None]:
        """How many choices there are at the least and at the most."""
        least, most = 1, 1
        limited = True
        for binder in self.all:
            size = y.most_values(binder.type)
            if size is None:
                limited = False
            else:
                most *= size
            if binder.low is not None and binder.high is None:
                least = 0
                if isinstance(binder.low.type, y.Option):
                    most = most // size if size else most
            elif binder.high is not None:
                least = 0
            elif isinstance(binder.type, y.Player):
                least *= binder.type.least
            else:
                least *= size or 0
        return (0 if self.where is not None else least), (most if limited else None)


def _listed(binder: c.Binder) -> bool:
    """Whether all values of a type are gone through, and not those of a set or between two
    numbers."""
    return binder.low is None and binder.high is None


def range_of_sum(binders: Binders, each: y.Int) -> y.Int:
    """The range of a sum of numbers, one for each choice of the binders."""
    least, most = binders.counts()
    if most is None or not least:
        return ranges.repeated(each, most)
    low = None if each.low is None else min(each.low * least, each.low * most)
    return y.Int(low, None if each.high is None else max(each.high * least, each.high * most))


def element_type(kind: str, binders: Binders, messages: Messages) -> y.Type:
    """The type of the element that is looked for: of one name, a single value, perhaps none."""
    only = binders.all[-1]
    if is_gone_through(binders.all):
        messages.error(
            "RW202", only.span, f"`{kind}` does not go through a list",
            f"go through the set of its elements: `{kind} x in {{each y in ...}}: ...`",
        )  # fmt: skip
        return y.BROKEN
    only = binders.all[0]
    if len(binders.all) > 1:
        messages.error(
            "RW202", binders.all[1].span, f"`{kind}` looks for one element, these are more",
            f"give one name: `{kind} x: T: ...`",
        )  # fmt: skip
        return y.BROKEN
    if only.type != y.BROKEN and not isinstance(only.type, y.Int | y.Player | y.Enum | y.Grid):
        messages.error(
            "RW201", only.span, f"`{kind}` looks for a single value, but this is "
            f"`{y.show(only.type)}`", "go through numbers, names, players or squares",
        )  # fmt: skip
        return y.BROKEN
    return only.type if only.type == y.BROKEN else y.Option(only.type)


def best(e: t.Quantify, binders: Binders, body: c.Expr, messages: Messages) -> c.Expr:
    """`largest x: T: e` is the first `x` whose `e` is the largest: `first` and `max` put together.
    A whole type has such an element for sure; else it may be `none`."""
    span, kind = e.span, "max" if e.kind == "largest" else "min"
    found = element_type(e.kind, binders, messages)
    fold, extreme = fold_type(kind, span.start, binders, body, messages)
    if y.BROKEN in (found, extreme):
        return c.Literal(span, y.BROKEN, None)
    most = c.Quantify(span, extreme, fold, binders.all, binders.where, body)
    name = f"{binders.all[0].name} {e.kind}"
    reached = c.Binary(span, y.BOOL, "equal", body, c.Local(span, extreme, name))
    first = c.Quantify(span, found, "first", binders.all, binders.where, reached)
    if isinstance(extreme, y.Option):
        return c.Let(span, found, name, most, first)
    whole = binders.all[0].type
    any_one = c.Literal(span, whole, y.values(whole, 1)[0])
    return c.Let(span, whole, name, most, c.Otherwise(span, whole, first, any_one))


def fold_type(
    kind: str, start: int, binders: Binders, body: c.Expr, messages: Messages
) -> tuple[str, y.Type]:
    """The core kind of a fold that is written at some place, and its type."""
    if not all(listable(each.type, each.span, messages) for each in binders.all if _listed(each)):
        return kind, y.BROKEN
    if kind in ("all", "some"):
        return kind, y.BOOL
    if kind == "count":
        return kind, y.Int(0, binders.counts()[1])
    if kind == "first":
        return kind, element_type(kind, binders, messages)
    match kind, body.type:
        case _, y.ErrorType():
            return kind, y.BROKEN
        case "sum", y.Bag():
            return "bag_sum", body.type
        case "sum", y.Int() as each:
            return kind, within_digits(range_of_sum(binders, each), body.span, messages)
        case "min" | "max", y.Int():
            return kind, body.type if binders.counts()[0] else y.Option(body.type)
        case _:
            wanted = "numbers or bags" if kind == "sum" else "numbers"
            counts = kind == "sum" and body.type == y.BOOL
            messages.error(
                "RW201", body.span, f"`{kind}` works on {wanted}, but this is "
                f"`{y.show(body.type)}`", "to ask how many, use `count`",
                (Span(start, start + len(kind)), "count") if counts else None,
            )  # fmt: skip
            return kind, y.BROKEN
