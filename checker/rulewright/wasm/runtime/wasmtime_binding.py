"""wasmtime by hand: a binding of the few functions of its library that playing needs.

The Python package of wasmtime takes long to import and longer to call through; only the shared
library that it carries is used here, looked for and loaded when something is played. A module gets
nothing but its own memory, which cannot grow past what the module says. A trap is an exception;
what it means is for the caller to say.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rulewright.play.semantics.errors import UsageError

_POINTER = ctypes.c_void_p
_SIZE = ctypes.c_size_t
MOST_ARGUMENTS = 16


class Trap(Exception):  # noqa: N818 - the word of the field
    """The module stopped before its end."""


class _Extern(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8), ("of", ctypes.c_uint64 * 4)]


UNOPTIMIZED, SINGLE_PASS = 0, 1
"""How code is made, in the numbers of wasmtime."""
LARGE = 40_000
"""Bytes of a module that is compiled without optimizing, which saves a third of the time; its code
takes a tenth longer."""


class _Bytes(ctypes.Structure):
    _fields_ = [("size", _SIZE), ("data", ctypes.POINTER(ctypes.c_char))]


class _Library:
    """The functions of the shared library, with the types of what they take."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path))
        take = self._function
        self.config_new = take("wasm_config_new", _POINTER)
        self.in_parallel = take(
            "wasmtime_config_parallel_compilation_set", None, _POINTER, ctypes.c_bool
        )
        self.share_image = take(
            "wasmtime_config_memory_init_cow_set", None, _POINTER, ctypes.c_bool
        )
        self.unwind = take("wasmtime_config_native_unwind_info_set", None, _POINTER, ctypes.c_bool)
        self.optimize = take(
            "wasmtime_config_cranelift_opt_level_set", None, _POINTER, ctypes.c_uint8
        )
        self.registers = take(
            "wasmtime_config_cranelift_regalloc_algorithm_set", None, _POINTER, ctypes.c_uint8
        )
        self.reserve = take(
            "wasmtime_config_memory_reservation_set", None, _POINTER, ctypes.c_uint64
        )
        self.reserve_more = take(
            "wasmtime_config_memory_reservation_for_growth_set", None, _POINTER, ctypes.c_uint64
        )
        self.guard = take("wasmtime_config_memory_guard_size_set", None, _POINTER, ctypes.c_uint64)
        self.engine_new = take("wasm_engine_new_with_config", _POINTER, _POINTER)
        self.module_new = take(
            "wasmtime_module_new", _POINTER, _POINTER, ctypes.c_char_p, _SIZE, _POINTER
        )
        self.module_delete = take("wasmtime_module_delete", None, _POINTER)
        self.store_new = take("wasmtime_store_new", _POINTER, _POINTER, _POINTER, _POINTER)
        self.store_delete = take("wasmtime_store_delete", None, _POINTER)
        self.store_context = take("wasmtime_store_context", _POINTER, _POINTER)
        self.instance_new = take(
            "wasmtime_instance_new",
            _POINTER, _POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _POINTER,
        )  # fmt: skip
        self.export_get = take(
            "wasmtime_instance_export_get",
            ctypes.c_bool, _POINTER, _POINTER, ctypes.c_char_p, _SIZE, _POINTER,
        )  # fmt: skip
        self.memory_data = take("wasmtime_memory_data", _POINTER, _POINTER, _POINTER)
        self.memory_size = take("wasmtime_memory_data_size", _SIZE, _POINTER, _POINTER)
        self.call = take(
            "wasmtime_func_call_unchecked",
            _POINTER, _POINTER, _POINTER, _POINTER, _SIZE, _POINTER,
        )  # fmt: skip
        self.error_message = take("wasmtime_error_message", None, _POINTER, _POINTER)
        self.error_delete = take("wasmtime_error_delete", None, _POINTER)
        self.trap_message = take("wasm_trap_message", None, _POINTER, _POINTER)
        self.trap_delete = take("wasm_trap_delete", None, _POINTER)
        self.bytes_delete = take("wasm_byte_vec_delete", None, _POINTER)
        self._engines: dict[tuple[bool, bool, bool], Any] = {}

    def engine(self, reserving: bool, brief: bool, large: bool) -> Any:
        """What compiles and runs modules. It has no threads of its own, which would be missing in a
        process that is forked. One that is `reserving` takes four gigabytes of address space for
        each memory, and need not look whether an address is within it: a quarter faster, but not
        for a process that bounds its address space, or has children that do. One that is `brief`
        compiles in less than half the time to code that takes twice as long; one for what is
        `large` does without the part of the work that is worth least."""
        key = reserving, brief, large
        if key not in self._engines:
            config = self.config_new()
            self.unwind(config, False)
            if brief or large:
                self.optimize(config, UNOPTIMIZED)
            if brief:
                self.registers(config, SINGLE_PASS)
            self.in_parallel(config, False)
            self.share_image(config, False)  # it is a file in memory, which a full disk refuses
            if not reserving:
                self.reserve(config, 0)
                self.reserve_more(config, 0)
                self.guard(config, 0)
            self._engines[key] = self.engine_new(config)
        return self._engines[key]

    def _function(self, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        function = getattr(self.library, name)
        function.restype, function.argtypes = result, arguments
        return function  # type: ignore[no-any-return]

    def words(self, ask: Callable[..., Any], subject: Any) -> str:
        """What an error or a trap says."""
        message = _Bytes()
        ask(subject, ctypes.byref(message))
        said = ctypes.string_at(message.data, message.size).decode(errors="replace")
        self.bytes_delete(ctypes.byref(message))
        return said.rstrip("\0")


@cache
def _library() -> _Library:
    """The shared library of the installed wasmtime, loaded once."""
    found = find_spec("wasmtime")
    folders = list(found.submodule_search_locations or ()) if found is not None else []
    for folder in folders:
        for path in sorted(Path(folder).glob("*/*wasmtime.*")):
            if path.suffix in (".so", ".dylib", ".dll"):
                try:
                    return _Library(path)
                except OSError:
                    continue  # for another kind of machine
    raise UsageError(
        "wasmtime is not installed, which plays games", "install it: `pip install wasmtime`"
    )


class LoadedModule:
    """A module that was loaded: its functions and its memory."""

    def __init__(self, binary: bytes, reserving: bool = True, brief: bool = False) -> None:
        self._library = _library()
        self._module: Any = None
        self._store: Any = None
        error = self._load(binary, reserving, brief)
        if error and reserving:  # address space is bounded: then memory is taken as it is needed
            self._said(error)
            self.__del__()
            error = self._load(binary, False, brief)
        if error:
            raise AssertionError(self._said(error))
        self._check(None)
        self._values = (ctypes.c_int64 * (2 * MOST_ARGUMENTS))()
        self._address = ctypes.addressof(self._values)
        self._memory = self._export("memory")
        self.memory = memoryview(b"")
        """The memory, byte by byte; after the module has grown it, look again."""
        self.look_again()

    def _load(self, binary: bytes, reserving: bool, brief: bool) -> Any:
        """Compiles the module and makes an instance of it; the error, if there is one."""
        library = self._library
        module, engine = _POINTER(), library.engine(reserving, brief, len(binary) > LARGE)
        error = library.module_new(engine, binary, len(binary), ctypes.byref(module))
        if error:
            return error
        self._module = module
        self._store = library.store_new(engine, None, None)
        self._context = library.store_context(self._store)
        self._instance = (ctypes.c_uint64 * 4)()
        self._trap = _POINTER()
        return library.instance_new(
            self._context, module, None, 0, self._instance, ctypes.byref(self._trap)
        )

    def __del__(self) -> None:
        if self._store is not None:
            self._library.store_delete(self._store)
        if self._module is not None:
            self._library.module_delete(self._module)
        self._store = self._module = None

    def look_again(self) -> None:
        """Finds the memory after the module has grown it."""
        place = ctypes.addressof(self._memory) + _Extern.of.offset
        size = self._library.memory_size(self._context, place)
        base = self._library.memory_data(self._context, place)
        self.memory = memoryview((ctypes.c_ubyte * size).from_address(base)).cast("B")

    def function(self, name: str, signature: str) -> Callable[..., int]:
        """A function of the module by name; `signature` is `il>i`: a letter for each argument (i
        for 32 bits, l for 64), then the result."""
        extern = self._export(name)
        place = ctypes.addressof(extern) + _Extern.of.offset
        given, _, result = signature.partition(">")
        values, address, context = self._values, self._address, self._context
        call, trap = self._library.call, ctypes.byref(self._trap)
        count = max(len(given), 1)
        positions = range(0, 2 * len(given), 2)

        def ask() -> int:
            if call(context, place, address, 1, trap) or self._trap:
                self._check(extern)
            return (values[0] & 0xFFFFFFFF ^ 0x80000000) - 0x80000000

        if signature == ">i":
            return ask

        def run(*arguments: int) -> int:
            for position, argument in zip(positions, arguments):
                values[position] = argument
            if call(context, place, address, count, trap) or self._trap:
                self._check(extern)
            if not result:
                return 0
            found = values[0]
            return found if result == "l" else (found & 0xFFFFFFFF ^ 0x80000000) - 0x80000000

        return run

    def _check(self, keep: Any) -> None:
        if self._trap:
            said = self._library.words(self._library.trap_message, self._trap)
            self._library.trap_delete(self._trap)
            self._trap.value = None
            raise Trap(said)
        if keep is not None:
            raise AssertionError("a call that the library refuses")

    def _said(self, error: Any) -> str:
        said = self._library.words(self._library.error_message, error)
        self._library.error_delete(error)
        return said

    def _export(self, name: str) -> _Extern:
        extern, written = _Extern(), name.encode()
        found = self._library.export_get(
            self._context, self._instance, written, len(written), ctypes.byref(extern)
        )
        if not found:
            raise AssertionError(f"the module has no `{name}`")
        return extern
