"""Finds games that show something: a few at random first, which costs little, then by the solver.

A game found at random is shortened before it is shown: by asking the solver for one with fewer
events, and by leaving events out. Games for what is possible, games that break a property or an
obligation, and games without an end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

from checker.meaning import core as c
from checker.play.beginning import open_variables
from checker.prove import obligations
from checker.prove.ask import Effort, ask
from checker.prove.at_random import play_at_random, shortened
from checker.prove.cache import Cache
from checker.prove.confirm import NOT_TRIED, only_proposed
from checker.prove.ground import Ground
from checker.prove.loop import endless
from checker.prove.search import NOT_REPLAYED, Search, Searched
from checker.prove.target import OBLIGED, Sought, Stuck, Target
from checker.prove.verdict import Game, Outcome
from checker.smt.solver import SAT, UNKNOWN, UNSAT
from checker.syntax.node import replace

RANDOM_PLAY = 3.0
"""Seconds for playing at random."""
SHORTEN = 3.0
"""Seconds for making a game shorter."""


def possible(
    ground: Ground, only: tuple[str, ...], count: int, effort: Effort, cache: Cache
) -> Iterator[Outcome]:
    """Games that show what is said to be possible, or a proof that none does."""
    wanted = [
        Target(each, broken=False)
        for each in ground.spec.properties
        if each.kind == "possible" and (not only or each.name in only)
    ]
    seconds = min(RANDOM_PLAY, effort.timeout)
    games = play_at_random(ground.instance, wanted, seconds, wanted=count)
    for target in wanted:
        began = perf_counter()
        if not games[target.name]:
            sheet = obligations.impossible(ground, target.subject)
            (found,) = ask(ground, sheet, effort, cache)
            if found.result == UNSAT:
                yield Outcome(
                    target.name, "possible", SAT, UNSAT, None, found.used, found.seconds, "", None
                )
                continue
        told = _told(target.name, _games(ground, target, games[target.name], count, effort), began)
        yield replace(told, kind="possible")


def breaking(ground: Ground, name: str, kind: str, count: int, effort: Effort) -> Outcome:
    """Games that break a property, or what every spec is asked."""
    began = perf_counter()
    if kind == "ends":
        ends = next(each for each in ground.spec.ends if each.name == name)
        return _told(name, _circle(ground, ends, effort), began)
    target: Sought
    if kind in ("invariant", "always"):
        target = Target(next(p for p in ground.spec.properties if p.name == name), broken=True)
    else:
        target = OBLIGED[name]
    seconds = min(RANDOM_PLAY, effort.timeout)
    games = play_at_random(ground.instance, [target], seconds, wanted=count)[name]
    if kind == "flow" and not games:
        proposed = Stuck(proposed=True)
        games = play_at_random(ground.instance, [proposed], effort.timeout)[name]
        if any(only_proposed(ground.instance, dict(each.end)) for each in games):
            return _told(name, Searched(tuple(games), 0, False, NOT_TRIED), began)
    return _told(name, _games(ground, target, games, count, effort), began)


def _games(
    ground: Ground, target: Sought, games: list[Game], count: int, effort: Effort
) -> Searched:
    """So many different games, those found at random as short as they can be made in a moment."""
    if not games:
        searched = _searched(ground, target, count, effort)
        if not searched.games:
            return searched
        games = list(searched.games)
    else:
        games = [shortened(ground.instance, target, each, SHORTEN) for each in games]
        longest = max(len(each.events) for each in games)
        seconds = min(SHORTEN, effort.timeout)
        usual = Search(ground, target, True, anyhow=False)
        games += usual.run(seconds, wanted=count, below=longest).games
    games = _different(games)
    if len(games) < count:
        more = Search(ground, target, True, games).run(effort.timeout, wanted=count - len(games))
        games = _different([*games, *more.games])
    return Searched(tuple(games[:count]), 0, False, None)


def _searched(ground: Ground, target: Sought, count: int, effort: Effort) -> Searched:
    """Games that begin as usual, where the solver has least to think of; if there are none, games
    that begin anyhow."""
    searched = Search(ground, target, True, anyhow=False).run(2 * effort.timeout, wanted=count)
    bug = searched.reason == NOT_REPLAYED
    if searched.games or bug or not open_variables(ground.instance):
        return searched
    return Search(ground, target, True).run(effort.timeout, wanted=count)


def _different(games: Sequence[Game]) -> list[Game]:
    """Each game once, the shortest first."""
    found: list[Game] = []
    for each in sorted(games, key=lambda each: len(each.events)):
        if not any(each.events == other.events for other in found):
            found.append(each)
    return found


def _circle(ground: Ground, ends: c.Ends, effort: Effort) -> Searched:
    game = endless(ground.instance, ends, effort.timeout)
    if game is None:
        return Searched((), 0, False, "no game was found that goes on for ever")
    return Searched((game,), 0, False, None)


def _told(name: str, searched: Searched, began: float) -> Outcome:
    """What came of a search; without a game, for how many turns there is none."""
    game = searched.game
    result = SAT if game is not None else UNSAT if searched.complete else UNKNOWN
    depth = searched.turns if game is None else game.turns
    return Outcome(
        name, "game", SAT, result, searched.reason, (), perf_counter() - began, searched.unit, None,
        game=game, depth=depth, more=searched.games[1:], complete=searched.complete,
    )  # fmt: skip
