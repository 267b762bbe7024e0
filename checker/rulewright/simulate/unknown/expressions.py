"""What each kind of expression is worth where not all is known, as `evaluate` in `play` has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.operations import builtin, place
from rulewright.play.semantics.values import (
    changed,
    make_map,
    text,
)
from rulewright.simulate.unknown.evaluator import Evaluator, Meaning, Scene, kept, merged
from rulewright.simulate.unknown.operators import binary, heap, unary
from rulewright.simulate.unknown.path import Vain
from rulewright.simulate.unknown.symbols import (
    Cases,
    Heap,
    Number,
    Several,
    as_heap,
    both,
    either,
    is_open,
    number,
    opposite,
    shifted,
    total,
    truth,
)


def _local(self: Evaluator, expression: c.Local, scene: Scene) -> Any:
    return scene.env.locals[expression.name]


def _state_variable(self: Evaluator, expression: c.StateVar, scene: Scene) -> Any:
    state = scene.env.before if expression.old else scene.env.now
    return state[expression.name]


def _choose(self: Evaluator, expression: c.Choose, scene: Scene) -> Any:
    under = self.condition(expression.condition, scene)
    if isinstance(under, bool):
        return self.value(expression.then if under else expression.otherwise, scene)
    found = []
    for each, part in ((under, expression.then), (opposite(under), expression.otherwise)):
        value = self.under(each, partial(self.value, part, scene), Vain)
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
                still, partial(self.condition, expression.body, inside), kind == "all"
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
            each = self.under(under, partial(self.value, expression.body, inside), False)
            parts.append((both(under, truth(each)), 1) if kind == "count"
                         else (under, number(each) if each is not False else 0))  # fmt: skip
        return total(parts)
    heaps: list[Heap] = []
    known: list[Any] = []
    for under, inside in scenes:
        if not self.trial.decide(under):
            continue
        if kind == "first":
            if self.trial.decide(self.condition(expression.body, inside)):
                return inside.env.locals[expression.binders[0].name]
        elif kind == "bag_sum":
            heaps.append(as_heap(self.value(expression.body, inside)))
        else:
            known.append(self.known(expression.body, inside))
    if kind == "first":
        return None
    if kind == "bag_sum":
        return _summed(self, heaps)
    if not known and not isinstance(expression.type, y.Option):
        which = "least" if kind == "min" else "greatest"
        raise EvaluationError(f"there is no {which} of nothing", expression.span)
    return min(known, default=None) if kind == "min" else max(known, default=None)


def _summed(self: Evaluator, heaps: Sequence[Heap]) -> Heap:
    counts: dict[Any, Any] = {}
    size: Any = 0
    for each_heap in heaps:
        size = shifted(size, each_heap.size)
        for each, many in each_heap.counts.items():
            counts[each] = shifted(counts.get(each, 0), many)
    return heap(self, counts, size)


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
    return heap(self, counts, len(expression.elements))


def _alternatives(self: Evaluator, value: Any, type: y.Type) -> Sequence[tuple[Any, Any]]:
    """The values that one can have, all of them known."""
    if isinstance(value, Cases) and not any(is_open(each) for _, each in value.cases):
        return value.cases
    return [(True, self.settled(value, type))]


def _elements(self: Evaluator, parts: Sequence[c.Expr], scene: Scene) -> list[tuple[Any, Any]]:
    return [
        found for each in parts for found in _alternatives(self, self.value(each, scene), each.type)
    ]


def _set_each(self: Evaluator, expression: c.SetEach, scene: Scene) -> Any:
    members: dict[Any, Any] = {}
    counts: dict[Any, Any] = {}
    size: Any = 0
    for under, inside in self.scenes(expression.binders, expression.where, scene):
        found = self.under(under, partial(_elements, self, [expression.element], inside), [])
        for more, element in found:
            there = both(under, more)
            members[element] = either(members.get(element, False), there)
            counts[element] = shifted(counts.get(element, 0), total([(there, 1)]))
        size = shifted(size, total([(under, 1)]))
    if isinstance(expression.type, y.Bag):
        return heap(self, counts, size)
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
        value = self.under(under, partial(found, map, each), Vain)
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
    for value in kept(map).values():
        choices = value.cases if isinstance(value, Cases) else [(True, value)]
        for under, each in choices:
            if each is not None:
                counts[each] = shifted(counts.get(each, 0), total([(under, 1)]))
                size = shifted(size, total([(under, 1)]))
    return heap(self, counts, size)


MEANING: Meaning = {
    c.Local: _local,
    c.StateVar: _state_variable,
    c.Unary: unary,
    c.Binary: binary,
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
