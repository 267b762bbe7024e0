"""Reads and writes gettext PO: entries of a context, a text and its translation.

What is wrong with a file becomes a diagnostic at its line, and no entry. Words stay words: no
escape but that of line ends, tabs, quotes and backslashes is known, and plural forms are not
computed from what a file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.diagnostics import Messages
from rulewright.hidden_characters import in_line
from rulewright.syntax.node import Node, Span

WIDTH = 92
_LINE = re.compile(r"(#~ ?)?(#?\| ?)?(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?)?[ \t]*(\".*)?$")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"[ \t]*$')
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "r": ""}
_ESCAPED = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


class Entry(Node):
    """A text to translate, by where it stands, and its translation: none, one, or several forms for
    numbers. `previous` is the text that was translated, where it has changed since."""

    context: str
    text: str
    forms: tuple[str, ...]
    span: Span
    plural: str | None = None
    fuzzy: bool = False
    previous: str | None = None
    notes: tuple[str, ...] = ()
    """What translators wrote about it."""
    place: str = ""
    obsolete: bool = False

    @property
    def translation(self) -> str:
        return self.forms[0] if self.forms else ""

    @property
    def is_done(self) -> bool:
        """Whether the translation can be shown."""
        return bool(self.forms) and all(self.forms) and not self.fuzzy and not self.obsolete


def read_po(messages: Messages) -> list[Entry]:
    """The entries of a file in their order; the first is its header."""
    found: list[Entry] = []
    seen: dict[tuple[str, str], int] = {}
    for entry in _Reader(messages).entries():
        key = (entry.context, entry.text)
        if not entry.obsolete and key in seen:
            words = entry.context or entry.text[:40]
            messages.error(
                "RW017", entry.span, f"`{words}` is translated twice",
                f"keep one of them; the other is in line {seen[key]}",
            )  # fmt: skip
            continue
        if not entry.obsolete:
            seen[key] = messages.text.place(entry.span.start)[0]
        found.append(entry)
    return found


class _Reader:
    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._clear()

    def _clear(self) -> None:
        self._parts: dict[str, list[str]] = {}
        self._previous: dict[str, list[str]] = {}
        self._notes: list[str] = []
        self._place = ""
        self._fuzzy = self._obsolete = self._broken = False
        self._begin = -1
        self._last: tuple[bool, str] | None = None

    def entries(self) -> Iterator[Entry]:
        """Every entry that can be read."""
        offset = 0
        for line in self._messages.text.text.split("\n"):
            span = Span(offset, offset + len(line))
            offset += len(line) + 1
            stripped = line.strip()
            if not stripped or self._begins_anew(stripped):
                yield from self._finished()
            if stripped.startswith("#") and not stripped.startswith(("#~", "#|")):
                self._comment(stripped)
            elif stripped:
                self._part(stripped, span)
        yield from self._finished()

    def _begins_anew(self, line: str) -> bool:
        """Whether a line belongs to the next entry: one has its translation before it ends."""
        if not any(each.startswith("msgstr") for each in self._parts):
            return False
        rest = line.removeprefix("#~").strip()
        return (line.startswith("#") and not line.startswith("#~")) or rest.startswith(
            ("msgctxt", "msgid", "#|")
        )

    def _comment(self, line: str) -> None:
        if line.startswith("#,"):
            self._fuzzy = self._fuzzy or "fuzzy" in line
        elif line.startswith("#:"):
            self._place = line[2:].strip()
        elif not line.startswith("#."):
            self._notes.append(line[1:].strip())

    def _part(self, line: str, span: Span) -> None:
        read = _LINE.match(line)
        if read is None or not (read[3] or read[4]):
            self._wrong(span, "this is no line of a PO file", "write `msgid`, `msgstr` or a text")
            return
        obsolete, before, keyword, quoted = read.groups()
        words = self._words(quoted, span)
        if words is None:
            return
        parts = self._previous if before else self._parts
        if self._begin < 0:
            self._begin = span.start
        if obsolete and not before:
            self._obsolete = True
        if keyword is None:
            if self._last is None or self._last[0] != bool(before):
                self._wrong(span, "this text belongs to nothing", "write `msgid` before it")
                return
            parts[self._last[1]].append(words)
            return
        if keyword in parts:
            self._wrong(span, f"there is a second `{keyword}`", "separate entries by a blank line")
            return
        parts[keyword] = [words]
        self._last = (bool(before), keyword)

    def _words(self, quoted: str | None, span: Span) -> str | None:
        string = _STRING.match(quoted or "")
        if string is None:
            self._wrong(span, "the text does not end, or is not in quotes", 'write it as `"text"`')
            return None
        unknown = set(re.findall(r"\\(.)", string[1])) - set(_ESCAPES)
        if unknown:
            self._wrong(
                span, f"`\\{min(unknown)}` stands for nothing", "write `\\\\` for a backslash"
            )
            return None
        return re.sub(r"\\(.)", lambda each: _ESCAPES[each[1]], string[1])

    def _wrong(self, span: Span, message: str, help: str) -> None:
        if not self._broken:  # the rest of the entry follows from it
            self._messages.error("RW017", span, message, help)
        self._broken = True

    def _finished(self) -> Iterator[Entry]:
        """The entry that ends here, if it is whole."""
        parts = {name: "".join(words) for name, words in self._parts.items()}
        begin = self._begin
        if begin >= 0 and not self._broken and parts:
            span = self._messages.text.whole_lines(Span(begin, begin))
            span = Span(begin, span.end)
            forms = [parts[name] for name in sorted(parts) if name.startswith("msgstr")]
            if "msgid" not in parts or not forms:
                missing = "msgid" if "msgid" not in parts else "msgstr"
                self._wrong(span, f"the entry has no `{missing}`", f"write its `{missing}`")
            else:
                before = self._previous.get("msgid")
                previous = None if before is None else "".join(before)
                yield Entry(
                    parts.get("msgctxt", ""), parts["msgid"], tuple(forms), span,
                    parts.get("msgid_plural"), self._fuzzy, previous,
                    tuple(self._notes), self._place, self._obsolete,
                )  # fmt: skip
        self._clear()


def write_po(entries: Iterable[Entry]) -> str:
    """Entries as the text of a file."""
    return "\n".join("\n".join(_entry_lines(each)) + "\n" for each in entries)


def header(title: str, language: str, notes: Sequence[str] = ()) -> Entry:
    """What a file begins with."""
    said = (
        f"Project-Id-Version: {title}\nLanguage: {language}\nMIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"
    )
    return Entry("", "", (said,), Span(0, 0), notes=tuple(notes))


def _entry_lines(entry: Entry) -> Iterator[str]:
    yield from (f"# {note}".rstrip() for note in entry.notes)
    if entry.place:
        yield f"#: {in_line(entry.place)}"
    if entry.fuzzy:
        yield "#, fuzzy"
    mark = "#~ " if entry.obsolete else ""
    if entry.previous is not None:
        yield from (f"#{'~' if mark else ''}| {line}" for line in _said("msgid", entry.previous))
    if entry.context:
        yield from (mark + line for line in _said("msgctxt", entry.context))
    yield from (mark + line for line in _said("msgid", entry.text))
    if entry.plural is None:
        yield from (mark + line for line in _said("msgstr", entry.translation))
        return
    yield from (mark + line for line in _said("msgid_plural", entry.plural))
    for at, form in enumerate(entry.forms):
        yield from (mark + line for line in _said(f"msgstr[{at}]", form))


def _said(keyword: str, words: str) -> Iterator[str]:
    """A keyword and its text, over several lines where it is long."""
    shown = "".join(_ESCAPED.get(each, each) for each in words if each not in "\0\r")
    if len(shown) + len(keyword) < WIDTH and "\n" not in words[:-1]:
        yield f'{keyword} "{shown}"'
        return
    yield f'{keyword} ""'
    for paragraph in re.findall(r".*?\\n|.+", shown):
        line = ""
        for word in re.findall(r"\S*\s*", paragraph):
            if line and len(line) + len(word) > WIDTH:
                yield f'"{line}"'
                line = ""
            line += word
        if line:
            yield f'"{line}"'
