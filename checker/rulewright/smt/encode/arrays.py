"""Maps, bags and sets with many keys: functions that are only ever looked at key by key.

Nothing is written out per key, so the cost of a question does not grow with the board. A board is a
tree: an unknown root, and what was written over it. Reading goes down the tree, so the solver only
sees unknown functions at the keys that occur. What is added up over all keys (a size, a tally, a
sum) is a *measure*: an unknown number for the root, and after a write the number before it, less
what the old value counted and plus what the new one counts. Equal measures of equal roots are one
term, which is all the congruence there has to be; what is true of every sum is in `sum_axioms`.

Values are codes; -1 is `none`. Trusts that keys are in range, which is asked where they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rulewright.smt.encode.sum_axioms import any_key, for_all, measure_of
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import TRUE, Term

if TYPE_CHECKING:
    from rulewright.smt.encode.symbolic_values import Sym

NONE = -1
Weigh = Callable[[Term, Term], Term]
"""What a key with a value counts."""


class OpaqueError(Exception):
    """A measure that cannot be followed from before to after."""


class SymbolicArray:
    """A function from key codes to value codes."""

    __slots__ = ("keys",)

    def __init__(self, keys: range) -> None:
        self.keys = keys

    def read(self, terms: TermBuilder, key: Term) -> Term:
        """The value at a key."""
        raise NotImplementedError

    def measure(self, terms: TermBuilder, weigh: Weigh) -> Term:
        """What all keys count together; where it cannot be followed, an unknown number."""
        return measure_of(terms, self.keys, lambda key: weigh(key, self.read(terms, key)))

    def total(self, terms: TermBuilder) -> Term:
        """All values added up."""
        return self.measure(terms, lambda key, value: value)

    def root(self) -> SymbolicArray:
        """The board before anything was written over it."""
        return self


class UnknownArray(SymbolicArray):
    """A board of which only the range of its values is known. Where the codes of what can lie there
    do not begin right after that of `none`, it is unknown how far after it they are (`gap`), so
    that no code between is ever the value of a model."""

    __slots__ = ("gap", "high", "low", "name")

    def __init__(
        self, keys: range, name: str, low: int | None, high: int | None, gap: int = 0
    ) -> None:
        super().__init__(keys)
        self.name = name
        self.low = low
        self.high = high
        self.gap = gap

    def read(self, terms: TermBuilder, key: Term) -> Term:
        if not self.gap or self.high is None:
            return terms.apply(self.name, key, self.low, self.high)
        none = terms.number(NONE)
        found = terms.apply(self.name, key, NONE, self.high - self.gap)
        return terms.choose(terms.equal(found, none), none, terms.linear(self.gap, ((1, found),)))

    def code(self, said: int) -> int:
        """The code that an unknown number stands for."""
        return said if said == NONE else said + self.gap


class StoredArray(SymbolicArray):
    """A board with another value at one key."""

    __slots__ = ("inner", "key", "value")

    def __init__(self, inner: SymbolicArray, key: Term, value: Term) -> None:
        super().__init__(inner.keys)
        self.inner = inner
        self.key = key
        self.value = value

    def read(self, terms: TermBuilder, key: Term) -> Term:
        here = terms.equal(key, self.key)
        if here is TRUE:
            return self.value
        return terms.choose(here, self.value, self.inner.read(terms, key))

    def measure(self, terms: TermBuilder, weigh: Weigh) -> Term:
        before = self.inner.measure(terms, weigh)
        gone = weigh(self.key, self.inner.read(terms, self.key))
        return terms.linear(0, ((1, before), (-1, gone), (1, weigh(self.key, self.value))))

    def total(self, terms: TermBuilder) -> Term:
        gone = self.inner.read(terms, self.key)
        return terms.linear(0, ((1, self.inner.total(terms)), (-1, gone), (1, self.value)))

    def root(self) -> SymbolicArray:
        return self.inner.root()


def write(board: SymbolicArray, key: Term, value: Term) -> SymbolicArray:
    """A board with another value at one key; a known board stays known."""
    if isinstance(board, ListedArray) and key.op == "int":
        return ListedArray(board.keys, {**board.values, key.value: value}, board.default)
    return StoredArray(board, key, value)


class ConditionalArray(SymbolicArray):
    """One of two boards. Both mostly come from the same one, choice upon choice, so what has been
    read, measured or gone through is remembered: else each choice would double the work."""

    __slots__ = ("_measured", "_read", "_root", "_total", "condition", "otherwise", "then")

    def __init__(self, condition: Term, then: SymbolicArray, otherwise: SymbolicArray) -> None:
        super().__init__(then.keys)
        self.condition = condition
        self.then = then
        self.otherwise = otherwise
        self._read: dict[Term, Term] = {}
        self._measured: tuple[Weigh, Term] | None = None
        self._root: SymbolicArray | None = None
        self._total: Term | None = None

    def read(self, terms: TermBuilder, key: Term) -> Term:
        if key not in self._read:
            self._read[key] = terms.choose(
                self.condition, self.then.read(terms, key), self.otherwise.read(terms, key)
            )
        return self._read[key]

    def measure(self, terms: TermBuilder, weigh: Weigh) -> Term:
        if self._measured is None or self._measured[0] is not weigh:
            then, otherwise = (each.measure(terms, weigh) for each in (self.then, self.otherwise))
            self._measured = weigh, terms.choose(self.condition, then, otherwise)
        return self._measured[1]

    def total(self, terms: TermBuilder) -> Term:
        if self._total is None:
            then, otherwise = self.then.total(terms), self.otherwise.total(terms)
            self._total = terms.choose(self.condition, then, otherwise)
        return self._total

    def root(self) -> SymbolicArray:
        if self._root is None:
            then, otherwise = self.then.root(), self.otherwise.root()
            if then is not otherwise:
                raise OpaqueError("one of two boards")
            self._root = then
        return self._root


class ListedArray(SymbolicArray):
    """A board that is known: so and so for some keys, one value for all others."""

    __slots__ = ("default", "values")

    def __init__(self, keys: range, values: Mapping[int, Term], default: Term) -> None:
        super().__init__(keys)
        self.values = values
        self.default = default

    def read(self, terms: TermBuilder, key: Term) -> Term:
        if key.op == "int":
            return self.values.get(key.value, self.default)
        groups: dict[Term, list[Term]] = {}
        for code, value in self.values.items():
            if value is not self.default:
                groups.setdefault(value, []).append(terms.equal(key, terms.number(code)))
        result = self.default
        for value, conditions in groups.items():
            result = terms.choose(terms.either(conditions), value, result)
        return result

    def measure(self, terms: TermBuilder, weigh: Weigh) -> Term:
        with any_key(terms, self.keys) as generic:
            each = weigh(generic, self.default)
        if each.op != "int":
            return terms.add(
                weigh(terms.number(code), self.values.get(code, self.default)) for code in self.keys
            )
        named = [code for code in self.values if code in self.keys]
        known = (len(self.keys) - len(named)) * each.value  # the same wherever it stands
        return terms.linear(
            known, ((1, weigh(terms.number(code), self.values[code])) for code in named)
        )


class RuleArray(SymbolicArray):
    """A board given by a rule for each key. Its measures are opaque."""

    __slots__ = ("rule",)

    def __init__(self, keys: range, rule: Callable[[Term], Term]) -> None:
        super().__init__(keys)
        self.rule = rule

    def read(self, terms: TermBuilder, key: Term) -> Term:
        return self.rule(key)

    def root(self) -> SymbolicArray:
        raise OpaqueError("a board given by a rule")


class SumArray(SymbolicArray):
    """Two bags, key by key the sum or the difference."""

    __slots__ = ("left", "right", "sign")

    def __init__(self, left: SymbolicArray, right: SymbolicArray, sign: int) -> None:
        super().__init__(left.keys)
        self.left = left
        self.right = right
        self.sign = sign

    def read(self, terms: TermBuilder, key: Term) -> Term:
        parts = ((1, self.left.read(terms, key)), (self.sign, self.right.read(terms, key)))
        return terms.linear(0, parts)

    def total(self, terms: TermBuilder) -> Term:
        return terms.linear(0, ((1, self.left.total(terms)), (self.sign, self.right.total(terms))))

    def root(self) -> SymbolicArray:
        raise OpaqueError("two bags put together")


class OccupiedKeys(SymbolicArray):
    """The set of keys at which a board is not `none`."""

    __slots__ = ("of",)

    def __init__(self, of: SymbolicArray) -> None:
        super().__init__(of.keys)
        self.of = of

    def read(self, terms: TermBuilder, key: Term) -> Term:
        empty = terms.equal(self.of.read(terms, key), terms.number(NONE))
        return terms.choose(empty, terms.number(0), terms.number(1))

    def total(self, terms: TermBuilder) -> Term:
        return occupied_count(terms, self.of)

    def root(self) -> SymbolicArray:
        raise OpaqueError("the occupied part of a board")


class ValueCounts(SymbolicArray):
    """The bag of a board's values: of a root an unknown function, after a write that of before,
    less the old value and with the new one."""

    __slots__ = ("_known", "counted")

    def __init__(self, keys: range, counted: SymbolicArray) -> None:
        super().__init__(keys)
        self.counted = counted
        self._known: dict[tuple[int, Term], Term] = {}

    def read(self, terms: TermBuilder, key: Term) -> Term:
        return self._read(terms, self.counted, key)

    def _read(self, terms: TermBuilder, board: SymbolicArray, key: Term) -> Term:
        def hit(_: Term, value: Term) -> Term:
            return terms.choose(terms.equal(value, key), terms.number(1), terms.number(0))

        match board:
            case UnknownArray(name=name):
                return terms.apply(f"tally of {name}", key, 0, len(board.keys))
            case StoredArray(inner=inner, key=place, value=value):
                old = hit(place, inner.read(terms, place))
                parts = ((1, self._read(terms, inner, key)), (-1, old), (1, hit(place, value)))
                return terms.linear(0, parts)
            case ConditionalArray(condition=condition, then=then, otherwise=otherwise):
                place_of = id(board), key  # the board lives as long as this does
                if place_of not in self._known:
                    one, other = (self._read(terms, each, key) for each in (then, otherwise))
                    self._known[place_of] = terms.choose(condition, one, other)
                return self._known[place_of]
            case _:
                return board.measure(terms, hit)

    def total(self, terms: TermBuilder) -> Term:
        return occupied_count(terms, self.counted)

    def root(self) -> SymbolicArray:
        raise OpaqueError("a tally")


def occupied_count(terms: TermBuilder, board: SymbolicArray) -> Term:
    """How many keys are not `none`."""
    none = terms.number(NONE)

    def there(_: Term, value: Term) -> Term:
        return terms.choose(terms.equal(value, none), terms.number(0), terms.number(1))

    return board.measure(terms, there)


def choice(terms: TermBuilder, condition: Term, then: Sym, otherwise: Sym) -> SymbolicArray:
    """One of two values, of which one at least is a board."""
    one, other = aligned(terms, then, otherwise)
    return ConditionalArray(condition, one, other)


def listed(terms: TermBuilder, board: SymbolicArray, beside: Mapping[int, Sym]) -> dict[int, Sym]:
    """The values of a board, each as one that may be missing where that `beside` it may be."""
    from rulewright.smt.encode.symbolic_values import SymbolicOption

    found: dict[int, Sym] = {}
    for code, other in beside.items():
        held = board.read(terms, terms.number(code))
        there = terms.no(terms.equal(held, terms.number(NONE)))
        found[code] = SymbolicOption(there, held) if isinstance(other, SymbolicOption) else held
    return found


def same_board(terms: TermBuilder, left: Sym, right: Sym) -> Term:
    """True where two values, of which one at least is a board, are the same at every key."""
    one, other = aligned(terms, left, right)
    if isinstance(one, UnknownArray) and isinstance(other, UnknownArray) and one.name == other.name:
        return TRUE
    return for_all(
        terms, one.keys, lambda key: terms.equal(one.read(terms, key), other.read(terms, key))
    )


def aligned(terms: TermBuilder, left: Sym, right: Sym) -> tuple[SymbolicArray, SymbolicArray]:
    """Two values as boards with the same keys; beyond the keys of a bag or set there is nothing."""
    spans = [_keys_of(left), _keys_of(right)]
    keys = range(min(each.start for each in spans if each), max(each.stop for each in spans))
    one, other = (as_board(terms, each, keys) for each in (left, right))
    return _widened(terms, one, keys), _widened(terms, other, keys)


def _keys_of(value: Sym) -> range:
    from rulewright.smt.encode.symbolic_values import SymbolicBag, SymbolicSet

    if isinstance(value, SymbolicArray):
        return value.keys
    assert isinstance(value, SymbolicSet | SymbolicBag)
    held = value.flags if isinstance(value, SymbolicSet) else value.numbers
    return range(min(held), max(held) + 1) if held else range(0)


def _widened(terms: TermBuilder, board: SymbolicArray, keys: range) -> SymbolicArray:
    if board.keys == keys:
        return board

    def at(key: Term) -> Term:
        inside = terms.both(
            terms.at_most(terms.number(board.keys.start), key),
            terms.less(key, terms.number(board.keys.stop)),
        )
        return terms.choose(inside, board.read(terms, key), terms.number(0))

    return RuleArray(keys, at)


def as_board(terms: TermBuilder, value: Sym, keys: range) -> SymbolicArray:
    """A small set or bag where a big one is wanted."""
    from rulewright.smt.encode.symbolic_values import SymbolicBag, SymbolicSet, as_number

    if isinstance(value, SymbolicArray):
        return value
    assert isinstance(value, SymbolicSet | SymbolicBag)
    held = value.flags if isinstance(value, SymbolicSet) else value.numbers
    values = {code: as_number(terms, each) for code, each in held.items()}
    return ListedArray(keys, values, terms.number(0))
