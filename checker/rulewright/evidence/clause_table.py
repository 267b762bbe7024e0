"""The table of evidence: clause by clause, what was broken and who noticed.

A clause is *tested* if a mistake in something that carries it out is noticed by a property or an
example that cites it. A mistake that is proved to change nothing is no mistake; one that the spec
accepts with a reason is left alone; any other that nobody notices is a gap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.evidence.mistakes import ALL_SEE, NEVER, Mistake
from rulewright.evidence.noticers import POSSIBLE, REFUSED, Noticer
from rulewright.meaning import core as c
from rulewright.meaning.checks.clause_evidence import citations
from rulewright.meaning.traversal import walk
from rulewright.syntax.node import Node, replace

TESTED, IN_PART, UNTESTED, CITED = "tested", "tested in part", "untested", "only cited"
"""A clause: breaking it shows; not of everything that says it carries it out; nothing that cites it
notices; nothing that could be broken carries it out."""
NOTICED, EQUIVALENT, ACCEPTED, GAP = "noticed", "equivalent", "accepted", "gap"
"""A mistake."""
Along: TypeAlias = "Callable[[Mistake], Iterable[Noticer]]"
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
    left: tuple[str, ...] = ()
    """What carries it out, too, though no mistake in that is noticed by what cites the clause."""
    blind: tuple[str, ...] = ()
    """What of that cites the clause itself, and nobody at all notices a mistake in."""

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


def judged(
    spec: c.Spec, mistakes: Sequence[Mistake], noticed: Sequence[Sequence[Noticer]]
) -> list[TriedMistake]:
    """What became of mistakes that these noticed."""
    found = []
    for mistake, noticers in zip(mistakes, noticed, strict=True):
        reason = "" if noticers else _accepted(spec, mistake.carrier)
        state = NOTICED if noticers else ACCEPTED if reason else GAP
        found.append(TriedMistake(mistake, state, tuple(noticers), reason))
    return found


def looked_into(
    tried: Sequence[TriedMistake], header: Mapping[str, Any], along: Along
) -> list[TriedMistake]:
    """What became of mistakes after those that nobody noticed were looked into: the header of their
    test vectors names those that are proved to change nothing, and `along` the properties that
    their games break."""
    same = Counter((each["requirement"], each["what"]) for each in header["equivalent"])
    asked = [each.mistake for each in tried if is_unseen(each)]
    alike = Counter((each.carrier, each.what) for each in asked)
    found = []
    for each in tried:
        key = each.mistake.carrier, each.mistake.what
        if not is_unseen(each):
            found.append(each)
        elif 0 < same[key] == alike[key]:  # of those with one name, all or none are known
            found.append(replace(each, state=EQUIVALENT, reason=""))
        elif noticers := tuple(along(each.mistake)):
            found.append(replace(each, state=NOTICED, noticers=noticers, reason=""))
        else:
            found.append(each)
    return found


def is_unseen(tried: TriedMistake) -> bool:
    """Whether nobody noticed a mistake that test vectors know, too."""
    return not tried.noticers and tried.mistake.mutant is not None


def _accepted(spec: c.Spec, subject: str) -> str:
    found = (e for e in spec.acceptances if (e.finding, e.subject) == (ACCEPT, subject))
    return next((each.reason.strip() for each in found), "")


def _evidence(spec: c.Spec, clause: c.Clause, tried: Sequence[TriedMistake]) -> ClauseEvidence:
    mine = tuple(each for each in tried if clause.name in each.mistake.clauses)
    citing = _citing(spec, clause)
    found = [
        (each, noticer)
        for each in _about(spec, clause, mine, tried)
        for noticer in each.noticers
        if noticer.name in citing and _tells(clause, each, noticer)
    ]
    shown = min(found, key=lambda each: _worth(clause, *each), default=None)
    word = TESTED if shown else UNTESTED if mine or clause.kind in ("example", "can") else CITED
    seen = {each.mistake.carrier for each, _ in found}
    left = dict.fromkeys(
        each.mistake.carrier
        for each in mine
        if each.mistake.carrier not in seen and each.state in (NOTICED, GAP)
    )
    noticed = {each.mistake.carrier for each in mine if each.state == NOTICED}
    saying = {each.name for each in citations(spec) if each.clause == clause.name}
    saying |= {each.mistake.carrier for each in mine if each.mistake.what == ALL_SEE}
    blind = [name for name in left if name in saying - noticed]
    if word == TESTED and blind:
        word = IN_PART
    return ClauseEvidence(
        clause, word, shown, mine, _accepted(spec, clause.name),
        tuple(left) if shown else (), tuple(blind) if shown else (),
    )  # fmt: skip


def _tells(clause: c.Clause, tried: TriedMistake, noticer: Noticer) -> bool:
    """Whether who notices a mistake says something about a clause: that something is forbidden is
    not shown by what is still to be allowed or to come about, and that something may be done not
    by a move that is still to be refused."""
    mutant = tried.mistake.mutant
    match clause.kind, noticer.kind:
        case "never", kind:
            return kind not in (REFUSED, POSSIBLE) and tried.mistake.what != NEVER
        case "may", "example":
            return mutant is None or mutant.requirement is None
        case _:
            return True


def _about(
    spec: c.Spec, clause: c.Clause, mine: Sequence[TriedMistake], tried: Sequence[TriedMistake]
) -> Sequence[TriedMistake]:
    """The mistakes that can show a clause to matter."""
    if clause.kind in ("example", "can"):
        # What an example of the rulebook or a possibility is about is not carried out in one place:
        # any mistake will do, as long as it is the citing example or property that notices.
        return tried
    inside = _inside(spec, clause) if clause.kind in ("may", "never") else set()
    if clause.kind == "may" and inside:
        # A move may do several things: that it can be made at all shows nothing of one of them.
        return [each for each in mine if each.mistake.carrier in inside] or mine
    if clause.kind == "never":
        # Nor does what a move brings about show what it forbids: its requirements do.
        return [each for each in mine if each.mistake.carrier in inside or _is_needed(each)]
    return mine


def _is_needed(tried: TriedMistake) -> bool:
    """Whether a mistake is one in a requirement, a demand on the beginning or what is seen."""
    mutant = tried.mistake.mutant
    return mutant is None or mutant.requirement is not None


def _inside(spec: c.Spec, clause: c.Clause) -> set[str]:
    """What carries out a clause but for whole moves."""
    shared: list[c.Effect | c.Function | c.TableData | c.Constant] = [
        *spec.effects, *spec.functions, *spec.tables, *spec.constants
    ]  # fmt: skip
    found = {each.name for each in shared if clause.name in each.clauses}
    parts: list[c.Core] = [*spec.transitions, *spec.effects]
    for part in parts:
        for node in walk(part):
            if isinstance(node, c.Requirement | c.Labelled) and clause.name in node.clauses:
                found.add(node.label)
    return found


def _citing(spec: c.Spec, clause: c.Clause) -> set[str]:
    claims: list[c.Property | c.Ends | c.Example] = [
        *spec.properties, *spec.ends, *spec.examples
    ]  # fmt: skip
    return {each.name for each in claims if clause.name in each.clauses}


def _worth(clause: c.Clause, tried: TriedMistake, noticer: Noticer) -> tuple[bool, bool, bool, int]:
    """Properties before examples; slight mistakes, such as a number one too high, before others;
    where something may be done, first of all that it is never done."""
    mistake = tried.mistake
    played = noticer.kind in ("example", REFUSED)
    taken_away = clause.kind == "may" and mistake.what == NEVER
    return played, not taken_away, not mistake.is_slight, len(tried.noticers)
