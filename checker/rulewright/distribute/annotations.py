"""Whether the fields of a record hold what their annotations say.

Annotations are read as they are written. A name that stands for a record is one of its module; what
else a module calls its own is not looked into.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any

from rulewright.syntax.node import Node, NodeType

Check = Callable[[Any], bool]
_VALUES: dict[str, tuple[type, ...]] = {
    "str": (str,), "int": (int,), "bool": (bool,), "float": (int, float), "range": (range,),
}  # fmt: skip
_MANY: dict[str, tuple[type[Collection[Any]], ...]] = {
    "tuple": (tuple,), "list": (list,), "frozenset": (frozenset,), "Sequence": (tuple, list),
    "Collection": (tuple, list, frozenset), "Iterable": (tuple, list, frozenset),
}  # fmt: skip
_MAPS = ("dict", "Mapping")


def as_annotated(record: Node) -> bool:
    """Whether every field of a record holds what it should."""
    return all(check(getattr(record, field)) for field, check in _checks(type(record)).items())


@cache
def _checks(kind: NodeType) -> Mapping[str, Check]:
    """By field, of the class itself and of those that it comes from."""
    found: dict[str, Check] = {}
    for each in reversed(kind.__mro__):
        names = vars(sys.modules[each.__module__])
        for field, annotation in getattr(each, "__annotations__", {}).items():
            if field in kind._fields and isinstance(annotation, str):
                found[field] = _check(ast.parse(annotation, mode="eval").body, names)
    return found


def _check(annotation: ast.expr, names: Mapping[str, Any]) -> Check:
    match annotation:
        case ast.Constant(None):
            return lambda value: value is None
        case ast.BinOp(left, ast.BitOr(), right):
            one, other = _check(left, names), _check(right, names)
            return lambda value: one(value) or other(value)
        case ast.Name(name) if name in _VALUES:
            kinds = _VALUES[name]
            return lambda value: isinstance(value, kinds)
        case ast.Name(name) if isinstance(names.get(name), NodeType):
            record: NodeType = names[name]
            return lambda value: isinstance(value, record)
        case ast.Subscript(ast.Name("tuple"), ast.Tuple([*parts])) if not _is_open(parts):
            checks = [_check(each, names) for each in parts]
            return lambda value: (
                isinstance(value, tuple)
                and len(value) == len(checks)
                and all(check(each) for check, each in zip(checks, value))
            )
        case ast.Subscript(ast.Name(name), inside) if name in _MANY:
            many = _MANY[name]
            first = inside.elts[0] if isinstance(inside, ast.Tuple) else inside
            check = _check(first, names)
            return lambda value: isinstance(value, many) and all(map(check, value))
        case ast.Subscript(ast.Name(name), ast.Tuple([key, inside])) if name in _MAPS:
            key_fits, fits = _check(key, names), _check(inside, names)
            return lambda value: (
                isinstance(value, Mapping)
                and all(key_fits(each) and fits(value[each]) for each in value)
            )
    return lambda value: True


def _is_open(parts: list[ast.expr]) -> bool:
    """Whether this is `tuple[X, ...]`."""
    return isinstance(parts[-1], ast.Constant) and parts[-1].value is ...
