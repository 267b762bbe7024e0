"""Quantifiers, sums and sets by rule.

In this order: as an operation on bits where the condition has a mask; on a big board only where it
has changed; unrolled where the choices are few; as a loop, before which everything is worked out
that is the same in every turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import (
    BIT_AND,
    CHOICE,
    COMPARE,
    FALSE,
    TRUE,
    Code,
    Here,
    infix,
    negation,
)
from checker.play.compile.domains import Domains
from checker.play.compile.hoisting import Hoisting
from checker.play.compile.nearby import Nearby
from checker.play.compile.rewrite import implied, joined, negated
from checker.play.compile.unrolling import Unrolling

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions


class Quantifiers:
    """Compiles whatever goes through choices of bound names."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.domains = Domains(expressions)
        self.unrolling = Unrolling(expressions, self.domains)
        self.hoisting = Hoisting(expressions)
        self.nearby = Nearby(expressions)

    def fold(self, e: c.Quantify, here: Here) -> Code:
        """The value of a quantifier or sum."""
        if e.kind in ("all", "some"):
            found = self._as_mask(e, here) or self.nearby.asked(e, here)
            return found or self._truth(*self.hoisting.out_of(e, here))
        if e.kind == "count":
            counted = self._mask_of(e, here)
            if counted is not None:
                return counted.method("bit_count")
        loop, here = self.hoisting.out_of(e, here)
        added = self.unrolling.added(loop, here) if e.kind in ("count", "sum") else None
        return added or self._looped(partial(self._gather, loop), here)

    def collect(self, e: c.SetEach, here: Here) -> Code:
        """A set or bag by rule."""
        bits = isinstance(e.type, y.Set) and self.layout.is_bits(e.type.element)
        found = self._set_mask(e, here) if bits else None
        if found is not None:
            return found
        loop, here = self.hoisting.out_of(e, here)
        found = self.unrolling.collected(loop, here) if bits else None
        return found or self._looped(partial(self._collect, loop), here)

    # ---- by bits

    def _as_mask(self, e: c.Quantify, here: Here) -> Code | None:
        """`all` and `some` over one type or set as a comparison of sets."""
        if len(e.binders) != 1:
            return None
        (binder,) = e.binders
        masks, every = self.expressions.masks, e.kind == "all"
        condition = implied(e.where, e.body) if every else joined(e.where, e.body)
        trial = here.trial()
        if binder.low is None:
            mask = masks.of(condition, binder.name, binder.type, trial)
            if mask is None:
                return None
            here.keep(trial)
            if not every:
                return mask._replace(loose=True)
            return infix(mask, "==", Code(str(self.layout.all_bits(binder.type))), COMPARE)
        whole = self._bits_domain(binder, trial)
        if whole is None:
            return None
        asked = negated(condition) if every else condition
        mask = masks.of(asked, binder.name, binder.type, trial)
        if mask is None:
            return None
        here.keep(trial)
        met = infix(whole, "&", mask, BIT_AND, loose=True)
        return negation(met) if every else met

    def _bits_domain(self, binder: c.Binder, here: Here) -> Code | None:
        """The set that a name ranges over, if it is kept as bits."""
        low = binder.low
        if low is None or binder.high is not None or not isinstance(low.type, y.Set):
            return None
        if not self.layout.is_bits(low.type.element) or self.layout.size(binder.type) is None:
            return None
        if isinstance(low, c.Builtin) and low.name == "occupied":
            return None
        return self.expressions.value(low, here)

    def _mask_of(self, e: c.Quantify, here: Here) -> Code | None:
        """The set of the choices that count."""
        if len(e.binders) != 1:
            return None
        (binder,) = e.binders
        trial = here.trial()
        whole = None
        if binder.low is not None:
            whole = self._bits_domain(binder, trial)
            if whole is None:
                return None
        mask = self.expressions.masks.of(joined(e.where, e.body), binder.name, binder.type, trial)
        if mask is None:
            return None
        here.keep(trial)
        return mask if whole is None else infix(whole, "&", mask, BIT_AND)

    def _set_mask(self, e: c.SetEach, here: Here) -> Code | None:
        """`{each x in s where c}` as a set of bits."""
        if len(e.binders) != 1:
            return None
        (binder,) = e.binders
        if not isinstance(e.element, c.Local) or e.element.name != binder.name:
            return None
        where = e.where or c.Literal(e.span, y.BOOL, True)
        counted = c.Quantify(e.span, y.Int(0, None), "count", e.binders, None, where)
        return self._mask_of(counted, here)

    # ---- as loops

    def _truth(self, e: c.Quantify, here: Here) -> Code:
        """`all` and `some`: unrolled, or as a loop that ends as soon as the outcome is known. Of
        several loops each but the first is a quantifier of its own."""
        unrolled = self.unrolling.asked(e, here)
        if unrolled is not None:
            return unrolled
        loops = self.domains.loops(e.binders)
        if loops == 0:
            return self._optional(e, e.binders, here)
        if loops > 1:
            first, *rest = e.binders
            inner = c.Quantify(e.span, y.BOOL, e.kind, tuple(rest), e.where, e.body)
            return self._truth(c.Quantify(e.span, y.BOOL, e.kind, (first,), None, inner), here)
        return self._looped(partial(self._flag, e), here)

    def _optional(self, e: c.Quantify, binders: Sequence[c.Binder], here: Here) -> Code:
        """`all` and `some` over optionals: each is there or not."""
        every = e.kind == "all"
        if not binders:
            body = implied(e.where, e.body) if every else joined(e.where, e.body)
            return self.expressions.truth(body, here)
        first, *rest = binders
        assert first.low is not None
        value = here.hold(self.expressions.value(first.low, here))
        if value.is_known and value.known is None:
            return TRUE if every else FALSE
        inside = here.bind(first.name, value)
        if value.is_known or not isinstance(first.low.type, y.Option):
            return self._optional(e, rest, inside)
        present = infix(value, "is not", Code("None"), COMPARE)

        def ask(at: Here) -> Code:
            return self._optional(e, rest, inside.into(at.block))

        return self.expressions.both(present, "implies" if every else "and", ask, here)

    def _looped(self, make: Callable[[Here, bool], Code], here: Here) -> Code:
        """A loop whose order makes no difference unless something in it can fail."""
        trial = here.trial()
        result = make(trial, False)
        if trial.names.fails:
            trial = here.trial()
            result = make(trial, True)
        here.keep(trial)
        return result

    def _flag(self, e: c.Quantify, here: Here, ordered: bool) -> Code:
        every = e.kind == "all"
        result = here.names.fresh()
        here.block.add(f"{result} = {every}")

        def body(at: Here) -> None:
            truth = self.expressions.truth(e.body, at)
            with at.block.inside(f"if {(negation(truth) if every else truth).at(CHOICE)}:"):
                at.block.add(f"{result} = {not every}")
                at.block.add("break")

        self.domains.each(e.binders, e.where, here, ordered, body)
        return Code(result)

    def _gather(self, e: c.Quantify, here: Here, ordered: bool) -> Code:
        """Counts, sums and extremes, gathered in a loop."""
        result = here.names.fresh()
        begin = {"count": "0", "sum": "0", "bag_sum": "{}"}.get(e.kind, "None")
        here.block.add(f"{result} = {begin}")

        def body(at: Here) -> None:
            if e.kind == "count":
                with at.block.inside(f"if {self.expressions.truth(e.body, at).at(CHOICE)}:"):
                    at.block.add(f"{result} += 1")
                return
            value = self.expressions.value_as(e.body, e.type, at)
            if e.kind == "sum":
                at.block.add(f"{result} += {value.at(CHOICE)}")
            elif e.kind == "bag_sum":
                at.block.add(f"bag_extend({result}, {value.at(CHOICE)})")
            else:
                value, sign = at.hold(value), "<" if e.kind == "min" else ">"
                with at.block.inside(f"if {result} is None or {value.text} {sign} {result}:"):
                    at.block.add(f"{result} = {value.text}")

        self.domains.each(e.binders, e.where, here, ordered, body)
        if e.kind in ("min", "max") and not isinstance(e.type, y.Option):
            which = "least" if e.kind == "min" else "greatest"
            number = self.unit.failure(e.span, lambda: f"there is no {which} of nothing")
            if not self._is_never_empty(e):
                here.names.fails = True
            with here.block.inside(f"if {result} is None:"):
                here.block.add(f"raise fail({number})")
        return Code(result)

    def _is_never_empty(self, e: c.Quantify) -> bool:
        whole = all(binder.low is None and self.layout.size(binder.type) for binder in e.binders)
        return whole and e.where is None

    def _collect(self, e: c.SetEach, here: Here, ordered: bool) -> Code:
        """A set or bag gathered in a loop."""
        result = here.names.fresh()
        bag = isinstance(e.type, y.Bag)
        bits = isinstance(e.type, y.Set) and self.layout.is_bits(e.type.element)
        here.block.add(f"{result} = {'0' if bits else '{}' if bag else '[]'}")

        def body(at: Here) -> None:
            element = self.expressions.value(e.element, at)
            if bits:
                at.block.add(f"{result} |= {self.expressions.operators.bit(element).at(CHOICE)}")
            elif bag:
                element = at.hold(element)
                at.block.add(f"{result}[{element.text}] = {result}.get({element.text}, 0) + 1")
            else:
                at.block.add(f"{result}.append({element.at(CHOICE)})")

        self.domains.each(e.binders, e.where, here, ordered or bag, body)
        return Code(result) if bits or bag else Code(f"frozenset({result})")
