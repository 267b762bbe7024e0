"""Lines, comments and blank lines put together into the text of a file.

A comment stays before the line it stood before, or at the end of the line it ended; one inside a
line that is written anew goes in front of it. Of the author's blank lines one is kept where there
were some; declarations that differ in kind or take several lines are set apart by one.
"""

from __future__ import annotations

from rulewright.syntax.printing.alignment import GAP, headings
from rulewright.syntax.printing.pretty import INDENT, WIDTH, Doc, concat, render, width_of
from rulewright.syntax.printing.trivia import Comment, Manuscript


class Line:
    """One line of code, which may break when it is rendered.

    `heading` are the cells of a line that is set in columns with its neighbours of the same
    `kind`; `opens` marks the first line of a declaration.
    """

    __slots__ = ("doc", "gap", "heading", "kind", "level", "opens", "start")

    def __init__(
        self,
        level: int,
        start: int,
        doc: Doc,
        kind: str = "",
        heading: tuple[str, ...] = (),
        gap: str = GAP,
    ) -> None:
        self.level = level
        self.start = start
        self.doc = doc
        self.kind = kind
        self.heading = heading
        self.gap = gap
        self.opens = False


class Item:
    """A comment or a rendered line on its way out, and whether a blank line stands above it."""

    __slots__ = ("blank", "level", "text")

    def __init__(self, level: int, text: str, blank: bool) -> None:
        self.level = level
        self.text = text
        self.blank = blank


def weave(lines: list[Line], manuscript: Manuscript, width: int = WIDTH) -> str:
    """The text of a file made of these lines and the comments of its manuscript."""
    return _Weaver(lines, manuscript, width).text()


class _Weaver:
    def __init__(self, lines: list[Line], manuscript: Manuscript, width: int) -> None:
        self.lines = lines
        self.manuscript = manuscript
        self.blank = [manuscript.after_blank_line(line.start) for line in lines]
        self.columns: list[int] = []
        """Where the lines of each block that is open began in the manuscript, outermost first."""
        first = lines[0].start if lines else len(manuscript.text)
        self.above = [manuscript.comments[: manuscript.first_comment(first)]]
        self.inside: list[list[Comment]] = []
        self.beside: list[str] = []
        for index in range(len(lines)):
            self._sort_comments(index)
        self.rendered = self._render(width)

    def _sort_comments(self, index: int) -> None:
        """The comments from a line up to the next: inside it, beside its end, above the next."""
        here = self.manuscript
        start, last = self.lines[index].start, index + 1 == len(self.lines)
        end = len(here.text) if last else self.lines[index + 1].start
        found = here.comments[here.first_comment(start) : here.first_comment(end)]
        code_end = here.code_before(end) if found else 0
        inside = [comment for comment in found if comment.start < code_end]
        below = found[len(inside) :]
        beside = ""
        if below and "\n" not in here.text[code_end : below[0].start]:
            beside = GAP + below.pop(0).text
        self.inside.append(inside)
        self.beside.append(beside)
        self.above.append(below)

    def text(self) -> str:
        """Everything in order."""
        apart = self._set_apart()
        out: list[Item] = []
        for index, line in enumerate(self.lines):
            items = self._alone(index)
            items += (Item(line.level, comment.text, False) for comment in self.inside[index])
            items.append(Item(line.level, self.rendered[index] + self.beside[index], False))
            items[-1 - len(self.inside[index])].blank = self.blank[index]
            if apart[index]:
                outer = [item for item in items if item.level == 0]
                outer[0].blank |= not any(item.blank for item in outer)
            out += items
            self._open(line)
        return _written(out + self._alone(len(self.lines)))

    def _alone(self, index: int) -> list[Item]:
        """The comments on lines of their own above a line, or at the end of the file."""
        return [
            Item(self._level(comment, index), comment.text, self._after_blank_line(comment))
            for comment in self.above[index]
        ]

    def _after_blank_line(self, comment: Comment) -> bool:
        return self.manuscript.after_blank_line(comment.start)

    def _level(self, comment: Comment, index: int) -> int:
        """The block a comment belongs to: that of the line below it, or one which ends there if
        the comment is indented like its lines."""
        following = self.lines[index] if index < len(self.lines) else None
        level = following.level if following else 0
        column = self.manuscript.column(comment.start)
        outer = self.manuscript.column(following.start) if following else 0
        if column <= outer or level + 1 >= len(self.columns):
            return level
        inner = range(level + 1, len(self.columns))
        return max((each for each in inner if self.columns[each] <= column), default=level + 1)

    def _open(self, line: Line) -> None:
        """Notes where the lines of this block begin."""
        column = self.manuscript.column(line.start)
        del self.columns[line.level + 1 :]
        if line.level < len(self.columns):
            column = min(column, self.columns.pop())
        self.columns.append(column)

    def _render(self, width: int) -> list[str]:
        """The text of each line; runs of neighbours with headings are set in columns."""
        texts: list[str] = []
        while len(texts) < len(self.lines):
            run = self.lines[len(texts) : self._run_end(len(texts))]
            indent = INDENT * run[0].level
            beginnings = [""]
            if run[0].heading:
                cells = [line.heading for line in run]
                rests = [width_of(line.doc) for line in run]
                beginnings = headings(cells, rests, width - indent, run[0].gap)
            for beginning, line in zip(beginnings, run):
                text = render(concat(beginning, line.doc), indent, width)
                texts.append("\n".join(map(str.rstrip, text.split("\n"))))
        return texts

    def _run_end(self, start: int) -> int:
        """Where the run of lines that are set in columns together ends; a blank line ends it."""
        first, end = self.lines[start], start + 1
        while first.heading and end < len(self.lines):
            line = self.lines[end]
            alike = line.heading and line.kind == first.kind and line.level == first.level
            if not alike or self.blank[end] or any(map(self._after_blank_line, self.above[end])):
                break
            end += 1
        return end

    def _set_apart(self) -> list[bool]:
        """Whether a line begins a declaration that a blank line must set apart from the last."""
        openings = [index for index, line in enumerate(self.lines) if line.opens]
        apart = [False] * len(self.lines)
        before = ""
        for index, following in zip(openings, [*openings[1:], len(self.lines)]):
            line = self.lines[index]
            long = following - index > 1 or ("\n" in self.rendered[index] and not line.heading)
            apart[index] = index > 0 and (long or line.kind != before)
            before = "" if long else line.kind
        return apart


def _written(items: list[Item]) -> str:
    """The items on their lines, without blank lines at the beginning of the file or a block."""
    out: list[str] = []
    before = 0
    for item in items:
        if item.blank and out and item.level <= before:
            out.append("")
        out.append(" " * (INDENT * item.level) + item.text)
        before = item.level
    out.append("")
    return "\n".join(out)
