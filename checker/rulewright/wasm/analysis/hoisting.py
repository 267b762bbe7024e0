"""What a loop would work out again and again, worked out once: parts of its body that are not about
its names.

Such a part is worked out where it is first needed, so that what is never needed costs nothing and
what fails does so where it would have. What is kept in memory gets a place of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import parts
from rulewright.wasm.assembler.instructions import (
    I32,
    Instruction,
    Unsupported,
    choose,
    const,
    sequence,
)
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit, Hoisted
from rulewright.wasm.codegen.data_layout import in_memory, register
from rulewright.wasm.codegen.memory_access import replaced

LARGEST = 4096
"""Bytes; larger values are not kept for a loop."""


class Hoisting:
    """Finds what a loop need not repeat."""

    def __init__(self, unit: CompilationUnit) -> None:
        self.unit = unit
        self.layout = unit.layout
        self._long: dict[int, tuple[Any, bool]] = {}

    def around(
        self, e: c.Quantify | c.SetEach, here: CodeContext
    ) -> tuple[Instruction, CodeContext]:
        """Code to run before a loop, and the place for its body."""
        inside: list[Any] = [binder for binder in e.binders[1:] if binder.low is not None]
        inside += [e.body if isinstance(e, c.Quantify) else e.element]
        inside += [e.where] if e.where is not None else []
        known = {**here.hoisted}
        begin = []
        for node in self._found(inside, here.env.keys(), known):
            kept = self.layout.kept(node.type)
            done = here.function.local(I32)
            at = self.unit.reserve(kept.size) if in_memory(kept) else None
            value = None if at is not None else here.function.local(register(kept))
            known[id(node)] = Hoisted(node, done, value, at)
            begin.append(done.set(0))
        if not begin:
            return sequence(), here
        return sequence(*begin), here.hoisting(known)

    def once(
        self, hoisted: Hoisted, here: CodeContext, work_out: Callable[[], Instruction]
    ) -> Instruction:
        """The value of something that is worked out once in a loop."""
        done = hoisted.done
        if hoisted.value is not None:
            first = sequence(hoisted.value.set(work_out()), done.set(1))
            return sequence(choose(done.value, sequence(), first), hoisted.value.value)
        assert hoisted.at is not None
        kept, at = self.layout.kept(hoisted.node.type), const(hoisted.at)
        keep, held = here.hold(work_out())
        first = sequence(keep, replaced(self.unit, kept, at, held), done.set(1))
        return sequence(choose(done.value, sequence(), first), at)

    def _found(
        self, nodes: list[Any], names: Collection[str], known: dict[int, Any]
    ) -> Iterator[Any]:
        """The largest parts that take long and only need names from outside."""
        while nodes:
            node = nodes.pop()
            if id(node) in known:
                continue
            if (
                isinstance(node, c.Typed)
                and self._takes_long(node)
                and self.unit.facts.of(node).names <= set(names)
                and self._is_small(node.type)
            ):
                yield node
            else:
                nodes.extend(parts(node))

    def _is_small(self, type: y.Type) -> bool:
        try:
            return self.layout.kept(type).size <= LARGEST
        except Unsupported:
            return False

    def _takes_long(self, node: Any) -> bool:
        """Whether there is a loop in something, or in a function it calls."""
        known = self._long.get(id(node))
        if known is None:
            found = self._is_loop(node) or any(self._takes_long(each) for each in parts(node))
            if not found and isinstance(node, c.Call):
                found = self._takes_long(self.unit.instance.functions[node.function].body)
            known = self._long[id(node)] = (node, found)
        return known[1]

    def _is_loop(self, node: Any) -> bool:
        match node:
            case c.Quantify() | c.SetEach() | c.MapEach():
                return True
            case c.Builtin(name="tally" | "occupied" | "components" | "reach" | "connected"):
                return True
            case c.Builtin(name="size", arguments=(collection,)):
                return self._is_in_memory(collection.type)
            case c.Binary(left=left):
                return self._is_in_memory(left.type)
            case _:
                return False

    def _is_in_memory(self, type: y.Type) -> bool:
        try:
            return in_memory(self.layout.kept(type))
        except Unsupported:
            return False
