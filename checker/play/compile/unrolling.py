"""Quantifiers and sums over few choices that are known beforehand, written out one by one.

The bound names are then known in each part, and slots and tables become fixed places. What is not
worth writing out gives None.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from checker.meaning import core as c
from checker.play.compile.code import BIT_OR, CHOICE, FALSE, SUM, TRUE, Code, Here, infix
from checker.play.compile.domains import Domains
from checker.play.compile.rewrite import implied, joined

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions


class Unrolling:
    """Compiles what goes through few choices."""

    def __init__(self, expressions: Expressions, domains: Domains) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.domains = domains

    def asked(self, e: c.Quantify, here: Here) -> Code | None:
        """`all` or `some` as one condition for each choice."""
        weight = self._weight(e.body, e.where)
        choices = self.domains.unrolled(e.binders, weight, here)
        if choices is None:
            return None
        every = e.kind == "all"
        body = implied(e.where, e.body) if every else joined(e.where, e.body)
        result = TRUE if every else FALSE
        for choice in choices:

            def ask(at: Here, choice: Here = choice) -> Code:
                return self.expressions.truth(body, choice.into(at.block))

            result = self.expressions.both(result, "and" if every else "or", ask, here)
        return result

    def added(self, e: c.Quantify, here: Here) -> Code | None:
        """A count or sum as one term for each choice."""
        weight = self._weight(e.body, e.where)
        choices = self.domains.unrolled(e.binders, weight, here)
        if choices is None:
            return None
        terms: list[Code] = []
        for choice in choices:
            self.expressions.then(terms, partial(self._term, e, choice), here)
        known = sum(int(each.known) for each in terms if each.is_known)
        rest = [each for each in terms if not each.is_known]
        if not rest:
            return Code(str(known), known=known)
        result = rest[0]
        for each in rest[1:]:
            result = infix(result, "+", each, SUM)
        return result if not known else infix(result, "+", Code(str(known), SUM + 2), SUM)

    def _term(self, e: c.Quantify, at: Here) -> Code:
        """What one choice adds to a sum."""
        if e.kind == "count":
            counts = self.expressions.truth(joined(e.where, e.body), at)
            if counts.is_known:
                return Code(str(int(counts.known)), known=int(counts.known))
            return Code(f"1 if {counts.at(CHOICE + 1)} else 0", CHOICE, counts.fails)
        if e.where is None:
            return self.expressions.value(e.body, at)
        condition = self.expressions.truth(e.where, at)
        nothing = Code("0", known=0)
        if condition.is_known:
            return self.expressions.value(e.body, at) if condition.known else nothing
        return self.expressions.choose(
            condition, lambda inside: self.expressions.value(e.body, inside), lambda _: nothing, at
        )

    def collected(self, e: c.SetEach, here: Here) -> Code | None:
        """A set of bits as one bit for each choice."""
        weight = self._weight(e.element, e.where)
        choices = self.domains.unrolled(e.binders, weight, here)
        if choices is None:
            return None
        parts: list[Code] = []
        for choice in choices:
            self.expressions.then(parts, partial(self._bit, e, choice), here)
        result = Code("0")
        for each in parts:
            if each.text != "0":
                result = each if result.text == "0" else infix(result, "|", each, BIT_OR)
        return result

    def _bit(self, e: c.SetEach, at: Here) -> Code:
        bit = self.expressions.operators.bit
        if e.where is None:
            return bit(self.expressions.value(e.element, at))
        condition = self.expressions.truth(e.where, at)
        if condition.is_known:
            return bit(self.expressions.value(e.element, at)) if condition.known else Code("0")
        return self.expressions.choose(
            condition,
            lambda inside: bit(self.expressions.value(e.element, inside)),
            lambda _: Code("0"),
            at,
        )

    def _weight(self, body: c.Expr, where: c.Expr | None) -> int:
        weight = self.unit.facts.of(body).weight
        return weight + (self.unit.facts.of(where).weight if where is not None else 0)
