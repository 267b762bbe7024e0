"""Broken claims: what games at random by some rules show of the claims of a spec.

An invariant or an `always` is broken where it does not hold, a measure where it does not fall, a
secret where two games that look alike to a player come to differ. Of what is possible, games show
that it is. Work is counted, so the answer is always the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from rulewright.evidence.falling_measures import with_measure
from rulewright.evidence.witnesses import seats
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.twin_games import SECRET, twin_games
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.modules import made
from rulewright.syntax.node import replace
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame

EVENTS = 60_000
"""Events of random games in which a mistake may show."""
WATCHED = ("invariant", "always")
BATCH = 64
LONGEST = 2_000
SAFE = "safe"
"""What every spec claims without saying so: the rules always have an answer."""
Claim: TypeAlias = "c.Property | c.Ends"


def broken_claims(spec: c.Spec, claims: Sequence[Claim], clauses: Collection[str]) -> list[str]:
    """The claims that do not hold, as many as it takes to cite these clauses as far as any does;
    where the rules come to a stop instead, that."""
    stated = [each for each in claims if isinstance(each, c.Property)]
    found = list(_false_theorems(spec, stated))
    found += _by_games(spec, [each for each in stated if each.kind in WATCHED], clauses)
    if secrets := {each.name: each for each in stated if each.kind == SECRET}:
        twins = twin_games(spec)
        pairs = [
            replace(each, clauses=secrets[each.name].clauses)
            for each in twins.properties
            if each.name in secrets
        ]
        found += _by_games(twins, pairs, clauses)
    for each in claims:
        if isinstance(each, c.Ends):
            measured, falls = with_measure(spec, each)
            found += _by_games(measured, [falls], clauses)
    return list(dict.fromkeys(found))


def false_claims(spec: c.Spec, claims: Iterable[Claim]) -> list[str]:
    """All claims that do not hold, whatever they cite."""
    alone = [replace(each, clauses=(each.name,)) for each in claims]
    return broken_claims(spec, alone, [each.name for each in alone])


def shown_possible(
    spec: c.Spec, claims: Iterable[c.Property], players: int | None
) -> Collection[str]:
    """The claims of what is possible that games at random show."""
    never = [
        replace(
            each,
            kind="invariant",
            clauses=(each.name,),
            claim=c.Unary(each.claim.span, y.BOOL, "not", each.claim),
        )
        for each in claims
    ]
    return set(_by_games(spec, never, [each.name for each in never], players))


def _false_theorems(spec: c.Spec, claims: Iterable[c.Property]) -> Iterator[str]:
    instance = Instance(spec, spec.least)
    for each in claims:
        if each.kind == "theorem":
            try:
                if not evaluate(each.claim, Environment(instance, {})):
                    yield each.name
            except EvaluationError:
                yield each.name


def _by_games(
    spec: c.Spec,
    claims: Sequence[c.Property],
    clauses: Collection[str],
    players: int | None = None,
) -> Iterator[str]:
    """The claims that games at random break, as many as it takes to cite every one of these clauses
    that they cite together; where the rules come to a stop instead, that."""
    left, number, events = list(claims), 0, 0
    while left and events < EVENTS:
        game = _watched(spec, left, seats(spec) if players is None else players)
        broken = None
        while game is not None and broken is None and events < EVENTS:
            played = game.some(BATCH, 1, number, LONGEST)
            events += played.events + 1
            number += played.games
            if played.wrong is not None:
                number += 1
                events += played.wrong[1]
                broken = played.broken
                if broken is None and not isinstance(played.error, Unsupported | LimitError):
                    yield SAFE
                    return
        if broken is None:
            return
        yield broken.name
        clauses = set(clauses).difference(broken.clauses)
        left = [each for each in left if not clauses.isdisjoint(each.clauses)]


def _watched(spec: c.Spec, claims: Sequence[c.Property], players: int) -> WasmGame | None:
    """The game with some claims watched; None if it cannot be played."""
    try:
        instance = Instance(spec, players)
        return made(lambda: WasmGame(
            instance, watched=True, parts=frozenset(("play",)), reserving=False, watch=claims
        ))  # fmt: skip
    except (UsageError, EvaluationError, Unsupported):
        return None
