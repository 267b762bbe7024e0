"""Deadlock proof: no event is possible in a position, even where a move may rearrange a board.

Moves that can be listed are listed by the evaluator. A move with too many arguments to list is put
to the solver. If it were possible, the board after it would hold more of something than before. The
requirements say what may lie next to such a piece. If they exclude everything, the move is
impossible. Otherwise nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.prove.search.bmc import LOGIC
from rulewright.prove.verdict.validate_model import stuck
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.sum_axioms import for_all
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import UNSAT, Z3
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.instantiate import GroundAssertions
from rulewright.smt.terms.substitute import rebuilt, replaced
from rulewright.smt.terms.term import FALSE, Term, conjuncts, folded, parts
from rulewright.vc.context import ProofContext

AROUND = 3
"""So often the squares that came up around a piece are looked at as well."""


def nothing_allowed(context: ProofContext, position: Mapping[str, Any], seconds: float) -> bool:
    """Whether it is certain that nothing can happen in a position, and the game is not over."""
    instance = context.instance
    if not stuck(instance, dict(position)):
        return False
    state: State = {
        name: context.ex.shapes.given(position[name], variable.type)
        for name, variable in instance.variables.items()
    }
    return all(
        _refused(context, state, move, seat, seconds)
        for move in instance.of_kind("move")
        if move.proposals
        for seat in (range(1, instance.players + 1) if move.mover else (None,))
    )


def _refused(
    context: ProofContext, state: State, move: c.Transition, seat: int | None, seconds: float
) -> bool:
    """Whether a player cannot take a move, whatever is chosen for its parameters."""
    terms = context.terms
    locals = context.parameters(move)
    if move.mover is not None:
        locals[move.mover] = terms.number(seat or 0)
    needed = [each.holds for each in context.statements.ask(move, state, locals)]
    context.world.take_hazards()  # where something has no value, the move is not allowed either
    if FALSE in needed:
        return True
    needed = [part for each in needed for part in conjuncts(each)]
    kinds = [each.type for each in move.params]
    if len(kinds) != 1 or not isinstance(kinds[0], y.Map):
        return _contradictory(terms, needed, seconds)
    laid = locals[move.params[0].name]
    if not isinstance(laid, b.UnknownArray):
        return _contradictory(terms, needed, seconds)
    variables = context.instance.variables.items()
    boards = [state[name] for name, each in variables if each.type == kinds[0]]
    before = next((each for each in boards if isinstance(each, b.SymbolicArray)), None)
    inner = kinds[0].value
    codes = context.world.domains.codes(inner.inner if isinstance(inner, y.Option) else inner)
    return _Laid(terms, laid, before, codes, seconds).refused(needed)


def _contradictory(terms: TermBuilder, asserted: Sequence[Term], seconds: float) -> bool:
    """Whether some terms cannot hold together, as far as a few instances of them show."""
    context = GroundAssertions(terms, [LabelledAssertion("", each) for each in asserted])
    text = script(context.asserted, facts=context.facts, any_product=True)
    return Z3(text.text).check(text.switches, seconds).result == UNSAT


class _Laid:
    """A board that somebody might lay out, beside the one that is there."""

    def __init__(
        self,
        terms: TermBuilder,
        laid: b.UnknownArray,
        before: b.SymbolicArray | None,
        codes: range,
        seconds: float,
    ) -> None:
        self._terms = terms
        self._laid = laid
        self._before = before or b.ListedArray(laid.keys, {}, terms.number(b.NONE))
        self._now = b.ValueCounts(codes, laid)
        self._then = b.ValueCounts(codes, self._before)
        self._codes = codes
        self._seconds = seconds
        self._piece = terms.unknown("piece", laid.keys.start, laid.keys.stop - 1)
        self._spelled: dict[Term, Term] = {}
        self._around: dict[int, Term] = {}
        self._place: dict[int, Term] = {}

    def refused(self, needed: Sequence[Term]) -> bool:
        """Whether the requirements refuse any such board. They must say that more of something lies
        on it; then there is a piece with a square on which it did not lie before."""
        terms = self._terms
        counting = [each for each in needed if not self._reads(each)]

        def at_most(code: Term) -> Term:
            return terms.at_most(self._now.read(terms, code), self._then.read(terms, code))

        no_more = for_all(terms, self._codes, at_most)
        if not _contradictory(terms, [*counting, no_more], self._seconds):
            return False
        zero = terms.number(0)
        there, new = [], []
        for code in self._codes:
            key = terms.number(code)
            now, then = (each.read(terms, key) for each in (self._now, self._then))
            ways = terms.less(zero, now), terms.less(then, now)
            there += [code] if self._may_be(counting, ways[0]) else []
            new += [code] if there[-1:] == [code] and self._may_be(counting, ways[1]) else []
        every = [each for each in needed if self._reads(each) and self._of_squares(each)]
        around = [*self._instances(every)]
        lies = self._spell(self._laid.read(terms, self._piece))
        lay = self._spell(self._before.read(terms, self._piece))
        piece = terms.both(terms.among(lies, new), terms.no(terms.equal(lies, lay)))
        known = [terms.among(each, (b.NONE, *there)) for each in self._around.values()]
        asserted = [*around, *known, *self._place.values(), piece]
        text = script([LabelledAssertion("", each) for each in asserted], facts=())
        return Z3(text.text, LOGIC).check(text.switches, self._seconds).result == UNSAT

    def _may_be(self, counting: Sequence[Term], way: Term) -> bool:
        if way is FALSE:
            return False
        return not _contradictory(self._terms, [*counting, way], self._seconds)

    def _reads(self, term: Term) -> bool:
        """Whether a term looks at what lies on a square."""
        return any(each.op == "apply" and each.value == self._laid.name for each in parts(term))

    def _of_squares(self, term: Term) -> bool:
        """Whether a term says something of every square, and of nothing that is to be counted."""
        if term.op != "forall" or len(term.args) != 2:
            return False
        key, body = term.args
        plain = not any(each.deep for each in parts(body))
        return plain and (key.low, key.high) == (self._piece.low, self._piece.high)

    def _instances(self, every: Sequence[Term]) -> Iterator[Term]:
        """What is said of every square, said of those around the piece."""
        done: set[int] = set()
        self._spell(self._laid.read(self._terms, self._piece))
        for _ in range(AROUND):
            for away in [each for each in self._around if each not in done]:
                done.add(away)
                square = self._terms.linear(away, ((1, self._piece),))
                inside = self._terms.both(
                    self._terms.at_most(self._terms.number(self._laid.keys.start), square),
                    self._terms.less(square, self._terms.number(self._laid.keys.stop)),
                )
                for each in every:
                    said = replaced(self._terms, each.args[1], each.args[0], square)
                    yield self._spell(self._terms.implies(inside, said))

    def _spell(self, term: Term) -> Term:
        """A term in which the squares around the piece are unknowns of their own, and tables are
        written out: then everything in it is a number of which there are finitely many."""
        return folded(term, self._spelled, lambda each: None, self._spelled_out)

    def _spelled_out(self, term: Term, args: tuple[Term, ...]) -> Term:
        terms = self._terms
        if term.op == "apply" and term.value == self._laid.name:
            away = _away(args[0], self._piece)
            if away is not None:
                name = f"{self._laid.name} {away} from the piece"
                found = self._around[away] = terms.unknown(name, term.low, term.high)
                return found
        if term.op == "mod" and args[1].op == "int" and self._laid.keys.start >= 0:
            away = _away(args[0], self._piece)
            if away is not None:
                return self._column(away, args[1].value)
        if term.op == "table":
            return _written_out(terms, term, args[0])
        return rebuilt(terms, term, args)

    def _column(self, away: int, width: int) -> Term:
        """In which column of a board a square is, given that of the piece."""
        terms = self._terms
        column = terms.unknown(f"piece modulo {width}", 0, width - 1)
        row = terms.unknown(f"piece by {width}", 0, self._laid.keys.stop // width)
        self._place[width] = terms.equal(self._piece, terms.linear(0, ((width, row), (1, column))))
        there = terms.linear(away % width, ((1, column),))
        beyond = terms.linear(-width, ((1, there),))
        return terms.choose(terms.less(there, terms.number(width)), there, beyond)


def _away(key: Term, piece: Term) -> int | None:
    """How far a square is from the piece, None if that cannot be seen."""
    match key.op:
        case "held":
            return _away(key.args[0], piece)
        case "sum" if len(key.args) == 1 and key.value[1] == 1:
            inner = _away(key.args[0], piece)
            return None if inner is None else inner + int(key.value[0])
        case _:
            return 0 if key is piece else None


def _written_out(terms: TermBuilder, table: Term, key: Term) -> Term:
    """A table as choices between its values; at other keys it is any of them."""
    first, values = table.value
    places: dict[int, list[int]] = {}
    for number, value in enumerate(values, first):
        places.setdefault(value, []).append(number)
    result = terms.unknown(f"table {table.number} elsewhere", table.low, table.high)
    for value, keys in places.items():
        result = terms.choose(terms.among(key, keys), terms.number(value), result)
    return result
