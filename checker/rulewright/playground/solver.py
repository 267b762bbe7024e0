"""z3 as the browser has it: the few functions that the prover calls, under the names of the Python
package. The solver is compiled to WebAssembly and is loaded by the page's worker, which hands over
what makes a context, asks it, and deletes it.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Protocol


class HostSolver(Protocol):
    """What the worker hands over."""

    def make(self) -> int:
        """A new context."""
        ...

    def ask(self, context: int, text: str) -> str:
        """What the solver says to SMT-LIB text."""
        ...

    def drop(self, context: int) -> None:
        """Deletes a context."""
        ...


def install(host: HostSolver, version: str) -> None:
    """Has `import z3` give what the browser has."""

    class Context:
        """A place for questions; deleted when nobody needs it any more."""

        def __init__(self) -> None:
            self._number = host.make()

        def ref(self) -> int:
            return self._number

        def interrupt(self) -> None:
            """A question that is being answered has the only thread: it ends by itself."""

        def __del__(self) -> None:
            host.drop(self._number)

    z3: Any = ModuleType("z3")
    z3.__spec__ = ModuleSpec("z3", None)
    z3.__version__ = version
    z3.Context = Context
    z3.Z3_eval_smtlib2_string = host.ask
    z3.get_version_string = lambda: version
    sys.modules["z3"] = z3
