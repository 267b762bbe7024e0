"""Proves the properties of specs, for every position that any game can ever reach."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from time import perf_counter

from checker.cli.exits import BUG, FAILS, HOLDS, UNDECIDED
from checker.cli.options import add_format, add_players, add_readings, add_specs, add_variant
from checker.cli.outcome import STATUS, counted, exit_for, gravest
from checker.cli.playing import open_game
from checker.cli.progress import Progress
from checker.cli.refusal import RefusalError
from checker.cli.specs import read_specs, report_on
from checker.front import Checked
from checker.meaning.core import Ends, Property, Spec
from checker.message import Diagnostic, Messages
from checker.play.encoding import encode_event, encode_position
from checker.play.instance import Instance, nearest
from checker.play.notation import write_line
from checker.prove.ask import Effort
from checker.prove.ground import Setting, settings
from checker.prove.prover import OBLIGATIONS, Proved, prove
from checker.prove.run import Run
from checker.prove.verdict import PROVED, REFUTED, UNKNOWN, Verdict
from checker.report.emit import emit
from checker.report.record import Cell, Result, Table
from checker.resources import cache_directory
from checker.syntax.node import Span

QUIET = ("requirement", "vacuity", "transition")
"""Kinds of verdicts that are only worth a line where something is wrong."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `prove`."""
    add_specs(parser)
    add_format(parser)
    add_players(parser)
    add_readings(parser)
    add_variant(parser)
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="prove only this property; may be given more than once")  # fmt: skip
    parser.add_argument("--jobs", type=_at_least_one, metavar="N",
                        help="on so many processes; without it, one for each core")  # fmt: skip
    parser.add_argument("--no-cache", action="store_true", help="ask everything anew")
    parser.add_argument("--second-solver", action="store_true",
                        help="ask cvc5 the same, and report where it disagrees")  # fmt: skip
    parser.add_argument("--smtlib", type=Path, metavar="DIR",
                        help="write every question to a file in DIR")  # fmt: skip
    parser.add_argument("--timeout", type=_seconds, default=30.0, metavar="S",
                        help="seconds for each question (30)")  # fmt: skip


def run(options: Namespace) -> int:
    """Proves every spec in every setting and reports on all of them."""
    began = perf_counter()
    specs = read_specs(options.specs)
    results: list[Result] = []
    found: list[Diagnostic] = []
    rows: list[tuple[Cell, ...]] = []
    exits = [
        exit_for(each for each in spec.diagnostics if each.severity == "error") for spec in specs
    ]
    questions, solving = 0, 0.0
    with Progress(sys.stderr) as progress:
        for checked in specs:
            if checked.spec is None:
                continue
            for each in prove_spec(checked, options, progress):
                variant = each.setting.variant
                core = checked.spec if variant is None else checked.variant(variant)
                instance = Instance(core, each.setting.players, dict(each.setting.readings))
                questions += each.questions
                solving += each.seconds
                for verdict in each.verdicts:
                    result = result_of(checked, instance, each.setting, verdict)
                    if verdict.kind not in QUIET or verdict.verdict != PROVED:
                        results.append(result)
                    found += result.diagnostics
                    exits.append(exit_of(verdict))
                rows.append(row_of(checked.spec, each))
    if not questions and not any(exits):
        raise RefusalError("there was nothing to prove", "check the names given with --only")
    verdicts = [str(result.data["verdict"]) for result in results]
    counts = {name: verdicts.count(name) for name in ("proved", "bounded", "refuted", "unknown")}
    seconds = perf_counter() - began
    words = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    report = report_on(
        "prove", specs, results=results,
        summary={**counts, "obligations": questions, "seconds": round(seconds, 3),
                 "solver_seconds": round(solving, 3)},
        exit=gravest(exits), found=found,
        table=Table(("spec", "setting", "proved", "refuted", "unknown", "seconds"), tuple(rows)),
        closing=f"{words or 'nothing'} of {counted(questions, 'question')} in {seconds:.1f} s",
    )  # fmt: skip
    return emit(report, options.format, sys.stdout, sys.stderr)


def prove_spec(checked: Checked, options: Namespace, progress: Progress) -> list[Proved]:
    """The verdicts on one spec in every setting asked for."""
    spec = checked.spec
    assert spec is not None
    cores = _cores(checked, options)
    known = [*(p.name for p in spec.properties), *(e.name for e in spec.ends), *OBLIGATIONS]
    for name in options.only:
        if name not in known:
            raise RefusalError(
                f"`{spec.name}` has no property `{name}`",
                nearest(name, known, "`rulewright check` lists what there is"),
            )
    if options.second_solver:
        _need_second_solver()
    ways = settings(spec, options.players, options.readings, options.variant)
    for way in ways:
        open_game(checked, way.players, dict(way.readings), way.variant)
    folder = None if options.no_cache else cache_directory() / "proofs"
    effort = Effort(options.timeout, options.smtlib, options.second_solver)

    def say(done: int, of: int) -> None:
        progress.say(f"proving {spec.name}: {done} of {of}")

    runner = Run(cores, effort, folder, options.jobs, say)
    return prove(cores, ways, runner, options.only)


def _cores(checked: Checked, options: Namespace) -> dict[str | None, Spec]:
    assert checked.spec is not None
    names = [each.name for each in checked.spec.variants]
    if options.variant is not None:
        names = [each for each in names if each == options.variant]
    elif options.readings:
        names = []
    return {None: checked.spec, **{name: checked.variant(name) for name in names}}


def exit_of(verdict: Verdict) -> int:
    """What a verdict amounts to."""
    if verdict.reason is not None and "bug of ours" in verdict.reason:
        return BUG
    if verdict.verdict == REFUTED:
        return HOLDS if verdict.kind in QUIET else FAILS
    return UNDECIDED if verdict.verdict == UNKNOWN and verdict.kind not in QUIET else HOLDS


def result_of(checked: Checked, instance: Instance, setting: Setting, verdict: Verdict) -> Result:
    """One verdict as every format shows it."""
    spec = instance.spec
    declared: dict[str, Property | Ends] = {each.name: each for each in spec.properties}
    declared |= {each.name: each for each in spec.ends}
    property = declared.get(verdict.name)
    clauses = property.clauses if property is not None else ()
    game = verdict.game
    shown = game.end if game is not None else verdict.position
    data = {
        "name": verdict.name, "kind": verdict.kind, "players": setting.players,
        "readings": dict(instance.readings), "variant": setting.variant,
        "verdict": verdict.verdict, "depth": verdict.depth, "seconds": round(verdict.seconds, 3),
        "clauses": list(clauses), "uses": list(verdict.used),
        "trace": None if game is None else [encode_event(e, instance) for e in game.events],
        "position": None if shown is None else encode_position(dict(shown), instance),
        "reason": verdict.reason, "note": verdict.note,
    }  # fmt: skip
    status = STATUS[exit_of(verdict)]
    diagnostics: tuple[Diagnostic, ...] = ()
    if status != "holds" or (verdict.kind in QUIET and verdict.verdict == REFUTED):
        span = property.span if property is not None else Span(0, 0)
        diagnostics = (_diagnostic(checked, span, setting, verdict),)
    return Result(
        f"{verdict.name} ({setting.shown()})", status, data, lines_of(instance, setting, verdict),
        diagnostics, verdict.seconds,
    )  # fmt: skip


def lines_of(instance: Instance, setting: Setting, verdict: Verdict) -> tuple[str, ...]:
    """What a person reads of a verdict: a game where there is one, or where induction fails."""
    if verdict.kind == "possible" or verdict.verdict in (PROVED, "bounded"):
        return ()
    lines = [f"{verdict.name} is {verdict.verdict} ({setting.shown()})"]
    if verdict.game is not None:
        lines[0] += f", in a game of {counted(len(verdict.game.events), 'event')}:"
        lines += [f"    {write_line(event, instance)}" for event in verdict.game.events]
    elif verdict.position is not None:
        lines[0] += ": the induction fails, at a position not found reachable"
        event = f" by {write_line(verdict.event, instance)}" if verdict.event is not None else ""
        lines.append(f"    {verdict.note}{event}")
    elif verdict.reason is not None:
        lines[0] += f": {verdict.reason}" + (f" ({verdict.note})" if verdict.note else "")
    return tuple(lines)


def _diagnostic(checked: Checked, span: Span, setting: Setting, verdict: Verdict) -> Diagnostic:
    assert checked.text is not None
    messages = Messages(checked.text)
    how = f" ({verdict.reason})" if verdict.reason else ""
    message = f"`{verdict.name}` is {verdict.verdict} with {setting.shown()}{how}"
    if verdict.kind in QUIET:
        messages.warning("RW303", span, f"`{verdict.name}`: {verdict.reason}")
    elif verdict.verdict == REFUTED:
        messages.error("RW301", span, message)
    else:
        messages.error("RW302", span, message)
    return messages.all[0]


def row_of(spec: Spec, proved: Proved) -> tuple[Cell, ...]:
    """The table's line on one setting."""
    loud = [each for each in proved.verdicts if each.kind not in QUIET]
    counts = [sum(each.verdict == name for each in loud) for name in (PROVED, REFUTED, UNKNOWN)]
    return (
        Cell(spec.name), Cell(proved.setting.shown()), Cell(str(counts[0]), "holds"),
        Cell(str(counts[1]), "fails" if counts[1] else None),
        Cell(str(counts[2]), "undecided" if counts[2] else None), Cell(f"{proved.seconds:.1f}"),
    )  # fmt: skip


def _need_second_solver() -> None:
    try:
        import cvc5  # noqa: F401
    except ImportError as error:
        raise RefusalError(
            "the second solver is not installed", "install it with `pip install rulewright[cvc5]`"
        ) from error


def _at_least_one(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"`{text}` is not a number of processes")
    return int(text)


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 1e6:
        raise ArgumentTypeError(f"`{text}` is not a number of seconds")
    return found
