"""Deliberate faults of the encoding: a term says something else than the evaluator does. Each is
one function, changed as somebody might get it wrong."""

from __future__ import annotations

from typing import Any

from fuzz.faults.fault import Fault, Put
from rulewright.meaning import core as c
from rulewright.meaning import geometry
from rulewright.smt.encode import (
    builtin,
    collection,
    quantifier,
    statement,
    sum_axioms,
    type_encoding,
)
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.expression import ExpressionEncoder
from rulewright.smt.encode.sum_support import rooted, touched
from rulewright.smt.encode.symbolic_values import SymbolicOption, same
from rulewright.smt.terms import arithmetic
from rulewright.smt.terms.substitute import replaced
from rulewright.smt.terms.term import BOUND, TRUE


def fixed_key_in_sum(put: Put) -> None:
    def followed(self: Any, codes: range, at: Any, env: SymbolicEnvironment) -> Any:
        terms, before = self.terms, rooted(env)
        result = sum_axioms.measure_of(terms, codes, lambda key: at(key, before))
        seen: list[Any] = []
        for key in touched(env, codes):
            change = terms.minus(at(key, env), at(key, before))
            new = terms.every(terms.no(terms.equal(key, other)) for other in seen)
            result = terms.plus(result, terms.choose(new, change, terms.number(0)))
            seen.append(key)
        return result

    put.at(quantifier.QuantifierEncoder, "_followed", followed)


def captured_names(put: Put) -> None:
    def bind(terms: Any, keys: range, at: Any) -> Any:
        name = terms.unknown(f"{BOUND}{keys.start} {keys.stop}", keys.start, keys.stop - 1)
        return name, at(name)

    put.everywhere(sum_axioms.bind, bind)


def captured_after_the_fact(put: Put) -> None:
    def bind(terms: Any, keys: range, at: Any) -> Any:
        with sum_axioms.any_key(terms, keys) as open_name:
            body = at(open_name)
        name = terms.unknown(f"{BOUND}{keys.start} {keys.stop}", keys.start, keys.stop - 1)
        return name, replaced(terms, body, open_name, name)

    put.everywhere(sum_axioms.bind, bind)


def whole_boards_unchecked(put: Put) -> None:
    put.at(type_encoding.TypeEncoder, "_board_within", lambda self, board, inner: TRUE)


def sums_are_their_greatest(put: Put) -> None:
    original = sum_axioms._below_greatest
    put.at(
        sum_axioms,
        "_below_greatest",
        lambda t, keys, at, found, times: original(t, keys, at, found, 1),
    )


def new_squares_join(put: Put) -> None:
    original = builtin._parts_after

    def after(ex: Any, board: Any, before: Any, unknown: Any, grid: Any) -> Any:
        return before if before.op != "int" else original(ex, board, before, unknown, grid)

    put.at(builtin, "_parts_after", after)


def neighbours_swapped(put: Put) -> None:
    original = geometry.offsets

    def turned(*asked: Any) -> Any:
        return tuple((right, -down) for right, down in original(*asked))

    put.at(builtin, "offsets", turned)


def left_is_right(put: Put) -> None:
    original = builtin.builtin

    def other(ex: Any, e: Any, values: Any, env: Any) -> Any:
        if e.name == "left_of":
            e = c.Builtin(e.span, e.type, "right_of", e.arguments)
        return original(ex, e, values, env)

    put.everywhere(original, other)


def division_truncates(put: Put) -> None:
    original = arithmetic.TermBuilder.divide

    def divide(self: Any, left: Any, right: Any) -> Any:
        below = self.less(left, self.number(0))
        up = self.negative(original(self, self.negative(left), right))
        return self.choose(below, up, original(self, left, right))

    put.at(arithmetic.TermBuilder, "divide", divide)


def remainder_takes_its_sign(put: Put) -> None:
    original = arithmetic.TermBuilder.remainder

    def remainder(self: Any, left: Any, right: Any) -> Any:
        below = self.less(left, self.number(0))
        up = self.negative(original(self, self.negative(left), right))
        return self.choose(below, up, original(self, left, right))

    put.at(arithmetic.TermBuilder, "remainder", remainder)


def greatest_left_out(put: Put) -> None:
    original = arithmetic.TermBuilder.unknown

    def unknown(self: Any, name: str, low: Any, high: Any) -> Any:
        if low is not None and high is not None and high > low and not name.startswith(BOUND):
            high -= 1
        return original(self, name, low, high)

    put.at(arithmetic.TermBuilder, "unknown", unknown)


def less_is_at_most(put: Put) -> None:
    put.at(arithmetic.TermBuilder, "less", arithmetic.TermBuilder.at_most)


def bags_never_run_out(put: Put) -> None:
    _without_hazards(put, "bag")


def keys_always_there(put: Put) -> None:
    _without_hazards(put, "key")


def ranges_never_left(put: Put) -> None:
    _without_hazards(put, "leaves its range")


def zero_divides(put: Put) -> None:
    _without_hazards(put, "divided by zero")


def _without_hazards(put: Put, word: str) -> None:
    original = ExpressionEncoder.hazard

    def hazard(self: Any, env: Any, safe: Any, message: str, span: Any) -> None:
        if word not in message:
            original(self, env, safe, message, span)

    put.at(ExpressionEncoder, "hazard", hazard)


def right_sides_are_safe(put: Put) -> None:
    original = ExpressionEncoder._binary

    def binary(self: Any, e: Any, env: Any) -> Any:
        if e.operator not in ("and", "or", "implies"):
            return original(self, e, env)
        self.term(e.left, env)
        met = len(self.world.hazards)
        found = original(self, e, env)
        del self.world.hazards[met:]
        return found

    put.at(ExpressionEncoder, "_binary", binary)


def old_is_new(put: Put) -> None:
    original = ExpressionEncoder.__init__

    def made(self: Any, world: Any) -> None:
        original(self, world)
        self._methods[c.StateVar] = lambda e, env: env.now[e.name]

    put.at(ExpressionEncoder, "__init__", made)


def no_other_branch(put: Put) -> None:
    original = statement.StatementEncoder._branch

    def branch(self: Any, holds: Any, then: Any, otherwise: Any, env: Any, state: Any) -> Any:
        return original(self, holds, then, (), env, state)

    put.at(statement.StatementEncoder, "_branch", branch)


def last_turn_of_a_loop(put: Put) -> None:
    original = statement.StatementEncoder._for

    def loop(self: Any, binders: Any, where: Any, body: Any, env: Any, state: Any) -> Any:
        domain = self.ex.quantifiers.domain
        if not binders:
            return original(self, binders, where, body, env, state)
        self.ex.quantifiers.domain = lambda binder, here: domain(binder, here)[:-1]
        try:
            return original(self, binders, where, body, env, state)
        finally:
            del self.ex.quantifiers.domain

    put.at(statement.StatementEncoder, "_for", loop)


def where_ignored_in_sums(put: Put) -> None:
    original = quantifier.QuantifierEncoder._sum
    put.at(
        quantifier.QuantifierEncoder,
        "_sum",
        lambda self, binders, where, body, env: original(self, binders, None, body, env),
    )


def last_choice_left_out(put: Put) -> None:
    original = quantifier.QuantifierEncoder._listed_domain

    def listed(self: Any, binder: Any, first: Any, env: Any) -> Any:
        return original(self, binder, first, env)[:-1]

    put.at(quantifier.QuantifierEncoder, "_listed_domain", listed)


def difference_keeps_all(put: Put) -> None:
    original = collection.set_operator

    def operator(terms: Any, name: str, left: Any, right: Any) -> Any:
        return left if name == "difference" else original(terms, name, left, right)

    put.everywhere(original, operator)


def subsets_turned_round(put: Put) -> None:
    original = collection.set_operator

    def operator(terms: Any, name: str, left: Any, right: Any) -> Any:
        turned = (right, left) if name == "subset" else (left, right)
        return original(terms, name, *turned)

    put.everywhere(original, operator)


def none_equals_anything(put: Put) -> None:
    def alike(terms: Any, left: Any, right: Any) -> Any:
        if (
            isinstance(left, SymbolicOption)
            and isinstance(right, SymbolicOption)
            and left.value
            and right.value
        ):
            return terms.equal(left.value, right.value)
        return same(terms, left, right)

    put.everywhere(same, alike)


def writes_lost(put: Put) -> None:
    original = ExpressionEncoder.written

    def written(self: Any, held: Any, key: Any, value: Any, type: Any) -> Any:
        return original(self, held, key, value, type) if key.op == "int" else held

    put.at(ExpressionEncoder, "written", written)


def _fault(function: Any, where: str, what: str) -> Fault:
    return Fault(function.__name__, where, what, function)


FAULTS = [
    _fault(fixed_key_in_sum, "Quantifiers._followed", "a sum changes only at the key written to"),
    _fault(captured_names, "sums.bind", "all bound names are the same name"),
    _fault(captured_after_the_fact, "sums.bind", "an outer bound name is captured by an inner one"),
    _fault(whole_boards_unchecked, "Shapes._board_within", "whole boards are always in range"),
    _fault(sums_are_their_greatest, "sums._below_greatest", "a sum is no more than its greatest"),
    _fault(new_squares_join, "builtin._parts_after", "one more square never makes one more part"),
    _fault(neighbours_swapped, "builtin.offsets", "up is down"),
    _fault(left_is_right, "builtin.builtin", "`left_of` is `right_of`"),
    _fault(division_truncates, "Terms.divide", "division rounds towards zero"),
    _fault(remainder_takes_its_sign, "Terms.remainder", "the remainder of a negative is negative"),
    _fault(greatest_left_out, "Terms.unknown", "numbers never have their greatest value"),
    _fault(less_is_at_most, "Terms.less", "`<` is `<=`"),
    _fault(bags_never_run_out, "Expressions.hazard", "bags never run out"),
    _fault(keys_always_there, "Expressions.hazard", "a key that is looked up is always there"),
    _fault(ranges_never_left, "Expressions.hazard", "nothing leaves its range"),
    _fault(zero_divides, "Expressions.hazard", "nothing is divided by zero"),
    _fault(right_sides_are_safe, "Expressions._binary", "the right side of `and` never goes wrong"),
    _fault(old_is_new, "Expressions.__init__", "`old` is the value after"),
    _fault(no_other_branch, "Statements._branch", "`else` does nothing"),
    _fault(last_turn_of_a_loop, "Statements._for", "the last turn of a loop is left out"),
    _fault(where_ignored_in_sums, "Quantifiers._sum", "`where` is ignored in sums and counts"),
    _fault(last_choice_left_out, "Quantifiers._listed_domain", "the last of a domain is left out"),
    _fault(difference_keeps_all, "collection.set_operator", "a set less another is the set"),
    _fault(subsets_turned_round, "collection.set_operator", "contained in is contains"),
    _fault(none_equals_anything, "value.same", "`none` equals what it would be"),
    _fault(writes_lost, "Expressions.written", "writing to an unknown square does nothing"),
]
