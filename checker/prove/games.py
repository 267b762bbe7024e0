"""Finds games that show something: a few at random first, which costs little, then by the solver.

A game found at random is shortened before it is shown: by asking the solver for one with fewer
events, and by leaving events out. Games for what is possible, games that break a property or an
obligation, and games without an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from checker.kernel.explore import MOST_POSITIONS, explored
from checker.kernel.outcome import Game, Outcome
from checker.meaning import core as c
from checker.play.beginning import open_variables
from checker.play.instance import Instance
from checker.prove.ask import ask
from checker.prove.at_random import MOST_EVENTS, SLOW, play_at_random, shortened
from checker.prove.blocked import nothing_allowed
from checker.prove.cache import Cache
from checker.prove.confirm import NOT_TRIED, only_proposed
from checker.prove.effort import Effort
from checker.prove.everywhere import look_everywhere
from checker.prove.guided import followed
from checker.prove.led import led
from checker.prove.loop import endless
from checker.prove.search import NOT_REPLAYED, Search, Searched
from checker.prove.steered import examples_that_meet, steered
from checker.prove.symmetry import starts_alike
from checker.prove.target import OBLIGED, Sought, Stuck, Target, Unsafe
from checker.prove.turns import Turns
from checker.smt.instantiate import has_quantifiers
from checker.smt.solver import SAT, UNKNOWN, UNSAT
from checker.smt.watch import LateError
from checker.syntax.node import replace
from checker.vc import questions
from checker.vc.context import ProofContext

MOMENT = 2_000
BRIEFLY = 5_000
LATE = 20_000
"""Events at random: a few where much is asked, more where the solver would have to fill a board,
and many where nothing else is of use."""
SLOWLY = 3.0
"""Seconds' worth of playing where it takes long to tell whether something is met."""
EVERYWHERE = 2.0
"""The same for going through all positions of a game, while it is not known to have too many."""
LONG = 150
"""Events of a game that is too long for the solver to find a shorter one in a moment."""
SHORTEN = 3.0
MENTION = 1.0
"""Seconds' worth of work for finding a shorter one that breaks something, or that only shows what
is possible."""
UNPROPOSED = Stuck(proposed=True)
"""Where play stops as far as the spec proposes moves."""


class Games:
    """Looks for games on one ground. What was unrolled for one serves for the next."""

    def __init__(self, ground: ProofContext, effort: Effort, cache: Cache) -> None:
        self._ground = ground
        self._effort = effort
        self._cache = cache
        self._turns: dict[bool, Turns] = {}
        self._vast = False

    def everywhere(self, name: str, kind: str, count: int) -> Outcome:
        """Whether a game at random breaks a property in a moment; if not, whether it holds in all
        positions of a game that has few. Else undecided."""
        began = perf_counter()
        target = self._target(name, kind)
        games = self._at_random(target, MOMENT, count)
        if games:
            return _told(name, self._found(target, games, count), began)
        searched = self._everywhere(target) or Searched((), 0, False, "too many positions")
        return _told(name, searched, began)

    def possible(self, name: str, count: int, guide: Game | None = None, turns: int = 0) -> Outcome:
        """Games that show what is said to be possible, or a proof that none does. Where one game is
        enough, one that follows the guide will do; it may well have so many `turns`."""
        began = perf_counter()
        target = Target(self._property(name), broken=False)
        if guide is not None and count == 1:
            like = self._led(target, guide)
            if like is not None:
                return _told(name, Searched((like,), 0, False, None), began, "possible")
        games = self._at_random(target, LATE if self._boards else MOST_EVENTS, count)
        if not games:
            searched = self._everywhere(target)
            if searched is not None:
                return _told(name, searched, began, "possible")
            games = self._like_usual_ones(target)
        if not games:
            impossible = self._impossible(target.subject)
            if impossible is not None:
                return impossible
        return _told(name, self._found(target, games, count, turns), began, "possible")

    def breaking(self, name: str, kind: str, count: int) -> Outcome:
        """Games that break a property, or what every spec is asked."""
        began = perf_counter()
        if kind == "ends":
            ends = next(each for each in self._ground.spec.ends if each.name == name)
            return _told(name, self._circle(ends), began)
        target = self._target(name, kind)
        games = self._at_random(target, BRIEFLY if self._boards else MOST_EVENTS, count)
        if not games and self._boards:
            games = self._towards_examples(UNPROPOSED if kind == "flow" else target)
        if kind == "flow":
            games = games or self._at_random(UNPROPOSED, LATE)
            if any(only_proposed(self._ground.instance, dict(each.end)) for each in games):
                return _told(name, self._stopped(games), began)
        return _told(name, self._found(target, games, count), began)

    def _towards_examples(self, target: Sought) -> list[Game]:
        """A game that goes on as an example does that meets a target, where the solver would have
        to fill a board."""
        instance = self._ground.instance
        games = (steered(instance, target, each) for each in examples_that_meet(instance, target))
        found = next((each for each in games if each is not None), None)
        return [] if found is None else [found]

    def _stopped(self, games: Sequence[Game]) -> Searched:
        """Games that stop where nothing is proposed, if it is certain that nothing can be done."""
        seconds = self._effort.timeout
        sure = [each for each in games if nothing_allowed(self._ground, each.end, seconds)]
        return Searched(tuple(sure or games), 0, False, None if sure else NOT_TRIED)

    def _target(self, name: str, kind: str) -> Sought:
        """What a game meets that decides a property, or what every spec is asked."""
        if kind in ("invariant", "always", "possible"):
            return Target(self._property(name), broken=kind != "possible")
        return OBLIGED[name]

    def _property(self, name: str) -> c.Property:
        return next(each for each in self._ground.spec.properties if each.name == name)

    def _impossible(self, property: c.Property) -> Outcome | None:
        """That the invariants rule a claim out, None if they do not."""
        try:
            with self._ground.terms.watch.within(self._effort.timeout):
                query = questions.impossible(self._ground, property)
        except LateError:
            return None
        (found,) = ask(self._ground, query, self._effort, self._cache)
        return found if found.result == UNSAT else None

    def _everywhere(self, target: Sought) -> Searched | None:
        """What comes of going through all positions; that there is no game counts only if the
        kernel goes through them, too."""
        if self._vast:
            return None
        seconds = min(EVERYWHERE, self._effort.timeout)
        instance = self._ground.instance
        searched = look_everywhere(instance, target, seconds)
        if searched is not None and searched.complete:
            sure = searched.turns <= MOST_POSITIONS and explored(
                instance, lambda before, after: not target.met(instance, before, after),
                way_on=isinstance(target, Stuck),
            )  # fmt: skip
            searched = searched if sure else None
        self._vast = searched is None
        return searched

    @property
    def _boards(self) -> bool:
        """Whether the solver would have to fill a board."""
        return has_quantifiers(self._ground.invariants)

    def _at_random(self, target: Sought, most: int, count: int = 1) -> list[Game]:
        slow = isinstance(target, SLOW)
        seconds = min(SLOWLY, self._effort.timeout) if slow else self._effort.searching
        found = play_at_random(self._ground.instance, [target], seconds, wanted=count, most=most)
        return found[target.name]

    def _like_usual_ones(self, target: Target) -> list[Game]:
        """Where the solver would have to fill a board: under other readings than the default ones,
        games that follow those found under these."""
        ground = self._ground
        if not self._boards or not ground.setting.readings:
            return []
        usual = Instance(ground.spec, ground.setting.players)
        seconds = self._effort.searching
        guides = play_at_random(usual, [target], seconds, most=LATE)[target.name]
        followers = (followed(ground.instance, target, each) for each in guides)
        return [each for each in followers if each is not None]

    def _led(self, target: Target, guide: Game) -> Game | None:
        """A game that goes as nearly like one of another setting as it may, without detours; with
        the help of the solver, unless it would have to fill a board."""
        instance = self._ground.instance
        game = followed(instance, target, guide)
        if game is None and not self._boards:
            return led(self._unrolled(), target, guide, self._effort.timeout)
        if game is None or game.events == guide.events:
            return game
        return shortened(instance, target, game)

    def _search(self, target: Sought, known: Sequence[Game] = (), anyhow: bool = False) -> Search:
        return Search(self._unrolled(anyhow), target, known)

    def _unrolled(self, anyhow: bool = False) -> Turns:
        if anyhow not in self._turns:
            self._turns[anyhow] = Turns(self._ground, anyhow)
        return self._turns[anyhow]

    def _found(self, target: Sought, games: list[Game], count: int, turns: int = 0) -> Searched:
        """So many different games, those found at random as short as they can be made in a
        moment."""
        searched = Searched((), 0, False, None)
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
        sure = self._one_start and not isinstance(target, Unsafe)
        shown = [replace(each, shortest=each.shortest and sure) for each in games]
        return Searched(tuple(shown[:count]), 0, False, None)

    def _shorter(self, target: Sought, games: list[Game], count: int) -> list[Game]:
        """Games found at random, and those that the solver finds to be shorter, unless it would
        have to fill a board."""
        longest = max(len(each.events) for each in games)
        if self._boards or longest > LONG:
            return games
        breaks = not isinstance(target, Target) or target.broken
        seconds = min(SHORTEN if breaks else MENTION, self._effort.timeout)
        searched = self._search(target).run(seconds, wanted=count, below=longest)
        if searched.exhausted and not searched.games:
            turns = self._turns[False]
            games = [
                replace(each, shortest=len(each.events) == longest and
                        (not turns.waits or (turns.exact and each.turns <= 1)))
                for each in games
            ]  # fmt: skip
        return [*games, *searched.games]

    def _by_solver(self, target: Sought, count: int, turns: int) -> Searched:
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

    def _circle(self, ends: c.Ends) -> Searched:
        game = endless(self._ground.instance, ends, self._effort.searching)
        if game is None:
            return Searched((), 0, False, "no game was found that goes on for ever")
        return Searched((game,), 0, False, None)


def _different(games: Sequence[Game]) -> list[Game]:
    """Each game once, the shortest first."""
    found: list[Game] = []
    for each in sorted(games, key=lambda each: (not each.shortest, len(each.events))):
        if not any(each.events == other.events for other in found):
            found.append(each)
    return found


def _told(name: str, searched: Searched, began: float, kind: str = "game") -> Outcome:
    """What came of a search; without a game, for how many turns there is none."""
    game = searched.game
    result = SAT if game is not None else UNSAT if searched.complete else UNKNOWN
    depth = searched.turns if game is None else game.turns
    return Outcome(
        name, kind, SAT, result, searched.reason, (), perf_counter() - began, searched.unit, None,
        game=game, depth=depth, more=searched.games[1:], complete=searched.complete,
    )  # fmt: skip
