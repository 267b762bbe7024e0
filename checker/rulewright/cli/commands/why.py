"""Says why a move is refused in a position, or what it will change.

Arguments of the move may be left open: then it says in which ways they can be filled in, or the
smallest sets of requirements that leave no way.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import FAILS, HOLDS
from rulewright.cli.exit_status import STATUS
from rulewright.cli.inputs.open_game import open_game, read_spec
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.inputs.reading_language import told_in
from rulewright.cli.options import (
    add_format,
    add_language,
    add_limit,
    add_readings,
    add_variant,
    players,
)
from rulewright.meaning import core as c
from rulewright.play.explain.why import Consequence, Possibilities, RefusedMove, describe, why
from rulewright.play.io.json_codec import decode_position, encode_event
from rulewright.play.io.parse_notation import read_arguments
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import broken_invariants
from rulewright.play.semantics.values import Position
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.system.limits import most
from rulewright.system.whole_file import whole_text


def configure(parser: ArgumentParser) -> None:
    """The arguments of `why`."""
    parser.add_argument("spec", metavar="SPEC", help="a `.rules` file, or a bundled game")
    parser.add_argument(
        "--position",
        metavar="FILE",
        help="the position as JSON, variables left out are as at the start; - for stdin; "
        "without it, the start of a game",
    )
    parser.add_argument(
        "--move", required=True, metavar="MOVE", help="such as `cross_sum(row=red, at=11)`"
    )
    parser.add_argument(
        "--by", type=int, metavar="PLAYER", help="who moves; without it a chance event is meant"
    )
    parser.add_argument("--players", type=players, metavar="N", help="with how many players")
    add_readings(parser)
    add_variant(parser)
    add_language(parser)
    add_limit(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Answers the question."""
    checked, wording, notes = told_in(read_spec(options.spec), options.language)
    written = _load(options.position)
    number = options.players[0] if options.players else _players_in(written, checked.spec)
    instance = open_game(checked, number, options.readings, options.variant)
    try:
        position = _position(written, instance)
        name, arguments = read_arguments(options.move, instance, options.by)
        answer = why(instance, position, name, options.by, arguments)
    except UsageError as error:
        raise RefusalError(error.message, error.help or "see `rulewright why --help`") from error
    except EvaluationError as error:
        raise RefusalError(
            f"the move cannot be judged here: {error.message}", "check the position"
        ) from error
    exit_code = FAILS if isinstance(answer, RefusedMove) else HOLDS
    lines = (*_impossible(instance, position), *describe(answer, instance, wording), *notes)
    result = Result(options.move, STATUS[exit_code], data_of(answer, instance), lines)
    report = report_on("why", [checked], [result], {"allowed": exit_code == HOLDS}, exit_code)
    return emit(report, options.format, sys.stdout, sys.stderr)


def data_of(
    answer: RefusedMove | Consequence | Possibilities, instance: Instance
) -> dict[str, object]:
    """The answer for programs."""
    match answer:
        case RefusedMove():
            return {
                "verdict": "refused",
                "failing": [_requirement(each) for each in answer.failing],
                "blocking": [[each.label for each in cover] for cover in answer.blocking],
            }
        case Possibilities(events):
            return {"verdict": "open", "moves": [encode_event(each, instance) for each in events]}
        case Consequence(event, happened, changes):
            return {
                "verdict": "allowed",
                "move": encode_event(event, instance),
                "steps": [each.transition.name for each in happened[1:]],
                "changes": [change.shown(instance) for change in changes],
            }


def _requirement(each: c.Requirement) -> dict[str, object]:
    return {"label": each.label, "prose": each.prose, "clauses": list(each.clauses)}


def _load(file: str | None) -> Any:
    """The JSON of a position; a recorded event may hold it as its `state`."""
    if file is None:
        return {}
    try:
        text = sys.stdin.read() if file == "-" else whole_text(file, most("bytes"))
    except (OSError, UnicodeDecodeError) as error:
        raise RefusalError(
            f"`{file}` cannot be read: {_reason(error)}", "name a JSON file with the position"
        ) from error
    try:
        written = json.loads(text)
    except (ValueError, RecursionError) as error:
        at = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise RefusalError(
            f"`{file}` is not JSON{at}", 'a position is an object like {"active": 1}'
        ) from error
    if isinstance(written, dict) and isinstance(written.get("state"), dict):
        return written["state"]
    return written


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or "it is not text in UTF-8").lower()


def _players_in(written: Any, spec: c.Spec | None) -> int | None:
    """How many players a position is of: as many as have something of their own in it."""
    if not isinstance(written, dict) or spec is None:
        return None
    own = [written.get(each.name) for each in spec.variables if each.owned]
    return next((len(each) for each in own if isinstance(each, list)), None)


def _position(written: Any, instance: Instance) -> Position:
    return decode_position(written, instance, initial_position(instance))


def _impossible(instance: Instance, position: Position) -> list[str]:
    """A warning that no game comes to this position."""
    return [
        f"note: no game reaches this position, it breaks the invariant `{broken.name}`"
        + (f": {broken.prose}" if broken.prose else "")
        for broken in broken_invariants(instance, position)
    ]
