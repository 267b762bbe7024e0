"""Compares two specs: each move, chance event and step, the beginning and the results.

A question is asked first of all positions, then of those that the invariants allow. Invariants that
a proof leans on are proved themselves, each of the version it belongs to; what could not be proved
is not leaned on. Whatever differs becomes a witness by the word of the evaluator.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from rulewright.change.games.example_seeds import from_example_seeds
from rulewright.change.games.lockstep import DivergingGame
from rulewright.change.games.reachability import ReachabilitySearch, SearchBudget
from rulewright.change.semantic.verdict import (
    PROVED,
    UNKNOWN,
    UNTOUCHED,
    ComparisonResult,
    ComparisonVerdict,
    Difference,
    verdict_of,
)
from rulewright.change.semantic.witness import Witness, judge_witness
from rulewright.change.text.matching import beside, mentions
from rulewright.change.text.subject import EventRenaming
from rulewright.compare.solve import SolvedQuestion, ask
from rulewright.kernel import comparison as kernel
from rulewright.kernel.comparison import BOTH, CHANGED, EQUAL, INCOMPARABLE, LOOSER, STRICTER
from rulewright.kernel.ledger import Key, LedgerEntry
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import Subject, differing_parameters, same, subjects
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.invariants.lemmas import Lemmas
from rulewright.smt.encode.symbolic_values import UnboundedError
from rulewright.smt.solver.solver import SAT, UNSAT
from rulewright.system.interrupts import StoppedError
from rulewright.vc.difference import WAYS, differences
from rulewright.vc.difference import Difference as Query
from rulewright.vc.product import Product

Firm: TypeAlias = "tuple[frozenset[str] | None, frozenset[str] | None]"
"""The invariants of the old and the new side that are leaned on; None for all of them."""
NOTHING: Firm = (frozenset(), frozenset())
NOT_ASKED = "there are values that only one of the two knows"
UNPROVED = "it rests on what is not proved"


class SpecComparison:
    """Compares two specs in some settings."""

    def __init__(
        self,
        old: c.Spec,
        new: c.Spec,
        settings: Sequence[Configuration],
        lemmas: Lemmas,
        cache: Cache,
        budget: SearchBudget,
        say: Callable[[str], None],
        beside: Callable[[Configuration], Configuration] = lambda configuration: configuration,
    ) -> None:
        """`beside` says how the new side is played where the old one is played in a setting."""
        self._beside = beside
        self.old = old
        self.new = new
        self.settings = settings
        self._lemmas = lemmas
        self._cache = cache
        self._budget = budget
        self._say = say
        self._products: dict[tuple[Configuration, Firm], Product] = {}
        self._ledgers = {
            each: kernel.Comparison(old, new, each.players, (each.readings, beside(each).readings))
            for each in settings
        }
        self._reaching = ReachabilitySearch((), budget, cache)
        self._asked: dict[tuple[int, str, str], list[Query]] = {}
        self._plain: dict[tuple[str, str, int], list[Outcome]] = {}
        """What was refuted of a subject without any invariant, with the usual readings."""
        self._apart = any(beside(each) != each for each in settings)
        """Whether two options of a reading are compared: they part only where a game gets."""
        self.stopped: str | None = None
        """Why not everything was compared, if the run was ended."""

    def run(
        self, renamed: Mapping[tuple[str, str], str], reading: str | None = None
    ) -> ComparisonResult:
        """The verdicts on all there is; only what is not word for word the same is asked about.
        Of a `reading`: what depends on it, and only if playing at random shows no difference."""
        every = subjects(self.old, self.new, renamed)
        telling: Collection[str] = ()
        if reading is None:
            asked = [each for each in every if not same(self.old, self.new, each)]
        else:
            asked = [each for each in every if self._depends(each, reading)]
            telling = beside(self.new, reading)
        self._reaching = ReachabilitySearch(
            asked, self._budget, self._cache, telling, EventRenaming(every)
        )
        found = self._come_upon(asked) if reading is not None else {}
        if found:
            return ComparisonResult(tuple(found.values()), (), tuple(self.settings))
        for subject in asked:
            self._say(f"comparing {subject.name}")
            try:
                found[subject] = self._verdict(subject)
            except StoppedError as end:
                if reading is not None:  # whether the options part was not found out
                    raise
                self.stopped = end.why
                break
        for subject in asked:
            if subject not in found and self.stopped is not None:
                open_ways = {STRICTER: self.stopped, LOOSER: self.stopped}
                found[subject] = verdict_of(subject, (), open_ways, ())
        verdicts = [
            found.get(each) or ComparisonVerdict(each, EQUAL, PROVED, (UNTOUCHED,))
            for each in every
        ]
        mismatches = self._product(self.settings[0], NOTHING).mismatches if self.settings else []
        return ComparisonResult(tuple(verdicts), tuple(mismatches), tuple(self.settings))

    def _depends(self, subject: Subject, reading: str) -> bool:
        """Whether a reading can make a difference to a subject; to a beginning it always may."""
        return subject.kind == "start" or reading in mentions(self.new, subject.new)

    def _come_upon(self, asked: Sequence[Subject]) -> dict[Subject, ComparisonVerdict]:
        """What differs in games played at random; of the shortest, one with little in it."""
        for configuration in self.settings:
            self._say("playing at random by both")
            games = self._reaching.any_played(self._product(configuration, NOTHING))
            if not games:
                continue
            nearest = min(games, key=lambda each: len(games[each].events))
            found = {}
            for subject in asked:
                seen = {way: game for (name, way), game in games.items() if name == subject.name}
                differences = [
                    self._reached(subject, way, configuration, game.witness, None)
                    if (subject.name, way) == nearest
                    else Difference(way, configuration, game.witness, game, 0)
                    for way, game in seen.items()
                ]  # fmt: skip
                others = () if subject.kind == "result" else {STRICTER, LOOSER} - seen.keys()
                unasked = dict.fromkeys(sorted(others), "one difference is enough to part")
                if differences:
                    found[subject] = verdict_of(subject, differences, unasked, ())
            return found
        return {}

    # ---- one subject

    def _verdict(self, subject: Subject) -> ComparisonVerdict:
        unlike = differing_parameters(subject)
        if unlike is not None:
            return ComparisonVerdict(subject, INCOMPARABLE, UNKNOWN, (f"not compared: {unlike}",))
        if subject.kind == "result" and (subject.old is None or subject.new is None):
            word = "added" if subject.old is None else "removed"
            return ComparisonVerdict(subject, CHANGED, PROVED, (f"`{subject.name}` was {word}",))
        if subject.kind == "end":
            return ComparisonVerdict(subject, CHANGED, PROVED, tuple(_endings(self.old, self.new)))
        hits: dict[str, tuple[Configuration, Witness]] = {}
        reasons: dict[str, str] = {}
        leaned: set[str] = set()
        for configuration in self.settings:
            try:
                if self._carried(subject, configuration) <= hits.keys() | reasons.keys():
                    continue
                for query in self._queries(self._product(configuration, NOTHING), subject):
                    if query.way not in hits and query.way not in reasons:
                        self._settle(query, configuration, hits, reasons, leaned)
            except UnboundedError as error:
                reasons |= dict.fromkeys(WAYS, str(error))
        examples = self._precedents(subject, hits, reasons)
        self._by_playing(subject, hits, reasons)
        differing = [
            self._reached(subject, way, configuration, witness, examples.get(way))
            for way, (configuration, witness) in hits.items()
        ]
        left = set().union(*(each.open(subject) for each in self._ledgers.values())) - hits.keys()
        open_ways = {way: reasons.get(way, NOT_ASKED) for way in WAYS if way in left}
        return verdict_of(subject, differing, open_ways, leaned)

    def _carried(self, subject: Subject, configuration: Configuration) -> set[str]:
        """What is left of a subject where what was refuted with the usual readings counts, too."""
        for outcome in self._plain.get((subject.kind, subject.name, configuration.players), ()):
            self._ledgers[configuration].carry(outcome, subject)
        return self._ledgers[configuration].open(subject)

    def _settle(
        self,
        query: Query,
        configuration: Configuration,
        hits: dict[str, tuple[Configuration, Witness]],
        reasons: dict[str, str],
        leaned: set[str],
    ) -> None:
        """Asks a question: first of all positions, then of those that the invariants allow, and
        if a proof leans on one that is not proved, of those that the proved ones allow."""
        subject = query.subject
        found = ask(
            self._product(configuration, NOTHING),
            query,
            self._budget.question,
            self._cache,
            small=False,
        )
        if self._noted(configuration, found):
            if not configuration.readings:
                key = subject.kind, subject.name, configuration.players
                self._plain.setdefault(key, []).append(found.outcome)
            return
        product = self._product(configuration)
        found = self._ask(product, query)
        noted = self._noted(configuration, found)
        if found.result == UNSAT and not noted:
            product = self._product(configuration, self._firm(configuration, found.outcome))
            found = self._ask(product, query)
            noted = self._noted(configuration, found)
        if noted:
            leaned |= set(_invariants(found.outcome.used))
        elif found.result == SAT:
            witness = self._judged(product, subject, found)
            if witness is not None:
                hits.setdefault(witness.way, (configuration, witness))
                reasons.pop(witness.way, None)
            elif query.way not in hits:
                reasons[query.way] = "what the solver found does not replay"
        elif query.way not in hits:
            given_up = UNPROVED if found.result == UNSAT else "the solver gave up"
            reasons[query.way] = found.outcome.reason or given_up

    def _queries(self, product: Product, subject: Subject) -> list[Query]:
        """The questions about a subject over a product, built once."""
        key = id(product), subject.kind, subject.name
        if key not in self._asked:
            self._asked[key] = differences(product, subject)
        return self._asked[key]

    def _ask(self, product: Product, query: Query) -> SolvedQuestion:
        """The answer to the same question over another product, with a small difference."""
        again = next(
            each for each in self._queries(product, query.subject)
            if (each.way, each.how) == (query.way, query.how)
        )  # fmt: skip
        return ask(product, again, self._budget.question, self._cache)

    def _noted(self, configuration: Configuration, found: SolvedQuestion) -> bool:
        """Whether the kernel takes a refutation; what it rests on is proved before."""
        if found.result != UNSAT:
            return False
        ledger = self._ledgers[configuration]
        known: list[Mapping[Key, LedgerEntry]] = []
        for (spec, played), claims in zip(self._sides(configuration), ledger.rests(found.outcome)):
            if claims:
                self._say("proving the invariants that it leans on")
            names = [name for name, _ in claims]
            known.append(self._lemmas.entries(spec, played, names) if claims else {})
        return ledger.note(found.outcome, *known)

    def _sides(
        self, configuration: Configuration
    ) -> tuple[tuple[c.Spec, Configuration], tuple[c.Spec, Configuration]]:
        return (self.old, configuration), (self.new, self._beside(configuration))

    def _firm(self, configuration: Configuration, outcome: Outcome) -> Firm:
        """The invariants that are proved, of those that a refutation rests on."""
        rests = self._ledgers[configuration].rests(outcome)
        old, new = (
            self._lemmas.proved(spec, played, [name for name, _ in claims])
            for (spec, played), claims in zip(self._sides(configuration), rests)
        )
        shared = {n for m, _, n in (each.partition(": ") for each in outcome.used) if m == BOTH}
        one_sided = shared & (old ^ new)
        return old - one_sided, new - one_sided

    def _judged(self, product: Product, subject: Subject, found: SolvedQuestion) -> Witness | None:
        assert found.positions is not None and found.choices is not None
        instances = product.old.instance, product.new.instance
        try:
            return judge_witness(subject, instances, found.positions, found.choices)
        except EvaluationError:
            return None

    def _precedents(
        self, subject: Subject, hits: dict[str, tuple[Configuration, Witness]],
        open_ways: dict[str, str],
    ) -> dict[str, str]:  # fmt: skip
        """What the worked examples show where the solver gave up: the names of the examples."""
        names: dict[str, str] = {}
        if not open_ways:
            return names
        for spec, new in ((self.old, False), (self.new, True)):
            other = self.old if new else self.new

            def beside(instance: Instance, other: c.Spec = other) -> Instance | None:
                try:
                    return Instance(other, instance.players, instance.readings)
                except UsageError:
                    return None

            for example, witness in from_example_seeds(spec, subject, beside, new):
                if witness.way not in hits:
                    instance = witness.instances[1]
                    configuration = Configuration(instance.players, example.readings, spec.variant)
                    hits[witness.way] = configuration, witness
                    names[witness.way] = example.name
                    open_ways.pop(witness.way, None)
        return names

    def _by_playing(
        self, subject: Subject, hits: dict[str, tuple[Configuration, Witness]],
        open_ways: dict[str, str],
    ) -> None:  # fmt: skip
        """What playing at random shows where the solver gave up."""
        if subject.kind == "start":
            return
        for way in list(open_ways):
            self._say(f"playing at random to see a difference of {subject.name}")
            configuration = self.settings[0]
            game = self._reaching.played(self._product(configuration, NOTHING), subject, way)
            if game is not None:
                hits[way] = configuration, game.witness
                del open_ways[way]

    def _reached(
        self,
        subject: Subject,
        way: str,
        configuration: Configuration,
        witness: Witness,
        example: str | None,
    ) -> Difference:
        if subject.kind == "start":
            begun = DivergingGame(witness.positions[0], (), witness)
            return Difference(way, configuration, witness, begun, 0)
        self._say(f"looking for a game that reaches a difference of {subject.name}")
        product = self._product(configuration, NOTHING)
        found = self._reaching.reached(product, subject, way)
        game = found.game
        own = any(not each.partly for each in product.mismatches)
        shown = game.witness if game and (found.small or self._apart or own) else witness
        return Difference(way, configuration, shown, game, found.turns, example)

    # ---- what is used again

    def _product(self, configuration: Configuration, firm: Firm = (None, None)) -> Product:
        """Both sides in a setting, with these invariants to lean on (None: all of a side)."""
        if (configuration, firm) not in self._products:
            self._products[configuration, firm] = Product.of(
                self.old, self.new, (configuration, self._beside(configuration)), firm
            )
        return self._products[configuration, firm]


def _endings(old: c.Spec, new: c.Spec) -> Iterator[str]:
    """Which phases end the game by one of the two only."""
    before = {each.name: each.final for each in old.phases}
    for each in new.phases:
        if before.get(each.name, each.final) != each.final:
            yield f"`{each.name}` ends the game by the {'new' if each.final else 'old'} rules only"


def _invariants(used: Iterable[str]) -> list[str]:
    """The invariants among the assumptions a proof leaned on."""
    return [each for each in used if ": " in each and not each.endswith("is due")]
