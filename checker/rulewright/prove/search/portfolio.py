"""Search portfolio for witness games: cheap searches first, then the solver.

A game shows what is possible, breaks a property or an obligation, or never ends. It is looked for
in random games, in all positions of a small game, and by bounded model checking. A random game is
made short before it is shown: events are left out, and the solver is asked for a shorter one.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from rulewright.kernel.exploration import MOST_POSITIONS, explored
from rulewright.kernel.outcome import Outcome, WitnessGame
from rulewright.meaning import core as c
from rulewright.play.semantics.initial_states import open_variables
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge.ask_solver import ask
from rulewright.prove.discharge.deadlock_proof import nothing_allowed
from rulewright.prove.discharge.start_symmetry import starts_alike
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.search.bmc import NOT_REPLAYED, BmcResult, BoundedModelChecker
from rulewright.prove.search.directed_search import (
    directed_search,
    examples_that_meet,
    played_from_the_start,
)
from rulewright.prove.search.explicit_state import explore_all_states
from rulewright.prove.search.lasso import find_lasso
from rulewright.prove.search.random_search import MOST_EVENTS, SLOW, play_at_random, shortened
from rulewright.prove.search.search_goals import (
    OBLIGED,
    DeadlockGoal,
    PropertyGoal,
    SearchGoal,
    UndefinedValueGoal,
)
from rulewright.prove.search.trace_transfer import transfer_trace
from rulewright.prove.search.turn_unrolling import TurnUnrolling
from rulewright.prove.verdict.validate_model import NOT_TRIED, only_proposed
from rulewright.simulate.search.exhaustive_search import MOST_POSITIONS as MILLIONS
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT
from rulewright.smt.solver.work_limit import WorkLimitError
from rulewright.smt.terms.instantiate import has_quantifiers
from rulewright.syntax.node import replace
from rulewright.vc import conditions
from rulewright.vc.context import ProofContext

MOMENT = 2_000
BRIEFLY = 5_000
LATE = 20_000
"""Events at random: a few where much is asked, more where the solver would have to fill a board,
and many where nothing else is of use."""
SLOWLY = 3.0
"""Seconds' worth of playing where it takes long to tell whether something is met."""
EVERYWHERE = 2.0
FEW = 200_000
"""The same for going through all positions of a game, while it is not known to have more than so
many. What is left open in the end is given all the work there is, and room for millions."""
LONG = 150
"""Events of a game that is too long for the solver to find a shorter one in a moment."""
SHORTEN = 3.0
MENTION = 1.0
"""Seconds' worth of work for finding a shorter one that breaks something, or that only shows what
is possible."""
UNPROPOSED = DeadlockGoal(proposed=True)
"""Where play stops as far as the spec proposes moves."""


class SearchPortfolio:
    """Looks for games in one proof context. What was unrolled for one search serves the next."""

    def __init__(self, context: ProofContext, effort: ProverOptions, cache: Cache) -> None:
        self._ground = context
        self._effort = effort
        self._cache = cache
        self._turns: dict[bool, TurnUnrolling] = {}
        self._vast = False

    def everywhere(self, name: str, kind: str, count: int) -> Outcome:
        """Whether a game at random breaks a property in a moment; if not, whether it holds in all
        positions of a game that has few. Else undecided."""
        began = perf_counter()
        target = self._target(name, kind)
        games = self._at_random(target, MOMENT, count)
        if games:
            return _told(name, self._found(target, games, count), began)
        searched = self._everywhere(target) or BmcResult((), 0, False, "too many positions")
        return _told(name, searched, began)

    def _at_last(self, target: SearchGoal, tried: BmcResult) -> BmcResult:
        """What comes of going through all positions of a game that may have millions, where all
        else was tried."""
        if tried.settled:
            return tried
        return self._explored(target, self._effort.timeout, MILLIONS) or tried

    def possible(
        self, name: str, count: int, guide: WitnessGame | None = None, turns: int = 0
    ) -> Outcome:
        """Games that show what is said to be possible, or a proof that none does. Where one game is
        enough, one that follows the guide will do. `turns`: how many the game probably takes."""
        began = perf_counter()
        target = PropertyGoal(self._property(name), broken=False)
        if guide is not None and count == 1:
            like = self._led(target, guide)
            if like is not None:
                return _told(name, BmcResult((like,), 0, False, None), began, "possible")
        games = self._at_random(target, MOMENT, count)
        if not games and count == 1:
            played = played_from_the_start(self._ground.instance, target)
            if played is not None:
                return _told(name, BmcResult((played,), 0, False, None), began, "possible")
        searched: BmcResult | None = None
        if not games:
            searched = self._everywhere(target)
            if searched is not None and searched.settled:
                return _told(name, searched, began, "possible")
        if not games and searched is None:
            games = self._at_random(target, LATE if self._boards else MOST_EVENTS, count)
        if not games:
            impossible = self._impossible(target.subject)
            if impossible is not None:
                return impossible
        if searched is None:
            searched = self._at_last(target, self._found(target, games, count, turns))
        return _told(name, searched, began, "possible")

    def soon(self, name: str, count: int) -> Outcome:
        """Games at random that show what is said to be possible, if some do in a moment."""
        began = perf_counter()
        target = PropertyGoal(self._property(name), broken=False)
        games = self._at_random(target, MOMENT, count)
        if games:
            return _told(name, self._found(target, games, count), began, "possible")
        return _told(name, BmcResult((), 0, False, "no random game shows it"), began, "possible")

    def breaking(self, name: str, kind: str, count: int) -> Outcome:
        """Games that break a property, or what every spec is asked."""
        began = perf_counter()
        if kind == "ends":
            ends = next(each for each in self._ground.spec.ends if each.name == name)
            return _told(name, self._circle(ends), began)
        target = self._target(name, kind)
        searched = self._everywhere(target)
        if searched is not None:
            return _told(name, searched, began)
        games = self._at_random(target, BRIEFLY if self._boards else MOST_EVENTS, count)
        if not games and self._boards:
            games = self._towards_examples(UNPROPOSED if kind == "flow" else target)
        if kind == "flow":
            games = games or self._at_random(UNPROPOSED, LATE)
            if any(only_proposed(self._ground.instance, dict(each.end)) for each in games):
                return _told(name, self._stopped(games), began)
        return _told(name, self._at_last(target, self._found(target, games, count)), began)

    def _towards_examples(self, target: SearchGoal) -> list[WitnessGame]:
        """A game that goes on as an example does that meets a target, where the solver would have
        to fill a board."""
        instance = self._ground.instance
        games = (
            directed_search(instance, target, each) for each in examples_that_meet(instance, target)
        )
        found = next((each for each in games if each is not None), None)
        return [] if found is None else [found]

    def _stopped(self, games: Sequence[WitnessGame]) -> BmcResult:
        """Games that stop where nothing is proposed, if it is certain that nothing can be done."""
        seconds = self._effort.timeout
        sure = [each for each in games if nothing_allowed(self._ground, each.end, seconds)]
        return BmcResult(tuple(sure or games), 0, False, None if sure else NOT_TRIED)

    def _target(self, name: str, kind: str) -> SearchGoal:
        """What a game meets that decides a property, or what every spec is asked."""
        if kind in ("invariant", "always", "possible"):
            return PropertyGoal(self._property(name), broken=kind != "possible")
        return OBLIGED[name]

    def _property(self, name: str) -> c.Property:
        return next(each for each in self._ground.spec.properties if each.name == name)

    def _impossible(self, property: c.Property) -> Outcome | None:
        """That the invariants rule a claim out, None if they do not."""
        try:
            with self._ground.terms.watch.within(self._effort.timeout):
                query = conditions.impossible(self._ground, property)
        except WorkLimitError:
            return None
        (found,) = ask(self._ground, query, self._effort, self._cache)
        return found if found.result == UNSAT else None

    def _everywhere(self, target: SearchGoal) -> BmcResult | None:
        """What comes of going through all positions of a game that has few."""
        if self._vast:
            return None
        searched = self._explored(target, min(EVERYWHERE, self._effort.timeout), FEW)
        self._vast = searched is None
        return searched

    def _explored(self, target: SearchGoal, seconds: float, most: int) -> BmcResult | None:
        """What comes of going through all positions; that there is no game is proved only if the
        kernel goes through them, too."""
        instance = self._ground.instance
        searched = explore_all_states(instance, target, seconds, most)
        if searched is not None and searched.complete:
            claim = target.subject if isinstance(target, PropertyGoal) else None
            asking = isinstance(target, UndefinedValueGoal)
            asked = claim is not None or asking or isinstance(target, DeadlockGoal)
            few = asked and searched.turns <= MOST_POSITIONS
            sure = few and explored(instance, claim, asking) is not None
            searched = searched if sure else replace(searched, complete=False)
        return searched

    @property
    def _boards(self) -> bool:
        """Whether the solver would have to fill a board."""
        return has_quantifiers(self._ground.invariants)

    def _at_random(self, target: SearchGoal, most: int, count: int = 1) -> list[WitnessGame]:
        slow = isinstance(target, SLOW)
        seconds = min(SLOWLY, self._effort.timeout) if slow else self._effort.searching
        found = play_at_random(self._ground.instance, [target], seconds, wanted=count, most=most)
        return found[target.name]

    def _led(self, target: PropertyGoal, guide: WitnessGame) -> WitnessGame | None:
        """A game that goes as nearly like one of another setting as it may, without detours."""
        instance = self._ground.instance
        game = transfer_trace(instance, target, guide)
        if game is None or game.events == guide.events:
            return game
        return shortened(instance, target, game)

    def _search(
        self, target: SearchGoal, known: Sequence[WitnessGame] = (), anyhow: bool = False
    ) -> BoundedModelChecker:
        return BoundedModelChecker(self._unrolled(anyhow), target, known)

    def _unrolled(self, anyhow: bool = False) -> TurnUnrolling:
        if anyhow not in self._turns:
            self._turns[anyhow] = TurnUnrolling(self._ground, anyhow)
        return self._turns[anyhow]

    def _found(
        self, target: SearchGoal, games: list[WitnessGame], count: int, turns: int = 0
    ) -> BmcResult:
        """So many different games, those found at random as short as they can be made in a
        moment."""
        searched = BmcResult((), 0, False, None)
        if not games:
            searched = self._by_solver(target, count, turns)
        games = self._shorter(target, games, count) if games else list(searched.games)
        if not games:
            return searched
        games = _different(games)
        if len(games) < count:
            more = self._search(target, games, anyhow=True)
            found = more.run(self._effort.timeout, wanted=count - len(games)).games
            games = _different([*games, *found])
        # what is only asked may have no value sooner, which no game shows
        sure = self._one_start and not isinstance(target, UndefinedValueGoal)
        shown = [replace(each, shortest=each.shortest and sure) for each in games]
        return BmcResult(tuple(shown[:count]), 0, False, None)

    def _shorter(
        self, target: SearchGoal, games: list[WitnessGame], count: int
    ) -> list[WitnessGame]:
        """Games found at random, and those that the solver finds to be shorter, unless it would
        have to fill a board."""
        longest = max(len(each.events) for each in games)
        if self._boards or longest > LONG:
            return games
        breaks = not isinstance(target, PropertyGoal) or target.broken
        seconds = min(SHORTEN if breaks else MENTION, self._effort.timeout)
        searched = self._search(target).run(seconds, wanted=count, below=longest)
        if searched.exhausted and not searched.games:
            turns = self._turns[False]
            games = [
                replace(each, shortest=len(each.events) == longest and
                        not turns.unrolled.ordered and
                        (not turns.waits or (turns.exact and each.turns <= 1)))
                for each in games
            ]  # fmt: skip
        return [*games, *searched.games]

    def _by_solver(self, target: SearchGoal, count: int, turns: int) -> BmcResult:
        """Games that begin as usual, where the solver has least to think of; if there are none,
        games that begin anyhow."""
        searched = self._search(target).run(self._effort.searching, wanted=count, likely=turns)
        bug = searched.reason == NOT_REPLAYED
        if searched.games or bug or not open_variables(self._ground.instance):
            return searched
        return self._search(target, anyhow=True).run(self._effort.timeout, wanted=count)

    @property
    def _one_start(self) -> bool:
        """Whether the usual start of a game stands for all."""
        instance = self._ground.instance
        return not open_variables(instance) or starts_alike(instance)

    def _circle(self, ends: c.Ends) -> BmcResult:
        game = find_lasso(self._ground.instance, ends, self._effort.searching)
        if game is None:
            return BmcResult((), 0, False, "no game was found that goes on for ever")
        return BmcResult((game,), 0, False, None)


def _different(games: Sequence[WitnessGame]) -> list[WitnessGame]:
    """Each game once, the shortest first."""
    found: list[WitnessGame] = []
    for each in sorted(games, key=lambda each: (not each.shortest, len(each.events))):
        if not any(each.events == other.events for other in found):
            found.append(each)
    return found


def _told(name: str, searched: BmcResult, began: float, kind: str = "game") -> Outcome:
    """What came of a search; without a game, for how many turns there is none."""
    game = searched.game
    result = SAT if game is not None else UNSAT if searched.complete else UNKNOWN
    depth = searched.turns if game is None else game.turns
    return Outcome(
        name, kind, SAT, result, searched.reason, (), perf_counter() - began, searched.unit, None,
        game=game, depth=depth, more=searched.games[1:], complete=searched.complete,
    )  # fmt: skip
