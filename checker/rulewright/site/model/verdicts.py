"""What has been proved, as far as the pages may say so.

Reads what `rulewright prove --format json` printed (and `conform` and `readings`, for what an
engine was asked and where readings part), and nothing else: a property is called proved only if
there is a verdict for every number of players, in the spec as it is now, under the default of every
open question. Whatever was proved of another version of the spec is stale, and what was never asked
is not proved yet.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.meaning.core import Spec
from rulewright.syntax.node import Node, replace
from rulewright.system.whole_file import whole_text

PROVED, WITNESSED, IDLE, PARTLY, BOUNDED, REFUTED, UNKNOWN, STALE, NOT_YET, EMPTY = (
    "proved", "witnessed", "never arises", "partly proved", "bounded", "refuted", "unknown",
    "stale", "not proved yet", "says nothing",
)  # fmt: skip

TESTED, IN_PART, UNTESTED, CITED = "tested", "tested in part", "untested", "only cited"
"""What a clause can have earned."""
VACUITY = "vacuity"
"""The kind of a verdict on whether what a property is about ever comes about."""
Coverage = Mapping[str, Mapping[str, int]]
"""By spec hash, how many steps of an engine made use of each clause."""
NOTHING: Coverage = {}
LARGEST = 256 << 20
"""Bytes of a file of verdicts; no game comes near."""


class VerdictsError(Exception):
    """A file of verdicts that cannot be used; the message says why."""


class PublishedVerdict(Node):
    """The verdict on one property with so many players, under these readings, in this variant."""

    name: str
    kind: str
    players: int | None
    readings: Mapping[str, str]
    variant: str | None
    verdict: str
    depth: int | None
    uses: tuple[str, ...]
    trace: Sequence[Any] | None
    position: Mapping[str, Any] | None
    start: Mapping[str, Any] | None
    spec: str | None
    spec_hash: str | None
    reason: str | None = None
    loop: int | None = None
    """After so many events the game goes round for ever."""
    accepted: str | None = None
    """Why it is known to be so."""


class ReadingDifference(Node):
    """How an option of an open question differs from the default: `parts`, `never`, `not found` or
    `unknown`; with the differences that were found, each with a position that shows it."""

    reading: str
    option: str
    outcome: str
    differences: Sequence[Mapping[str, Any]]
    spec_hash: str | None


class EarnedEvidence(Node):
    """What a clause has earned by `rulewright evidence`: tested (in part), untested or only cited;
    the mistake that shows it best with who notices it, why the spec accepts it as it is, and what
    carries it out, too, though nothing that cites it, or nothing at all, notices."""

    word: str
    mistake: str | None
    noticed_by: str | None
    accepted: str | None
    not_shown: tuple[str, ...] = ()
    unnoticed: tuple[str, ...] = ()

    @property
    def bites(self) -> bool:
        return self.word == TESTED


class PublishedStatus(Node):
    """What a page may say of a property: a word, for how many players it holds, and the verdicts
    behind it."""

    word: str
    players: tuple[int, ...] = ()
    uses: tuple[str, ...] = ()
    verdicts: tuple[PublishedVerdict, ...] = ()
    idle: str = ""
    """Why what it is about never arises, or why it says nothing."""

    @property
    def holds(self) -> bool:
        """Whether it may be called proved, or for a `possible` witnessed."""
        return self.word in (PROVED, WITNESSED)


Earned = Mapping[str, Mapping[str, EarnedEvidence]]
"""By spec hash, what each clause has earned."""
NOTHING_EARNED: Earned = {}
Trivial = Mapping[str, Mapping[tuple[str, str | None], str]]
"""By spec hash, why a claim says nothing, or nothing about a clause that it cites."""
NOTHING_TRIVIAL: Trivial = {}
NEVER_CUT: Mapping[str, str] = {}
"""By spec hash, why the search for evidence was ended early."""


class Verdicts:
    """All verdicts there are, of any number of specs."""

    def __init__(
        self, verdicts: Iterable[PublishedVerdict] = (), coverage: Coverage = NOTHING,
        partings: Iterable[ReadingDifference] = (), earned: Earned = NOTHING_EARNED,
        trivial: Trivial = NOTHING_TRIVIAL, cut_short: Mapping[str, str] = NEVER_CUT,
    ) -> None:  # fmt: skip
        self._by_name: dict[str, list[PublishedVerdict]] = {}
        self._coverage = coverage
        self._partings = tuple(partings)
        self._earned = earned
        self._trivial = trivial
        self._cut_short = cut_short
        for each in verdicts:
            self._by_name.setdefault(each.name, []).append(each)

    def about(self, name: str, spec_hash: str) -> str:
        """All that pages about a spec can say of it from here, as one text."""
        everything = [each for found in self._by_name.values() for each in found]
        verdicts = [each for each in everything if _is_about(each, name, spec_hash)]
        partings = [each for each in self._partings if each.spec_hash == spec_hash]
        earned = sorted(self._earned.get(spec_hash, {}).items())
        trivial = sorted(self._trivial.get(spec_hash, {}).items(), key=str)
        return repr((verdicts, self.coverage(spec_hash), partings, earned, trivial))

    def earned(self, spec_hash: str, clause: str) -> EarnedEvidence | None:
        """What a clause of this version has earned; None if that was not asked or not decided."""
        return self._earned.get(spec_hash, {}).get(clause)

    def cut_short(self, spec_hash: str) -> str | None:
        """Why it was not found out what every clause of this version has earned, if so."""
        return self._cut_short.get(spec_hash)

    def trivial(self, spec_hash: str | None) -> Mapping[tuple[str, str | None], str]:
        """Why claims of this version say nothing; or, with a clause, nothing about that."""
        return self._trivial.get(spec_hash or "", {})

    def coverage(self, spec_hash: str) -> Mapping[str, int] | None:
        """How often an engine was asked about each clause of this version; None if never."""
        return self._coverage.get(spec_hash)

    def partings(self, spec_hash: str, reading: str) -> list[ReadingDifference]:
        """How the other options of an open question of this version differ from its default."""
        known = [each for each in self._partings if each.spec_hash == spec_hash]
        return [each for each in known if each.reading == reading]

    def of(
        self, spec: Spec, spec_hash: str | None, name: str,
        readings: Mapping[str, str] | None = None, variant: str | None = None,
    ) -> PublishedStatus:  # fmt: skip
        """How a property of a spec stands, under the default readings or these."""
        wanted = {each.name: each.default for each in spec.readings} | dict(readings or {})
        meant = [
            each
            for each in self._by_name.get(name, [])
            if each.variant == variant
            and _is_about(each, spec.name, spec_hash)
            and all(wanted.get(key) == option for key, option in each.readings.items())
        ]
        current = [each for each in meant if each.spec_hash == spec_hash]
        if meant and not current:
            return PublishedStatus(STALE, (), (), tuple(meant))
        kinds = {each.name: each.kind for each in spec.properties}
        found = [each for each in current if each.kind != VACUITY]
        status = _standing(found, kinds.get(name, "ends"), range(spec.least, spec.most + 1))
        for each in current:
            if status.word == PROVED and each.kind == VACUITY and each.verdict == REFUTED:
                status = replace(status, word=IDLE, idle=each.accepted or each.reason or "")
        empty = self.trivial(spec_hash).get((name, None))
        if empty is not None and status.holds:
            status = replace(status, word=EMPTY, idle=empty)
        return status


def read_verdicts(paths: Iterable[Path]) -> Verdicts:
    """The verdicts in some files; a file that is not there has none."""
    found: list[PublishedVerdict] = []
    coverage: dict[str, Mapping[str, int]] = {}
    partings: list[ReadingDifference] = []
    earned: dict[str, Mapping[str, EarnedEvidence]] = {}
    trivial: dict[str, Mapping[tuple[str, str | None], str]] = {}
    cut_short: dict[str, str] = {}
    for path in paths:
        if not path.exists():
            continue
        try:
            report = json.loads(whole_text(path, LARGEST))
            match report.get("command"):
                case "conform":
                    if report["summary"].get("coverage"):
                        steps = dict(report["summary"]["coverage"])
                        coverage[report["spec_hash"]] = {k: _is(v, int) for k, v in steps.items()}
                case "readings":
                    partings += partings_in(report)
                case "evidence":
                    earned[report["spec_hash"]] = earned_in(report)
                    trivial[report["spec_hash"]] = trivial_in(report)
                    if stopped := report.get("summary", {}).get("stopped"):
                        cut_short[report["spec_hash"]] = _is(stopped, str)
                case _:
                    found += verdicts_in(report)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise VerdictsError(
                f"`{path}` is not what `rulewright prove --format json` prints"
            ) from error
    return Verdicts(found, coverage, partings, earned, trivial, cut_short)


def files_in(path: Path) -> list[Path]:
    """The files of verdicts that a path means: itself, or those in a folder."""
    return sorted(path.glob("*.json")) if path.is_dir() else [path]


def verdicts_in(report: Mapping[str, Any]) -> list[PublishedVerdict]:
    """The verdicts of one report of `prove`; raises TypeError if it is not one."""
    return [
        PublishedVerdict(
            name=_is(each["name"], str),
            kind=_is(each["kind"], str),
            players=_is(each.get("players"), int),
            readings={_is(k, str): _is(v, str) for k, v in (each.get("readings") or {}).items()},
            variant=_is(each.get("variant"), str),
            verdict=_is(each["verdict"], str),
            depth=_is(each.get("depth"), int),
            uses=tuple(_is(label, str) for label in each.get("uses") or ()),
            trace=_is(each.get("trace"), list),
            position=_is(each.get("position"), dict),
            start=_is(each.get("start"), dict),
            spec=_name_of(_is(each.get("spec") or report.get("spec"), str)),
            spec_hash=_is(each.get("spec_hash") or report.get("spec_hash"), str),
            reason=_is(each.get("reason"), str),
            loop=_is(each.get("loop"), int),
            accepted=_is(each.get("accepted"), str),
        )
        for each in report["results"]
    ]


def _is(value: Any, kind: type) -> Any:
    """The value, if it is of a kind or nothing: files of verdicts may come from anybody."""
    if value is not None and type(value) is not kind:
        raise TypeError
    return value


def _names(value: Any) -> tuple[str, ...]:
    return tuple(_is(each, str) for each in _is(value, list))


def earned_in(report: Mapping[str, Any]) -> dict[str, EarnedEvidence]:
    """What clauses have earned, by one report of `evidence`."""
    found = {
        _is(each["clause"], str): EarnedEvidence(
            _is(each["evidence"], str), _is(each["mistake"], str), _is(each["noticed_by"], str),
            _is(each["accepted"], str), _names(each.get("not_shown", [])),
            _names(each.get("unnoticed", [])),
        )
        for each in report["results"]
        if each["clause"] is not None
    }  # fmt: skip
    if not all(each.word in (TESTED, IN_PART, UNTESTED, CITED) for each in found.values()):
        raise ValueError("there is no such evidence")
    return found


def trivial_in(report: Mapping[str, Any]) -> dict[tuple[str, str | None], str]:
    """Why claims say nothing, by one report of `evidence`."""
    found = report.get("summary", {}).get("trivial_claims", [])
    return {
        (_is(each["claim"], str), _is(each["clause"], str)): _is(each["why"], str) for each in found
    }


def partings_in(report: Mapping[str, Any]) -> list[ReadingDifference]:
    """Where readings part, by one report of `readings`."""
    return [
        ReadingDifference(
            _is(each["reading"], str), _is(each["option"], str), _is(each["outcome"], str),
            _is(each["differences"], list), report["spec_hash"],
        )
        for each in report["results"]
        if "outcome" in each
    ]  # fmt: skip


def _is_about(verdict: PublishedVerdict, name: str, spec_hash: str | None) -> bool:
    """Whether a verdict is one on this spec, be it on another version."""
    return verdict.spec_hash == spec_hash or (verdict.spec or "") == name


def _name_of(file: str | None) -> str | None:
    return None if file is None else Path(file).stem


def _standing(verdicts: Sequence[PublishedVerdict], kind: str, everybody: range) -> PublishedStatus:
    """The one word for the verdicts with each number of players."""
    by_word: dict[str, set[int]] = {}
    for each in verdicts:
        players = set(everybody) if each.players is None else {each.players}
        by_word.setdefault(each.verdict, set()).update(players)
    uses = tuple(dict.fromkeys(label for each in verdicts for label in each.uses))
    good = by_word.get("proved", set())

    def status(word: str, players: set[int]) -> PublishedStatus:
        return PublishedStatus(word, tuple(sorted(players)), uses, tuple(verdicts))

    if kind == "possible" and good:
        return status(WITNESSED, good)
    if "refuted" in by_word:
        return status(REFUTED, by_word["refuted"])
    if good >= set(everybody):
        return status(PROVED, good)
    for verdict, word in (("bounded", BOUNDED), ("unknown", UNKNOWN)):
        if verdict in by_word:
            return status(word, by_word[verdict])
    return status(PARTLY, good) if good else PublishedStatus(NOT_YET)
