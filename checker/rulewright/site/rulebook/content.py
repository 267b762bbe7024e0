"""What a rulebook consists of, whoever shows it: sections of paragraphs, tables, pictures, boxes
with worked examples, open questions. Words are plain text; who shows them escapes them."""

from __future__ import annotations

from typing import TypeAlias

from rulewright.site.draw.picture import Picture
from rulewright.syntax.node import Node


class Sentence(Node):
    """A sentence, and the clause that it is, if it is one."""

    words: str
    clause: str | None = None


class Prose(Node):
    """Sentences that are read together, perhaps under a title of their own."""

    title: str | None
    sentences: tuple[Sentence, ...]


class Listing(Node):
    """Short lines, one below the other."""

    lines: tuple[str, ...]


class DataTable(Node):
    """Cells with what they are about; the first row, the first column or both are headings."""

    caption: str
    rows: tuple[tuple[str, ...], ...]
    row_heads: bool
    column_heads: bool


class Pictures(Node):
    """Pictures beside each other."""

    pictures: tuple[Picture, ...]


class ExampleBox(Node):
    """A worked example: what it tells, and what it looks like."""

    name: str
    title: str
    sentences: tuple[Sentence, ...]
    pictures: tuple[Picture, ...]


class Answer(Node):
    words: str
    usual: bool


class Question(Node):
    """Something to settle before play begins."""

    name: str
    asked: str
    answers: tuple[Answer, ...]


Block: TypeAlias = Prose | Listing | DataTable | Pictures | ExampleBox | Question


class BookSection(Node):
    """A part of the rulebook with a heading."""

    name: str
    heading: str
    blocks: tuple[Block, ...]


class Rulebook(Node):
    """A whole rulebook, the one page to have at hand in play, and the sheets to play with."""

    title: str
    summary: str
    sections: tuple[BookSection, ...]
    reference: tuple[BookSection, ...]
    sheets: tuple[Picture, ...]
