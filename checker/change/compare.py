"""Compares two specs: each move, chance event and step, the beginning and the results.

A question is asked first of all positions, then of those that the invariants allow. Invariants that
a proof leans on are proved themselves, each of the version it belongs to; what could not be proved
is not leaned on. Whatever differs becomes a witness by the word of the evaluator.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from checker.change.asking import Found, ask
from checker.change.lockstep import Game
from checker.change.matching import beside, mentions, subjects, unchanged
from checker.change.pair import Pair
from checker.change.precedents import from_precedents
from checker.change.question import (
    BOTH,
    CHANGED,
    LOOSER,
    STRICTER,
    Question,
    questions,
)
from checker.change.reaching import Budget, Reaching
from checker.change.subject import Naming, Subject, differing_parameters
from checker.change.verdict import (
    EQUAL,
    INCOMPARABLE,
    PROVED,
    UNKNOWN,
    UNTOUCHED,
    Compared,
    Difference,
    Verdict,
    verdict_of,
)
from checker.change.witness import Witness, judged
from checker.meaning import core as c
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.prove.cache import Cache
from checker.prove.lemmas import Lemmas
from checker.smt.solver import SAT, UNSAT
from checker.smt.value import UnboundedError
from checker.stopping import StoppedError
from checker.vc.context import Setting

Firm: TypeAlias = "tuple[frozenset[str] | None, frozenset[str] | None]"
"""The invariants of the old and the new side that are leaned on; None for all of them."""
NOTHING: Firm = (frozenset(), frozenset())
SIDES = ("old", "new", BOTH)


class Comparison:
    """Compares two specs in some settings."""

    def __init__(
        self, old: c.Spec, new: c.Spec, settings: Sequence[Setting], lemmas: Lemmas, cache: Cache,
        budget: Budget, say: Callable[[str], None],
        beside: Callable[[Setting], Setting] = lambda setting: setting,
    ) -> None:  # fmt: skip
        """`beside` says how the new side is played where the old one is played in a setting."""
        self._beside = beside
        self.old = old
        self.new = new
        self.settings = settings
        self._lemmas = lemmas
        self._cache = cache
        self._budget = budget
        self._say = say
        self._pairs: dict[tuple[Setting, Firm], Pair] = {}
        self._reaching = Reaching((), budget, cache)
        self._asked: dict[tuple[int, str, str], list[Question]] = {}
        self._apart = any(beside(each) != each for each in settings)
        """Whether two options of a reading are compared: they part only where a game gets."""
        self._indirect = False
        """Whether an answer about the present subject rests on more than the subject itself."""
        self.stopped: str | None = None
        """Why not everything was compared, if the run was ended."""

    def run(self, renamed: Mapping[tuple[str, str], str], reading: str | None = None) -> Compared:
        """The verdicts on all there is; only what is not word for word the same is asked about.
        Of a `reading`: what depends on it, and only if playing at random shows no difference."""
        every = list(subjects(self.old, self.new, renamed))
        telling: Collection[str] = ()
        if reading is None:
            asked = [each for each in every if not unchanged(self.old, self.new, each)]
        else:
            asked = [each for each in every if self._depends(each, reading)]
            telling = beside(self.new, reading)
        self._reaching = Reaching(asked, self._budget, self._cache, telling, Naming(every))
        found = self._come_upon(asked) if reading is not None else {}
        if found:
            return Compared(tuple(found.values()), (), tuple(self.settings))
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
        verdicts = [found.get(each) or Verdict(each, EQUAL, PROVED, (UNTOUCHED,)) for each in every]
        mismatches = self._pair(self.settings[0], NOTHING).mismatches if self.settings else []
        return Compared(tuple(verdicts), tuple(mismatches), tuple(self.settings))

    def _depends(self, subject: Subject, reading: str) -> bool:
        """Whether a reading can make a difference to a subject; to a beginning it always may."""
        return subject.kind == "start" or reading in mentions(self.new, subject.new)

    def _come_upon(self, asked: Sequence[Subject]) -> dict[Subject, Verdict]:
        """What differs in games played at random; of the shortest, one with little in it."""
        for setting in self.settings:
            self._say("playing at random by both")
            pair = self._pair(setting, NOTHING)
            games = self._reaching.any_played(pair)
            if not games:
                continue
            nearest = min(games, key=lambda each: len(games[each].events))
            found = {}
            for subject in asked:
                seen = {way: game for (name, way), game in games.items() if name == subject.name}
                differences = [
                    self._reached(subject, way, setting, game.witness, None)
                    if (subject.name, way) == nearest
                    else Difference(way, setting, game.witness, game, 0)
                    for way, game in seen.items()
                ]  # fmt: skip
                others = () if subject.kind == "result" else {STRICTER, LOOSER} - seen.keys()
                unasked = dict.fromkeys(sorted(others), "one difference is enough to part")
                if differences:
                    found[subject] = verdict_of(subject, differences, unasked, ())
            return found
        return {}

    # ---- one subject

    def _verdict(self, subject: Subject) -> Verdict:
        unlike = differing_parameters(subject)
        if unlike is not None:
            return Verdict(subject, INCOMPARABLE, UNKNOWN, (f"not compared: {unlike}",))
        if subject.kind == "result" and (subject.old is None or subject.new is None):
            word = "added" if subject.old is None else "removed"
            return Verdict(subject, CHANGED, PROVED, (f"`{subject.name}` was {word}",))
        hits: dict[str, tuple[Setting, Witness]] = {}
        open_ways: dict[str, str] = {}
        leaned: set[str] = set()
        self._indirect = False
        mentioned = {
            *mentions(self.old, subject.old), *mentions(self.new, subject.new)
        }  # fmt: skip
        for setting in self.settings:
            chosen = {name for name, _ in setting.readings}
            direct = subject.kind != "start" and not self._indirect and not self._apart
            if chosen and not chosen & mentioned and direct:
                continue  # the question is word for word that of the default
            try:
                for question in self._questions(self._pair(setting, NOTHING), subject):
                    if question.way in hits or question.way in open_ways:
                        continue
                    self._settle(question, subject, setting, hits, open_ways, leaned)
            except UnboundedError as error:
                open_ways[STRICTER] = open_ways[LOOSER] = str(error)
        examples = self._precedents(subject, hits, open_ways)
        self._by_playing(subject, hits, open_ways)
        differences = [
            self._reached(subject, way, setting, witness, examples.get(way))
            for way, (setting, witness) in hits.items()
        ]
        return verdict_of(subject, differences, open_ways, leaned)

    def _settle(
        self, question: Question, subject: Subject, setting: Setting,
        hits: dict[str, tuple[Setting, Witness]], open_ways: dict[str, str], leaned: set[str],
    ) -> None:  # fmt: skip
        """Asks a question: first of all positions, then of those that the invariants allow, and
        if a proof leans on one that is not proved, of those that the proved ones allow."""
        pair = self._pair(setting, NOTHING)
        found = ask(pair, question, self._budget.question, self._cache, small=False)
        if found.result == UNSAT:
            self._indirect = self._indirect or bool(found.used)
            return
        pair = self._pair(setting)
        found = self._ask(pair, question)
        if found.result == UNSAT:
            firm = self._firm(setting, found.used)
            if firm is not None:
                pair = self._pair(setting, firm)
                found = self._ask(pair, question)
        if found.result == UNSAT:
            self._indirect = True
            leaned |= set(_invariants(found.used))
        if found.result == SAT:
            witness = self._judged(pair, subject, found)
            if witness is not None:
                hits.setdefault(witness.way, (setting, witness))
                open_ways.pop(witness.way, None)
            elif question.way not in hits:
                open_ways[question.way] = "what the solver found does not replay"
        elif found.result != UNSAT and question.way not in hits:
            open_ways[question.way] = found.reason or "the solver gave up"

    def _questions(self, pair: Pair, subject: Subject) -> list[Question]:
        """The questions about a subject over a pair, built once."""
        key = id(pair), subject.kind, subject.name
        if key not in self._asked:
            self._asked[key] = questions(pair, subject)
        return self._asked[key]

    def _ask(self, pair: Pair, question: Question) -> Found:
        """The answer to the same question over another pair, with a small difference."""
        again = next(
            each for each in self._questions(pair, question.subject)
            if (each.way, each.part) == (question.way, question.part)
        )  # fmt: skip
        return ask(pair, again, self._budget.question, self._cache)

    def _firm(self, setting: Setting, used: Iterable[str]) -> Firm | None:
        """None if everything a proof leans on is proved, else the invariants that are."""
        self._say("proving the invariants that it leans on")
        leaned = {mark: {n for m, n in map(_marked, used) if m == mark} for mark in SIDES}
        found = []
        complete = True
        sides = ((self.old, "old", setting), (self.new, "new", self._beside(setting)))
        for spec, mark, played in sides:
            names = leaned[mark] | leaned[BOTH]
            names &= {each.name for each in spec.properties}
            proved = self._lemmas.proved(spec, played, names)
            complete = complete and names <= proved
            found.append(proved)
        if complete:
            return None
        one_sided = leaned[BOTH] & (found[0] ^ found[1])
        return found[0] - one_sided, found[1] - one_sided

    def _judged(self, pair: Pair, subject: Subject, found: Found) -> Witness | None:
        assert found.positions is not None and found.choices is not None
        instances = pair.old.instance, pair.new.instance
        try:
            return judged(subject, instances, found.positions, found.choices)
        except EvaluationError:
            return None

    def _precedents(
        self, subject: Subject, hits: dict[str, tuple[Setting, Witness]],
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

            for example, witness in from_precedents(spec, subject, beside, new):
                if witness.way not in hits:
                    instance = witness.instances[1]
                    setting = Setting(instance.players, example.readings, spec.variant)
                    hits[witness.way] = setting, witness
                    names[witness.way] = example.name
                    open_ways.pop(witness.way, None)
        return names

    def _by_playing(
        self, subject: Subject, hits: dict[str, tuple[Setting, Witness]],
        open_ways: dict[str, str],
    ) -> None:  # fmt: skip
        """What playing at random shows where the solver gave up."""
        if subject.kind == "start":
            return
        for way in list(open_ways):
            self._say(f"playing at random to see a difference of {subject.name}")
            setting = self.settings[0]
            game = self._reaching.played(self._pair(setting, NOTHING), subject, way)
            if game is not None:
                hits[way] = setting, game.witness
                del open_ways[way]

    def _reached(
        self, subject: Subject, way: str, setting: Setting, witness: Witness, example: str | None
    ) -> Difference:
        if subject.kind == "start":
            begun = Game(witness.positions[0], (), witness)
            return Difference(way, setting, witness, begun, 0)
        self._say(f"looking for a game that reaches a difference of {subject.name}")
        pair = self._pair(setting, NOTHING)
        found = self._reaching.reached(pair, subject, way)
        game = found.game
        own = any(not each.partly for each in pair.mismatches)
        shown = game.witness if game and (found.small or self._apart or own) else witness
        return Difference(way, setting, shown, game, found.turns, example)

    # ---- what is used again

    def _pair(self, setting: Setting, firm: Firm = (None, None)) -> Pair:
        """Both sides in a setting, with these invariants to lean on (None: all of a side)."""
        if (setting, firm) not in self._pairs:
            self._pairs[setting, firm] = Pair(
                self.old, self.new, (setting, self._beside(setting)), firm
            )
        return self._pairs[setting, firm]


def _marked(label: str) -> tuple[str, str]:
    """The side or sides an assumption belongs to, and its name."""
    mark, _, name = label.partition(": ")
    return mark, name


def _invariants(used: Iterable[str]) -> list[str]:
    """The invariants among the assumptions a proof leaned on."""
    return [each for each in used if ": " in each and not each.endswith("is due")]
