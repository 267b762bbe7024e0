"""The table of evidence: clause by clause, what was broken and who noticed.

A clause is *tested* if a mistake in something that carries it out is noticed by a property or an
example that cites it. A mistake that is proved to change nothing is no mistake; one that the spec
accepts with a reason is left alone; any other that nobody notices is a gap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.evidence.mistakes import NEVER, Mistake
from rulewright.evidence.noticers import Noticer, Watch
from rulewright.meaning import core as c
from rulewright.syntax.node import Node

TESTED, UNTESTED, CITED = "tested", "untested", "only cited"
"""A clause: breaking it shows; nothing that cites it notices; nothing that could be broken carries
it out."""
NOTICED, EQUIVALENT, ACCEPTED, GAP = "noticed", "equivalent", "accepted", "gap"
"""A mistake."""
ACCEPT = "untested"
"""What a spec accepts of a carrier or a clause: `accept untested hold.rolled "..."`."""


class TriedMistake(Node):
    """A mistake, what became of it, and who noticed."""

    mistake: Mistake
    state: str
    noticers: tuple[Noticer, ...]
    reason: str = ""
    """Why it is accepted."""


class ClauseEvidence(Node):
    """How a clause stands: a word, the mistake that shows it best with who noticed, the mistakes in
    what carries it out, and the reason if the spec accepts it as it is."""

    clause: c.Clause
    word: str
    shown: tuple[TriedMistake, Noticer] | None
    tried: tuple[TriedMistake, ...]
    accepted: str = ""

    @property
    def bites(self) -> bool:
        return self.word == TESTED


class EvidenceTable(Node):
    """All clauses that ask for evidence, and all mistakes."""

    clauses: tuple[ClauseEvidence, ...]
    tried: tuple[TriedMistake, ...]

    @property
    def gaps(self) -> list[TriedMistake]:
        return [each for each in self.tried if each.state == GAP]

    @property
    def untested(self) -> list[ClauseEvidence]:
        return [each for each in self.clauses if not each.bites and not each.accepted]

    def count(self, state: str) -> int:
        return sum(each.state == state for each in self.tried)


def evidence_table(spec: c.Spec, tried: Sequence[TriedMistake]) -> EvidenceTable:
    """How each clause stands, after these mistakes were tried."""
    asked = [each for each in spec.clauses if each.kind != "aside"]
    return EvidenceTable(tuple(_evidence(spec, each, tried) for each in asked), tuple(tried))


def trials(
    spec: c.Spec, mistakes: Sequence[Mistake], header: Mapping[str, Any], watch: Watch
) -> Iterator[TriedMistake]:
    """Tries one mistake after the other. The header of the test vectors names those that are
    proved to change nothing."""
    same = Counter((each["requirement"], each["what"]) for each in header["equivalent"])
    alike = Counter((each.carrier, each.what) for each in mistakes)
    for mistake in mistakes:
        key = mistake.carrier, mistake.what
        # Of mistakes with the same name, all or none are known to change nothing.
        if mistake.mutant is not None and 0 < same[key] == alike[key]:
            yield TriedMistake(mistake, EQUIVALENT, ())
        elif found := tuple(watch.noticers(mistake)):
            yield TriedMistake(mistake, NOTICED, found)
        else:
            reason = _accepted(spec, mistake.carrier)
            yield TriedMistake(mistake, ACCEPTED if reason else GAP, (), reason)


def _accepted(spec: c.Spec, subject: str) -> str:
    found = (e for e in spec.acceptances if (e.finding, e.subject) == (ACCEPT, subject))
    return next((each.reason for each in found), "")


def _evidence(spec: c.Spec, clause: c.Clause, tried: Sequence[TriedMistake]) -> ClauseEvidence:
    mine = tuple(each for each in tried if clause.name in each.mistake.clauses)
    citing = _citing(spec, clause)
    candidates = mine
    if clause.kind in ("example", "can"):
        # What an example of the rulebook or a possibility is about is not carried out in one place:
        # any mistake will do, as long as it is the citing example or property that notices.
        candidates = tuple(tried)
    found = [
        (each, noticer)
        for each in candidates
        for noticer in each.noticers
        if noticer.name in citing or (clause.kind == "may" and each.mistake.what == NEVER)
    ]
    shown = min(found, key=_worth, default=None)
    word = TESTED if shown else UNTESTED if mine or clause.kind in ("example", "can") else CITED
    return ClauseEvidence(clause, word, shown, mine, _accepted(spec, clause.name))


def _citing(spec: c.Spec, clause: c.Clause) -> set[str]:
    claims: list[c.Property | c.Ends | c.Example] = [
        *spec.properties, *spec.ends, *spec.examples
    ]  # fmt: skip
    return {each.name for each in claims if clause.name in each.clauses}


def _worth(found: tuple[TriedMistake, Noticer]) -> tuple[bool, bool, int]:
    """Properties before examples; slight mistakes, such as a number one too high, before others."""
    tried, noticer = found
    slight = tried.mistake.what.startswith(("one more", "one less", "weaker", "stricter"))
    return noticer.kind != "property", not slight, len(tried.noticers)
