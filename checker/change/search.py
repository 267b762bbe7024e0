"""Looks for the shortest game that reaches a difference, turn by turn, with the solver.

Games are played by the old rules with every choice open; in each position passed the question is
whether the two sets of rules say different things there. What is found is replayed in the
evaluator, and only then is it a game.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from time import perf_counter

from checker.change.asking import chosen
from checker.change.lockstep import Game
from checker.change.pair import Pair
from checker.change.question import Question, Subject, questions
from checker.change.witness import judged
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

LONG_TURN = 8
"""Events for each player after which a turn is cut, whatever the phase."""


class Searched(Node):
    """A game, or for how many turns there is none."""

    game: Game | None
    turns: int


def search(
    pair: Pair, subject: Subject, way: str, seconds: float, cache: Cache, most: int = 12
) -> Searched:
    """The shortest game found that reaches such a difference."""
    big = any(isinstance(each, Board) for each in pair.old.state.values())
    if pair.mismatches or big or subject.kind in ("start", "result"):
        return Searched(None, 0)  # positions that are not the same, or too big to play through
    until = perf_counter() + seconds
    try:
        return _Search(pair, subject, way, cache).run(until, most)
    except (UnboundedError, ValueError):
        return Searched(None, 0)


class _Search:
    def __init__(self, pair: Pair, subject: Subject, way: str, cache: Cache) -> None:
        self.pair = pair
        self.subject = subject
        self.way = way
        self.cache = cache
        self.asked: Question | None = None
        self.unrolled = Unrolled.game(pair.old, in_seat_order=True)

    def run(self, until: float, most: int) -> Searched:
        first = self.unrolled.phases()
        for turn in range(1, most + 1):
            since = len(self.unrolled.slots)
            while self.unrolled.extend():
                if self.unrolled.phases() == first or perf_counter() > until:
                    break
                if len(self.unrolled.slots) - since >= LONG_TURN * self.pair.old.instance.players:
                    break
            left = until - perf_counter()
            if left <= 0 or len(self.unrolled.slots) == since:
                return Searched(None, turn - 1)
            result, game = self._look(since, len(self.unrolled.slots), left)
            if game is not None:
                return Searched(self._shorter(game, since, until), turn - 1)
            if result != UNSAT:
                return Searched(None, turn - 1)
        return Searched(None, most)

    def _look(self, since: int, slots: int, seconds: float) -> tuple[str, Game | None]:
        """A game that reaches the difference in these slots, or what the solver says."""
        goal = self.unrolled.meets(self._claim(), since, slots)
        if goal is FALSE:
            return UNSAT, None
        text = script([Labelled("game", goal)])
        answer = self._answer(text, seconds)
        if answer.result == SAT and answer.model is not None:
            return SAT, self._replayed(Model(text.names, answer.model))
        return answer.result, None

    def _shorter(self, game: Game, since: int, until: float) -> Game:
        """The same within the turn, with as few events as can be."""
        while len(game.events) - 1 > since and perf_counter() < until:
            _, found = self._look(since, len(game.events) - 1, until - perf_counter())
            if found is None:
                return game
            game = found
        return game

    def _answer(self, text: Script, seconds: float) -> Answer:
        key = "game " + sha256(text.text.encode()).hexdigest()
        answer = self.cache.get(key)
        if answer is None:
            names = list(text.names.values())
            answer = Z3(text.text, LOGIC).check(text.switches, seconds, names)
            if answer.result != UNKNOWN:
                self.cache.put(key, answer)
        return answer

    def _claim(self) -> Callable[[State, State], Term]:
        """That the difference is there in a position."""

        def there(_: State, position: State) -> Term:
            terms = self.pair.terms
            held = self.pair.old.state, self.pair.new.state
            self.pair.old.state = self.pair.new.state = position
            try:
                asked = [
                    each for each in questions(self.pair, self.subject) if each.way == self.way
                ]
            finally:
                self.pair.old.state, self.pair.new.state = held
            if not asked:
                return FALSE
            self.asked = asked[0]
            needed = [each.term for each in asked[0].assumed if ": " not in each.label]
            settled = [each.term for each in asked[0].assumed if each.label.endswith("is due")]
            return terms.every((asked[0].goal, *needed, *settled))

        return there

    def _replayed(self, model: Model) -> Game | None:
        """The game that a model stands for, up to the difference, if it is one."""
        assert self.asked is not None
        instances = self.pair.old.instance, self.pair.new.instance
        choices = chosen(self.pair, self.asked, model)
        start = position = initial_position(instances[0])
        events = []
        for event in self.unrolled.events(model):
            try:
                happened = apply(instances[0], position, event)
            except (Refused, EvaluationError):
                return None
            events.append(event)
            for each in happened:
                witness = judged(self.subject, instances, (each.after, each.after), choices)
                if witness is not None and witness.way == self.way:
                    return Game(start, tuple(events), witness)
            position = happened[-1].after
        return None
