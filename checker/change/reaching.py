"""Games that reach a difference: looked for by the solver, shortest first; where it finds none in a
short while, by playing at random by both rules; and if need be by the solver again, for longer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from checker.change.lockstep import Game, Lockstep, replays
from checker.change.pair import Pair
from checker.change.search import Search
from checker.change.subject import Naming, Subject
from checker.prove.cache import Cache
from checker.syntax.node import Node
from checker.vc.context import Setting

RARE = 4
"""So many times as many games, and as long, for a result: there is one to a game."""


class Budget(Node):
    """Seconds for each question and for looking for a shortest game, and how many games are
    played at random (for half that time at most)."""

    question: float = 10.0
    games: int = 120
    search: float = 20.0
    seed: int = 0


class Reached(Node):
    """A game, if one was found, and for how many turns there is none; `small` says that the
    solver found it, with little on the table."""

    game: Game | None
    turns: int
    small: bool


class Reaching:
    """Looks for games that reach differences of some subjects."""

    def __init__(
        self, subjects: Sequence[Subject], budget: Budget, cache: Cache,
        telling: Collection[str] = (), naming: Naming | None = None,
    ) -> None:  # fmt: skip
        """`naming` knows the events of all subjects, not only of those looked for."""
        self._naming = naming
        self._subjects = subjects
        self._telling = telling
        self._budget = budget
        self._cache = cache
        self._lockstep: dict[Setting, Lockstep] = {}

    def reached(self, pair: Pair, subject: Subject, way: str) -> Reached:
        """What is found for a difference; a game that the evaluator does not play is none."""
        search = Search(pair, subject, way, self._cache)
        searched = search.run(self._budget.search / 4)
        played = None if searched.game is not None else self.played(pair, subject, way)
        if searched.game is None and played is None:
            searched = search.run(self._budget.search)
        game = searched.game or played
        if game is not None and not replays(game, 0):
            game = None
        return Reached(game, searched.turns, game is not None and game is searched.game)

    def played(self, pair: Pair, subject: Subject, way: str) -> Game | None:
        """A game found by playing at random by both rules."""
        lockstep = self._playing(pair)
        times = RARE if subject.kind == "result" else 1
        wanted = subject.name, way
        lockstep.run(wanted, self._budget.games * times, self._budget.search / 2 * times)
        return lockstep.games.get((subject.name, way))

    def any_played(self, pair: Pair) -> dict[tuple[str, str], Game]:
        """What playing at random comes upon, by subject and way; each game by the evaluator too."""
        lockstep = self._playing(pair)
        times = RARE if any(each.kind == "result" for each in self._subjects) else 1
        lockstep.run(None, self._budget.games * times, self._budget.search / 2 * times)
        return {key: game for key, game in lockstep.games.items() if replays(game, 0)}

    def _playing(self, pair: Pair) -> Lockstep:
        setting = pair.old.setting
        if setting not in self._lockstep:
            instances = pair.old.instance, pair.new.instance
            self._lockstep[setting] = Lockstep(
                instances, self._subjects, self._budget.seed, self._telling, self._naming
            )
        return self._lockstep[setting]
