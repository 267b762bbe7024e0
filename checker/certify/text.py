"""A question as SMT-LIB text: what every solver reads, and what it comes down to whether a claim is
certified. The text says what is unknown, that each unknown lies in the range of its type, and what
is assumed; the goal is denied, so that *unsatisfiable* confirms it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from checker.certify.term import BOOL, Number, Term, Truth

LOGIC = "ALL"


def question(assumed: Iterable[Truth], goal: Truth) -> str:
    """The text that asks whether all assumptions can hold and the goal not."""
    denied = f"(assert (not {{}}))" if goal is not False else ""
    writer = _Writer()
    asserted = [writer.written(each) for each in assumed if each is not True]
    lines = [f"(assert {each})" for each in asserted]
    if goal is not False:
        lines.append(denied.format(writer.written(goal)))
    return "\n".join([*writer.lines, *lines, ""])


class _Writer:
    """Writes terms, each once; `lines` are the declarations and definitions they need."""

    def __init__(self, bound: dict[Term, str] | None = None) -> None:
        self.lines: list[str] = []
        self._names: dict[Term, str] = {}
        self._functions: set[str] = set()

    def written(self, term: Truth | Number) -> str:
        """How a term is written, after the lines so far."""
        if not isinstance(term, Term):
            return _constant(term)
        waiting = [term]
        while waiting:
            each = waiting[-1]
            if each in self._names:
                waiting.pop()
                continue
            missing = [a for a in each.args if isinstance(a, Term) and a not in self._names]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            self._names[each] = self._define(each)
        return self._names[term]

    def _define(self, term: Term) -> str:
        parts = [self._names[a] if isinstance(a, Term) else _constant(a) for a in term.args]
        if term.op == "not":
            return f"(not {parts[0]})"
        if term.op == "unknown":
            self.lines.append(f"(declare-const {term.name} {term.sort})")
            self._bound(term, term.name)
            return term.name
        if term.op == "apply":
            if term.name not in self._functions:
                self._functions.add(term.name)
                sorts = " ".join("Bool" if isinstance(a, bool) or isinstance(a, Term) and a.sort == BOOL else "Int" for a in term.args)
                self.lines.append(f"(declare-fun {term.name} ({sorts}) {term.sort})")
            body = f"({term.name} {' '.join(parts)})"
        else:
            body = f"({term.op} {' '.join(parts)})"
        name = f"t{term.number}"
        self.lines.append(f"(define-fun {name} () {term.sort} {body})")
        if term.op == "apply":
            self._bound(term, name)
        return name

    def _bound(self, term: Term, name: str) -> None:
        """That an unknown lies in its range."""
        if term.low is not None:
            self.lines.append(f"(assert (<= {_constant(term.low)} {name}))")
        if term.high is not None:
            self.lines.append(f"(assert (<= {name} {_constant(term.high)}))")


def _constant(value: bool | int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if value >= 0 else f"(- {-value})"


def unknowns(terms: Sequence[Truth | Number]) -> list[Term]:
    """The unknowns of some terms, in the order in which they are met."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    waiting = [each for each in reversed(terms) if isinstance(each, Term)]
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        if each.op in ("unknown", "apply"):
            found[each] = None
        waiting += [a for a in reversed(each.args) if isinstance(a, Term)]
    return list(found)
