"""The protocol without JSON: the same requests and answers as words with blanks between them.

For languages that have no JSON at hand. `{`, `}`, `[` and `]` are words, commas and colons are left
out, and names stand without quotes: `apply move cross_sum by 2 args { row red at 5 }`. A blank in a
name is written as `:`. Text that would read as something else has quotes.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rulewright.conform.engine.protocol import Json
from rulewright.conform.engine.subprocess_engine import Conversation, SubprocessEngine, not_read

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)\Z")
WORDS = {"true": True, "false": False, "none": None}
NAMED = {True: "true", False: "false", None: "none"}
NAME = re.compile(r"[^\W\d]\w*( \w+)*\Z")
OPEN, CLOSED = "{[", "}]"
DEEPEST = 100
FORM_HELP = "begin an answer with `ok`, then names and values, or with `no` and why"
NEST_HELP = "write `{`, `}`, `[` and `]` as words of their own, and close what was opened"


class WordEngine(SubprocessEngine):
    """A program that is spoken to in words."""

    def written(self, request: dict[str, Json]) -> str:
        """A request as a line."""
        verb, *_ = request.values()
        given = [f"{_word(name)} {words_of(each)}" for name, each in list(request.items())[1:]]
        return " ".join([verb, *given])

    def read(self, line: bytes, talk: Conversation) -> dict[str, Json]:
        """What a line says."""
        text = line.decode(errors="replace").strip()
        kind, _, rest = text.partition(" ")
        if kind == "no":
            return {"ok": False, "why": rest.strip()} if rest.strip() else {"ok": False}
        if kind != "ok":
            raise not_read(line, "which begins with neither `ok` nor `no`", FORM_HELP, talk)
        try:
            return {"ok": True, **_Reader(rest.split()).members(None)}
        except ValueError as error:
            raise not_read(line, f"where {error}", NEST_HELP, talk) from None


def words_of(value: Json) -> str:
    """A value in words."""
    if isinstance(value, dict):
        inside = [f"{_word(name)} {words_of(each)}" for name, each in value.items()]
        return " ".join(["{", *inside, "}"])
    if isinstance(value, list):
        return " ".join(["[", *map(words_of, value), "]"])
    if value is None or isinstance(value, bool):
        return NAMED[value]
    return _word(value) if isinstance(value, str) else str(value)


def _word(text: str) -> str:
    if NAME.match(text) and text not in WORDS:
        return text.replace(" ", ":")
    escaped = "".join(each if each.isalnum() else f"\\u{ord(each):04x}" for each in text)
    return f'"{escaped}"'


class _Reader:
    """Reads words, one after the other; raises ValueError where they make no sense."""

    def __init__(self, words: list[str]) -> None:
        self._words = words[::-1]

    def members(self, end: str | None, depth: int = 0) -> dict[str, Json]:
        """Names with their values, up to a bracket or the end of the line."""
        found: dict[str, Json] = {}
        while (word := self._next()) != end:
            if word is None:
                raise ValueError("a `{` is not closed")
            if word in (*OPEN, *CLOSED):
                raise ValueError(f"`{word}` stands for a name")
            name = str(_plain(word)) if word.startswith('"') else word.replace(":", " ")
            if name in found:
                raise ValueError(f"`{name}` stands twice")
            value = self._next()
            if value is None or value in CLOSED:
                raise ValueError(f"`{name}` has no value")
            found[name] = self._value(value, depth)
        return found

    def _value(self, word: str, depth: int) -> Json:
        if depth > DEEPEST:
            raise ValueError("brackets are too deep")
        if word == "{":
            return self.members("}", depth + 1)
        if word != "[":
            return _plain(word)
        listed: list[Any] = []
        while (each := self._next()) != "]":
            if each is None or each == "}":
                raise ValueError("a `[` is not closed")
            listed.append(self._value(each, depth + 1))
        return listed

    def _next(self) -> str | None:
        return self._words.pop() if self._words else None


def _plain(word: str) -> Json:
    if word in CLOSED:
        raise ValueError(f"`{word}` closes nothing")
    if word in WORDS:
        return WORDS[word]
    if NUMBER.match(word) and len(word) < DEEPEST:
        return int(word)
    if word.startswith('"'):
        try:
            return str(json.loads(word))
        except ValueError:
            raise ValueError(f"`{word[:20]}` does not end its quotes") from None
    return word.replace(":", " ")
