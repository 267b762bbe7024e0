"""Looks for the shortest game that reaches a difference, turn by turn, with the solver.

Games are played by the old rules with every choice open; in each position passed the question is
whether the two sets of rules say different things there. What is found is replayed in the
evaluator, and only then is it a game.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256

from rulewright.change.games.lockstep import DivergingGame
from rulewright.change.semantic.witness import judge_witness
from rulewright.compare.minimize import as_at_start, granted, wished
from rulewright.compare.solve import chosen
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import Subject
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.rules import Refused, replay
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.search.bmc import LOGIC
from rulewright.prove.search.unrolling import Unrolling
from rulewright.smt.encode.arrays import SymbolicArray
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.symbolic_values import UnboundedError
from rulewright.smt.solver.decode_model import Model
from rulewright.smt.solver.smtlib import LabelledAssertion, Script, script
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT, Z3, SolverAnswer
from rulewright.smt.terms.term import FALSE, Term
from rulewright.syntax.node import Node
from rulewright.system.work_budget import Allowance
from rulewright.vc.difference import Difference, differences
from rulewright.vc.product import Product

MOST_TURNS = 12
PATIENCE = 3.0
"""Seconds for a turn."""
SHRINKING = 6.0
"""Seconds' worth of work for making a game small."""
LONG_TURN = 8
"""Events for each player after which a turn is cut, whatever the phase."""


class DifferenceBmcResult(Node):
    """A game, or for how many turns there is none."""

    game: DivergingGame | None
    turns: int


class DifferenceBmc:
    """Looks further with every run, until a game is found or there is nothing more to look at."""

    def __init__(self, product: Product, subject: Subject, way: str, cache: Cache) -> None:
        self._product = product
        self._subject = subject
        self._way = way
        self._cache = cache
        self._asked: Difference | None = None
        self._since = 0
        self._looked = self._turns = 0
        self._gap = False
        """Whether a turn was passed over: from there on nothing is known of the turns."""
        big = any(isinstance(each, SymbolicArray) for each in product.old.state.values())
        self._over = bool(product.mismatches) or big or subject.kind in ("start", "result")
        """Positions that are not the same on both sides, or too far away to play to."""
        self._settled = subject.kind != "step"
        """Events happen where all steps have run, steps on the way there."""
        if not self._over:
            self._unrolled = Unrolling.game(product.old, in_seat_order=True)
            self._first = self._unrolled.phases()

    def run(self, seconds: float) -> DifferenceBmcResult:
        """The shortest game found that reaches such a difference."""
        allowed = Allowance(seconds)
        game = None
        try:
            while game is None and not self._over and not allowed.over:
                game = self._turn(allowed)
        except (UnboundedError, ValueError):
            self._over = True
        return DifferenceBmcResult(game, self._turns)

    def _turn(self, allowed: Allowance) -> DivergingGame | None:
        """Looks at games of one turn more. A turn that takes too long is passed over: often a
        longer game is easier to find than the proof that there is no shorter one."""
        slots = self._unrolled.slots
        while len(slots) == self._since or self._unrolled.phases() != self._first:
            if allowed.over:
                return None
            if len(slots) - self._since >= LONG_TURN * self._product.old.instance.players:
                break
            if not self._unrolled.extend():
                self._over = True
                break
        if len(slots) == self._since:
            return None
        result, game = self._look(len(slots), min(PATIENCE, allowed.left))
        if game is not None:
            return self._shorter(game, allowed)
        self._since = len(slots)
        self._looked += 1
        self._gap = self._gap or result != UNSAT
        self._turns += not self._gap
        self._over = self._over or self._looked == MOST_TURNS
        return None

    def _look(
        self, slots: int, seconds: float, shrinking: float = 0
    ) -> tuple[str, DivergingGame | None]:
        """A game that reaches the difference by these slots, or what the solver says."""
        goal = self._unrolled.meets(self._claim(), self._since, slots, settled=self._settled)
        if goal is FALSE or seconds <= 0:
            return (UNSAT if goal is FALSE else UNKNOWN), None
        wishes = []
        if shrinking:
            position = self._unrolled.slots[slots - 1].passed[-1]
            wishes = wished(self._product.terms, as_at_start(self._product.old, position))
        text = script([LabelledAssertion("game", goal), *wishes])
        answer = self._answer(text, seconds, shrinking)
        if answer is not None and answer.result == SAT and answer.model is not None:
            return SAT, self._replayed(Model(text.names, answer.model))
        return (UNKNOWN if answer is None else answer.result), None

    def _shorter(self, game: DivergingGame, allowed: Allowance) -> DivergingGame:
        """The same within the turn, with as few events as can be and little on the table."""
        while len(game.events) - 1 > self._since and not allowed.over:
            _, found = self._look(len(game.events) - 1, allowed.left)
            if found is None:
                break
            game = found
        _, small = self._look(len(game.events), SHRINKING, SHRINKING)
        return small if small is not None and len(small.events) <= len(game.events) else game

    def _answer(self, text: Script, seconds: float, shrinking: float) -> SolverAnswer | None:
        key = f"game {sha256(text.text.encode()).hexdigest()} {seconds} {shrinking}"
        names = list(text.names.values())
        must, *wishes = text.switches

        def ask() -> SolverAnswer | None:
            solver = Z3(text.text, LOGIC)
            if shrinking:
                return granted(solver, [must], wishes, shrinking, names)
            return solver.check([must], seconds, names)

        return self._cache.asked(key, ask)

    def _claim(self) -> Callable[[State, State], Term]:
        """That the difference is there in a position."""

        def there(_: State, position: State) -> Term:
            product = self._product
            if product.old.phase_is(position, self._phases()) is FALSE:
                return FALSE
            held = product.old.state, product.new.state
            product.old.state = product.new.state = position
            try:
                asked = differences(product, self._subject, (self._way,))
            finally:
                product.old.state, product.new.state = held
            if not asked:
                return FALSE
            self._asked = asked[0]  # all parts have the same choices
            return product.terms.either(self._holds(each) for each in asked)

        return there

    def _holds(self, difference: Difference) -> Term:
        """That a position is one the question is about, whatever the invariants say of it."""
        needed = [
            each.term for each in difference.assumed
            if ": " not in each.label or each.label.endswith("is due")
        ]  # fmt: skip
        return self._product.terms.every((difference.goal, *needed))

    def _phases(self) -> set[str]:
        """The phases in which either side may allow the event."""
        shapes = self._subject.old, self._subject.new
        return {name for each in shapes if isinstance(each, c.Transition) for name in each.phases}

    def _replayed(self, model: Model) -> DivergingGame | None:
        """The game that a model stands for, up to the difference, if it is one."""
        assert self._asked is not None
        instances = self._product.old.instance, self._product.new.instance
        choices = chosen(self._product, self._asked, model)
        start, events = initial_position(instances[0]), self._unrolled.events(model)
        with suppress(Refused, EvaluationError):
            for number, happened in enumerate(replay(instances[0], start, events), 1):
                for each in happened[-1:] if self._settled else happened:
                    positions = each.after, each.after
                    witness = judge_witness(self._subject, instances, positions, choices)
                    if witness is not None and witness.way == self._way:
                        return DivergingGame(start, tuple(events[:number]), witness)
        return None
