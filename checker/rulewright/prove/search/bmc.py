"""Bounded model checking: asks the solver for a game of one turn, of two turns, and so on.

A turn that takes too long is put off: a longer game is often found sooner than the proof that there
is no shorter one. Then it is not known whether a shorter game exists, and the result says so.
Outcomes of chance are unknowns. Every game is replayed in the evaluator before it counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rulewright.kernel.outcome import WitnessGame
from rulewright.prove.search.replay_witness import replay
from rulewright.prove.search.search_goals import SearchGoal
from rulewright.prove.search.turn_unrolling import TurnUnrolling
from rulewright.smt.solver.decode_model import Model
from rulewright.smt.solver.model_values import UnreadableError
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT, Z3, Solver
from rulewright.smt.solver.work_limit import WorkLimitError
from rulewright.smt.terms.term import FALSE, Term
from rulewright.syntax.node import Node, replace

LOGIC = "QF_FD"
"""Everything in a game is finite, which the solver has a logic for."""
NOT_FINITE = re.compile(r"\(forall|\(Int\) Int\)")
"""What is in a text that is not in that logic."""
WORK = 4_000_000
"""What the solver may do for a turn, in its own measure, before it is put off: about a second."""
PUT_OFF = 2
"""So many turns are put off before longer games are looked at, with more time."""
FURTHER = 2
"""They are longer by one turn in so many."""
MOST_TURNS = 40
FEW = 3
"""So many turns are looked at one after the other, wherever a game may be found."""
LIKELY = 4
"""How much more it may do where a game is likely to be found."""
SOONER = 4_000_000
"""Work for finding a game among the turns that were put off, once there is a longer one; half as
much each time."""
NOT_REPLAYED = "a game was found that does not replay: a bug of ours"


class BmcResult(Node):
    """The games that were found; else for how many turns (or events, as `unit` says) there is
    none, whether those are all the games there are, and why no more is known. `exhausted`: that
    all shorter games were looked at than those one cared about."""

    games: tuple[WitnessGame, ...]
    turns: int
    complete: bool
    reason: str | None
    unit: str = "turn"
    exhausted: bool = False

    @property
    def settled(self) -> bool:
        """Whether looking longer would change nothing."""
        return bool(self.games) or self.complete or self.reason == NOT_REPLAYED

    @property
    def game(self) -> WitnessGame | None:
        return self.games[0] if self.games else None


class BoundedModelChecker:
    """Looks for one target, turn by turn."""

    def __init__(
        self, turns: TurnUnrolling, target: SearchGoal, known: Sequence[WitnessGame] = (),
        solver: Callable[[str, str | None, int], Solver] = Z3,
    ) -> None:  # fmt: skip
        """`known` are games that need not be found again. A solver is begun with a text, its logic
        and how much it may do."""
        self._solver = solver
        self._turns = turns
        self._unrolled = turns.unrolled
        self._watch = turns.context.terms.watch
        self._target = target
        self._open: list[int] = []
        self._known = list(known)
        self._found: list[WitnessGame] = []
        self._reason: str | None = None
        self._looked = 0
        self._below: int | None = None
        self._ended = False
        self._exhausted = False

    def run(
        self, seconds: float, most: int = MOST_TURNS, wanted: int = 1, below: int | None = None,
        likely: int = 0,
    ) -> BmcResult:  # fmt: skip
        """Looks until so many games are found, the time is over, or all turns were looked at, or
        all games with less than so many events; first where a game is likely to be found, if with
        fewer players it has so many turns."""
        self._below = below
        with self._watch.within(seconds):
            try:
                if self._target.at_start:
                    self._at_once()
                if not self._likely(likely, wanted):
                    self._turn_by_turn(most, wanted)
                    if self._found and self._open:
                        self._found[0] = self._sooner(self._found[0], self._looked - 1)
            except WorkLimitError:
                self._open.append(self._looked)
            late = self._watch.left() <= 0
        known = max(0, min(self._open, default=self._looked))
        over = self._ended and self._turns.over and not self._open
        complete = over and not self._unrolled.ordered
        why = "out of time" if late or self._open else "no longer games were looked at"
        reason = self._reason or (None if self._found or complete else why)
        exhausted = over or (self._exhausted and not self._open)
        games = tuple(self._found)
        return BmcResult(games, known, complete, reason, self._turns.unit, exhausted)

    def _at_once(self) -> None:
        """Asks whether the target is met before anything has happened."""
        result, game = self._asked(self._target.at_once(self._unrolled), 0, LIKELY * WORK)
        if game is not None:
            self._found.append(game)
        elif result == UNKNOWN:
            self._open.append(-1)

    def _likely(self, turns: int, wanted: int) -> bool:
        """Whether there are games of so many turns, if that is not just a few, or of half as many
        again, which may be easier to find."""
        before = self._open
        for turn, work in ((turns - 1, WORK), (turns - 1 + turns // 2, LIKELY * WORK)):
            if turn >= FEW and not self._found and self._turns.reach(turn):
                self._open = [*before, *range(turn)]
                self._look(turn, work, wanted)
        if not self._found:
            self._open, self._looked = before, 0
        return bool(self._found)

    def _turn_by_turn(self, most: int, wanted: int) -> None:
        work, turn = WORK, 0
        while len(self._found) < wanted and self._reason is None and self._watch.left() > 0:
            if self._enough(turn):
                self._exhausted = True
                return
            if turn >= most:
                return
            if not self._turns.reach(turn):
                self._ended = True
                return
            further = min(turn + turn // FURTHER, most - 1)
            if len(self._open) >= PUT_OFF and self._turns.reach(further):
                work *= 2
                self._open += range(turn, further)
                turn = further
            self._look(turn, work, wanted)
            turn += 1

    def _enough(self, turn: int) -> bool:
        """Whether all games before a turn are as long as those one does not care about."""
        spans = self._turns.spans
        since = spans[turn - 1][1] if 0 < turn <= len(spans) else 0
        return self._below is not None and since >= self._below - 1

    def _look(self, turn: int, work: int, wanted: int) -> None:
        """Asks for games whose last turn is this one, each with as few events as can be."""
        since, end = self._turns.spans[turn]
        if self._below is not None:
            end = min(end, self._below - 1)
        while since < end and len(self._found) < wanted and self._reason is None:
            result, game = self._game(since, end, work)
            if game is None:
                if result == UNKNOWN:
                    self._open.append(turn)
                break
            self._found.append(self._shortest(game, since))
        self._looked = turn + 1

    def _shortest(self, game: WitnessGame, since: int) -> WitnessGame:
        """The game, or one with fewer events in its last turn; and whether no game has fewer turns,
        for none of those before it was put off."""
        result = UNKNOWN
        while self._watch.left() > 0:
            if len(game.events) - 1 <= since:
                result = UNSAT
                break
            result, shorter = self._game(since, len(game.events) - 1, WORK)
            if shorter is None:
                break
            game = shorter
        first = not self._known and not self._found
        sure = first and result == UNSAT and not self._open and self._turns.exact
        shown: WitnessGame = replace(game, shortest=sure)
        return shown

    def _sooner(self, game: WitnessGame, turn: int) -> WitnessGame:
        """A game among the turns that were put off, if a little time is enough to find one."""
        low, high, work = max(0, min(self._open)), turn, SOONER
        while low < high and self._watch.left() > 0:
            middle = (low + high) // 2
            _, found = self._game(*self._turns.spans[middle], work)
            work //= 2
            if found is None:
                low = middle + 1
            else:
                game, high = found, middle
        return game

    def _game(self, since: int, end: int, work: int) -> tuple[str, WitnessGame | None]:
        """The solver's word on a game that meets the target in these slots, and the game."""
        return self._asked(self._target.goal(self._unrolled, since, end), end, work)

    def _asked(self, goal: Term, until: int, work: int) -> tuple[str, WitnessGame | None]:
        """The solver's word on a goal in the first so many slots, and the game, replayed."""
        unrolled = self._unrolled
        others = [unrolled.unlike(each.events) for each in (*self._known, *self._found)]
        goal = unrolled.terms.every((goal, *others))
        if goal is FALSE:
            return UNSAT, None
        if self._watch.left() <= 0:
            return UNKNOWN, None
        text = script([LabelledAssertion("game", goal)])
        solver = self._solver(text.text, None if NOT_FINITE.search(text.text) else LOGIC, work)
        answer = solver.check(text.switches, self._watch.left(), list(text.names.values()))
        if answer.result != SAT or answer.model is None:
            return answer.result, None
        game = self._replayed(Model(text.names, answer.model), until)
        if game is not None:
            return SAT, game
        if not any(term.op in ("measure", "components", "reach") for term in text.names):
            self._reason = NOT_REPLAYED
        return UNKNOWN, None

    def _replayed(self, model: Model, until: int) -> WitnessGame | None:
        """The game of so many slots that a model stands for; None if it does not replay."""
        try:
            start, events = self._unrolled.begun(model), self._unrolled.events(model, until)
        except UnreadableError:
            return None
        return replay(self._turns.context.instance, self._target, start, events)
