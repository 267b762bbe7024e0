"""Has a command done where its options say: on a cluster, or as one shard of several.

The command itself does not know: it hands over its work to whatever backend is in use. A shard
shows no report but what it was answered, for `merge` to read.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from rulewright import __version__
from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import HOLDS, UNDECIDED
from rulewright.cli.exit_status import counted
from rulewright.cli.progress import Progress
from rulewright.distribute.backend import Backend, LocalBackend, using
from rulewright.distribute.remote import program
from rulewright.distribute.shards import OtherShardsError, ShardBackend, ShardNumber
from rulewright.report.emit import COLLECTED, emit
from rulewright.report.model import Report, Result
from rulewright.system.interrupts import StoppedError


def run_distributed(command: ModuleType, options: Namespace, arguments: list[str]) -> int:
    """Runs a command on the backend that its options ask for; returns the exit code."""
    if getattr(options, "smtlib", None) is not None:
        raise RefusalError(
            "`--smtlib` writes questions to a folder of this machine",
            "leave out `--cluster` and `--shard` with it",
        )
    if options.shard is not None and options.format != "json" and COLLECTED.get() is None:
        raise RefusalError(
            "a shard has no report of its own",
            "add `--format json`, keep what it prints, and give it to `rulewright merge`",
        )
    with backend_of(options) as backend:
        if options.shard is None:
            with using(backend):
                exit_code: int = command.run(options)
                return exit_code
        shard = ShardBackend(ShardNumber(*options.shard), backend)
        with using(shard):
            stopped = _answered(command, options)
    report = _report(command.__name__.rpartition(".")[2], shard, options, arguments, stopped)
    return emit(report, "json", sys.stdout, sys.stderr)


@contextmanager
def backend_of(options: Namespace) -> Iterator[Backend]:
    """This machine, or the cluster that the options name."""
    if not options.cluster:
        yield LocalBackend()
        return
    from rulewright.distribute.cluster import ClusterError, opened

    with Progress(sys.stderr) as progress:
        progress.say("connecting to the cluster")
        try:
            with opened(options.cluster, options.ending, progress.say) as backend:
                yield backend
        except ClusterError as error:
            raise RefusalError(error.message, error.help) from error


def _answered(command: ModuleType, options: Namespace) -> str | None:
    """Runs a command for its answers alone, each part of it as far as this shard gets; says why it
    was stopped, if it was."""
    token = COLLECTED.set([])
    parts = getattr(command, "parts", lambda whole: [whole])
    try:
        for part in parts(options):
            try:
                command.run(part)
            except OtherShardsError:
                continue
    except StoppedError as end:
        return end.why
    finally:
        COLLECTED.reset(token)
    return options.ending.reason if options.ending.over else None


def _report(
    name: str, shard: ShardBackend, options: Namespace, arguments: list[str], stopped: str | None
) -> Report:
    """What a shard has to say: its answers, and of which run they are a part."""
    number, of = options.shard
    stopped = stopped or next(iter(shard.lost), None)
    summary: dict[str, object] = {
        "of": name,
        "arguments": _without_shard(arguments),
        "shard": number,
        "shards": of,
        "program": program(),
        "tasks": len(shard.answers),
        "elsewhere": shard.elsewhere,
        **({} if stopped is None else {"stopped": stopped}),
    }
    exit_code = HOLDS if stopped is None else UNDECIDED
    closing = f"shard {number} of {of}: {counted(len(shard.answers), 'task')} done"
    return Report(
        command="shard", version=__version__, spec=None, spec_hash=None,
        results=tuple(
            Result(task, "holds", {"task": task, "answer": answer})
            for task, answer in shard.answers.items()
        ),
        diagnostics=(), summary=summary, exit=exit_code, closing=closing,
    )  # fmt: skip


def _without_shard(arguments: list[str]) -> list[str]:
    """The arguments but for those that say who does the work."""
    found: list[str] = []
    skip = False
    for place, each in enumerate(arguments):
        if each == "--":
            return [*found, *arguments[place:]]
        if skip:
            skip = False
        elif each in ("--shard", "--cluster", "--format"):
            skip = True
        elif not each.startswith(("--shard=", "--cluster=", "--format=")):
            found.append(each)
    return found
