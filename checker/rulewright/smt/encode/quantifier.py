"""Quantifiers and folds, symbolically.

Over few choices they are written out, and what is known folds away. Over a domain with many
values `all` and `some` become a quantifier of the logic, and `count` and `sum` a measure: an
unknown number for the boards as they began, changed by what each write since then changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.collection import bag_operator, elements_of, gathered
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.sum_axioms import any_key, for_all, measure_of, reads_boards
from rulewright.smt.encode.sum_support import rooted, touched
from rulewright.smt.encode.symbolic_values import (
    Sym,
    SymbolicBag,
    SymbolicOption,
    as_number,
    possible,
)
from rulewright.smt.terms.assume import AssumedFacts
from rulewright.smt.terms.term import FALSE, TRUE, Term

if TYPE_CHECKING:
    from rulewright.smt.encode.expression import ExpressionEncoder


class QuantifierEncoder:
    """Encodes what binds names over domains."""

    def __init__(self, ex: ExpressionEncoder) -> None:
        self.ex = ex
        self.terms = ex.terms
        self._domains: dict[int, tuple[c.Binder, list[tuple[Term, Sym]]]] = {}
        """By the identity of a binder, which is kept, so that no other takes its place."""

    def quantify(self, e: c.Quantify, env: SymbolicEnvironment) -> Sym:
        """The value of a quantifier or fold."""
        match e.kind:
            case "all" | "some":
                return self._truth(e.kind == "all", e.binders, e.where, e.body, env)
            case "count" | "sum":
                return self._sum(e.binders, e.where, e.body, env)
            case "bag_sum":
                return self._bag_sum(e, env)
            case "first":
                return self._first(e, env)
            case _:
                return self._extreme(e, env)

    def collect(self, e: c.SetEach, env: SymbolicEnvironment) -> Sym:
        """A set or bag of the element for each choice."""
        as_bag = isinstance(e.type, y.Bag)
        assert isinstance(e.type, y.Set | y.Bag)
        binder = e.binders[0]
        itself = c.Local(e.span, binder.type, binder.name)
        big = self._big(binder, env) if len(e.binders) == 1 and e.element == itself else None
        if big is not None:
            return self._filtered(e, big, env)
        elements = [
            (guard, as_number(self.terms, self.ex.term(e.element, inside)))
            for guard, inside in self.choices(e.binders, e.where, env)
        ]
        return self.ex.shapes.fit(gathered(self.terms, elements, as_bag), e.type)

    # ---- what names range over

    def choices(
        self, binders: Sequence[c.Binder], where: c.Expr | None, env: SymbolicEnvironment
    ) -> Iterator[tuple[Term, SymbolicEnvironment]]:
        """Each choice of the bound names with the condition that it is one, the last name
        changing fastest; many or few, they are all listed."""
        if binders:
            for guard, value in self.domain(binders[0], env):
                inside = env.bind(binders[0].name, value, guard)
                for more, found in self.choices(binders[1:], where, inside):
                    yield self.terms.both(guard, more), found
            return
        allowed = TRUE if where is None else self.ex.term(where, env)
        if allowed is not FALSE:
            yield allowed, env.where(allowed)

    def domain(self, binder: c.Binder, env: SymbolicEnvironment) -> list[tuple[Term, Sym]]:
        """The values a bound name can have, each with the condition that it is one of them."""
        if binder.low is not None and not isinstance(binder.type, y.Option):
            return self._listed_domain(binder, binder.low, env)
        known = self._domains.get(id(binder))
        if known is None:
            known = self._domains[id(binder)] = binder, self._whole_domain(binder.type)
        return known[1]

    def _whole_domain(self, type: y.Type) -> list[tuple[Term, Sym]]:
        """All values of a type."""
        ex, number = self.ex, self.terms.number
        inner = type.inner if isinstance(type, y.Option) else type
        found = [_bound(ex, number(code), inner) for code in ex.domains.codes(inner)]
        if not isinstance(type, y.Option):
            return [(TRUE, value) for value in found]
        there = [SymbolicOption(TRUE, value) for value in found]
        return [(TRUE, value) for value in (SymbolicOption(FALSE, None), *there)]

    def _listed_domain(
        self, binder: c.Binder, first: c.Expr, env: SymbolicEnvironment
    ) -> list[tuple[Term, Sym]]:
        """The numbers from one to another, or what is in something."""
        ex, terms = self.ex, self.terms
        found: list[tuple[Term, Term]]
        if binder.high is not None:
            low, high = ex.term(first, env), ex.term(binder.high, env)
            found = []
            for code in range(possible(low).start, possible(high).stop):
                number = terms.number(code)
                guard = terms.both(terms.at_most(low, number), terms.at_most(number, high))
                if guard is not FALSE:
                    found.append((guard, number))
        else:
            held = ex.value(first, env)
            if isinstance(held, b.SymbolicArray):
                zero = terms.number(0)
                found = []
                for code in held.keys:
                    key = terms.number(code)
                    found.append((terms.less(zero, held.read(terms, key)), key))
            else:
                found = [each for each in elements_of(terms, held) if each[0] is not FALSE]
        if not isinstance(binder.type, y.Bool):
            return [*found]
        return [(guard, _bound(ex, value, binder.type)) for guard, value in found]

    def _big(self, binder: c.Binder, env: SymbolicEnvironment) -> range | None:
        """The codes of a domain with too many values to write out."""
        if binder.high is not None:
            return None
        if isinstance(binder.type, y.Option):
            return None
        if binder.low is None:
            codes = self.ex.domains.codes(binder.type)
            return codes if self.ex.domains.is_big(binder.type) else None
        if not isinstance(binder.low.type, y.Set | y.Bag):
            return None
        element = binder.low.type.element
        return self.ex.domains.codes(element) if self.ex.domains.is_big(element) else None

    def _guard(self, binder: c.Binder, key: Term, env: SymbolicEnvironment) -> Term:
        """True where a key is in the domain of a big binder."""
        if binder.low is None:
            return TRUE
        held = self.ex.value(binder.low, env)
        assert isinstance(binder.low.type, y.Set | y.Bag)
        codes = self.ex.domains.codes(binder.low.type.element)
        board = b.as_board(self.terms, held, codes)
        return self.terms.less(self.terms.number(0), board.read(self.terms, key))

    # ---- all and some

    def _truth(
        self, every: bool, binders: Sequence[c.Binder], where: c.Expr | None, body: c.Expr,
        env: SymbolicEnvironment,
    ) -> Term:  # fmt: skip
        """`all` where `every`, else `some`; a choice is looked at only if no earlier one
        decided."""
        terms = self.terms
        if not binders:
            if where is None:
                return self.ex.term(body, env)
            allowed = self.ex.term(where, env)
            if allowed is FALSE:
                return terms.truth(every)
            found = self.ex.term(body, env.where(allowed))
            return terms.implies(allowed, found) if every else terms.both(allowed, found)
        first, *rest = binders
        codes = self._big(first, env)
        if codes is not None:
            return self._truth_of_many(every, first, codes, rest, where, body, env)
        values = self.domain(first, env)
        if _of_players(first.type):
            met = len(self.ex.world.hazards)
            parts = [self._part(every, first, *each, rest, where, body, env) for each in values]
            if not self._hides(met):
                return terms.every(parts) if every else terms.either(parts)
        return self._in_turn(every, first, values, rest, where, body, env)

    def _in_turn(
        self, every: bool, binder: c.Binder, values: Sequence[tuple[Term, Sym]],
        rest: Sequence[c.Binder], where: c.Expr | None, body: c.Expr, env: SymbolicEnvironment,
    ) -> Term:  # fmt: skip
        """One value after another, each looked at only where none before it has decided."""
        terms = self.terms
        parts: list[Term] = []
        for guard, value in values:
            part = self._part(every, binder, guard, value, rest, where, body, env)
            parts.append(part)
            if part is (FALSE if every else TRUE):
                break
            env = env.where(part if every else terms.no(part))
        return terms.every(parts) if every else terms.either(parts)

    def _part(
        self, every: bool, binder: c.Binder, guard: Term, value: Sym, rest: Sequence[c.Binder],
        where: c.Expr | None, body: c.Expr, env: SymbolicEnvironment,
    ) -> Term:  # fmt: skip
        """What is said of one value, which counts where its guard holds."""
        inside = env.bind(binder.name, value, guard)
        found = self._truth(every, rest, where, body, inside)
        return self.terms.implies(guard, found) if every else self.terms.both(guard, found)

    def _hides(self, met: int) -> bool:
        """Whether hazards were noted since so many were, of players each looked at by itself. Then
        whoever decides first hides those of the others, and it matters who is first."""
        world = self.ex.world
        if len(world.hazards) == met:
            return False
        del world.hazards[met:]
        world.hidden += 1
        return True

    def _truth_of_many(
        self, every: bool, binder: c.Binder, codes: range, rest: Sequence[c.Binder],
        where: c.Expr | None, body: c.Expr, env: SymbolicEnvironment,
    ) -> Term:  # fmt: skip
        terms = self.terms

        def holds(key: Term) -> Term:
            """Of a key: what `all` says of it, or that it is not one that `some` looks for."""
            guard = self._guard(binder, key, env)
            inside = env.bind(binder.name, _bound(self.ex, key, binder.type), guard)
            found = self._truth(every, rest, where, body, inside)
            return terms.implies(guard, found if every else terms.no(found))

        met = len(self.ex.world.hazards)
        result = for_all(terms, codes, holds)
        result = result if every else terms.no(result)
        if result.op in ("forall", "not") and not reads_boards(result):  # all is known: look
            del self.ex.world.hazards[met:]  # what comes after the one that decides does not count
            values = self.domain(binder, env)
            return self._in_turn(every, binder, values, rest, where, body, env)
        return result

    # ---- count and sum

    def _sum(
        self,
        binders: Sequence[c.Binder],
        where: c.Expr | None,
        body: c.Expr,
        env: SymbolicEnvironment,
    ) -> Term:
        terms = self.terms
        if not binders:
            allowed = TRUE if where is None else self.ex.term(where, env)
            if allowed is FALSE:
                return terms.number(0)
            found = as_number(terms, self.ex.term(body, env.where(allowed)))
            return terms.choose(allowed, found, terms.number(0))
        first, *rest = binders

        def inside(value: Sym, guard: Term, here: SymbolicEnvironment) -> Term:
            found = self._sum(rest, where, body, here.bind(first.name, value, guard))
            return terms.choose(guard, found, terms.number(0))

        codes = self._big(first, env)
        if codes is None:
            return terms.add(inside(value, guard, env) for guard, value in self.domain(first, env))

        def at(key: Term, here: SymbolicEnvironment) -> Term:
            value = _bound(self.ex, key, first.type)
            return inside(value, self._guard(first, key, here), here)

        with any_key(terms, codes) as key:
            whole = at(key, env)
        if not reads_boards(whole):
            return terms.add(at(terms.number(code), env) for code in codes)
        met = self.ex.world.take_hazards()
        try:
            result = self._followed(codes, at, env)
        except b.OpaqueError:
            result = measure_of(terms, codes, lambda key: at(key, env))
        self.ex.world.hazards = met
        least, most = (
            None if each is None else each * len(codes) for each in (whole.low, whole.high)
        )
        return terms.held(result, least, most)  # as every key counts no less and no more

    def _followed(
        self,
        codes: range,
        at: Callable[[Term, SymbolicEnvironment], Term],
        env: SymbolicEnvironment,
    ) -> Term:
        """A sum over many keys: as it was for the boards' roots, and what changed at each key that
        was written. That is the whole change only if every other key counts what it did."""
        terms = self.terms
        before = rooted(env)
        written = touched(env, codes)
        with any_key(terms, codes) as other:
            elsewhere = AssumedFacts(terms, [terms.no(terms.equal(other, key)) for key in written])
            if elsewhere.term(at(other, env)) is not elsewhere.term(at(other, before)):
                raise b.OpaqueError("a key counts something else, though it was not written")
        result = measure_of(terms, codes, lambda key: at(key, before))
        seen: list[Term] = []
        for key in written:
            change = terms.minus(at(key, env), at(key, before))
            new = terms.every(terms.no(terms.equal(key, other)) for other in seen)
            result = terms.plus(result, terms.choose(new, change, terms.number(0)))
            seen.append(key)
        return result

    # ---- other folds

    def _bag_sum(self, e: c.Quantify, env: SymbolicEnvironment) -> Sym:
        result: Sym = SymbolicBag({})
        for guard, inside in self.choices(e.binders, e.where, env):
            found = self.ex.value(e.body, inside)
            kept = self.ex.shapes.merge(guard, found, SymbolicBag({}), e.type)
            result = bag_operator(self.terms, "bag_union", result, kept)
        return self.ex.shapes.fit(result, e.type)

    def _extreme(self, e: c.Quantify, env: SymbolicEnvironment) -> Sym:
        terms = self.terms
        some, best = FALSE, terms.number(0)
        for guard, inside in self.choices(e.binders, e.where, env):
            found = as_number(terms, self.ex.term(e.body, inside))
            better = terms.less(found, best) if e.kind == "min" else terms.less(best, found)
            if some is FALSE:
                best = found
            else:
                takes = terms.both(guard, terms.any_of(terms.no(some), better))
                best = terms.choose(takes, found, best)
            some = terms.any_of(some, guard)
        if isinstance(e.type, y.Option):
            return SymbolicOption(some, best)
        which = "least" if e.kind == "min" else "greatest"
        self.ex.hazard(env, some, f"there is no {which} of nothing", e.span)
        return best

    def _first(self, e: c.Quantify, env: SymbolicEnvironment) -> Sym:
        """The first value for which something holds; one is looked at only if none before it is
        the one."""
        terms, binder = self.terms, e.binders[0]
        found: list[tuple[Term, Term]] = []
        for guard, value in self.domain(binder, env):
            inside = env.bind(binder.name, value, guard)
            allowed = TRUE if e.where is None else self.ex.term(e.where, inside)
            if allowed is FALSE:
                continue
            holds = self.ex.term(e.body, inside.where(allowed))
            here = terms.every((guard, allowed, holds))
            assert isinstance(value, Term)
            found.append((here, as_number(terms, value)))
            if here is TRUE:
                break
            env = env.where(terms.no(here))
        if not found:
            return SymbolicOption(FALSE, None)
        result = found[-1][1]
        for here, value in reversed(found[:-1]):
            result = terms.choose(here, value, result)
        return SymbolicOption(terms.either(here for here, _ in found), result)

    def _filtered(self, e: c.SetEach, codes: range, env: SymbolicEnvironment) -> Sym:
        """`{each x: T where c}` over many values: a set given by a rule."""
        binder = e.binders[0]

        def flag(key: Term) -> Term:
            guard = self._guard(binder, key, env)
            inside = env.bind(binder.name, _bound(self.ex, key, binder.type), guard)
            allowed = TRUE if e.where is None else self.ex.term(e.where, inside)
            return as_number(self.terms, self.terms.both(guard, allowed))

        with any_key(self.terms, codes) as key:
            flag(key)  # all keys are gone through at once, whichever are looked at later
        return b.RuleArray(codes, flag)


def _bound(ex: ExpressionEncoder, value: Term, type: y.Type) -> Term:
    """The value of a bound name: a code as a scalar of the type."""
    return ex.shapes.scalar(value, type) if value.sort == "Int" else value


def _of_players(type: y.Type) -> bool:
    return isinstance(type.inner if isinstance(type, y.Option) else type, y.Player)
