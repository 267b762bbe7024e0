"""Breaks every rule of a spec on purpose and asks whether a property or an example notices.

What nobody notices is a gap: a sentence of the rulebook that could be carried out wrongly while
everything is still proved and played. Each gap comes with an example that would close it.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.cli.exit_codes import FAILS, HOLDS, UNDECIDED
from rulewright.cli.inputs.open_game import read_spec
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.options import add_distribution, add_format, add_limit
from rulewright.cli.progress import Progress
from rulewright.cli.tasks.all_vectors import VectorsWork
from rulewright.cli.tasks.evidence_trials import TrialsWork
from rulewright.diagnostics import Diagnostic, Messages
from rulewright.distribute.backend import answers
from rulewright.evidence.clause_table import (
    ACCEPTED,
    CITED,
    EQUIVALENT,
    GAP,
    IN_PART,
    NOTICED,
    ClauseEvidence,
    EvidenceTable,
    TriedMistake,
    evidence_table,
    is_unseen,
    judged,
    looked_into,
)
from rulewright.evidence.mistakes import ALL_SEE, Mistake, carriers, mistakes
from rulewright.evidence.noticers import Watch
from rulewright.evidence.suggestion import suggested_example
from rulewright.evidence.trivial_claims import TrivialClaim, trivial_claims
from rulewright.frontend import LoadedSpec
from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk
from rulewright.report.emit import emit
from rulewright.report.model import Cell, Result, Table
from rulewright.report.text_width import counted
from rulewright.syntax.node import Span
from rulewright.system.interrupts import StoppedError

SECRET = "claim with `secret` that it stays hidden"
Vectors: TypeAlias = "dict[int, list[Mapping[str, Any]]]"
"""The test vectors that show a mistake, those that a game leads to first, by its number."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `evidence`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument("--mistakes", action="store_true", help="show every mistake, not only gaps")
    parser.add_argument(
        "--clauses", action="store_true",
        help="only say what each clause has earned: much quicker, without looking into gaps",
    )  # fmt: skip
    add_limit(parser)
    add_distribution(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Tries every mistake and reports clause by clause."""
    checked = read_spec(options.spec)
    spec = checked.spec
    assert spec is not None
    tried: list[TriedMistake] = []
    found: list[Diagnostic] = []
    trivial: list[TrivialClaim] = []
    stopped = None
    with Progress(sys.stderr) as progress:
        try:
            trivial = trivial_claims(checked)
            groups = carriers(mistakes(checked))
            for done, noticed in enumerate(answers(TrialsWork(checked, groups)), 1):
                tried += judged(spec, groups[done - 1], noticed)
                progress.say(f"evidence: {done} of {len(groups)} carriers broken")
            if not options.clauses:
                tried, vectors, stopped = _looked_into(checked, tried, progress.say)
                found += _gaps(checked, evidence_table(spec, tried), vectors)
        except StoppedError as end:
            stopped = end.why
    table = evidence_table(spec, tried)
    if stopped:  # what is missing may only not have been tried yet
        table = EvidenceTable(tuple(each for each in table.clauses if each.bites), table.tried)
    failing = bool(table.untested or trivial or (table.gaps and not options.clauses))
    failing_now = frozenset() if stopped else Watch(spec).failing
    found = [*_findings(checked, table, trivial, failing_now), *found]
    report = report_on(
        "evidence",
        [checked],
        results=[
            *(_result(each, options.mistakes) for each in table.clauses),
            *_unclaimed(table, options.mistakes),
        ],
        summary=_summary(table, trivial, stopped),
        exit=UNDECIDED if stopped else FAILS if failing else HOLDS,
        found=found,
        table=_table(table),
        closing=f"not everything was tried: {stopped}"
        if stopped
        else _closing(table, trivial, options.clauses),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def _looked_into(
    checked: LoadedSpec, tried: list[TriedMistake], say: Callable[[str], None]
) -> tuple[list[TriedMistake], Vectors, str | None]:
    """Looks into the mistakes that nobody noticed: what became of each, the test vectors that show
    some of them, and why not all were looked into, if so."""
    unseen = [each.mistake.number for each in tried if is_unseen(each)]
    if not unseen:
        return tried, {}, None
    [(header, *lines)] = answers(VectorsWork(checked, 0, say, unseen))
    vectors: Vectors = {}
    for line in sorted(lines, key=lambda line: line["game"] is None):
        for each in line["mistakes"]:
            vectors.setdefault(each["mistake"], []).append(line)
    assert checked.spec is not None
    watch = Watch(checked.spec)
    found = looked_into(
        tried, header, lambda mistake: watch.along(mistake, vectors.get(mistake.number, [])[:2])
    )
    return found, vectors, header.get("stopped")


def _shown(found: ClauseEvidence) -> str:
    if found.shown is None:
        return found.accepted
    tried, noticer = found.shown
    left = f"; not shown: {', '.join(found.left)}" if found.left else ""
    return f"{noticer.name} notices `{tried.mistake.named}`{left}"


def _table(table: EvidenceTable) -> Table:
    rows = [
        (
            Cell(each.clause.name),
            Cell(each.word, "holds" if each.bites or each.accepted else "fails"),
            Cell(_shown(each)),
        )
        for each in table.clauses
    ]
    return Table(("clause", "evidence", "because"), tuple(rows))


def _result(found: ClauseEvidence, mistakes: bool) -> Result:
    shown = found.shown
    data = {
        "clause": found.clause.name,
        "kind": found.clause.kind,
        "evidence": found.word,
        "accepted": found.accepted or None,
        "mistake": shown[0].mistake.named if shown else None,
        "noticed_by": shown[1].name if shown else None,
        "not_shown": list(found.left),
        "unnoticed": list(found.blind),
        "mistakes": [_told(each) for each in found.tried],
    }
    status = "holds" if found.bites or found.accepted else "fails"
    return Result(found.clause.name, status, data, _lines(found.tried) if mistakes else ())


def _unclaimed(table: EvidenceTable, mistakes: bool) -> list[Result]:
    """The mistakes in what carries out no clause, if there are any."""
    left = [each for each in table.tried if not each.mistake.clauses]
    if not left:
        return []
    status = "fails" if any(each.state == GAP for each in left) else "holds"
    data = {
        "clause": None, "kind": None, "evidence": None, "accepted": None, "mistake": None,
        "noticed_by": None, "not_shown": [], "unnoticed": [],
        "mistakes": [_told(each) for each in left],
    }  # fmt: skip
    return [Result("no clause", status, data, _lines(left) if mistakes else ())]


def _told(tried: TriedMistake) -> dict[str, object]:
    return {
        "carrier": tried.mistake.carrier,
        "what": tried.mistake.what,
        "state": tried.state,
        "noticed_by": [each.name for each in tried.noticers],
    }


def _lines(tried: Sequence[TriedMistake]) -> tuple[str, ...]:
    return tuple(
        f"{each.mistake.named}: {each.state}"
        + (f" by {', '.join(one.name for one in each.noticers)}" if each.noticers else "")
        for each in tried
    )


def _summary(
    table: EvidenceTable, trivial: list[TrivialClaim], stopped: str | None
) -> dict[str, object]:
    return {
        "clauses": len(table.clauses),
        "tested": sum(each.bites for each in table.clauses),
        "mistakes": len(table.tried),
        "noticed": table.count(NOTICED),
        "equivalent": table.count(EQUIVALENT),
        "accepted": table.count(ACCEPTED),
        "gaps": len(table.gaps),
        "trivial": len(trivial),
        "trivial_claims": [
            {"claim": each.claim.name, "clause": each.clause, "why": each.why} for each in trivial
        ],
        **({} if stopped is None else {"stopped": stopped}),
    }


def _closing(table: EvidenceTable, trivial: list[TrivialClaim], clauses: bool) -> str:
    bite = sum(each.bites for each in table.clauses)
    said = (
        f"{bite} of {counted(len(table.clauses), 'clause')} have evidence that bites; "
        f"{table.count(NOTICED)} of {counted(len(table.tried), 'mistake')} are noticed, "
        f"{table.count(EQUIVALENT)} change nothing, {table.count(ACCEPTED)} are accepted"
    )
    if table.gaps:
        said += f", {len(table.gaps)} {'not looked into' if clauses else 'nobody notices'}"
    if trivial:
        said += f"; {counted(len(trivial), 'claim')} cannot fail or say nothing about a clause"
    return said


def _findings(
    checked: LoadedSpec,
    table: EvidenceTable,
    trivial: list[TrivialClaim],
    wrong: Collection[str],
) -> Iterator[Diagnostic]:
    assert checked.spec is not None and checked.text is not None
    messages = Messages(checked.text)
    spec = checked.spec
    tried: list[c.Property | c.Ends | c.Example] = [
        *spec.properties, *spec.ends, *spec.examples
    ]  # fmt: skip
    for one in tried:
        if one.name in wrong:
            messages.warning(
                "RW514", one.span, f"`{one.name}` fails by the rules as they are",
                "it notices no mistake until it holds",
            )  # fmt: skip
    for claim in trivial:
        messages.warning(
            "RW514", claim.claim.span, f"`{claim.claim.name}`: {claim.why}", claim.help
        )
    for each in table.untested:
        why = "no property or example that cites it notices when it is broken"
        about, mend = each.clause.name, "cite it in a property or an example that would fail"
        if each.word == CITED:
            why = "nothing that could be broken carries it out"
        elif each.word == IN_PART:
            parts = ", ".join(f"`{name}`" for name in each.blind)
            why, about = f"nothing notices when {parts} is broken", each.blind[0]
            seen = [one.mistake.carrier for one in each.tried if one.mistake.what == ALL_SEE]
            if about in seen:
                why, mend = f"nothing notices when {parts} is seen by all", SECRET
        messages.error(
            "RW515", each.clause.span, f"`{each.clause.name}` is {each.word}: {why}",
            f'{mend}, or accept it: `accept untested {about} "..."`',
        )  # fmt: skip
    yield from messages.all


def _gaps(checked: LoadedSpec, table: EvidenceTable, vectors: Vectors) -> Iterator[Diagnostic]:
    assert checked.spec is not None and checked.text is not None
    messages = Messages(checked.text)
    for gap in table.gaps:
        span = _span(checked.spec, gap.mistake)
        shown = [] if gap.mistake.what == ALL_SEE else vectors.get(gap.mistake.number, [])
        example = suggested_example(checked, gap.mistake, shown)
        end = len(checked.text.text)
        messages.error(
            "RW516", span, f"nothing notices the mistake `{gap.mistake.named}`",
            _advice(gap.mistake, example),
            None if example is None else (Span(end, end), f"\n{example}"),
        )  # fmt: skip
    yield from messages.all


def _advice(mistake: Mistake, example: str | None) -> str:
    accept = f'`accept untested {mistake.carrier} "..."`'
    if mistake.what == ALL_SEE:
        return f"{SECRET}; if nothing hangs on it, say so: {accept}"
    if example is None:
        return f"claim or play what it would change; if it changes nothing, say so: {accept}"
    return f"this example would; if that cannot come about, say so: {accept}\n\n{example}"


def _span(spec: c.Spec, mistake: Mistake) -> Span:
    """Where in the spec a mistake is made."""
    for part in (*spec.transitions, *spec.effects, *spec.functions, *spec.tables, *spec.constants):
        for node in walk(part):
            if node is not part and not isinstance(node, c.Requirement | c.Labelled):
                continue
            if mistake.carrier in (getattr(node, "label", None), getattr(node, "name", None)):
                return node.span
    return next((each.span for each in spec.clauses if each.name in mistake.clauses), Span(0, 0))
