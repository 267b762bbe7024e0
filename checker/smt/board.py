"""Maps, bags and sets with many keys: functions that are only ever looked at key by key.

Nothing is written out per key, so the cost of a question does not grow with the board. A board is
a tree: an unknown root, and what was written over it. Reading goes down the tree, so the solver
only sees unknown functions at the keys that occur. What is added up over all keys (a size, a
tally, a sum) is a *measure*: an unknown number for the root, and after a write the number before
it, less what the old value counted and plus what the new one counts. Equal measures of equal roots
are one term, which is all the congruence there has to be. What is true of every sum is written down
as facts about it (`measure_of`, `_sums_follow`).

Values are codes; -1 is `none`. Trusts that keys are in range, which is asked where they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from checker.smt.number import Terms
from checker.smt.term import FALSE, INT, OPAQUE, TRUE, Term, parts

if TYPE_CHECKING:
    from checker.smt.value import Sym

NONE = -1
FEW = 4
"""So many elements are written into a bag one by one; more are added as a bag."""
VERY_MANY = 256
bound_prefix = "any "
"""How the names begin that stand for any key."""
Weigh = Callable[[Term, Term], Term]
"""What a key with a value counts."""


class OpaqueError(Exception):
    """A measure that cannot be followed from before to after."""


class Board:
    """A function from key codes to value codes."""

    __slots__ = ("keys",)

    def __init__(self, keys: range) -> None:
        self.keys = keys

    def read(self, terms: Terms, key: Term) -> Term:
        """The value at a key."""
        raise NotImplementedError

    def measure(self, terms: Terms, weigh: Weigh) -> Term:
        """What all keys count together; where it cannot be followed, an unknown number."""
        return measure_of(terms, self.keys, lambda key: weigh(key, self.read(terms, key)))

    def total(self, terms: Terms) -> Term:
        """All values added up."""
        return self.measure(terms, lambda key, value: value)

    def root(self) -> Board:
        """The board before anything was written over it."""
        return self


class Root(Board):
    """A board of which only the range of its values is known."""

    __slots__ = ("high", "low", "name")

    def __init__(self, keys: range, name: str, low: int | None, high: int | None) -> None:
        super().__init__(keys)
        self.name = name
        self.low = low
        self.high = high

    def read(self, terms: Terms, key: Term) -> Term:
        return terms.apply(self.name, key, self.low, self.high)


class Written(Board):
    """A board with another value at one key."""

    __slots__ = ("inner", "key", "value")

    def __init__(self, inner: Board, key: Term, value: Term) -> None:
        super().__init__(inner.keys)
        self.inner = inner
        self.key = key
        self.value = value

    def read(self, terms: Terms, key: Term) -> Term:
        here = terms.equal(key, self.key)
        if here is TRUE:
            return self.value
        return terms.choose(here, self.value, self.inner.read(terms, key))

    def measure(self, terms: Terms, weigh: Weigh) -> Term:
        before = self.inner.measure(terms, weigh)
        gone = weigh(self.key, self.inner.read(terms, self.key))
        return terms.linear(0, ((1, before), (-1, gone), (1, weigh(self.key, self.value))))

    def total(self, terms: Terms) -> Term:
        gone = self.inner.read(terms, self.key)
        return terms.linear(0, ((1, self.inner.total(terms)), (-1, gone), (1, self.value)))

    def root(self) -> Board:
        return self.inner.root()


def write(board: Board, key: Term, value: Term) -> Board:
    """A board with another value at one key; a known board stays known."""
    if isinstance(board, Listed) and key.op == "int":
        return Listed(board.keys, {**board.values, key.value: value}, board.default)
    return Written(board, key, value)


class Choice(Board):
    """One of two boards. Both mostly come from the same one, choice upon choice, so what has been
    read or measured is remembered: else each choice would double the work."""

    __slots__ = ("_measured", "_read", "condition", "otherwise", "then")

    def __init__(self, condition: Term, then: Board, otherwise: Board) -> None:
        super().__init__(then.keys)
        self.condition = condition
        self.then = then
        self.otherwise = otherwise
        self._read: dict[Term, Term] = {}
        self._measured: tuple[Weigh, Term] | None = None

    def read(self, terms: Terms, key: Term) -> Term:
        if key not in self._read:
            self._read[key] = terms.choose(
                self.condition, self.then.read(terms, key), self.otherwise.read(terms, key)
            )
        return self._read[key]

    def measure(self, terms: Terms, weigh: Weigh) -> Term:
        if self._measured is None or self._measured[0] is not weigh:
            then, otherwise = (each.measure(terms, weigh) for each in (self.then, self.otherwise))
            self._measured = weigh, terms.choose(self.condition, then, otherwise)
        return self._measured[1]

    def total(self, terms: Terms) -> Term:
        then, otherwise = self.then.total(terms), self.otherwise.total(terms)
        return terms.choose(self.condition, then, otherwise)

    def root(self) -> Board:
        then, otherwise = self.then.root(), self.otherwise.root()
        if then is not otherwise:
            raise OpaqueError("one of two boards")
        return then


class Listed(Board):
    """A board that is known: so and so for some keys, one value for all others."""

    __slots__ = ("default", "values")

    def __init__(self, keys: range, values: Mapping[int, Term], default: Term) -> None:
        super().__init__(keys)
        self.values = values
        self.default = default

    def read(self, terms: Terms, key: Term) -> Term:
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

    def measure(self, terms: Terms, weigh: Weigh) -> Term:
        each = weigh(bound_key(terms, self.keys), self.default)
        if each.op != "int":
            return terms.add(
                weigh(terms.number(code), self.values.get(code, self.default)) for code in self.keys
            )
        named = [code for code in self.values if code in self.keys]
        known = (len(self.keys) - len(named)) * each.value  # the same wherever it stands
        return terms.linear(
            known, ((1, weigh(terms.number(code), self.values[code])) for code in named)
        )


class Formula(Board):
    """A board given by a rule for each key. Its measures are opaque."""

    __slots__ = ("rule",)

    def __init__(self, keys: range, rule: Callable[[Term], Term]) -> None:
        super().__init__(keys)
        self.rule = rule

    def read(self, terms: Terms, key: Term) -> Term:
        return self.rule(key)

    def root(self) -> Board:
        raise OpaqueError("a board given by a rule")


class Added(Board):
    """Two bags, key by key the sum or the difference."""

    __slots__ = ("left", "right", "sign")

    def __init__(self, left: Board, right: Board, sign: int) -> None:
        super().__init__(left.keys)
        self.left = left
        self.right = right
        self.sign = sign

    def read(self, terms: Terms, key: Term) -> Term:
        parts = ((1, self.left.read(terms, key)), (self.sign, self.right.read(terms, key)))
        return terms.linear(0, parts)

    def total(self, terms: Terms) -> Term:
        return terms.linear(0, ((1, self.left.total(terms)), (self.sign, self.right.total(terms))))

    def root(self) -> Board:
        raise OpaqueError("two bags put together")


class Occupied(Board):
    """The set of keys at which a board is not `none`."""

    __slots__ = ("of",)

    def __init__(self, of: Board) -> None:
        super().__init__(of.keys)
        self.of = of

    def read(self, terms: Terms, key: Term) -> Term:
        empty = terms.equal(self.of.read(terms, key), terms.number(NONE))
        return terms.choose(empty, terms.number(0), terms.number(1))

    def total(self, terms: Terms) -> Term:
        return occupied_count(terms, self.of)

    def root(self) -> Board:
        raise OpaqueError("the occupied part of a board")


class Tally(Board):
    """The bag of a board's values: of a root an unknown function, after a write that of before,
    less the old value and with the new one."""

    __slots__ = ("_known", "counted")

    def __init__(self, keys: range, counted: Board) -> None:
        super().__init__(keys)
        self.counted = counted
        self._known: dict[tuple[int, Term], Term] = {}

    def read(self, terms: Terms, key: Term) -> Term:
        return self._read(terms, self.counted, key)

    def _read(self, terms: Terms, board: Board, key: Term) -> Term:
        def hit(_: Term, value: Term) -> Term:
            return terms.choose(terms.equal(value, key), terms.number(1), terms.number(0))

        match board:
            case Root(name=name):
                return terms.apply(f"tally of {name}", key, 0, len(board.keys))
            case Written(inner=inner, key=place, value=value):
                old = hit(place, inner.read(terms, place))
                parts = ((1, self._read(terms, inner, key)), (-1, old), (1, hit(place, value)))
                return terms.linear(0, parts)
            case Choice(condition=condition, then=then, otherwise=otherwise):
                place_of = id(board), key  # the board lives as long as this does
                if place_of not in self._known:
                    one, other = (self._read(terms, each, key) for each in (then, otherwise))
                    self._known[place_of] = terms.choose(condition, one, other)
                return self._known[place_of]
            case _:
                return board.measure(terms, hit)

    def total(self, terms: Terms) -> Term:
        return occupied_count(terms, self.counted)

    def root(self) -> Board:
        raise OpaqueError("a tally")


def bound_key(terms: Terms, keys: range, depth: int = 0) -> Term:
    """The name that stands for any key in a measure or under a quantifier."""
    name = f"{bound_prefix}{depth} {keys.start} {keys.stop}"
    return terms.unknown(name, keys.start, keys.stop - 1)


def measure_of(terms: Terms, keys: range, at: Callable[[Term], Term]) -> Term:
    """The sum over all keys of what `at` says of each: an unknown number, the same one for the
    same summand. Facts about it: where no summand is negative, none is greater than the sum; the
    sum is at most as if all keys had the greatest one, whose key is an unknown too; and where it is
    more than the greatest alone, another key counts something, which is one more unknown. Of a
    sum over very many keys that says little, and what holds all over a board would be looked at
    around that key as well."""
    generic = bound_key(terms, keys)
    summand = at(generic)
    if summand.op == "int":
        return terms.number(summand.value * len(keys))
    low = None if summand.low is None else summand.low * len(keys)
    high = None if summand.high is None else summand.high * len(keys)
    found = terms.make("measure", (generic, summand), None, INT, low, high)
    if found.facts or summand.low is None or summand.low < 0 or len(keys) > VERY_MANY:
        return found
    found.facts = _facts(terms, keys, at, found)
    return found


def _facts(terms: Terms, keys: range, at: Callable[[Term], Term], found: Term) -> tuple[Term, ...]:
    """What `measure_of` says of a sum. Where each key has a known weight, it is said of the numbers
    that are weighed, and how their sum compares to the weighted one."""
    weights = _weights(terms, keys, at, found.args[1])
    if weights is None:
        any_key = bound_key(terms, keys, 8)
        none_greater = for_all(terms, any_key, terms.at_most(at(any_key), found))
        below = _below_greatest(terms, keys, at, found, len(keys))
        return none_greater, below, _not_alone(terms, keys, at, found)

    def weighed(key: Term) -> Term:
        return _factors(at(key))[0]

    plain = measure_of(terms, keys, weighed)
    return (
        _below_greatest(terms, keys, weighed, found, sum(weights)),
        terms.at_most(terms.linear(0, ((min(weights), plain),)), found),
        terms.at_most(found, terms.linear(0, ((max(weights), plain),))),
    )


def _witness(terms: Terms, keys: range, at: Callable[[Term], Term], which: str) -> Term:
    """An unknown key: that of the greatest summand, or another one."""
    generic = bound_key(terms, keys)
    span = keys.start, keys.stop - 1
    return terms.make("greatest", (generic, at(generic)), which, INT, *span)


def _below_greatest(
    terms: Terms, keys: range, at: Callable[[Term], Term], found: Term, times: int
) -> Term:
    """That a sum is at most so many times the greatest summand."""
    top = _witness(terms, keys, at, "first")
    return terms.at_most(found, terms.linear(0, ((times, at(top)),)))


def _not_alone(terms: Terms, keys: range, at: Callable[[Term], Term], found: Term) -> Term:
    """That where a sum is more than its greatest summand, another key counts something."""
    top, other = (_witness(terms, keys, at, which) for which in ("first", "other"))
    counts = terms.both(terms.no(terms.equal(top, other)), terms.less(terms.number(0), at(other)))
    return terms.any_of(terms.at_most(found, at(top)), counts)


def _weights(
    terms: Terms, keys: range, at: Callable[[Term], Term], summand: Term
) -> list[int] | None:
    """The weight of each key, where a summand is a number on a board times a known weight."""
    if summand.op != "*" or reads_boards(_factors(summand)[1]):
        return None
    if _factors(summand)[0].op != "apply":  # it could bring a factor of its own
        return None
    found = [_weight(at(terms.number(code))) for code in keys]
    weights = [each for each in found if each is not None]
    return weights if len(weights) == len(found) else None


def _factors(product: Term) -> tuple[Term, Term]:
    """The factor that depends on a board, and the other one."""
    one, other = product.args
    return (one, other) if reads_boards(one) else (other, one)


def _weight(summand: Term) -> int | None:
    """How often a summand counts what is on a board, if that is all it does."""
    match summand.op:
        case "int" if summand.value == 0:
            return 0
        case "sum" if [each.op for each in summand.args] == ["apply"] and summand.value[0] == 0:
            return int(summand.value[1]) if summand.value[1] >= 0 else None
        case "apply":
            return 1
        case _:
            return None


def reads_boards(term: Term) -> bool:
    """Whether a term depends on what is on a board, so that it cannot just be worked out."""
    return any(each.op == "apply" or each.op in OPAQUE for each in parts(term))


def occupied_count(terms: Terms, board: Board) -> Term:
    """How many keys are not `none`."""
    none = terms.number(NONE)

    def there(_: Term, value: Term) -> Term:
        return terms.choose(terms.equal(value, none), terms.number(0), terms.number(1))

    return board.measure(terms, there)


def choice(terms: Terms, condition: Term, then: Sym, otherwise: Sym) -> Board:
    """One of two values, of which one at least is a board."""
    one, other = aligned(terms, then, otherwise)
    return Choice(condition, one, other)


def same_board(terms: Terms, left: Sym, right: Sym) -> Term:
    """True where two values, of which one at least is a board, are the same at every key."""
    one, other = aligned(terms, left, right)
    if isinstance(one, Root) and isinstance(other, Root) and one.name == other.name:
        return TRUE
    generic = bound_key(terms, one.keys, 9)
    alike = terms.equal(one.read(terms, generic), other.read(terms, generic))
    return for_all(terms, generic, alike)


def aligned(terms: Terms, left: Sym, right: Sym) -> tuple[Board, Board]:
    """Two values as boards with the same keys; beyond the keys of a bag or set there is nothing."""
    spans = [_keys_of(left), _keys_of(right)]
    keys = range(min(each.start for each in spans if each), max(each.stop for each in spans))
    one, other = (as_board(terms, each, keys) for each in (left, right))
    return _widened(terms, one, keys), _widened(terms, other, keys)


def _keys_of(value: Sym) -> range:
    from checker.smt.value import Counts, Members

    if isinstance(value, Board):
        return value.keys
    assert isinstance(value, Members | Counts)
    held = value.flags if isinstance(value, Members) else value.numbers
    return range(min(held), max(held) + 1) if held else range(0)


def _widened(terms: Terms, board: Board, keys: range) -> Board:
    if board.keys == keys:
        return board

    def at(key: Term) -> Term:
        inside = terms.both(
            terms.at_most(terms.number(board.keys.start), key),
            terms.less(key, terms.number(board.keys.stop)),
        )
        return terms.choose(inside, board.read(terms, key), terms.number(0))

    return Formula(keys, at)


def for_all(terms: Terms, generic: Term, body: Term) -> Term:
    """True where a term holds for every value of its generic key."""
    if body is TRUE or body is FALSE:
        return body
    return terms.make("forall", (generic, body))


def as_board(terms: Terms, value: Sym, keys: range) -> Board:
    """A small set or bag where a big one is wanted."""
    from checker.smt.value import Counts, Members, as_number

    if isinstance(value, Board):
        return value
    assert isinstance(value, Members | Counts)
    held = value.flags if isinstance(value, Members) else value.numbers
    values = {code: as_number(terms, each) for code, each in held.items()}
    return Listed(keys, values, terms.number(0))


def set_operator(terms: Terms, operator: str, left: Sym, right: Sym) -> Sym:
    """Operators of sets of which one at least is big."""
    one, other = aligned(terms, left, right)
    keys = one.keys
    zero = terms.number(0)

    def inside(board: Board, key: Term) -> Term:
        return terms.less(zero, board.read(terms, key))

    def made(rule: Callable[[Term, Term], Term]) -> Board:
        def flag(key: Term) -> Term:
            holds = rule(inside(one, key), inside(other, key))
            return terms.choose(holds, terms.number(1), zero)

        return Formula(keys, flag)

    match operator:
        case "union":
            return made(terms.any_of)
        case "difference":
            return made(lambda a, b: terms.both(a, terms.no(b)))
        case "common":
            return made(terms.both)
        case _:
            generic = bound_key(terms, keys, 9)
            a, b = inside(one, generic), inside(other, generic)
            contained = for_all(terms, generic, terms.implies(a, b))
            if operator == "subset":
                return contained
            return terms.both(contained, terms.no(for_all(terms, generic, terms.implies(b, a))))


def _written_keys(terms: Terms, board: Board) -> list[Term] | None:
    """The keys of a bag with few elements, None if there may be many."""
    match board:
        case Written(inner=inner, key=key):
            before = _written_keys(terms, inner)
            return None if before is None else [*before, key]
        case Listed(values=values, default=default) if default is terms.number(0):
            few = len(values) <= FEW
            return [terms.number(code) for code in values] if few else None
        case _:
            return None


def bag_operator(terms: Terms, operator: str, left: Sym, right: Sym) -> Sym:
    """Operators of bags of which one at least is big."""
    one, other = aligned(terms, left, right)
    keys = one.keys
    if operator in ("bag_union", "bag_difference"):
        sign = 1 if operator == "bag_union" else -1
        if isinstance(one, Listed) and isinstance(other, Listed):
            known = {code: terms.number(code) for code in (*one.values, *other.values)}
            sums = {
                code: terms.linear(0, ((1, one.read(terms, key)), (sign, other.read(terms, key))))
                for code, key in sorted(known.items())
            }
            return Listed(keys, sums, terms.linear(0, ((1, one.default), (sign, other.default))))
        few = _written_keys(terms, other)
        if few is None or len(few) > 1:
            return Added(one, other, sign)
        for key in few:
            parts = ((1, one.read(terms, key)), (sign, other.read(terms, key)))
            one = write(one, key, terms.linear(0, parts))
        return one
    if operator == "bag_common":

        def least(key: Term) -> Term:
            a, b = one.read(terms, key), other.read(terms, key)
            return terms.choose(terms.at_most(a, b), a, b)

        return Formula(keys, least)
    contained = _contained(terms, one, other)
    if operator == "sub_bag":
        return contained
    return terms.both(contained, terms.no(_contained(terms, other, one)))


def _contained(terms: Terms, one: Board, other: Board) -> Term:
    """True where no key counts more in one bag than in the other. A fact about that: then neither
    do all keys together, and they count less if one of them does."""
    few = _written_keys(terms, one)
    if few is not None:
        return terms.every(terms.at_most(one.read(terms, k), other.read(terms, k)) for k in few)
    generic = bound_key(terms, one.keys, 9)
    a, b = one.read(terms, generic), other.read(terms, generic)
    contained = for_all(terms, generic, terms.at_most(a, b))
    if contained.op == "forall" and not contained.facts:
        total, more = one.total(terms), other.total(terms)
        less = terms.implies(terms.less(a, b), terms.less(total, more))
        follows = terms.both(terms.at_most(total, more), for_all(terms, generic, less))
        contained.facts = (terms.implies(contained, follows),)
    return contained
