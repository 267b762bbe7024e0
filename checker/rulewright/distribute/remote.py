"""What a worker of a cluster is asked to do: the two functions that are called there by name.

Each request says which program asks. A worker with another one refuses, for its answers might be
others. A task is done in a process of its own (`child`); one that dies is a task that is lost, and
another process takes its place.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from hashlib import sha256
from subprocess import DEVNULL, PIPE
from typing import Any, NamedTuple

from rulewright import __version__
from rulewright.system.limits import VARIABLE
from rulewright.system.memory_limit import worker_share
from rulewright.system.processes import ChildProcess, own_environment, own_program
from rulewright.system.toolchain import libraries, toolchain

OUT_OF_MEMORY = 101
"""What z3 ends a process with that has no memory left."""


def versions() -> dict[str, str]:
    """Which program this is: what people know of it, and a name for all the rest."""
    found = {"rulewright": __version__, "python": sys.version.split(" ")[0]}
    for each in libraries():
        name, _, version = each.removesuffix(".dist-info").partition("-")
        found[name.replace("_", "-")] = version
    found["program"] = program()
    return found


def program() -> str:
    """A name for this program, whatever bounds it has: those of the one that asks count."""
    return toolchain().split(" ")[0]


class Asker(NamedTuple):
    """Who asks: the name of its program, its bounds, and how many processes share a machine."""

    program: str
    bounds: str
    sharing: int


def asker() -> Asker:
    """This program, asking; a machine is taken to be like this one."""
    return Asker(program(), os.environ.get(VARIABLE, ""), os.cpu_count() or 1)


def given(text: str) -> str:
    """Text that many tasks share, as a task: whoever has lost it can be given it again."""
    return text


def perform(asks: tuple[str, str, int], kind: str, shared: str, task: str) -> str:
    """Does a task for an `Asker`. The answer is JSON: `answer`, or why there is none."""
    who = Asker(*asks)
    if who.program != program():
        return json.dumps({"refused": versions()})
    child = _children.taken()
    try:
        answer = child.ask(kind, shared, task, who)
    except BaseException:
        child.end()
        raise
    if answer is None:
        return json.dumps({"lost": child.ended()})
    _children.put_back(child)
    return answer


class _Child:
    """A process that does tasks, from outside."""

    def __init__(self) -> None:
        self._process = ChildProcess(
            own_program("distribute.child"), PIPE, PIPE, DEVNULL, own_environment()
        )
        self._knows = ""

    def ask(self, kind: str, shared: str, task: str, who: Asker) -> str | None:
        """The answer to a task; None if the process died of it."""
        digest = sha256(shared.encode()).hexdigest()
        request: dict[str, Any] = {
            "kind": kind, "digest": digest, "task": task, "bounds": who.bounds,
            "memory": worker_share(who.sharing),
        }  # fmt: skip
        if digest != self._knows:
            request["shared"] = shared
        asked, told = self._process.process.stdin, self._process.process.stdout
        assert asked is not None and told is not None
        try:
            _write(asked.fileno(), json.dumps(request).encode() + b"\n")
        except OSError:
            return None
        self._knows = digest
        line = _line(told.fileno())
        return line.decode("ascii") if line.endswith(b"\n") else None

    def ended(self) -> str:
        """Why a process that died did, to people."""
        code = self._process.process.wait()
        self.end()
        if code == OUT_OF_MEMORY:
            return "out of memory"
        if code == -signal.SIGKILL:
            return "the process that worked on it was killed, perhaps for want of memory"
        return f"the process that worked on it died (exit code {code})"

    def end(self) -> None:
        self._process.end()


class _Children:
    """The processes of this worker that have nothing to do, for its threads to take from."""

    def __init__(self) -> None:
        self._idle: list[_Child] = []
        self._lock = threading.Lock()

    def taken(self) -> _Child:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return _Child()

    def put_back(self, child: _Child) -> None:
        with self._lock:
            self._idle.append(child)


_children = _Children()


def _write(pipe: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(pipe, view) :]


def _line(pipe: int) -> bytes:
    """A line from a pipe, or what came of it before its end."""
    parts = []
    while True:
        part = os.read(pipe, 1 << 16)
        parts.append(part)
        if not part or part.endswith(b"\n"):
            return b"".join(parts)
