"""A WebAssembly module: functions, globals, one memory, data. Nothing is imported.

Functions are declared with their signature and defined later, so that they can call each other
whatever the order. A function that is not given a body, or one of another type, is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.wasm.code import (
    BINARY_TYPE,
    BITS,
    NEVER,
    Code,
    InvalidCode,
    Label,
    Unsupported,
    const,
    operand,
)
from checker.wasm.leb128 import signed, unsigned

PAGE = 65536
MOST_VARIABLES = 50_000
"""Local variables of a function; browsers and others take no more."""


class Variable:
    """A local or global variable."""

    __slots__ = ("getter", "index", "setter", "type")

    def __init__(self, index: int, type: str, getter: int, setter: int) -> None:
        self.index = index
        self.type = type
        self.getter = getter
        self.setter = setter

    @property
    def value(self) -> Code:
        return Code(self.type, (), bytes((self.getter,)) + unsigned(self.index))

    def set(self, value: Code | int) -> Code:
        given = operand(value, self.type)
        return Code(None, (given,), bytes((self.setter,)) + unsigned(self.index))


class Function:
    """A function of the module: what it takes, what it gives, its local variables."""

    def __init__(self, index: int, name: str, params: Sequence[str], result: str | None) -> None:
        self.index = index
        self.name = name
        self.result = result
        self.params = tuple(self._variable(number, type) for number, type in enumerate(params))
        self.locals: list[Variable] = []
        self.body: Code | None = None
        self.fails = False
        """Whether it may come back with a failure; settled when it is defined."""

    def _variable(self, index: int, type: str) -> Variable:
        if type not in BITS:
            raise InvalidCode(f"a variable of type {type}")
        return Variable(index, type, 0x20, 0x21)

    def local(self, type: str) -> Variable:
        """A new local variable. It begins with zero, once in a call."""
        made = self._variable(len(self.params) + len(self.locals), type)
        self.locals.append(made)
        return made

    def define(self, body: Code) -> None:
        """Says what the function does; a function with a result ends with it."""
        if self.body is not None:
            raise InvalidCode(f"`{self.name}` is defined twice")
        if body.type not in (self.result, NEVER):
            raise InvalidCode(f"`{self.name}` gives {body.type} instead of {self.result}")
        self.body = body

    def __call__(self, *arguments: Code | int) -> Code:
        """A call."""
        if len(arguments) != len(self.params):
            raise InvalidCode(f"`{self.name}` takes {len(self.params)} arguments")
        given = [operand(each, param.type) for each, param in zip(arguments, self.params)]
        return Code(self.result, given, b"\x10" + unsigned(self.index))

    def leave(self, value: Code | int | None = None) -> Code:
        """Returns at once."""
        if self.result is None or value is None:
            if self.result is not None or value is not None:
                raise InvalidCode(f"`{self.name}` returns with the wrong value")
            return Code(NEVER, (), b"\x0f")
        return Code(NEVER, (operand(value, self.result),), b"\x0f")

    def encoded(self) -> bytes:
        if self.body is None:
            raise InvalidCode(f"`{self.name}` is declared and not defined")
        if len(self.params) + len(self.locals) > MOST_VARIABLES:
            raise Unsupported(f"so many variables as there are in `{self.name}`")
        out = bytearray(unsigned(len(self.locals)))
        for each in self.locals:
            out += bytes((1, BINARY_TYPE[each.type]))
        outermost: list[Label] = [Label()]
        self.body.write(out, outermost)
        if self.body.type == NEVER:
            out.append(0x00)
        out.append(0x0B)
        return unsigned(len(out)) + bytes(out)


class Module:
    """Everything that is put into one binary."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.globals: list[tuple[Variable, int]] = []
        self.exports: dict[str, Function] = {}
        self.data: list[tuple[int, bytes]] = []
        self.pages = 1
        self.most_pages = 1

    def function(
        self,
        name: str,
        params: Sequence[str] = (),
        result: str | None = None,
        export: bool = False,
    ) -> Function:
        """Declares a function."""
        made = Function(len(self.functions), name, params, result)
        self.functions.append(made)
        if export:
            if name in self.exports:
                raise InvalidCode(f"`{name}` is exported twice")
            self.exports[name] = made
        return made

    def variable(self, type: str, initial: int = 0) -> Variable:
        """A new global variable."""
        made = Variable(len(self.globals), type, 0x23, 0x24)
        self.globals.append((made, initial))
        return made

    def binary(self) -> bytes:
        """The module as a file has it."""
        signatures: dict[bytes, int] = {}
        kinds = []
        for each in self.functions:
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
            _section(10, [each.encoded() for each in self.functions]),
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
