"""The assembler: what it makes does what it says; what would not be valid is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    UNREACHABLE,
    Instruction,
    InvalidCode,
    Label,
    binary,
    block,
    both,
    branch,
    branch_if,
    choose,
    const,
    either,
    loop,
    narrow,
    select,
    sequence,
    switch,
    whilst,
    wide,
)
from rulewright.wasm.assembler.leb128 import signed, unsigned
from rulewright.wasm.assembler.memory_instructions import load, store
from rulewright.wasm.assembler.module import Module
from rulewright.wasm.runtime.wasmtime_binding import LoadedModule, Trap


def run(module: Module) -> LoadedModule:
    return LoadedModule(module.binary())


def test_a_loop_with_variables():
    module = Module()
    function = module.function("factorial", [I64], I64, export=True)
    number, result = function.params[0], function.local(I64)
    function.define(sequence(
        result.set(1),
        whilst(number.value.gt(1), result.set(result.value * number.value),
               number.set(number.value - 1)),
        result.value,
    ))  # fmt: skip
    factorial = run(module).function("factorial", "l>l")
    assert [factorial(each) for each in (0, 1, 5, 20)] == [1, 1, 120, 2432902008176640000]


def test_branches_go_to_their_labels():
    module = Module()
    function = module.function("which", [I32], I32, export=True)
    found, out = function.local(I32), Label()
    cases = [Label() for _ in range(3)]
    code: Instruction = block(cases[0], switch(function.params[0].value, cases))
    for place, following in enumerate((cases[1], cases[2], out)):
        code = block(following, sequence(code, found.set(10 + place), branch(out)))
    function.define(sequence(code, found.value))
    which = run(module).function("which", "i>i")
    assert [which(each) for each in (0, 1, 2, 7)] == [10, 11, 12, 12]


def test_memory_keeps_what_is_written():
    module = Module()
    put = module.function("put", [I32, I32], None, export=True)
    put.define(store(put.params[1].value, put.params[0].value, 100, 1))
    get = module.function("get", [I32], I32, export=True)
    get.define(load(I32, get.params[0].value, 100, 1))
    running = run(module)
    running.function("put", "ii>")(5, -3)
    assert running.memory[105] == 253
    assert running.function("get", "i>i")(5) == -3


def test_a_trap_is_an_exception_and_the_module_goes_on():
    module = Module()
    function = module.function("check", [I32], I32, export=True)
    given = function.params[0].value
    function.define(choose(given.gt(4), UNREACHABLE, given + 1))
    check = run(module).function("check", "i>i")
    with pytest.raises(Trap, match="unreachable"):
        check(5)
    assert check(4) == 5


def test_memory_cannot_grow_past_its_limit():
    module = Module()
    module.most_pages = 3
    function = module.function("reach", [I32], I32, export=True)
    function.define(load(I32, function.params[0].value))
    reach = run(module).function("reach", "i>i")
    with pytest.raises(Trap, match="out of bounds"):
        reach(1 << 20)


@pytest.mark.parametrize(
    "make",
    [
        lambda: const(1) + const(1, I64),
        lambda: const(1 << 32),
        lambda: choose(const(1, I64).eq(load(I64, const(0))), const(1), const(1, I64)),
        lambda: sequence(const(1), const(2)),
        lambda: block(Label(), const(1)),
        lambda: loop(Label(), const(1)),
        lambda: store(const(1), const(0, I64)),
        lambda: select(load(I64, const(0)), const(1), const(2)),
        lambda: Module().function("f", [I32], I32)(const(1, I64)),
        lambda: Module().function("f", [I32], I32)(),
        lambda: Module().function("f", ["i16"], I32),
        lambda: Module().function("f", [], I32).define(const(1, I64)),
        lambda: Module().function("f", [], I32).leave(),
        lambda: Module().function("f").local(I64).set(const(1)),
    ],
)
def test_what_would_not_be_valid_is_refused(make):
    with pytest.raises(InvalidCode):
        make()


def test_a_branch_out_of_nowhere_is_refused():
    module = Module()
    module.function("f", export=True).define(branch_if(Label(), load(I32, const(0))))
    with pytest.raises(InvalidCode, match="label"):
        module.binary()


def test_a_function_that_is_not_defined_is_refused():
    module = Module()
    module.function("f")
    with pytest.raises(InvalidCode, match="not defined"):
        module.binary()


@given(some.integers(-(2**63), 2**63 - 1))
def test_numbers_are_written_as_leb128(number: int):
    def read(content: bytes, sign: bool) -> int:
        value = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(content))
        assert all(byte & 0x80 for byte in content[:-1]) and not content[-1] & 0x80
        return value - (1 << 7 * len(content)) if sign and content[-1] & 0x40 else value

    assert read(signed(number), True) == number
    assert read(unsigned(abs(number)), False) == abs(number)


NUMBERS = some.integers(-(2**31), 2**31 - 1)


@given(NUMBERS, NUMBERS, some.sampled_from(["add", "sub", "mul", "and", "or", "xor"]))
def test_what_is_worked_out_at_once_is_what_is_run(left: int, right: int, name: str):
    module = Module()
    function = module.function("f", [I32, I32], I32, export=True)
    function.define(binary(name, *(each.value for each in function.params)))
    folded = binary(name, const(left), const(right))
    assert folded.known == run(module).function("f", "ii>i")(left, right)
    assert narrow(wide(folded)).known == folded.known


def test_what_is_called_once_is_written_out_and_does_the_same():
    """Its variables begin with zero in every turn of a loop, and it returns from its middle."""
    module = Module()
    inner = module.function("inner", [I32], I32)
    given, seen = inner.params[0].value, inner.local(I32)
    inner.turns = 1
    inner.define(sequence(
        seen.set(seen.value + given),
        choose(given.gt(2), inner.leave(100)),
        seen.value,
    ))  # fmt: skip
    outer = module.function("outer", [I32], I32, export=True)
    number, total = outer.params[0], outer.local(I32)
    outer.define(sequence(
        whilst(number.value.gt(0), total.set(total.value + inner(number.value)),
               number.set(number.value - 1)),
        total.value,
    ))  # fmt: skip
    assert inner.is_inline
    assert run(module).function("outer", "i>i")(4) == 100 + 100 + 2 + 1


LEAF = some.one_of(
    some.integers(0, 3).map(lambda place: ("asked", place)),
    some.integers(0, 3).map(lambda place: ("read", place)),
    some.tuples(some.just("between"), some.integers(0, 3), some.integers(-3, 3)),
)
CONDITION = some.recursive(
    LEAF,
    lambda inside: some.one_of(
        some.tuples(some.sampled_from(["and", "or"]), inside, inside),
        some.tuples(some.just("not"), inside),
        some.tuples(some.just("after"), inside),
    ),
    max_leaves=12,
)


@given(CONDITION, some.lists(NUMBERS | some.integers(-4, 4), min_size=4, max_size=4))
def test_conditions_hold_as_values_as_choices_and_as_branches(condition: Any, numbers: list[int]):
    module = Module()
    function = module.function("f", [I32] * 4, I32, export=True)
    found, out = function.local(I32), Label()

    def made(e: Any) -> Instruction:
        match e:
            case ("asked", place):
                truth: Instruction = function.params[place].value.gt(0)
                return truth
            case ("read", place):  # dear, so that it is not asked in vain
                return load(I32, function.params[place].value & 0xFFF).eq(0)
            case ("between", place, low):
                value = function.params[place].value
                return both(value.ge(low), value.le(low + 2))
            case ("and", left, right):
                return both(made(left), made(right))
            case ("or", left, right):
                return either(made(left), made(right))
            case ("after", inside):
                return sequence(found.set(found.value), made(inside))
            case _:
                return ~made(e[1])

    def holds(e: Any) -> bool:
        match e:
            case ("asked", place):
                return bool(numbers[place] > 0)
            case ("read", _):
                return True
            case ("between", place, low):
                return bool(low <= numbers[place] <= low + 2)
            case ("and", left, right):
                return holds(left) and holds(right)
            case ("or", left, right):
                return holds(left) or holds(right)
            case ("after", inside):
                return holds(inside)
            case _:
                return not holds(e[1])

    function.define(sequence(
        found.set(choose(made(condition), const(1), const(0))),
        choose(made(condition), found.set(found.value + 2)),
        block(out, sequence(branch_if(out, made(condition)), found.set(found.value + 4))),
        found.value + made(condition) * 8,
    ))  # fmt: skip
    wanted = 1 + 2 + 8 if holds(condition) else 4
    assert run(module).function("f", "iiii>i")(*numbers) == wanted
