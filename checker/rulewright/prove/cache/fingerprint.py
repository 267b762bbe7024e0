"""A name for what a spec means: two specs that differ in comments, prose or the names of what they
bind have the same one.

Names that are seen from outside (moves, properties, labels, variables) stay, for answers are given
in them. Bound names and parameters are counted instead, each declaration beginning at one.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.prove.run.job import Job
from rulewright.syntax.node import Node

SILENT = frozenset({"span", "prose", "clauses", "reason", "template"})
"""Fields that are there for people."""
BINDING = (c.Local, c.Binder, c.Let, c.MapEach, c.Bind, c.Param, c.Proposal)
"""Nodes whose `name` binds something, or is bound."""


TYPES = (y.Int, y.Enum, y.Grid, y.Option, y.Set, y.Bag, y.Map, y.Seq, y.Player)
"""Nodes that stand in many places and are always the same."""


def fingerprint(spec: c.Spec) -> str:
    """The meaning of a spec, whatever its words."""
    shared = [
        spec.least, spec.most, spec.enums, spec.readings, spec.acceptances,
        [(each.name, each.simultaneous, each.final) for each in spec.phases],
    ]  # fmt: skip
    declared: list[Any] = [
        shared, *spec.tables, *spec.variables, *spec.start, *spec.functions, *spec.effects,
        *spec.transitions, *spec.properties, *spec.ends,
    ]  # fmt: skip
    writer = _Writer()
    for each in declared:
        writer.declaration(each)
    return sha256("".join(writer.parts).encode()).hexdigest()


def meaning_of(*values: Any) -> str:
    """The meaning of some parts of a spec, whatever their words."""
    writer = _Writer()
    for each in values:
        writer.declaration(each)
    return sha256("".join(writer.parts).encode()).hexdigest()


def of_job(meaning: str, spec: c.Spec, job: Job) -> str:
    """A job on a spec of that meaning; what it fixes is named by where it stands. What it is told
    of games found elsewhere is part of it, for it may find another game without."""
    transition = spec.transition(job.subject)
    places: dict[str, int] = {}
    if transition is not None:
        names = [transition.mover, *(param.name for param in transition.params)]
        places = {str(name): place for place, name in enumerate(names)}
    fixed = [(places.get(name, name), code) for name, code in job.fixed]
    configuration = job.configuration
    parts = [
        configuration.players,
        configuration.readings,
        job.kind,
        job.subject,
        fixed,
        job.only,
        job.of,
        job.brief,
    ]
    writer = _Writer()
    writer.declaration(job.guide)
    return f"{meaning} {parts!r} {job.count} {job.turns} {''.join(writer.parts)}"


class _Writer:
    """Writes down all there is to say about values."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._names: dict[str, str] = {}
        self._types: dict[int, tuple[Node, str]] = {}

    def declaration(self, value: Any) -> None:
        self._names = {}
        self._write(value)
        self.parts.append("\n")

    def _write(self, value: Any) -> None:
        parts = self.parts
        match value:
            case Node():
                if isinstance(value, TYPES):
                    parts.append(self._type(value))
                else:
                    self._node(value)
            case tuple() | list():
                parts.append("[")
                for each in value:
                    self._write(each)
                    parts.append(",")
                parts.append("]")
            case Mapping():
                parts.append("{")
                for key, inside in value.items():
                    self._write(key)
                    parts.append(":")
                    self._write(inside)
                    parts.append(",")
                parts.append("}")
            case set() | frozenset():
                parts.append(repr(sorted(map(repr, value))))
            case _:
                parts.append(repr(value))

    def _node(self, node: Node) -> None:
        self.parts.append(f"({type(node).__name__}")
        for field in node._fields:
            if field in SILENT:
                continue
            inside = getattr(node, field)
            self.parts.append(" ")
            bound = field == "mover" or (field == "name" and isinstance(node, BINDING))
            if bound and inside is not None:
                self.parts.append(self._names.setdefault(inside, f"#{len(self._names)}"))
            else:
                self._write(inside)
        self.parts.append(")")

    def _type(self, type: Node) -> str:
        """A type in a few letters; kept by identity, for comparing types is dear."""
        found = self._types.get(id(type))
        if found is None:
            written = sha256(repr(type).encode()).hexdigest()[:24]
            found = self._types[id(type)] = type, written
        return found[1]
