"""The WebAssembly of a browser, for where Python itself runs in one (Pyodide): what
`wasmtime_binding` is elsewhere.

The memory of a module is not ours there: each look at it copies the bytes that are asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

NESTED = "call stack"
"""What the stack of every browser is called when calls are nested too deeply."""


class Trap(Exception):  # noqa: N818 - the word of the field
    """The module stopped before its end."""


class Memory:
    """The memory of a module, used like a `memoryview`; a slice is a copy."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self._bytes = _bytes_of(memory)

    def look_again(self) -> None:
        """Finds the memory after the module has grown it."""
        self._bytes = _bytes_of(self._memory)

    def __len__(self) -> int:
        return int(self._bytes.length)

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, int):
            return self._bytes[place]
        return self._bytes.subarray(place.start, place.stop).to_bytes()

    def __setitem__(self, place: int | slice, content: Any) -> None:
        if isinstance(place, int):
            self._bytes[place] = content
        elif place.start != place.stop:
            self._bytes.subarray(place.start, place.stop).assign(content)


class LoadedModule:
    """A module that was loaded: its functions and its memory."""

    def __init__(self, binary: bytes, reserving: bool = True, brief: bool = False) -> None:
        import js
        from pyodide.ffi import to_js

        made = js.WebAssembly.Module.new(to_js(binary))
        self._exports = js.WebAssembly.Instance.new(made).exports
        self._export = js.Reflect.get
        self.memory: Any = Memory(self._export(self._exports, "memory"))

    def look_again(self) -> None:
        """Finds the memory after the module has grown it."""
        self.memory.look_again()

    def function(self, name: str, signature: str) -> Callable[..., int]:
        """A function of the module by name; `signature` is `il>i`: a letter for each argument (i
        for 32 bits, l for 64), then the result."""
        from pyodide.ffi import JsBigInt, JsException

        given, _, result = signature.partition(">")
        function = self._export(self._exports, name)
        if function is None:
            raise AssertionError(f"the module has no `{name}`")
        large = [letter == "l" for letter in given]

        def run(*arguments: int) -> int:
            passed = [JsBigInt(each) if big else each for each, big in zip(arguments, large)]
            try:
                found = function(*passed)
            except JsException as error:
                said = str(error)
                raise Trap("call stack exhausted" if NESTED in said else said) from None
            return int(found) if result else 0

        return run


def _bytes_of(memory: Any) -> Any:
    import js

    return js.Uint8Array.new(memory.buffer)
