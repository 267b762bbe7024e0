"""Makes the modules that are played in, or says in words why that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.queries import ARENA
from rulewright.wasm.runtime.wasm_game import WasmGame

Answer = TypeVar("Answer")


def module(
    instance: Instance, parts: frozenset[str], claims: Sequence[c.Property] = (),
    only: int | None = None, arena: int = ARENA, forgetting: str | None = None,
) -> WasmGame:  # fmt: skip
    """A module that takes no more address space than it needs: whoever proves or compares may have
    children in which that is bounded."""
    return WasmGame(
        instance, parts=parts, claims=claims, only=only, reserving=False, arena=arena,
        forgetting=forgetting,
    )  # fmt: skip


def made(make: Callable[[], Answer]) -> Answer:
    """What is made, or in words why it cannot be."""
    try:
        return make()
    except Unsupported as why:
        raise UsageError(
            f"the game cannot be played: it has {why}", "keep numbers and types smaller"
        ) from None
