"""Operators between numbers, sets and bags; counting in bags; written sets and bags."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import (
    AND,
    ATOM,
    BIT_AND,
    BIT_OR,
    CHOICE,
    COMPARE,
    PRODUCT,
    SHIFT,
    SIGN,
    SUM,
    Code,
    Here,
    call,
    infix,
    negation,
)
from checker.play.operations import place
from checker.play.values import text

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

ARITHMETIC = {"add": ("+", SUM), "subtract": ("-", SUM), "multiply": ("*", PRODUCT)}
DIVISION = {"divide": "//", "remainder": "%"}
ORDER = {"less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
BAGS = {"bag_union": "bag_union", "bag_common": "bag_common", "sub_bag": "is_sub_bag"}
FROZEN = {
    "union": ("|", BIT_OR),
    "difference": ("-", SUM),
    "common": ("&", BIT_AND),
    "subset": ("<=", COMPARE),
    "proper_subset": ("<", COMPARE),
}


class Operators:
    """Compiles operators that look at all of their operands."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks

    def value(self, e: c.Unary | c.Binary | c.BagCount | c.SetOf | c.BagOf, here: Here) -> Code:
        match e:
            case c.Unary(operand=operand):
                number = self.expressions.value(operand, here)
                return Code(f"-{number.at(SIGN)}", SIGN, number.fails)
            case c.Binary():
                return self._binary(e, here)
            case c.BagCount(bag=bag, element=element):
                counts, key = self.expressions.sequence((bag, element), here)
                fails = counts.fails or key.fails
                return Code(f"{counts.at(ATOM)}.get({key.at(CHOICE)}, 0)", fails=fails)
            case c.SetOf(elements=elements):
                return self._set_of(self.expressions.sequence(elements, here), e.type)
            case c.BagOf(elements=elements):
                found = self.expressions.sequence(elements, here)
                if len(found) <= 1:
                    inside = f"{found[0].at(CHOICE)}: 1" if found else ""
                    return Code(f"{{{inside}}}", fails=any(each.fails for each in found))
                return call("bag_of", [_tuple(found)])

    def _set_of(self, elements: list[Code], type: y.Type) -> Code:
        assert isinstance(type, y.Set)
        if not self.layout.is_bits(type.element):
            return call("frozenset", [_tuple(elements)])
        if not elements:
            return Code("0", known=frozenset())
        result = self.bit(elements[0])
        for each in elements[1:]:
            result = infix(result, "|", self.bit(each), BIT_OR)
        return result

    def bit(self, element: Code) -> Code:
        """The set of one element, as bits."""
        if element.is_known:
            return Code(str(1 << number(element)))
        return Code(f"1 << {element.at(SUM)}", SHIFT, element.fails)

    def _binary(self, e: c.Binary, here: Here) -> Code:
        operator = e.operator
        if operator in ("equal", "unequal"):
            return self._equal(e, here)
        if operator in ("member", "bag_member"):
            return self._member(e, here)
        joined = y.join(e.left.type, e.right.type)
        assert joined is not None
        left, right = self.expressions.sequence((e.left, e.right), here)
        left = self.checks.as_type(left, e.left.type, joined)
        right = self.checks.as_type(right, e.right.type, joined)
        if operator in ARITHMETIC:
            sign, level = ARITHMETIC[operator]
            return infix(left, sign, right, level)
        if operator in DIVISION:
            return self._divide(e, left, right, here)
        if operator in ORDER:
            return infix(left, ORDER[operator], right, COMPARE)
        if operator in BAGS:
            return call(BAGS[operator], [left, right])
        if operator == "proper_sub_bag":
            left, right = here.hold(left), here.hold(right)
            written = f"{left.text} != {right.text} and is_sub_bag({left.text}, {right.text})"
            return Code(written, AND)
        if operator == "bag_difference":
            return self._take(e, left, right, here)
        assert isinstance(joined, y.Set)
        if not self.layout.is_bits(joined.element):
            sign, level = FROZEN[operator]
            return infix(left, sign, right, level)._replace(opposite=None)
        return self._bits(operator, left, right, here)

    def _bits(self, operator: str, left: Code, right: Code, here: Here) -> Code:
        match operator:
            case "union":
                return infix(left, "|", right, BIT_OR)
            case "common":
                return infix(left, "&", right, BIT_AND)
            case "difference":
                return infix(left, "&", _inverse(right), BIT_AND)
            case "subset":
                return negation(infix(left, "&", _inverse(right), BIT_AND, loose=True))
            case _:
                left, right = here.hold(left), here.hold(right)
                written = f"{left.text} != {right.text} and not {left.text} & ~{right.at(SIGN)}"
                return Code(written, AND)

    def _equal(self, e: c.Binary, here: Here) -> Code:
        joined = y.join(e.left.type, e.right.type)
        assert joined is not None
        left, right = self.expressions.sequence((e.left, e.right), here)
        left = self.checks.as_type(left, e.left.type, joined)
        right = self.checks.as_type(right, e.right.type, joined)
        equal = e.operator == "equal"
        if left.is_known and right.is_known:
            return self.unit.known((left.known == right.known) == equal, y.BOOL)
        for one, other in ((left, right), (right, left)):
            if other.is_known and other.known is None:
                return infix(one, "is" if equal else "is not", Code("None"), COMPARE)
            if isinstance(joined, y.Bool) and other.is_known:
                return one if bool(other.known) == equal else negation(one)
        return infix(left, "==" if equal else "!=", right, COMPARE)

    def _member(self, e: c.Binary, here: Here) -> Code:
        """`x in s`; x need not be of a type that the set can hold."""
        element, whole = self.expressions.sequence((e.left, e.right), here)
        if element.fails and whole.fails:
            element = here.hold(element)
        bits = isinstance(e.right.type, y.Set) and self.layout.is_bits(e.right.type.element)
        if not bits:
            return infix(element, "in", whole, COMPARE)
        if element.is_known:
            if element.known is None or number(element) < 0:
                return Code("False", known=False)
            return infix(whole, "&", self.bit(element), BIT_AND, loose=True)
        guards = []
        inner = e.left.type.inner if isinstance(e.left.type, y.Option) else e.left.type
        if isinstance(e.left.type, y.Option):
            guards.append("is not None")
        if isinstance(inner, y.Int) and (inner.low is None or inner.low < 0):
            guards.append(">= 0")
        if guards:
            element = here.hold(element)
        found = Code(f"{whole.at(SHIFT)} >> {element.at(SUM)} & 1", BIT_AND,
                     element.fails or whole.fails, loose=True)  # fmt: skip
        if not guards:
            return found
        conditions = [f"{element.text} {guard}" for guard in guards] + [found.text]
        return Code(" and ".join(conditions), AND, whole.fails, loose=True)

    def _divide(self, e: c.Binary, left: Code, right: Code, here: Here) -> Code:
        type = e.right.type
        assert isinstance(type, y.Int)
        if (type.low is None or type.low <= 0) and (type.high is None or type.high >= 0):
            left, right = here.hold(left), here.hold(right)
            self._fail_if(
                f"{right.text} == 0", [left], e, lambda number: f"{number} is divided by zero", here
            )
        return infix(left, DIVISION[e.operator], right, PRODUCT)

    def _take(self, e: c.Binary, bag: Code, taken: Code, here: Here) -> Code:
        """A bag without what is taken, all of which it must hold."""
        assert isinstance(e.type, y.Bag)
        bag, taken = here.hold(bag), here.hold(taken)
        decode = self.layout.decoder(e.type.element)

        def describe(lacking: tuple[Any], held: dict[Any, int], wanted: dict[Any, int]) -> str:
            (element,) = lacking
            return (
                f"{wanted[element]} of `{text(decode(element))}` cannot be taken from "
                f"`{place(e.left)}`, which holds {held.get(element, 0)}"
            )

        lacking = here.hold(Code(f"first_lacking({bag.text}, {taken.text})"))
        self._fail_if(f"{lacking.text} is not None", [lacking, bag, taken], e, describe, here)
        return call("bag_difference", [bag, taken])

    def _fail_if(
        self, condition: str, values: list[Code], e: c.Binary, describe: Callable[..., str],
        here: Here,
    ) -> None:  # fmt: skip
        number = self.unit.failure(e.span, describe)
        here.names.fails = True
        with here.block.inside(f"if {condition}:"):
            here.block.add(f"raise fail({number}, {', '.join(each.text for each in values)})")


def number(code: Code) -> int:
    """The number that a known plain value is kept as."""
    return {"False": 0, "True": 1}[code.text] if code.text[0] in "FT" else int(code.text)


def _inverse(set: Code) -> Code:
    return Code(f"~{set.at(SIGN)}", SIGN, set.fails)


def _tuple(elements: list[Code]) -> Code:
    inside = "".join(f"{each.at(CHOICE)}, " for each in elements).rstrip()
    return Code(f"({inside})", fails=any(each.fails for each in elements))
