"""What `verify` has to say of a spec, one column of its table each.

To verify one thing more, write a function that judges a spec and add a column for it. A spec
that cannot be used gets no judgement from a column that needs one, and never counts as holding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from rulewright.cli.exit_codes import FAILS, HOLDS, UNDECIDED
from rulewright.cli.exit_status import exit_for, gravest, in_words, tally
from rulewright.diagnostics import Diagnostic
from rulewright.frontend import LoadedSpec
from rulewright.resources import cache_directory, reference_engine
from rulewright.syntax.node import Node
from rulewright.system.interrupts import Limit

Say = Callable[[str], None]
"""Told what is being worked on."""
PATIENCE = 30.0
"""Seconds' worth of work for each question of a proof."""
GAMES = 20
"""Random games that spec and engine play side by side."""


class ColumnResult(Node):
    """What one column says of one spec."""

    text: str
    exit: int
    data: Mapping[str, object]
    found: tuple[Diagnostic, ...] = ()
    """What it found that reading the spec had not."""


class Column(Node):
    """One thing to verify. Without `needs_spec` it also speaks of specs that cannot be used."""

    name: str
    judge: Callable[[LoadedSpec, Say, Limit], ColumnResult]
    needs_spec: bool = True
    takes_long: bool = False
    """Whether it takes so long that it can be left out."""


def check(checked: LoadedSpec, say: Say, limit: Limit) -> ColumnResult:
    """Whether the spec is well formed and every clause has its evidence."""
    found = checked.diagnostics
    text = in_words(found) if found else "ok"
    return ColumnResult(text, exit_for(found), tally(found))


def clauses(checked: LoadedSpec, say: Say, limit: Limit) -> ColumnResult:
    """How many clauses of the rulebook the spec accounts for."""
    assert checked.spec is not None
    number = len(checked.spec.clauses)
    return ColumnResult(str(number), HOLDS, {"number": number})


def examples(checked: LoadedSpec, say: Say, limit: Limit) -> ColumnResult:
    """Whether the worked examples of the rulebook play as they are written."""
    from rulewright.cli.commands.test import no_examples, result_of
    from rulewright.play.explain.examples import play_examples

    assert checked.spec is not None
    results = [result_of(checked, each) for each in play_examples(checked.spec, checked.variant)]
    found = tuple(each for result in results for each in result.diagnostics)
    if not results:
        found = (no_examples(checked),)
    failed = sum(result.status != "holds" for result in results)
    text = f"{failed} of {len(results)} fail" if failed else f"{len(results)} play"
    data = {"number": len(results), "failed": failed}
    return ColumnResult(text, FAILS if found else HOLDS, data, found)


def proofs(checked: LoadedSpec, say: Say, limit: Limit) -> ColumnResult:
    """Whether all that is claimed is proved, as the rulebook is read by default, for every number
    of players."""
    from rulewright.cli.output.prove_report import TraceDetail, exit_of, judged, result_of
    from rulewright.play.semantics.instance import Configuration, Instance
    from rulewright.prove.discharge.core_usage import CoreUsage
    from rulewright.prove.run.prover import QUIET, prove
    from rulewright.prove.run.prover_options import ProverOptions
    from rulewright.prove.run.scheduler import Scheduler
    from rulewright.prove.verdict.verdict import REFUTED

    spec = checked.spec
    assert spec is not None
    ways = [Configuration(number, (), None) for number in range(spec.least, spec.most + 1)]

    def report(done: int, of: int) -> None:
        say(f"proving {spec.name}: {done} of {of}")

    folder = cache_directory() / "proofs"
    run = Scheduler({None: spec}, ProverOptions(PATIENCE), folder, None, report, limit)
    uses = CoreUsage(spec)
    found: list[Diagnostic] = []
    exits = []
    counts: dict[str, int] = {}
    with limit.politely():
        all_proved = prove({None: spec}, ways, run, ())
    for proved in all_proved:
        instance = Instance(spec, proved.configuration.players, {})
        for verdict in proved.verdicts:
            if not judged(spec, verdict, every_reading=False):
                continue
            exits.append(exit_of(verdict))
            if verdict.kind not in QUIET:
                known = verdict.verdict == REFUTED and verdict.accepted is not None
                word = "accepted" if known else verdict.verdict
                counts[word] = counts.get(word, 0) + 1
            result = result_of(
                checked, instance, proved.configuration, verdict, uses, TraceDetail()
            )
            found += result.diagnostics
    text = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    exit = gravest(exits) if counts else FAILS
    return ColumnResult(text or "nothing to prove", exit, counts, tuple(found))


def engine(checked: LoadedSpec, say: Say, limit: Limit) -> ColumnResult:
    """Whether the engine that comes with a bundled game plays as the spec says. The test vectors,
    which take long to find, are left to `conform`."""
    from rulewright.conform.engine.protocol import open_engine
    from rulewright.conform.oracle.configurations import Oracles
    from rulewright.conform.stages.conformance import Plan
    from rulewright.conform.stages.runner import ConformanceRun

    assert checked.spec is not None and checked.text is not None
    named = reference_engine(checked.spec.name, Path(checked.file))
    if named is None:
        return ColumnResult("-", HOLDS, {"engine": None})
    with open_engine(named) as opened:
        plan = Plan(("examples", "games"), GAMES)
        conformance = ConformanceRun(Oracles(checked), opened, plan, say, limit=limit).run()
    found = tuple(
        finding.diagnostic(checked.text)
        for stage in conformance.stages
        for finding in stage.findings
    )
    data = {"engine": named, "events": conformance.events, "refusals": conformance.refusals}
    if conformance.stopped is not None and not found:
        return ColumnResult("not finished", UNDECIDED, {**data, "stopped": conformance.stopped})
    text = "differs" if found else f"conforms, {conformance.events:,} events"
    return ColumnResult(text, FAILS if found or not conformance.events else HOLDS, data, found)


COLUMNS = (
    Column("check", check, needs_spec=False),
    Column("clauses", clauses),
    Column("examples", examples),
    Column("proofs", proofs, takes_long=True),
    Column("engine", engine),
)
"""What is verified, from left to right."""
