"""The public Python API: load and play a game, check, prove, replay, compare, test engines.

What this module exports is promised as docs/reference/formats.md says; everything else in the
package may change with any version. `load` opens rules to play. Every other function is the command
of the same name: it takes the options of the command as keywords and returns an `Answer`, which
holds what the command prints with `--format json`. Nothing is printed. (`examples` is `test`.)

A request that cannot be met (an unknown option, a missing game) raises `UsageError`. A spec with
errors does not: the answer has `exit` 2 and the diagnostics.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar

from rulewright.cli.errors import RefusalError, UnusableError
from rulewright.cli.exit_codes import UNDECIDED, UNUSABLE
from rulewright.cli.inputs.read_specs import report_on
from rulewright.cli.main import until_it_ends
from rulewright.cli.options import Parser
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.report.emit import COLLECTED
from rulewright.report.json import as_object
from rulewright.report.model import Report
from rulewright.report.result_records import (
    CertificateResult,
    CheckResult,
    ConformResult,
    DiagnosticObject,
    DiffResult,
    EvidenceResult,
    ExampleResult,
    Holdings,
    PerftResult,
    ProveResult,
    ReadingResult,
    ReplayResult,
    RunResult,
    VectorsResult,
    VerifyResult,
    WhyResult,
)
from rulewright.simulate.game import Broken, Game, IllegalMove, Move, Rules, load
from rulewright.system.interrupts import INTERRUPTED, StoppedError

if TYPE_CHECKING:
    from rulewright.conform.stages.state_machine import EngineMachine

FileName: TypeAlias = "str | PathLike[str]"
"""A file, or for a spec also the bare name of a bundled game."""
Players: TypeAlias = "int | range | None"
"""How many play: a number, a `range` of numbers, or None for all that the game allows."""
Readings: TypeAlias = "Mapping[str, str] | None"
"""The option chosen for each open question; those left out are read by default."""
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Answer(Generic[R]):
    """What a command found; the members are those of its JSON."""

    command: str
    version: str
    spec: str | None
    spec_hash: str | None
    results: list[R]
    diagnostics: list[DiagnosticObject]
    summary: dict[str, Any]
    exit: int
    """0 all holds, 1 something does not, 2 a spec or file cannot be used, 3 not decided."""

    @property
    def holds(self) -> bool:
        """Whether everything that was asked for holds."""
        return self.exit == 0


def check(*specs: FileName, strict: bool = False, fix: bool = False) -> Answer[CheckResult]:
    """Syntax, names, types, lints and clause evidence; `strict` fails on warnings, too, and `fix`
    writes what can be mended."""
    return _ask("check", specs, strict=strict, fix=fix)


def verify(
    *specs: FileName, library: bool = False, no_prove: bool = False, limit: float | None = None,
    cluster: str | None = None,
) -> Answer[VerifyResult]:  # fmt: skip
    """Everything there is to verify; without a spec, the bundled games, or those of the library."""
    return _ask("verify", specs, library=library, no_prove=no_prove, limit=limit, cluster=cluster)


def examples(*specs: FileName, limit: float | None = None) -> Answer[ExampleResult]:
    """Plays the worked examples: the command `test`, whose name pytest would take for its own."""
    return _ask("test", specs, limit=limit)


def prove(
    *specs: FileName, players: Players = None, readings: Readings = None,
    variant: str | None = None, defaults: bool = False, only: Iterable[str] = (), count: int = 1,
    certify: bool = False, certificate: FileName | None = None, second_solver: bool = False,
    save: FileName | None = None, smtlib: FileName | None = None, jobs: int | None = None,
    no_cache: bool = False, timeout: float | None = None, limit: float | None = None,
    cluster: str | None = None,
) -> Answer[ProveResult]:  # fmt: skip
    """Proves or refutes properties, in every game of any length. With `certify`, an independent
    checker confirms each proof, and `certificate` is the file to write the certificate to."""
    if certificate is not None and not certify:
        raise UsageError("`certificate` needs `certify`", "`check_certificate` checks a file")
    return _ask(
        "prove", specs, players=players, reading=readings, variant=variant, defaults=defaults,
        only=only, count=count, certify=certify, certificate=certificate,
        second_solver=second_solver, save=save, smtlib=smtlib, jobs=jobs, no_cache=no_cache,
        timeout=timeout, limit=limit, cluster=cluster,
    )  # fmt: skip


def check_certificate(
    spec: FileName, certificate: FileName, *, second_solver: bool = False,
    limit: float | None = None,
) -> Answer[CertificateResult]:  # fmt: skip
    """Checks what a certificate claims, trusting nothing in it."""
    return _ask("prove", [spec], certificate=certificate, second_solver=second_solver, limit=limit)


def run(
    spec: FileName, *, games: int = 100, players: Players = None, seed: int | None = None,
    readings: Readings = None, variant: str | None = None, trace: FileName | None = None,
    states: bool = False, no_checks: bool = False, stop: bool = False,
    longest: int | None = None, limit: float | None = None, cluster: str | None = None,
) -> Answer[RunResult]:  # fmt: skip
    """Plays random games and checks them, unless told not to; `trace` records them in a file."""
    return _ask(
        "run", [spec], games=games, players=players, seed=seed, reading=readings, variant=variant,
        trace=trace, states=states, no_checks=no_checks, stop=stop, longest=longest, limit=limit,
        cluster=cluster,
    )  # fmt: skip


def replay(
    spec: FileName, *traces: FileName, strict: bool = False, results: FileName | None = None,
    limit: float | None = None, cluster: str | None = None, unknown: Sequence[str] = (),
    deal: FileName | None = None,
) -> Answer[ReplayResult]:  # fmt: skip
    """Checks recorded games: the first illegal event of each, and the clause it breaks. A row for
    each game goes to the file `results`, as JSON lines or Parquet. With `unknown`, whether there is
    any deal under which they are legal; `deal` is a file for the games with what was found."""
    return _ask(
        "replay", [spec, *traces], strict=strict, results=results, limit=limit, cluster=cluster,
        unknown=list(unknown), deal=deal,
    )  # fmt: skip


def why(
    spec: FileName, move: str, by: int | None = None, *, position: Mapping[str, Any] | None = None,
    players: int | None = None, readings: Readings = None, variant: str | None = None,
    language: str | None = None, limit: float | None = None,
) -> Answer[WhyResult]:  # fmt: skip
    """Why a move is refused in a position, or what it changes. Without a position, at the start;
    `position` is JSON, as `Game.save` gives it."""
    with TemporaryDirectory() as folder:
        file = None
        if position is not None:
            file = Path(folder) / "position.json"
            file.write_text(json.dumps(position), encoding="utf-8")
        return _ask(
            "why", [spec], move=move, by=by, position=file, players=players, reading=readings,
            variant=variant, language=language, limit=limit,
        )  # fmt: skip


def perft(
    spec: FileName, depth: int, *, players: int | None = None, seed: int = 1,
    every_outcome: bool = False, turns: bool = False, readings: Readings = None,
    variant: str | None = None, limit: float | None = None,
) -> Answer[PerftResult]:  # fmt: skip
    """Counts the lines of play, depth by depth, by events or by turns."""
    return _ask(
        "perft", [spec], depth=depth, players=players, seed=seed, every_outcome=every_outcome,
        turns=turns, reading=readings, variant=variant, limit=limit,
    )  # fmt: skip


def diff(
    old: FileName, new: FileName, *, players: Players = None, readings: Readings = None,
    variant: str | None = None, allow: Iterable[str] | None = None, forbid: Iterable[str] = (),
    games: Iterable[FileName] = (), html: FileName | None = None,
    whats_new: FileName | None = None, language: str | None = None,
    random_games: int | None = None, seed: int = 0, quick: bool = False, thorough: bool = False,
    jobs: int | None = None, no_cache: bool = False, timeout: float | None = None,
    limit: float | None = None, cluster: str | None = None,
) -> Answer[DiffResult]:  # fmt: skip
    """What a rule change does; `old` and `new` may also be `REV:PATH` of git."""
    return _ask(
        "diff", [old, new], players=players, reading=readings, variant=variant,
        allow=None if allow is None else ",".join(allow), forbid=",".join(forbid) or None,
        games=tuple(games) or None, html=html, whats_new=whats_new, language=language,
        random_games=random_games, seed=seed, quick=quick, thorough=thorough, jobs=jobs,
        no_cache=no_cache, timeout=timeout, limit=limit, cluster=cluster,
    )  # fmt: skip


def readings(
    spec: FileName, *, players: Players = None, properties: bool = False, seed: int = 0,
    jobs: int | None = None, no_cache: bool = False, timeout: float | None = None,
    limit: float | None = None, cluster: str | None = None,
) -> Answer[ReadingResult | Holdings]:  # fmt: skip
    """Where the options of each open question lead to different games."""
    return _ask(
        "readings", [spec], players=players, properties=properties, seed=seed, jobs=jobs,
        no_cache=no_cache, timeout=timeout, limit=limit, cluster=cluster,
    )  # fmt: skip


def conform(
    spec: FileName, engine: str | type, *, stages: Iterable[str] = (), games: int | None = None,
    players: Players = None, readings: Readings = None, variant: str | None = None,
    base_game: bool = False, first: bool = False, allow_untested: bool = False,
    known_untested: FileName | None = None, in_turn: str | int | None = None, seed: int = 0,
    save: FileName | None = None, timeout: float | None = None, limit: float | None = None,
    cluster: str | None = None,
) -> Answer[ConformResult]:  # fmt: skip
    """Compares an engine with a spec. The engine is a class with the methods of the protocol,
    `python:MODULE:CLASS` or `exec:COMMAND LINE`."""
    if isinstance(engine, type):
        engine = f"python:{engine.__module__}:{engine.__qualname__}"
    return _ask(
        "conform", [spec, engine], stages=",".join(stages) or None, games=games, players=players,
        reading=readings, variant=variant, base_game=base_game, first=first,
        allow_untested=allow_untested, known_untested=known_untested, in_turn=in_turn, seed=seed,
        save=save, timeout=timeout, limit=limit, cluster=cluster,
    )  # fmt: skip


def vectors(
    spec: FileName, out: FileName, *, seed: int = 0, limit: float | None = None,
    cluster: str | None = None,
) -> Answer[VectorsResult]:  # fmt: skip
    """Writes test vectors to a file, for the tests of an engine."""
    return _ask("vectors", [spec], out=out, seed=seed, limit=limit, cluster=cluster)


def merge(*shards: FileName, limit: float | None = None, cluster: str | None = None) -> Answer[Any]:
    """Puts the shards of a run together, which the commands write with `--shard`; the answer is
    that of the command that was split."""
    return _ask("merge", shards, limit=limit, cluster=cluster)


def evidence(
    spec: FileName, *, clauses: bool = False, limit: float | None = None,
    cluster: str | None = None,
) -> Answer[EvidenceResult]:  # fmt: skip
    """Breaks every rule of a spec on purpose, and says what notices; with `clauses`, only what each
    clause has earned."""
    return _ask("evidence", [spec], clauses=clauses, limit=limit, cluster=cluster)


# ---- how a function becomes a command


class _Parser(Parser):
    """Raises what is wrong with an argument instead of printing it."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message.replace("'", "`"), f"see `{self.prog} --help`")


def _ask(name: str, given: Iterable[FileName], **options: Any) -> Answer[Any]:
    """Runs a command and returns its report instead of showing it."""
    command = import_module(f"rulewright.cli.commands.{name}")
    parser = _Parser(prog=f"rulewright {name}")
    command.configure(parser)
    words = [*_words(options), "--format=json", "--", *map(_word, given)]
    asked = parser.parse_args(words)
    if options.get("limit") is not None:
        _in_main_thread()
    reports: list[Report] = []
    token = COLLECTED.set(reports)
    try:
        until_it_ends(command, asked, words)
    except RefusalError as refusal:
        raise UsageError(refusal.message, refusal.help) from refusal
    except UnusableError as unusable:
        reports.append(report_on(name, [unusable.checked], (), {}, UNUSABLE))
    except StoppedError as end:
        reports.append(report_on(name, [], (), {"stopped": end.why}, UNDECIDED))
    finally:
        COLLECTED.reset(token)
    return _answer(reports[-1])


def _answer(report: Report) -> Answer[Any]:
    found: dict[str, Any] = as_object(report)
    if found["summary"].get("stopped") in INTERRUPTED.values():
        raise KeyboardInterrupt(found["summary"]["stopped"])
    # through JSON and back, so that an answer is exactly what a program reads from the command
    return Answer(**json.loads(json.dumps(found)))


def _words(options: Mapping[str, Any]) -> list[str]:
    """Options as somebody would type them: None and False are left out."""
    words = []
    for key, value in options.items():
        name = f"--{key.replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            words.append(name)
        elif isinstance(value, Mapping):
            words += [f"{name}={one}={other}" for one, other in value.items()]
        elif isinstance(value, range):
            words.append(f"{name}={value.start}..{value.stop - 1}")
        elif isinstance(value, str | PathLike) or not isinstance(value, Iterable):
            words.append(f"{name}={value}")
        elif name == "--games":
            words += [name, *map(_word, value)]
        else:
            words += [f"{name}={each}" for each in value]
    return words


def _word(path: FileName) -> str:
    """A path that is not taken for an option."""
    text = str(path)
    return f"./{text}" if text.startswith("-") else text


def _in_main_thread() -> None:
    if threading.current_thread() is not threading.main_thread():
        raise UsageError("`limit` works in the main thread only", "leave it out")


def __getattr__(name: str) -> Any:
    """`EngineMachine`, which needs Hypothesis, only when somebody asks for it."""
    if name != "EngineMachine":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from rulewright.conform.stages.state_machine import EngineMachine
    except ModuleNotFoundError as missing:
        if missing.name != "hypothesis":
            raise
        raise UsageError(
            "`EngineMachine` needs Hypothesis", "pip install rulewright[hypothesis]"
        ) from None
    return EngineMachine


__all__ = [
    "Answer", "Broken", "CertificateResult", "CheckResult", "ConformResult", "DiagnosticObject",
    "DiffResult", "EngineMachine", "EvaluationError", "EvidenceResult", "ExampleResult", "Game",
    "Holdings", "IllegalMove", "Move", "PerftResult", "ProveResult", "ReadingResult",
    "ReplayResult", "Rules", "RunResult", "UsageError", "VectorsResult", "VerifyResult",
    "WhyResult",
    "check", "check_certificate", "conform", "diff", "evidence", "examples", "load", "merge",
    "perft", "prove", "readings", "replay", "run", "vectors", "verify", "why",
]  # fmt: skip
