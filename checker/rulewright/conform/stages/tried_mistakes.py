"""What an engine was tested for: which mistakes of the catalogue were tried on it, and which not.

A mistake is one that some vector shows. It was tried if the engine came to such a vector and its
answer tells the mistake: whether it takes the event, or what it reports of the variables that come
out wrong. All others are listed with the reason, so that nobody takes silence for an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.conform.mutation.judgement import LEGAL, SCORE, WINS
from rulewright.syntax.node import Node

NO_GAME = "no game is known that leads there, and the engine cannot load a position"
NOT_PLAYED = "the engine does not play a set-up that shows them"
IN_ORDER = "the engine asks its players in another order"
WENT_WRONG = "the engine goes wrong on the way there"
NOT_BEGUN = "the run ended before"
RESULTS = (SCORE, WINS)


class Untested(Node):
    """A mistake that was not tried, and why not."""

    requirement: str
    what: str
    why: str

    @property
    def name(self) -> str:
        """As a list of accepted ones has it."""
        return f"{self.requirement}: {self.what}"


class Tested(Node):
    """How much of the catalogue was tried on an engine: `mistakes` that a vector shows, how many
    of them were `tried`, which not, how many concern readings and variants that the engine does
    not have (`foreign`), and how many changes of the rules nobody knows to be mistakes."""

    mistakes: int
    tried: int
    untested: tuple[Untested, ...]
    foreign: int
    undecided: int

    def reasons(self) -> list[str]:
        """Why mistakes were not tried, the commonest reason first, with how many."""
        counted = Counter(each.why for each in self.untested)
        return [f"{times}: {why}" for why, times in counted.most_common()]

    def without(self, accepted: Collection[str]) -> Tested:
        """The same, where somebody accepts that these are not tried."""
        left = tuple(each for each in self.untested if each.name not in accepted)
        return Tested(self.mistakes, self.tried, left, self.foreign, self.undecided)


Unseen: TypeAlias = "tuple[int, Mapping[str, Any]]"
"""A mistake, and a vector that shows it."""


class TriedMistakes:
    """Keeps account of the mistakes that the vectors of a spec show."""

    def __init__(self, header: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> None:
        self._names = {
            each["mistake"]: (line["requirement"], each["what"])
            for line in lines
            for each in line["mistakes"]
        }
        self._undecided = len(header["undecided"])
        self._tried: set[int] = set()
        self._why: dict[int, str] = {}
        self._foreign: set[int] = set()
        self._unseen: dict[int, Unseen] = {}
        self._missed: dict[int, Mapping[str, Any]] = {}
        self.reported: Collection[str] | None = None
        """The variables that the engine reported after every event that was looked at."""

    def tried(self, line: Mapping[str, Any], reported: Collection[str], scored: bool) -> None:
        """A vector was tried on an engine that reported these variables after it, and was or was
        not asked for the results."""
        if line["expected"]["legal"]:
            kept = self.reported
            self.reported = set(reported if kept is None else (n for n in kept if n in reported))
        for each in line["mistakes"]:
            seen = [
                name
                for name in each["told_by"]
                if name == LEGAL or name in reported or (scored and name in RESULTS)
            ]
            if seen:
                self._tried.add(each["mistake"])
            else:
                names = ", ".join(f"`{name}`" for name in each["told_by"])
                self._why[each["mistake"]] = f"the engine does not report {names}"
                self._unseen[each["mistake"]] = each["mistake"], line

    def found_by(self, line: Mapping[str, Any]) -> None:
        """A vector was tried, and the engine went wrong there."""
        self._tried.update(each["mistake"] for each in line["mistakes"])

    def tried_later(self, mistake: int) -> None:
        """A mistake was tried in a game that shows it later."""
        self._tried.add(mistake)

    def missed(self, line: Mapping[str, Any], why: str = NO_GAME) -> None:
        """A vector was not tried."""
        for each in line["mistakes"]:
            self._why.setdefault(each["mistake"], why)
            self._missed.setdefault(each["mistake"], line)

    def not_come_to(self) -> list[Unseen]:
        """The mistakes that show only where the engine was not brought to, each with a vector."""
        return [
            (number, self._missed[number])
            for number in sorted(self._missed.keys() - self._tried)
            if self._why.get(number) in (NOT_PLAYED, NO_GAME, IN_ORDER)
        ]

    def unseen(self) -> list[Unseen]:
        """The mistakes that could not be seen so far in what the engine says."""
        return [self._unseen[each] for each in sorted(self._unseen.keys() - self._tried)]

    def foreign(self, line: Mapping[str, Any]) -> None:
        """A vector is of a reading or variant that the engine does not have."""
        self._foreign.update(each["mistake"] for each in line["mistakes"])

    def result(self) -> Tested:
        """How much was tried."""
        foreign = {each for each in self._foreign - self._tried if each not in self._why}
        untested = tuple(self._untested(foreign))
        known = len(self._names) - len(foreign)
        return Tested(known, len(self._tried), untested, len(foreign), self._undecided)

    def _untested(self, foreign: set[int]) -> Iterator[Untested]:
        for number, name in sorted(self._names.items()):
            if number not in self._tried and number not in foreign:
                yield Untested(*name, self._why.get(number, NOT_BEGUN))
