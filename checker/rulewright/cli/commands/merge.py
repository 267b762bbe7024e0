"""Puts the shards of a run together: the report is that of one run.

FILE is what a command printed with `--shard I/N --format json`; all N are needed. What the shards
could not do, because it depends on answers of several, is done now. The specs must be where they
were.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import Any, TypeVar

from rulewright.cli.distribution import backend_of
from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_status import counted
from rulewright.cli.options import Parser, add_cluster, add_format, add_limit
from rulewright.cli.registry import summaries
from rulewright.distribute.backend import using
from rulewright.distribute.remote import program
from rulewright.distribute.shards import MergeBackend
from rulewright.distribute.work import Lost, Work

T = TypeVar("T")
HELP = "give it what a command printed with `--shard I/N --format json`"


def configure(parser: ArgumentParser) -> None:
    """The arguments of `merge`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="the JSON of a shard")
    add_cluster(parser)
    add_limit(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Runs the command once more with the answers of its shards."""
    shards = [_read(file) for file in options.files]
    name, arguments = _one_run(options.files, shards)
    command = import_module(f"rulewright.cli.commands.{name}")
    parser = Parser(prog=f"rulewright {name}")
    command.configure(parser)
    try:
        asked = parser.parse_args(arguments)
    except SystemExit as ending:
        raise RefusalError(f"the arguments of the shards are none of `{name}`", HELP) from ending
    if not hasattr(asked, "shard"):
        raise RefusalError(f"`{name}` has no shards", HELP)
    asked.format, asked.ending = options.format, options.ending
    answers = {each["task"]: each["answer"] for shard in shards for each in shard["results"]}
    polite = getattr(command, "LOOKS_ITSELF", False)
    alone = getattr(command, "STARTS_PROGRAMS", False)
    with (
        options.ending.politely() if polite else nullcontext(),
        backend_of(options) as backend,
        using(MergeBackend(answers, _Nobody() if alone else backend)),
    ):
        exit_code: int = command.run(asked)
        return exit_code


class _Nobody:
    """Does nothing: what a file names is not started."""

    def results(self, work: Work[T], numbers: Sequence[int]) -> Iterator[tuple[int, T | Lost]]:
        raise RefusalError(
            f"the shards lack {len(numbers)} of {counted(len(work), 'answer')}",
            "run the shards that were interrupted again: `merge` starts no engine",
        )


def _read(file: str) -> dict[str, Any]:
    """What a shard printed; refuses whatever else a file may hold."""
    try:
        with open(file, encoding="utf-8") as opened:
            found = json.load(opened)
    except (OSError, ValueError, RecursionError) as error:
        reason = (getattr(error, "strerror", None) or "it is not JSON").lower()
        raise RefusalError(f"`{file}` cannot be read: {reason}", HELP) from error
    if not _is_shard(found):
        raise RefusalError(f"`{file}` is no shard of a run", HELP)
    shard: dict[str, Any] = found
    if shard["summary"]["program"] != program():
        raise RefusalError(
            f"`{file}` comes from another version of this program",
            "make all shards, and merge them, with the same version",
        )
    return shard


def _is_shard(found: Any) -> bool:
    """Whether this has the shape of a shard."""
    if not (isinstance(found, dict) and found.get("command") == "shard"):
        return False
    told, results = found.get("summary"), found.get("results")
    if not (isinstance(told, dict) and isinstance(results, list)):
        return False
    arguments, numbers = told.get("arguments"), (told.get("shard"), told.get("shards"))
    return (
        told.get("of") in summaries()
        and isinstance(told.get("program"), str)
        and isinstance(arguments, list)
        and all(isinstance(each, str) for each in arguments)
        and all(type(each) is int for each in numbers)
        and all(
            isinstance(each, dict)
            and isinstance(each.get("task"), str)
            and isinstance(each.get("answer"), str)
            for each in results
        )
    )


def _one_run(files: list[str], shards: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """The command that these are all the shards of, and its arguments."""
    first, *others = [each["summary"] for each in shards]
    for file, each in zip(files[1:], others):
        if any(each[key] != first[key] for key in ("of", "arguments", "shards")):
            raise RefusalError(
                f"`{file}` and `{files[0]}` are shards of different runs",
                "give the shards of one run, all with the same arguments",
            )
    numbers = {each["summary"]["shard"] for each in shards}
    missing = [str(each) for each in range(1, first["shards"] + 1) if each not in numbers]
    if missing:
        raise RefusalError(
            f"of {first['shards']} shards these are missing: {', '.join(missing)}",
            "give the files of all of them",
        )
    return first["of"], first["arguments"]
