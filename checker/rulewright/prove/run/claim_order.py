"""In which order claims are asked about: the small ones first, as they are soon decided whatever
becomes of the others.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.kernel.ledger import SAFE
from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk


def inductive_claims(spec: c.Spec) -> list[str]:
    """The names of all claims about every event, the smallest first and that all has a value
    last."""
    known: dict[str, int] = {}
    functions = {each.name: each.body for each in spec.functions}
    claims = [each for each in spec.properties if each.kind in ("invariant", "always")]
    claims.sort(key=lambda each: _size(each.claim, functions, known))
    return [*dict.fromkeys(each.name for each in claims), SAFE[0]]


def _size(expression: c.Expr, functions: Mapping[str, c.Expr], known: dict[str, int]) -> int:
    """How much there is to write down, with what is called counted wherever it is."""
    result = 0
    for node in walk(expression):
        result += 1
        if isinstance(node, c.Call) and node.function in functions:
            if node.function not in known:
                known[node.function] = 0  # it cannot call itself
                known[node.function] = _size(functions[node.function], functions, known)
            result += known[node.function]
    return result
