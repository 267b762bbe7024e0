"""Values to be found: one for each place in a game where nobody knows what stood there."""

from __future__ import annotations

from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, SparseMap
from rulewright.simulate.unknown.symbols import Cases, Heap, Number, Several, both, shifted

MOST_VALUES = 5000
MOST_OF_ONE = 1 << 16
"""So many of one element may be in a bag of which nothing is known."""


def fresh(type: y.Type, name: str, instance: Instance, context: Any) -> tuple[Any, Any]:
    """A value of a type, of which nothing else is known, and what holds of it, in a context of the
    solver. Raises a UsageError for types whose values cannot be looked for."""
    import z3

    match type:
        case y.Bag(element):
            counts: dict[Any, Any] = {}
            size: Any = 0
            terms = []
            for each in _values(element, name, instance):
                term = z3.Int(f"{name}.{each}", context)
                counts[each] = Number(term, 0, MOST_OF_ONE)
                size = shifted(size, counts[each])
                terms += [term >= 0, term <= MOST_OF_ONE]
            return Heap(counts, size), both(*terms)
        case y.Set(element):
            within = {each: z3.Bool(f"{name}.{each}", context)
                      for each in _values(element, name, instance)}  # fmt: skip
            return Several(within), True
        case y.Map(key, inside):
            maps = {each: fresh(inside, f"{name}.{each}", instance, context)
                     for each in _values(key, name, instance)}  # fmt: skip
            inner = {each: value for each, (value, _) in maps.items()}
            return inner, both(*(holds for _, holds in maps.values()))
    values = _values(type, name, instance)
    if len(values) == 1:
        return values[0], True
    shares = [z3.Int(f"{name}.{each}", context) for each in values]
    bounds = [z3.And(share >= 0, share <= 1) for share in shares]
    cases = [(share == 1, value) for share, value in zip(shares, values)]
    return Cases(cases, shares), z3.And(*bounds, z3.Sum(*shares) == 1)


def can_be_sought(type: y.Type) -> bool:
    """Whether `fresh` has values of that type."""
    inner = type.element if isinstance(type, y.Bag | y.Set) else type
    if isinstance(type, y.Map):
        return can_be_sought(type.value) and (y.most_values(type.key) or MOST_VALUES) < MOST_VALUES
    many = None if isinstance(inner, y.Bag | y.Set | y.Map) else y.most_values(inner)
    return many is not None and many <= MOST_VALUES


def _values(type: y.Type, name: str, instance: Instance) -> list[Any]:
    if isinstance(type, y.Bag | y.Set | y.Map) or not can_be_sought(type):
        what = name.partition("#")[0]
        raise UsageError(
            f"`{what}` has too many values to look for the one that was", "record it, or name less"
        )
    return list(instance.order(type))


def worth(value: Any, model: Any) -> Any:
    """What a value comes to where the unknown is as a model of the solver says."""
    import z3

    def is_so(condition: Any) -> bool:
        if isinstance(condition, bool):
            return condition
        return bool(z3.is_true(model.eval(condition, model_completion=True)))

    match value:
        case Cases(cases=cases):
            return next(worth(each, model) for under, each in cases if is_so(under))
        case Number():
            return model.eval(value.term, model_completion=True).as_long()
        case Heap(counts=counts):
            return BagValue.counted({each: worth(many, model) for each, many in counts.items()})
        case Several(members=members):
            return frozenset(each for each, under in members.items() if is_so(under))
        case SparseMap():
            return SparseMap(value.order, {k: worth(v, model) for k, v in value.entries.items()})
        case dict():
            return {key: worth(each, model) for key, each in value.items()}
        case z3.BoolRef():
            return is_so(value)
        case _:
            return value
