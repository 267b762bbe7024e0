"""Reads values and events written in the language's notation, such as on a command line.

Directed by types, so it needs no names but those of the values: `cross_sum(row = red, at = 11)`,
`throw([6, 6], [green: none, else: 1])`, `lay(tile(red, 5))`, `{1, 2}`. Expressions are not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rulewright.meaning import types as y
from rulewright.meaning.core import Transition
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.event import Event, named
from rulewright.play.semantics.instance import Instance, nearest
from rulewright.play.semantics.values import BagValue, Value, make_map, stray, uniform_map

TOKEN = re.compile(r"\s*(\w+|-\d+|[(){}\[\],:=]|\S)")


def read_event(text: str, instance: Instance, by: int | None = None) -> Event:
    """The event that a text says, by a player (a move) or by nobody (a chance event)."""
    name, arguments = read_arguments(text, instance, by)
    transition = instance.transitions[name]
    missing = [each.name for each in transition.params if each.name not in arguments]
    if missing:
        names = ", ".join(each.name for each in transition.params)
        raise UsageError(f"`{name}` also needs `{missing[0]}`", f"it takes {names}")
    ordered = {each.name: arguments[each.name] for each in transition.params}
    return Event(name, by, ordered)


def read_arguments(
    text: str, instance: Instance, by: int | None = None
) -> tuple[str, Mapping[str, Value]]:
    """The move or chance event that a text names, and the arguments it gives."""
    if by is not None and not 1 <= by <= instance.players:
        raise UsageError(f"there is no player {by}", f"players are 1 to {instance.players}")
    reader = _Reader(text, instance)
    transition = named(instance, "chance" if by is None else "move", reader.take())
    arguments = reader.arguments(transition)
    reader.end()
    return transition.name, arguments


class _Reader:
    """Takes a text apart, from left to right."""

    def __init__(self, text: str, instance: Instance) -> None:
        self.text = text
        self.instance = instance
        self.tokens = [each.group(1) for each in TOKEN.finditer(text)]
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else ""

    def take(self, wanted: str | None = None) -> str:
        found = self.peek()
        if not found or (wanted is not None and found != wanted):
            expected = f"`{wanted}`" if wanted else "more"
            raise UsageError(
                f"`{self.text}` should have {expected} where it has "
                + (f"`{found}`" if found else "its end"),
                "write it as in a spec, like `move(row = red, at = 5)`",
            )
        self.at += 1
        return found

    def end(self) -> None:
        if self.peek():
            raise UsageError(f"`{self.peek()}` is too much in `{self.text}`", "leave it out")

    def separated(self, close: str) -> bool:
        """Whether another part follows before the closing bracket; takes what separates them."""
        if self.peek() == close:
            self.take()
            return False
        if self.peek(-1) not in ("(", "[", "{"):
            self.take(",")
        return True

    def arguments(self, transition: Transition) -> dict[str, Value]:
        """Arguments by position, then by name; brackets may be left out if there are none."""
        types = {each.name: each.type for each in transition.params}
        found: dict[str, Value] = {}
        if not self.peek():
            return found
        self.take("(")
        while self.separated(")"):
            if self.peek(1) == "=":
                name = self.take()
                self.take("=")
            else:
                name = next((each for each in types if each not in found), "")
            if name not in types or name in found:
                known = f"it takes {', '.join(types) or 'none'}"
                raise UsageError(
                    f"`{transition.name}` has no parameter for `{name or self.peek()}`",
                    nearest(name, types, known),
                )
            found[name] = self.value(types[name])
        return found

    def value(self, type: y.Type) -> Any:
        match type:
            case y.Option(inner):
                if self.peek() != "none":
                    return self.value(inner)
                self.take()
                return None
            case y.Set(element) | y.Bag(element):
                self.take("{")
                elements = []
                while self.separated("}"):
                    elements.append(self.value(element))
                return frozenset(elements) if isinstance(type, y.Set) else BagValue(elements)
            case y.Seq():
                self.take("[")
                return self.list(type)
            case y.Map():
                self.take("[")
                return self.map(type)
            case _:
                return self.plain(type)

    def list(self, type: y.Seq) -> Any:
        """`[a, b]`, which may be shorter than the longest."""
        found: list[Any] = []
        while self.separated("]"):
            found.append(self.value(type.element))
        if len(found) > type.most:
            raise UsageError(
                f"`{self.text}` gives {len(found)} values, the list takes {type.most}",
                "leave some out",
            )
        held = dict(enumerate(found, start=1))
        return make_map(type, self.instance, held.get)

    def map(self, type: y.Map) -> Any:
        """`[a, b]` in the order of the keys, or `[key: a, else: b]`."""
        keys = list(self.instance.order(type.key))
        found: dict[Any, Any] = {}
        default: list[Any] = []
        while self.separated("]"):
            if self.peek() == "else":
                self.take()
                self.take(":")
                default = [self.value(type.value)]
                continue
            begin = self.at
            try:
                key = self.plain(type.key)
                self.take(":")
            except UsageError:  # no key is written: the next one is meant
                self.at = begin
                key = keys[len(found)] if len(found) < len(keys) else None
            found[key] = self.value(type.value)
        missing = [key for key in keys if key not in found]
        if len(found) > len(keys) or (missing and not default):
            raise UsageError(
                f"`{self.text}` gives {len(found)} values for {len(keys)} keys",
                "give one for each key, or end with `else: value`",
            )
        if default:
            usual = uniform_map(type, self.instance, default[0])
            return make_map(type, self.instance, lambda key: found.get(key, usual[key]))
        return make_map(type, self.instance, found.__getitem__)

    def plain(self, type: y.Type) -> Any:
        """A number, name, square or case with fields."""
        written = self.take()
        value: Any = written
        match type:
            case y.Bool() if written in ("true", "false"):
                return written == "true"
            case y.Int() | y.Player():
                value = int(written) if re.fullmatch(r"-?[0-9]{1,18}", written) else None
            case y.Enum(members=members):
                written, value = self.case(written, type)
                value = value if value in members else None
            case _:
                value = written if isinstance(type, y.Grid) else None
        if value is None or stray(value, type, self.instance) is not None:
            known = type.members if isinstance(type, y.Enum) else ()
            raise UsageError(
                f"`{written}` is not a value of `{y.show(type)}`",
                nearest(written, known, f"in `{self.text}`"),
            )
        return value

    def case(self, written: str, type: y.Enum) -> tuple[str, str | None]:
        """A member of an enumeration: as written, and as it is named."""
        if self.peek() == "(":
            depth = 0
            while depth or self.peek() == "(":
                part = self.take()
                depth += {"(": 1, ")": -1}.get(part, 0)
                written += f"{part} " if part == "," else part
                if not depth:
                    break
        spellings = dict(zip(type.written or type.members, type.members))
        return written, spellings.get(written)
