"""Dependencies: which functions, effects, tables, readings and variables a part of a spec needs.

What is shared shows wherever a rule leans on it, at any depth. Proposals do not count: they say
which moves to try, and not what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Key: TypeAlias = tuple[str, str]


class Dependencies:
    """What the names of a spec mean, without words, and what leans on what."""

    def __init__(self, spec: c.Spec) -> None:
        self._known: dict[Key, Any] = {
            **{("function", f.name): (f.params, f.type, f.body) for f in spec.functions},
            **{("effect", e.name): (e.params, e.body) for e in spec.effects},
            **{("table", t.name): (t.type, t.data) for t in spec.tables},
            **{("variable", v.name): v.type for v in spec.variables},
            **{
                ("reading", r.name): ([o.name for o in r.options], r.default) for r in spec.readings
            },
        }

    def of(self, roots: Iterable[Any]) -> dict[Key, Any]:
        """Everything that some parts lean on, at any depth, by kind and name: what it means."""
        found: dict[Key, Any] = {}
        waiting: list[Any] = list(roots)
        while waiting:
            here = waiting.pop()
            if isinstance(here, tuple):
                waiting.extend(here)
            for node in walk(here) if isinstance(here, c.Core) else ():
                key = _used(node)
                if key is not None and key not in found:
                    found[key] = self._known.get(key)
                    waiting.append(found[key])
        return found


def _used(node: Any) -> Key | None:
    match node:
        case c.Call(function=name):
            return "function", name
        case c.Perform(effect=name):
            return "effect", name
        case c.TableRef(name=name):
            return "table", name
        case c.ReadingRef(name=name):
            return "reading", name
        case c.StateVar(name=name) | c.Assign(variable=name):
            return "variable", name
        case _:
            return None
