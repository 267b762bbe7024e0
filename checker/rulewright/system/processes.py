"""Child processes: none outlives this one, whatever kills it, and none reads code from here.

Each runs under a supervisor, a process of its own that ends the program with all that comes from it
as soon as it is let go, or this process is no more. Our own program is started by its place, not by
its name: a file of that name in the working folder is never run.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import IO

SUPERVISOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "supervisor.py")
PATIENCE = 8.0
"""Seconds for a supervisor to end what it has started."""
_OWN = (
    "import sys; folder = sys.argv.pop(1); sys.argv[0] = 'rulewright'; "
    "folder in sys.path or sys.path.insert(0, folder); "
    "from rulewright.{} import main; sys.exit(main())"
)


def own_program(module: str = "cli.main") -> list[str]:
    """The command line of this very program, or of another module of it that has a `main`, whatever
    folder it is run in: the folder that it lies in is one of those that code comes from, and the
    working folder (`-P`) is none of them."""
    return [
        sys.executable,
        "-P",
        "-c",
        _OWN.format(module),
        os.path.dirname(os.path.dirname(os.path.dirname(SUPERVISOR))),
    ]


def own_environment() -> dict[str, str]:
    """What our own program is started with: the same as we, but no relative place for code."""
    environment = dict(os.environ)
    given = environment.pop("PYTHONPATH", None)
    places = [each for each in (given or "").split(os.pathsep) if os.path.isabs(each)]
    if places:
        environment["PYTHONPATH"] = os.pathsep.join(places)
    return environment


class ChildProcess:
    """A program under a supervisor. `stdin`, `stdout` and `stderr` are as in `subprocess`."""

    def __init__(
        self,
        command: list[str],
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.process: subprocess.Popen[bytes]
        if os.name != "posix":  # there is no supervisor; `end` ends the program itself
            self._wanted = -1
            self.process = subprocess.Popen(
                command, stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, env=environment
            )
            return
        told, status = os.pipe()
        wanted, self._wanted = os.pipe()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", SUPERVISOR, str(status), str(wanted), *command],
                stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, env=environment,
                start_new_session=True, pass_fds=(status, wanted),
            )  # fmt: skip
        except BaseException:
            for each in (told, self._wanted):
                os.close(each)
            raise
        finally:
            os.close(status)
            os.close(wanted)
        try:
            with open(told, "rb") as answers:
                said = answers.readline().strip()
        except BaseException:  # somebody wants us to stop
            self.end()
            raise
        if said != b"started":
            self.end()
            number = int(said) if said.isdigit() else 0
            reason = os.strerror(number) if number else "its supervisor did not start"
            raise OSError(number, reason)

    @property
    def pipes(self) -> list[IO[bytes]]:
        """The pipes to the program."""
        found = (self.process.stdin, self.process.stdout, self.process.stderr)
        return [each for each in found if each is not None]

    def end(self) -> None:
        """Ends the program and all that it started."""
        if self._wanted >= 0:
            os.close(self._wanted)
            self._wanted = -1
        elif os.name != "posix":
            self.process.kill()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            with suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for pipe in self.pipes:
            pipe.close()


def end_with_parent(parent: int) -> None:
    """Has this process end when its parent does, on Linux; `parent` is who it was when it was
    started. Elsewhere it goes on until it has done its work."""
    if sys.platform == "linux":
        import ctypes

        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
