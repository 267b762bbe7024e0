"""Runs the program on one input, in a process of its own, and judges what comes out."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as xml

from fuzz.inputs.damage import damage
from rulewright.hidden_characters import HIDDEN

GRAMMAR, KEPT = "fuzz-inputs-grammar", "fuzz-inputs-kept"
"""The folders beside those of the cases that hold what was kept before: tables, or all there is."""
PROCESSOR = 20
"""Seconds of the processor for one input; who needs more hangs."""
MEMORY = 3 << 30
PROMISED = (0, 1, 2, 3)
"""Exit codes that say something about the input; 4 is a bug of ours."""


@dataclass(frozen=True)
class Case:
    """What the program is given: its arguments, and files beside it."""

    target: str
    arguments: tuple[str, ...]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    stdin: str = ""
    damage: int | None = None
    """How what was kept before is damaged; None if nothing was kept but the tables."""


@dataclass(frozen=True)
class Outcome:
    """How it ended: the exit code (None if the process was ended), and what is wrong with that."""

    exit: int | None
    out: str
    err: str
    wrong: str | None


def run(case: Case) -> Outcome:
    """Runs the program on a case in a folder that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-inputs-"))
    try:
        for name, content in case.files.items():
            data = content if isinstance(content, bytes) else content.encode(errors="surrogatepass")
            (folder / name).write_bytes(data)
        code = _forked(case, folder)
        out, err = (_text(folder / name) for name in (".out", ".err"))
        return Outcome(code if code >= 0 else None, out, err, judged(case, code, out, err))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def judged(case: Case, code: int, out: str, err: str) -> str | None:
    """What is wrong with how the program ended, None if nothing is."""
    if code == -signal.SIGXCPU or code == -signal.SIGKILL:
        return f"hangs: more than {PROCESSOR} s of the processor"
    if code < 0:
        return f"ended by signal {-code}"
    if "Traceback (most recent call last)" in err or "Traceback (most recent call last)" in out:
        return "prints a traceback"
    if "Error: " in err and '"code":-32603' in out.replace(" ", ""):
        return "the language server fails at a request"
    if code not in PROMISED:
        first = next((each for each in err.splitlines() if "internal error" in each), err[-200:])
        return f"exit code {code}: {first.strip()}"
    return _said_wrong(case, out, err)


def _said_wrong(case: Case, out: str, err: str) -> str | None:
    """What is wrong with what was printed."""
    format = _format(case.arguments)
    # These print the text itself, or messages that an editor or a page reads.
    raw = case.arguments[:2] == ("fmt", "-") or case.arguments[0] in ("lsp", "playground")
    hidden = HIDDEN.search(err if raw else out + err)
    if hidden is not None:
        return f"prints U+{ord(hidden.group()):04X}"
    if code_is_command(err if format != "full" or raw else out + err):
        return "prints a line that begins with `::`"
    try:
        if format in ("json", "sarif") and out and not out.startswith("usage: "):
            json.loads(out)
        if format == "junit" and out and not out.startswith("usage: "):
            xml.fromstring(out)
    except (ValueError, xml.ParseError) as error:
        return f"--format {format} cannot be read: {error}"
    return None


def code_is_command(text: str) -> bool:
    """Whether a build would take some line for a command."""
    return any(line.lstrip().startswith("::") or "##[" in line for line in text.splitlines())


def _format(arguments: tuple[str, ...]) -> str:
    for one, other in pairwise(arguments):
        if one == "--format":
            return other
    return "full"


def _forked(case: Case, folder: Path) -> int:
    """The exit code, negative for the signal that ended it."""
    child = os.fork()
    if child == 0:
        try:
            _inside(case, folder)
        finally:
            os._exit(99)
    _, status = os.waitpid(child, 0)
    with contextlib.suppress(OSError):  # what it may have started
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status)


def _inside(case: Case, folder: Path) -> None:
    """In the process of its own: the program as somebody would run it there."""
    os.setsid()
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["XDG_CACHE_HOME"] = str(folder / ".cache")
    kept = GRAMMAR if case.damage is None else KEPT
    if (shared := folder.parent / kept).exists():
        shutil.copytree(shared, folder / ".cache", dirs_exist_ok=True)
    if case.damage is not None:
        damage(folder / ".cache", case.damage)
    out = os.open(".out", os.O_CREAT | os.O_WRONLY)
    err = os.open(".err", os.O_CREAT | os.O_WRONLY)
    os.dup2(out, 1)
    os.dup2(err, 2)
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", 0), "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb", 0), "utf-8", "backslashreplace")
    sys.stdin = io.TextIOWrapper(io.BytesIO(case.stdin.encode(errors="surrogatepass")), "utf-8")
    given = os.open(".in", os.O_CREAT | os.O_RDWR)
    os.write(given, case.stdin.encode(errors="surrogatepass"))
    os.lseek(given, 0, os.SEEK_SET)
    os.dup2(given, 0)
    if case.arguments[0] == "playground":
        from fuzz.inputs.requests import answer_all

        code = answer_all(case.arguments[1])
    else:
        from rulewright.cli.main import run_safely

        code = run_safely(list(case.arguments))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace").replace("\ufffd", "?")
    except OSError:
        return ""
