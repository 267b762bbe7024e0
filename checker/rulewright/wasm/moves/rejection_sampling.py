"""One of the moves of a player by trying: values are drawn for all arguments until a move is legal.

Each legal move is drawn equally often, so that the first one found is as good as one of a list, and
mostly found sooner. After some tries in vain the moves are listed after all. Only moves are tried
whose conditions cannot fail, for what fails has to be found, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.wasm.analysis.argument_order import MANY, can_fail, estimated
from rulewright.wasm.analysis.condition_inlining import unfolded
from rulewright.wasm.assembler.instructions import (
    I32,
    Instruction,
    Label,
    Unsupported,
    all_of,
    binary,
    block,
    branch,
    branch_if,
    choose,
    const,
    loop,
    sequence,
)
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Scalar
from rulewright.wasm.moves.choices import ChoiceLeaf, Choices, ChoiceTask
from rulewright.wasm.moves.events import Events
from rulewright.wasm.moves.legal_moves import MoveLister
from rulewright.wasm.simulate.random_numbers import Generator

LARGEST = 1 << 13
"""Combinations of arguments; with more, few of them would be legal."""
LEAST_TRIES, TRIES = 8, 4
"""How often is tried: so many times, and so many times as often as should be needed."""


class Sampling:
    """Compiles the drawing of moves."""

    def __init__(self, listing: MoveLister, generator: Generator) -> None:
        self.listing = listing
        self.generator = generator
        self.unit: CompilationUnit = listing.unit
        self.choices: Choices = listing.choices
        self.events: Events = listing.events

    def tries(
        self, moves: Sequence[c.Transition], made: WasmFunction, here: CodeContext
    ) -> Instruction:
        """Draws moves of the player that the function is given, and leaves the function with 1 if
        one is legal."""
        tasks = [unfolded(self.choices, self._task(move)) for move in moves]
        sizes = [self._size(task) for task in tasks]
        known = [size for size in sizes if size is not None]
        total = sum(known)
        if len(known) < len(sizes) or total > LARGEST:
            return sequence()
        estimates = [estimated(self.choices, task) for task in tasks]
        effort = sum(each.effort for each in estimates)
        wanted = total / max(sum(each.found for each in estimates), 1.0)
        if effort < MANY or 2 * wanted > effort:
            return sequence()
        player, inside = made.params[0].value, here
        for move in moves:
            assert move.mover is not None
            inside = inside.bind(move.mover, player, self.listing.instance.player)
        if any(can_fail(self.choices, task, inside) for task in tasks):
            return sequence()
        left, drawn, again, out = made.local(I32), made.local(I32), Label(), Label()
        tried = [self._tried(move, task, size, drawn.value, made, inside)
                 for move, task, size in zip(moves, tasks, known)]  # fmt: skip
        codes = []
        for number, (size, code) in enumerate(zip(known, tried)):
            if number == len(tried) - 1:
                codes.append(code)
            else:
                following = drawn.set(drawn.value - size)
                codes.append(choose(drawn.value.lt(size), sequence(code, branch(again)), following))
        return sequence(
            left.set(max(LEAST_TRIES, min(total // 4, int(TRIES * wanted)))),
            block(out, loop(again, sequence(
                branch_if(out, left.value.eq(0)),
                self.unit.tick(),
                left.set(left.value - 1),
                drawn.set(self.generator.below()(total)),
                *codes,
                branch(again),
            ))),
        )  # fmt: skip

    def _task(self, move: c.Transition) -> ChoiceTask:
        types: dict[str, y.Type] = {param.name: param.type for param in move.params}
        return self.choices.task(types, [each.condition for each in requirements(move)])

    def _size(self, task: ChoiceTask) -> int | None:
        """How many combinations of arguments there are; None if they are not drawn."""
        if task.maps:
            return None
        try:
            return prod(self._values(leaf)[1] for leaf in task.leaves)
        except Unsupported:
            return None

    def _values(self, leaf: ChoiceLeaf) -> tuple[int, int]:
        """The first value of a leaf as a number, and how many there are."""
        kept = self.choices.layout.kept(leaf.type)
        if isinstance(leaf.type, y.Option) or not isinstance(kept, Scalar):
            raise Unsupported(f"drawing {y.show(leaf.type)}")
        return self.choices.layout.universe(leaf.type)

    def _tried(
        self,
        move: c.Transition,
        task: ChoiceTask,
        size: int,
        drawn: Instruction,
        made: WasmFunction,
        here: CodeContext,
    ) -> Instruction:
        """Takes apart the number that was drawn, and takes the move if it is legal."""
        keeps = []
        for leaf in task.leaves:
            first, count = self._values(leaf)
            size //= max(count, 1)
            place = binary("div_u", drawn, size) if size > 1 else drawn
            if leaf is not task.leaves[0]:
                place = binary("rem_u", place, count)
            keep, value = here.hold(place + first)
            keeps.append(keep)
            here = here.bind(leaf.key[0], value, leaf.type)
        weight = self.unit.facts.of
        tests = sorted(task.tests, key=lambda test: weight(test.condition).weight)
        legal = all_of(self.choices.ask(test, here) for test in tests)
        take = sequence(self.events.put(move, const(self.events.chosen), here), made.leave(1))
        return sequence(*keeps, choose(legal, take))
