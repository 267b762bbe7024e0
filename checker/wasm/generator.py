"""The random numbers of compiled games: PCG32, the same on every platform.

The state is 64 bits, moved on by multiplying with 6364136223846793005 and adding
1442695040888963407; what comes out is its upper half, mixed and rotated (O'Neill's PCG-XSH-RR). A
game with the number g and the seed s begins with the state `mix(s + g * 0x9E3779B97F4A7C15)`, where
`mix` is the finisher of SplitMix64; so any one of many games can be played again by itself. A
number below n is drawn without any bias: what would favour small numbers is drawn again.
"""

from __future__ import annotations

from checker.wasm.code import I32, I64, binary, choose, const, narrow, sequence, whilst, wide
from checker.wasm.module import Function
from checker.wasm.unit import Unit

MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407
GOLDEN = 0x9E3779B97F4A7C15
MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


class Generator:
    """Compiles the source of random numbers."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.state = unit.module.variable(I64)

    def seed(self) -> Function:
        """Begins with a seed and the number of a game."""

        def make(name: str) -> Function:
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

    def next(self) -> Function:
        """The next 32 bits."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, (), I32)
            old = made.local(I64)
            mixed = narrow(((old.value >> 18) ^ old.value) >> 27)
            made.define(sequence(
                old.set(self.state.value),
                self.state.set(old.value * MULTIPLIER + INCREMENT),
                binary("rotr", mixed, narrow(old.value >> 59)),
            ))  # fmt: skip
            return made

        return self.unit.shared("random bits", make)

    def below(self) -> Function:
        """A number from 0 to one less than n, all equally likely; n is at least 1."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, [I32], I32)
            limit = made.params[0].value
            product, low = made.local(I64), made.local(I32)
            threshold = made.local(I32)
            draw = sequence(
                product.set(wide(self.next()(), sign=False) * wide(limit, sign=False)),
                low.set(narrow(product.value)),
            )
            again = sequence(
                threshold.set(binary("rem_u", const(0) - limit, limit)),
                whilst(low.value.below(threshold.value), draw),
            )
            made.define(sequence(
                draw, choose(low.value.below(limit), again), narrow(product.value >> 32)
            ))  # fmt: skip
            return made

        return self.unit.shared("random below", make)

    def below_large(self) -> Function:
        """The same for 64 bits."""

        def make(name: str) -> Function:
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
