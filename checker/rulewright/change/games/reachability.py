"""Games that reach a difference. First the solver looks for a shortest game for a short while, then
random games are played by both rules, then the solver looks for longer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulewright.change.games.bmc import DifferenceBmc
from rulewright.change.games.lockstep import DivergingGame, Lockstep, replays
from rulewright.change.text.subject import EventRenaming
from rulewright.meaning.counterparts import Subject
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.syntax.node import Node
from rulewright.vc.product import Product

RARE = 4
"""So many times as many games, and as long, for a result: there is one to a game."""


class SearchBudget(Node):
    """Seconds for each question and for looking for a shortest game, and how many games are
    played at random (for half that time at most)."""

    question: float = 10.0
    games: int = 120
    search: float = 20.0
    seed: int = 0


class ReachedDifference(Node):
    """A game, if one was found, and for how many turns there is none; `small` says that the
    solver found it, with little on the table."""

    game: DivergingGame | None
    turns: int
    small: bool


class ReachabilitySearch:
    """Looks for games that reach differences of some subjects."""

    def __init__(
        self, subjects: Sequence[Subject], budget: SearchBudget, cache: Cache,
        telling: Collection[str] = (), naming: EventRenaming | None = None,
    ) -> None:  # fmt: skip
        """`naming` knows the events of all subjects, not only of those looked for."""
        self._naming = naming
        self._subjects = subjects
        self._telling = telling
        self._budget = budget
        self._cache = cache
        self._lockstep: dict[Configuration, Lockstep] = {}

    def reached(self, product: Product, subject: Subject, way: str) -> ReachedDifference:
        """What is found for a difference; a game that the evaluator does not play is none."""
        search = DifferenceBmc(product, subject, way, self._cache)
        searched = search.run(self._budget.search / 4)
        played = None if searched.game is not None else self.played(product, subject, way)
        if searched.game is None and played is None:
            searched = search.run(self._budget.search)
        game = searched.game or played
        if game is not None and not replays(game, 0):
            game = None
        return ReachedDifference(game, searched.turns, game is not None and game is searched.game)

    def played(self, product: Product, subject: Subject, way: str) -> DivergingGame | None:
        """A game found by playing at random by both rules."""
        lockstep = self._playing(product)
        times = RARE if subject.kind == "result" else 1
        wanted = subject.name, way
        lockstep.run(wanted, self._budget.games * times, self._budget.search / 2 * times)
        return lockstep.games.get((subject.name, way))

    def any_played(self, product: Product) -> dict[tuple[str, str], DivergingGame]:
        """What playing at random comes upon, by subject and way; each game by the evaluator too."""
        lockstep = self._playing(product)
        times = RARE if any(each.kind == "result" for each in self._subjects) else 1
        lockstep.run(None, self._budget.games * times, self._budget.search / 2 * times)
        return {key: game for key, game in lockstep.games.items() if replays(game, 0)}

    def _playing(self, product: Product) -> Lockstep:
        configuration = product.old.configuration
        if configuration not in self._lockstep:
            instances = product.old.instance, product.new.instance
            self._lockstep[configuration] = Lockstep(
                instances, self._subjects, self._budget.seed, self._telling, self._naming
            )
        return self._lockstep[configuration]
