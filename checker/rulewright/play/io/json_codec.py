"""Values, positions and events as JSON, and back; directed by types.

Sets and bags are lists in the order of the type, maps with names for keys are objects, other maps
lists of pairs (for big maps of optionals, only those that are not `none`), `none` is null,
players are numbers. Decoding trusts nothing: what does not fit is said with where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rulewright.meaning import types as y
from rulewright.meaning.core import Transition
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.event import Event, named
from rulewright.play.semantics.instance import Instance, nearest
from rulewright.play.semantics.values import (
    BagValue,
    Position,
    SparseMap,
    Value,
    entries,
    is_sparse,
    make_map,
    ordered,
    stray,
)

Json: TypeAlias = Any
"""What the standard library's json reads and writes."""

LONGEST_EXCERPT = 60


class DecodeError(UsageError):
    """JSON that is not of the type it should be."""


def encode(value: Any, type: y.Type, instance: Instance) -> Json:
    """A value as JSON."""
    match type:
        case y.Option(inner) if value is not None:
            return encode(value, inner, instance)
        case y.Set(element):
            return ordered(value, element, instance)
        case y.Bag(element):
            distinct = ordered(value, element, instance)
            return [each for each in distinct for _ in range(value[each])]
        case y.Map(y.Enum() as key, inside):
            return {name: encode(value[name], inside, instance) for name in instance.order(key)}
        case y.Map(key, inside):
            keys = ordered(entries(value), key, instance) if is_sparse(type) else value
            return [[each, encode(value[each], inside, instance)] for each in keys]
        case _:
            return value


def decode(json: Json, type: y.Type, instance: Instance, path: str = "") -> Any:
    """The value of a type that JSON stands for."""
    match type:
        case y.Option(inner):
            return None if json is None else decode(json, inner, instance, path)
        case y.Set(element) | y.Bag(element):
            parts = _list(json, type, path)
            inside = [decode(each, element, instance, f"{path}[{at}]") for at, each in parts]
            if isinstance(type, y.Bag):
                return BagValue(inside)
            if len(set(inside)) < len(inside):
                raise _unfit("a set, each element once", json, path)
            return frozenset(inside)
        case y.Map():
            return _decode_map(json, type, instance, path)
        case _:
            if not _is_plain(json, type) or stray(json, type, instance) is not None:
                raise _unfit(_expected(type, instance), json, path)
            return json


def encode_position(position: Position, instance: Instance) -> dict[str, Json]:
    """A position as JSON, variable by variable."""
    return {
        name: encode(position[name], variable.type, instance)
        for name, variable in instance.variables.items()
    }


def decode_position(json: Json, instance: Instance, otherwise: Position | None = None) -> Position:
    """The position that JSON stands for; variables it leaves out are as in `otherwise`."""
    given = decode_variables(json, instance)
    position = {**(otherwise or {}), **given}
    for name in instance.variables:
        if name not in position:
            raise DecodeError(f"the position does not say `{name}`", "give every state variable")
    return {name: position[name] for name in instance.variables}


def decode_variables(json: Json, instance: Instance) -> dict[str, Value]:
    """The values that JSON gives for some of the state variables."""
    found = {}
    for name, value in _object(json, "a position").items():
        variable = instance.variables.get(name)
        if variable is None:
            raise DecodeError(
                f"`{instance.spec.name}` has no state variable `{name}`",
                nearest(name, instance.variables, "remove it"),
            )
        found[name] = decode(value, variable.type, instance, name)
    return found


def encode_event(event: Event, instance: Instance) -> dict[str, Json]:
    """An event as JSON, as traces and engines write it."""
    transition = instance.transitions[event.name]
    arguments = {
        param.name: encode(event.arguments[param.name], param.type, instance)
        for param in transition.params
    }
    if event.by is None:
        return {"chance": event.name, "args": arguments}
    return {"move": event.name, "by": event.by, "args": arguments}


def decode_event(json: Json, instance: Instance) -> Event:
    """The event that JSON stands for; members other than its own are left to others."""
    given = _object(json, "an event")
    kinds = [kind for kind in ("move", "chance") if kind in given]
    if len(kinds) != 1:
        raise DecodeError(
            f"an event has either `move` or `chance`, this has {'both' if kinds else 'neither'}",
            'like {"move": "NAME", "by": 1, "args": {}}',
        )
    (kind,) = kinds
    transition = named(instance, kind, _string(given[kind], kind))
    by = None
    if kind == "move":
        if "by" not in given:
            raise DecodeError("the move does not say whose it is", 'add "by": a player\'s number')
        by = decode(given["by"], instance.player, instance, "by")
    elif given.get("by") is not None:
        raise DecodeError("a chance event is nobody's", "leave out `by`")
    return Event(transition.name, by, _decode_arguments(given, transition, instance))


def _decode_arguments(
    given: Mapping[str, Json], transition: Transition, instance: Instance
) -> dict[str, Value]:
    arguments = _object(given.get("args", {}), "args")
    names = [param.name for param in transition.params]
    for name in arguments:
        if name not in names:
            raise DecodeError(
                f"`{transition.name}` has no parameter `{name}`",
                nearest(name, names, f"it takes {', '.join(names) or 'none'}"),
            )
    missing = [name for name in names if name not in arguments]
    if missing:
        raise DecodeError(
            f"`{transition.name}` also needs `{missing[0]}`", f"it takes {', '.join(names)}"
        )
    return {
        param.name: decode(arguments[param.name], param.type, instance, f"args.{param.name}")
        for param in transition.params
    }


def _decode_map(json: Json, type: y.Map, instance: Instance, path: str) -> Mapping[Any, Value]:
    order = instance.order(type.key)
    found: dict[Any, Value] = {}
    for key, inside in _pairs(json, type, path):
        if not _is_plain(key, type.key) or key not in order:
            raise _unfit(f"a key of {_expected(type.key, instance)}", key, path)
        if key in found:
            raise DecodeError(f"`{path}` has the key `{key}` twice", "give each key once")
        found[key] = decode(inside, type.value, instance, f"{path}[{key}]")
    if is_sparse(type):
        return SparseMap(order, found)
    missing = [key for key in order if key not in found]
    if missing:
        raise DecodeError(f"`{path}` has no value for `{missing[0]}`", "give one for each key")
    return make_map(type, instance, found.__getitem__)


def _pairs(json: Json, type: y.Map, path: str) -> list[tuple[Json, Json]]:
    if isinstance(type.key, y.Enum):
        if not isinstance(json, dict):
            raise _unfit("an object with a member for each key", json, path)
        return list(json.items())
    if not isinstance(json, list) or not all(
        isinstance(pair, list) and len(pair) == 2 for pair in json
    ):
        raise _unfit("a list of pairs [key, value]", json, path)
    return [(key, value) for key, value in json]


def _is_plain(json: Json, type: y.Type) -> bool:
    """Whether JSON is of the kind that values of a plain type are."""
    match type:
        case y.Bool():
            return isinstance(json, bool)
        case y.Int() | y.Player():
            return isinstance(json, int) and not isinstance(json, bool)
        case y.Enum() | y.Grid():
            return isinstance(json, str)
        case _:
            return False


def _expected(type: y.Type, instance: Instance) -> str:
    match type:
        case y.Bool():
            return "true or false"
        case y.Player():
            return f"a player from 1 to {instance.players}"
        case y.Enum(name, members):
            shown = ", ".join(members[:8]) + (", …" if len(members) > 8 else "")
            return f"a {name} ({shown})"
        case y.Grid(name, width, height):
            return f"a {name} from A1 to {y.square_name(width, height)}"
        case _:
            return f"a number {y.show(type)}"


def _list(json: Json, type: y.Type, path: str) -> list[tuple[int, Json]]:
    if not isinstance(json, list):
        raise _unfit("a list", json, path)
    return list(enumerate(json))


def _object(json: Json, what: str) -> dict[str, Json]:
    if not isinstance(json, dict):
        raise _unfit("an object", json, what)
    return json


def _string(json: Json, path: str) -> str:
    if not isinstance(json, str):
        raise _unfit("a name", json, path)
    return json


def _unfit(expected: str, json: Json, path: str) -> DecodeError:
    return DecodeError(f"`{path}` should be {expected}, but is {excerpt(json)}")


def excerpt(json: Json) -> str:
    """A short impression of something that was found."""
    from json import dumps

    if isinstance(json, str | int | float | bool | None):
        written = dumps(json, ensure_ascii=False)
    else:
        written = f"a list of {len(json)}" if isinstance(json, list) else "an object"
    if len(written) > LONGEST_EXCERPT:
        written = written[: LONGEST_EXCERPT - 1] + "…"
    return written
