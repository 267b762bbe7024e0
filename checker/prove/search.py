"""Looks for games with the solver: every game of one turn, of two turns, and so on.

Where a game begins stays open as far as the rules leave it open, and so does chance. A turn is
what lies between two times at which play must be where it began; in a game without such times,
one event. Whatever is found is replayed in the evaluator before it counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

from checker.prove.ground import Ground
from checker.prove.replayed import replay
from checker.prove.target import Sought
from checker.prove.unroll import LateError, Unrolled
from checker.prove.verdict import Game
from checker.smt.decode import Model, UnreadableError
from checker.smt.solver import SAT, UNKNOWN, UNSAT, Z3
from checker.smt.term import FALSE, Term
from checker.smt.text import Labelled, script
from checker.syntax.node import Node

LOGIC = "QF_FD"
"""Everything in a game is finite, which the solver has a logic for."""
PATIENCE = 1.0
"""Seconds for a turn before it is put off."""
PUT_OFF = 3
"""So many turns are put off before longer games are looked at, with more time."""
MOST_TURNS = 40
LONG_TURN = 8
"""Events for each player within which play should be back where it began."""
SOONER = 3.0
"""Seconds for finding a game among the turns that were put off, once there is a longer one."""
NOT_REPLAYED = "a game was found that does not replay: a bug of ours"


class Searched(Node):
    """The games that were found; else for how many turns (or events, as `unit` says) there is
    none, whether those are all the games there are, and why no more is known."""

    games: tuple[Game, ...]
    turns: int
    complete: bool
    reason: str | None
    unit: str = "turn"

    @property
    def game(self) -> Game | None:
        return self.games[0] if self.games else None


class Search:
    """Looks for one target, turn by turn. A turn that takes too long is put off: often a longer
    game is easier to find than the proof that no shorter one is there."""

    def __init__(
        self, ground: Ground, target: Sought, in_seat_order: bool, known: Sequence[Game] = (),
        anyhow: bool = True,
    ) -> None:  # fmt: skip
        """`known` are games that need not be found again; games begin anyhow, or as usual."""
        self._ground = ground
        self._target = target
        begin = Unrolled.any_game if anyhow else Unrolled.game
        self._unrolled = begin(ground, in_seat_order)
        self._first = self._unrolled.phases()
        self._spans: list[tuple[int, int]] = []
        self._open: list[int] = []
        self._by_event = False
        self._known = list(known)
        self._found: list[Game] = []
        self._reason: str | None = None
        self._over = False
        self._looked = 0
        self._below: int | None = None

    def run(
        self, seconds: float, most: int = MOST_TURNS, wanted: int = 1, below: int | None = None
    ) -> Searched:
        """Looks until so many games are found, the time is over, or all turns were looked at, or
        all games with less than so many events."""
        until = process_time() + seconds
        self._below = below
        self._unrolled.deadline = until
        try:
            if self._target.at_start:
                self._at_once(seconds)
            self._turn_by_turn(until, most, wanted)
            if self._found and self._open:
                self._found[0] = self._sooner(self._found[0], self._looked - 1)
        except LateError:
            self._over = False
        known = max(0, min(self._open, default=self._looked))
        complete = self._over and not self._open
        reason = self._reason or (None if self._found or complete else self._why(until))
        unit = "event" if self._by_event else "turn"
        return Searched(tuple(self._found), known, complete, reason, unit)

    def _at_once(self, seconds: float) -> None:
        """Asks whether the target is met before anything has happened."""
        result, game = self._asked(self._target.at_once(self._unrolled), seconds)
        if game is not None:
            self._found.append(game)
        elif result == UNKNOWN:
            self._open.append(-1)

    def _turn_by_turn(self, until: float, most: int, wanted: int) -> None:
        budget, turn = PATIENCE, 0
        while len(self._found) < wanted and self._reason is None and process_time() < until:
            if turn >= len(self._spans):
                enough = self._below is not None and len(self._unrolled.slots) >= self._below - 1
                if turn >= most or enough or not self._extend():
                    return
            elif len(self._open) >= PUT_OFF and turn + 1 < most and self._reaches(turn + 1):
                budget *= 4  # look further ahead, and longer
                turn = self._look(turn + 1, budget, until, wanted)
            else:
                turn = self._look(turn, budget, until, wanted)

    def _reaches(self, turn: int) -> bool:
        return turn < len(self._spans) or (self._extend() and turn < len(self._spans))

    def _why(self, until: float) -> str:
        return "out of time" if process_time() >= until else "no longer games were looked at"

    def _extend(self) -> bool:
        """Plays one turn more; False if no game goes on."""
        unrolled = self._unrolled
        since = len(unrolled.slots)
        longest = 1 if self._by_event else LONG_TURN * self._ground.instance.players
        while unrolled.extend():
            if unrolled.phases() == self._first:
                break
            if len(unrolled.slots) - since >= longest:
                self._by_event = True
                break
        else:
            self._over = True
        here = len(unrolled.slots)
        if self._by_event:
            self._spans += [(slot, slot + 1) for slot in range(since, here)]
        elif here > since:
            self._spans.append((since, here))
        return here > since

    def _look(self, turn: int, budget: float, until: float, wanted: int) -> int:
        """Asks for games whose last turn is this one, each with as few events as can be; then the
        next turn is due."""
        since, end = self._spans[turn]
        if self._below is not None:
            end = min(end, self._below - 1)
        while since < end and len(self._found) < wanted and self._reason is None:
            game = self._game(since, end, min(budget, until - process_time()), turn)
            if game is None:
                break
            while len(game.events) - 1 > since and process_time() < until:
                shorter = self._game(since, len(game.events) - 1, PATIENCE)
                if shorter is None:
                    break
                game = shorter
            self._found.append(game)
        self._looked = turn + 1
        return turn + 1

    def _sooner(self, game: Game, turn: int) -> Game:
        """A game among the turns that were put off, if a little time is enough to find one."""
        until = process_time() + SOONER
        low, high = max(0, min(self._open)), turn
        while low < high and process_time() < until:
            middle = (low + high) // 2
            found = self._game(*self._spans[middle], (until - process_time()) / 2)
            if found is None:
                low = middle + 1
            else:
                game, high = found, middle
        return game

    def _game(self, since: int, end: int, seconds: float, turn: int | None = None) -> Game | None:
        """A game that meets the target in these slots; a turn that stays open is noted."""
        goal = self._target.goal(self._unrolled, since, end)
        result, game = self._asked(goal, seconds)
        if result == UNKNOWN and turn is not None and turn not in self._open:
            self._open.append(turn)
        return game

    def _asked(self, goal: Term, seconds: float) -> tuple[str, Game | None]:
        """The solver's word on a goal, and the game it has found, replayed."""
        unrolled = self._unrolled
        others = [unrolled.unlike(each.events) for each in (*self._known, *self._found)]
        goal = unrolled.terms.every((goal, *others))
        if goal is FALSE:
            return UNSAT, None
        if seconds <= 0:
            return UNKNOWN, None
        text = script([Labelled("game", goal)])
        finite = "(forall" not in text.text and "(Int) Int)" not in text.text
        solver = Z3(text.text, LOGIC if finite else None)
        answer = solver.check(text.switches, seconds, list(text.names.values()))
        if answer.result != SAT or answer.model is None:
            return answer.result, None
        model = Model(text.names, answer.model)
        try:
            start, events = unrolled.begun(model), unrolled.events(model)
        except UnreadableError:
            return UNKNOWN, None
        game = replay(self._ground.instance, self._target, start, events)
        if game is not None:
            return SAT, game
        if not any(term.op in ("measure", "components") for term in text.names):
            self._reason = NOT_REPLAYED
        return UNKNOWN, None
