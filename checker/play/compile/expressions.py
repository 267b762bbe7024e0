"""Expressions of the core as Python expressions.

`value` gives the value as the layout keeps it, `truth` something that counts as true or false.
What the state has no part in is worked out here and now, by the evaluator. Evaluation keeps to
the evaluator's order as far as anything can fail; the rest may move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.builtins import Builtins
from checker.play.compile.checks import Checks
from checker.play.compile.code import (
    AND,
    ATOM,
    CHOICE,
    COMPARE,
    FALSE,
    OR,
    TRUE,
    Block,
    Code,
    Here,
    negation,
)
from checker.play.compile.functions import Functions
from checker.play.compile.lookups import Lookups
from checker.play.compile.maps import Maps
from checker.play.compile.masks import Masks
from checker.play.compile.operators import Operators
from checker.play.compile.quantifiers import Quantifiers
from checker.play.compile.tables import Tables
from checker.play.compile.unit import Unit
from checker.play.errors import EvaluationError
from checker.play.evaluate import Scene, evaluate
from checker.play.values import text

LIGHT = 25
"""Nodes; functions with no more are written out where they are called."""


class Expressions:
    """Compiles expressions; the other parts of the compiler hang together through it."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.checks = Checks(unit)
        self.lookups = Lookups(self)
        self.maps = Maps(self)
        self.operators = Operators(self)
        self.builtins = Builtins(self)
        self.tables = Tables(self)
        self.masks = Masks(self)
        self.quantifiers = Quantifiers(self)
        self.functions = Functions(self)

    # ---- values and truths

    def value(self, e: c.Expr, here: Here) -> Code:
        """The value of an expression, as its type keeps it."""
        if isinstance(e.type, y.Bool):
            return exact(self.truth(e, here))
        return self._any(e, here)

    def value_as(self, e: c.Expr, type: y.Type, here: Here) -> Code:
        """The value of an expression, as another type keeps it."""
        return self.checks.as_type(self.value(e, here), e.type, type)

    def truth(self, e: c.Expr, here: Here) -> Code:
        """A condition: something that counts as true or false."""
        return self._any(e, here)

    def _any(self, e: c.Expr, here: Here) -> Code:
        folded = self._folded(e, here)
        if folded is not None:
            return folded
        match e:
            case c.Literal(value=value):
                return self.unit.known(value, e.type)
            case c.Local(name=name):
                return here.env[name]
            case c.StateVar() | c.TableRef() | c.Lookup():
                return self.lookups.value(e, here)
            case c.Unary(operator="not", operand=operand):
                return negation(self.truth(operand, here))
            case c.Binary(operator="and" | "or" | "implies" as operator, left=left, right=right):
                first = self.truth(left, here)
                return self.both(first, operator, lambda inside: self.truth(right, inside), here)
            case c.Unary() | c.Binary() | c.BagCount() | c.SetOf() | c.BagOf():
                return self.operators.value(e, here)
            case c.Choose():
                return self._choose(e, here)
            case c.Let(name=name, value=bound, body=body):
                held = here.hold(self.value(bound, here))
                return self._any(body, here.bind(name, held))
            case c.Otherwise():
                return self._otherwise(e, here)
            case c.Quantify():
                return self.quantifiers.fold(e, here)
            case c.SetEach():
                return self.quantifiers.collect(e, here)
            case c.FieldOf() | c.MapOf() | c.MapEach() | c.Updated():
                return self.maps.value(e, here)
            case c.Call():
                return self._call(e, here)
            case c.Builtin():
                return self.builtins.value(e, here)
            case _:
                raise AssertionError(e)

    def _folded(self, e: c.Expr, here: Here) -> Code | None:
        """The value of what can be worked out beforehand, if it has one."""
        if isinstance(e, c.Literal | c.Local):
            return None
        fact = self.unit.facts.of(e)
        if fact.state or not all(here.env[name].is_known for name in fact.names):
            return None
        known = {name: here.env[name].known for name in fact.names}
        try:
            value = evaluate(e, Scene(self.unit.instance, {}, locals=known))
        except EvaluationError:
            return None
        return self.unit.known(value, e.type)

    # ---- order of evaluation

    def sequence(self, parts: Sequence[c.Expr], here: Here) -> list[Code]:
        """Values worked out one after the other: what fails first in the evaluator does here."""
        found: list[Code] = []
        for part in parts:
            self.then(found, partial(self.value, part, here), here)
        return found

    def then(self, found: list[Code], make: Callable[[], Code], here: Here) -> None:
        """Adds one more value to those found. If it takes lines of its own, what stands before
        it and can fail must be worked out before those."""
        place = len(here.block.lines)
        code = make()
        if len(here.block.lines) > place:
            for number, earlier in enumerate(found):
                if earlier.fails:
                    name = here.names.fresh()
                    here.block.insert(place, f"{name} = {earlier.at(CHOICE)}")
                    place += 1
                    found[number] = Code(name, loose=earlier.loose)
        found.append(code)

    def both(
        self, left: Code, operator: str, make_right: Callable[[Here], Code], here: Here
    ) -> Code:
        """`left and right` and the like; the right side is looked at only where it matters."""
        if operator == "implies":
            left, operator = negation(left), "or"
        stop = operator == "or"
        if left.is_known:
            return (TRUE if stop else FALSE) if bool(left.known) == stop else make_right(here)
        lines = Block()
        right = make_right(here.into(lines))
        if right.is_known and not lines:
            if bool(right.known) != stop:
                return left
            if not left.fails:
                return TRUE if stop else FALSE
        if not lines:
            level = OR if stop else AND
            joined = f"{left.at(level)} {operator} {right.at(level)}"
            loose = left.loose or right.loose
            return Code(joined, level, left.fails or right.fails, loose)
        result = here.names.fresh()
        here.block.add(f"{result} = {left.at(CHOICE)}")
        with here.block.inside(f"if not {result}:" if stop else f"if {result}:"):
            here.block.splice(lines)
            here.block.add(f"{result} = {right.at(CHOICE)}")
        return Code(result, loose=left.loose or right.loose)

    def _choose(self, e: c.Choose, here: Here) -> Code:
        condition = self.truth(e.condition, here)
        if condition.is_known:
            chosen = e.then if condition.known else e.otherwise
            return self.checks.as_type(self._any(chosen, here), chosen.type, e.type)
        return self.choose(
            condition,
            lambda inside: self.value_as(e.then, e.type, inside),
            lambda inside: self.value_as(e.otherwise, e.type, inside),
            here,
        )

    def choose(
        self, condition: Code, then: Callable[[Here], Code], otherwise: Callable[[Here], Code],
        here: Here,
    ) -> Code:  # fmt: skip
        """One value or another, of which only one is worked out."""
        lines, others = Block(), Block()
        one, other = then(here.into(lines)), otherwise(here.into(others))
        if not lines and not others:
            written = f"{one.at(OR)} if {condition.at(OR)} else {other.at(CHOICE)}"
            fails = condition.fails or one.fails or other.fails
            return Code(written, CHOICE, fails, one.loose or other.loose)
        result = here.names.fresh()
        with here.block.inside(f"if {condition.at(CHOICE)}:"):
            here.block.splice(lines)
            here.block.add(f"{result} = {one.at(CHOICE)}")
        with here.block.inside("else:"):
            here.block.splice(others)
            here.block.add(f"{result} = {other.at(CHOICE)}")
        return Code(result, loose=one.loose or other.loose)

    def _otherwise(self, e: c.Otherwise, here: Here) -> Code:
        value = self.value(e.value, here)
        if value.is_known and value.known is None:
            return self.value_as(e.default, e.type, here)
        if not isinstance(e.value.type, y.Option) or value.is_known:
            return value
        held = here.hold(value)
        present = Code(f"{held.text} is not None", COMPARE)
        return self.choose(
            present, lambda _: held, lambda inside: self.value(e.default, inside), here
        )

    # ---- functions

    def _call(self, e: c.Call, here: Here) -> Code:
        function = self.unit.instance.functions[e.function]
        given: list[Code] = []
        for param, argument in zip(function.params, e.arguments):
            self.then(given, partial(self._argument, function, param, argument, here), here)
        state = here.before if e.old else here.state
        assert state is not None
        if self.unit.facts.body(e.function).weight <= LIGHT:
            given = [here.hold(code) for code in given]
            env = {param.name: code for param, code in zip(function.params, given)}
            result = self._any(function.body, here.alone(env, state))
            type_ = function.body.type
        else:
            if not self.checks.fits(function.body.type, function.type):
                given = [here.hold(code) for code in given]
            written = self.functions.of(function)
            here.names.fails |= written.fails
            result, type_ = written.called(state, given), function.body.type
        types = [param.type for param in function.params]

        def what_call(*values: object) -> str:
            plain = (self.unit.layout.decode(v, type) for v, type in zip(values, types))
            return f"`{function.name}({', '.join(map(_brief, plain))})`"

        return self.checks.value(result, type_, function.type, what_call, e.span, here, given)

    def _argument(self, function: c.Function, param: c.Param, argument: c.Expr, here: Here) -> Code:
        code = self.value(argument, here)
        what = f"`{param.name}` of `{function.name}`"
        return self.checks.value(code, argument.type, param.type, what, argument.span, here)


def exact(truth: Code) -> Code:
    """A truth as True or False, nothing else."""
    if not truth.loose:
        return truth
    if truth.level > COMPARE:
        return Code(f"{truth.text} != 0", COMPARE, truth.fails)
    return Code(f"bool({truth.text})", ATOM, truth.fails)


def _brief(value: object) -> str:
    """An argument in a message: plain values as they are, others by a sign."""
    return text(value) if value is None or isinstance(value, bool | int | str) else "…"
