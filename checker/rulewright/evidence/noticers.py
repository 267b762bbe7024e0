"""Who notices a mistake: the examples that no longer pass, the claims that no longer hold.

A claim notices a mistake if a game by the mistaken rules breaks it, played at random in the
compiled module or towards a test vector; a `possible` notices it if the games that witness it can
no longer be played, and no game at random shows it either. What fails by the rules as they are
notices nothing. Work is counted, so the answer is always the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from rulewright.conform.mutation.kill_check import KillChecker
from rulewright.evidence.broken_claims import (
    SAFE,
    WATCHED,
    Claim,
    broken_claims,
    false_claims,
    shown_possible,
)
from rulewright.evidence.memory import Memory
from rulewright.evidence.mistakes import NEVER, Mistake
from rulewright.evidence.witnesses import Witness, witnesses
from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample, play_example
from rulewright.play.io.json_codec import decode_event, decode_variables
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, apply
from rulewright.play.semantics.values import Position
from rulewright.prove.cache.fingerprint import meaning_of
from rulewright.syntax.node import Node, replace

SHOWN = 2
"""All examples are asked about so many mistakes in a carrier, whoever else notices them."""
REFUSED, POSSIBLE = "move refused", "possible"
KINDS = ("property", POSSIBLE, "example", REFUSED)
SETUP = ("players", "readings", "variant")
"""What a set-up says beside the values that variables begin with."""
AS_IT_IS = "the rules as they are"


class Noticer(Node):
    """Something that notices a mistake: a property or an example, and how."""

    name: str
    kind: str
    """property, possible, example, or `move refused`: an example with a move that is no longer
    allowed, though all before it goes as it should."""


class Watch:
    """The claims and examples of a spec, on the watch for mistakes."""

    def __init__(self, spec: c.Spec) -> None:
        self.spec = spec
        self._telling = KillChecker(spec)
        self._memory = Memory(spec)
        self._courses: dict[str, list[Position]] = {}
        self._examples = [each for each in spec.examples if each.variant is None]
        closure = self._telling.dependencies.closure
        self._read = {each.name: closure(_read_by(each)) for each in self._examples}
        """What an example reads itself, whatever it plays."""
        self._read |= {each.name: closure([each.claim]) for each in spec.properties}

    @cached_property
    def failing(self) -> frozenset[str]:
        """The examples and claims that fail by the rules as they are."""
        bare = replace(self.spec, properties=())
        claims = _claims(self.spec)
        named = [self._memory.name(each) for each in claims]
        with self._memory.about(AS_IT_IS):
            found = self._memory.ask(
                f"games {meaning_of(named)}", lambda: false_claims(self.spec, claims)
            )
            for each in self._examples:
                question = f"example {self._memory.name(each)}"
                found = [*found, *self._memory.ask(question, partial(_fails, bare, each))]
        return frozenset(found)

    @cached_property
    def _witnesses(self) -> list[Witness]:
        return witnesses(self.spec)

    def noticers(self, carrier: Sequence[Mistake]) -> list[list[Noticer]]:
        """For each mistake in one carrier all that notices it, as far as the work that is spent
        goes. Games are played for mistakes that nothing else notices, and for the slightest ones
        until claims that cite the carrier's clauses have noticed."""
        failing = self.failing
        with self._memory.about(carrier[0].carrier):
            order = sorted(range(len(carrier)), key=lambda at: not carrier[at].is_slight)
            found = [
                self._by_examples(each, all=at in order[:SHOWN] or each.what == NEVER)
                for at, each in enumerate(carrier)
            ]
            for at, each in enumerate(carrier):
                found[at] += self._by_witnesses(each, others=not found[at])
            shown: set[str] = set()
            for at in order:
                mistake = carrier[at]
                names = self._by_claims(mistake, shown, others=not found[at])
                found[at] = [*(Noticer(name, "property") for name in names), *found[at]]
                shown.update(
                    clause
                    for each in _claims(self.spec)
                    if each.name in names
                    for clause in each.clauses
                )
            return [[each for each in noticers if each.name not in failing] for noticers in found]

    def along(self, mistake: Mistake, vectors: Iterable[Mapping[str, Any]]) -> list[Noticer]:
        """The properties that games break which were looked for because of the mistake."""
        failing = self.failing
        watched = [
            each
            for each in mistake.spec.properties
            if each.kind in WATCHED and each.name not in failing
        ]
        names = dict.fromkeys(
            name
            for line in vectors
            if line["game"] is not None
            for name in _broken_along(mistake.spec, line, watched)
        )
        return [Noticer(name, "property") for name in names]

    def _by_examples(self, mistake: Mistake, all: bool) -> list[Noticer]:
        """The examples that notice a mistake: those that cite its clauses, and the others if none
        of these does, or if `all` are asked."""
        clauses = set(mistake.clauses)
        apart = {each.name: clauses.isdisjoint(each.clauses) for each in self._examples}
        found: list[Noticer] = []
        for example in sorted(self._examples, key=lambda each: apart[each.name]):
            if example.name in self.failing:
                continue
            if apart[example.name] and found and not all:
                break
            found += self._by_example(mistake, example)
        return found

    def _by_example(self, mistake: Mistake, example: c.Example) -> list[Noticer]:
        def noticing() -> list[str]:
            if not self._may_show(mistake, example.name, _transitions(example)):
                return []
            mine = next(each for each in mistake.spec.examples if each.name == example.name)
            # What properties say of an example is theirs.
            played = _played(replace(mistake.spec, properties=()), mine)
            if played is None or played.failure is None:
                return [example.name] if played is None else []
            before = [each.after for each in played.happened]
            alike = before == self._course(example)[: len(before)]
            return [example.name, *([REFUSED] if played.failure.refused and alike else [])]

        question = f"{_key(mistake)} example {self._memory.name(example)}"
        found = self._memory.ask(question, noticing)
        return [Noticer(example.name, REFUSED if REFUSED in found else "example")] if found else []

    def _course(self, example: c.Example) -> list[Position]:
        """The positions that an example comes to by the rules as they are."""
        found = self._courses.get(example.name)
        if found is None:
            played = _played(replace(self.spec, properties=()), example)
            found = [each.after for each in played.happened] if played is not None else []
            self._courses[example.name] = found
        return found

    def _by_witnesses(self, mistake: Mistake, others: bool) -> list[Noticer]:
        """What is no longer possible with a mistake: of what cites its clauses; if `others` are
        asked, too, or a move is never made, of everything."""

        def noticing() -> list[str]:
            lost: dict[int | None, list[str]] = {}
            for name, shown in self._witnessed(claims).items():
                if not any(
                    not self._may_show(mistake, name, each.transitions)
                    or each.is_played(mistake.spec)
                    for each in shown
                ):
                    lost.setdefault(shown[0].players, []).append(name)
            return [name for players, names in lost.items() for name in names_left(names, players)]

        def names_left(names: list[str], players: int | None) -> list[str]:
            wrong = [each for each in mistake.spec.properties if each.name in names]
            shown = shown_possible(mistake.spec, wrong, players)
            return [name for name in names if name not in shown]

        claims = [
            each
            for each in self.spec.properties
            if each.kind == "possible"
            and (
                others or mistake.what == NEVER or not set(mistake.clauses).isdisjoint(each.clauses)
            )
        ]
        if not claims:
            return []
        named = [self._memory.name(each) for each in (*claims, *self._examples)]
        question = f"{_key(mistake)} possible {meaning_of(named)}"
        names = self._memory.ask(question, noticing)
        return [Noticer(name, POSSIBLE) for name in names]

    def _witnessed(self, claims: Sequence[c.Property]) -> dict[str, list[Witness]]:
        """The witnesses of each of some claims that has any."""
        found = {
            each.name: [one for one in self._witnesses if one.claim == each.name] for each in claims
        }
        return {name: shown for name, shown in found.items() if shown}

    def _may_show(self, mistake: Mistake, name: str, touched: Iterable[str]) -> bool:
        """Whether a mistake may show in a game of these transitions or in what is asked of it."""
        if mistake.mutant is None or mistake.mutant.shared in self._read[name]:
            return True
        return any(self._telling.may_show(mistake.mutant, each) for each in touched)

    def _by_claims(self, mistake: Mistake, shown: set[str], others: bool) -> list[str]:
        """The claims that cite a clause of the mistake that is not `shown` yet and notice it; if
        `others` are asked, too, those that cite one that is, and if none of these does, all."""
        claims = [each for each in _claims(mistake.spec) if each.name not in self.failing]
        clauses = set(mistake.clauses) - (set() if others else shown)
        citing = [each for each in claims if not clauses.isdisjoint(each.clauses)]
        names = self._asked(mistake, citing, clauses) if citing else []
        if not names and others:
            rest = [each for each in claims if each not in citing]
            names = self._asked(mistake, rest, clauses)
        return names

    def _asked(
        self, mistake: Mistake, claims: Sequence[Claim], clauses: Collection[str]
    ) -> list[str]:
        cited = [(each.name, sorted({*each.clauses} & {*clauses})) for each in claims]
        named = {each.name: self._memory.name(each) for each in _claims(self.spec)}
        question = (
            f"{_key(mistake)} games {meaning_of(cited, [named[each.name] for each in claims])}"
        )
        return self._memory.ask(question, lambda: broken_claims(mistake.spec, claims, clauses))


def _claims(spec: c.Spec) -> list[Claim]:
    """All claims but for what is possible, which games show and do not break."""
    return [*(each for each in spec.properties if each.kind != "possible"), *spec.ends]


def _key(mistake: Mistake) -> str:
    """Names a mistake among those in its carrier."""
    return f"{mistake.number} {mistake.what}"


def _transitions(example: c.Example) -> list[str]:
    found = []
    for each in example.lines:
        if not isinstance(each, c.Expectation):
            event = each.event if isinstance(each, c.ExpectedRefusal) else each
            found.append(event.transition)
    return found


def _read_by(example: c.Example) -> list[c.Core]:
    """What an example says beside its events."""
    return [*example.given, *(each for each in example.lines if isinstance(each, c.Expectation))]


def _fails(spec: c.Spec, example: c.Example) -> list[str]:
    return [] if passes(spec, example) else [example.name]


def passes(spec: c.Spec, example: c.Example) -> bool:
    """Whether an example goes as it says, by these rules."""
    played = _played(spec, example)
    return played is not None and played.passed


def _played(spec: c.Spec, example: c.Example) -> PlayedExample | None:
    try:
        return play_example(spec, example)
    except (EvaluationError, UsageError):
        return None


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
