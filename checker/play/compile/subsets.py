"""Parameters that are sets: which elements they may hold, then all sets of those.

`all d in dice: c(d)` and `e in dice implies c` both rule out single elements whatever else is in
the set. What is left over after all of these is gone through, smallest first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import AND, CHOICE, SIGN, Code, Here, negation
from checker.play.compile.conditions import Leaf, local
from checker.play.compile.expressions import Expressions
from checker.play.compile.facts import Facts
from checker.play.compile.rewrite import implied
from checker.syntax.node import Node


class Narrowing(Node):
    """Rules out elements: the one that `element` is unless `unless` holds, those for which the
    condition on `name` does not hold, or those outside `within`."""

    element: c.Expr | None
    unless: c.Expr | None
    name: str | None
    condition: c.Expr | None
    within: c.Expr | None


def narrowing(condition: c.Expr, leaf: Leaf, facts: Facts) -> Narrowing | None:
    """How a condition rules out elements of a set, None if it does not work like that."""

    def free(*parts: c.Expr | None) -> bool:
        return all(part is None or leaf.name not in facts.of(part).names for part in parts)

    def fits(element: c.Expr) -> bool:
        type = element.type.inner if isinstance(element.type, y.Option) else element.type
        return isinstance(leaf.type, y.Set) and y.within(type, leaf.type.element)

    match condition:
        case c.Binary(
            operator="implies",
            left=c.Binary(operator="member", left=element, right=whole),
            right=unless,
        ) if whole == local(leaf) and free(element, unless) and fits(element):
            return Narrowing(element, unless, None, None, None)
        case c.Unary(
            operator="not", operand=c.Binary(operator="member", left=element, right=whole)
        ) if whole == local(leaf) and free(element) and fits(element):
            return Narrowing(element, None, None, None, None)
        case c.Quantify(kind="all", binders=(first, *rest), where=where, body=body) if (
            first.low is not None
            and first.low == local(leaf)
            and free(where, body, *(part for each in rest for part in (each.low, each.high)))
        ):
            if rest:
                inside: c.Expr = c.Quantify(condition.span, y.BOOL, "all", tuple(rest), where, body)
            else:
                inside = implied(where, body)
            return Narrowing(None, None, first.name, inside, None)
        case c.Binary(operator="subset", left=whole, right=within) if (
            whole == local(leaf) and free(within) and within.type == leaf.type
        ):
            return Narrowing(None, None, None, None, within)
    return None


class Subsets:
    """Puts loops over sets into the code."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout

    def allowed(self, leaf: Leaf, narrowings: Sequence[Narrowing], here: Here) -> Code:
        """The elements that no condition rules out, as bits."""
        assert isinstance(leaf.type, y.Set)
        allowed = here.names.fresh()
        here.block.add(f"{allowed} = {self.layout.all_bits(leaf.type.element)}")
        for each in narrowings:
            if each.element is not None:
                self._without(allowed, each.element, each.unless, here)
            elif each.within is not None:
                here.block.add(
                    f"{allowed} &= {self.expressions.value(each.within, here).at(CHOICE)}"
                )
            else:
                self._those(allowed, leaf.type.element, each, here)
        return Code(allowed)

    def loop(self, leaf: Leaf, allowed: Code, here: Here, body: Callable[[Here], None]) -> None:
        """Runs the body for each set of allowed elements, counting in binary."""
        chosen = here.names.fresh()
        here.block.add(f"{chosen} = 0")
        with here.block.inside("while True:"):
            body(here.bind(leaf.name, Code(chosen)))
            with here.block.inside(f"if {chosen} == {allowed.text}:"):
                here.block.add("break")
            here.block.add(f"{chosen} = {chosen} - {allowed.text} & {allowed.text}")

    def _without(self, allowed: str, element: c.Expr, unless: c.Expr | None, here: Here) -> None:
        """Takes out one element unless something holds."""

        def take_out() -> None:
            code = self.expressions.value(element, here)
            if isinstance(element.type, y.Option) and not code.is_known:
                code = here.hold(code)
                with here.block.inside(f"if {code.text} is not None:"):
                    here.block.add(f"{allowed} &= ~(1 << {code.text})")
            elif not code.is_known or code.known is not None:
                bit = self.expressions.operators.bit(code)
                here.block.add(f"{allowed} &= ~{bit.at(SIGN)}")

        if unless is None:
            take_out()
            return
        condition = negation(self.expressions.truth(unless, here))
        if not condition.is_known:
            with here.block.inside(f"if {condition.at(CHOICE)}:"):
                take_out()
        elif condition.known:
            take_out()

    def _those(self, allowed: str, type: y.Type, each: Narrowing, here: Here) -> None:
        """Keeps the elements for which a condition holds."""
        assert each.name is not None and each.condition is not None
        mask = self.expressions.masks.of(each.condition, each.name, type, here)
        if mask is not None:
            here.block.add(f"{allowed} &= {mask.at(AND)}")
            return
        element = here.names.fresh()
        elements = f"ELEMENTS[{allowed}]"
        if isinstance(type, y.Bool):
            elements = f"[each != 0 for each in {elements}]"
        with here.block.inside(f"for {element} in {elements}:"):
            truth = self.expressions.truth(each.condition, here.bind(each.name, Code(element)))
            with here.block.inside(f"if {negation(truth).at(CHOICE)}:"):
                here.block.add(f"{allowed} ^= 1 << {element}")
