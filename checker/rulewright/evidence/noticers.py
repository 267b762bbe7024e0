"""Who notices a mistake: the examples that no longer pass, the properties that no longer hold.

An invariant or an `always` notices a mistake if a game by the mistaken rules breaks it, played at
random in the compiled module or towards a test vector; a `possible` notices it if the game that
witnesses it can no longer be played. Work is counted, so the answer is always the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulewright.conform.mutation.kill_check import KillChecker
from rulewright.evidence.memory import Memory
from rulewright.evidence.mistakes import NEVER, Mistake
from rulewright.evidence.witnesses import Witness, seats, witnesses
from rulewright.meaning import core as c
from rulewright.play.explain.examples import play_example
from rulewright.play.io.json_codec import decode_event, decode_variables
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, apply
from rulewright.prove.cache.fingerprint import meaning_of
from rulewright.simulate.compiled.modules import made
from rulewright.syntax.node import Node, replace
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame

EVENTS = 60_000
"""Events of random games in which a mistake may show."""
SHOWN = 2
"""All examples and the properties are asked about so many mistakes in a carrier, whoever else
notices them."""
WATCHED = ("invariant", "always")
KINDS = ("property", "possible", "example")
BATCH = 64
LONGEST = 2_000
SETUP = ("players", "readings", "variant")
"""What a set-up says beside the values that variables begin with."""
SAFE = "safe"
"""What every spec claims without saying so: the rules always have an answer."""


class Noticer(Node):
    """Something that notices a mistake: a property or an example, and how."""

    name: str
    kind: str
    """property, possible or example."""


class Watch:
    """The properties and examples of a spec, on the watch for mistakes."""

    def __init__(self, spec: c.Spec) -> None:
        self.spec = spec
        self._telling = KillChecker(spec)
        self._examples = [each for each in spec.examples if each.variant is None]
        self._touched = {each.name: _transitions(each) for each in self._examples}
        self._memory = Memory(spec)

    @cached_property
    def _witnesses(self) -> list[Witness]:
        return witnesses(self.spec)

    def noticers(self, carrier: Sequence[Mistake]) -> list[list[Noticer]]:
        """For each mistake in one carrier all that notices it, as far as the work that is spent
        goes. Games are played for mistakes that nothing else notices, and for the slightest ones
        until properties that cite the carrier's clauses have noticed."""
        with self._memory.about(carrier[0].carrier):
            order = sorted(range(len(carrier)), key=lambda at: not carrier[at].is_slight)
            found = [
                [
                    *self._by_examples(each, all=at in order[:SHOWN] or each.what == NEVER),
                    *self._by_witnesses(each),
                ]
                for at, each in enumerate(carrier)
            ]
            shown, asked = False, 0
            for at in order:
                if not found[at] or (not shown and asked < SHOWN):
                    asked += 1
                    names = self._by_properties(carrier[at], others=not found[at])
                    found[at] = [*(Noticer(name, "property") for name in names), *found[at]]
                    shown = shown or bool(names)
            return found

    def _by_examples(self, mistake: Mistake, all: bool) -> list[Noticer]:
        """The examples that notice a mistake: those that cite its clauses, and the others if none
        of these does, or if `all` are asked."""
        clauses = set(mistake.clauses)
        apart = {each.name: clauses.isdisjoint(each.clauses) for each in self._examples}
        found: list[Noticer] = []
        for example in sorted(self._examples, key=lambda each: apart[each.name]):
            if apart[example.name] and found and not all:
                break
            found += self._by_example(mistake, example)
        return found

    def _by_example(self, mistake: Mistake, example: c.Example) -> list[Noticer]:
        def noticing() -> list[str]:
            if not self._may_show(mistake, self._touched[example.name]):
                return []
            mine = next(each for each in mistake.spec.examples if each.name == example.name)
            # What properties say of an example is theirs.
            return [] if passes(replace(mistake.spec, properties=()), mine) else [example.name]

        question = f"{_key(mistake)} example {self._memory.name(example)}"
        return [Noticer(name, "example") for name in self._memory.ask(question, noticing)]

    def _by_witnesses(self, mistake: Mistake) -> list[Noticer]:
        def noticing() -> list[str]:
            return [
                each.claim
                for each in self._witnesses
                if self._may_show(mistake, each.transitions) and not each.is_played(mistake.spec)
            ]

        if not self._possible:
            return []
        names = self._memory.ask(f"{_key(mistake)} possible {self._possible}", noticing)
        return [Noticer(name, "possible") for name in names]

    @cached_property
    def _possible(self) -> str:
        """All that witnesses are made from, in short; nothing if there is nothing to witness."""
        claims = [each for each in self.spec.properties if each.kind == "possible"]
        named = [self._memory.name(each) for each in (*claims, *self._examples)]
        return meaning_of(named) if claims else ""

    def _may_show(self, mistake: Mistake, touched: Iterable[str]) -> bool:
        if mistake.mutant is None:
            return True
        return any(self._telling.may_show(mistake.mutant, name) for name in touched)

    def _by_properties(self, mistake: Mistake, others: bool) -> list[str]:
        """The properties that cite a clause of the mistake and notice it; if none does and
        `others` are asked, too, those."""
        claims = mistake.spec.properties
        citing = [each for each in claims if not set(mistake.clauses).isdisjoint(each.clauses)]
        names = self._asked(mistake, citing)
        if not names and others:
            names = self._asked(mistake, [each for each in claims if each not in citing])
        return names

    def _asked(self, mistake: Mistake, claims: Sequence[c.Property]) -> list[str]:
        cited = [(each.name, sorted({*each.clauses} & {*mistake.clauses})) for each in claims]
        named = {each.name: self._memory.name(each) for each in self.spec.properties}
        question = (
            f"{_key(mistake)} games {meaning_of(cited, [named[each.name] for each in claims])}"
        )
        return self._memory.ask(question, lambda: self._broken(mistake, claims))

    def _broken(self, mistake: Mistake, claims: Sequence[c.Property]) -> list[str]:
        found = list(_false_theorems(mistake.spec, claims))
        watched = [each for each in claims if each.kind in WATCHED]
        if watched:
            found += _by_games(mistake.spec, watched, set(mistake.clauses))
        return list(dict.fromkeys(found))


def _key(mistake: Mistake) -> str:
    """Names a mistake among those in its carrier."""
    return f"{mistake.number} {mistake.what}"


def along(mistake: Mistake, vectors: Iterable[Mapping[str, Any]]) -> list[Noticer]:
    """The properties that games break which were looked for because of the mistake."""
    watched = [each for each in mistake.spec.properties if each.kind in WATCHED]
    names = dict.fromkeys(
        name
        for line in vectors
        if line["game"] is not None
        for name in _broken_along(mistake.spec, line, watched)
    )
    return [Noticer(name, "property") for name in names]


def _transitions(example: c.Example) -> list[str]:
    found = []
    for each in example.lines:
        if not isinstance(each, c.Expectation):
            event = each.event if isinstance(each, c.ExpectedRefusal) else each
            found.append(event.transition)
    return found


def passes(spec: c.Spec, example: c.Example) -> bool:
    """Whether an example goes as it says, by these rules."""
    try:
        return play_example(spec, example).passed
    except (EvaluationError, UsageError):
        return False


def _false_theorems(spec: c.Spec, claims: Iterable[c.Property]) -> Iterator[str]:
    instance = Instance(spec, spec.least)
    for each in claims:
        if each.kind == "theorem":
            try:
                if not evaluate(each.claim, Environment(instance, {})):
                    yield each.name
            except EvaluationError:
                yield each.name


def _broken_along(
    spec: c.Spec, line: Mapping[str, Any], claims: Sequence[c.Property]
) -> Iterator[str]:
    """The claims that do not hold when a game is played by mistaken rules."""
    setup = line["setup"]
    if setup["variant"] is not None:
        return
    instance = Instance(spec, setup["players"], dict(setup["readings"]))
    left = [each for each in claims if each.name not in instance.accepted]
    try:
        given = {name: told for name, told in setup.items() if name not in SETUP}
        position = initial_position(instance, decode_variables(given, instance))
        for told in (*line["game"], line["event"]):
            event = decode_event(told, instance)
            for taken in apply(instance, position, event):
                env = Environment(instance, taken.before, taken.after)
                there = Environment(instance, taken.after)
                broken = [
                    each
                    for each in left
                    if not evaluate(each.claim, env if each.kind == "always" else there)
                ]
                yield from (each.name for each in broken)
                left = [each for each in left if each not in broken]
                position = taken.after
    except Refused:
        return
    except (EvaluationError, UsageError):
        yield SAFE


def _by_games(
    spec: c.Spec, claims: Sequence[c.Property], clauses: Collection[str]
) -> Iterator[str]:
    """The claims that games at random break, as many as it takes to cite every clause that they
    cite together; where the rules come to a stop instead, that."""
    left, number, events = list(claims), 0, 0
    while left and events < EVENTS:
        game = _watched(spec, left)
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


def _watched(spec: c.Spec, claims: Sequence[c.Property]) -> WasmGame | None:
    """The game of three players if it can be, watching some claims; None if it cannot be played."""
    try:
        instance = Instance(spec, seats(spec))
        return made(lambda: WasmGame(
            instance, watched=True, parts=frozenset(("play",)), reserving=False, watch=claims
        ))  # fmt: skip
    except (UsageError, EvaluationError, Unsupported):
        return None
