"""A question as SMT-LIB text: what every solver reads, and what it comes down to whether a claim is
certified. The text says what is unknown, that each unknown lies in the range of its type, and what
is assumed; the goal is denied, so that *unsatisfiable* confirms it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.certify.smt.term import INT, Number, Term, Truth


def question(assumed: Iterable[Truth], goal: Truth) -> str:
    """The text that asks whether all assumptions can hold and the goal not."""
    writer = _Writer()
    lines = [f"(assert {writer.written(each)})" for each in assumed if each is not True]
    lines.append(f"(assert (not {writer.written(goal)}))")
    return "\n".join([*writer.lines, *lines, ""])


class _Writer:
    """Writes terms, each once; `lines` are the declarations and definitions they need."""

    def __init__(self) -> None:
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
            if each.op == "exists":
                waiting.pop()
                self._names[each] = self._exists(each)
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
        name = f"t{term.number}"
        self.lines.append(f"(define-fun {name} () {term.sort} {self._body(term, parts)})")
        if term.op == "apply":
            self._bound(term, name)
        return name

    def _body(self, term: Term, parts: Sequence[str]) -> str:
        """An operator or an unknown function, applied to parts that are already written."""
        if term.op == "apply" and term.name not in self._functions:
            self._functions.add(term.name)
            sorts = " ".join([INT] * len(parts))  # of numbers: the places of a square, factors
            self.lines.append(f"(declare-fun {term.name} ({sorts}) {term.sort})")
        head = term.name if term.op == "apply" else term.op
        return f"({head} {' '.join(parts)})"

    def _exists(self, term: Term) -> str:
        """That values for some unknowns exist: what depends on them is named inside."""
        body, *bound = term.args
        inner = _Writer()
        inner._names = {**self._names, **{each: each.name for each in bound}}
        free = set(bound)
        lets: list[tuple[str, str]] = []
        for each in _in_order(body):
            if each in free or any(a in free for a in each.args):
                free.add(each)
                if each not in inner._names:
                    parts = [
                        inner._names[a] if isinstance(a, Term) else _constant(a) for a in each.args
                    ]
                    lets.append((f"t{each.number}", self._body(each, parts)))
                    inner._names[each] = f"t{each.number}"
            else:
                inner._names[each] = self.written(each)
        said = inner._names[body]
        ranges = [
            f"(<= {_constant(each.low)} {each.name})" for each in bound if each.low is not None
        ]
        ranges += [
            f"(<= {each.name} {_constant(each.high)})" for each in bound if each.high is not None
        ]
        said = f"(and true {' '.join(ranges)} {said})"
        for name, value in reversed(lets):
            said = f"(let (({name} {value})) {said})"
        names = " ".join(f"({each.name} {each.sort})" for each in bound)
        return f"(exists ({names}) {said})"

    def _bound(self, term: Term, name: str) -> None:
        """That an unknown lies in its range."""
        if term.low is not None:
            self.lines.append(f"(assert (<= {_constant(term.low)} {name}))")
        if term.high is not None:
            self.lines.append(f"(assert (<= {name} {_constant(term.high)}))")


def _in_order(term: Term) -> list[Term]:
    """All terms that a term is made of, each after its parts."""
    found: dict[Term, None] = {}
    waiting = [term]
    while waiting:
        each = waiting[-1]
        missing = [a for a in each.args if isinstance(a, Term) and a not in found]
        if each in found or not missing:
            waiting.pop()
            found[each] = None
        else:
            waiting += missing
    return list(found)


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
