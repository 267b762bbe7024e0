"""What measures over boards need to know: the roots of boards, and the keys written since."""

from __future__ import annotations

from collections.abc import Mapping

from checker.smt import board as b
from checker.smt.scene import Scene
from checker.smt.term import Term
from checker.smt.value import Entries, Sym


def rooted(scene: Scene) -> Scene:
    """The scene with every board as it was before anything was written over it."""
    return Scene(
        {name: _root(value) for name, value in scene.before.items()},
        {name: _root(value) for name, value in scene.now.items()},
        {name: _root(value) for name, value in scene.locals.items()},
        scene.path,
    )


def _root(value: Sym) -> Sym:
    if isinstance(value, b.Board):
        return value.root()
    if isinstance(value, Entries):
        return Entries({key: _root(each) for key, each in value.values.items()})
    return value


def touched(scene: Scene, keys: range) -> list[Term]:
    """The keys at which boards with such keys were written, each once."""
    found: dict[Term, None] = {}
    for state in (scene.before, scene.now, scene.locals):
        _collect(state, keys, found)
    return list(found)


def _collect(
    values: Mapping[str, Sym] | Mapping[int, Sym], keys: range, found: dict[Term, None]
) -> None:
    for value in values.values():
        if isinstance(value, Entries):
            _collect(value.values, keys, found)
        elif isinstance(value, b.Board):
            _writes(value, keys, found)


def _writes(board: b.Board, keys: range, found: dict[Term, None]) -> None:
    match board:
        case b.Written(inner=inner, key=key):
            _writes(inner, keys, found)
            if board.keys == keys:
                found[key] = None
        case b.Choice(then=then, otherwise=otherwise):
            _writes(then, keys, found)
            _writes(otherwise, keys, found)
        case _:
            pass
