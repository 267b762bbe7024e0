"""Templates of helper invariants: candidates built over the vocabulary.

    phase == decide implies points[active] + total <= 105        bounds, in a phase or out of it
    phase != won implies all p: Player: not ready[p]             what a phase says
    all p: Player, c: Colour: c in locked[p] implies c in shut   one truth brings another
    all c: Colour: c in locked implies size(held[c]) >= 6        a truth brings a bound

Only what holds in every position of some random games is a candidate. That is no proof: the rest
is for `houdini`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.prove.invariants.atoms import Atom, AtomPool, BooleanAtom, binary, literal, number
from rulewright.smt.solver.work_limit import WorkLimit
from rulewright.syntax.node import NOWHERE, Node

MOST = 600
"""More candidates than this are never looked at."""
EXPRESSION = 50
"""What it takes to work out one word in one case, in units of `budget`."""
BOUNDS = 2
"""So many bounds in each direction are tried of each number."""


class Candidate(Node):
    """Something that may always hold."""

    text: str
    claim: c.Expr


class SampledValues:
    """What was seen of words: for each the mask of cases (a position, and values for the names in
    play) in which it is true, or its value in each case."""

    def __init__(
        self, instance: Instance, words: AtomPool, positions: Sequence[Position], watch: WorkLimit
    ) -> None:
        self._watch = watch
        self._instance = instance
        self._positions = positions
        self._words = words
        self._masks: dict[tuple[str, tuple[str, ...]], int] = {}
        self._values: dict[tuple[str, tuple[str, ...]], list[int]] = {}

    def values(self, word: Atom, names: tuple[str, ...]) -> list[Any]:
        """The value of a word in each case; it is worked out once for the names it is about."""
        key = word.text, names
        if key not in self._values:
            choices = prod(len(self._instance.order(self._words.types[each])) for each in names)
            self._watch.check(EXPRESSION * choices * len(self._positions))
            own = tuple(sorted(word.about))
            if own == names:
                expression = word.expression
                found = [evaluate(expression, each) for each in self._scenes(names)]
            else:
                known, here = self.values(word, own), self._assignments(names)
                places = {
                    each: place for place, each in enumerate(self._assignments(own))
                }  # fmt: skip
                kept = [names.index(name) for name in own]
                picked = [places[tuple(each[at] for at in kept)] for each in here]
                found = [
                    known[block * len(places) + place]
                    for block in range(len(self._positions))
                    for place in picked
                ]
            self._values[key] = found
        return self._values[key]

    def _assignments(self, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
        domains = [list(self._instance.order(self._words.types[name])) for name in names]
        return list(product(*domains))

    def _scenes(self, names: tuple[str, ...]) -> Iterator[Environment]:
        choices = [dict(zip(names, each)) for each in self._assignments(names)]
        for position in self._positions:
            for chosen in choices:
                yield Environment(self._instance, position, position, chosen)

    def mask(self, word: Atom, names: tuple[str, ...]) -> int:
        key = word.text, names
        if key not in self._masks:
            found = 0
            for place, value in enumerate(self.values(word, names)):
                found |= bool(value) << place
            self._masks[key] = found
        return self._masks[key]

    def all(self, names: tuple[str, ...]) -> int:
        return (1 << len(self._positions) * len(self._assignments(names))) - 1


def candidates(
    instance: Instance, positions: Sequence[Position], watch: WorkLimit | None = None
) -> list[Candidate]:
    """What held in all the positions, the simplest first."""
    words = AtomPool(instance)
    seen = SampledValues(instance, words, positions, watch or WorkLimit())
    templates = _Templates(instance, words, seen)
    found: dict[str, Candidate] = {}
    for each in templates.all():
        found.setdefault(each.text, each)
        if len(found) >= MOST:
            break
    return list(found.values())


class _Templates:
    def __init__(self, instance: Instance, words: AtomPool, seen: SampledValues) -> None:
        self._words = words
        self._seen = seen
        self._guards = [None, *_phases(instance)]

    def all(self) -> Iterator[Candidate]:
        """All candidates: of those that speak of phases some of every kind, then the others."""
        guarded = (self._bounds, self._constants, self._pairs, self._unanswered)
        yield from _in_turn([each(guard) for guard in self._guards for each in guarded])
        for guard in self._guards:
            yield from self._orders(guard)
        yield from self._bounds_where()

    def _names(self, *words: Atom) -> tuple[str, ...]:
        return tuple(sorted(frozenset[str]().union(*(each.about for each in words))))

    def _where(self, guard: BooleanAtom | None, names: tuple[str, ...]) -> int:
        return self._seen.all(names) if guard is None else self._seen.mask(guard.holds, names)

    def _bounds(self, guard: BooleanAtom | None) -> Iterator[Candidate]:
        for word in self._words.numbers:
            yield from self._bounded(guard, None, word)

    def _bounds_where(self) -> Iterator[Candidate]:
        for truth in self._both_ways():
            for word in self._words.numbers:
                if len(self._names(truth.holds, word)) <= 2 and "+" not in word.text:
                    yield from self._bounded(None, truth, word)

    def _bounded(
        self, guard: BooleanAtom | None, when: BooleanAtom | None, word: Atom
    ) -> Iterator[Candidate]:
        names = self._names(word, *([when.holds] if when is not None else []))
        where = self._where(guard, names)
        if when is not None:
            where &= self._seen.mask(when.holds, names)
        values = self._seen.values(word, names)
        here = [value for place, value in enumerate(values) if where >> place & 1]
        if not here:
            return
        low, high = min(here), max(here)
        type = word.expression.type
        known = (type.low, type.high) if isinstance(type, y.Int) else (None, None)
        most = [each for each in (high, *self._words.literals) if each >= high]
        least = [each for each in (low, *reversed(self._words.literals)) if each <= low]
        widest = self._words.widest(word.expression)
        for bounds, sign, operator, declared in (
            (most, "<=", "less_equal", known[1]), (least, ">=", "greater_equal", known[0]),
        ):  # fmt: skip
            nearest = list(dict.fromkeys(bounds))
            chosen = nearest[:BOUNDS] + [each for each in nearest[BOUNDS:] if each in widest]
            for bound in chosen:
                if bound != declared and not (sign == ">=" and bound <= 0 and known[0] is None):
                    claim = binary(operator, word.expression, number(bound))
                    body = Atom(f"{word.text} {sign} {bound}", claim, word.about)
                    yield self._made(guard, when, body)

    def _constants(self, guard: BooleanAtom | None) -> Iterator[Candidate]:
        for truth in self._both_ways():
            names = self._names(truth.holds)
            where = self._where(guard, names)
            if not where & ~self._seen.mask(truth.holds, names):
                yield self._made(guard, None, truth.holds)

    def _pairs(self, guard: BooleanAtom | None) -> Iterator[Candidate]:
        """One truth brings another, where that was seen and is not just always so."""
        for one in self._both_ways():
            for other in self._both_ways():
                names = self._names(one.holds, other.holds)
                if len(names) > 2 or other.holds.text in (one.holds.text, one.fails.text):
                    continue
                if (
                    one.holds.about
                    and other.holds.about
                    and not (one.holds.about & other.holds.about)
                ):
                    continue
                where = self._where(guard, names)
                if guard is not None and not self._plain(None, one, other, names):
                    continue
                if not self._plain(where, one, other, names):
                    yield self._made(guard, one, other.holds)

    def _unanswered(self, guard: BooleanAtom | None) -> Iterator[Candidate]:
        """One truth brings another for those who have not answered yet."""
        open_ones = [
            ~each for each in self._words.truths if each.holds.text.endswith(" in answered")
        ]
        for each, one in product(open_ones, self._both_ways()):
            holds = binary("and", each.holds.expression, one.holds.expression)
            about = each.holds.about | one.holds.about
            if guard is None or not each.holds.about & one.holds.about or len(about) > 2:
                continue
            both = Atom(f"{each.holds.text} and {one.holds.text}", holds, about)
            for other in self._both_ways():
                names = self._names(both, other.holds)
                if len(names) > 2 or names != tuple(sorted(about)) or other == one:
                    continue
                where = self._where(guard, names)
                if self._plain(where, one, other, names) and not self._plain(
                    where, BooleanAtom(both, both), other, names
                ):
                    yield self._made(guard, BooleanAtom(both, both), other.holds)

    def _plain(
        self, where: int | None, one: BooleanAtom, other: BooleanAtom, names: tuple[str, ...]
    ) -> int:
        """The cases in which one truth does not bring another."""
        inside = self._seen.all(names) if where is None else where
        return inside & self._seen.mask(one.holds, names) & ~self._seen.mask(other.holds, names)

    def _orders(self, guard: BooleanAtom | None) -> Iterator[Candidate]:
        """One number is never above another."""
        for one, other in product(self._words.numbers, repeat=2):
            names = self._names(one, other)
            if one is other or len(names) > 1 or "+" in one.text + other.text:
                continue
            where = self._where(guard, names)
            pairs = enumerate(zip(self._seen.values(one, names), self._seen.values(other, names)))
            if all(left <= right for place, (left, right) in pairs if where >> place & 1):
                claim = binary("less_equal", one.expression, other.expression)
                about = one.about | other.about
                yield self._made(guard, None, Atom(f"{one.text} <= {other.text}", claim, about))

    def _both_ways(self) -> Iterator[BooleanAtom]:
        for each in self._words.truths:
            yield each
            yield ~each

    def _made(self, guard: BooleanAtom | None, when: BooleanAtom | None, body: Atom) -> Candidate:
        text, claim, about = body.text, body.expression, body.about
        if when is not None:
            text = f"{when.holds.text} implies {text}"
            claim = binary("implies", when.holds.expression, claim)
            about |= when.holds.about
        if about:
            names = sorted(about)
            binders = tuple(self._words.binder(name) for name in names)
            claim = c.Quantify(NOWHERE, y.BOOL, "all", binders, None, claim)
            text = f"all {', '.join(self._words.written(name) for name in names)}: {text}"
        if guard is not None:
            inside = f"({text})" if when is not None and not about else text
            text = f"{guard.holds.text} implies {inside}"
            claim = binary("implies", guard.holds.expression, claim)
        return Candidate(text, claim)


def _in_turn(streams: Sequence[Iterator[Candidate]]) -> Iterator[Candidate]:
    """One of each, then another one of each, until all are used up."""
    waiting = list(streams)
    while waiting:
        for each in list(waiting):
            found = next(each, None)
            if found is None:
                waiting.remove(each)
            else:
                yield found


def _phases(instance: Instance) -> list[BooleanAtom]:
    """Being in a phase, or out of it; the latter first, for it says more."""
    variable = instance.variables.get("phase")
    if variable is None or len(instance.spec.phases) < 2:
        return []
    phase = c.StateVar(NOWHERE, variable.type, "phase", False)
    found = []
    for each in instance.spec.phases:
        name = literal(each.name, variable.type)
        inside = Atom(f"phase == {each.name}", binary("equal", phase, name), frozenset())
        outside = Atom(f"phase != {each.name}", binary("unequal", phase, name), frozenset())
        found.append(BooleanAtom(inside, outside))
    return [*(~each for each in found), *found]
