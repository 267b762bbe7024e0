"""Which program gave an answer: one name for its sources, grammar, libraries and bounds.

Everything that is kept carries this name in its key, so that nobody has to remember to throw old
answers away, and no list of what has a part in which answer has to be kept by hand: whatever
changes in the program, all is asked anew. What an answer is about (a spec, a question, how much
work there is for it) is for the asker to add.
"""

from __future__ import annotations

import os
import sys
from functools import cache

from rulewright.resources import engines_path, grammar_path, program_path
from rulewright.system.limits import raised
from rulewright.system.store import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARIES = ("lark", "pygraphviz", "wasmtime", "z3_solver")
"""What has a part in answers and pages, where it is installed. None of them is imported to learn
its version."""


UNDECIDED = ("memory",)
"""Bounds that can only leave something undecided, which is never kept."""


def toolchain(*only: str) -> str:
    """A name for this program. What nothing but a few of its files has a part in, and what every
    start of the program asks for, may name those files."""
    bounds = [f"{name}={most}" for name, most in sorted(raised().items()) if name not in UNDECIDED]
    return " ".join([_program(only), *bounds])


@cache
def _program(only: tuple[str, ...]) -> str:
    """The name but for the bounds, which can be set while the program runs."""
    parts = [sys.version.split(" ")[0], *libraries(), _content(grammar_path())]
    if only:
        parts += [_content(os.path.join(program_path(), name)) for name in only]
    else:
        parts += [name_of(program_path()), name_of(engines_path())]
    return digest("\n".join(parts).encode())


def name_of(place: str) -> str:
    """A name for a folder of sources with all that is in it."""
    found = [f"{os.path.relpath(path, place)} {_content(path)}" for path in sources(place)]
    return digest("\n".join(found).encode())


def sources(place: str) -> Iterator[str]:
    """The files of a folder in order, but for what Python and the installer put there."""
    for folder, inside, files in os.walk(place):
        inside[:] = sorted(each for each in inside if each not in ("__pycache__", "_data"))
        yield from (os.path.join(folder, name) for name in sorted(files))


def libraries() -> list[str]:
    """The libraries with their versions, by the names of the folders that say what is installed."""
    found: dict[str, str] = {}
    for place in sys.path:
        try:
            names = os.listdir(place or ".")
        except OSError:
            continue
        for name in names:
            library = name.partition("-")[0].lower()
            if library in LIBRARIES and name.endswith("-info"):
                found.setdefault(library, name)
    return sorted(found.values())


def _content(path: str) -> str:
    with open(path, "rb") as file:
        return digest(file.read())
