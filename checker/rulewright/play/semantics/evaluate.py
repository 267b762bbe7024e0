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

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError, Unbound
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.operations import builtin, operate, place
from rulewright.play.semantics.values import (
    BagValue,
    Position,
    Value,
    changed,
    make_map,
    ordered,
    stray,
    text,
    uniform_map,
)
from rulewright.syntax.node import Span


class Environment:
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

    def bind(self, name: str, value: Value) -> Environment:
        """The same scene with one more name."""
        return self.enter({**self.locals, name: value})

    def enter(self, names: Mapping[str, Value], old: bool = False) -> Environment:
        """The same scene with only these names: the inside of a function or effect."""
        now = self.before if old else self.now
        return Environment(self.instance, self.before, now, names, self.done)


def evaluate(expression: c.Expr, env: Environment) -> Any:
    """What an expression is worth; what that is in Python follows from its type, see `values`."""
    return _MEANING[type(expression)](expression, env)


def perform(statements: Sequence[c.Statement], env: Environment) -> None:
    """Runs statements, which change the state of the scene as it is now."""
    for statement in statements:
        match statement:
            case c.Assign():
                _assign(statement, env)
            case c.If(condition=condition, then=then, otherwise=otherwise):
                perform(then if evaluate(condition, env) else otherwise, env)
            case c.For(binders=binders, where=where, body=body):
                # Each turn sees what those before it wrote; so does `where`.
                for each in choices(binders, where, env):
                    perform(body, each)
            case c.Bind(name=name, value=value):
                env = env.bind(name, evaluate(value, env))
            case c.Perform(effect=name, arguments=arguments):
                effect = env.instance.effects[name]
                given = _arguments(name, effect.params, arguments, env)
                perform(effect.body, env.enter(given))
            case c.Labelled(body=body):
                env.done.append(statement)
                perform(body, env)
            case _:
                assert_never(statement)


def choices(
    binders: Sequence[c.Binder], where: c.Expr | None, env: Environment
) -> Iterator[Environment]:
    """The scene once for each choice of the bound names that `where` allows, the last name
    changing fastest."""
    if binders:
        for value in _domain(binders[0], env):
            yield from choices(binders[1:], where, env.bind(binders[0].name, value))
    elif where is None or evaluate(where, env):
        yield env


def _domain(binder: c.Binder, env: Environment) -> Sequence[Any]:
    """What a bound name ranges over, in order."""
    if binder.low is None:
        return list(env.instance.order(binder.type))
    low = evaluate(binder.low, env)
    if binder.high is not None:
        return range(low, evaluate(binder.high, env) + 1)
    if isinstance(binder.low.type, y.Option):
        return [] if low is None else [low]
    return ordered(low, binder.type, env.instance)  # of a bag, each different element once


# ---- names and literals


def _literal(expression: c.Literal, env: Environment) -> Any:
    return expression.value


def _local(expression: c.Local, env: Environment) -> Any:
    if expression.name not in env.locals:
        raise Unbound(expression.name)
    return env.locals[expression.name]


def _state_variable(expression: c.StateVar, env: Environment) -> Any:
    state = env.before if expression.old else env.now
    if expression.name not in state:
        raise Unbound(expression.name)
    return state[expression.name]


def _table(expression: c.TableRef, env: Environment) -> Any:
    return env.instance.tables[expression.name]


def _reading(expression: c.ReadingRef, env: Environment) -> Any:
    return env.instance.readings[expression.name]


def _player_count(expression: c.PlayerCount, env: Environment) -> Any:
    return env.instance.players


# ---- operators and choices


def _unary(expression: c.Unary, env: Environment) -> Any:
    value = evaluate(expression.operand, env)
    return not value if expression.operator == "not" else -value


def _binary(expression: c.Binary, env: Environment) -> Any:
    left = evaluate(expression.left, env)
    match expression.operator:  # the right side is looked at only where it matters
        case "and":
            return left and evaluate(expression.right, env)
        case "or":
            return left or evaluate(expression.right, env)
        case "implies":
            return not left or evaluate(expression.right, env)
        case _:
            return operate(expression, left, evaluate(expression.right, env), env.instance)


def _choose(expression: c.Choose, env: Environment) -> Any:
    condition = evaluate(expression.condition, env)
    return evaluate(expression.then if condition else expression.otherwise, env)


def _otherwise(expression: c.Otherwise, env: Environment) -> Any:
    value = evaluate(expression.value, env)
    return evaluate(expression.default, env) if value is None else value


def _let(expression: c.Let, env: Environment) -> Any:
    return evaluate(expression.body, env.bind(expression.name, evaluate(expression.value, env)))


def _quantify(expression: c.Quantify, env: Environment) -> Any:
    scenes = choices(expression.binders, expression.where, env)
    if expression.kind == "first":
        name, body = expression.binders[0].name, expression.body
        return next((inside.locals[name] for inside in scenes if evaluate(body, inside)), None)
    each = (evaluate(expression.body, inside) for inside in scenes)
    match expression.kind:
        case "all":
            return all(each)
        case "some":
            return any(each)
        case "count" | "sum":
            return sum(each)
        case "bag_sum":
            return sum(each, BagValue())
        case kind:
            found = list(each)
            if not found and not isinstance(expression.type, y.Option):
                which = "least" if kind == "min" else "greatest"
                raise EvaluationError(f"there is no {which} of nothing", expression.span)
            return (min if kind == "min" else max)(found, default=None)


# ---- collections, maps, fields


def _set(expression: c.SetOf, env: Environment) -> Any:
    return frozenset(evaluate(each, env) for each in expression.elements)


def _bag(expression: c.BagOf, env: Environment) -> Any:
    return BagValue(evaluate(each, env) for each in expression.elements)


def _set_each(expression: c.SetEach, env: Environment) -> Any:
    scenes = choices(expression.binders, expression.where, env)
    elements = (evaluate(expression.element, inside) for inside in scenes)
    return BagValue(elements) if isinstance(expression.type, y.Bag) else frozenset(elements)


def _bag_count(expression: c.BagCount, env: Environment) -> Any:
    return evaluate(expression.bag, env)[evaluate(expression.element, env)]


def _lookup(expression: c.Lookup, env: Environment) -> Any:
    map, key = evaluate(expression.map, env), evaluate(expression.key, env)
    if key is None and isinstance(expression.key.type, y.Option):
        return None
    if key not in map:
        raise _no_key(key, place(expression.map), expression.map.type, expression.span)
    return map[key]


def _updated(expression: c.Updated, env: Environment) -> Any:
    map, key = evaluate(expression.map, env), evaluate(expression.key, env)
    value = evaluate(expression.value, env)
    if key not in map:
        raise _no_key(key, place(expression.map), expression.type, expression.span)
    assert isinstance(expression.type, y.Map)
    outside = _outside(value, expression.type.value, env.instance)
    if outside:
        what = f"`{place(expression.map)}[{text(key)}]`"
        raise EvaluationError(f"{what} {outside}", expression.span)
    return changed(map, key, value)


def _map_each(expression: c.MapEach, env: Environment) -> Any:
    assert isinstance(expression.type, y.Map)
    if isinstance(expression.value, c.Literal):  # an empty board, say
        return uniform_map(expression.type, env.instance, evaluate(expression.value, env))

    def value_at(key: Any) -> Any:
        return evaluate(expression.value, env.bind(expression.name, key))

    return make_map(expression.type, env.instance, value_at)


def _map_of(expression: c.MapOf, env: Environment) -> Any:
    type, instance, span = expression.type, env.instance, expression.span
    assert isinstance(type, y.Map)

    def value_of(part: c.Expr) -> Any:
        value = evaluate(part, env)
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


def _field(expression: c.FieldOf, env: Environment) -> Any:
    """The value of a field; `none` for a case that does not have it."""
    type = expression.record.type
    assert isinstance(type, y.Enum)
    field = type.field(expression.field)
    assert field is not None
    return field.values[type.members.index(evaluate(expression.record, env))]


# ---- calls


def _builtin(expression: c.Builtin, env: Environment) -> Any:
    values = [evaluate(each, env) for each in expression.arguments]
    return builtin(expression, values, env.instance)


def _call(expression: c.Call, env: Environment) -> Any:
    function = env.instance.functions[expression.function]
    given = _arguments(function.name, function.params, expression.arguments, env)
    result = evaluate(function.body, env.enter(given, expression.old))
    outside = _outside(result, function.type, env.instance)
    if outside:
        arguments = ", ".join(map(_brief, given.values()))
        raise EvaluationError(f"`{function.name}({arguments})` {outside}", expression.span)
    return result


def _arguments(
    name: str, params: Sequence[c.Param], arguments: Sequence[c.Expr], env: Environment
) -> dict[str, Value]:
    """The values for the parameters of a function or effect, each in its declared range."""
    given = {}
    for param, argument in zip(params, arguments):
        value = given[param.name] = evaluate(argument, env)
        outside = _outside(value, param.type, env.instance)
        if outside:
            raise EvaluationError(f"`{param.name}` of `{name}` {outside}", argument.span)
    return given


# ---- writes and checks


def _assign(statement: c.Assign, env: Environment) -> None:
    """Writes a value to its place in the state. All keys and the value are worked out first."""
    keys = [evaluate(key, env) for key in statement.keys]
    value = evaluate(statement.value, env)
    outside = _outside(value, statement.type, env.instance)
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

    variable = env.instance.variables[statement.variable]
    env.now[variable.name] = written(env.now[variable.name], variable.type, 0)


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


_MEANING: dict[type, Callable[[Any, Environment], Any]] = {
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
