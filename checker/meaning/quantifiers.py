"""What quantifiers and folds come out as: their kind and the range of their value."""

from __future__ import annotations

from checker.meaning import core as c
from checker.meaning import ranges
from checker.meaning import types as y
from checker.meaning.bounds import listable, within_digits
from checker.message import Messages
from checker.syntax.node import Node


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


def fold_type(kind: str, binders: Binders, body: c.Expr, messages: Messages) -> tuple[str, y.Type]:
    """The core kind of a fold, and its type."""
    if not all(listable(each.type, each.span, messages) for each in binders.all if _listed(each)):
        return kind, y.BROKEN
    least, most = binders.counts()
    if kind in ("all", "some"):
        return kind, y.BOOL
    if kind == "count":
        return kind, y.Int(0, most)
    match kind, body.type:
        case _, y.Broken():
            return kind, y.BROKEN
        case "sum", y.Bag():
            return "bag_sum", body.type
        case "sum", y.Int() as each:
            total = ranges.repeated(each, most)
            if most is not None and least:
                low = None if each.low is None else min(each.low * least, each.low * most)
                high = None if each.high is None else max(each.high * least, each.high * most)
                total = y.Int(low, high)
            return kind, within_digits(total, body.span, messages)
        case "min" | "max", y.Int():
            return kind, body.type if least else y.Option(body.type)
        case _:
            wanted = "numbers or bags" if kind == "sum" else "numbers"
            messages.error(
                "RW201", body.span, f"`{kind}` works on {wanted}, but this is "
                f"`{y.show(body.type)}`", "to ask how many, use `count`",
            )  # fmt: skip
            return kind, y.BROKEN
