"""From a file to a checked spec: the one way into the language for every command."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from rulewright.diagnostics import Diagnostic, Messages, Text, TooManyError
from rulewright.meaning.core import Spec
from rulewright.meaning.elaborate import Elaborated, elaborate
from rulewright.meaning.variants import with_variant
from rulewright.syntax import tree
from rulewright.syntax.node import Node, Span
from rulewright.syntax.parsing.parser import parse
from rulewright.syntax.tree_digest import tree_hash
from rulewright.system.limits import how_to_raise, most
from rulewright.system.whole_file import TooLargeError, whole

FRAMES = 20_000
"""Functions may call each other in long chains, each elaborated when the one before needs it."""


class LoadedSpec(Node):
    """What is known of a file: its text (None if unreadable), all diagnostics, and if it can be
    used its core."""

    file: str
    text: Text | None
    diagnostics: tuple[Diagnostic, ...]
    tree: tree.Spec | None
    spec: Spec | None
    hash: str | None = None
    """Names this version of the rules; None if they cannot be used."""

    def variant(self, name: str) -> Spec:
        """The core of one of the game's variants."""
        assert self.tree is not None and self.text is not None
        changed = with_variant(self.tree, name)
        return elaborate(changed, Messages(self.text), name).spec


def read(path: str | os.PathLike[str]) -> LoadedSpec:
    """Reads and checks a file; whatever is wrong with it is in the diagnostics."""
    file = os.fspath(path)
    content, complaint = _load(file)
    if content is None:
        found = Diagnostic(file, 1, 1, 1, 1, "RW011", "error", *complaint)
        return LoadedSpec(file, None, (found,), None, None)
    return check_text(file, content)


def check_text(file: str, content: str) -> LoadedSpec:
    """Checks the text of a spec."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
    text = Text(file, content.replace("\r\n", "\n"))
    messages = Messages(text)
    try:
        return _checked(file, text, messages)
    except TooManyError:
        return LoadedSpec(file, text, tuple(messages.all), None, None)


def _checked(file: str, text: Text, messages: Messages) -> LoadedSpec:
    if not text.text.strip():
        empty(messages)
        return LoadedSpec(file, text, tuple(messages.sorted()), None, None)
    syntax = parse(text.text, messages)
    elaborated = elaborate(syntax, messages)
    check_variants(syntax, messages)
    unusable = messages.failed
    look_closer(elaborated, syntax, messages)
    diagnostics = tuple(messages.sorted())
    if unusable:
        return LoadedSpec(file, text, diagnostics, syntax, None)
    return LoadedSpec(file, text, diagnostics, syntax, elaborated.spec, tree_hash(syntax))


def empty(messages: Messages) -> None:
    """Reports a file without anything in it."""
    messages.error("RW013", Span(0, 0), "the file is empty", "a spec begins with `game`")


def check_variants(syntax: tree.Spec, messages: Messages) -> None:
    """Whether the rules can be used as each variant changes them, if they can be without. Worked
    examples, and what is accepted, may speak of something that a variant leaves out."""
    if messages.failed:
        return
    text = messages.text
    for name in [d.name.text for d in syntax.declarations if isinstance(d, tree.Variant)]:
        rules = tuple(
            each for each in with_variant(syntax, name).declarations
            if not isinstance(each, tree.Variant | tree.Example | tree.Accept)
        )  # fmt: skip
        found = Messages(text)
        with suppress(TooManyError):
            elaborate(tree.Spec(syntax.span, rules), found, name)
        for each in found.all:
            if each.severity == "error":
                start = text.offset(each.line, each.column)
                span = Span(start, text.offset(each.end_line, each.end_column))
                message = f"in the variant `{name}`, {each.message}"
                messages.error(each.code, span, message, each.help)


def look_closer(elaborated: Elaborated, syntax: tree.Spec, messages: Messages) -> None:
    """Lints, and whether the clauses have their evidence, unless the spec cannot be used."""
    from rulewright.meaning.checks.clause_evidence import check_evidence
    from rulewright.meaning.checks.lint import lint

    unusable = messages.failed
    lint(elaborated, syntax, messages)
    if not unusable and all(found.code != "RW106" for found in messages.all):
        check_evidence(elaborated.spec, messages)


def _load(file: str) -> tuple[str | None, tuple[str, str]]:
    """The text of a file, or what is wrong with it and what to do."""
    try:
        if os.path.isdir(file):
            return None, ("this is a folder", "name a `.rules` file in it")
        content = whole(file, most("bytes"))
    except TooLargeError:
        return None, ("the file is too large to be a spec", how_to_raise("bytes"))
    except FileNotFoundError:
        return None, ("there is no such file", "check the path, or name a bundled game")
    except ValueError:  # a name that no file can have
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
