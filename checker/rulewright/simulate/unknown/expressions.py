"""What an expression is worth where not all is known.

Whatever touches nothing unknown is left to the evaluator. The rest follows its order and its rules,
with values of `symbols`. What has no form of its own here is looked at case by case: one fork of
the trial for each, so that nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.operations import builtin, operate, place
from rulewright.play.semantics.values import (
    BagValue,
    Position,
    SparseMap,
    changed,
    make_map,
    ordered,
    stray,
    text,
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
    number,
    opposite,
    shifted,
    total,
    truth,
)
from rulewright.simulate.unknown.touched import Touched
from rulewright.system.work_budget import EVALUATED

MOST_CASES = 4000
COMPARISONS = {"less", "less_equal", "greater", "greater_equal"}
BAG_OPERATORS = {"bag_union", "bag_difference", "sub_bag", "proper_sub_bag"}
SET_OPERATORS = {"union", "difference", "common", "subset", "proper_subset"}


class Scene:
    """Where something is evaluated, and which names there are open."""

    __slots__ = ("env", "open", "variables")

    def __init__(
        self, env: Environment, open: frozenset[str], variables: frozenset[str]
    ) -> None:
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

    def __init__(self, instance: Instance, touched: Touched, trial: Trial) -> None:
        self.instance = instance
        self.touched = touched
        self.trial = trial

    def value(self, expression: c.Expr, scene: Scene) -> Any:
        """What an expression is worth."""
        if not self.touched.open(expression, scene.open, scene.variables):
            return evaluate(expression, scene.env)
        self.trial.questions.charge(EVALUATED // 10)
        return _MEANING[type(expression)](self, expression, scene)

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
            worth = self.under(under, lambda inside=inside: self._apply(act, inside), Vain)
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
        that are not known are taken to: a deal that is found is played again, and there it shows."""
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
            keys = {**_kept(left), **_kept(right)}
            return both(*(self.equal(left[key], right[key]) for key in keys))
        return left == right if not isinstance(left, bool) else right == left


def merged(found: Sequence[tuple[Any, Any]]) -> Any:
    """One of several values, as plain as can be."""
    assert found
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


def _kept(map: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return map.entries if isinstance(map, SparseMap) else map


# ---- the meaning of each expression, in the order of `evaluate`


def _local(self: Evaluator, expression: c.Local, scene: Scene) -> Any:
    return scene.env.locals[expression.name]


def _state_variable(self: Evaluator, expression: c.StateVar, scene: Scene) -> Any:
    state = scene.env.before if expression.old else scene.env.now
    return state[expression.name]


def _unary(self: Evaluator, expression: c.Unary, scene: Scene) -> Any:
    if expression.operator == "not":
        return opposite(self.condition(expression.operand, scene))
    return shifted(0, number(self.value(expression.operand, scene)), -1)


def _binary(self: Evaluator, expression: c.Binary, scene: Scene) -> Any:
    operator = expression.operator
    if operator in {"and", "or", "implies"}:
        left = self.condition(expression.left, scene)
        if operator == "or":
            rest = self.under(
                opposite(left), lambda: self.condition(expression.right, scene), False
            )
            return either(left, rest)
        rest = self.under(left, lambda: self.condition(expression.right, scene), False)
        return both(left, rest) if operator == "and" else either(opposite(left), rest)
    left, right = self.value(expression.left, scene), self.value(expression.right, scene)
    if not is_open(left) and not is_open(right):
        return operate(expression, left, right, self.instance)
    if operator == "equal":
        return self.equal(left, right)
    if operator == "unequal":
        return opposite(self.equal(left, right))
    if operator in {"add", "subtract"}:
        return shifted(number(left), number(right), 1 if operator == "add" else -1)
    if operator == "multiply" and (type(left) is int or type(right) is int):
        many, other = (left, right) if type(left) is int else (right, left)
        return shifted(0, number(other), many) if many else 0
    if operator in COMPARISONS and isinstance(expression.left.type, y.Int):
        return _compare(self, operator, left, right)
    if operator in {"member", "bag_member"} and not isinstance(right, Cases):
        choices = left.cases if isinstance(left, Cases) else [(True, left)]
        if not any(is_open(each) for _, each in choices):
            return either(*(both(under, is_in(each, right)) for under, each in choices))
    if operator in BAG_OPERATORS and not isinstance(left, Cases) and not isinstance(right, Cases):
        return _bags(self, expression, as_heap(left), as_heap(right))
    if operator in SET_OPERATORS and not isinstance(left, Cases) and not isinstance(right, Cases):
        return _sets(operator, as_several(left), as_several(right))
    return self.lifted(lambda a, b: operate(expression, a, b, self.instance), left, right)


def _compare(self: Evaluator, operator: str, left: Any, right: Any) -> Any:
    """Two numbers. That one of many counts is more than 0 is said in sums: the solver is at its
    best with those."""
    if isinstance(left, Cases) and left.shares is not None and (operator, right) == ("greater", 0):
        counts = [(Number(share, 0, 1), many) for share, (_, many) in zip(left.shares, left.cases)]
        if all(isinstance(many, int | Number) and _natural(many) for _, many in counts):
            return covered(counts)
    return compared(operator, number(left), number(right))


def covered(counts: Sequence[tuple[int | Number, int | Number]]) -> Any:
    """Whether there are as many of each as are taken; said in the same words wherever it is."""
    return both(*(
        compared("greater_equal", many, taken)
        if isinstance(many, int) or isinstance(taken, int)
        else many.term >= taken.term
        for taken, many in counts
    ))  # fmt: skip


def _natural(many: int | Number) -> bool:
    return many >= 0 if isinstance(many, int) else many.low is not None and many.low >= 0


def _bags(self: Evaluator, expression: c.Binary, left: Heap, right: Heap) -> Any:
    there = list(elements(left, right))
    match expression.operator:
        case "bag_union":
            counts = {each: shifted(left[each], right[each]) for each in there}
            return _heap(self, counts, shifted(left.size, right.size))
        case "bag_difference":
            holds = covered([(right[each], left[each]) for each in right.counts])
            if not self.trial.decide(holds):
                what = f"what is taken from `{place(expression.left)}` is not all in it"
                raise EvaluationError(what, expression.span)
            counts = {each: shifted(left[each], right[each], -1) for each in there}
            return _heap(self, counts, shifted(left.size, right.size, -1))
        case operator:
            inside = both(*(compared("less_equal", left[e], right[e]) for e in left.counts))
            if operator == "sub_bag":
                return inside
            return both(inside, compared("less", left.size, right.size))


def _heap(self: Evaluator, counts: Mapping[Any, Any], size: Any) -> Heap:
    """A bag; no count is less than nothing, and none is more than the whole bag."""
    most = size if isinstance(size, int) else size.high
    found = {}
    for each, many in counts.items():
        if isinstance(many, Number):
            high = many.high if most is None else min(most, many.high or most)
            many = Number(many.term, max(0, many.low or 0), high)
        found[each] = many
    return Heap(found, size)


def _sets(operator: str, left: Several, right: Several) -> Any:
    mine, yours = left.members, right.members
    match operator:
        case "union":
            return Several({e: either(mine.get(e, False), yours.get(e, False))
                            for e in {**mine, **yours}})  # fmt: skip
        case "difference":
            return Several({e: both(u, opposite(yours.get(e, False))) for e, u in mine.items()})
        case "common":
            return Several({e: both(u, yours.get(e, False)) for e, u in mine.items()})
    inside = both(*(either(opposite(u), yours.get(e, False)) for e, u in mine.items()))
    if operator == "subset":
        return inside
    return both(inside, either(*(both(u, opposite(mine.get(e, False))) for e, u in yours.items())))


def _choose(self: Evaluator, expression: c.Choose, scene: Scene) -> Any:
    under = self.condition(expression.condition, scene)
    if isinstance(under, bool):
        return self.value(expression.then if under else expression.otherwise, scene)
    found = []
    for each, part in ((under, expression.then), (opposite(under), expression.otherwise)):
        value = self.under(each, lambda part=part: self.value(part, scene), Vain)  # type: ignore[misc]
        if value is not Vain:
            found.append((each, value))
    return merged(found)


def _otherwise(self: Evaluator, expression: c.Otherwise, scene: Scene) -> Any:
    value = self.value(expression.value, scene)
    if not isinstance(value, Cases):
        return self.value(expression.default, scene) if value is None else value
    empty = either(*(under for under, each in value.cases if each is None))
    if empty is False:
        return value
    found = [(under, each) for under, each in value.cases if each is not None]
    default = self.under(empty, lambda: self.value(expression.default, scene), Vain)
    return merged([*found, *([] if default is Vain else [(empty, default)])])


def _let(self: Evaluator, expression: c.Let, scene: Scene) -> Any:
    inside = scene.bind(expression.name, self.value(expression.value, scene))
    return self.value(expression.body, inside)


def _quantify(self: Evaluator, expression: c.Quantify, scene: Scene) -> Any:
    kind = expression.kind
    scenes = self.scenes(expression.binders, expression.where, scene)
    if kind in {"all", "some"}:
        found: Any = kind == "all"
        for under, inside in scenes:
            still = both(found, under) if kind == "all" else both(opposite(found), under)
            each = self.under(
                still, lambda inside=inside: self.condition(expression.body, inside), kind == "all"
            )  # fmt: skip
            if kind == "all":
                found = both(found, either(opposite(under), each))
            else:
                found = either(found, both(under, each))
            if found is (kind != "all"):
                break
        return found
    if kind in {"count", "sum"}:
        parts = []
        for under, inside in scenes:
            each = self.under(
                under, lambda inside=inside: self.value(expression.body, inside), False
            )
            parts.append((both(under, truth(each)), 1) if kind == "count"
                         else (under, number(each) if each is not False else 0))  # fmt: skip
        return total(parts)
    values = []
    for under, inside in scenes:
        if not self.trial.decide(under):
            continue
        if kind == "first":
            if self.trial.decide(self.condition(expression.body, inside)):
                return inside.env.locals[expression.binders[0].name]
        elif kind == "bag_sum":
            values.append(as_heap(self.value(expression.body, inside)))
        else:
            values.append(self.known(expression.body, inside))
    if kind == "first":
        return None
    if kind == "bag_sum":
        return _summed(self, values)
    if not values and not isinstance(expression.type, y.Option):
        which = "least" if kind == "min" else "greatest"
        raise EvaluationError(f"there is no {which} of nothing", expression.span)
    return (min if kind == "min" else max)(values, default=None)


def _summed(self: Evaluator, heaps: Sequence[Heap]) -> Heap:
    counts: dict[Any, Any] = {}
    size: Any = 0
    for heap in heaps:
        size = shifted(size, heap.size)
        for each, many in heap.counts.items():
            counts[each] = shifted(counts.get(each, 0), many)
    return _heap(self, counts, size)


def _set(self: Evaluator, expression: c.SetOf, scene: Scene) -> Any:
    members: dict[Any, Any] = {}
    for under, each in _elements(self, expression.elements, scene):
        members[each] = either(members.get(each, False), under)
    return Several(members)


def _bag(self: Evaluator, expression: c.BagOf, scene: Scene) -> Any:
    counts: dict[Any, Any] = {}
    for each in expression.elements:
        value = self.value(each, scene)
        if isinstance(value, Cases) and value.shares is not None:
            for share, (_, element) in zip(value.shares, value.cases):
                more = Number(share, 0, 1)
                counts[element] = shifted(counts.get(element, 0), more)
        else:
            for under, element in _alternatives(self, value, each.type):
                more_ = total([(under, 1)])
                counts[element] = shifted(counts.get(element, 0), more_)
    return _heap(self, counts, len(expression.elements))


def _alternatives(self: Evaluator, value: Any, type: y.Type) -> Sequence[tuple[Any, Any]]:
    """The values that one can have, all of them known."""
    if isinstance(value, Cases) and not any(is_open(each) for _, each in value.cases):
        return value.cases
    return [(True, self.settled(value, type))]


def _elements(
    self: Evaluator, parts: Sequence[c.Expr], scene: Scene
) -> Iterator[tuple[Any, Any]]:
    for each in parts:
        yield from _alternatives(self, self.value(each, scene), each.type)


def _set_each(self: Evaluator, expression: c.SetEach, scene: Scene) -> Any:
    members: dict[Any, Any] = {}
    counts: dict[Any, Any] = {}
    size: Any = 0
    for under, inside in self.scenes(expression.binders, expression.where, scene):
        found = self.under(under, lambda inside=inside: list(
            _elements(self, [expression.element], inside)), [])  # fmt: skip
        for more, element in found:
            there = both(under, more)
            members[element] = either(members.get(element, False), there)
            counts[element] = shifted(counts.get(element, 0), total([(there, 1)]))
        size = shifted(size, total([(under, 1)]))
    if isinstance(expression.type, y.Bag):
        return _heap(self, counts, size)
    return Several(members)


def _bag_count(self: Evaluator, expression: c.BagCount, scene: Scene) -> Any:
    bag, element = self.value(expression.bag, scene), self.value(expression.element, scene)
    if isinstance(bag, Cases):
        bag = self.settled(bag, expression.bag.type)
    if isinstance(element, Cases) and not any(is_open(each) for _, each in element.cases):
        return Cases([(under, bag[each]) for under, each in element.cases], element.shares)
    return bag[self.settled(element, expression.element.type)]


def _lookup(self: Evaluator, expression: c.Lookup, scene: Scene) -> Any:
    map, key = self.value(expression.map, scene), self.value(expression.key, scene)

    def found(map: Any, key: Any) -> Any:
        if key is None and isinstance(expression.key.type, y.Option):
            return None
        if key not in map:
            raise EvaluationError(f"`{place(expression.map)}` has no such key", expression.span)
        return map[key]

    if isinstance(map, Cases):
        map = self.settled(map, expression.map.type)
    if not is_open(key):
        return found(map, key)
    choices = _alternatives(self, key, expression.key.type)
    worth = []
    for under, each in choices:
        value = self.under(under, lambda each=each: found(map, each), Vain)  # type: ignore[misc]
        if value is not Vain:
            worth.append((under, value))
    return merged(worth)


def _updated(self: Evaluator, expression: c.Updated, scene: Scene) -> Any:
    map = self.value(expression.map, scene)
    key, value = self.known(expression.key, scene), self.value(expression.value, scene)
    if isinstance(map, Cases):
        map = self.settled(map, expression.type)
    if key not in map:
        raise EvaluationError(f"`{place(expression.map)}` has no such key", expression.span)
    assert isinstance(expression.type, y.Map)
    what = f"`{place(expression.map)}[{text(key)}]`"
    self.in_range(value, expression.type.value, what, expression.span)
    return changed(map, key, value)


def _map_each(self: Evaluator, expression: c.MapEach, scene: Scene) -> Any:
    assert isinstance(expression.type, y.Map)
    return make_map(
        expression.type,
        self.instance,
        lambda key: self.value(expression.value, scene.bind(expression.name, key)),
    )


def _map_of(self: Evaluator, expression: c.MapOf, scene: Scene) -> Any:
    type = expression.type
    assert isinstance(type, y.Map)
    given = {}
    for key, part in zip(expression.keys, expression.values):
        given[key] = self.value(part, scene)
        self.in_range(given[key], type.value, "a value of this map", part.span)
    default = None if expression.default is None else self.value(expression.default, scene)
    return make_map(type, self.instance, lambda key: given.get(key, default))


def _field(self: Evaluator, expression: c.FieldOf, scene: Scene) -> Any:
    type = expression.record.type
    assert isinstance(type, y.Enum)
    field = type.field(expression.field)
    assert field is not None
    record = self.value(expression.record, scene)
    return self.lifted(lambda each: field.values[type.members.index(each)], record)


def _call(self: Evaluator, expression: c.Call, scene: Scene) -> Any:
    function = self.instance.functions[expression.function]
    given = self.arguments(function.name, function.params, expression.arguments, scene)
    result = self.value(function.body, scene.enter(given, expression.old))
    self.in_range(result, function.type, f"`{function.name}(…)`", expression.span)
    return result


def _builtin(self: Evaluator, expression: c.Builtin, scene: Scene) -> Any:
    values = [self.value(each, scene) for each in expression.arguments]
    match expression.name, values:
        case "size", (Heap(size=size),):
            return size
        case "size", (Several(members=members),):
            return total([(under, 1) for under in members.values()])
        case "tally", (Mapping() as map,) if is_open(map):
            return _tally(self, map)
    return self.lifted(lambda *given: builtin(expression, given, self.instance), *values)


def _tally(self: Evaluator, map: Mapping[Any, Any]) -> Heap:
    counts: dict[Any, Any] = {}
    size: Any = 0
    for value in _kept(map).values():
        choices = value.cases if isinstance(value, Cases) else [(True, value)]
        for under, each in choices:
            if each is not None:
                counts[each] = shifted(counts.get(each, 0), total([(under, 1)]))
                size = shifted(size, total([(under, 1)]))
    return _heap(self, counts, size)


_MEANING: dict[type, Callable[[Evaluator, Any, Scene], Any]] = {
    c.Local: _local,
    c.StateVar: _state_variable,
    c.Unary: _unary,
    c.Binary: _binary,
    c.Choose: _choose,
    c.Let: _let,
    c.Quantify: _quantify,
    c.Lookup: _lookup,
    c.BagCount: _bag_count,
    c.FieldOf: _field,
    c.SetOf: _set,
    c.BagOf: _bag,
    c.SetEach: _set_each,
    c.MapOf: _map_of,
    c.MapEach: _map_each,
    c.Updated: _updated,
    c.Otherwise: _otherwise,
    c.Call: _call,
    c.Builtin: _builtin,
}


def position_scene(instance: Instance, position: Position, variables: frozenset[str]) -> Scene:
    """A position, some variables of which are open."""
    return Scene(Environment(instance, position), frozenset(), variables)
