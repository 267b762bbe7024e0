"""For each open question of a rulebook: where the answers differ, or a proof that they never do.

Random games are played by each option and the default, side by side. If they show no difference,
the solver compares the two in every position. A difference is shown with a game that reaches it.
With --properties, tables say what is proved under each option and in each variant.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from rulewright.change.output.difference_view import shown
from rulewright.change.output.json import verdict_object
from rulewright.change.semantic.readings import (
    ComparisonOptions,
    PropertyTable,
    ReadingComparison,
    property_tables,
)
from rulewright.cli.exit_codes import HOLDS, UNDECIDED
from rulewright.cli.exit_status import STATUS, counted
from rulewright.cli.inputs.open_game import open_game, read_spec
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.options import add_distribution, add_format, add_limit, add_players, add_timeout
from rulewright.cli.progress import Progress
from rulewright.distribute.backend import answers
from rulewright.meaning.core import Spec
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.resources import cache_directory
from rulewright.system.interrupts import StoppedError

WIDEST = 98
LONGEST_VERDICT = len("refuted")
OUTCOMES = {
    "parts": "they part",
    "never": "proved: they never part",
    "not found": "they differ only in positions that no game was found to reach",
    "unknown": "could not be decided",
}


def configure(parser: ArgumentParser) -> None:
    """The arguments of `readings`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    add_players(parser)
    parser.add_argument(
        "--properties", action="store_true",
        help="also which properties hold under which option and in which variant",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="for random play (0)")
    add_timeout(parser, 10.0, "for a question")
    parser.add_argument("--jobs", type=int, metavar="N", help="on so many processes")
    parser.add_argument("--no-cache", action="store_true", help="ask everything anew")
    add_limit(parser)
    add_distribution(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Compares every option with the default."""
    checked = read_spec(options.spec)
    assert checked.spec is not None
    spec = checked.spec
    numbers = list(options.players or range(spec.least, spec.most + 1))
    for number in numbers:
        open_game(checked, number)
    folder = None if options.no_cache else cache_directory() / "proofs"
    results: list[Result] = []
    stopped: str | None = None
    with Progress(sys.stderr) as progress:
        asking = ComparisonOptions(
            options.timeout, folder, options.jobs, options.seed, progress.say
        )
        try:
            from rulewright.cli.tasks.reading_options import ReadingsWork

            work = ReadingsWork(
                checked, numbers, asking, options.timeout, folder is not None, options.seed
            )
            for each in answers(work):
                results.append(each)
            if options.properties:
                cores: dict[str | None, Spec] = {
                    None: spec,
                    **{v.name: checked.variant(v.name) for v in spec.variants},
                }
                found = property_tables(cores, numbers, asking)
                results += [_table_of(found, number) for number in numbers]
        except StoppedError as end:
            stopped = end.why
    outcomes = [str(each.data["outcome"]) for each in results if "outcome" in each.data]
    undecided = stopped or any(each.status == STATUS[UNDECIDED] for each in results)
    options_in_all = sum(len(each.options) - 1 for each in spec.readings)
    closing = f"{counted(len(spec.readings), 'open question')} in `{spec.name}`"
    summary: dict[str, object] = {word: outcomes.count(word) for word in OUTCOMES}
    if stopped is not None:
        summary["stopped"] = stopped
        done = f"{len(outcomes)} of {counted(options_in_all, 'option')}"
        closing += f"\nnot everything was asked, only {done}: {stopped}"
    exit_code = UNDECIDED if undecided else HOLDS
    report = report_on("readings", [checked], results, summary, exit_code, closing=closing)
    return emit(report, options.format, sys.stdout, sys.stderr)


def result_of(each: ReadingComparison) -> Result:
    """One option against the default."""
    name = f"{each.reading.name} = {each.option.name}"
    data: dict[str, object] = {
        "reading": each.reading.name,
        "option": each.option.name,
        "default": each.reading.default,
        "clauses": list(each.reading.clauses),
        "outcome": each.outcome,
        "differences": [verdict_object(verdict) for verdict in each.differing],
    }
    exit_code = UNDECIDED if each.outcome == "unknown" else HOLDS
    return Result(name, STATUS[exit_code], data, tuple(_lines(each)))


def _lines(each: ReadingComparison) -> Iterator[str]:
    reading = each.reading
    clauses = f" [{', '.join(reading.clauses)}]" if reading.clauses else ""
    yield f"{reading.name}: {reading.prose}{clauses}"
    default = next(o for o in reading.options if o.name == reading.default)
    yield f"  {default.name}: {default.prose}"
    yield f"  {each.option.name}: {each.option.prose}"
    yield f"  {OUTCOMES[each.outcome]}"
    for verdict in each.differing:
        for difference in verdict.differences:
            sides = default.name, each.option.name
            yield f"  {verdict.subject.name}"
            yield from (f"    {line}".rstrip() for line in shown(difference, sides))
    yield ""


def _table_of(found: Sequence[PropertyTable], players: int) -> Result:
    """What is proved under each option, and in each variant that so many can play."""
    here = [each for each in found if each.configuration.players == players]
    data: dict[str, object] = {
        "players": players, "properties": {each.title: each.verdicts for each in here},
    }  # fmt: skip
    unknown = any(verdict == "unknown" for each in here for verdict in each.verdicts.values())
    status = STATUS[UNDECIDED if unknown else HOLDS]
    return Result("properties", status, data, tuple(_table(here, players)))


def _table(found: Sequence[PropertyTable], players: int) -> Iterator[str]:
    """A column for each way to play; where that is too wide, with a letter for its title."""
    noun = "player" if players == 1 else "players"
    yield f"what is proved under which option and in which variant ({players} {noun})"
    names = list(dict.fromkeys(name for each in found for name in each.verdicts))
    room = max(map(len, names), default=0)
    heads = [each.title for each in found]
    if room + sum(2 + max(len(head), LONGEST_VERDICT) for head in heads) > WIDEST:
        heads = list(ascii_uppercase[: len(found)])
        yield from (f"  {head}: {each.title}" for head, each in zip(heads, found))
    wide = [max(len(head), LONGEST_VERDICT) for head in heads]
    rows = [
        ("", heads),
        *((name, [each.verdicts.get(name, "-") for each in found]) for name in names),
    ]
    for name, cells in rows:
        shown = "  ".join(cell.ljust(width) for cell, width in zip(cells, wide))
        yield f"  {name:<{room}}  {shown}".rstrip()
