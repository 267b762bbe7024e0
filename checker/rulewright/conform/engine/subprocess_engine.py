"""An engine that is a program: one JSON object a line, a request and then its answer.

The program runs under a supervisor, which ends it with all that it has started, also if we are
killed (see `rulewright.system.processes` for what holds on which system). Nothing is waited for
longer than the time given; what it says on stderr is kept for the report. It is asked to be quick
only once: the first answer may take as long as starting takes."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from rulewright.conform.engine.protocol import (
    LATE_HELP,
    NEEDED,
    VERBS,
    Answer,
    Engine,
    EngineFault,
    EngineRefusal,
    Json,
    Request,
    excerpt,
    granted,
)
from rulewright.play.semantics.errors import UsageError
from rulewright.system.processes import ChildProcess

LONGEST_ANSWER = 4_000_000
"""Bytes; the largest positions of the largest boards take a tenth of it."""
MOST_SHOWN = 80
KEPT_OF_STDERR = 4_000
SHOWN_OF_STDERR = 20
"""Lines: what went wrong stands before the stack in some languages, after it in others."""
START_TIMEOUT = 20.0
"""Seconds for the first answer, unless a longer time is given for all."""
GRACE = 0.5
"""Seconds in which a program that closed its output may also end."""
STDOUT_HELP = "print answers on stdout and everything else on stderr"
WHOLE_HELP = "write each answer on one line"
QUOTES_HELP = "JSON has double quotes"
CAN_HELP = 'list the verbs, at least `new` and `apply`: {"can": ["new", "apply"]}'
LINE_HELP = f"end each answer with a line break and flush it; {LATE_HELP}"
START_HELP = "name a program and what it is given, such as `exec:node engine.mjs`"
END_HELP = "an engine answers each line of stdin until there are no more"

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class SubprocessEngine(Engine):
    """A program started from a command line, which is split as a shell would; no shell runs."""

    ahead = 32
    late = 32

    def __init__(self, command: str, timeout: float) -> None:
        try:
            self.command = shlex.split(command)
        except ValueError:
            self.command = []
        if not self.command:
            raise UsageError(f"`{command}` is not a command line", "check its quotes")
        self.timeout = timeout
        self._talk: Conversation | None = None
        self._greet()

    def new(self, setup: dict[str, Json]) -> dict[str, Json] | None:
        self._conversation().settle(0)
        return granted(self._ask({"do": "new", **setup}))

    def apply(self, event: dict[str, Json]) -> dict[str, Json] | None:
        return granted(self._ask({"do": "apply", **event}))

    def state(self) -> dict[str, Json]:
        state = self._ask({"do": "state"}).get("state")
        if type(state) is not dict:
            raise EngineFault(f"reported {excerpt(state)} as its state, where an object is due")
        return state

    def legal(self) -> list[Json]:
        moves = self._ask({"do": "legal"}).get("moves")
        if type(moves) is not list:
            raise EngineFault(f"listed {excerpt(moves)} as its moves, where a list is due")
        return moves

    def load(self, state: dict[str, Json]) -> dict[str, Json] | None:
        return granted(self._ask({"do": "load", "state": state}))

    def score(self) -> dict[str, Json]:
        return self._ask({"do": "score"})

    def send(self, requests: Iterable[Request]) -> None:
        lines = "".join(f"{self.written({'do': verb, **given})}\n" for verb, given in requests)
        try:
            self._conversation().send(lines.encode(), self.timeout)
        except BaseException:
            self.close()
            raise

    def answers(self) -> Mapping[str, Answer]:
        return {**dict.fromkeys(VERBS, self._receive), "state": self._told}

    def _told(self, *_: Any) -> dict[str, Json] | None:
        """How things stand; an engine may refuse an event, but not to say that."""
        try:
            return self._receive()
        except EngineRefusal as refusal:
            self.close()
            why = "" if refusal.why is None else f": {excerpt(refusal.why)}"
            raise EngineFault(f"refused to say how things stand{why}") from None

    def _receive(self, *_: Any) -> dict[str, Json] | None:
        talk = self._conversation()
        try:
            answer = self.read(talk.receive(self.timeout), talk)
        except BaseException:
            self.close()
            raise
        return granted(answer if "ok" in answer else {"ok": True, **answer})

    def written(self, request: dict[str, Json]) -> str:
        """A request as a line; its verb comes first."""
        return _encode(request)

    def read(self, line: bytes, talk: Conversation) -> dict[str, Json]:
        """What a line says."""
        try:
            try:
                answer = json.loads(line.decode())
            except ValueError:
                answer = json.loads(line)  # whatever else JSON may be written in
        except (ValueError, RecursionError):
            raise not_read(line, "which is not JSON", _help_for(_shown(line)), talk) from None
        if type(answer) is not dict:
            raise EngineFault(f"answered {excerpt(answer)} where an object is due")
        return answer

    def settle(self) -> None:
        self._conversation().settle(50)

    def restart(self) -> None:
        self.close()
        self._greet()

    def close(self) -> None:
        if self._talk is not None:
            self._talk.end()
            self._talk = None

    def _greet(self) -> None:
        self._talk = Conversation(self.command)
        try:
            answer = self._ask({"do": "hello"}, max(self.timeout, START_TIMEOUT))
            can = answer.get("can", sorted(NEEDED))
            if type(can) is not list or not set(map(str, can)) >= NEEDED:
                raise EngineFault(f"says that it can {excerpt(can)}", CAN_HELP)
            self.name = str(answer.get("engine", self.command[0]))[:80]
            game = answer.get("game")
            self.game = None if game is None else str(game)
            self.can = frozenset(VERBS) & set(map(str, can))
            self.unknown = tuple(str(each)[:40] for each in can if each not in (*VERBS, "hello"))
            if "can" not in answer:
                why = f" ({excerpt(answer['why'])})" if "why" in answer else ""
                self.reticence = f"the engine does not answer `hello` with what it can{why}"
        except BaseException:
            self.close()
            raise

    def _conversation(self) -> Conversation:
        if self._talk is None:  # the fault that ended the last one has been reported
            self._greet()
        assert self._talk is not None
        return self._talk

    def _ask(self, request: dict[str, Json], timeout: float | None = None) -> dict[str, Json]:
        talk = self._conversation()
        try:
            line = talk.ask(self.written(request).encode() + b"\n", timeout or self.timeout)
            return self.read(line, talk)
        except BaseException:
            self.close()
            raise


class Conversation:
    """A running program and the pipes to it."""

    def __init__(self, command: list[str]) -> None:
        try:
            self._child = ChildProcess(command, stdin=subprocess.PIPE)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise UsageError(f"`{command[0]}` cannot be started: {reason}", START_HELP) from error
        process = self._process = self._child.process
        assert process.stdin and process.stdout and process.stderr
        self._in, self._out = process.stdin.fileno(), process.stdout.fileno()
        self._err = process.stderr.fileno()
        for each in (self._in, self._out, self._err):
            os.set_blocking(each, False)
        self._answers = select.poll()
        self._answers.register(self._out, select.POLLIN)
        self._answers.register(self._err, select.POLLIN)
        self._unread: bytes = b""
        self._spoken = False
        self._stderr: bytes = b""

    def ask(self, line: bytes, timeout: float) -> bytes:
        """Sends a line and waits for the line that answers it."""
        if self._unread:
            self._spoke_out_of_turn()
        self.send(line, timeout)
        return self.receive(timeout)

    def receive(self, timeout: float) -> bytes:
        """The next line that is said."""
        deadline = 0.0 if b"\n" in self._unread else time.monotonic() + timeout
        found: bytes = self._unread
        while b"\n" not in found:
            if len(found) > LONGEST_ANSWER:
                raise EngineFault(
                    f"answered with more than {LONGEST_ANSWER:,} bytes in a line",
                    notes=self.last_words(),
                )
            self._unread = found
            found += self._receive(deadline, timeout)
        answer, _, self._unread = found.partition(b"\n")
        self._spoken = True
        return answer

    def settle(self, milliseconds: int) -> None:
        """Makes sure that nothing has been said that was not asked for."""
        if self._unread or any(
            each == self._out and what & select.POLLIN
            for each, what in self._answers.poll(milliseconds)
        ):
            self._unread += self._read(self._out) or b""
            if self._unread:
                self._spoke_out_of_turn()

    def end(self) -> None:
        """Ends the program and all that it started."""
        self._child.end()

    def last_words(self) -> tuple[str, ...]:
        """The last lines of stderr."""
        self._hear()
        lines = self._stderr.decode(errors="replace").splitlines()
        said = [f"stderr: {each}" for each in lines if each.strip()]
        return tuple(said[-SHOWN_OF_STDERR:])

    def send(self, lines: bytes, timeout: float) -> None:
        """Writes lines; answers that come meanwhile are taken, so that neither side waits for the
        other."""
        deadline: float | None = None
        while lines:
            try:
                lines = lines[os.write(self._in, lines) :]
            except BlockingIOError:
                deadline = deadline or time.monotonic() + timeout
                if time.monotonic() > deadline or len(self._unread) > LONGEST_ANSWER:
                    raise EngineFault(
                        f"did not read its stdin for {timeout:g} s", notes=self.last_words()
                    ) from None
                select.select([self._out, self._err], [self._in], [], 0.1)
                self._unread += self._read(self._out) or b""
                self._hear()
            except BrokenPipeError:
                self._died()

    def _receive(self, deadline: float, timeout: float) -> bytes:
        """The next bytes of an answer."""
        left = deadline - time.monotonic()
        if left <= 0:
            what = f"did not end its answer {self._begun()}" if self._unread else "gave no answer"
            reason = f"{what} within {timeout:g} s"
            raise EngineFault(reason, LINE_HELP, self.last_words(), late=True)
        for each, _ in self._answers.poll(left * 1000):
            if each == self._err:
                self._hear()
            else:
                found = self._read(self._out)
                if not found:
                    self._died()
                return found
        return b""

    def _hear(self) -> None:
        """Takes what there is on stderr and keeps the end of it."""
        while found := self._read(self._err):
            self._stderr = (self._stderr + found)[-KEPT_OF_STDERR:]
            if len(found) < 1 << 16:
                return
        if found is not None:
            with suppress(KeyError):
                self._answers.unregister(self._err)

    def _read(self, handle: int) -> bytes | None:
        """What there is to read: nothing at the end, None if there is nothing yet."""
        try:
            return os.read(handle, 1 << 16)
        except BlockingIOError:
            return None

    def _died(self) -> NoReturn:
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            raise EngineFault(
                f"closed its output {self._when()}", END_HELP, self.last_words()
            ) from None
        how = f"with exit code {code}" if code >= 0 else f"by {_signal_name(-code)}"
        raise EngineFault(f"ended {how} {self._when()}", END_HELP, self.last_words())

    def _when(self) -> str:
        if self._unread:
            return f"in the middle of its answer {self._begun()}"
        return "in the middle of the conversation" if self._spoken else "before its first answer"

    def _begun(self) -> str:
        return f"`{_shown(self._unread)}`"

    def _spoke_out_of_turn(self) -> NoReturn:
        said = f"said {self._begun()} without being asked"
        raise EngineFault(said, STDOUT_HELP, self.last_words())


def not_read(line: bytes, why: str, help: str, talk: Conversation) -> EngineFault:
    """What an answer means that cannot be read."""
    shown = _shown(line)
    said = f"answered `{shown}`, {why}" if shown else "answered with an empty line"
    return EngineFault(said, help, talk.last_words())


def _help_for(shown: str) -> str:
    """What to do about an answer that is not JSON."""
    if shown.startswith("{'"):
        return QUOTES_HELP
    return WHOLE_HELP if shown.startswith("{") or not shown else STDOUT_HELP


def _shown(said: bytes) -> str:
    """The beginning of something that was said, in characters that can be shown."""
    text = said[:MOST_SHOWN].decode(errors="replace").strip()
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
