"""Open readings: the core of a spec in which every reading is part of the position, so that one
module plays the game under any of them and a reader can change them on the way.

A reading becomes a state variable that begins with the default and that nothing changes. Its name
has a blank in it, which no name of a spec has.
"""

from __future__ import annotations

from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import rebuilt, walk
from rulewright.syntax.node import NOWHERE, replace

PREFIX = "reading "


def with_open_readings(spec: c.Spec) -> c.Spec:
    """The core with its readings as state variables. Examples are left out: the readings that they
    choose are chosen by whoever sets up the position."""
    types = {each.name: each.type for each in walk(spec) if isinstance(each, c.ReadingRef)}
    variables = tuple(
        _variable(each, types[each.name]) for each in spec.readings if each.name in types
    )
    opened: c.Spec = rebuilt(replace(spec, examples=()), _opened)
    return replace(opened, variables=(*opened.variables, *variables))


def _variable(reading: c.Reading, type: y.Type) -> c.Variable:
    default = c.Literal(NOWHERE, type, reading.default)
    name = f"{PREFIX}{reading.name}"
    return c.Variable(NOWHERE, name, type, default, False, False, reading.prose, reading.clauses)


def _opened(node: Any) -> Any:
    """A reading as it is looked up in the position; None for everything else."""
    if not isinstance(node, c.ReadingRef):
        return None
    return c.StateVar(node.span, node.type, f"{PREFIX}{node.name}", False)
