"""Quantifiers about sets, which are compiled to operations on bits: what they come to is what the
evaluator says, and there is no loop left in them."""

from __future__ import annotations

import pytest

from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Instance
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Structured,
    const,
    sequence,
)
from rulewright.wasm.codegen.compilation_unit import STATE, Catch, CodeContext, CompilationUnit
from rulewright.wasm.codegen.expressions import ExpressionCompiler
from rulewright.wasm.runtime.queries import ARENA, MOST_MEMORY
from rulewright.wasm.runtime.wasmtime_binding import LoadedModule
from rulewright.wasm.simulate.random_numbers import FEW_BITS, Generator, Reference
from tests.meaning.exprs import Evaluated
from tests.meaning.states import any_position
from tests.play.games import small
from tests.wasm.agreement import Batch

POSITIONS = 60
BEGIN = """
    type Colour = red | green | blue | white
    type Number = -2..3
    phase play, over final
    state
        done: Set[Player] = {}
        left: Set[Player] = {}
        open: Set[Colour] = {}
        seen: Set[Number] = {}
        sets[0..2]: Set[Player] = {}
        n: 0..2 = 0
        each Player
            held: Set[Colour] = {}
"""
BITS = {
    "all": "Bool = all p: Player: p in done",
    "some": "Bool = some p: Player: p in done and not (p in left)",
    "all where": "Bool = all p: Player where p in left: p in done or n == 1",
    "in a set": "Bool = all p in left: p in done",
    "numbers": "Bool = some k: Number: k in seen",
    "numbers in a set": "Bool = all k in seen: not (k in seen) or n == 0",
    "count": "Int = count c: Colour: some p: Player: c in held[p]",
    "count in a set": "Int = count p in done: p in left",
    "held by all": "Set[Colour] = {each c: Colour where all p: Player: c in held[p]}",
    "held by some": (
        "Set[Colour] = {each c: Colour where some p: Player where p in done: c in held[p]}"
    ),
    "from a set": "Set[Colour] = {each c in open where some p: Player: c in held[p]}",
    "negative": "Set[Number] = {each k: Number where not (k in seen)}",
}
LOOPS = {
    "fails": "Bool = all p: Player: p in sets[n + 1]",
    "fails but for nobody": "Bool = all p in done: p in sets[n + 1]",
    "of an element": "Bool = some p: Player: p in sets[size(held[p]) / 3]",
    "two names": "Bool = all p, q: Player: p in done or q in left",
}


def function(said: str) -> tuple[Instance, c.Expr]:
    """A game with a function of that type and body, and the body."""
    instance = small(BEGIN + f"    fun f(): {said}\n", 3)
    return instance, instance.functions["f"].body


def loops(code: Instruction) -> int:
    """How many loops there are in code."""
    inside = [*code.parts, *(code.bodies if isinstance(code, Structured) else ())]
    mine = isinstance(code, Structured) and code.head == 0x03
    return mine + sum(map(loops, inside))


@pytest.mark.parametrize("said", [*BITS.values(), *LOOPS.values()], ids=[*BITS, *LOOPS])
def test_the_evaluator_agrees(said: str):
    instance, body = function(said)
    cases = [
        Evaluated(body, instance, position, position)
        for position in (any_position(instance, seed) for seed in range(POSITIONS))
    ]
    assert Batch(cases).compare() == POSITIONS


@pytest.mark.parametrize("said", BITS.values(), ids=BITS)
def test_there_is_no_loop(said: str):
    instance, body = function(said)
    unit = CompilationUnit(instance)
    here = CodeContext(unit.module.function("f"), {}, STATE, STATE, Catch())
    assert loops(ExpressionCompiler(unit).value(body, here)) == 0


def test_one_of_few_is_drawn_with_the_same_random_numbers_as_one_of_many():
    unit = CompilationUnit(small(BEGIN, 3))
    generator = Generator(unit)
    seed = generator.seed()
    for name, width in (("few", FEW_BITS), ("many", 64)):
        made = unit.module.function(name, [I64, I64], I32, export=True)
        among, number = (each.value for each in made.params)
        made.define(sequence(seed(number, const(0, I64)), generator.place(width)(among)))
    running = LoadedModule(unit.finish(ARENA, MOST_MEMORY))
    few, many = running.function("few", "ll>i"), running.function("many", "ll>i")
    for bits in range(1, 1 << FEW_BITS):
        places = [place for place in range(FEW_BITS) if bits >> place & 1]
        for given in range(8):
            skip = Reference(given).below(len(places)) if len(places) > 1 else 0
            assert few(bits, given) == many(bits, given) == places[skip]
