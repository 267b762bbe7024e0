"""Who runs modules: wasmtime; or the browser, where Python itself runs in one."""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from rulewright.wasm.runtime.javascript_binding import LoadedModule as LoadedModule
    from rulewright.wasm.runtime.javascript_binding import Trap as Trap
else:
    from rulewright.wasm.runtime.wasmtime_binding import LoadedModule as LoadedModule
    from rulewright.wasm.runtime.wasmtime_binding import Trap as Trap

__all__ = ["LoadedModule", "Trap"]
