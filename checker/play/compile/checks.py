"""Checks that a value lies in its declared type and that a map has a key.

A check is left out only where the types prove that it cannot fail. What a failing one says is
what the evaluator says: the message is made from the decoded value when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from checker.meaning import types as y
from checker.play.compile.code import Code, Here
from checker.play.compile.unit import Unit
from checker.play.values import stray, text
from checker.syntax.node import Span

What: TypeAlias = "str | Callable[..., str]"
"""What is checked, in words; a function is given the values that the failure carries."""


class Checks:
    """Puts checks into the code of a unit."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.layout = unit.layout
        self.instance = unit.instance

    def fits(self, actual: y.Type, wanted: y.Type) -> bool:
        """Whether every value of a type is surely one of the other."""
        if not self.unit.players_in_range and _has_players(wanted):
            return False
        return y.within(actual, wanted)

    def as_type(self, code: Code, actual: y.Type, wanted: y.Type) -> Code:
        """The same value as values of the wanted type are kept."""
        if actual == wanted or _shape(actual, self.layout) == _shape(wanted, self.layout):
            return code
        if code.is_known:
            return self.unit.known(code.known, wanted)
        decode, encode = self.layout.decoder(actual), self.layout.encoder(wanted)
        name = self.unit.name("recoded")
        self.unit.namespace[name] = lambda value: encode(decode(value))
        return Code(f"{name}({code.text})", fails=code.fails)

    def value(
        self,
        code: Code,
        actual: y.Type,
        wanted: y.Type,
        what: What,
        span: Span,
        here: Here,
        carried: Sequence[Code] = (),
        whole: str | None = None,
    ) -> Code:
        """The value, checked and as the wanted type keeps it. A failure says `whole`, or what
        `what` (told of the values `carried`) is and what it should be."""
        if self.fits(actual, wanted):
            return self.as_type(code, actual, wanted)
        if code.is_known:
            if stray(code.known, wanted, self.instance) is None:
                return self.as_type(code, actual, wanted)
            encoded = self.unit.known(code.known, actual)
            self._raise(encoded, actual, wanted, what, span, here, carried, whole)
            return code
        held = here.hold(code)
        condition = self._leaves(held, actual, wanted)
        with here.block.inside(f"if {condition}:"):
            self._raise(held, actual, wanted, what, span, here, carried, whole)
        return self.as_type(held, actual, wanted)

    def key(
        self, key: Code, actual: y.Type, keys: y.Type, what: str, span: Span, here: Here,
        none: bool = False,
    ) -> Code:  # fmt: skip
        """The key of a map, checked to be one of its keys, or `none` if that is let through."""
        optional = isinstance(actual, y.Option)
        inner = actual.inner if isinstance(actual, y.Option) else actual
        if self.fits(inner, keys) and (none or not optional):
            return key
        if key.is_known and (
            key.known in self.instance.order(keys) or (none and key.known is None)
        ):
            return key
        decode = self.layout.decoder(actual)

        def describe(value: Any) -> str:
            return f"`{what}` has no key `{text(decode(value))}`, only {y.show(keys)}"

        held = here.hold(key)
        number = self.unit.failure(span, describe)
        here.names.fails = True
        conditions = [] if none or not optional else [f"{held.text} is None"]
        if not self.fits(inner, keys):
            leaves = self._leaves(held, inner, keys)
            conditions.append(f"{held.text} is not None and {leaves}" if optional else leaves)
        with here.block.inside(f"if {' or '.join(conditions)}:"):
            here.block.add(f"raise fail({number}, {held.text})")
        return Code(held.text, held.level)

    def is_of(self, value: Code, actual: y.Type, wanted: y.Type) -> str | None:
        """The condition under which a held plain value is of a type; None if it surely is."""
        conditions = []
        inner = actual
        if isinstance(actual, y.Option) and not isinstance(wanted, y.Option):
            conditions.append(f"{value.text} is not None")
            inner = actual.inner
        if not self.fits(inner, wanted):
            conditions.append(f"not ({self._leaves(value, inner, wanted)})")
        return " and ".join(conditions) or None

    def _raise(
        self, code: Code, actual: y.Type, wanted: y.Type, what: What, span: Span, here: Here,
        carried: Sequence[Code], whole: str | None,
    ) -> None:  # fmt: skip
        decode = self.layout.decoder(actual)

        def describe(value: Any, *others: Any) -> str:
            if whole is not None:
                return whole
            plain = decode(value)
            found = stray(plain, wanted, self.instance)
            assert found is not None
            part, outside = found
            holds = "is" if part is plain else "holds"
            subject = what if isinstance(what, str) else what(*others)
            return f"{subject} {holds} {text(part)}, outside {y.show(outside)}"

        number = self.unit.failure(span, describe)
        here.names.fails = True
        values = ", ".join(each.text for each in (code, *carried))
        here.block.add(f"raise fail({number}, {values})")

    def _leaves(self, value: Code, actual: y.Type, wanted: y.Type) -> str:
        """The condition under which a value is not of its type."""
        name = value.text
        match actual, wanted:
            case y.Option(inner), y.Option(outer):
                return f"{name} is not None and {self._leaves(value, inner, outer)}"
            case y.Option(inner), _:
                return f"{name} is not None and {self._leaves(value, inner, wanted)}"
            case _, y.Option(outer):
                return self._leaves(value, actual, outer)
            case y.Int(low, high), y.Int(least, most):
                below = least is not None and (low is None or low < least)
                above = most is not None and (high is None or high > most)
                return _outside(name, least if below else None, most if above else None)
            case y.Player(), y.Player():
                return _outside(name, 1, self.instance.players)
            case y.Set(), y.Set(element) if _shape(actual, self.layout) == "bits":
                if self.layout.is_bits(element):
                    return f"{name} & ~{self.layout.all_bits(element)}"
        decode, instance = self.layout.decoder(actual), self.instance
        function = self.unit.name("strays")
        self.unit.namespace[function] = lambda given: (
            stray(decode(given), wanted, instance) is not None
        )
        return f"{function}({name})"


def _outside(name: str, least: int | None, most: int | None) -> str:
    if least is None:
        return f"{name} > {most}"
    if most is None:
        return f"{name} < {least}"
    return f"not {least} <= {name} <= {most}"


def _shape(type: y.Type, layout: Any) -> str:
    """Types of the same shape are kept the same way."""
    match type:
        case y.Set(y.Never()):
            return "empty"
        case y.Set(element):
            return "bits" if layout.is_bits(element) else "frozen"
        case y.Bag():
            return "bag"
        case y.Map(_, value):
            return f"{'sparse' if layout.is_sparse(type) else 'dense'} {_shape(value, layout)}"
        case _:
            return "plain"


def _has_players(type: y.Type) -> bool:
    match type:
        case y.Player():
            return True
        case y.Option(inner) | y.Set(inner) | y.Bag(inner) | y.Map(_, inner):
            return _has_players(inner)
        case _:
            return False
