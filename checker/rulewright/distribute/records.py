"""Records as JSON text, and back: how a spec travels, and what is found out about an engine.

Text stands for data only. What is made of it are records of this program (`Node`), named by their
class, with exactly the fields that the class has, each holding what it should; no other class is
ever looked up. A record that
stands in many places, as types do, is written once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from rulewright.distribute.annotations import as_annotated
from rulewright.syntax.node import Node, NodeType, Span

PACKAGE = "rulewright."


def to_text(value: Any) -> str:
    """A record, with all that is in it, as text."""
    writer = _Writer()
    root = writer.written(value)
    return json.dumps({"records": writer.records, "root": root}, separators=(",", ":"))


def from_text(text: str) -> Any:
    """What a text stands for; raises a ValueError where it stands for nothing."""
    try:
        found = json.loads(text)
        reader = _Reader()
        for each in found["records"]:
            reader.add(each)
        return reader.read(found["root"])
    except (KeyError, TypeError, IndexError, AttributeError, ImportError, RecursionError) as error:
        raise ValueError(f"this is no record: {error}") from error


class _Writer:
    """Writes records down, those inside others before them."""

    def __init__(self) -> None:
        self.records: list[list[Any]] = []
        self._known: dict[int, tuple[Node, int]] = {}

    def written(self, value: Any) -> Any:
        if value is None or isinstance(value, str | bool | int | float):
            return value
        if isinstance(value, Node):
            return {"record": self._number(value)}
        if isinstance(value, Span):
            return {"span": [value.start, value.end]}
        if isinstance(value, tuple):
            return {"tuple": [self.written(each) for each in value]}
        if isinstance(value, list):
            return [self.written(each) for each in value]
        if isinstance(value, frozenset):
            return {"set": sorted((self.written(each) for each in value), key=json.dumps)}
        if isinstance(value, range):
            return {"range": [value.start, value.stop, value.step]}
        if isinstance(value, Mapping):
            pairs = [[self.written(key), self.written(each)] for key, each in value.items()]
            return {"map": pairs}
        raise TypeError(f"{type(value).__name__} does not travel")

    def _number(self, node: Node) -> int:
        found = self._known.get(id(node))
        if found is None:
            kind = type(node)
            name = f"{kind.__module__.removeprefix(PACKAGE)}:{kind.__qualname__}"
            values = [self.written(getattr(node, field)) for field in node._fields]
            self.records.append([name, *values])
            found = self._known[id(node)] = node, len(self.records) - 1
        return found[1]


class _Reader:
    """Makes records of what was written."""

    def __init__(self) -> None:
        self._records: list[Node] = []

    def add(self, written: list[Any]) -> None:
        kind = _class(written[0])
        if len(written) - 1 != len(kind._fields):
            raise ValueError(f"{written[0]} has other fields")
        made = kind(*map(self.read, written[1:]))
        if not as_annotated(made):
            raise ValueError(f"a field of {written[0]} holds something else")
        self._records.append(made)

    def read(self, written: Any) -> Any:
        if isinstance(written, list):
            return [self.read(each) for each in written]
        if not isinstance(written, dict):
            return written
        [(tag, inside)] = written.items()
        match tag:
            case "record":
                if not 0 <= inside < len(self._records):
                    raise ValueError(f"there is no record {inside}")
                return self._records[inside]
            case "span":
                return Span(int(inside[0]), int(inside[1]))
            case "tuple":
                return tuple(self.read(each) for each in inside)
            case "set":
                return frozenset(self.read(each) for each in inside)
            case "range":
                return range(*map(int, inside))
            case "map":
                return {self.read(key): self.read(each) for key, each in inside}
        raise ValueError(f"nothing is written as `{tag}`")


@cache
def _class(name: str) -> NodeType:
    """The class of records with a name; nothing but a record of this program has one."""
    module, _, inside = name.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), inside)):
        raise ValueError(f"`{name}` names no record")
    found = vars(import_module(PACKAGE + module)).get(inside)
    if not isinstance(found, NodeType) or found.__module__ != PACKAGE + module:
        raise ValueError(f"`{name}` names no record")
    return found
