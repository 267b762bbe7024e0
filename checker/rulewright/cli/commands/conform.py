"""Compares an engine with a spec: both get the same events and must reach the same positions.

ENGINE is `python:MODULE:CLASS`, a class with the methods of the protocol, `exec:COMMAND LINE`, a
program that answers one JSON object a line, or `words:COMMAND LINE`, a program that has no JSON.
Quote a command line with blanks, such as "exec:node qwixx.mjs". Where the two differ, the report
shows the shortest game found and the clause that the engine breaks.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import FAILS, HOLDS, UNDECIDED
from rulewright.cli.exit_status import STATUS
from rulewright.cli.inputs.open_game import core_of, read_spec
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.options import (
    add_distribution,
    add_format,
    add_limit,
    add_patience,
    add_players,
    add_readings,
    add_variant,
)
from rulewright.cli.output.named_files import reason
from rulewright.cli.progress import Progress
from rulewright.conform.engine.protocol import Engine, EngineFault, open_engine
from rulewright.conform.oracle.answer_order import checked_start
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.report.finding import Finding, finding_of
from rulewright.conform.stages.conformance import GAMES, STAGES, Conformance, Plan, Stage
from rulewright.conform.stages.runner import ConformanceRun, unheard
from rulewright.conform.stages.tried_mistakes import Tested
from rulewright.diagnostics import Diagnostic, Messages, Text
from rulewright.distribute.backend import answers
from rulewright.frontend import LoadedSpec
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance, nearest
from rulewright.report.emit import emit
from rulewright.report.model import Cell, Result, Table
from rulewright.syntax.node import NOWHERE, Span, replace
from rulewright.syntax.tree import Game
from rulewright.system.atomic_write import write_whole
from rulewright.system.interrupts import Limit, StoppedError

LOOKS_ITSELF = True
"""Stages may be disturbed; what tells of them is not."""
STARTS_PROGRAMS = True
"""Its arguments name a program, so nobody runs it by arguments that are not their own."""
SPOKEN = {
    "conforms": "conforms", "differs": "differs", "unknown": "agrees as far as it was checked",
    "partly": "conforms as far as tried",
}  # fmt: skip
MOST_LISTED = 5
"""Mistakes that were not tried, named in words; JSON has all."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `conform`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    kinds = "python:MODULE:CLASS, exec:COMMAND LINE or words:COMMAND LINE"
    parser.add_argument("engine", metavar="ENGINE", help=kinds)
    parser.add_argument(
        "--stages",
        type=_stages,
        default=STAGES,
        metavar="A,B",
        help=f"only these of {', '.join(STAGES)}",
    )
    parser.add_argument(
        "--games", type=_number, default=GAMES, metavar="N", help=f"random games ({GAMES})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the games (0)")
    parser.add_argument("--first", action="store_true", help="stop at the first difference")
    parser.add_argument(
        "--allow-untested",
        action="store_true",
        help="exit with 0 although mistakes could not be tried",
    )
    parser.add_argument(
        "--known-untested", metavar="FILE", help="accept that those listed in FILE are not tried"
    )
    parser.add_argument(
        "--base-game", action="store_true", help="leave the variants of the game out"
    )
    parser.add_argument(
        "--in-turn",
        metavar="FROM",
        help="the engine asks players one by one where all answer at once: in the order of their "
        "seats, from seat 1 or from the player that a variable names",
    )
    add_patience(parser, 10.0)
    parser.add_argument(
        "--save", metavar="FILE", help="write the first differing game as a trace to FILE"
    )
    add_limit(parser)
    add_distribution(parser)
    add_players(parser)
    add_readings(parser)
    add_variant(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Checks the engine and reports what was found."""
    checked = read_spec(options.spec)
    plan = plan_of(options, checked)
    options.accepted = _accepted(options.allow_untested, options.known_untested)
    if options.save:
        _can_be_saved(Path(options.save))
    from rulewright.cli.tasks.conformance import ConformanceWork, joined

    parts: list[Conformance] = []
    # What an engine in this process prints must not get into the report.
    with Progress(sys.stderr) as progress, redirect_stdout(sys.stderr):
        work = ConformanceWork(
            checked, options.engine, options.timeout, plan, progress.say, options.ending,
            progress.note if options.format == "full" else unheard,
        )  # fmt: skip
        try:
            for part in answers(work):
                parts.append(part)
        except StoppedError as end:
            if not parts:
                raise
            parts[-1] = replace(parts[-1], stopped=end.why)
    return emit_conformance(checked, joined(parts), options, plan)


def conformance_of(
    oracles: Oracles, engine: str, timeout: float, plan: Plan, say: Callable[[str], None],
    only: range | None, limit: Limit, note: Callable[[str], None] = unheard,
) -> Conformance:  # fmt: skip
    """How an engine conforms, as far as a plan goes; `only` these games, if any are named. `note`
    is told of each difference as soon as there is one."""
    try:
        with limit.interruptible():
            opened = open_engine(engine, timeout)
        with opened as started:
            _check_game(started, oracles.checked)
            return ConformanceRun(oracles, started, plan, say, only, limit, note).run()
    except UsageError as error:
        raise RefusalError(error.message, error.help or "see the protocol") from error
    except EngineFault as fault:
        return _failed_to_start(fault, plan, oracles.checked)


def plan_of(options: Namespace, checked: LoadedSpec) -> Plan:
    """What the options ask for; refuses what the game does not have."""
    spec = core_of(checked, options.variant)
    try:
        for number in options.players or ():
            Instance(spec, number, options.readings)
        Instance(spec, None, options.readings)
    except UsageError as error:
        raise RefusalError(error.message, error.help or "") from error
    return Plan(
        options.stages,
        options.games,
        options.seed,
        options.players,
        options.readings,
        options.variant,
        options.first,
        not options.base_game,
        options.in_turn if options.in_turn is None else checked_start(spec, options.in_turn),
    )


def _accepted(every: bool, file: str | None) -> frozenset[str] | None:
    """The mistakes that need not be tried, by name; None if all of them need not."""
    if every:
        return None
    if file is None:
        return frozenset()
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        help = "it has a mistake on each line, as `--format json` lists them in `untested`"
        why = reason(error) if isinstance(error, OSError) else "it is no text"
        raise RefusalError(f"`{file}` cannot be read: {why}", help) from error
    return frozenset(each.strip() for each in lines if each.strip() and not each.startswith("#"))


def emit_conformance(
    checked: LoadedSpec, conformance: Conformance, options: Namespace, plan: Plan
) -> int:
    """Shows the outcome of a run and returns its exit code."""
    told: dict[str, str] = {}
    results = [result_of(stage, checked, told) for stage in conformance.stages]
    nothing = sum(stage.checked for stage in conformance.stages) == 0
    found = list(dict.fromkeys(each for result in results for each in result.diagnostics))
    tested, accepted = conformance.tested, options.accepted
    if tested is not None and accepted:
        tested = tested.without(accepted)
    untested = tested is not None and bool(tested.untested)
    if nothing and not found and conformance.stopped is None:
        found.append(_nothing_checked(checked))
    saved = _save(options.save, conformance) if options.save else None
    covered = conformance.coverage
    exercised = sum(1 for times in covered.values() if times)
    seconds = sum(stage.seconds for stage in conformance.stages)
    verdict = "differs" if found else "unknown" if conformance.stopped else "conforms"
    partly = verdict == "conforms" and (untested or tested is None)
    spoken = SPOKEN["partly" if partly else verdict]
    if nothing and conformance.conforms:
        spoken = "was not checked"
    undecided = conformance.stopped or (untested and accepted is not None)
    closing = [
        f"{options.engine} {spoken}: {conformance.events:,} events and {conformance.refusals:,} "
        f"refusals compared in {seconds:.1f} s, seed {plan.seed}",
        *(
            [f"clauses exercised: {exercised} of {len(covered)}{_not_exercised(covered)}"]
            if covered
            else []
        ),
        *_tested(tested, accepted is None),
        *_left_out(conformance),
        *([saved] if saved else []),
        *_not_done(conformance),
    ]
    report = report_on(
        "conform",
        [checked],
        results=results,
        summary={
            "engine": options.engine,
            "verdict": "unknown" if undecided and not found else verdict,
            "seed": plan.seed,
            "events": conformance.events,
            "refusals": conformance.refusals,
            "left_out": _left_out(conformance),
            "coverage": dict(covered),
            "mistakes": _mistakes(tested),
            **({} if conformance.stopped is None else {"stopped": conformance.stopped}),
        },
        exit=FAILS if found else UNDECIDED if undecided else HOLDS,
        found=found,
        table=table_of(conformance),
        closing="\n".join(closing),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def result_of(stage: Stage, checked: LoadedSpec, told: dict[str, str]) -> Result:
    """How one stage went; what another has `told` is told only there."""
    finding = stage.finding
    data: dict[str, object] = {
        "stage": stage.name,
        "checked": stage.checked,
        "verdict": "differs" if finding else "unknown" if stage.stopped else "conforms",
        "difference": finding.data() if finding else None,
        "differences": [each.data() for each in stage.findings],
        "left_out": list(stage.left_out),
        "seconds": round(stage.seconds, 3),
    }
    if finding is None:
        status = STATUS[UNDECIDED if stage.stopped else HOLDS]
        return Result(stage.name, status, data, seconds=stage.seconds)
    assert checked.text is not None
    lines: list[str] = []
    for each in stage.findings:
        first = told.setdefault(each.message, stage.name)
        if first == stage.name:
            lines += _told(stage.name, each)
        else:
            lines += [f"`{stage.name}` differs in the same way as `{first}`: {each.message}", ""]
    found = tuple(_placed(each, checked).diagnostic(checked.text) for each in stage.findings)
    return Result(stage.name, STATUS[FAILS], data, tuple(lines), found, stage.seconds)


def _told(stage: str, finding: Finding) -> list[str]:
    """A difference in words: how often, by what it was shown, the game."""
    often = f", met {finding.times} times" if finding.times > 1 else ""
    shown = [f"shown by {finding.where}{often}"] if finding.where else []
    return [f"`{stage}` differs: {finding.message}", *shown, *finding.lines]


def _placed(finding: Finding, checked: LoadedSpec) -> Finding:
    """A finding with a place in the spec; where it is about no rule, the name of the game."""
    if finding.blame.span != NOWHERE:
        return finding
    return replace(finding, blame=replace(finding.blame, span=_name_of_game(checked)))


def table_of(conformance: Conformance) -> Table:
    """A row per stage."""
    rows = []
    for stage in conformance.stages:
        status = "fails" if stage.finding else "undecided" if stage.stopped else "holds"
        verdict = "differs" if stage.finding else "conforms" if stage.checked else "-"
        if stage.stopped and not stage.finding:
            verdict = "not finished"
        rows.append(
            (
                Cell(stage.name),
                Cell(_checked(stage)),
                Cell(verdict, status if stage.checked or stage.finding else None),
                Cell(f"{stage.seconds:.1f} s"),
            )
        )
    return Table(("stage", "checked", "verdict", "time"), tuple(rows))


def _checked(stage: Stage) -> str:
    """How much of a stage was checked, in words."""
    if stage.findings and not stage.checked:
        return "none begun"
    return f"{stage.checked:,} {stage.unit[:-1] if stage.checked == 1 else stage.unit}"


def _check_game(engine: Engine, checked: LoadedSpec) -> None:
    assert checked.spec is not None
    if engine.game is not None and engine.game != checked.spec.name:
        raise RefusalError(
            f"the engine plays `{engine.game}`, the spec is of `{checked.spec.name}`",
            "check the engine against the spec of its own game",
        )


def _failed_to_start(fault: EngineFault, plan: Plan, checked: LoadedSpec) -> Conformance:
    """An engine that did not come as far as its first game."""
    name = next(each for each in STAGES if each in plan.stages)
    finding: Finding = finding_of(fault, checked.hash)
    return Conformance((Stage(name, 0, "", (finding,), (), 0.0),), {}, 0, 0)


def _nothing_checked(checked: LoadedSpec) -> Diagnostic:
    messages = Messages(checked.text or Text(checked.file, ""))
    help = "ask for a stage that the engine can take part in"
    messages.error("RW408", _name_of_game(checked), "nothing was checked", help)
    return messages.all[0]


def _name_of_game(checked: LoadedSpec) -> Span:
    """Where a spec says which game it is of."""
    assert checked.tree is not None
    games = (each for each in checked.tree.declarations if isinstance(each, Game))
    return next(games).name.span


def _save(file: str, conformance: Conformance) -> str | None:
    """Writes the first differing game; says where it is."""
    import json

    traces = [found.trace for each in conformance.stages for found in each.findings]
    # A game from its beginning is worth more than one from a position.
    traces.sort(key=lambda trace: not trace or "position" in trace[0])
    lines = next((trace for trace in traces if trace), None)
    if lines is None:
        return None
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    try:
        write_whole(Path(file), text)
    except OSError as error:  # what was found is still worth reading
        return f"the differing game cannot be written to {file}: {reason(error)}"
    return f"the differing game is in {file}"


def _can_be_saved(file: Path) -> None:
    """Refuses a file that cannot be written before anything is played."""
    was_there = file.exists()
    try:
        file.open("a", encoding="utf-8").close()
    except OSError as error:
        message = f"`{file}` cannot be written: {reason(error)}"
        raise RefusalError(message, "name another file") from error
    if not was_there:
        file.unlink()


def _tested(tested: Tested | None, allowed: bool) -> list[str]:
    """Which mistakes were tried, in words."""
    if tested is None:
        return ["which mistakes were tried is not known: the stage `vectors` was not run"]
    lines = [f"mistakes tried: {tested.tried} of {tested.mistakes}"]
    if tested.foreign:
        lines[0] += f"; {tested.foreign} more are of readings that the engine does not have"
    if tested.undecided:
        lines[0] += f"; of {tested.undecided} changes nobody knows whether they are mistakes"
    lines += [f"not tried, {each}" for each in tested.reasons()]
    for each in tested.untested[:MOST_LISTED]:
        lines.append(f"  {each.name}")
    if len(tested.untested) > MOST_LISTED:
        lines.append(
            f"  and {len(tested.untested) - MOST_LISTED} more, which `--format json` lists"
        )
    if tested.untested and not allowed:
        lines.append(
            "help: `--allow-untested` accepts that, `--known-untested FILE` what a file lists"
        )
    return lines


def _mistakes(tested: Tested | None) -> dict[str, object] | None:
    """The same for programs."""
    if tested is None:
        return None
    return {
        "known": tested.mistakes,
        "tried": tested.tried,
        "foreign": tested.foreign,
        "undecided": tested.undecided,
        "untested": [{"mistake": each.name, "why": each.why} for each in tested.untested],
    }


def _not_exercised(covered: object) -> str:
    assert isinstance(covered, dict)
    names = [name for name, times in covered.items() if not times]
    shown = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    return f"; not: {shown}" if names else ""


def _left_out(conformance: Conformance) -> list[str]:
    return [
        *(
            f"left out of {stage.name}: {each}"
            for stage in conformance.stages
            for each in stage.left_out
        ),
        *(f"not compared in any stage: {each}" for each in conformance.not_compared),
    ]


def _not_done(conformance: Conformance) -> list[str]:
    """What a run that was ended did not come to."""
    if conformance.stopped is None:
        return []
    unfinished = [f"{each.name} was not finished" for each in conformance.stages if each.stopped]
    missing = [f"{each} was not begun" for each in conformance.missing]
    return [f"not everything was checked: {conformance.stopped}; {', '.join(unfinished + missing)}"]


def _stages(text: str) -> tuple[str, ...]:
    chosen = tuple(each.strip() for each in text.split(","))
    for each in chosen:
        if each not in STAGES:
            advice = nearest(each, STAGES, f"the stages are {', '.join(STAGES)}")
            raise ArgumentTypeError(f"there is no stage `{each}`; {advice}")
    return chosen


def _number(text: str) -> int:
    if not text.isdigit():
        raise ArgumentTypeError(f"`{text}` is not a number of games")
    return int(text)
