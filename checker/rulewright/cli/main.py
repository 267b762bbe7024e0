"""Where the program starts: picks the command, runs it, and turns every ending into an exit code.

Only the chosen command's module is imported, and for the list of commands not even `argparse`:
a program used on every save has to start at once.
"""

from __future__ import annotations

import sys

from rulewright import __version__
from rulewright.cli.exit_codes import BUG, FAILS, HOLDS, NOBODY_READS, UNDECIDED, UNUSABLE
from rulewright.cli.registry import COMMANDS, summaries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from types import ModuleType

USAGE = "usage: rulewright COMMAND [OPTION...] [SPEC...]"
PURPOSE = """\
Write the rules of a game once; prove them, play them, publish them, and test
engines against them. A SPEC is a `.rules` file or the name of a bundled game."""
EXITS = """\
exit codes:
  0  everything asked for holds      2  the input cannot be used
  1  something does not              3  could not be decided"""


WITH_SOMETHING_TO_TIDY = {"multiprocessing", "concurrent.futures", "tempfile", "threading"}
"""Modules whose users expect the interpreter to end in good order."""

UNWRITABLE = (27, 28, 30, 122)
"""How the system says that a file is too large, the disk full, read-only, or one's share of it used
up (EFBIG, ENOSPC, EROFS and, on Linux, EDQUOT; `errno` need not be loaded for it)."""
SELDOM = (200_000, 20, 20)
"""How seldom garbage is looked for: after so many objects, and all of it in one of 400 times."""


def main() -> int:
    """Runs the program with the arguments it was started with.

    What a command builds is in use until it ends, so looking for garbage finds none and costs a
    tenth of the time a `check` takes: it is done seldom, and not at all when ending.
    """
    try:
        import gc

        gc.set_threshold(*SELDOM)
    except KeyboardInterrupt:
        return UNDECIDED
    exit_code = run_safely(sys.argv[1:])
    gc.freeze()
    if not WITH_SOMETHING_TO_TIDY & sys.modules.keys():
        _leave_at_once(exit_code)
    return exit_code


def _leave_at_once(exit_code: int) -> None:
    """Ends the process without taking the interpreter apart, a tenth of what a `check` takes."""
    import os

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        exit_code = NOBODY_READS
    os._exit(exit_code)


def run_safely(arguments: list[str]) -> int:
    """Runs the program and returns its exit code; never raises."""
    try:
        exit_code = run(arguments)
        sys.stdout.flush()
        return exit_code
    except (KeyboardInterrupt, MemoryError) as end:
        sys.stderr.write(f"nothing was decided: {_why(end)}\n")
        return UNDECIDED
    except BrokenPipeError:
        _discard_output()
        return NOBODY_READS
    except Exception as error:
        if isinstance(error, OSError) and error.errno in UNWRITABLE:
            _discard_output()
            reason = (error.strerror or "").lower()
            return say_no(f"what was found cannot be written: {reason}", "make room, and try again")
        _apologise(arguments, error)
        return BUG


def run(arguments: list[str]) -> int:
    """Does what the arguments say, unless they only ask for help."""
    if not arguments:
        sys.stderr.write(overview())
        return UNUSABLE
    first, *rest = arguments
    if first == "help" and rest:
        first, rest = rest[0], ["--help"]
    if first in ("-h", "--help", "help"):
        sys.stdout.write(overview())
        return HOLDS
    if first in ("-V", "--version"):
        sys.stdout.write(f"rulewright {__version__}\n")
        return HOLDS
    if first not in summaries():
        return _refuse(first)
    return run_command(first, rest)


def run_command(name: str, arguments: list[str]) -> int:
    """Runs one command with the arguments that follow it."""
    from importlib import import_module

    from rulewright.cli.errors import RefusalError, UnusableError
    from rulewright.cli.options import Parser
    from rulewright.system.memory_limit import Bounded, own_share

    command = import_module(f"rulewright.cli.commands.{name}")
    parser = Parser(prog=f"rulewright {name}", description=command.__doc__)
    command.configure(parser)
    try:
        options = parser.parse_args(arguments)
    except SystemExit as ending:  # how argparse says that it has shown help or an error
        return ending.code if isinstance(ending.code, int) else UNUSABLE
    try:
        with Bounded(own_share()):
            return until_it_ends(command, options, arguments)
    except RefusalError as refusal:
        return refuse_request(name, options, refusal.message, refusal.help)
    except UnusableError as unusable:
        from rulewright.cli.inputs.read_specs import report_on
        from rulewright.report.emit import emit

        closing = f"error: `{unusable}` cannot be used"
        report = report_on(name, [unusable.checked], (), {}, UNUSABLE, closing=closing)
        return emit(report, options.format, sys.stdout, sys.stderr)
    except (KeyboardInterrupt, MemoryError) as end:
        why = _why(end)
        if not hasattr(options, "format"):
            sys.stderr.write(f"nothing was decided: {why}\n")
            return UNDECIDED
        from rulewright.cli.inputs.read_specs import report_on
        from rulewright.report.emit import emit

        closing = f"nothing was decided: {why}"
        report = report_on(name, [], (), {"stopped": why}, UNDECIDED, closing=closing)
        return emit(report, options.format, sys.stdout, sys.stderr)
    except Exception as error:
        from rulewright.play.semantics.errors import EvaluationError, UsageError

        if isinstance(error, UsageError):
            help = error.help or "`rulewright --help` lists the commands"
            return refuse_request(name, options, error.message, help)
        if isinstance(error, EvaluationError):
            help = "`rulewright run` and `test` show where, with the game that leads there"
            message = f"the rules give up: {error.message}"
            return refuse_request(name, options, message, help, FAILS)
        raise


def until_it_ends(command: ModuleType, options: Namespace, arguments: list[str]) -> int:
    """Runs a command. One that can take long has a `limit`, and ends in good order when that is
    over or a signal comes: it tells what it has. One that `LOOKS_ITSELF` is not disturbed. Its work
    is done where `--cluster` and `--shard` say."""
    exit_code: int
    if not hasattr(options, "limit"):
        exit_code = command.run(options)
        return exit_code
    from contextlib import nullcontext

    from rulewright.system.interrupts import Limit

    ending = options.ending = Limit(options.limit)
    polite = getattr(command, "LOOKS_ITSELF", False)
    with ending.politely() if polite else nullcontext(), ending.watched():
        if hasattr(options, "shard") and (options.cluster or options.shard):
            from rulewright.cli.distribution import run_distributed

            return run_distributed(command, options, arguments)
        exit_code = command.run(options)
        return exit_code


def _why(end: BaseException) -> str:
    """Why a command came to nothing, to people."""
    if isinstance(end, MemoryError):
        from rulewright.system.limits import VARIABLE
        from rulewright.system.memory_limit import own_share

        share = own_share() >> 20
        return f"it needs more than {share:,} megabytes; {VARIABLE}=memory=N lets it have N"
    return getattr(end, "why", "it was interrupted")


def overview() -> str:
    """What the program is for, and its commands by what one wants to do."""
    room = max(map(len, summaries()))
    groups = [
        "\n".join([f"{group}:", *(f"  {name:<{room}}  {does}" for name, does in commands.items())])
        for group, commands in COMMANDS.items()
    ]
    more = "`rulewright COMMAND --help` says more of a command, `rulewright --version` of itself"
    return "\n\n".join([USAGE, PURPOSE, *groups, EXITS, more]) + "\n"


def _refuse(name: str) -> int:
    """Says that there is no such command or option, and which one was probably meant."""
    from difflib import get_close_matches

    kind = "option" if name.startswith("-") else "command"
    near = get_close_matches(name.lower(), summaries(), n=1, cutoff=0.5)
    help = f"did you mean `{near[0]}`?" if near else "`rulewright --help` lists the commands"
    return say_no(f"there is no {kind} `{name}`", help)


def say_no(message: str, help: str) -> int:
    """Says why nothing was done."""
    from rulewright.hidden_characters import plain

    sys.stderr.write(f"error: {plain(message)}\nhelp: {plain(help)}\n")
    return UNUSABLE


def refuse_request(
    name: str, options: Namespace, message: str, help: str, exit_code: int = UNUSABLE
) -> int:
    """Says why a command did nothing; a program that reads JSON gets an object as well."""
    say_no(message, help)
    if getattr(options, "format", None) == "json":
        from rulewright.cli.inputs.read_specs import report_on
        from rulewright.report.emit import emit

        refusal = {"refused": {"message": message, "help": help}}
        emit(report_on(name, [], (), refusal, exit_code), "json", sys.stdout, sys.stderr)
    return exit_code


def _apologise(arguments: list[str], error: Exception) -> None:
    """Owns up to a bug; the traceback is for those who ask for it."""
    import os
    import traceback

    from rulewright.hidden_characters import plain

    if os.environ.get("RULEWRIGHT_DEBUG") == "1":
        traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    command = " ".join(["rulewright", *arguments[:1]])
    where = f"{os.path.basename(place.filename)}:{place.lineno}"
    said = plain(str(error) or type(error).__name__)
    sys.stderr.write(
        f"internal error: `{command}` failed at {where}: {said}\n"
        "help: this is a bug of ours, please report it with the file that shows it; "
        "with RULEWRIGHT_DEBUG=1 you see where it comes from\n"
    )


def _discard_output() -> None:
    """Keeps Python from trying once more, at its end, to write what nobody reads."""
    import os

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
