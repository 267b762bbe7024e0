"""Looks for the shortest game that reaches a difference, turn by turn, with the solver.

Games are played by the old rules with every choice open; in each position passed the question is
whether the two sets of rules say different things there. What is found is replayed in the
evaluator, and only then is it a game.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from checker.budget import Allowance
from checker.change.asking import chosen
from checker.change.lockstep import Game
from checker.change.pair import Pair
from checker.change.question import Question, questions
from checker.change.small import as_at_start, granted, wished
from checker.change.subject import Subject
from checker.change.witness import judged
from checker.meaning import core as c
from checker.play.beginning import initial_position
from checker.play.errors import EvaluationError
from checker.play.rules import Refused, apply
from checker.prove.cache import Cache
from checker.prove.search import LOGIC
from checker.prove.unroll import Unrolled
from checker.smt.board import Board
from checker.smt.decode import Model
from checker.smt.solver import SAT, UNKNOWN, UNSAT, Z3, Answer
from checker.smt.statement import State
from checker.smt.term import FALSE, Term
from checker.smt.text import Labelled, Script, script
from checker.smt.value import UnboundedError
from checker.syntax.node import Node

MOST_TURNS = 12
PATIENCE = 3.0
"""Seconds for a turn."""
SHRINKING = 6.0
"""Seconds' worth of work for making a game small."""
LONG_TURN = 8
"""Events for each player after which a turn is cut, whatever the phase."""


class Searched(Node):
    """A game, or for how many turns there is none."""

    game: Game | None
    turns: int


class Search:
    """Looks further with every run, until a game is found or there is nothing more to look at."""

    def __init__(self, pair: Pair, subject: Subject, way: str, cache: Cache) -> None:
        self._pair = pair
        self._subject = subject
        self._way = way
        self._cache = cache
        self._asked: Question | None = None
        self._since = 0
        self._looked = self._turns = 0
        self._gap = False
        """Whether a turn was passed over: from there on nothing is known of the turns."""
        big = any(isinstance(each, Board) for each in pair.old.state.values())
        self._over = bool(pair.mismatches) or big or subject.kind in ("start", "result")
        """Positions that are not the same on both sides, or too far away to play to."""
        if not self._over:
            self._unrolled = Unrolled.game(pair.old, in_seat_order=True)
            self._first = self._unrolled.phases()

    def run(self, seconds: float) -> Searched:
        """The shortest game found that reaches such a difference."""
        allowed = Allowance(seconds)
        game = None
        try:
            while game is None and not self._over and not allowed.over:
                game = self._turn(allowed)
        except (UnboundedError, ValueError):
            self._over = True
        return Searched(game, self._turns)

    def _turn(self, allowed: Allowance) -> Game | None:
        """Looks at games of one turn more. A turn that takes too long is passed over: often a
        longer game is easier to find than the proof that there is no shorter one."""
        slots = self._unrolled.slots
        while len(slots) == self._since or self._unrolled.phases() != self._first:
            if allowed.over:
                return None
            if len(slots) - self._since >= LONG_TURN * self._pair.old.instance.players:
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

    def _look(self, slots: int, seconds: float, shrinking: float = 0) -> tuple[str, Game | None]:
        """A game that reaches the difference by these slots, or what the solver says."""
        goal = self._unrolled.meets(self._claim(), self._since, slots)
        if goal is FALSE or seconds <= 0:
            return (UNSAT if goal is FALSE else UNKNOWN), None
        wishes = []
        if shrinking:
            position = self._unrolled.slots[slots - 1].passed[-1]
            wishes = wished(self._pair.terms, as_at_start(self._pair.old, position))
        text = script([Labelled("game", goal), *wishes])
        answer = self._answer(text, seconds, shrinking)
        if answer is not None and answer.result == SAT and answer.model is not None:
            return SAT, self._replayed(Model(text.names, answer.model))
        return (UNKNOWN if answer is None else answer.result), None

    def _shorter(self, game: Game, allowed: Allowance) -> Game:
        """The same within the turn, with as few events as can be and little on the table."""
        while len(game.events) - 1 > self._since and not allowed.over:
            _, found = self._look(len(game.events) - 1, allowed.left)
            if found is None:
                break
            game = found
        _, small = self._look(len(game.events), SHRINKING, SHRINKING)
        return small if small is not None and len(small.events) <= len(game.events) else game

    def _answer(self, text: Script, seconds: float, shrinking: float) -> Answer | None:
        key = f"game {sha256(text.text.encode()).hexdigest()} {seconds} {shrinking}"
        names = list(text.names.values())
        must, *wishes = text.switches

        def ask() -> Answer | None:
            solver = Z3(text.text, LOGIC)
            if shrinking:
                return granted(solver, [must], wishes, shrinking, names)
            return solver.check([must], seconds, names)

        return self._cache.asked(key, ask)

    def _claim(self) -> Callable[[State, State], Term]:
        """That the difference is there in a position."""

        def there(_: State, position: State) -> Term:
            pair = self._pair
            if pair.old.phase_is(position, self._phases()) is FALSE:
                return FALSE
            held = pair.old.state, pair.new.state
            pair.old.state = pair.new.state = position
            try:
                asked = questions(pair, self._subject, (self._way,))
            finally:
                pair.old.state, pair.new.state = held
            if not asked:
                return FALSE
            self._asked = asked[0]  # all parts have the same choices
            return pair.terms.either(self._holds(each) for each in asked)

        return there

    def _holds(self, question: Question) -> Term:
        """That a position is one the question is about, whatever the invariants say of it."""
        needed = [
            each.term for each in question.assumed
            if ": " not in each.label or each.label.endswith("is due")
        ]  # fmt: skip
        return self._pair.terms.every((question.goal, *needed))

    def _phases(self) -> set[str]:
        """The phases in which either side may allow the event."""
        shapes = self._subject.old, self._subject.new
        return {name for each in shapes if isinstance(each, c.Transition) for name in each.phases}

    def _replayed(self, model: Model) -> Game | None:
        """The game that a model stands for, up to the difference, if it is one."""
        assert self._asked is not None
        instances = self._pair.old.instance, self._pair.new.instance
        choices = chosen(self._pair, self._asked, model)
        start = position = initial_position(instances[0])
        events = []
        for event in self._unrolled.events(model):
            try:
                happened = apply(instances[0], position, event)
            except (Refused, EvaluationError):
                return None
            events.append(event)
            for each in happened:
                witness = judged(self._subject, instances, (each.after, each.after), choices)
                if witness is not None and witness.way == self._way:
                    return Game(start, tuple(events), witness)
            position = happened[-1].after
        return None
