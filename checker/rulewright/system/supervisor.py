"""Starts a program and ends it, with all that it has started, when nobody wants it any more.

This is a program of its own, run by its path: it imports nothing but what Python brings along. It
is given the numbers of two pipes and a command line. On the first it says `started`, or the number
of the error that kept it from that. When the other is closed, because whoever holds it says so or
is dead, whatever killed it, the program is ended. The exit code is that of the program.

On Linux everything that the program has started is found and ended, whatever session it has gone
to: orphans come to us. Elsewhere the program's process group is ended, and what has left it is not.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

PATIENCE = 5.0
"""Seconds for what is being ended to end."""
LOOK = 1.0
"""Seconds between two looks at whether whoever started us is still there."""


def main(arguments: list[str]) -> int:
    """Runs the command until it ends or nobody wants it; returns its exit code."""
    status, wanted, *command = arguments
    started_by = os.getppid()
    _adopt_orphans()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for each in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(each, _nothing)
    _lift_bound()
    try:
        process = subprocess.Popen(command, start_new_session=True, preexec_fn=_end_with_us())
    except OSError as error:
        os.write(int(status), f"{error.errno}\n".encode())
        return 127
    for stream in (0, 1, 2):  # they are the program's; who reads them should see when it ends
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, stream)
        os.close(nowhere)
    os.write(int(status), b"started\n")
    os.close(int(status))
    code = None
    while code is None and os.getppid() == started_by:
        ready, _, _ = select.select([int(wanted), woken], [], [], LOOK)
        if int(wanted) in ready:
            break
        if woken in ready and set(os.read(woken, 4096)) != {signal.SIGCHLD}:
            break
        code = process.poll()
    _end(process.pid)
    return code if code is not None else -signal.SIGKILL


def _nothing(*_: object) -> None:
    """A signal has come; the pipe says so."""


def _lift_bound() -> None:
    """The bound on the memory of whoever started us is none on the program."""
    import resource

    with suppress(OSError, ValueError):
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _adopt_orphans() -> None:
    """On Linux: whatever loses its parent among those we have started becomes our child."""
    if sys.platform == "linux":
        import ctypes

        set_child_subreaper = 36
        ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def _end_with_us() -> Callable[[], None] | None:
    """On Linux: has the program end if somebody ends its supervisor."""
    if sys.platform != "linux":
        return None
    import ctypes

    set_death_signal, prctl = 1, ctypes.CDLL(None).prctl
    return lambda: prctl(set_death_signal, signal.SIGKILL)


def _end(group: int) -> None:
    """Ends the program and all that comes from it, for as long as there is anything left."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for process in _descendants():
            _kill(os.kill, process)
        _kill(os.killpg, group)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _kill(how: Callable[[int, int], None], number: int) -> None:
    with suppress(OSError):  # it is gone, or not ours to end
        how(number, signal.SIGKILL)


def _descendants() -> list[int]:
    """All processes that come from this one, on systems that tell in /proc."""
    parents: dict[int, int] = {}
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for number in numbers:
        try:
            with open(f"/proc/{number}/stat", "rb") as told:
                parents[number] = int(told.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
    found = {os.getpid()}
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {os.getpid()})


def leave(code: int) -> None:
    """Ends this process as the program ended: by the same signal, or with the same exit code."""
    if code < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
        time.sleep(PATIENCE)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    leave(main(sys.argv[1:]))
