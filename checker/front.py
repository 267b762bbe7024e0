"""From a file to a checked spec: the one way into the language for every command."""

from __future__ import annotations

import os
import re
import sys
from functools import lru_cache

from checker.limits import how_to_raise, most
from checker.meaning.core import Spec
from checker.meaning.elaborate import elaborate
from checker.meaning.variants import with_variant
from checker.message import Diagnostic, Messages, Text, TooManyError
from checker.syntax import tree
from checker.syntax.node import Node, Span
from checker.syntax.parse import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STRING_OR_COMMENT = re.compile(r'"[^"\n]*"|#[^\n]*')
FRAMES = 20_000
"""Functions may call each other in long chains, each elaborated when the one before needs it."""


class Checked(Node):
    """What is known of a file: its text (None if unreadable), all diagnostics, and if it can be
    used its core."""

    file: str
    text: Text | None
    diagnostics: tuple[Diagnostic, ...]
    tree: tree.Spec | None
    spec: Spec | None

    @property
    def hash(self) -> str | None:
        """Names this version of the rules; None if they cannot be used."""
        return None if self.spec is None or self.text is None else spec_hash(self.text.text)

    def variant(self, name: str) -> Spec:
        """The core of one of the game's variants."""
        assert self.tree is not None and self.text is not None
        changed = with_variant(self.tree, name)
        return elaborate(changed, Messages(self.text), name).spec


def read(path: str | os.PathLike[str]) -> Checked:
    """Reads and checks a file; whatever is wrong with it is in the diagnostics."""
    file = os.fspath(path)
    content, complaint = _load(file)
    if content is None:
        found = Diagnostic(file, 1, 1, 1, 1, "RW011", "error", *complaint)
        return Checked(file, None, (found,), None, None)
    return check_text(file, content)


def check_text(file: str, content: str) -> Checked:
    """Checks the text of a spec."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
    text = Text(file, content.replace("\r\n", "\n"))
    messages = Messages(text)
    try:
        return _checked(file, text, messages)
    except TooManyError:
        return Checked(file, text, tuple(messages.all), None, None)


def _checked(file: str, text: Text, messages: Messages) -> Checked:
    syntax = _parse(text.text, messages)
    if messages.failed or syntax is None:
        return Checked(file, text, tuple(messages.sorted()), syntax, None)
    elaborated = elaborate(syntax, messages)
    unusable = messages.failed
    from checker.meaning.evidence import check_evidence
    from checker.meaning.lint import lint

    lint(elaborated, syntax, messages)
    if not unusable and all(found.code != "RW106" for found in messages.all):
        check_evidence(elaborated.spec, messages)
    diagnostics = tuple(messages.sorted())
    if unusable:
        return Checked(file, text, diagnostics, syntax, None)
    return Checked(file, text, diagnostics, syntax, elaborated.spec)


@lru_cache(maxsize=4)
def spec_hash(text: str) -> str:
    """Names a version of the rules; comments and layout do not count."""
    bare = [_without_comment(line) if "#" in line else line for line in text.split("\n")]
    digest: str = _sha256()(" ".join("\n".join(bare).split()).encode()).hexdigest()
    return digest[:16]


def _without_comment(line: str) -> str:
    return _STRING_OR_COMMENT.sub(lambda m: "" if m[0].startswith("#") else m[0], line)


def _sha256() -> Any:
    """The hash function alone: `hashlib` loads OpenSSL, a tenth of what a `check` takes."""
    try:
        return __import__("_sha256" if sys.version_info < (3, 12) else "_sha2").sha256
    except ImportError:
        return __import__("hashlib").sha256


def _parse(text: str, messages: Messages) -> tree.Spec | None:
    if not text.strip():
        messages.error("RW013", Span(0, 0), "the file is empty", "a spec begins with `game`")
        return None
    tab = _indenting_tab(text)
    if tab is not None:
        messages.error(
            "RW002", Span(tab, tab + 1), "a tab cannot indent a line",
            "use spaces: four for each level",
        )  # fmt: skip
        return None
    return parse(text, messages)


def _indenting_tab(text: str) -> int | None:
    """Where a line is indented with a tab."""
    position = text.find("\t")
    while position >= 0:
        begin = text.rfind("\n", 0, position) + 1
        if not text[begin:position].strip():
            return position
        position = text.find("\t", position + 1)
    return None


def _load(file: str) -> tuple[str | None, tuple[str, str]]:
    """The text of a file, or what is wrong with it and what to do."""
    try:
        if os.path.isdir(file):
            return None, ("this is a folder", "name a `.rules` file in it")
        if os.stat(file).st_size > most("bytes"):
            return None, ("the file is too large to be a spec", how_to_raise("bytes"))
        with open(file, "rb") as opened:
            content = opened.read()
    except FileNotFoundError:
        return None, ("there is no such file", "check the path, or name a bundled game")
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        return None, (f"the file cannot be read: {reason}", "check that it may be read")
    if b"\0" in content:
        return None, ("this is not a text file", "a spec is plain text in UTF-8")
    try:
        return content.decode("utf-8-sig"), ("", "")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        return None, (f"the file is not UTF-8 (line {line})", "save it as UTF-8")
