"""The assembler: what it makes does what it says; what would not be valid is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from checker.wasm.code import (
    I32,
    I64,
    UNREACHABLE,
    Code,
    InvalidCode,
    Label,
    binary,
    block,
    branch,
    branch_if,
    choose,
    const,
    load,
    loop,
    narrow,
    select,
    sequence,
    store,
    switch,
    whilst,
    wide,
)
from checker.wasm.engine import Running, Trap
from checker.wasm.leb128 import signed, unsigned
from checker.wasm.module import Module


def run(module: Module) -> Running:
    return Running(module.binary())


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
    code: Code = block(cases[0], switch(function.params[0].value, cases))
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
    module.function("f").define(branch_if(Label(), load(I32, const(0))))
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
