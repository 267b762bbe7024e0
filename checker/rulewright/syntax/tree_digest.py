"""A name for the tree of a spec: two files have the same one only if they say the same.

Comments, spaces and where lines break do not count; sentences and names do, for reports and pages
are made of them.
"""

from __future__ import annotations

from rulewright.syntax.node import Node
from rulewright.system.store import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulewright.syntax.tree import Spec

LENGTH = 16
"""Letters of the name: enough that no two specs that anybody keeps have the same by chance."""


def tree_hash(spec: Spec) -> str:
    """The name of a tree."""
    parts: list[str] = []
    _write(spec, parts.append)
    return digest("".join(parts).encode())[:LENGTH]


def _write(value: Any, put: Any) -> None:
    """Writes a part of a tree so that it can be told from every other: what has parts says where
    they end, and a text how long it is. What may be left out does not count where it is: a spec
    keeps its name when the language learns to say more."""
    kind = value.__class__
    if kind is str:
        put(f" {len(value)}:{value}")
    elif kind is tuple:
        put("[")
        for each in value:
            _write(each, put)
        put("]")
    elif value is None or kind is bool or kind is int:
        put(f" {value!r}")
    else:
        assert isinstance(value, Node), kind
        put(f"({kind.__name__}")
        for field in value._fields:
            if field == "span":
                continue
            part = getattr(value, field)
            if field not in value._defaults or part != value._defaults[field]:
                _write(part, put)
        put(")")
