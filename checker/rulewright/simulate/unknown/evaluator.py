"""How expressions are evaluated where not all is known: what is open is followed, or decided on.

Whatever touches nothing unknown is left to the evaluator of `play`. What has no form of its own in
`symbols` is looked at case by case: one fork of the trial for each, so that nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, TypeAlias

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import (
    BagValue,
    SparseMap,
    ordered,
    stray,
)
from rulewright.simulate.unknown.path import Trial, Vain
from rulewright.simulate.unknown.symbols import (
    Cases,
    Heap,
    Number,
    Several,
    as_heap,
    as_several,
    both,
    compared,
    either,
    elements,
    is_in,
    is_open,
    opposite,
    truth,
)
from rulewright.simulate.unknown.touched import Touched
from rulewright.system.work_budget import EVALUATED

MOST_CASES = 4000
Meaning: TypeAlias = "Mapping[type, Callable[[Evaluator, Any, Scene], Any]]"
"""What each kind of expression is worth, see `expressions`."""


class Scene:
    """Where something is evaluated, and which names there are open."""

    __slots__ = ("env", "open", "variables")

    def __init__(self, env: Environment, open: frozenset[str], variables: frozenset[str]) -> None:
        self.env = env
        self.open = open
        self.variables = variables

    def bind(self, name: str, value: Any) -> Scene:
        """The same scene with one more name."""
        open = self.open | {name} if is_open(value) else self.open - {name}
        return Scene(self.env.bind(name, value), open, self.variables)

    def enter(self, names: Mapping[str, Any], old: bool = False) -> Scene:
        """The inside of a function or effect."""
        open = frozenset(name for name, value in names.items() if is_open(value))
        return Scene(self.env.enter(names, old), open, self.variables)


class Evaluator:
    """Evaluates for one trial."""

    def __init__(
        self, instance: Instance, touched: Touched, trial: Trial, meaning: Meaning
    ) -> None:
        self._meaning = meaning
        self.instance = instance
        self.touched = touched
        self.trial = trial

    def value(self, expression: c.Expr, scene: Scene) -> Any:
        """What an expression is worth."""
        if not self.touched.open(expression, scene.open, scene.variables):
            return evaluate(expression, scene.env)
        self.trial.questions.charge(EVALUATED // 10)
        return self._meaning[type(expression)](self, expression, scene)

    def condition(self, expression: c.Expr, scene: Scene) -> Any:
        """A truth, or a formula."""
        return truth(self.value(expression, scene))

    def known(self, expression: c.Expr, scene: Scene) -> Any:
        """A value that is decided on."""
        return self.settled(self.value(expression, scene), expression.type)

    # ---- suppositions and decisions

    def under(self, condition: Any, act: Callable[[], Any], otherwise: Any) -> Any:
        """What comes of it where the condition holds; whatever, where that cannot be."""
        if condition is False:
            return otherwise
        if condition is True:
            return act()
        try:
            with self.trial.supposing(condition):
                return act()
        except Vain:
            return otherwise
        except EvaluationError:
            if not self.trial.decide(condition):
                return otherwise
            raise

    def settled(self, value: Any, type: y.Type) -> Any:
        """A value that is not known, decided on."""
        decide = self.trial.decide
        match value:
            case Cases(cases=cases):
                for under, each in cases[:-1]:
                    if decide(under):
                        return self.settled(each, type)
                return self.settled(cases[-1][1], type)
            case Number():
                return self._settled_number(value)
            case Heap(counts=counts):
                found = {each: self.settled(many, y.INT) for each, many in counts.items()}
                return BagValue.counted(found)
            case Several(members=members):
                return frozenset(each for each, under in members.items() if decide(under))
            case SparseMap() if is_open(value):
                return SparseMap(
                    value.order, {k: self.settled(v, type) for k, v in value.entries.items()}
                )
            case Mapping() if is_open(value):
                return {key: self.settled(each, type) for key, each in value.items()}
            case _ if is_open(value):
                return decide(value)
            case _:
                return value

    def _settled_number(self, value: Number) -> int:
        low, high = value.low, value.high
        if low is None or high is None:  # far enough for whatever can be counted
            low, high = -(1 << 20) if low is None else low, 1 << 20 if high is None else high
        while low < high:
            middle = (low + high) // 2
            if self.trial.decide(compared("less_equal", value, middle)):
                high = middle
            else:
                low = middle + 1
        return low

    def lifted(self, act: Callable[..., Any], *values: Any) -> Any:
        """What an operation on values comes to, case by case where they are one of several."""
        closed = [
            value if isinstance(value, Cases) else self.settled(value, y.INT) for value in values
        ]
        several = [each.cases if isinstance(each, Cases) else [(True, each)] for each in closed]
        found: list[tuple[Any, Any]] = []
        for chosen in product(*several):
            under = both(*(condition for condition, _ in chosen))
            if under is False:
                continue
            if len(found) > MOST_CASES:
                return act(*(self.settled(value, y.INT) for value in values))
            inside = [value for _, value in chosen]
            worth = self.under(under, partial(self._apply, act, inside), Vain)
            if worth is not Vain:
                found.append((under, worth))
        return merged(found)

    def _apply(self, act: Callable[..., Any], values: Sequence[Any]) -> Any:
        return act(*(self.settled(value, y.INT) for value in values))

    # ---- what is gone through

    def scenes(
        self, binders: Sequence[c.Binder], where: c.Expr | None, scene: Scene
    ) -> Iterator[tuple[Any, Scene]]:
        """Each choice of the bound names, with the condition under which there is that choice."""
        if binders:
            first, *rest = binders
            for under, each in self._domain(first, scene):
                inside = scene.bind(first.name, each)
                for more, found in self._supposed_scenes(under, rest, where, inside):
                    yield both(under, more), found
        elif where is None:
            yield True, scene
        else:
            under = self.condition(where, scene)
            if under is not False:
                yield under, scene

    def _supposed_scenes(
        self, under: Any, rest: Sequence[c.Binder], where: c.Expr | None, scene: Scene
    ) -> Sequence[tuple[Any, Scene]]:
        found: Sequence[tuple[Any, Scene]] = self.under(
            under, lambda: list(self.scenes(rest, where, scene)), []
        )
        return found

    def _domain(self, binder: c.Binder, scene: Scene) -> Sequence[tuple[Any, Any]]:
        if binder.low is None:
            return [(True, each) for each in self.instance.order(binder.type)]
        if binder.high is not None:
            low, high = self.known(binder.low, scene), self.known(binder.high, scene)
            return [(True, each) for each in range(low, high + 1)]
        low = self.value(binder.low, scene)
        if isinstance(binder.low.type, y.Option):
            return _inside(low)
        if isinstance(low, Cases):
            low = self.settled(low, binder.low.type)
        if isinstance(low, Heap):
            there = ordered(low.counts, binder.type, self.instance)
        elif isinstance(low, Several):
            there = ordered(low.members, binder.type, self.instance)
        else:
            there = ordered(low, binder.type, self.instance)
        return [(is_in(each, low), each) for each in there]

    def arguments(
        self, name: str, params: Sequence[c.Param], given: Sequence[c.Expr], scene: Scene
    ) -> dict[str, Any]:
        """The values for the parameters of a function or effect, each in its declared range."""
        found = {}
        for param, argument in zip(params, given):
            value = found[param.name] = self.value(argument, scene)
            self.in_range(value, param.type, f"`{param.name}` of `{name}`", argument.span)
        return found

    def in_range(self, value: Any, type: y.Type, what: str, span: Any) -> None:
        """Decides whether a value lies in its type; an error of the rules if it does not. Numbers
        that are not known are taken to: a deal that is found is played again."""
        if not is_open(value):
            if stray(value, type, self.instance) is not None:
                raise EvaluationError(f"{what} leaves {y.show(type)}", span)
        elif not self.trial.decide(self._fits(value, type)):
            raise EvaluationError(f"{what} leaves {y.show(type)}", span)

    def _fits(self, value: Any, type: y.Type) -> Any:
        if not is_open(value):
            return stray(value, type, self.instance) is None
        match value, type:
            case _, y.Option(inner):
                return self._fits(value, inner) if not isinstance(value, Cases) else both(
                    *(either(opposite(u), self._fits(v, type)) for u, v in value.cases)
                )  # fmt: skip
            case Cases(cases=cases), _:
                return both(*(either(opposite(u), self._fits(v, type)) for u, v in cases))
            case Heap(counts=counts), y.Bag(element):
                wrong = [e for e in counts if stray(e, element, self.instance) is not None]
                return both(*(compared("equal", counts[e], 0) for e in wrong))
            case Several(members=members), y.Set(element):
                wrong = [e for e in members if stray(e, element, self.instance) is not None]
                return both(*(opposite(members[e]) for e in wrong))
            case Mapping(), y.Map(_, inner):
                kept = value.entries if isinstance(value, SparseMap) else value
                return both(*(self._fits(each, inner) for each in kept.values()))
            case _:
                return True

    # ---- equality

    def equal(self, left: Any, right: Any) -> Any:
        """Whether two values are the same."""
        if not is_open(left) and not is_open(right):
            return left == right
        if isinstance(left, Cases) or isinstance(right, Cases):
            lefts = left.cases if isinstance(left, Cases) else [(True, left)]
            rights = right.cases if isinstance(right, Cases) else [(True, right)]
            return either(
                *(both(u, w, self.equal(v, x)) for u, v in lefts for w, x in rights)
            )  # fmt: skip
        if left is None or right is None:
            return False
        if isinstance(left, Number) or isinstance(right, Number):
            return compared("equal", left, right)
        if isinstance(left, Heap) or isinstance(right, Heap):
            one, other = as_heap(left), as_heap(right)
            return both(*(compared("equal", one[e], other[e]) for e in elements(one, other)))
        if isinstance(left, Several) or isinstance(right, Several):
            mine, yours = as_several(left).members, as_several(right).members
            return both(
                *(self.equal(mine.get(e, False), yours.get(e, False)) for e in {**mine, **yours})
            )
        if isinstance(left, Mapping):
            keys = {**kept(left), **kept(right)}
            return both(*(self.equal(left[key], right[key]) for key in keys))
        return left == right if not isinstance(left, bool) else right == left


def merged(found: Sequence[tuple[Any, Any]]) -> Any:
    """One of several values, as plain as can be."""
    if not found:
        raise Vain
    if len(found) == 1:
        return found[0][1]
    first = found[0][1]
    if not any(is_open(value) for _, value in found):
        try:
            if all(type(value) is type(first) and value == first for _, value in found):
                return first
        except TypeError:  # pragma: no cover - values that cannot be compared
            pass
    if all(isinstance(value, bool) or _is_formula(value) for _, value in found):
        return either(*(both(under, value) for under, value in found))
    flat: list[tuple[Any, Any]] = []
    for under, value in found:
        inside = value.cases if isinstance(value, Cases) else [(True, value)]
        flat += [(both(under, more), each) for more, each in inside]
    return Cases(flat)


def _is_formula(value: Any) -> bool:
    return is_open(value) and not isinstance(value, Cases | Number | Heap | Several | Mapping)


def _inside(value: Any) -> Sequence[tuple[Any, Any]]:
    """The value of an optional, where it has one."""
    if value is None:
        return []
    if not isinstance(value, Cases):
        return [(True, value)]
    there = [(under, each) for under, each in value.cases if each is not None]
    if len(there) == len(value.cases):
        return [(True, value)]
    return there


def kept(map: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return map.entries if isinstance(map, SparseMap) else map
