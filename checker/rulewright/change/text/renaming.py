"""State variables under the names that the new rules give them, so that both sides speak of the
same state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.meaning import core as c
from rulewright.syntax.node import replace


def with_state_names(spec: c.Spec, renamed: Mapping[tuple[str, str], str]) -> c.Spec:
    """A spec that means the same, with its variables named as in the new one; `renamed` are pieces
    by kind and name."""
    names = {was: now for (kind, was), now in renamed.items() if kind == "state variable"}
    return _renamed(spec, names) if names else spec


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    if isinstance(node, tuple):
        return tuple(_renamed(each, names) for each in node)
    if not isinstance(node, c.Core):
        return node
    fields = {field: _renamed(getattr(node, field), names) for field in node._fields}
    match node:
        case c.StateVar() | c.Variable():
            fields["name"] = names.get(node.name, node.name)
        case c.Assign():
            fields["variable"] = names.get(node.variable, node.variable)
    return replace(node, **fields)
