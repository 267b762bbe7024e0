"""A WebAssembly module: functions, globals, one memory, data. Nothing is imported.

Functions are declared with their signature and defined later, so that they can call each other
whatever the order. A function that is not given a body, or one of another type, is refused. What is
called from one place only and soon done, or is said to be small, is written out where it is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby

from rulewright.wasm.assembler.instructions import (
    BINARY_TYPE,
    BITS,
    EMPTY_TYPE,
    NEVER,
    Frame,
    Instruction,
    InvalidCode,
    Label,
    Unsupported,
    const,
    operand,
)
from rulewright.wasm.assembler.leb128 import signed, unsigned

PAGE = 65536
ZERO = {type: const(0, type).tail for type in BITS}
UNCOUNTED = 1 << 12
"""Turns; those of loops that take no more all told are not counted as work."""
MANY = 1 << 20
MOST_VARIABLES = 50_000
"""Local variables of a function; browsers and others take no more."""


class WasmVariable:
    """A local or global variable. The number of a local one is settled when the function that it is
    written out in is encoded."""

    __slots__ = ("index", "setter", "type", "value")

    def __init__(self, index: int, type: str, getter: int, setter: int) -> None:
        self.index = index
        self.type = type
        self.setter = bytes((setter,))
        self.value: Instruction = Access(type, (), bytes((getter,)), self)

    def set(self, value: Instruction | int) -> Instruction:
        return Access(None, (operand(value, self.type),), self.setter, self)


class Access(Instruction):
    """Reads or writes a variable."""

    __slots__ = ("variable",)

    def __init__(
        self, type: str | None, parts: Sequence[Instruction], tail: bytes, variable: WasmVariable
    ) -> None:
        super().__init__(type, parts, tail)
        self.variable = variable

    def write(self, out: bytearray, frame: Frame) -> None:
        for part in self.parts:
            part.write(out, frame)
        out += self.tail
        out += unsigned(self.variable.index)


class Call(Instruction):
    """A call; of a function that is written out, its body."""

    __slots__ = ("function",)

    def __init__(self, function: WasmFunction, parts: Sequence[Instruction]) -> None:
        super().__init__(function.result, parts, b"\x10")
        self.function = function

    def write(self, out: bytearray, frame: Frame) -> None:
        for part in self.parts:
            part.write(out, frame)
        if self.function.is_inline:
            self.function.write_out(out, frame)
        else:
            out += self.tail
            out += unsigned(self.function.index)


class Leave(Instruction):
    """Returns from a function; from one that is written out, to the end of it."""

    __slots__ = ("function",)

    def __init__(self, function: WasmFunction, parts: Sequence[Instruction]) -> None:
        super().__init__(NEVER, parts, b"\x0f")
        self.function = function

    def write(self, out: bytearray, frame: Frame) -> None:
        for part in self.parts:
            part.write(out, frame)
        if self.function.end is None:
            out += self.tail
        else:
            out.append(0x0C)
            out += unsigned(frame.depth(self.function.end))


class WasmFunction:
    """A function of the module: what it takes, what it gives, its local variables."""

    def __init__(
        self, module: Module, index: int, name: str, params: Sequence[str], result: str | None
    ) -> None:
        self.module = module
        self.index = index
        self.name = name
        self.result = result
        self.params = tuple(self._variable(number, type) for number, type in enumerate(params))
        self.locals: list[WasmVariable] = []
        self.body: Instruction | None = None
        self.fails = False
        """Whether it may come back with a failure; settled when it is defined."""
        self.turns = MANY
        """How many turns its loops can take; settled when it is defined."""
        self.chain = 0
        """How many calls one call of it leads to that are not counted as work; settled when it is
        defined. Loops are not looked at, they count by themselves."""
        self.few = 1
        """Called from no more places, it is written out in each."""
        self.small = False
        """Whether it is written out wherever it is called."""
        self.exported = False
        self.calls = 0
        self.end: Label | None = None
        """Where it returns to while it is being written out."""

    def _variable(self, index: int, type: str) -> WasmVariable:
        if type not in BITS:
            raise InvalidCode(f"a variable of type {type}")
        return WasmVariable(index, type, 0x20, 0x21)

    def local(self, type: str) -> WasmVariable:
        """A new local variable. It begins with zero, once in a call."""
        made = self._variable(len(self.params) + len(self.locals), type)
        self.locals.append(made)
        return made

    def define(self, body: Instruction) -> None:
        """Says what the function does; a function with a result ends with it."""
        if self.body is not None:
            raise InvalidCode(f"`{self.name}` is defined twice")
        if body.type not in (self.result, NEVER):
            raise InvalidCode(f"`{self.name}` gives {body.type} instead of {self.result}")
        self.body = body

    def __call__(self, *arguments: Instruction | int) -> Instruction:
        """A call."""
        if len(arguments) != len(self.params):
            raise InvalidCode(f"`{self.name}` takes {len(self.params)} arguments")
        given = [operand(each, param.type) for each, param in zip(arguments, self.params)]
        self.calls += 1
        self.module.called.append(self)
        return Call(self, given)

    @property
    def is_inline(self) -> bool:
        """Whether it is written out where it is called."""
        soon_done = 0 < self.calls <= self.few and self.turns <= UNCOUNTED
        return (soon_done or self.small) and not self.exported and self.body is not None

    @property
    def is_needed(self) -> bool:
        """Whether anybody calls it."""
        return self.exported or self.calls > 0 or self.body is None

    def leave(self, value: Instruction | int | None = None) -> Instruction:
        """Returns at once."""
        if self.result is None or value is None:
            if self.result is not None or value is not None:
                raise InvalidCode(f"`{self.name}` returns with the wrong value")
            return Leave(self, ())
        return Leave(self, (operand(value, self.result),))

    def encoded(self) -> bytes:
        if self.body is None:
            raise InvalidCode(f"`{self.name}` is declared and not defined")
        frame, body = Frame(), bytearray()
        for each in (*self.params, *self.locals):
            each.index = frame.variable(each.type)
        frame.labels.append(Label())
        self.body.write(body, frame)
        if len(frame.types) > MOST_VARIABLES:
            raise Unsupported(f"so many variables as there are in `{self.name}`")
        if self.body.type == NEVER:
            body.append(0x00)
        body.append(0x0B)
        runs = [(type, len(list(run))) for type, run in groupby(frame.types[len(self.params) :])]
        head = unsigned(len(runs))
        for type, many in runs:
            head += unsigned(many) + bytes((BINARY_TYPE[type],))
        return unsigned(len(head) + len(body)) + head + bytes(body)

    def write_out(self, out: bytearray, frame: Frame) -> None:
        """Writes the body where it is called; the arguments are on the stack. Its variables begin
        with zero, as they would in a call."""
        assert self.body is not None
        for each in (*self.params, *self.locals):
            each.index = frame.variable(each.type)
        for each in reversed(self.params):
            out += each.setter + unsigned(each.index)
        for each in self.locals:
            out += ZERO[each.type] + each.setter + unsigned(each.index)
        outer, self.end = self.end, Label()
        out += bytes((0x02, BINARY_TYPE.get(self.result or "", EMPTY_TYPE)))
        frame.labels.append(self.end)
        self.body.write(out, frame)
        if self.body.type == NEVER:
            out.append(0x00)
        frame.labels.pop()
        out.append(0x0B)
        self.end = outer


class Module:
    """Everything that is put into one binary."""

    def __init__(self) -> None:
        self.functions: list[WasmFunction] = []
        self.globals: list[tuple[WasmVariable, int]] = []
        self.exports: dict[str, WasmFunction] = {}
        self.data: list[tuple[int, bytes]] = []
        self.called: list[WasmFunction] = []
        """What was called so far in the code that is being made."""
        self.pages = 1
        self.most_pages = 1

    def function(
        self,
        name: str,
        params: Sequence[str] = (),
        result: str | None = None,
        export: bool = False,
    ) -> WasmFunction:
        """Declares a function."""
        made = WasmFunction(self, len(self.functions), name, params, result)
        self.functions.append(made)
        made.exported = export
        if export:
            if name in self.exports:
                raise InvalidCode(f"`{name}` is exported twice")
            self.exports[name] = made
        return made

    @contextmanager
    def for_nothing(self) -> Iterator[None]:
        """Code made meanwhile is not used: its calls do not count, but those in functions that are
        defined meanwhile do."""
        outside, self.called = self.called, []
        yield
        for each in self.called:
            each.calls -= 1
        self.called = outside

    @contextmanager
    def for_use(self) -> Iterator[None]:
        """Code made meanwhile is used."""
        outside, self.called = self.called, []
        try:
            yield
        finally:
            self.called = outside

    def variable(self, type: str, initial: int = 0) -> WasmVariable:
        """A new global variable."""
        made = WasmVariable(len(self.globals), type, 0x23, 0x24)
        self.globals.append((made, initial))
        return made

    def binary(self) -> bytes:
        """The module as a file has it."""
        signatures: dict[bytes, int] = {}
        kinds = []
        functions = [each for each in self.functions if each.is_needed and not each.is_inline]
        for number, each in enumerate(functions):
            each.index = number
            given = bytes(BINARY_TYPE[param.type] for param in each.params)
            result = bytes((BINARY_TYPE[each.result],)) if each.result else b""
            signature = b"\x60" + _counted(given) + _counted(result)
            kinds.append(unsigned(signatures.setdefault(signature, len(signatures))))
        memory = b"\x01" + unsigned(self.pages) + unsigned(self.most_pages)
        exports = [_named("memory") + b"\x02\x00"]
        for name, each in self.exports.items():
            exports.append(_named(name) + b"\x00" + unsigned(each.index))
        variables = [
            bytes((BINARY_TYPE[each.type], 1)) + const(initial, each.type).tail + b"\x0b"
            for each, initial in self.globals
        ]
        segments = [
            b"\x00\x41" + signed(start) + b"\x0b" + _counted(content)
            for start, content in self.data
            if content
        ]
        return b"\x00asm\x01\x00\x00\x00" + b"".join((
            _section(1, list(signatures)),
            _section(3, kinds),
            _section(5, [memory]),
            _section(6, variables),
            _section(7, exports),
            _section(10, [each.encoded() for each in functions]),
            _section(11, segments),
        ))  # fmt: skip


def _counted(content: bytes) -> bytes:
    return unsigned(len(content)) + content


def _named(name: str) -> bytes:
    return _counted(name.encode())


def _section(number: int, entries: Sequence[bytes]) -> bytes:
    if not entries:
        return b""
    content = unsigned(len(entries)) + b"".join(entries)
    return bytes((number,)) + _counted(content)
