"""Whether what a spec declares stays within the bounds of `limits`; what does not is reported."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from rulewright.diagnostics import Messages
from rulewright.meaning import types as y
from rulewright.syntax.node import Span
from rulewright.system.limits import how_to_raise, most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning import core as c


def too_long(number: int) -> bool:
    """Whether a number has more digits than any rule needs. Bits are counted, which is quick."""
    return number.bit_length() > most("digits") * 10 // 3


def within_digits(type_: y.Int, span: Span, messages: Messages) -> y.Type:
    """The type of a number, unless it can come to more digits than any rule needs."""
    if any(bound is not None and too_long(bound) for bound in (type_.low, type_.high)):
        messages.error("RW215", span, "this can come to too large a number", how_to_raise("digits"))
        return y.BROKEN
    return type_


def listable(type_: y.Type, span: Span, messages: Messages) -> bool:
    """Whether a type has so few values that they can be gone through; else it is reported."""
    number = y.most_values(type_)
    if number is None or number <= most("values"):
        return True
    messages.error(
        "RW215", span, f"`{y.show(type_)}` has too many values to go through them all",
        how_to_raise("values"),
    )  # fmt: skip
    return False


def enterable(type_: y.Type, span: Span, messages: Messages) -> bool:
    """Whether a map has so few entries that they can be kept; else it is reported."""
    number = 1
    inside = type_
    while isinstance(inside, y.Map):
        number *= y.most_values(inside.key) or 1
        inside = inside.value
    if number <= most("entries"):
        return True
    messages.error("RW215", span, "this map has too many entries", how_to_raise("entries"))
    return False


def _digits(type_: y.Type) -> float:
    """How many digits the number of values of a type has."""
    match type_:
        case y.Map(key, value):
            return (y.most_values(key) or 1) * _digits(value)
        case y.Set(element):
            return (y.most_values(element) or 1) * log10(2)
        case _:
            return log10(y.most_values(type_) or 1)


def choosable(params: Sequence[c.Param], span: Span, messages: Messages) -> None:
    """Reports parameters that can be chosen in more ways than can be looked at."""
    if sum(_digits(each.type) for each in params) > log10(most("choices")):
        messages.error(
            "RW215", span, "there are too many ways to choose these parameters",
            how_to_raise("choices"),
        )  # fmt: skip
