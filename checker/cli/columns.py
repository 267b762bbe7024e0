"""What `verify` has to say of a spec, one column of its table each.

To verify one thing more, write a function that judges a spec and add a column for it. A spec
that cannot be used gets no judgement from a column that needs one, and never counts as holding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from checker.cli.exits import FAILS, HOLDS, UNDECIDED
from checker.cli.outcome import exit_for, gravest, in_words, tally
from checker.front import Checked
from checker.message import Diagnostic
from checker.resources import cache_directory, reference_engine
from checker.stopping import Limit
from checker.syntax.node import Node

Say = Callable[[str], None]
"""Told what is being worked on."""
PATIENCE = 30.0
"""Seconds' worth of work for each question of a proof."""
GAMES = 20
"""Random games that spec and engine play side by side."""


class Judgement(Node):
    """What one column says of one spec."""

    text: str
    exit: int
    data: Mapping[str, object]
    found: tuple[Diagnostic, ...] = ()
    """What it found that reading the spec had not."""


class Column(Node):
    """One thing to verify. Without `needs_spec` it also speaks of specs that cannot be used."""

    name: str
    judge: Callable[[Checked, Say, Limit], Judgement]
    needs_spec: bool = True
    takes_long: bool = False
    """Whether it takes so long that it can be left out."""


def check(checked: Checked, say: Say, limit: Limit) -> Judgement:
    """Whether the spec is well formed and every clause has its evidence."""
    found = checked.diagnostics
    text = in_words(found) if found else "ok"
    return Judgement(text, exit_for(found), tally(found))


def clauses(checked: Checked, say: Say, limit: Limit) -> Judgement:
    """How many clauses of the rulebook the spec accounts for."""
    assert checked.spec is not None
    number = len(checked.spec.clauses)
    return Judgement(str(number), HOLDS, {"number": number})


def examples(checked: Checked, say: Say, limit: Limit) -> Judgement:
    """Whether the worked examples of the rulebook play as they are written."""
    from checker.cli.test import no_examples, result_of
    from checker.play.examples import play_examples

    assert checked.spec is not None
    results = [result_of(checked, each) for each in play_examples(checked.spec, checked.variant)]
    found = tuple(each for result in results for each in result.diagnostics)
    if not results:
        found = (no_examples(checked),)
    failed = sum(result.status != "holds" for result in results)
    text = f"{failed} of {len(results)} fail" if failed else f"{len(results)} play"
    data = {"number": len(results), "failed": failed}
    return Judgement(text, FAILS if found else HOLDS, data, found)


def proofs(checked: Checked, say: Say, limit: Limit) -> Judgement:
    """Whether all that is claimed is proved, as the rulebook is read by default, for every number
    of players."""
    from checker.cli.proofs import Shown, exit_of, judged, result_of
    from checker.play.instance import Instance
    from checker.prove.effort import Effort
    from checker.prove.prover import QUIET, prove
    from checker.prove.run import Run
    from checker.prove.uses import Uses
    from checker.vc.context import Setting

    spec = checked.spec
    assert spec is not None
    ways = [Setting(number, (), None) for number in range(spec.least, spec.most + 1)]

    def report(done: int, of: int) -> None:
        say(f"proving {spec.name}: {done} of {of}")

    folder = cache_directory() / "proofs"
    run = Run({None: spec}, Effort(PATIENCE), folder, None, report, limit)
    uses = Uses(spec)
    found: list[Diagnostic] = []
    exits = []
    counts: dict[str, int] = {}
    with limit.politely():
        all_proved = prove({None: spec}, ways, run, ())
    for proved in all_proved:
        instance = Instance(spec, proved.setting.players, {})
        for verdict in proved.verdicts:
            if not judged(spec, verdict, every_reading=False):
                continue
            exits.append(exit_of(verdict))
            if verdict.kind not in QUIET:
                counts[verdict.verdict] = counts.get(verdict.verdict, 0) + 1
            result = result_of(checked, instance, proved.setting, verdict, uses, Shown())
            found += result.diagnostics
    text = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    exit = gravest(exits) if counts else FAILS
    return Judgement(text or "nothing to prove", exit, counts, tuple(found))


def engine(checked: Checked, say: Say, limit: Limit) -> Judgement:
    """Whether the engine that comes with a bundled game plays as the spec says. The test vectors,
    which take long to find, are left to `conform`."""
    from checker.conform.engine import open_engine
    from checker.conform.run import Check, Plan
    from checker.conform.setups import Rulebook

    assert checked.spec is not None and checked.text is not None
    named = reference_engine(checked.spec.name, Path(checked.file))
    if named is None:
        return Judgement("-", HOLDS, {"engine": None})
    with open_engine(named) as opened:
        plan = Plan(("examples", "games", "perft"), GAMES)
        conformance = Check(Rulebook(checked), opened, plan, say).run()
    found = tuple(
        stage.finding.diagnostic(checked.text) for stage in conformance.stages if stage.finding
    )
    data = {"engine": named, "events": conformance.events, "refusals": conformance.refusals}
    if conformance.stopped is not None and not found:
        return Judgement("not finished", UNDECIDED, {**data, "stopped": conformance.stopped})
    text = "differs" if found else f"conforms, {conformance.events:,} events"
    return Judgement(text, FAILS if found or not conformance.events else HOLDS, data, found)


COLUMNS = (
    Column("check", check, needs_spec=False),
    Column("clauses", clauses),
    Column("examples", examples),
    Column("proofs", proofs, takes_long=True),
    Column("engine", engine),
)
"""What is verified, from left to right."""
