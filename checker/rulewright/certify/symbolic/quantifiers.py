"""What ranges over many choices: quantifiers, counts, sums, sets of each.

Small domains are gone through one by one, in the order of the evaluator, which stops early at `all`
and `some` and nowhere else. A large board is left to `large_boards`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.certify.smt.term import Term, Truth, high_of, low_of
from rulewright.certify.symbolic.symbolic_values import (
    BoardValue,
    ListedValue,
    OptionValue,
    UnsupportedError,
    Value,
    maybe,
)
from rulewright.meaning import core as c
from rulewright.meaning import types as y

if TYPE_CHECKING:
    from rulewright.certify.symbolic.evaluate import EvaluationContext, Evaluator, Worth

FEW = 8
"""So many choices are gone through before a large board is; with more, all is left to the board."""


class QuantifierEvaluator:
    """Evaluates whatever binds names and ranges over them."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._ev = evaluator
        self._t = evaluator.t

    def quantify(self, e: c.Quantify, env: EvaluationContext) -> Worth:
        return self._over(e, e.binders, env)

    def _over(self, e: c.Quantify, binders: Sequence[c.Binder], env: EvaluationContext) -> Worth:
        """A quantifier over those of its binders that are not bound yet."""
        large = self._first_large(binders)
        if e.kind == "first":
            return self._first(e, binders[0], env)
        if large is not None and (large == 0 or self._many(binders[:large], env)):
            return self._ev.boards.quantify(e, binders[: large + 1], binders[large + 1 :], env)
        match e.kind:
            case "all" | "some":
                return self._all_or_some(e, binders, env)
            case "count" | "sum":
                found, defined = self._gathered(e, binders, env)
                return self._t.add(*(self._part(e, g, value) for g, value in found)), defined
            case "bag_sum":
                found, defined = self._gathered(e, binders, env)
                keys = dict.fromkeys(k for _, bag in found for k in bag.parts)
                parts = {
                    k: self._t.add(*(self._t.choose(g, bag.parts.get(k, 0), 0) for g, bag in found))
                    for k in keys
                }
                return ListedValue(0, parts), defined
            case _:
                return self._extreme(e, binders, env)

    def rest(self, e: c.Quantify, binders: Sequence[c.Binder], env: EvaluationContext) -> Worth:
        """What a quantifier says once some names are bound: about the others, or its body. Of a
        count or sum, the number that it adds up to there."""
        if binders:
            return self._over(e, binders, env)
        allowed, defined = self._where(e.where, env)
        if allowed is False:
            return (0 if e.kind in ("count", "sum") else e.kind == "all"), defined
        value, also = self._ev.worth(e.body, env)
        defined = self._t.both(defined, self._t.implies(allowed, also))
        if e.kind == "all":
            return self._t.implies(allowed, value), defined
        if e.kind == "some":
            return self._t.both(allowed, value), defined
        return self._part(e, allowed, value), defined

    def _part(self, e: c.Quantify, guard: Truth, value: Value) -> Any:
        if e.kind == "count" and (isinstance(value, bool) or value_is_truth(value)):
            return self._t.choose(self._t.both(guard, value), 1, 0)
        return self._t.choose(guard, value, 0)

    def _all_or_some(
        self, e: c.Quantify, binders: Sequence[c.Binder], env: EvaluationContext
    ) -> Worth:
        """From the last choice to the first: what comes after a choice that decides is not looked
        at."""
        if not binders:
            return self.rest(e, (), env)
        t, stop = self._t, e.kind == "some"
        items, domain_defined = self.domain(binders[0], env)
        parts: list[tuple[Truth, Truth]] = []
        for guard, value in items:
            inside = env.bind(binders[0].name, value)
            inner, inner_defined = self.rest(e, binders[1:], inside)
            said = t.both(guard, inner) if stop else t.implies(guard, inner)
            defined = t.implies(guard, inner_defined)
            parts.append((said, defined))
            if said is stop:
                break
        all_defined: Truth = True
        for said, defined in reversed(parts):
            decides = said if stop else t.no(said)
            all_defined = t.both(defined, t.either(decides, all_defined))
        join = t.either if stop else t.both
        return join(*(said for said, _ in parts)), t.both(domain_defined, all_defined)

    def _gathered(
        self, e: c.Quantify, binders: Sequence[c.Binder], env: EvaluationContext
    ) -> tuple[list[tuple[Truth, Value]], Truth]:
        """The value at each choice with the condition for it, and whether all are defined."""
        if self._first_large(binders) is not None and e.kind in ("count", "sum"):
            return self._partly_large(e, binders, env)
        found, checks = [], []
        for guard, inside, defined in self.choices(binders, e.where, env):
            checks.append(defined)
            if inside is not None:
                value, also = self._ev.worth(e.body, inside)
                checks.append(self._t.implies(guard, also))
                found.append((guard, value))
        return found, self._t.both(*checks)

    def _partly_large(
        self, e: c.Quantify, binders: Sequence[c.Binder], env: EvaluationContext
    ) -> tuple[list[tuple[Truth, Value]], Truth]:
        """A count or sum with few choices first and a large board behind them."""
        items, domain_defined = self.domain(binders[0], env)
        found, checks = [], [domain_defined]
        for guard, value in items:
            inner, defined = self._over(e, binders[1:], env.bind(binders[0].name, value))
            checks.append(self._t.implies(guard, defined))
            found.append((guard, inner))
        return found, self._t.both(*checks)

    def choices(
        self,
        binders: Sequence[c.Binder],
        where: c.Expr | None,
        env: EvaluationContext,
        guard: Truth = True,
    ) -> Iterator[tuple[Truth, EvaluationContext | None, Truth]]:
        """Each choice: the condition for it, the scene there, and a truth that must hold for the
        choices to be defined. Without a scene only that truth is meant."""
        t = self._t
        if not binders:
            allowed, defined = self._where(where, env)
            both = t.both(guard, allowed)
            yield both, None if both is False else env, t.implies(guard, defined)
            return
        items, defined = self.domain(binders[0], env)
        yield guard, None, t.implies(guard, defined)
        for condition, value in items:
            inside = env.bind(binders[0].name, value)
            yield from self.choices(binders[1:], where, inside, t.both(guard, condition))

    def _where(self, where: c.Expr | None, env: EvaluationContext) -> Worth:
        return (True, True) if where is None else self._ev.worth(where, env)

    def domain(
        self, binder: c.Binder, env: EvaluationContext
    ) -> tuple[list[tuple[Truth, Value]], Truth]:
        """What a bound name ranges over, in order: each value with the condition for it."""
        t, shapes = self._t, self._ev.shapes
        if binder.low is None:
            if shapes.is_large(binder.type):
                raise UnsupportedError("a large board gone through square by square")
            return [(True, each) for each in shapes.domain(binder.type)], True
        low, defined = self._ev.worth(binder.low, env)
        if binder.high is not None:
            high, also = self._ev.worth(binder.high, env)
            first, last = low_of(low), high_of(high)
            if first is None or last is None:
                raise UnsupportedError("a range without end")
            numbers = range(first, last + 1)
            items = [(t.both(t.at_most(low, n), t.at_most(n, high)), n) for n in numbers]
            return [each for each in items if each[0] is not False], t.both(defined, also)
        if isinstance(low, OptionValue) or isinstance(binder.low.type, y.Option):
            low = maybe(low)
            return ([] if low.none is True else [(t.no(low.none), low.value)]), defined
        if isinstance(low, BoardValue):
            raise UnsupportedError("a set of squares gone through one by one")
        there = (lambda each: each) if low.unit is False else (lambda each: t.less(0, each))
        items = [(there(low.parts[k]), k) for k in self._in_order(low, binder.type)]
        return [each for each in items if each[0] is not False], defined

    def _in_order(self, held: ListedValue, type: y.Type) -> list[Any]:
        if isinstance(type, y.Grid):
            return sorted(held.parts, key=lambda square: (square[1], square[0]))
        return sorted(held.parts)

    def member(self, binder: c.Binder, value: Value, env: EvaluationContext) -> Worth:
        """Whether a value is among what a bound name ranges over."""
        t, shapes = self._t, self._ev.shapes
        if binder.low is None:
            return shapes.inside(value, binder.type), True
        low, defined = self._ev.worth(binder.low, env)
        if binder.high is not None:
            high, also = self._ev.worth(binder.high, env)
            return t.both(t.at_most(low, value), t.at_most(value, high)), t.both(defined, also)
        if isinstance(low, OptionValue) or isinstance(binder.low.type, y.Option):
            low = maybe(low)
            if low.none is True:
                return False, defined
            return t.both(t.no(low.none), shapes.equal_plain(low.value, value)), defined
        there = shapes.at(low, value)
        held = there if low.unit is False else t.less(0, there)
        return t.both(shapes.inside(value, binder.type), held), defined

    def _first_large(self, binders: Sequence[c.Binder]) -> int | None:
        """The place of the first name that ranges over a large board, or over a set on one."""
        for place, each in enumerate(binders):
            ranged = each.low is None or isinstance(each.low.type, y.Set)
            if ranged and each.high is None and self._ev.shapes.is_large(each.type):
                return place
        return None

    def _many(self, binders: Sequence[c.Binder], env: EvaluationContext) -> bool:
        count = 1
        for each in binders:
            match each.low and each.low.type:
                case y.Option():
                    pass
                case y.Int():
                    count *= 1 + (high_of(self._ev.worth(each.high, env)[0]) or 0)  # type: ignore[arg-type]
                case _:
                    count *= len(self._ev.shapes.domain(each.type))
        return count > FEW

    def _extreme(self, e: c.Quantify, binders: Sequence[c.Binder], env: EvaluationContext) -> Worth:
        """The least or greatest; `none`, or not defined, where there is none."""
        t = self._t
        if self._first_large(binders) is not None or not isinstance(e.body.type, y.Int):
            raise UnsupportedError(f"`{e.kind}` over a large board, or of what is no number")
        found, defined = self._gathered(e, binders, env)
        best: Value = None
        nothing: Truth = True
        for guard, value in found:
            if best is None:
                best = value
            else:
                better = t.less(value, best) if e.kind == "min" else t.less(best, value)
                best = t.choose(t.both(guard, t.either(nothing, better)), value, best)
            nothing = t.both(nothing, t.no(guard))
        if isinstance(e.type, y.Option):
            return OptionValue(nothing, best), defined
        return (0 if best is None else best), t.both(defined, t.no(nothing))

    def _first(self, e: c.Quantify, binder: c.Binder, env: EvaluationContext) -> Worth:
        """The first choice for which the body holds, from the last to the first: what comes after
        it is not looked at."""
        t = self._t
        items, domain_defined = self.domain(binder, env)
        found: Value = None
        nothing: Truth = True
        all_defined: Truth = True
        for guard, value in reversed(items):
            inside = env.bind(binder.name, value)
            allowed, where_defined = self._where(e.where, inside)
            holds, defined = self._ev.worth(e.body, inside)
            here = t.both(guard, allowed, holds)
            defined = t.both(where_defined, t.implies(allowed, defined))
            all_defined = t.both(t.implies(guard, defined), t.either(here, all_defined))
            found = value if found is None else self._ev.shapes.merge(here, value, found)
            nothing = t.both(nothing, t.no(here))
        return OptionValue(nothing, found), t.both(domain_defined, all_defined)

    def set_each(self, e: c.SetEach, env: EvaluationContext) -> Worth:
        assert isinstance(e.type, y.Set | y.Bag)
        if self._first_large(e.binders) is not None:
            return self._ev.boards.set_each(e, env)
        found, checks = [], []
        for guard, inside, defined in self.choices(e.binders, e.where, env):
            checks.append(defined)
            if inside is not None:
                value, also = self._ev.worth(e.element, inside)
                checks.append(self._t.implies(guard, also))
                found.append((guard, value))
        return self._ev.operations.collected(found, e.type), self._t.both(*checks)


def value_is_truth(value: Value) -> bool:
    return isinstance(value, Term) and value.sort == "Bool"
