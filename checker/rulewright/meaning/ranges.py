"""The range a number lies in, worked out from the ranges of its parts."""

from __future__ import annotations

from rulewright.meaning.types import Int

Bound = int | None


def _plus(a: Bound, b: Bound) -> Bound:
    return None if a is None or b is None else a + b


def add(left: Int, right: Int) -> Int:
    return Int(_plus(left.low, right.low), _plus(left.high, right.high))


def negative(operand: Int) -> Int:
    low = None if operand.high is None else -operand.high
    return Int(low, None if operand.low is None else -operand.low)


def subtract(left: Int, right: Int) -> Int:
    return add(left, negative(right))


def multiply(left: Int, right: Int) -> Int:
    if left.low is None or left.high is None or right.low is None or right.high is None:
        natural = left.low is not None and right.low is not None and min(left.low, right.low) >= 0
        return Int(left.low * right.low, None) if natural else Int(None, None)  # type: ignore[operator]
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return Int(min(corners), max(corners))


def divide(left: Int, right: Int) -> Int:
    """Rounding down; dividing by zero is an error, so zero is left out of the divisor."""
    divisors = [d for d in (right.low, right.high, -1, 1) if d and _holds(right, d)]
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return Int(None, None)
    corners = [a // d for a in (left.low, left.high) for d in divisors]
    return Int(min(corners), max(corners)) if corners else Int(0, 0)


def remainder(left: Int, right: Int) -> Int:
    """With the sign of the divisor, as rounding down has it."""
    if right.low is None or right.high is None:
        return Int(None, None)
    high = max(right.high - 1, 0)
    low = min(right.low + 1, 0)
    if left.low is not None and left.high is not None and left.low >= 0 and right.low > 0:
        high = min(high, left.high)
    return Int(low, high)


def least(left: Int, right: Int) -> Int:
    low = None if left.low is None or right.low is None else min(left.low, right.low)
    highs = [h for h in (left.high, right.high) if h is not None]
    return Int(low, min(highs) if highs else None)


def greatest(left: Int, right: Int) -> Int:
    return negative(least(negative(left), negative(right)))


def absolute(operand: Int) -> Int:
    if operand.low is not None and operand.low >= 0:
        return operand
    both = greatest(operand, negative(operand))
    return Int(0, both.high)


def repeated(each: Int, times: int | None) -> Int:
    """The sum of up to so many numbers of a range."""
    if times is None:
        low = 0 if each.low is not None and each.low >= 0 else None
        return Int(low, 0 if each.high is not None and each.high <= 0 else None)
    low = None if each.low is None else min(0, each.low * times)
    return Int(low, None if each.high is None else max(0, each.high * times))


def _holds(range_: Int, number: int) -> bool:
    return (range_.low is None or range_.low <= number) and (
        range_.high is None or number <= range_.high
    )
