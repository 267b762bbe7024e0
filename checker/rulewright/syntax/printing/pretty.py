"""Text that knows where it may be broken, and the search for the breaks that keep it in width.

A `Doc` is a string or a small tree of strings, possible line breaks and indentation. A group
stays on one line if it fits there; otherwise all its own breaks become line ends, and the groups
inside it are tried in turn. Every document is visited once, so the work grows with its length.
Knows nothing of the language: `print_expr` and `formatter` say what may be broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

INDENT = 4
WIDTH = 100
UNBROKEN = 24
"""Plain text in brackets up to this length is never broken."""


class Break:
    """A place where a line may end; `flat` is what stands there if it does not."""

    __slots__ = ("flat", "width")

    def __init__(self, flat: str) -> None:
        self.flat = flat
        self.width = len(flat)


class Packed(Break):
    """A space that becomes a line end on its own, when the next `need` columns do not fit."""

    __slots__ = ("need",)

    def __init__(self, need: int) -> None:
        super().__init__(" ")
        self.need = need


class Concat:
    """Its parts, one after another."""

    __slots__ = ("parts", "width")

    def __init__(self, parts: Sequence[Doc]) -> None:
        self.parts = parts
        self.width = sum(map(width_of, parts))


class Group:
    """On one line if that fits; else broken at every break that is not in a group of its own."""

    __slots__ = ("content", "width")

    def __init__(self, content: Doc) -> None:
        self.content = content
        self.width = width_of(content)


class Nest:
    """Lines that begin inside it are indented deeper."""

    __slots__ = ("content", "indent", "width")

    def __init__(self, content: Doc, indent: int = INDENT) -> None:
        self.content = content
        self.indent = indent
        self.width = width_of(content)


class Hang:
    """What follows a head: after a space, or on the next line and deeper if it does not fit or
    the head is broken itself. With `hug`, what would fit nowhere is broken right here instead,
    where its bracket opens."""

    __slots__ = ("content", "hug", "width")

    def __init__(self, content: Doc, hug: bool) -> None:
        self.content = content
        self.hug = hug
        self.width = 1 + width_of(content)


Doc: TypeAlias = str | Break | Concat | Group | Nest | Hang

SPACE = Break(" ")
SOFT = Break("")


def width_of(doc: Doc) -> int:
    """How many columns a document takes on one line."""
    return len(doc) if isinstance(doc, str) else doc.width


def concat(*parts: Doc) -> Doc:
    """The parts one after another; plain text stays plain text."""
    return joined(parts)


def joined(parts: Sequence[Doc]) -> Doc:
    """As `concat`, for parts in a sequence."""
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)  # type: ignore[arg-type]
    return Concat(parts)


def spaced(parts: Iterable[Doc]) -> Doc:
    """The parts that are not empty, with a space between them."""
    pieces: list[Doc] = []
    for part in parts:
        if part != "":
            pieces += (" ", part) if pieces else (part,)
    return joined(pieces)


def separated(items: Sequence[Doc], pack: bool | None = None) -> Doc:
    """Items with commas between them. When it gets too long they fill their lines, or each has
    one of its own; unless it is said which, those that are all plain text fill them."""
    if len(items) == 1:
        return items[0]
    if pack is None:
        pack = all(isinstance(item, str) for item in items)
    parts: list[Doc] = []
    for position, item in enumerate(items):
        if position:
            parts += (",", Packed(width_of(item) + 1) if pack else SPACE)
        parts.append(item)
    return Concat(parts)


def bracketed(opening: str, items: Sequence[Doc], closing: str) -> Doc:
    """Items in brackets, indented on lines of their own where they do not fit."""
    if all(isinstance(item, str) for item in items):
        plain = f"{opening}{', '.join(items)}{closing}"  # type: ignore[arg-type]
        if len(plain) <= UNBROKEN:
            return plain
    return enclosed(opening, separated(items), closing)


def enclosed(opening: str, content: Doc, closing: str) -> Doc:
    """Content in brackets, begun on a line of its own where it does not fit. It is closed on its
    last line, because a bracket in the first column would begin a declaration."""
    return Group(Concat((opening, Nest(Concat((SOFT, content))), closing)))


def hanging(content: Doc) -> Doc:
    """Content after a space, or indented on the next line where it does not fit."""
    return Group(Nest(Concat((SPACE, content))))


def flat(doc: Doc) -> str:
    """The document on one line."""
    if isinstance(doc, str):
        return doc
    out: list[str] = []
    stack: list[Doc] = [doc]
    while stack:
        match stack.pop():
            case str() as text:
                out.append(text)
            case Break(flat=text):
                out.append(text)
            case Concat(parts=parts):
                stack.extend(reversed(parts))
            case Group(content=content) | Nest(content=content):
                stack.append(content)
            case Hang(content=content):
                out.append(" ")
                stack.append(content)
    return "".join(out)


def render(doc: Doc, indent: int, width: int = WIDTH) -> str:
    """The document as text whose first line stands at `indent`, without that indentation."""
    if indent + width_of(doc) <= width:
        return flat(doc)
    return _Renderer(indent, width).text(doc)


class _Renderer:
    """Writes a document that does not fit on one line."""

    def __init__(self, indent: int, width: int) -> None:
        self.width = width
        self.column = self.indent = indent
        self.broken = False
        self.out: list[str] = []
        self.stack: list[tuple[int, Doc]] = []
        """What is still to come, last first, each with the indentation of lines begun in it."""

    def text(self, doc: Doc) -> str:
        stack = self.stack
        stack.append((self.indent, doc))
        while stack:
            level, here = stack.pop()
            match here:
                case str():
                    self._write(here)
                case Packed(need=need) if self.column + 1 + need <= self.width:
                    self._write(" ")
                case Break():
                    self._end_line(level)
                case Concat(parts=parts):
                    stack.extend((level, part) for part in reversed(parts))
                case Nest(content=content, indent=deeper):
                    stack.append((level + deeper, content))
                case Group(content=content):
                    if self._fits(here, self.column):
                        self._write(flat(content))
                    else:
                        stack.append((level, content))
                case Hang():
                    self._hang(here, level)
        return "".join(self.out)

    def _write(self, text: str) -> None:
        self.out.append(text)
        self.column += len(text)

    def _end_line(self, level: int) -> None:
        self.out.append("\n" + " " * level)
        self.column = level
        self.broken = True

    def _hang(self, here: Hang, level: int) -> None:
        """Decides where what hangs on a head goes, and writes what stands before it."""
        content, below = Group(here.content), level + INDENT
        fits_here = not self.broken and self._fits(content, self.column + 1)
        if fits_here or (here.hug and not self.broken and not self._fits(content, below)):
            self._write(" ")
            self.stack.append((level, content))
        else:
            self._end_line(below)
            self.stack.append((below, content))

    def _fits(self, doc: Doc, column: int) -> bool:
        """Whether a document, and what follows up to where a line may end next, fits on a line
        from this column on."""
        room = self.width - column - width_of(doc)
        for _, following in reversed(self.stack):
            if room < 0:
                break
            ahead = [following]
            while ahead and room >= 0:
                match ahead.pop():
                    case str() as text:
                        room -= len(text)
                    case Break() | Hang():
                        return True
                    case Group(content=content) | Nest(content=content):
                        ahead.append(content)
                    case Concat(parts=parts):
                        ahead.extend(reversed(parts))
        return room >= 0
