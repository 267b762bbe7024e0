"""Speaks with a harness: one JSON object a line, a request and then its response.

A request says what to `do` (`hello`, `new`, `apply`, `state`, `legal`, `load`, `score`) and with
what. Every line is answered with one line at once, even one that cannot be understood; nothing
that comes in ends the conversation but its end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import BinaryIO

from rulewright_engines.engine import Engine, IllegalError
from rulewright_engines.shapes import Json

Response = dict[str, Json]


def serve(engine: Engine, requests: Iterable[bytes], responses: BinaryIO) -> None:
    """Answers requests until there are no more."""
    write, flush = responses.write, responses.flush
    encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
    for line in requests:
        write(encode(respond(engine, line)).encode() + b"\n")
        flush()


def respond(engine: Engine, line: bytes) -> Response:
    """The response to one line."""
    try:
        request = json.loads(line.decode())
    except (ValueError, RecursionError):
        return _refuse("this is not JSON")
    if type(request) is not dict:
        return _refuse("a request is an object")
    verb = request.pop("do", None)
    answer = VERBS.get(verb) if type(verb) is str else None
    if answer is None:
        return _refuse(f"a request asks to `do` one of {', '.join(VERBS)}")
    try:
        return answer(engine, request)
    except IllegalError as refusal:
        return _refuse(str(refusal))


def _refuse(why: str) -> Response:
    return {"ok": False, "why": why}


def _hello(engine: Engine, request: Response) -> Response:
    can = [verb for verb in VERBS if verb != "hello" and (verb != "legal" or engine.LISTS_ALL)]
    return {"engine": "Rulewright reference engine", "game": engine.NAME, "can": can}


def _new(engine: Engine, request: Response) -> Response:
    if "players" not in request:
        raise IllegalError("`players` is missing")
    engine.new(**request)
    return {"ok": True, "state": engine.state()}


def _apply(engine: Engine, request: Response) -> Response:
    engine.apply(request)
    return {"ok": True, "state": engine.state()}


def _state(engine: Engine, request: Response) -> Response:
    return {"state": engine.state()}


def _legal(engine: Engine, request: Response) -> Response:
    return {"moves": engine.legal()}


def _load(engine: Engine, request: Response) -> Response:
    engine.load(request.get("state"))  # type: ignore[arg-type]  # `load` trusts nothing
    return {"ok": True}


def _score(engine: Engine, request: Response) -> Response:
    return {"scores": list(map(list, engine.score().items())), "winners": engine.winners()}


VERBS: dict[str, Callable[[Engine, Response], Response]] = {
    "hello": _hello,
    "new": _new,
    "apply": _apply,
    "state": _state,
    "legal": _legal,
    "load": _load,
    "score": _score,
}
