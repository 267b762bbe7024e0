"""Proves the properties of specs, for every position that any game can reach."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_status import counted, exit_for, gravest
from rulewright.cli.inputs.open_game import open_game
from rulewright.cli.inputs.read_specs import read_specs, report_on
from rulewright.cli.options import (
    add_distribution,
    add_format,
    add_limit,
    add_players,
    add_readings,
    add_specs,
    add_timeout,
    add_variant,
)
from rulewright.cli.output.certify_report import (
    Certification,
    certificates,
    noted,
    results_of,
    unnoted,
)
from rulewright.cli.output.prove_report import (
    TraceDetail,
    counted_verdicts,
    exit_of,
    judged,
    result_of,
    stale,
    table,
)
from rulewright.cli.progress import Progress
from rulewright.diagnostics import Diagnostic
from rulewright.frontend import LoadedSpec
from rulewright.meaning.core import Spec
from rulewright.meaning.names.symbol_table import OBLIGATIONS
from rulewright.play.semantics.instance import Instance, listed, nearest
from rulewright.prove.discharge.core_usage import CoreUsage, summed
from rulewright.prove.run.configurations import proof_configurations
from rulewright.prove.run.prover import QUIET, ProofResult, prove
from rulewright.prove.run.prover_options import ProverOptions, SecondSolverTally
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.verdict.cross_check import ContradictionError
from rulewright.prove.verdict.trace_text import save
from rulewright.prove.verdict.verdict import PROVED, Verdict
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.resources import cache_directory
from rulewright.system.interrupts import Limit

LOOKS_ITSELF = True
"""Whatever waits for proofs goes on without them when the run is to end."""
MOST_NAMED = 12
"""Requirements that are named at the end."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `prove`."""
    add_specs(parser)
    add_format(parser)
    add_players(parser)
    add_readings(parser)
    add_variant(parser)
    parser.add_argument("--defaults", action="store_true",
                        help="open questions as they are read by default, no variants")  # fmt: skip
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="prove only this property; may be given more than once")  # fmt: skip
    parser.add_argument("--count", type=_at_least_one, default=1, metavar="N",
                        help="so many different games where games show something (1)")  # fmt: skip
    parser.add_argument("--example", action="store_true",
                        help="print games as `example` blocks, ready to paste")  # fmt: skip
    parser.add_argument("--save", type=Path, metavar="DIR",
                        help="write every game to a trace in DIR")  # fmt: skip
    parser.add_argument("--jobs", type=_at_least_one, metavar="N",
                        help="on so many processes; without it, one for each core")  # fmt: skip
    parser.add_argument("--no-cache", action="store_true", help="ask everything anew")
    parser.add_argument("--second-solver", action="store_true",
                        help="ask cvc5 the same, and report where it disagrees")  # fmt: skip
    parser.add_argument("--certify", action="store_true",
                        help="confirm everything again with the independent checker, and list what "
                        "it does not confirm")  # fmt: skip
    parser.add_argument("--certificate", type=Path, metavar="FILE",
                        help="with --certify, write the certificate to FILE; without, prove "
                        "nothing and check the one in FILE")  # fmt: skip
    parser.add_argument("--smtlib", type=Path, metavar="DIR",
                        help="write every question to a file in DIR")  # fmt: skip
    add_timeout(parser, 30.0, "for each question; what else is tried has a few times as much")
    add_limit(parser)
    add_distribution(parser)


def parts(options: Namespace) -> list[Namespace]:
    """What is proved apart from each other: each spec."""
    return [Namespace(**{**vars(options), "specs": [each]}) for each in options.specs]


def run(options: Namespace) -> int:
    """Proves every spec in every setting and reports on all of them."""
    began = perf_counter()
    specs = read_specs(options.specs)
    results: list[Result] = []
    found: list[Diagnostic] = []
    rows: list[tuple[str, ProofResult]] = []
    used: dict[str, tuple[CoreUsage, list[Verdict]]] = {}
    exits = [
        exit_for(each for each in spec.diagnostics if each.severity == "error") for spec in specs
    ]
    shown = TraceDetail(bool(options.only) or options.count > 1 or options.example, options.example)
    limit: Limit = options.ending
    if options.second_solver:
        _need_second_solver()
    with Progress(sys.stderr) as progress:
        certifying = Certification(options.second_solver, limit, progress)
        if options.certificate is not None and not options.certify:
            return _check_certificate(specs, options, certifying)
        for checked in specs:
            if checked.spec is None:
                continue
            uses = CoreUsage(checked.spec)
            proved = prove_spec(checked, options, progress, limit)
            every = not (options.defaults or options.readings or options.variant)
            for each in proved:
                certified = certifying.proved(checked, each) if options.certify else {}
                found += unnoted(checked, certified, each.verdicts)
                judgements = _results(checked, each, uses, shown, options.save)
                for result, verdict in sorted(judgements, key=_waits):
                    if not judged(checked.spec, verdict, every):
                        continue
                    if options.certify:
                        told = certified.get((verdict.name, verdict.kind))
                        result = noted(checked, result, told)
                    if verdict.kind not in QUIET or verdict.verdict != PROVED:
                        results.append(result)
                    found += result.diagnostics
                    exits.append(exit_of(verdict))
                rows.append((checked.spec.name, each))
            found += stale(checked, proved)
            used[checked.spec.name] = uses, [v for each in proved for v in each.verdicts]
    if options.certify:
        exits.append(certifying.exit())
        if options.certificate is not None:
            certifying.save(options.certificate)
    questions = sum(each.questions for _, each in rows)
    if not questions and not any(exits):
        raise RefusalError("there was nothing to prove", "check the names given with --only")
    if options.only or limit.over:  # what was not asked, or not decided, needs nothing
        used = {}
    summary = _summary(results, questions, rows, began, used, limit)
    closing = _closing(results, questions, began, used, limit, rows) if rows else None
    if options.certify and closing is not None:
        summary["certification"] = certifying.summary()
        closing += f"\n{certifying.closing()}"
    report = report_on(
        "prove", specs, results=results, summary=summary, exit=gravest(exits), found=found,
        table=table(rows) if rows else None, closing=closing,
    )  # fmt: skip
    return emit(report, options.format, sys.stdout, sys.stderr)


def _check_certificate(
    specs: Sequence[LoadedSpec], options: Namespace, certifying: Certification
) -> int:
    """Checks what a file claims of a spec, trusting nothing in it."""
    if len(specs) != 1:
        raise RefusalError("a certificate is about one spec", "name one SPEC")
    (checked,) = specs
    results: list[Result] = []
    exits = [exit_for(each for each in checked.diagnostics if each.severity == "error")]
    if checked.spec is not None:
        for each in certificates(checked, options.certificate):
            results += results_of(checked, each.configuration, certifying.certify(checked, each))
        exits.append(certifying.exit())
        if not results:
            raise RefusalError("the certificate claims nothing", "make one with `--certify`")
    report = report_on(
        "prove", specs, results=results, summary=certifying.summary(), exit=gravest(exits),
        found=[told for each in results for told in each.diagnostics],
        closing=certifying.closing() if results else None,
    )  # fmt: skip
    return emit(report, options.format, sys.stdout, sys.stderr)


def _results(
    checked: LoadedSpec,
    proved: ProofResult,
    uses: CoreUsage,
    shown: TraceDetail,
    folder: Path | None,
) -> Iterator[tuple[Result, Verdict]]:
    """The verdicts in one setting; their games are saved on the way."""
    configuration = proved.configuration
    core = checked.spec if configuration.variant is None else checked.variant(configuration.variant)
    assert core is not None
    instance = Instance(core, configuration.players, dict(configuration.readings))
    for verdict in proved.verdicts:
        if folder is not None:
            try:
                save(folder, instance, configuration, verdict, checked.hash)
            except OSError as error:
                reason = (error.strerror or "it cannot be written").lower()
                raise RefusalError(
                    f"`{folder}` cannot be written to: {reason}", "name another folder"
                ) from error
        yield result_of(checked, instance, configuration, verdict, uses, shown), verdict


def _counts(results: Sequence[Result]) -> dict[str, int]:
    verdicts = [str(each.data["verdict"]) for each in results]
    return {name: verdicts.count(name) for name in ("proved", "bounded", "refuted", "unknown")}


def _summary(
    results: Sequence[Result],
    questions: int,
    rows: Sequence[tuple[str, ProofResult]],
    began: float,
    used: Mapping[str, tuple[CoreUsage, list[Verdict]]],
    limit: Limit,
) -> dict[str, object]:
    return {
        **_counts(results), "accepted": sum(each.data["accepted"] is not None for each in results),
        "obligations": questions, "seconds": round(perf_counter() - began, 3),
        "solver_seconds": round(sum(each.seconds for _, each in rows), 3),
        **(summed(used) if used else {}),
        **({"stopped": limit.reason} if limit.over else {}),
        **_second(rows),
    }  # fmt: skip


def _second(rows: Sequence[tuple[str, ProofResult]]) -> dict[str, object]:
    """How often a second solver was asked, if it was."""
    asked, undecided = (sum(each.second[place] for _, each in rows) for place in (0, 1))
    return {"second_solver": {"asked": asked, "undecided": undecided}} if asked else {}


def _closing(
    results: Sequence[Result], questions: int, began: float,
    used: Mapping[str, tuple[CoreUsage, list[Verdict]]], limit: Limit,
    rows: Sequence[tuple[str, ProofResult]],
) -> str:  # fmt: skip
    """What it all amounts to; before it, what no proof needs."""
    lines = []
    for name, (uses, verdicts) in used.items():
        idle = uses.idle(verdicts)
        if idle:
            named = ", ".join(idle[:MOST_NAMED]) + (", ..." if len(idle) > MOST_NAMED else "")
            of = f"of {name} " if len(used) > 1 else ""
            lines.append(f"no proof {of}needs {counted(len(idle), 'requirement')}: {named}")
    second, undecided = (sum(each.second[place] for _, each in rows) for place in (0, 1))
    if second:
        agreed = f"agrees on {second - undecided}, does not decide {undecided}"
        lines.append(f"cvc5 was asked {counted(second, 'question')} again: it {agreed}")
    lines += _waiting(results)
    counts: Counter[str] = Counter()
    for _, proved in rows:
        counts.update(counted_verdicts(proved))
    words = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    seconds = perf_counter() - began
    asked = counted(questions, "question")
    lines.append(f"{words or 'nothing'} of {asked} in {seconds:.1f} s")
    if limit.over:
        lines.append(f"not everything was asked: {limit.reason}; what was decided is kept")
    return "\n".join(lines)


def _waits(judgement: tuple[Result, Verdict]) -> bool:
    """Whether something else has to be proved first."""
    return judgement[1].waits_for is not None


def _waiting(results: Sequence[Result]) -> Iterator[str]:
    """What is undecided by itself, and how much waits for each of these."""
    waits: dict[str, int] = {}
    for each in results:
        if each.data["waits_for"] is not None:
            name = str(each.data["waits_for"])
            waits[name] = waits.get(name, 0) + 1
    for name, number in waits.items():
        yield f"{counted(number, 'claim')} {'wait' if number > 1 else 'waits'} for `{name}`"


def prove_spec(
    checked: LoadedSpec, options: Namespace, progress: Progress, limit: Limit
) -> list[ProofResult]:
    """The verdicts on one spec in every setting asked for."""
    spec = checked.spec
    assert spec is not None
    cores = _cores(checked, options)
    known = [*(p.name for p in spec.properties), *(e.name for e in spec.ends), *OBLIGATIONS]
    for name in options.only:
        if name not in known:
            raise RefusalError(
                f"`{spec.name}` has no property `{name}`",
                nearest(name, known, f"there are {listed(known)}"),
            )
    if options.second_solver:
        _need_second_solver()
    if options.defaults and (options.readings or options.variant):
        other = "--reading" if options.readings else "--variant"
        raise RefusalError(
            f"`--defaults` and `{other}` ask for different ways to play", "leave one of them out"
        )
    ways = proof_configurations(spec, options.players, options.readings, options.variant)
    if options.defaults:
        ways = [each for each in ways if not each.readings and each.variant is None]
    for way in ways:
        open_game(checked, way.players, dict(way.readings), way.variant)
    folder = None if options.no_cache else cache_directory() / "proofs"
    second = SecondSolverTally() if options.second_solver else None
    effort = ProverOptions(options.timeout, options.smtlib, second)

    def say(done: int, of: int) -> None:
        progress.say(f"proving {spec.name}: {done} of {of}")

    runner = Scheduler(cores, effort, folder, options.jobs, say, limit)
    try:
        return prove(cores, ways, runner, options.only, options.count)
    except ContradictionError as error:
        error.keep(None if checked.text is None else checked.text.text)
        raise


def _cores(checked: LoadedSpec, options: Namespace) -> dict[str | None, Spec]:
    assert checked.spec is not None
    names = [each.name for each in checked.spec.variants]
    if options.variant is not None:
        names = [each for each in names if each == options.variant]
    elif options.readings:
        names = []
    return {None: checked.spec, **{name: checked.variant(name) for name in names}}


def _need_second_solver() -> None:
    try:
        import cvc5  # noqa: F401
    except ImportError as error:
        raise RefusalError(
            "the second solver is not installed", "install it with `pip install rulewright[cvc5]`"
        ) from error


def _at_least_one(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"`{text}` is not a number from 1 on")
    return int(text)
