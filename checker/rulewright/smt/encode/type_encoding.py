"""The shape a symbolic value of a type has: made from plain values, from nothing, and checked.

`fresh` makes the unknowns that positions and moves consist of; their names say what they stand
for, so that a solver's model can be read back (`decode_model`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.values import SparseMap
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.environment import EncodingContext
from rulewright.smt.encode.sum_axioms import for_all
from rulewright.smt.encode.symbolic_values import (
    Sym,
    SymbolicBag,
    SymbolicMap,
    SymbolicOption,
    SymbolicSet,
    as_maybe,
    as_number,
    as_scalar,
    merge,
)
from rulewright.smt.terms.term import FALSE, TRUE, Term


class TypeEncoder:
    """Makes values of one world."""

    def __init__(self, world: EncodingContext) -> None:
        self.world = world
        self.terms = world.terms
        self.domains = world.domains

    # ---- from plain values

    def literal(self, value: Any, type: y.Type) -> Sym:
        """A plain value."""
        if value is None:
            return SymbolicOption(FALSE, None)
        if isinstance(type, y.Option):
            return self.literal(value, type.inner)
        if isinstance(value, bool):
            return self.terms.truth(value)
        return self.terms.number(self.domains.code(value, type))

    def given(self, value: Any, type: y.Type) -> Sym:
        """Any value of the evaluator."""
        match type:
            case y.Map(key, inner):
                known = value.entries if isinstance(value, SparseMap) else value
                entries = {
                    self.domains.code(each, key): self.given(known[each], inner)
                    for each in self.domains.instance.order(key)
                    if each in known
                }
                default = (
                    next(iter(entries.values())) if known is value else SymbolicOption(FALSE, None)
                )
                return self.map_from(type, entries, default)
            case y.Set(element):
                flags: dict[int, Term] = {self.domains.code(v, element): TRUE for v in value}
                return self.fit(SymbolicSet(dict(sorted(flags.items()))), type)
            case y.Bag(element):
                numbers: dict[int, Term] = {
                    self.domains.code(v, element): self.terms.number(value[v]) for v in value
                }
                return self.fit(SymbolicBag(dict(sorted(numbers.items()))), type)
            case _:
                return self.fit(self.literal(value, type), type)

    def table(self, name: str) -> Sym:
        """A table of the spec, made once."""
        found = self.world.tables.get(name)
        if found is None:
            instance = self.world.instance
            type = next(each.type for each in instance.spec.tables if each.name == name)
            found = self.world.tables[name] = self.given(instance.tables[name], type)
        return found

    # ---- maps

    def map_from(self, type: y.Map, values: Mapping[int, Sym], default: Sym) -> Sym:
        """A map with these values, and the default for all other keys."""
        codes = self.domains.codes(type.key)
        if self.domains.is_board(type):
            packed = {code: self.packed(value, type.value) for code, value in values.items()}
            return b.ListedArray(codes, packed, self.packed(default, type.value))
        return SymbolicMap({code: values.get(code, default) for code in codes})

    def packed(self, value: Sym, type: y.Type) -> Term:
        """A value as it stands on a board: its code, or -1 for `none`."""
        if isinstance(type, y.Option):
            found = as_maybe(value)
            none = self.terms.number(b.NONE)
            if found.value is None:
                return none
            return self.terms.choose(found.there, as_number(self.terms, found.value), none)
        assert isinstance(value, Term)
        return as_number(self.terms, value)

    def unpacked(self, code: Term, type: y.Type, checked: bool = True) -> Sym:
        """What a code on a board stands for. One of a board that was `checked` lies in its type."""
        if isinstance(type, y.Option):
            there = self.terms.no(self.terms.equal(code, self.terms.number(b.NONE)))
            codes = self.domains.codes(type.inner)
            low, high = (codes.start, codes.stop - 1) if checked and codes else (b.NONE + 1, None)
            value = self.terms.held(code, low, high)  # where it is there
            return SymbolicOption(there, self.scalar(value, type.inner))
        return self.scalar(code, type)

    def scalar(self, code: Term, type: y.Type) -> Term:
        return as_scalar(self.terms, code, type)

    # ---- shaping

    def fit(self, value: Sym, type: y.Type) -> Sym:
        """A value in the shape of the type it is kept as. That it lies in the type has been asked:
        from here on it is trusted to."""
        match type:
            case y.Int(low, high) if isinstance(value, Term):
                return self.terms.held(value, low, high)
            case y.Option(inner):
                found = as_maybe(value)
                if found.value is None:
                    return found
                kept = self.fit(found.value, inner)
                assert isinstance(kept, Term)
                return found if kept is found.value else SymbolicOption(found.there, kept)
            case y.Set(element) | y.Bag(element):
                big = self.domains.is_big(element)
                if isinstance(value, SymbolicSet | SymbolicBag) and big:
                    return b.as_board(self.terms, value, self.domains.codes(element))
                if isinstance(value, b.SymbolicArray) and not big:
                    return self._written_out(value, type)
                return value
            case y.Map(_, inner) if isinstance(value, SymbolicMap) and self.domains.is_board(type):
                first = next(iter(value.values.values()))
                return self.map_from(type, value.values, first)
            case y.Map(_, inner) if isinstance(
                value, b.SymbolicArray
            ) and not self.domains.is_board(type):
                number = self.terms.number
                read = {code: value.read(self.terms, number(code)) for code in value.keys}
                return SymbolicMap({
                    code: self.fit(self.unpacked(each, inner), inner) for code, each in read.items()
                })  # fmt: skip
            case y.Map(_, inner) if isinstance(value, SymbolicMap):
                fitted = {key: self.fit(each, inner) for key, each in value.values.items()}
                if all(fitted[key] is each for key, each in value.values.items()):
                    return value
                return SymbolicMap(fitted)
            case _:
                return value

    def _written_out(self, board: b.SymbolicArray, type: y.Set | y.Bag) -> Sym:
        """A big set or bag where only few elements can be in it."""
        codes = [code for code in self.domains.codes(type.element) if code in board.keys]
        counts = {code: board.read(self.terms, self.terms.number(code)) for code in codes}
        if isinstance(type, y.Bag):
            return SymbolicBag(counts)
        zero = self.terms.number(0)
        return SymbolicSet({code: self.terms.less(zero, each) for code, each in counts.items()})

    def merge(self, condition: Term, then: Sym, otherwise: Sym, type: y.Type) -> Sym:
        """A choice between two values of a type."""
        if condition is TRUE:
            return self.fit(then, type)
        if condition is FALSE:
            return self.fit(otherwise, type)
        return merge(self.terms, condition, self.fit(then, type), self.fit(otherwise, type))

    def within(self, value: Sym, type: y.Type) -> Term:
        """True where a value lies in a type."""
        terms = self.terms
        match type, value:
            case y.Option(inner), _:
                found = as_maybe(value)
                if found.value is None:
                    return terms.no(found.there)
                return terms.implies(found.there, self.within(found.value, inner))
            case _, SymbolicOption():
                inside = TRUE if value.value is None else self.within(value.value, type)
                return terms.both(value.there, inside)
            case y.Set(element), SymbolicSet(flags=flags):
                codes = self._limits(element)
                return terms.every(terms.no(f) for k, f in flags.items() if k not in codes)
            case y.Bag(element), SymbolicBag(numbers=numbers):
                codes = self._limits(element)
                return terms.every(
                    terms.at_most(n, terms.number(0)) for k, n in numbers.items() if k not in codes
                )
            case ((y.Set(element) | y.Bag(element)), b.SymbolicArray()):
                codes = self._limits(element)
                return terms.every(
                    terms.at_most(value.read(terms, terms.number(code)), terms.number(0))
                    for code in value.keys
                    if code not in codes
                )
            case y.Map(_, inner), SymbolicMap(values=values):
                return terms.every(self.within(each, inner) for each in values.values())
            case y.Map(_, inner), b.SymbolicArray():
                return self._board_within(value, inner)
            case y.Int(low, high), Term():
                return terms.both(
                    TRUE if low is None else terms.at_most(terms.number(low), value),
                    TRUE if high is None else terms.at_most(value, terms.number(high)),
                )
            case ((y.Player() | y.Enum() | y.Grid()), Term()):
                codes = self.domains.codes(type)
                return terms.both(
                    terms.at_most(terms.number(codes.start), value),
                    terms.less(value, terms.number(codes.stop)),
                )
            case _:
                return TRUE

    def _board_within(
        self, board: b.SymbolicArray, inner: y.Type, known: dict[int, Term] | None = None
    ) -> Term:
        """True where all values of a board lie in a type. What several choices have in common is
        gone through once."""
        known = {} if known is None else known
        if id(board) not in known:
            known[id(board)] = self._values_within(board, inner, known)
        return known[id(board)]

    def _values_within(
        self, board: b.SymbolicArray, inner: y.Type, known: dict[int, Term]
    ) -> Term:  # fmt: skip
        terms = self.terms
        match board:
            case b.StoredArray(inner=before, value=written):
                fits = self.within(self.unpacked(written, inner, False), inner)
                return terms.both(self._board_within(before, inner, known), fits)
            case b.ConditionalArray(condition=condition, then=then, otherwise=otherwise):
                one, other = (self._board_within(each, inner, known) for each in (then, otherwise))
                return terms.choose_truth(condition, one, other)
            case b.ListedArray(values=values, default=default):
                every = (*values.values(), default)
                return terms.every(
                    self.within(self.unpacked(each, inner, False), inner) for each in every
                )
            case _:

                def holds(key: Term) -> Term:
                    return self.within(self.unpacked(board.read(terms, key), inner, False), inner)

                return for_all(terms, board.keys, holds)

    def _limits(self, element: y.Type) -> range:
        if isinstance(element, y.Int) and (element.low is None or element.high is None):
            return range(-(10**9), 10**9)
        return self.domains.codes(element)

    # ---- unknowns

    def fresh(self, type: y.Type, name: str) -> Sym:
        """An unknown value of a type."""
        terms = self.terms
        match type:
            case y.Bool():
                return terms.flag(name)
            case y.Int(low, high):
                return terms.unknown(name, low, high)
            case y.Player() | y.Enum() | y.Grid():
                codes = self.domains.codes(type)
                if len(codes) == 1:
                    return terms.number(codes[0])
                return terms.unknown(name, codes.start, codes.stop - 1)
            case y.Option(inner):
                value = self.fresh(inner, f"{name}!")
                assert isinstance(value, Term)
                return SymbolicOption(terms.flag(f"{name}?"), value)
            case y.Set(element):
                codes = self.domains.codes(element)
                if self.domains.is_big(element):
                    return b.UnknownArray(codes, name, 0, 1)
                return SymbolicSet({code: terms.flag(f"{name}:{code}") for code in codes})
            case y.Bag(element):
                codes = self.domains.codes(element)
                if self.domains.is_big(element):
                    return b.UnknownArray(codes, name, 0, None)
                return SymbolicBag(
                    {code: terms.unknown(f"{name}:{code}", 0, None) for code in codes}
                )
            case y.Map(key, inner):
                codes = self.domains.codes(key)
                if self.domains.is_board(type):
                    plain = inner.inner if isinstance(inner, y.Option) else inner
                    held = self.domains.codes(plain)
                    if isinstance(inner, y.Option):
                        gap = held.start - b.NONE - 1
                        return b.UnknownArray(codes, name, b.NONE, held.stop - 1, gap)
                    return b.UnknownArray(codes, name, held.start, held.stop - 1)
                return SymbolicMap({code: self.fresh(inner, f"{name}[{code}]") for code in codes})
            case _:
                raise ValueError(f"nothing is of the type {y.show(type)}")
