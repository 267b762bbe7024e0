"""The random numbers of compiled games: PCG32, the same on every platform.

The state is 64 bits, moved on by multiplying with 6364136223846793005 and adding
1442695040888963407; what comes out is its upper half, mixed and rotated (O'Neill's PCG-XSH-RR). A
game with the number g and the seed s begins with the state `mix(s + g * 0x9E3779B97F4A7C15)`, where
`mix` is the finisher of SplitMix64; so any one of many games can be played again by itself. A
number below n is drawn without any bias: what would favour small numbers is drawn again.
"""

from __future__ import annotations

from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    binary,
    choose,
    const,
    narrow,
    sequence,
    unary,
    whilst,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import CompilationUnit

MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407
GOLDEN = 0x9E3779B97F4A7C15
BITS = 64
FEW_BITS, ROW = 7, 3
"""Of no more bits a table says where the ones are, in rows of 1 << ROW bytes."""
MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


class Generator:
    """Compiles the source of random numbers."""

    def __init__(self, unit: CompilationUnit) -> None:
        self.unit = unit
        self.state = unit.module.variable(I64)

    def seed(self) -> WasmFunction:
        """Begins with a seed and the number of a game."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I64, I64])
            seed, game = (each.value for each in made.params)
            mixed = made.local(I64)
            steps = [mixed.set(seed + game * GOLDEN)]
            for shift, factor in MIX:
                steps.append(mixed.set((mixed.value ^ (mixed.value >> shift)) * factor))
            steps.append(mixed.set(mixed.value ^ (mixed.value >> 31)))
            made.define(sequence(*steps, self.state.set(mixed.value)))
            return made

        return self.unit.shared("seed", make)

    def next(self) -> WasmFunction:
        """The next 32 bits."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)
            made.small = True
            old = made.local(I64)
            mixed = narrow(((old.value >> 18) ^ old.value) >> 27)
            made.define(sequence(
                old.set(self.state.value),
                self.state.set(old.value * MULTIPLIER + INCREMENT),
                binary("rotr", mixed, narrow(old.value >> 59)),
            ))  # fmt: skip
            return made

        return self.unit.shared("random bits", make)

    def below(self, small: bool = True) -> WasmFunction:
        """A number from 0 to one less than n, all equally likely; n is at least 1. It is written
        out where it is used, unless it is said not to be `small`: where a call matters little."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32], I32)
            made.small = small
            limit, product = made.params[0].value, made.local(I64)
            unsure = narrow(product.value).below(limit)
            made.define(sequence(
                product.set(self._drawn(limit)),
                choose(unsure, product.set(self._fair()(limit, product.value))),
                narrow(product.value >> 32),
            ))  # fmt: skip
            return made

        return self.unit.shared("random below" if small else "any random below", make)

    def _drawn(self, limit: Instruction) -> Instruction:
        return wide(self.next()(), sign=False) * wide(limit, sign=False)

    def _fair(self) -> WasmFunction:
        """What is drawn in the end, if what was drawn first might favour small numbers."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32, I64], I64)
            limit, product, threshold = made.params[0].value, made.params[1], made.local(I32)
            made.define(sequence(
                threshold.set(binary("rem_u", const(0) - limit, limit)),
                whilst(narrow(product.value).below(threshold.value),
                       product.set(self._drawn(limit))),
                product.value,
            ))  # fmt: skip
            return made

        return self.unit.shared("random fair", make)

    def place(self, width: int = BITS) -> WasmFunction:
        """The place of one of the ones in 64 bits, all equally likely; there is at least one, and
        all are among the lowest `width`."""
        return self._place_of_few() if width <= FEW_BITS else self._place_of_many()

    def _place_of_few(self) -> WasmFunction:
        """The same for few bits: a table says where the ones are, so that no branch has to be
        guessed."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I64], I32)
            made.small = True
            bits, count = narrow(made.params[0].value), made.local(I32)
            drawn = made.local(I32)
            table = self.unit.data(b"".join(map(_ones, range(1 << FEW_BITS))))
            made.define(sequence(
                count.set(unary("popcnt", bits)),
                choose(count.value.ne(1), drawn.set(self.below()(count.value))),
                load(I32, (bits << ROW) + drawn.value + table, 0, 1, False),
            ))  # fmt: skip
            return made

        return self.unit.shared("random place of few", make)

    def _place_of_many(self) -> WasmFunction:

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I64], I32)
            bits, skip, first, rest = (
                made.params[0],
                made.local(I32),
                made.local(I64),
                made.local(I64),
            )
            lowest = unary("ctz", bits.value)
            made.define(sequence(
                first.set(lowest),
                rest.set(bits.value >> first.value),
                choose(rest.value.eq(1), made.leave(narrow(first.value))),
                skip.set(self.below()(narrow(unary("popcnt", bits.value)))),
                # Mostly the ones stand side by side.
                choose((rest.value & (rest.value + 1)).eq(0),
                       made.leave(narrow(first.value) + skip.value)),
                whilst(skip.value, bits.set(bits.value & (bits.value - 1)),
                       skip.set(skip.value - 1)),
                narrow(lowest),
            ))  # fmt: skip
            return made

        return self.unit.shared("random place", make)

    def below_large(self) -> WasmFunction:
        """The same for 64 bits."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I64], I64)
            limit = made.params[0].value
            drawn, threshold = made.local(I64), made.local(I64)
            both = (wide(self.next()()) << 32) | wide(self.next()(), sign=False)
            slow = sequence(
                threshold.set(binary("rem_u", const(0, I64) - limit, limit)),
                drawn.set(both),
                whilst(drawn.value.below(threshold.value), drawn.set(both)),
                binary("rem_u", drawn.value, limit),
            )
            small = wide(self.below()(narrow(limit)), sign=False)
            made.define(choose(limit.below(1 << 31), small, slow))
            return made

        return self.unit.shared("random below large", make)


def _ones(number: int) -> bytes:
    """The places of the ones of a number, as a row of the table."""
    places = bytes(place for place in range(FEW_BITS) if number >> place & 1)
    return places.ljust(1 << ROW, b"\0")


class Reference:
    """The same numbers in Python, to hold the compiled ones to."""

    def __init__(self, seed: int, game: int = 0) -> None:
        mask = (1 << 64) - 1
        mixed = (seed + game * GOLDEN) & mask
        for shift, factor in MIX:
            mixed = ((mixed ^ (mixed >> shift)) * factor) & mask
        self.state = mixed ^ (mixed >> 31)

    def next(self) -> int:
        """The next 32 bits."""
        old = self.state
        self.state = (old * MULTIPLIER + INCREMENT) & ((1 << 64) - 1)
        mixed = (((old >> 18) ^ old) >> 27) & 0xFFFFFFFF
        turn = old >> 59
        return ((mixed >> turn) | (mixed << (32 - turn))) & 0xFFFFFFFF

    def below(self, limit: int) -> int:
        """A number from 0 to one less than the limit."""
        threshold = (1 << 32) % limit
        while True:
            product = self.next() * limit
            if product & 0xFFFFFFFF >= threshold:
                return product >> 32
