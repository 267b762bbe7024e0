"""Terms to SMT-LIB 2.6 text: the one layer between what we mean and what a solver reads.

Small, and trusted: what stands here wrong is believed wrong. Names in the text are numbers in order
of appearance, so the same question is the same text whatever things are called in the spec. Terms
that occur more than once are defined once. Bounds of unknowns are written as assertions, and so are
the facts about terms that occur.

Each labelled assertion is switched on by a truth of its own, so that one text serves several
questions and a solver can say which assertions it used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.smt.terms.term import BOOL, BOUND, OPAQUE, Term


class LabelledAssertion:
    """An assertion and what it is called outside the text."""

    __slots__ = ("label", "term")

    def __init__(self, label: str, term: Term) -> None:
        self.label = label
        self.term = term


class Script:
    """A text, the switch of each labelled assertion, the name of each unknown, and how each term
    is written in it."""

    __slots__ = ("names", "switches", "text", "written")

    def __init__(
        self, text: str, switches: list[str], names: dict[Term, str], written: dict[Term, str]
    ) -> None:
        self.text = text
        self.switches = switches
        self.names = names
        self.written = written


def script(
    assertions: Sequence[LabelledAssertion], wanted: Iterable[Term] = (), plain: bool = False,
    facts: Sequence[Term] | None = None, any_product: bool = False,
) -> Script:  # fmt: skip
    """The text for some assertions; `wanted` are unknowns to declare even if nothing is said of
    them. A `plain` text keeps to the standard, others use what z3 understands besides. `facts` are
    those about the terms that occur, unless others are given. With `any_product` all that is said
    of a product of unknowns is that equal factors, in either order, have equal ones: less than is
    true, so what is contradictory then is contradictory; and easily seen where nothing is worked
    out, but the same numbers are multiplied twice."""
    wanted = list(wanted)
    terms = [each.term for each in assertions]
    facts = _facts([*terms, *wanted]) if facts is None else facts
    writer = _Writer(plain, any_product)
    sources, claims, ends = (
        [(term, writer.ordered(term)) for term in group] for group in (wanted, facts, terms)
    )
    for term in (*wanted, *terms):
        writer.declare_open(term)
    for term, parts in sources:
        writer.write(term, parts)
    for term, parts in claims:
        writer.lines.append(f"(assert {writer.write_for_all(term, parts)})")
    switches = []
    for number, (term, parts) in enumerate(ends):
        body = writer.write(term, parts)
        switch = f"h{number}"
        switches.append(switch)
        writer.lines.append(f"(declare-const {switch} Bool)")
        writer.lines.append(f"(assert (=> {switch} {body}))")
    return Script("\n".join(writer.lines) + "\n", switches, writer.names, writer.written)


_PLAIN = frozenset({"and", "or", "not", "ite", "=", "<=", "div", "mod"})
"""What is written as it is called, before its arguments."""


class _Writer:
    """Writes terms, each shared one once, declarations before their use."""

    def __init__(self, plain: bool, any_product: bool) -> None:
        self.lines: list[str] = []
        self.names: dict[Term, str] = {}
        self._plain = plain
        self._any_product = any_product
        self.written: dict[Term, str] = {}
        self._functions: dict[str, str] = {}
        self._bounded: set[str] = set()
        self._met: set[Term] = set()
        self._shared: set[Term] = set()
        self._declared: set[Term] = set()
        self._bound_names: dict[Term, str] = {}

    def ordered(self, term: Term) -> list[Term]:
        """What is to be written of a term and was not met before, each after what is in it. What is
        made of others and was met before is shared."""
        met, shared = self._met, self._shared
        found: list[Term] = []
        opened: list[Term] = []
        inside = [iter((term,))]
        while True:
            for here in inside[-1]:
                if here not in met:
                    met.add(here)
                    if here.args:
                        opened.append(here)
                        inside.append(iter(_seen_in(here) if here.deep else here.args))
                        break
                    found.append(here)
                elif here.args:
                    shared.add(here)
            else:
                inside.pop()
                if not opened:
                    return found
                found.append(opened.pop())

    def write(self, term: Term, parts: Sequence[Term]) -> str:
        """The text of a term, of which these parts are not written yet; definitions and
        declarations it needs are in `lines` by then. Everything has to be `ordered` before."""
        written, shared, lines = self.written, self._shared, self.lines
        text_of = written.__getitem__
        for here in parts:
            op = here.op
            if op in _PLAIN:
                text = f"({op} {' '.join(map(text_of, here.args))})"
            elif op == "variable":
                text = self._variable(here)
            elif op == "int":
                text = _number(here.value)
            else:
                text = self._text(here)
            if here in shared and op != "held" and not here.free:
                name = f"d{len(lines)}"
                lines.append(f"(define-fun {name} () {here.sort} {text})")
                text = name
            written[here] = text
        return written[term]

    def _text(self, term: Term) -> str:
        text_of = self.written.__getitem__
        match term.op:
            case "at_least" if self._plain:
                ones = " ".join(f"(ite {text_of(arg)} 1 0)" for arg in term.args)
                return f"(<= {term.value} (+ {ones}))"
            case "at_least":
                return f"((_ at-least {term.value}) {' '.join(map(text_of, term.args))})"
            case "sum":
                return _sum(term.value, map(text_of, term.args))
            case "apply":
                return self._apply(term, text_of(term.args[0]))
            case "true" | "false":
                return term.op
            case "measure" | "components" | "greatest" | "reach":
                return self._measure(term)
            case "table":
                return self._table(term, text_of(term.args[0]))
            case "forall":
                return self._quantified(term.args[:-1], text_of(term.args[-1]))
            case "held":
                return text_of(term.args[0])
            case "*" if self._any_product:
                return self._product(term, *map(text_of, term.args))
            case "*":
                return f"(* {' '.join(map(text_of, term.args))})"
            case _:
                raise ValueError(f"there is no text for {term.op}")

    def _variable(self, term: Term) -> str:
        if term.value.startswith(BOUND):
            return self._bound_names.setdefault(term, f"any{len(self._bound_names)}")
        name = f"v{len(self.lines)}"
        self.names[term] = name
        self.lines.append(f"(declare-const {name} {term.sort})")
        if term.sort != BOOL:
            self._bound(term, name)
        return name

    def declare_open(self, term: Term) -> None:
        """Declares the bound names that stand free in a term: there they are any one key."""
        for name in sorted(term.free - self._declared, key=lambda each: each.number):
            self._declared.add(name)
            text = self._variable(name)
            self.names[name] = text
            self.lines.append(f"(declare-const {text} {name.sort})")
            if name.sort != BOOL:
                self._bound(name, text)

    def _bound(self, term: Term, text: str) -> None:
        if term.low is not None:
            self.lines.append(f"(assert (<= {_number(term.low)} {text}))")
        if term.high is not None:
            self.lines.append(f"(assert (<= {text} {_number(term.high)}))")

    def _apply(self, term: Term, argument: str) -> str:
        function = self._functions.get(term.value)
        if function is None:
            function = self._functions[term.value] = f"f{len(self.lines)}"
            self.lines.append(f"(declare-fun {function} (Int) Int)")
        text = f"({function} {argument})"
        if not term.free:
            self.names[term] = text
        self._bound_value(term, function, text)
        return text

    def _bound_value(self, term: Term, function: str, text: str) -> None:
        """The bounds of a function, at one key or, where that is a bound name, at all."""
        if not term.free:
            self._bound(term, text)
        elif function not in self._bounded:
            self._bounded.add(function)
            limits = [f"(<= {_number(term.low)} ({function} k))"] if term.low is not None else []
            limits += [f"(<= ({function} k) {_number(term.high)})"] if term.high is not None else []
            inside = f"(and true {' '.join(limits)})"
            self.lines.append(f"(assert (forall ((k Int)) (! {inside} :pattern (({function} k)))))")

    def _table(self, term: Term, argument: str) -> str:
        """A function of which the solver is told the values."""
        known = repr(term.value)
        function = self._functions.get(known)
        if function is None:
            function = self._functions[known] = f"t{len(self.lines)}"
            self.lines.append(f"(declare-fun {function} (Int) Int)")
            first, values = term.value
            self.lines += [
                f"(assert (= ({function} {_number(first + place)}) {_number(value)}))"
                for place, value in enumerate(values)
            ]
        text = f"({function} {argument})"
        self._bound_value(term, function, text)
        return text

    def _product(self, term: Term, one: str, other: str) -> str:
        """An unknown function of two numbers, whichever comes first."""
        function = self._functions.get("*")
        if function is None:
            function = self._functions["*"] = f"p{len(self.lines)}"
            self.lines.append(f"(declare-fun {function} (Int Int) Int)")
        text = f"({function} {one} {other})"
        if not term.free:
            self.lines.append(f"(assert (= {text} ({function} {other} {one})))")
            self._bound(term, text)
        return text

    def _measure(self, term: Term) -> str:
        """An unknown number; one that depends on a bound name is a function of it."""
        free = sorted(term.free, key=lambda each: each.number)
        name = f"m{len(self.lines)}"
        self.lines.append(f"(declare-fun {name} ({' '.join('Int' for _ in free)}) Int)")
        if free:
            return f"({name} {' '.join(self._variable(each) for each in free)})"
        self.names[term] = name
        self._bound(term, name)
        return name

    def write_for_all(self, term: Term, parts: Sequence[Term]) -> str:
        """The text of a term that holds whatever the bound names in it stand for."""
        text = self.write(term, parts)
        keys = sorted(term.free - self._declared, key=lambda each: each.number)
        return self._quantified(keys, text) if keys else text

    def _quantified(self, keys: Sequence[Term], inside: str) -> str:
        names = [self._variable(key) for key in keys]
        limits = [
            f"(<= {_number(key.low or 0)} {name} {_number(key.high or 0)})"
            for key, name in zip(keys, names)
            if key.sort != BOOL
        ]
        bound = " ".join(f"({name} {key.sort})" for key, name in zip(keys, names))
        body_text = f"(=> (and true {' '.join(limits)}) {inside})" if limits else inside
        return f"(forall ({bound}) {body_text})"


def _facts(roots: Sequence[Term]) -> list[Term]:
    """The facts about all terms in some, and about those in these facts."""
    seen: set[Term] = set()
    found: dict[Term, None] = {}
    waiting = list(roots)
    while waiting:
        here = waiting.pop()
        if here.deep and here not in seen:
            seen.add(here)
            waiting.extend(here.args)
            found.update(dict.fromkeys(here.facts))
            waiting.extend(here.facts)
    return list(found)


def _seen_in(term: Term) -> tuple[Term, ...]:
    """What is to be seen in the text of a term: not the names that it binds, and nothing of what is
    an unknown number."""
    if term.op in OPAQUE:
        return ()
    return term.args[-1:] if term.op == "forall" else term.args


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _sum(value: tuple[int, ...], args: Iterable[str]) -> str:
    constant, *factors = value
    parts = [
        arg if factor == 1 else f"(* {_number(factor)} {arg})" for factor, arg in zip(factors, args)
    ]
    if constant:
        parts.insert(0, _number(constant))
    return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"
