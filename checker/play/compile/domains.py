"""Loops over what bound names range over.

A name that ranges over few values known beforehand is unrolled: its value is then known in the
body, and slots and tables become fixed places. Otherwise it becomes a Python loop, or for an
optional an `if`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import CHOICE, SUM, Code, Here

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

MOST_UNROLLED = 12
HEAVIEST_UNROLLED = 400
"""Nodes, all turns together."""

Body = Callable[[Here], None]


class Domains:
    """Puts loops into the code."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout

    def unrolled(
        self, binders: Sequence[c.Binder], weight: int, here: Here
    ) -> Iterator[Here] | None:
        """The place once for each choice, if there are few and all are known."""
        domains: list[list[Any]] = []
        count = 1
        for binder in binders:
            domain = self._known(binder, here)
            if domain is None:
                return None
            domains.append(domain)
            count *= len(domain)
        if count > MOST_UNROLLED or count * weight > HEAVIEST_UNROLLED:
            return None
        return (_bound(binders, values, self, here) for values in product(*domains))

    def loops(self, binders: Sequence[c.Binder]) -> int:
        """How many of the names make real loops."""
        return sum(
            binder.low is None
            or binder.high is not None
            or isinstance(binder.low.type, y.Set | y.Bag)
            for binder in binders
        )

    def each(
        self, binders: Sequence[c.Binder], where: c.Expr | None, here: Here, ordered: bool,
        body: Body, shuffled: bool = False,
    ) -> None:  # fmt: skip
        """Runs the body for each choice that `where` allows: in the order of the types if it is
        `ordered`, in any order if `shuffled` by a name `random`."""
        if binders:
            first, *rest = binders
            self._over(first, here, ordered, shuffled,
                       lambda at: self.each(rest, where, at, ordered, body, shuffled))  # fmt: skip
            return
        if where is None:
            body(here)
            return
        condition = self.expressions.truth(where, here)
        if not condition.is_known:
            with here.block.inside(f"if {condition.at(CHOICE)}:"):
                body(here)
        elif condition.known:
            body(here)

    def _over(
        self, binder: c.Binder, here: Here, ordered: bool, shuffled: bool, body: Body
    ) -> None:
        low = binder.low
        if low is None:
            self._loop(binder, self.range_of(binder.type), here, body, shuffled)
        elif binder.high is not None:
            first, last = self.expressions.sequence((low, binder.high), here)
            stop = f"{last.text} + 1" if not last.is_known else str(last.known + 1)
            if last.level < SUM:
                stop = f"{last.at(SUM)} + 1"
            self._loop(binder, f"range({first.at(CHOICE)}, {stop})", here, body, shuffled)
        elif isinstance(low.type, y.Set | y.Bag):
            domain = self._elements(low, here, ordered)
            self._loop(binder, domain, here, body, shuffled)
        else:
            self._over_optional(binder, low, here, body)

    def range_of(self, type: y.Type) -> str:
        """What goes through all values of a type."""
        match type:
            case y.Bool():
                return "(False, True)"
            case y.Option() | y.Set():
                values = tuple(self.layout.values(type))
                return self.unit.constant(values)
            case _:
                first, size = self.layout.first(type), self.layout.size(type)
                assert size is not None
                return f"range({first}, {first + size})" if first else f"range({size})"

    def _loop(self, binder: c.Binder, domain: str, here: Here, body: Body, shuffled: bool) -> None:
        name = here.names.fresh()
        domain = f"shuffled({domain}, random)" if shuffled else domain
        with here.block.inside(f"for {name} in {domain}:"):
            body(here.bind(binder.name, Code(name)))

    def _elements(self, low: c.Expr, here: Here, ordered: bool) -> str:
        """What goes through the elements of a set or bag."""
        assert isinstance(low.type, y.Set | y.Bag)
        element = low.type.element
        if isinstance(low, c.Builtin) and low.name == "occupied":
            map = self.expressions.value(low.arguments[0], here)
            keys = self.expressions.builtins.keys(map, low.arguments[0].type)
            return f"sorted({keys})" if ordered else keys
        whole = self.expressions.value(low, here)
        if isinstance(low.type, y.Bag) or not self.layout.is_bits(element):
            sort = "in_order" if isinstance(element, y.Option) else "sorted"
            return f"{sort}({whole.text})" if ordered else whole.at(CHOICE)
        if isinstance(element, y.Bool):
            return f"[each != 0 for each in ELEMENTS[{whole.text}]]"
        return f"ELEMENTS[{whole.at(CHOICE)}]"

    def _over_optional(self, binder: c.Binder, low: c.Expr, here: Here, body: Body) -> None:
        value = self.expressions.value(low, here)
        if value.is_known or not isinstance(low.type, y.Option):
            if not value.is_known or value.known is not None:
                body(here.bind(binder.name, here.hold(value)))
            return
        held = here.hold(value)
        with here.block.inside(f"if {held.text} is not None:"):
            body(here.bind(binder.name, held))

    def _known(self, binder: c.Binder, here: Here) -> list[Any] | None:
        """The values that a name goes through, as the evaluator has them, if they are known."""
        if binder.low is None:
            size = self.layout.size(binder.type)
            if size is None or size > MOST_UNROLLED:
                return None
            return [self.layout.decode(v, binder.type) for v in self.layout.values(binder.type)]
        if binder.high is not None:
            first = self._number(binder.low, here)
            last = self._number(binder.high, here)
            if first is None or last is None or last - first >= MOST_UNROLLED:
                return None
            return list(range(first, last + 1))
        return None

    def _number(self, e: c.Expr, here: Here) -> int | None:
        """A number that the state has no part in."""
        fact = self.unit.facts.of(e)
        if fact.state or not all(
            name in here.env and here.env[name].is_known for name in fact.names
        ):
            return None
        code = self.expressions.value(e, here.trial())
        return code.known if code.is_known and isinstance(code.known, int) else None


def _bound(
    binders: Sequence[c.Binder], values: Sequence[Any], domains: Domains, here: Here
) -> Here:
    for binder, value in zip(binders, values):
        here = here.bind(binder.name, domains.unit.known(value, binder.type))
    return here
