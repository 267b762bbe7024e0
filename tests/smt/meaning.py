"""What terms mean, worked out by looking at every key: the slow way that needs no solver."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.smt.solver.decode_model import Model
from rulewright.smt.terms.term import Term


class World:
    """Values for unknowns, and for unknown functions at every key."""

    def __init__(
        self, numbers: Mapping[str, int], functions: Mapping[str, Mapping[int, int]]
    ) -> None:
        self.numbers = numbers
        self.functions = functions

    def value(self, term: Term, bound: Mapping[Term, int] | None = None) -> int:
        """The value of a term; truths are 0 and 1."""
        known = bound or {}
        if term in known:
            return known[term]
        match term.op:
            case "variable":
                return self.numbers[term.value]
            case "apply":
                return self.functions[term.value][self.value(term.args[0], known)]
            case "forall":
                *keys, body = term.args
                assert len(keys) == 1
                return int(all(self._at(keys[0], body, known).values()))
            case "measure":
                return sum(self._at(term.args[0], term.args[1], known).values())
            case "greatest":
                found = self._at(term.args[0], term.args[1], known)
                top = max(found, key=lambda key: found[key])
                others = [key for key, value in found.items() if key != top and value > 0]
                return top if term.value == "first" else next(iter(others), top)
            case _:
                inner = [self.value(arg, known) for arg in term.args]
                return Model({}, {})._computed(term, tuple(inner))

    def _at(self, key: Term, body: Term, bound: Mapping[Term, int]) -> dict[int, int]:
        assert key.low is not None and key.high is not None
        codes = range(key.low, key.high + 1)
        return {code: self.value(body, {**bound, key: code}) for code in codes}
