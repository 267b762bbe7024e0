"""The meaning of the language: what an expression is worth and what a statement does.

This is the definition. The compiled player and the solver's encoding must agree with it; where
they differ, they are wrong. It is written to be read, so nothing here is fast.

The rules behind all of it:

- Evaluation goes from left to right. `and`, `or`, `implies`, `if`, `otherwise`, `all` and `some`
  stop as soon as the outcome is known; everything else looks at all of its parts.
- Whatever is gone through is gone through in the order of its type.
- The value of an expression lies in its type. Where that type is declared rather than worked out
  (parameters, results, state, written maps), this is checked when the value is made.
- Statements run one after the other, each seeing what those before it wrote.

Names and kinds of values are trusted to the type checker; operators and built-in functions are in
`operations`. Which moves there are, and what follows from one, is in `rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, assert_never

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.errors import EvaluationError, Unbound
from checker.play.instance import Instance
from checker.play.operations import builtin, operate, place
from checker.play.values import (
    Bag,
    Position,
    Value,
    changed,
    make_map,
    ordered,
    stray,
    text,
    uniform_map,
)
from checker.syntax.node import Span


class Scene:
    """Where something is evaluated: the state `before` the transition and as it is `now`, and
    the values of local names. Nothing but `perform` changes a state; it also notes in `done`
    which labelled statements were carried out."""

    __slots__ = ("before", "done", "instance", "locals", "now")

    def __init__(
        self,
        instance: Instance,
        before: Position,
        now: Position | None = None,
        locals: Mapping[str, Value] | None = None,
        done: list[c.Labelled] | None = None,
    ) -> None:
        self.instance = instance
        self.before = before
        self.now = before if now is None else now
        self.locals = {} if locals is None else locals
        self.done = [] if done is None else done

    def bind(self, name: str, value: Value) -> Scene:
        """The same scene with one more name."""
        return self.enter({**self.locals, name: value})

    def enter(self, names: Mapping[str, Value], old: bool = False) -> Scene:
        """The same scene with only these names: the inside of a function or effect."""
        now = self.before if old else self.now
        return Scene(self.instance, self.before, now, names, self.done)


def evaluate(expression: c.Expr, scene: Scene) -> Any:
    """What an expression is worth; what that is in Python follows from its type, see `values`."""
    return _MEANING[type(expression)](expression, scene)


def perform(statements: Sequence[c.Statement], scene: Scene) -> None:
    """Runs statements, which change the state of the scene as it is now."""
    for statement in statements:
        match statement:
            case c.Assign():
                _assign(statement, scene)
            case c.If(condition=condition, then=then, otherwise=otherwise):
                perform(then if evaluate(condition, scene) else otherwise, scene)
            case c.For(binders=binders, where=where, body=body):
                # Each turn sees what those before it wrote; so does `where`.
                for each in choices(binders, where, scene):
                    perform(body, each)
            case c.Bind(name=name, value=value):
                scene = scene.bind(name, evaluate(value, scene))
            case c.Perform(effect=name, arguments=arguments):
                effect = scene.instance.effects[name]
                given = _arguments(name, effect.params, arguments, scene)
                perform(effect.body, scene.enter(given))
            case c.Labelled(body=body):
                scene.done.append(statement)
                perform(body, scene)
            case _:
                assert_never(statement)


def choices(binders: Sequence[c.Binder], where: c.Expr | None, scene: Scene) -> Iterator[Scene]:
    """The scene once for each choice of the bound names that `where` allows, the last name
    changing fastest."""
    if binders:
        for value in _domain(binders[0], scene):
            yield from choices(binders[1:], where, scene.bind(binders[0].name, value))
    elif where is None or evaluate(where, scene):
        yield scene


def _domain(binder: c.Binder, scene: Scene) -> Sequence[Any]:
    """What a bound name ranges over, in order."""
    if binder.low is None:
        return list(scene.instance.order(binder.type))
    low = evaluate(binder.low, scene)
    if binder.high is not None:
        return range(low, evaluate(binder.high, scene) + 1)
    if isinstance(binder.low.type, y.Option):
        return [] if low is None else [low]
    return ordered(low, binder.type, scene.instance)  # of a bag, each different element once


# ---- names and literals


def _literal(expression: c.Literal, scene: Scene) -> Any:
    return expression.value


def _local(expression: c.Local, scene: Scene) -> Any:
    if expression.name not in scene.locals:
        raise Unbound(expression.name)
    return scene.locals[expression.name]


def _state_variable(expression: c.StateVar, scene: Scene) -> Any:
    state = scene.before if expression.old else scene.now
    if expression.name not in state:
        raise Unbound(expression.name)
    return state[expression.name]


def _table(expression: c.TableRef, scene: Scene) -> Any:
    return scene.instance.tables[expression.name]


def _reading(expression: c.ReadingRef, scene: Scene) -> Any:
    return scene.instance.readings[expression.name]


def _player_count(expression: c.PlayerCount, scene: Scene) -> Any:
    return scene.instance.players


# ---- operators and choices


def _unary(expression: c.Unary, scene: Scene) -> Any:
    value = evaluate(expression.operand, scene)
    return not value if expression.operator == "not" else -value


def _binary(expression: c.Binary, scene: Scene) -> Any:
    left = evaluate(expression.left, scene)
    match expression.operator:  # the right side is looked at only where it matters
        case "and":
            return left and evaluate(expression.right, scene)
        case "or":
            return left or evaluate(expression.right, scene)
        case "implies":
            return not left or evaluate(expression.right, scene)
        case _:
            return operate(expression, left, evaluate(expression.right, scene), scene.instance)


def _choose(expression: c.Choose, scene: Scene) -> Any:
    condition = evaluate(expression.condition, scene)
    return evaluate(expression.then if condition else expression.otherwise, scene)


def _otherwise(expression: c.Otherwise, scene: Scene) -> Any:
    value = evaluate(expression.value, scene)
    return evaluate(expression.default, scene) if value is None else value


def _let(expression: c.Let, scene: Scene) -> Any:
    return evaluate(expression.body, scene.bind(expression.name, evaluate(expression.value, scene)))


def _quantify(expression: c.Quantify, scene: Scene) -> Any:
    scenes = choices(expression.binders, expression.where, scene)
    each = (evaluate(expression.body, inside) for inside in scenes)
    match expression.kind:
        case "all":
            return all(each)
        case "some":
            return any(each)
        case "count" | "sum":
            return sum(each)
        case "bag_sum":
            return sum(each, Bag())
        case kind:
            found = list(each)
            if not found and not isinstance(expression.type, y.Option):
                which = "least" if kind == "min" else "greatest"
                raise EvaluationError(f"there is no {which} of nothing", expression.span)
            return (min if kind == "min" else max)(found, default=None)


# ---- collections, maps, fields


def _set(expression: c.SetOf, scene: Scene) -> Any:
    return frozenset(evaluate(each, scene) for each in expression.elements)


def _bag(expression: c.BagOf, scene: Scene) -> Any:
    return Bag(evaluate(each, scene) for each in expression.elements)


def _set_each(expression: c.SetEach, scene: Scene) -> Any:
    scenes = choices(expression.binders, expression.where, scene)
    elements = (evaluate(expression.element, inside) for inside in scenes)
    return Bag(elements) if isinstance(expression.type, y.Bag) else frozenset(elements)


def _bag_count(expression: c.BagCount, scene: Scene) -> Any:
    return evaluate(expression.bag, scene)[evaluate(expression.element, scene)]


def _lookup(expression: c.Lookup, scene: Scene) -> Any:
    map, key = evaluate(expression.map, scene), evaluate(expression.key, scene)
    if key is None and isinstance(expression.key.type, y.Option):
        return None
    if key not in map:
        raise _no_key(key, place(expression.map), expression.map.type, expression.span)
    return map[key]


def _updated(expression: c.Updated, scene: Scene) -> Any:
    map, key = evaluate(expression.map, scene), evaluate(expression.key, scene)
    value = evaluate(expression.value, scene)
    if key not in map:
        raise _no_key(key, place(expression.map), expression.type, expression.span)
    assert isinstance(expression.type, y.Map)
    outside = _outside(value, expression.type.value, scene.instance)
    if outside:
        what = f"`{place(expression.map)}[{text(key)}]`"
        raise EvaluationError(f"{what} {outside}", expression.span)
    return changed(map, key, value)


def _map_each(expression: c.MapEach, scene: Scene) -> Any:
    assert isinstance(expression.type, y.Map)
    if isinstance(expression.value, c.Literal):  # an empty board, say
        return uniform_map(expression.type, scene.instance, evaluate(expression.value, scene))

    def value_at(key: Any) -> Any:
        return evaluate(expression.value, scene.bind(expression.name, key))

    return make_map(expression.type, scene.instance, value_at)


def _map_of(expression: c.MapOf, scene: Scene) -> Any:
    type, instance, span = expression.type, scene.instance, expression.span
    assert isinstance(type, y.Map)

    def value_of(part: c.Expr) -> Any:
        value = evaluate(part, scene)
        outside = _outside(value, type.value, instance)
        if outside:
            raise EvaluationError(f"a value of this map {outside}", part.span)
        return value

    given = {key: value_of(each) for key, each in zip(expression.keys, expression.values)}
    order = instance.order(type.key)
    for key in given:
        if key not in order:
            raise _no_key(key, "this map", type, span)
    if expression.default is None:
        missing = [key for key in order if key not in given]
        if missing:
            raise EvaluationError(f"this map has no value for `{missing[0]}`", span)
        return make_map(type, instance, given.__getitem__)
    result = uniform_map(type, instance, value_of(expression.default))
    for key, value in given.items():
        result = changed(result, key, value)
    return result


def _field(expression: c.FieldOf, scene: Scene) -> Any:
    """The value of a field; `none` for a case that does not have it."""
    type = expression.record.type
    assert isinstance(type, y.Enum)
    field = type.field(expression.field)
    assert field is not None
    return field.values[type.members.index(evaluate(expression.record, scene))]


# ---- calls


def _builtin(expression: c.Builtin, scene: Scene) -> Any:
    values = [evaluate(each, scene) for each in expression.arguments]
    return builtin(expression, values, scene.instance)


def _call(expression: c.Call, scene: Scene) -> Any:
    function = scene.instance.functions[expression.function]
    given = _arguments(function.name, function.params, expression.arguments, scene)
    result = evaluate(function.body, scene.enter(given, expression.old))
    outside = _outside(result, function.type, scene.instance)
    if outside:
        arguments = ", ".join(map(_brief, given.values()))
        raise EvaluationError(f"`{function.name}({arguments})` {outside}", expression.span)
    return result


def _arguments(
    name: str, params: Sequence[c.Param], arguments: Sequence[c.Expr], scene: Scene
) -> dict[str, Value]:
    """The values for the parameters of a function or effect, each in its declared range."""
    given = {}
    for param, argument in zip(params, arguments):
        value = given[param.name] = evaluate(argument, scene)
        outside = _outside(value, param.type, scene.instance)
        if outside:
            raise EvaluationError(f"`{param.name}` of `{name}` {outside}", argument.span)
    return given


# ---- writes and checks


def _assign(statement: c.Assign, scene: Scene) -> None:
    """Writes a value to its place in the state. All keys and the value are worked out first."""
    keys = [evaluate(key, scene) for key in statement.keys]
    value = evaluate(statement.value, scene)
    outside = _outside(value, statement.type, scene.instance)
    if outside:
        name = statement.variable + "".join(f"[{text(key)}]" for key in keys)
        raise EvaluationError(f"`{name}` {outside}", statement.span)

    def written(held: Any, type: y.Type, depth: int) -> Any:
        if depth == len(keys):
            return value
        assert isinstance(type, y.Map)
        if keys[depth] not in held:
            raise _no_key(keys[depth], statement.variable, type, statement.span)
        inner = written(held[keys[depth]], type.value, depth + 1)
        return changed(held, keys[depth], inner)

    variable = scene.instance.variables[statement.variable]
    scene.now[variable.name] = written(scene.now[variable.name], variable.type, 0)


def _outside(value: Value, type: y.Type, instance: Instance) -> str | None:
    """How a value leaves its declared type, None if it does not."""
    found = stray(value, type, instance)
    if found is None:
        return None
    part, wanted = found
    return f"{'is' if part is value else 'holds'} {text(part)}, outside {y.show(wanted)}"


def _no_key(key: Any, what: str, type: y.Type, span: Span) -> EvaluationError:
    keys = y.show(type.key) if isinstance(type, y.Map) else y.show(type)
    return EvaluationError(f"`{what}` has no key `{text(key)}`, only {keys}", span)


def _brief(value: Value) -> str:
    """An argument in a message: plain values as they are, others by a sign."""
    return text(value) if value is None or isinstance(value, bool | int | str) else "…"


_MEANING: dict[type, Callable[[Any, Scene], Any]] = {
    c.Literal: _literal,
    c.Local: _local,
    c.StateVar: _state_variable,
    c.TableRef: _table,
    c.ReadingRef: _reading,
    c.PlayerCount: _player_count,
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
