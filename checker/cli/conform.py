"""Holds an engine to a spec: both are told the same events and must agree on what follows.

ENGINE is `python:MODULE:CLASS`, an object with the methods of the protocol, or `exec:COMMAND
LINE`, a program that answers one JSON object a line; a line with blanks goes in quotes, such as
"exec:node qwixx.mjs". Where they part, the shortest game found is shown with the clause that the
engine breaks.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import redirect_stdout
from pathlib import Path

from checker.cli.exits import FAILS, HOLDS, UNDECIDED
from checker.cli.options import (
    add_format,
    add_limit,
    add_patience,
    add_players,
    add_readings,
    add_variant,
)
from checker.cli.outcome import STATUS
from checker.cli.playing import core_of, read_spec
from checker.cli.progress import Progress
from checker.cli.refusal import RefusalError
from checker.cli.specs import report_on
from checker.conform.engine import Engine, EngineFault, open_engine
from checker.conform.finding import Finding, finding_of
from checker.conform.run import GAMES, STAGES, Check, Conformance, Plan, Stage
from checker.conform.setups import Rulebook
from checker.front import Checked
from checker.message import Diagnostic, Messages, Text
from checker.play.errors import UsageError
from checker.play.instance import Instance, nearest
from checker.report.emit import emit
from checker.report.record import Cell, Result, Table
from checker.syntax.node import NOWHERE, Span, replace
from checker.syntax.tree import Game

SPOKEN = {
    "conforms": "conforms", "differs": "differs", "unknown": "agrees as far as it was checked",
}  # fmt: skip


def configure(parser: ArgumentParser) -> None:
    """The arguments of `conform`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument("engine", metavar="ENGINE", help="python:MODULE:CLASS or exec:COMMAND LINE")
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
    add_patience(parser, 10.0)
    parser.add_argument(
        "--save", metavar="FILE", help="write the first differing game as a trace to FILE"
    )
    add_limit(parser)
    add_players(parser)
    add_readings(parser)
    add_variant(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Checks the engine and reports what was found."""
    checked = read_spec(options.spec)
    plan = plan_of(options, checked)
    if options.save:
        _can_be_saved(Path(options.save))
    # What an engine in this process prints must not get into the report.
    with Progress(sys.stderr) as progress, redirect_stdout(sys.stderr):
        try:
            with open_engine(options.engine, options.timeout) as engine:
                _check_game(engine, checked)
                check = Check(Rulebook(checked), engine, plan, progress.say)
                conformance = check.run()
        except UsageError as error:
            raise RefusalError(error.message, error.help or "see the protocol") from error
        except EngineFault as fault:
            conformance = _failed_to_start(fault, plan, checked)
    return emit_conformance(checked, conformance, options, plan)


def plan_of(options: Namespace, checked: Checked) -> Plan:
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
    )


def emit_conformance(
    checked: Checked, conformance: Conformance, options: Namespace, plan: Plan
) -> int:
    """Shows the outcome of a run and returns its exit code."""
    results = _once([result_of(stage, checked) for stage in conformance.stages])
    nothing = sum(stage.checked for stage in conformance.stages) == 0
    found = list(dict.fromkeys(each for result in results for each in result.diagnostics))
    if nothing and not found and conformance.stopped is None:
        found.append(_nothing_checked(checked))
    saved = _save(options.save, conformance) if options.save else None
    covered = conformance.coverage
    exercised = sum(1 for times in covered.values() if times)
    seconds = sum(stage.seconds for stage in conformance.stages)
    verdict = "differs" if found else "unknown" if conformance.stopped else "conforms"
    spoken = "was not checked" if nothing and conformance.conforms else SPOKEN[verdict]
    closing = [
        f"{options.engine} {spoken}: {conformance.events:,} events and {conformance.refusals:,} "
        f"refusals compared in {seconds:.1f} s, seed {plan.seed}",
        *(
            [f"clauses exercised: {exercised} of {len(covered)}{_not_exercised(covered)}"]
            if covered
            else []
        ),
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
            "verdict": verdict,
            "seed": plan.seed,
            "events": conformance.events,
            "refusals": conformance.refusals,
            "left_out": _left_out(conformance),
            "coverage": dict(covered),
            **({} if conformance.stopped is None else {"stopped": conformance.stopped}),
        },
        exit=FAILS if found else UNDECIDED if conformance.stopped else HOLDS,
        found=found,
        table=table_of(conformance),
        closing="\n".join(closing),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def result_of(stage: Stage, checked: Checked) -> Result:
    """How one stage went."""
    finding = stage.finding
    data: dict[str, object] = {
        "stage": stage.name,
        "checked": stage.checked,
        "verdict": "differs" if finding else "unknown" if stage.stopped else "conforms",
        "difference": finding.data() if finding else None,
        "left_out": list(stage.left_out),
        "seconds": round(stage.seconds, 3),
    }
    if finding is None:
        status = STATUS[UNDECIDED if stage.stopped else HOLDS]
        return Result(stage.name, status, data, seconds=stage.seconds)
    assert checked.text is not None
    lines = (f"`{stage.name}` differs: {finding.message}", *finding.lines)
    if finding.blame.span == NOWHERE:  # it is about the engine, and no rule
        finding = replace(finding, blame=replace(finding.blame, span=_name_of_game(checked)))
    found = (finding.diagnostic(checked.text),)
    return Result(stage.name, STATUS[FAILS], data, lines, found, stage.seconds)


def _once(results: list[Result]) -> list[Result]:
    """Results in which a story that two stages have to tell is told by the first of them."""
    told: dict[tuple[str, ...], str] = {}
    found = []
    for result in results:
        story = result.lines[1:]
        lines = result.lines
        if story and story in told:
            lines = (f"`{result.name}` differs in the same way as `{told[story]}`", "")
        told.setdefault(story, result.name)
        found.append(replace(result, lines=lines))
    return found


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
                Cell(f"{stage.checked:,} {stage.unit[:-1] if stage.checked == 1 else stage.unit}"),
                Cell(verdict, status if stage.checked or stage.finding else None),
                Cell(f"{stage.seconds:.1f} s"),
            )
        )
    return Table(("stage", "checked", "verdict", "time"), tuple(rows))


def _check_game(engine: Engine, checked: Checked) -> None:
    assert checked.spec is not None
    if engine.game is not None and engine.game != checked.spec.name:
        raise RefusalError(
            f"the engine plays `{engine.game}`, the spec is of `{checked.spec.name}`",
            "check the engine against the spec of its own game",
        )


def _failed_to_start(fault: EngineFault, plan: Plan, checked: Checked) -> Conformance:
    """An engine that did not come as far as its first game."""
    name = next(each for each in STAGES if each in plan.stages)
    finding: Finding = finding_of(fault, checked.hash)
    return Conformance((Stage(name, 0, "", finding, (), 0.0),), {}, 0, 0)


def _nothing_checked(checked: Checked) -> Diagnostic:
    messages = Messages(checked.text or Text(checked.file, ""))
    help = "ask for a stage that the engine can take part in"
    messages.error("RW408", _name_of_game(checked), "nothing was checked", help)
    return messages.all[0]


def _name_of_game(checked: Checked) -> Span:
    """Where a spec says which game it is of."""
    assert checked.tree is not None
    games = (each for each in checked.tree.declarations if isinstance(each, Game))
    return next(games).name.span


def _save(file: str, conformance: Conformance) -> str | None:
    """Writes the first differing game; says where it is."""
    import json

    traces = [each.finding.trace for each in conformance.stages if each.finding]
    # A game from its beginning is worth more than one from a position.
    traces.sort(key=lambda trace: not trace or "position" in trace[0])
    lines = next((trace for trace in traces if trace), None)
    if lines is None:
        return None
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    try:
        # Half a character, which an engine may have said, is written as JSON escapes it.
        Path(file).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:  # what was found is still worth reading
        return f"the differing game cannot be written to {file}: {_reason(error)}"
    return f"the differing game is in {file}"


def _can_be_saved(file: Path) -> None:
    """Refuses a file that cannot be written before anything is played."""
    was_there = file.exists()
    try:
        file.open("a", encoding="utf-8").close()
    except OSError as error:
        message = f"`{file}` cannot be written: {_reason(error)}"
        raise RefusalError(message, "name another file") from error
    if not was_there:
        file.unlink()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


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
