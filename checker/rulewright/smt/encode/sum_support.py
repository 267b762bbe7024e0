"""Support for sums over boards: the roots of boards, and the keys written since."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.symbolic_values import Sym, SymbolicMap
from rulewright.smt.terms.term import Term


def rooted(env: SymbolicEnvironment) -> SymbolicEnvironment:
    """The scene with every board as it was before anything was written over it."""
    return SymbolicEnvironment(
        {name: _root(value) for name, value in env.before.items()},
        {name: _root(value) for name, value in env.now.items()},
        {name: _root(value) for name, value in env.locals.items()},
        env.path,
    )


def _root(value: Sym) -> Sym:
    if isinstance(value, b.SymbolicArray):
        return value.root()
    if isinstance(value, SymbolicMap):
        return SymbolicMap({key: _root(each) for key, each in value.values.items()})
    return value


def touched(env: SymbolicEnvironment, keys: range) -> list[Term]:
    """The keys at which boards with such keys were written, each once."""
    found: dict[Term, None] = {}
    seen: set[int] = set()
    for state in (env.before, env.now, env.locals):
        _collect(state, keys, found, seen)
    return list(found)


def _collect(
    values: Mapping[str, Sym] | Mapping[int, Sym], keys: range, found: dict[Term, None],
    seen: set[int],
) -> None:  # fmt: skip
    for value in values.values():
        if isinstance(value, SymbolicMap):
            _collect(value.values, keys, found, seen)
        elif isinstance(value, b.SymbolicArray):
            _writes(value, keys, found, seen)


def _writes(
    board: b.SymbolicArray, keys: range, found: dict[Term, None], seen: set[int]
) -> None:  # fmt: skip
    """The keys written in a board; what several choices have in common is gone through once."""
    if id(board) in seen:
        return
    seen.add(id(board))
    match board:
        case b.StoredArray(inner=inner, key=key):
            _writes(inner, keys, found, seen)
            if board.keys == keys:
                found[key] = None
        case b.ConditionalArray(then=then, otherwise=otherwise):
            _writes(then, keys, found, seen)
            _writes(otherwise, keys, found, seen)
        case _:
            pass
