"""What operators are worth between values of which not all is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.operations import operate, place
from rulewright.simulate.unknown.evaluator import Evaluator, Scene
from rulewright.simulate.unknown.symbols import (
    Cases,
    Heap,
    Number,
    Several,
    as_heap,
    as_several,
    both,
    compared,
    either,
    elements,
    is_in,
    is_open,
    number,
    opposite,
    shifted,
)

COMPARISONS = {"less", "less_equal", "greater", "greater_equal"}
BAG_OPERATORS = {"bag_union", "bag_difference", "sub_bag", "proper_sub_bag"}
SET_OPERATORS = {"union", "difference", "common", "subset", "proper_subset"}


def unary(self: Evaluator, expression: c.Unary, scene: Scene) -> Any:
    if expression.operator == "not":
        return opposite(self.condition(expression.operand, scene))
    return shifted(0, number(self.value(expression.operand, scene)), -1)


def binary(self: Evaluator, expression: c.Binary, scene: Scene) -> Any:
    operator = expression.operator
    if operator in {"and", "or", "implies"}:
        left = self.condition(expression.left, scene)
        if operator == "or":
            rest = self.under(
                opposite(left), lambda: self.condition(expression.right, scene), False
            )
            return either(left, rest)
        rest = self.under(left, lambda: self.condition(expression.right, scene), False)
        return both(left, rest) if operator == "and" else either(opposite(left), rest)
    left, right = self.value(expression.left, scene), self.value(expression.right, scene)
    if not is_open(left) and not is_open(right):
        return operate(expression, left, right, self.instance)
    if operator == "equal":
        return self.equal(left, right)
    if operator == "unequal":
        return opposite(self.equal(left, right))
    if operator in {"add", "subtract"}:
        return shifted(number(left), number(right), 1 if operator == "add" else -1)
    if operator == "multiply" and (type(left) is int or type(right) is int):
        many, other = (left, right) if type(left) is int else (right, left)
        return shifted(0, number(other), many) if many else 0
    if operator in COMPARISONS and isinstance(expression.left.type, y.Int):
        return _compare(self, operator, left, right)
    if operator in {"member", "bag_member"} and not isinstance(right, Cases):
        choices = left.cases if isinstance(left, Cases) else [(True, left)]
        if not any(is_open(each) for _, each in choices):
            return either(*(both(under, is_in(each, right)) for under, each in choices))
    if operator in BAG_OPERATORS and not isinstance(left, Cases) and not isinstance(right, Cases):
        return _bags(self, expression, as_heap(left), as_heap(right))
    if operator in SET_OPERATORS and not isinstance(left, Cases) and not isinstance(right, Cases):
        return _sets(operator, as_several(left), as_several(right))
    return self.lifted(lambda a, b: operate(expression, a, b, self.instance), left, right)


def _compare(self: Evaluator, operator: str, left: Any, right: Any) -> Any:
    """Two numbers. That one of many counts is more than 0 is said in sums: the solver is at its
    best with those."""
    if isinstance(left, Cases) and left.shares is not None and (operator, right) == ("greater", 0):
        counts = [(Number(share, 0, 1), many) for share, (_, many) in zip(left.shares, left.cases)]
        if all(isinstance(many, int | Number) and _natural(many) for _, many in counts):
            return covered(counts)
    return compared(operator, number(left), number(right))


def covered(counts: Sequence[tuple[int | Number, int | Number]]) -> Any:
    """Whether there are as many of each as are taken; said in the same words wherever it is."""
    return both(*(
        compared("greater_equal", many, taken)
        if isinstance(many, int) or isinstance(taken, int)
        else many.term >= taken.term
        for taken, many in counts
    ))  # fmt: skip


def _natural(many: int | Number) -> bool:
    return many >= 0 if isinstance(many, int) else many.low is not None and many.low >= 0


def _bags(self: Evaluator, expression: c.Binary, left: Heap, right: Heap) -> Any:
    there = list(elements(left, right))
    match expression.operator:
        case "bag_union":
            counts = {each: shifted(left[each], right[each]) for each in there}
            return heap(self, counts, shifted(left.size, right.size))
        case "bag_difference":
            holds = covered([(right[each], left[each]) for each in right.counts])
            if not self.trial.decide(holds):
                what = f"what is taken from `{place(expression.left)}` is not all in it"
                raise EvaluationError(what, expression.span)
            counts = {each: shifted(left[each], right[each], -1) for each in there}
            return heap(self, counts, shifted(left.size, right.size, -1))
        case operator:
            inside = both(*(compared("less_equal", left[e], right[e]) for e in left.counts))
            if operator == "sub_bag":
                return inside
            return both(inside, compared("less", left.size, right.size))


def heap(self: Evaluator, counts: Mapping[Any, Any], size: Any) -> Heap:
    """A bag; no count is less than nothing, and none is more than the whole bag."""
    most = size if isinstance(size, int) else size.high
    found = {}
    for each, many in counts.items():
        if isinstance(many, Number):
            high = many.high if most is None else min(most, many.high or most)
            many = Number(many.term, max(0, many.low or 0), high)
        found[each] = many
    return Heap(found, size)


def _sets(operator: str, left: Several, right: Several) -> Any:
    mine, yours = left.members, right.members
    match operator:
        case "union":
            return Several({e: either(mine.get(e, False), yours.get(e, False))
                            for e in {**mine, **yours}})  # fmt: skip
        case "difference":
            return Several({e: both(u, opposite(yours.get(e, False))) for e, u in mine.items()})
        case "common":
            return Several({e: both(u, yours.get(e, False)) for e, u in mine.items()})
    inside = both(*(either(opposite(u), yours.get(e, False)) for e, u in mine.items()))
    if operator == "subset":
        return inside
    return both(inside, either(*(both(u, opposite(mine.get(e, False))) for e, u in yours.items())))
