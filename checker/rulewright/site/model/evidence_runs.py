"""Asks the program what pages may claim, and keeps the answers in a folder.

For each game: what is proved with each number of players, which holes are refuted, where readings
part, what each clause has earned, what the engine was asked. Each is a run of `rulewright` of its
own, ended when its time is over and with whoever asked. One that fails is no answer:
`EvidenceRunError` says what it said. An answer is asked for anew if the spec, the question or the
program has changed, if it is damaged, or if the clock had cut it short. An engine that does not
come with the program is asked every time: nobody can tell whether it has changed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from rulewright.frontend import LoadedSpec
from rulewright.meaning import core as c
from rulewright.meaning.names.symbol_table import OBLIGATIONS
from rulewright.resources import ENGINES
from rulewright.syntax.node import Node, replace
from rulewright.system.atomic_write import short_name, write_whole
from rulewright.system.processes import ChildProcess, own_environment, own_program
from rulewright.system.store import digest
from rulewright.system.toolchain import toolchain

FOLDER = ".rulewright/verdicts"
ENDED = "it was not decided within {} seconds"
NO_ANSWER = "the program gave no answer"
MOST_SAID = 4
"""Lines of what a run that failed said last."""
SHARE, LEAST = 0.9, 0.5
"""A run has so much of the seconds that are left, so that it can still tell what it has, and at
least so many."""
GRACE = 30.0
"""Seconds more than its limit, for a run that keeps to that itself and says what was decided."""


class EvidenceBudget(Node):
    """How much work the solver has for one question, in seconds; and seconds by the clock for a run
    of the program, None for as many as it takes."""

    timeout: float = 10.0
    limit: float | None = None


class EvidenceRun(Node):
    """A run of the program: what it is called, its command and the arguments after the spec, and
    how many seconds it has."""

    name: str
    command: str
    arguments: tuple[str, ...]
    limit: float | None
    says: str
    lasts: bool = True
    """Whether nothing but the spec and the program has a part in the answer."""


def questions(
    spec: c.Spec, engine: str | None, effort: EvidenceBudget, tested: bool = True
) -> Iterator[EvidenceRun]:
    """What there is to ask about a game, by the default of every open question; if it is to be
    `tested`, also what each clause has earned."""
    timeout = ("--timeout", f"{effort.timeout:g}")
    limit = effort.limit
    defaults = [(each.name, each.default) for each in spec.readings]
    yield EvidenceRun(
        f"{spec.name}.prove", "prove", (*_readings(defaults), *timeout), limit,
        f"proving {spec.name}",
    )  # fmt: skip
    for each in spec.acceptances:
        if each.finding == "refuted" and each.under is not None:
            yield EvidenceRun(
                f"{spec.name}.hole-{each.subject}-{each.under[1]}", "prove",
                ("--only", each.subject, *_readings([each.under]), *timeout), limit,
                f"looking for the hole {each.subject} of {spec.name}",
            )  # fmt: skip
    if spec.readings:
        yield EvidenceRun(
            f"{spec.name}.readings", "readings", ("--players", str(spec.least), *timeout),
            limit, f"looking where the readings of {spec.name} part",
        )  # fmt: skip
    if tested and any(each.kind != "aside" for each in spec.clauses):
        yield EvidenceRun(
            f"{spec.name}.evidence", "evidence", ("--clauses",), limit,
            f"breaking the rules of {spec.name}",
        )  # fmt: skip
    if engine is not None:
        yield EvidenceRun(
            f"{spec.name}.engine", "conform",
            (engine, "--stages", "examples,games", "--games", "30"), limit,
            f"asking the engine of {spec.name}", engine in ENGINES.values(),
        )  # fmt: skip


def ask(
    checked: LoadedSpec,
    path: Path,
    folder: Path,
    effort: EvidenceBudget,
    say: Callable[[str], None],
    engine: str | None = None,
    left: Callable[[], float | None] | None = None,
    run: Callable[[EvidenceRun, Path], dict[str, Any] | None] | None = None,
    tested: bool = True,
) -> None:
    """Sees to it that the folder has an answer to every question about a spec as it is now, and
    none to what is no longer asked. `left` are the seconds that are left for all of them; `run`
    answers a question, else the program does."""
    assert checked.spec is not None
    unasked = set(folder.glob(f"{checked.spec.name}.*.json"))
    for question in questions(checked.spec, engine, effort, tested):
        kept = folder / f"{short_name(question.name)}.json"
        unasked.discard(kept)
        asked = {
            "arguments": [question.command, *question.arguments],
            "spec_hash": checked.hash,
            "program": program(),
        }
        if question.lasts and _asked(kept) == asked:
            continue
        say(question.says)
        if left is not None and (seconds := left()) is not None:
            question = replace(question, limit=max(SHARE * seconds, LEAST))
        answer = (run or _run)(question, path) or _undecided(question, checked)
        _keep(kept, answer, asked)
    for old in unasked:
        if _asked(old) is not None:  # it is ours
            old.unlink()


def program() -> str:
    """What names this version of the program, in short."""
    return digest(toolchain().encode())[:16]


def _keep(file: Path, answer: dict[str, Any], asked: dict[str, Any]) -> None:
    """Writes an answer with what it answers and a checksum of it, whole or not at all."""
    about = {**asked, "checksum": _checksum(answer)}
    if answer.get("summary", {}).get("stopped"):
        about["stopped"] = answer["summary"]["stopped"]
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps({**answer, "asked": about}), follow=False)


def _asked(kept: Path) -> Any:
    """What an answer that is kept was asked; None if there is none or it is damaged. What the clock
    cut short is asked anew."""
    try:
        answer = json.loads(kept.read_text("utf-8"))
        asked = dict(answer.pop("asked"))
        fits = asked.pop("checksum", None) == _checksum(answer)
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return None
    return asked if fits else None


def _checksum(answer: dict[str, Any]) -> str:
    return digest(json.dumps(answer, sort_keys=True).encode())


def _run(question: EvidenceRun, path: Path) -> dict[str, Any] | None:
    """What the program prints, None if it did not come to an answer in time."""
    spec, limit = str(path), question.limit
    command = [*own_program(), question.command, f"./{spec}" if spec.startswith("-") else spec]
    command += [*question.arguments, *(("--limit", f"{limit:g}") if limit else ())]
    command += ["--format", "json"]
    child = ChildProcess(command, environment=own_environment())
    try:
        printed, complaint = child.process.communicate(timeout=limit and limit + GRACE)
    except subprocess.TimeoutExpired:
        return None
    finally:
        child.end()
    code = child.process.returncode
    try:
        report = json.loads(printed.decode())
    except ValueError:
        report = None
    fits = isinstance(report, dict) and report.get("exit") == code and code in (0, 1, 3)
    if fits and "refused" not in report.get("summary", {}):
        return dict(report)
    raise EvidenceRunError(question, code, complaint.decode(errors="replace"))


class EvidenceRunError(Exception):
    """A run of the program that failed: it says why, and with what exit code to end for it."""

    def __init__(self, question: EvidenceRun, code: int, complaint: str) -> None:
        how = f"ended with exit code {code}" if code >= 0 else f"was killed by signal {-code}"
        said = complaint.strip().splitlines()
        self.message = f"{question.says}: the run `rulewright {question.command}` {how}"
        self.help = " / ".join(said[-MOST_SAID:]) or "it did not say why"
        self.exit = 2 if code == 2 else 3 if code < 0 else 4
        super().__init__(f"{self.message}: {self.help}")


def _undecided(question: EvidenceRun, checked: LoadedSpec) -> dict[str, Any]:
    """The answer where there is none: nothing is known of anything that was asked."""
    spec = checked.spec
    assert spec is not None
    answer: dict[str, Any] = {
        "command": question.command, "spec": spec.name, "spec_hash": checked.hash, "results": [],
        "summary": {"stopped": _ended(question)}, "exit": 3,
    }  # fmt: skip
    if question.command == "readings":
        answer["results"] = [
            {"reading": each.name, "option": option.name, "outcome": "unknown", "differences": []}
            for each in spec.readings
            for option in each.options
            if option.name != each.default
        ]
    if question.command == "prove":
        readings = dict(each.split("=") for each in _after(question.arguments, "--reading"))
        only = list(_after(question.arguments, "--only"))
        answer["results"] = [
            {"name": name, "kind": kind, "players": number, "readings": readings, "variant": None,
             "verdict": "unknown", "reason": _ended(question)}
            for name, kind in _claims(spec)
            if not only or name in only
            for number in range(spec.least, spec.most + 1)
        ]  # fmt: skip
    return answer


def _ended(question: EvidenceRun) -> str:
    """Why a run has no answer."""
    return NO_ANSWER if question.limit is None else ENDED.format(f"{question.limit:g}")


def _claims(spec: c.Spec) -> Iterator[tuple[str, str]]:
    yield from ((each.name, each.kind) for each in spec.properties)
    yield from ((each.name, "ends") for each in spec.ends)
    yield from ((name, "owed") for name in OBLIGATIONS)


def _readings(chosen: list[tuple[str, str]]) -> Iterator[str]:
    for reading, option in chosen:
        yield from ("--reading", f"{reading}={option}")


def _after(arguments: tuple[str, ...], option: str) -> Iterator[str]:
    """What is given with an option, each time it is."""
    yield from (value for each, value in pairwise(arguments) if each == option)
