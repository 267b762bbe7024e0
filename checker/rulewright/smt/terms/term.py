"""Terms: what a solver is asked about, each built once and simplified as it is built.

Equal terms of one `Terms` are the same object, so comparing two is comparing pointers, and what a
rule does not touch stays recognisably the same before and after. Whole numbers carry the interval
they are known to lie in; that of a variable is a promise that `smtlib` writes down as an assertion.
Simplification is local and never looks at the solver; `arithmetic` adds arithmetic to what is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from rulewright.smt.solver.work_limit import WorkLimit

BOOL = "Bool"
INT = "Int"
OFTEN = 0x3FF
"""So many terms are asked for between two looks at the watch, one less."""


BOUND = "?any "
"""How the names begin that stand for any key of a board; no name in a spec does."""
OPAQUE = ("measure", "components", "greatest", "reach")
"""What is an unknown number to the solver; the first argument is bound in the second."""
UNKNOWN = ("variable", "apply")
"""What has a name. With another interval it is something else: in another setting, say."""
DEEP = ("forall", *OPAQUE)
"""What speaks of all keys of a board."""
Result = TypeVar("Result")
NOTHING_FREE: frozenset[Term] = frozenset()


class Term:
    """A node: `op` says what it is, `symbolic_values` is what a leaf or a sum carries besides.

    true false         constants
    int                `symbolic_values` is the number
    variable           `symbolic_values` is its name
    apply              an unknown function `symbolic_values` of numbers
    and or not ite = <=
    sum                `symbolic_values` is (constant, coefficient of each argument…)
    * div mod of two terms; div and mod as in SMT-LIB held its argument, in a narrower interval
      `symbolic_values` than it shows table a known function of one number: `symbolic_values` is its
      first key and its values at_least at least `symbolic_values` of the arguments hold forall the
      last argument is the body, those before it the bound variables measure the sum of the second
      argument over all values of the first (`arrays`) components how many parts a board falls into;
      the arguments are as of a measure greatest a value of the first argument for which the second
      is greatest (`symbolic_values` is
                       first), or another one (other) reach something about what is connected
                       (`reaching`); nothing is bound in it

    `facts` always hold of the term, whatever is assumed: what a solver cannot know by itself; only
    what is `deep` has some, which speaks of all keys of a board. What is `binding` has a bound name
    in it, what is `reading` a board. `free` are the bound names that stand free in it, `unknowns`
    the variables and functions in it, a bit for each. `height` is how many binders stand inside one
    another in it at the most.
    """

    __slots__ = (
        "args", "binding", "deep", "facts", "free", "height", "high", "low", "number", "op",
        "reading", "sort", "unknowns", "value",
    )  # fmt: skip

    def __init__(
        self, op: str, args: tuple[Term, ...], value: Any, sort: str,
        low: int | None, high: int | None, number: int,
    ) -> None:  # fmt: skip
        self.op = op
        self.args = args
        self.value = value
        self.sort = sort
        self.low = low
        self.high = high
        self.number = number
        self.facts: tuple[Term, ...] = ()
        deep: bool = op in DEEP
        reading: bool = op == "apply"
        binding: bool = op == "variable" and value.startswith(BOUND)
        unknowns: int = 0
        height: int = 0
        for arg in args:
            if arg.height > height:
                height = arg.height
            unknowns |= arg.unknowns
            deep |= arg.deep
            reading |= arg.reading
            binding |= arg.binding
        self.deep: bool = deep
        self.reading: bool = reading
        self.binding: bool = binding
        self.unknowns: int = unknowns
        self.height: int = height + 1 if op in DEEP else height
        self.free: frozenset[Term] = self._free() if binding else NOTHING_FREE

    def _free(self) -> frozenset[Term]:
        if self.op == "variable":
            return frozenset((self,))
        found = NOTHING_FREE
        for arg in self.args:
            if arg.free and arg.free is not found:
                found = found | arg.free if found else arg.free
        if self.op == "forall":
            return found - frozenset(self.args[:-1])
        return found - {self.args[0]} if self.op in OPAQUE else found

    def __repr__(self) -> str:
        inside = [str(self.value)] if self.value is not None else []
        return f"{self.op}({', '.join(inside + [repr(each) for each in self.args])})"


TRUE = Term("true", (), None, BOOL, None, None, 0)
FALSE = Term("false", (), None, BOOL, None, None, 1)


class BooleanTerms:
    """Builds truths. One instance owns its terms; terms of different instances do not mix."""

    def __init__(self) -> None:
        self.watch = WorkLimit()
        """How long writing something down may take."""
        self._known: dict[tuple[Any, ...], Term] = {}
        self._asked = 0
        self.depth = 0
        """How many binders are being written down inside one another just now."""
        self.names: dict[str, int] = {}
        """The bit of each variable and function."""
        self.replaced: dict[tuple[Term, Term], dict[Term, Term]] = {}
        """What became of terms where one stands for another, by these two."""
        self.plain: dict[Term, Term] = {}
        """What became of terms without quantifiers."""
        self.signed: dict[Term, tuple[tuple[Term, bool], ...]] = {}
        self.noted: dict[Term, tuple[Term, ...]] = {}
        """What `instantiate` found in terms."""

    def make(
        self, op: str, args: tuple[Term, ...], value: Any = None, sort: str = BOOL,
        low: int | None = None, high: int | None = None,
    ) -> Term:  # fmt: skip
        """The one term with this content."""
        self._asked += 1
        if not self._asked & OFTEN:
            self.watch.check()
        key = (op, value, args, low, high) if op in UNKNOWN else (op, value, args)
        found = self._known.get(key)
        if found is None:
            number = len(self._known) + 2  # after true and false
            found = self._known[key] = Term(op, args, value, sort, low, high, number)
            if op in UNKNOWN:
                found.unknowns |= self.names.setdefault(value, 1 << len(self.names))
        return found

    def size(self) -> int:
        """How many terms there are."""
        return len(self._known)

    def truth(self, value: bool) -> Term:
        return TRUE if value else FALSE

    def flag(self, name: str) -> Term:
        """A truth nothing is known of."""
        return self.make("variable", (), name)

    def no(self, term: Term) -> Term:
        if term is TRUE:
            return FALSE
        if term is FALSE:
            return TRUE
        if term.op == "not":
            return term.args[0]
        return self.make("not", (term,))

    def every(self, terms: Iterable[Term]) -> Term:
        """True where all of the terms are."""
        parts: dict[Term, None] = {}
        for term in terms:
            if term is FALSE:
                return FALSE
            if term.op == "and":
                parts.update(dict.fromkeys(term.args))
            elif term is not TRUE:
                parts[term] = None
        if not parts:
            return TRUE
        if len(parts) == 1:
            return next(iter(parts))
        for part in parts:
            if part.op == "not" and part.args[0] in parts:
                return FALSE
        return self.make("and", tuple(parts))

    def either(self, terms: Iterable[Term]) -> Term:
        """True where one of the terms is."""
        parts: dict[Term, None] = {}
        for term in terms:
            if term is TRUE:
                return TRUE
            if term.op == "or":
                parts.update(dict.fromkeys(term.args))
            elif term is not FALSE:
                parts[term] = None
        if not parts:
            return FALSE
        if len(parts) == 1:
            return next(iter(parts))
        for part in parts:
            if part.op == "not" and part.args[0] in parts:
                return TRUE
        return self.make("or", tuple(parts))

    def both(self, left: Term, right: Term) -> Term:
        if left is TRUE or right is FALSE or left is right:
            return right
        if right is TRUE or left is FALSE:
            return left
        return self.every((left, right))

    def any_of(self, left: Term, right: Term) -> Term:
        if left is FALSE or right is TRUE or left is right:
            return right
        if right is FALSE or left is TRUE:
            return left
        return self.either((left, right))

    def implies(self, left: Term, right: Term) -> Term:
        return self.any_of(self.no(left), right)

    def same_truth(self, left: Term, right: Term) -> Term:
        """True where both are true or both are false."""
        if left is right:
            return TRUE
        for one, other in ((left, right), (right, left)):
            if one is TRUE:
                return other
            if one is FALSE:
                return self.no(other)
        if left.op == "not" and right.op == "not":
            return self.same_truth(left.args[0], right.args[0])
        if self.no(left) is right:
            return FALSE
        if left.op == "not" or right.op == "not":  # the sign stands outside
            plain = [each.args[0] if each.op == "not" else each for each in (left, right)]
            return self.no(self.same_truth(plain[0], plain[1]))
        first, second = (left, right) if left.number < right.number else (right, left)
        return self.make("=", (first, second))

    def choose_truth(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """`then` where the condition holds, else `otherwise`; all three are truths."""
        if condition is TRUE or then is otherwise:
            return then
        if condition is FALSE:
            return otherwise
        if then is TRUE or then is condition:
            return self.any_of(condition, otherwise)
        if otherwise is FALSE or otherwise is condition:
            return self.both(condition, then)
        if then is FALSE:
            return self.both(self.no(condition), otherwise)
        if otherwise is TRUE:
            return self.any_of(self.no(condition), then)
        for join in ("or", "and"):
            if then.op == join or otherwise.op == join:  # what both sides share stands outside
                mine = then.args if then.op == join else (then,)
                yours = otherwise.args if otherwise.op == join else (otherwise,)
                common = [each for each in mine if each in yours]
                if common:
                    put = self.either if join == "or" else self.every
                    rest = [put(e for e in side if e not in common) for side in (mine, yours)]
                    return put((*common, self.choose_truth(condition, rest[0], rest[1])))
        if condition.op == "not":
            return self.make("ite", (condition.args[0], otherwise, then))
        return self.make("ite", (condition, then, otherwise))

    def forall(self, generic: Term, body: Term) -> Term:
        """True where a term holds for every value of its bound name."""
        if body is TRUE or body is FALSE:
            return body
        return self.make("forall", (generic, body))

    def at_least(self, number: int, terms: Iterable[Term]) -> Term:
        """True where at least so many of the terms are; one that stands twice counts twice."""
        open_terms = []
        for term in terms:
            if term is TRUE:
                number -= 1
            elif term is not FALSE:
                open_terms.append(term)
        if number <= 0:
            return TRUE
        if number > len(open_terms):
            return FALSE
        if number == 1:
            return self.either(open_terms)
        if number == len(open_terms):
            return self.every(open_terms)
        return self.make("at_least", tuple(open_terms), number)


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts that must all hold for the term to hold."""
    if term.op == "and":
        return term.args
    return () if term is TRUE else (term,)


def parts(term: Term) -> dict[Term, None]:
    """A term and everything in it, each once, what is inside after what it is in."""
    found: dict[Term, None] = {}
    waiting = [term]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found[here] = None
            waiting.extend(here.args)
    return found


def folded(
    term: Term, known: dict[Term, Result], leaf: Callable[[Term], Result | None],
    build: Callable[[Term, tuple[Result, ...]], Result],
) -> Result:  # fmt: skip
    """What becomes of a term: what `leaf` says, or else what is built of what becomes of its
    arguments. Each term is looked at once; what is `known` of them is kept."""
    opened: set[Term] = set()
    waiting = [term]
    while waiting:
        here = waiting[-1]
        if here in known:
            waiting.pop()
            continue
        if here not in opened:
            found = leaf(here)
            if found is not None:
                known[here] = found
                waiting.pop()
                continue
            opened.add(here)
            missing = [arg for arg in here.args if arg not in known]
            if missing:
                waiting += missing
                continue
        known[here] = build(here, tuple([known[arg] for arg in here.args]))
        waiting.pop()
    return known[term]
