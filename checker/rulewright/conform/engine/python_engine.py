"""An engine that is a Python object with the verbs of the protocol as methods.

`new(players, readings, variant, **start)`, `apply(event)`, `state()`, and if it can `legal()`,
`load(state)` and `score()`. It refuses by an exception of its own or a ValueError; any other
exception of Python is taken for a mistake in the engine.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from random import random
from types import CodeType, FrameType
from typing import Any, TypeVar

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
    be_json,
    excerpt,
    granted,
    words,
)
from rulewright.play.semantics.errors import UsageError


class CallTimeout(BaseException):
    """The engine has taken too long. No `except Exception` of its own keeps this from us."""


SOON = 0.1
"""Seconds after which an engine that went on is interrupted again."""
AGAIN = 1e-4
"""Seconds at most between interruptions then."""
MOST_IGNORED = 50_000
F = TypeVar("F", bound=Callable[..., Any])
FAULTS = (Exception, SystemExit, CallTimeout)
"""What may come out of an engine that is no answer; an interrupt is meant for us."""


CALLS: set[CodeType] = set()
"""Where engines are called; each call has a frame of its own."""


def watched(call: F) -> F:
    """Marks a function that calls an engine."""
    CALLS.add(call.__code__)
    return call


class PythonEngine(Engine):
    """An object made by a class or function of a module, named as `MODULE:CLASS`."""

    ahead = 128
    late = 0

    def __init__(self, place: str, timeout: float) -> None:
        self._begin(_factory(place), place, timeout)

    @classmethod
    def of(cls, factory: Callable[[], Any], timeout: float = 10.0) -> PythonEngine:
        """The engine that a class or function makes."""
        engine = cls.__new__(cls)
        engine._begin(factory, getattr(factory, "__name__", "engine"), timeout)
        return engine

    def _begin(self, factory: Callable[[], Any], place: str, timeout: float) -> None:
        self.name = place
        self._factory = factory
        self._object = self._make()
        self.game = getattr(self._object, "NAME", None)
        listing = getattr(self._object, "LISTS_ALL", True)
        self.can = frozenset(
            verb
            for verb in VERBS
            if callable(getattr(self._object, verb, None)) and (verb != "legal" or listing)
        )
        if not self.can >= NEEDED:
            missing = ", ".join(sorted(NEEDED - self.can))
            raise UsageError(
                f"`{place}` has no method {missing}", "an engine can at least `new` and `apply`"
            )
        self._watch = _Watch(timeout)
        self._get_ready()

    @property
    def made(self) -> Any:
        """The object that is asked."""
        return self._object

    def _get_ready(self) -> None:
        """What the object is asked in every game."""

        def new(given: dict[str, Json]) -> Any:
            return self._object.new(**given)

        self._verbs = {
            "new": self._asking(new),
            "apply": self._asking(self._object.apply),
            "state": self._asking(lambda _: None),
        }

    def new(self, setup: dict[str, Json]) -> dict[str, Json] | None:
        return self._verbs["new"](_as_it_is, setup)

    def apply(self, event: dict[str, Json]) -> dict[str, Json] | None:
        return self._verbs["apply"](_as_it_is, event)

    def state(self) -> dict[str, Json]:
        return self._say(self._object.state, dict)  # type: ignore[no-any-return]

    def legal(self) -> list[Json]:
        return self._say(self._object.legal, list)  # type: ignore[no-any-return]

    def load(self, state: dict[str, Json]) -> dict[str, Json] | None:
        return self._asking(self._object.load)(_as_it_is, state)

    def score(self) -> dict[str, Json]:
        said = self._say(self._object.score, dict)
        if "scores" in said:
            be_json(said, "said that scores and winners are")
            return said  # type: ignore[no-any-return]
        winners = getattr(self._object, "winners", None)
        found: dict[str, Json] = {"scores": [[player, each] for player, each in said.items()]}
        if winners is not None:
            found["winners"] = self._say(winners, list)
        be_json(found, "said that scores and winners are")
        return found

    def send(self, requests: Iterable[Request]) -> None:
        """There is nothing to be done before an answer is wanted."""

    def answers(self) -> Mapping[str, Answer]:
        return self._verbs

    def restart(self) -> None:
        self._object = self._make()
        self._get_ready()

    def another(self) -> Engine | None:
        return PythonEngine.of(self._factory, self._watch.timeout)

    def close(self) -> None:
        self._watch.end()

    def _make(self) -> Any:
        try:
            return self._factory()
        except (Exception, SystemExit) as error:
            raise UsageError(
                f"`{self.name}` cannot be made: {_named(error)}",
                "an engine is made without arguments",
            ) from error

    def _asking(self, verb: Callable[[Json], Any]) -> Answer:
        """What has the engine do something and say how things stand then. In a game it is called
        for every event, so it has at hand what it needs."""
        state = self._object.state if "state" in self.can else None

        @watched
        def ask(write: Callable[[Any], Json], given: Any) -> dict[str, Json] | None:
            written = write(given)  # what goes wrong here is no fault of the engine
            try:
                answer = verb(written)
                if answer is None or answer is True:
                    if state is None:
                        return None
                    reported = state()
                    if type(reported) is dict:
                        return reported
                    raise EngineFault(f"`state` gave {excerpt(reported)} where an object is due")
            except EngineFault:
                raise
            except FAULTS as error:
                if _is_refusal(error):
                    raise EngineRefusal(words(error)) from None
                raise self._fault(verb, error) from error
            if answer is False:
                raise EngineRefusal
            if type(answer) is dict and answer.get("ok") is True:
                reported = answer.get("state")
                if type(reported) is dict:
                    return reported
            return granted(answer)

        return ask

    @watched
    def _say(self, verb: Callable[[], Any], kind: type) -> Any:
        try:
            found = verb()
        except FAULTS as error:
            raise self._fault(verb, error) from error
        if not isinstance(found, kind):
            what = "an object" if kind is dict else "a list"
            raise EngineFault(f"`{verb.__name__}` gave {excerpt(found)} where {what} is due")
        return found

    def _fault(self, verb: Callable[..., Any], error: BaseException) -> EngineFault:
        """What an exception in the engine means."""
        if isinstance(error, CallTimeout):
            self._watch.calm()
            reason = f"gave no answer within {self._watch.timeout:g} s"
            return EngineFault(reason, LATE_HELP, late=True)
        name = getattr(verb, "__name__", verb)
        return EngineFault(f"`{name}` failed with {_named(error)}")


class _Watch:
    """Interrupts a call that takes too long. It ticks rather than set a clock for each call,
    so a call that hangs is ended within twice the time: the same call has then been seen twice.
    An engine that catches this too is interrupted so often that it has no time to catch it."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._seen: FrameType | None = None
        self._ignored = 0
        self._set = (
            hasattr(signal, "setitimer")
            and threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        )
        if self._set:
            signal.signal(signal.SIGALRM, self._tick)
        self.calm()

    def end(self) -> None:
        if self._set:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            self._set = False

    def calm(self) -> None:
        """Nothing hangs, or no longer."""
        self._seen, self._ignored = None, 0
        if self._set:
            signal.setitimer(signal.ITIMER_REAL, self.timeout, self.timeout)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        called = None
        while frame is not None and frame.f_code not in CALLS:
            called, frame = frame, frame.f_back
        if frame is None or frame is not self._seen:
            if self._ignored:
                self.calm()
            self._seen = frame
        elif not self._ignored:
            self._ignored = 1
            signal.setitimer(signal.ITIMER_REAL, SOON)
            raise CallTimeout
        elif self._ignored > MOST_IGNORED:
            self._give_up()
        else:
            self._ignored += 1
            signal.setitimer(signal.ITIMER_REAL, random() * AGAIN + 1e-6)
            if called is not None and called.f_code not in OURS:
                raise CallTimeout

    def _give_up(self) -> None:
        """Ends the program, for nothing else is left to do."""
        print(
            f"error: the engine gave no answer within {self.timeout:g} s, and nothing stops it",
            "help: it catches every exception; run it as a program, `exec:COMMAND LINE`",
            sep="\n",
            file=sys.stderr,
            flush=True,
        )
        os._exit(1)


def _factory(place: str) -> Callable[[], Any]:
    module, _, name = place.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # last: what lies there takes nobody's place
    try:
        found = import_module(module)
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"the module `{module}` cannot be imported: {_named(error)}",
            "it is looked for on Python's path and in the working folder",
        ) from error
    factory = getattr(found, name, None)
    if not callable(factory):
        raise UsageError(f"the module `{module}` has no class `{name}`", "name it as MODULE:CLASS")
    return factory  # type: ignore[no-any-return]


def _as_it_is(given: Json) -> Json:
    return given


def _is_refusal(error: BaseException) -> bool:
    """A KeyError is a slip; an exception that somebody defined is meant."""
    meant = type(error).__module__ not in ("builtins", __name__)
    return isinstance(error, ValueError) or (isinstance(error, Exception) and meant)


def _named(error: BaseException) -> str:
    name, text = type(error).__name__, words(error)
    return f"{name}: {text}"[:200] if text else name


OURS = (PythonEngine._fault.__code__, _is_refusal.__code__, _named.__code__)
"""What is called where an engine has come back."""
