"""Which program gave an answer: a hash of the sources of a proof, and the solver's version.

Answers that are kept carry it in their key, so that nobody has to remember to throw old ones away
when an encoding changes. The solver itself is not imported for it.
"""

from __future__ import annotations

import os
from functools import cache

from checker.resources import grammar_hash, source_hash

FOLDERS = ("budget.py", "front.py", "syntax", "meaning", "play", "smt", "vc", "kernel", "prove")
"""Where what is asked of a proof, and what is made of an answer, is decided."""


@cache
def edition(*more: str) -> str:
    """A name for this program together with its grammar and its solver, as far as proofs go, or
    `more`: the one name by which everybody keeps what was answered."""
    return f"{solver_version()} {grammar_hash()} {source_hash(*FOLDERS, *more)}"


def solver_version() -> str:
    """The version of z3 by the name of the folder that its installation is noted in."""
    from importlib.util import find_spec

    found = find_spec("z3")
    if found is None or found.origin is None:
        return "none"
    site = os.path.dirname(os.path.dirname(found.origin))
    noted = [each for each in os.listdir(site) if each.startswith("z3_solver-")]
    if noted:
        return sorted(noted)[-1]
    import z3

    return str(z3.get_version_string())
