"""What an engine under test is to the rest of this package, whatever it is made of.

An engine begins games, takes events and says how things stand. It may refuse; that is a
`EngineRefusal`. Whatever else goes wrong with it (it dies, hangs, talks nonsense) is an
`EngineFault`, which is a finding about the engine and never a failure of ours. What engines are
made of is in `python_engine` (a Python class) and `subprocess_engine` (a program that speaks the
line protocol)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from rulewright.play.semantics.errors import UsageError

Json: TypeAlias = Any
"""What the standard library's json reads and writes."""

Request: TypeAlias = "tuple[str, dict[str, Json]]"
"""A verb, `apply` or `state`, and what it is given."""
Answer: TypeAlias = "Callable[[Callable[[Any], dict[str, Json]], Any], dict[str, Json] | None]"
"""What has the answer to a request: how things stand then, None if that is not said. It is given
what writes the request, and from what, in case that has not been done."""

VERBS = ("new", "apply", "state", "legal", "load", "score")
"""What an engine can be asked to do; the first two it must be able to."""
NEEDED = frozenset({"new", "apply"})
LATE_HELP = "`--timeout` gives it longer"
OK_HELP = 'say {"ok": true}, or {"ok": false, "why": "…"} to refuse'
ENGINE_HELP = "an engine is `python:MODULE:CLASS`, `exec:COMMAND LINE` or `words:COMMAND LINE`"


class EngineFault(Exception):  # noqa: N818 - a finding about the engine, no error of ours
    """The engine does not keep to the protocol: `reason` in a line, then what it left behind;
    `game` is the game that it failed in, if there was one. It is `late` if it was waited for in
    vain."""

    def __init__(
        self, reason: str, help: str | None = None, notes: tuple[str, ...] = (), late: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.help = help
        self.notes = notes
        self.late = late
        self.game: Any = None


class EngineRefusal(Exception):  # noqa: N818 - an answer, no error
    """The engine will not do what it was asked, and may say why."""

    def __init__(self, why: str | None = None) -> None:
        super().__init__(why)
        self.why = why


class Engine(ABC):
    """An engine that is ready to be asked; `can` are the verbs it knows. What it is asked to do
    gives how things stand then, None if it does not say so, or raises `EngineRefusal`."""

    name: str
    game: str | None
    can: frozenset[str]
    ahead: int
    """How many events it is well to make up before the engine is held to them."""
    late: int
    """How many of them may wait for their answers while the next are made up."""
    reticence: str | None = None
    """Why it is not known what the engine can, if it does not say so."""
    unknown: tuple[str, ...] = ()
    """What it says it can that is no verb."""

    @abstractmethod
    def new(self, setup: dict[str, Json]) -> dict[str, Json] | None:
        """Begins a game: `players`, `readings`, `variant`, and the first value of each variable
        that can begin with any."""

    @abstractmethod
    def apply(self, event: dict[str, Json]) -> dict[str, Json] | None:
        """Lets a move or a chance event happen. The event is the engine's to keep."""

    @abstractmethod
    def state(self) -> dict[str, Json]:
        """How things stand: some or all of the spec's variables."""

    @abstractmethod
    def legal(self) -> list[Json]:
        """The moves that can be made now."""

    @abstractmethod
    def load(self, state: dict[str, Json]) -> dict[str, Json] | None:
        """Goes to a position within the present set-up."""

    @abstractmethod
    def score(self) -> dict[str, Json]:
        """`scores` as pairs of player and points, and the `winners`; either may be missing."""

    @abstractmethod
    def send(self, requests: Iterable[Request]) -> None:
        """Asks for several things without waiting for answers, which `answers` give in turn."""

    @abstractmethod
    def answers(self) -> Mapping[str, Answer]:
        """By verb, what has the answer to the first request that was sent and has had none."""

    def settle(self) -> None:  # noqa: B027 - an object cannot speak without being asked
        """Makes sure that the engine has said nothing it was not asked; raises EngineFault."""

    @abstractmethod
    def restart(self) -> None:
        """Makes the engine usable again after a fault."""

    def another(self) -> Engine | None:
        """A second engine of the same kind beside it, None if there is nothing they could share."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Leaves nothing of the engine behind."""

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_engine(text: str, timeout: float = 10.0) -> Engine:
    """The engine that somebody means by `python:MODULE:CLASS`, `exec:COMMAND LINE` or, if it speaks
    the protocol without JSON, `words:COMMAND LINE`."""
    kind, colon, rest = text.partition(":")
    if not colon or kind not in ("python", "exec", "words") or not rest.strip():
        raise UsageError(f"`{text}` is not an engine", ENGINE_HELP)
    if kind == "python":
        from rulewright.conform.engine.python_engine import PythonEngine

        return PythonEngine(rest, timeout)
    if kind == "words":
        from rulewright.conform.engine.word_form import WordEngine

        return WordEngine(rest, timeout)
    from rulewright.conform.engine.subprocess_engine import SubprocessEngine

    return SubprocessEngine(rest, timeout)


def granted(answer: Json) -> dict[str, Json] | None:
    """What an answer to `new`, `apply` or `load` says of how things stand; raises
    `EngineRefusal`."""
    if type(answer) is not dict:
        raise EngineFault(f"answered {excerpt(answer)} where an object is due", OK_HELP)
    ok = answer.get("ok")
    if type(ok) is not bool:
        what = "without `ok`" if ok is None else "with an `ok` that is neither true nor false"
        raise EngineFault(f"answered {what}: {excerpt(answer)}", OK_HELP)
    state = answer.get("state")
    if state is not None and type(state) is not dict:
        raise EngineFault(f"reported {excerpt(state)} as its state, where an object is due")
    if not ok:
        why = answer.get("why")
        raise EngineRefusal(None if why is None else words(why))
    return state


def words(said: object) -> str:
    """Something that an engine said, or raised, as text; an object of an engine may fail even at
    that."""
    try:
        return str(said)[:200]
    except Exception:
        return f"an object of the class {type(said).__name__}"


def be_json(answer: Json, what: str) -> None:
    """Raises `EngineFault` if something that an engine answered cannot be written as JSON."""
    from json import dumps

    try:
        dumps(answer)
    except Exception:
        raise EngineFault(f"{what} {excerpt(answer)}, which is no JSON") from None


def excerpt(json: Json) -> str:
    """A short impression of something that an engine said."""
    from json import dumps

    try:
        written = dumps(json, ensure_ascii=False)
    except Exception:  # an object of an engine may do anything when it is looked at
        written = f"an object of the class {type(json).__name__}"
    return written if len(written) <= 80 else written[:79] + "…"
