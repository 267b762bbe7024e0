"""The play page: the rulebook of a game as one page to play from. A quiet sign after each sentence
leads to its evidence among the other pages; nothing else here speaks of evidence."""

from __future__ import annotations

from typing import assert_never

from rulewright.site.draw.picture import Picture
from rulewright.site.model.book import Book
from rulewright.site.pages.languages import in_their_language
from rulewright.site.rulebook.compose import rulebook
from rulewright.site.rulebook.content import (
    Block,
    DataTable,
    ExampleBox,
    Listing,
    Pictures,
    Prose,
    Question,
    Sentence,
)
from rulewright.site.words.links import example_file, translated_file
from rulewright.site.words.markdown import anchor, heading, link, plain, table
from rulewright.translate.wording import Wording

PLAY = "play.md"
SIGN = "°"


def play_page(book: Book) -> str:
    """The whole rulebook, in the language of the book."""
    wording = book.wording
    made = rulebook(book, wording)
    lines = [plain(made.summary), ""]
    if len(book.spec.examples):
        lines += [_beside(book, wording), ""]
    for number, section in enumerate(made.sections, 1):
        here = anchor(f"play-{section.name}")
        lines += [f"## {here}{number}&nbsp; {heading(section.heading, section.name)}", ""]
        for block in section.blocks:
            lines += _block(block, book)
    title = wording("play", title=plain(made.title))
    return in_their_language(title, lines, PLAY, book.languages, wording)


def _beside(book: Book, wording: Wording) -> str:
    """Where else to look: the examples step by step, and the game to try."""
    language = wording.language
    found = [link(wording("worked_examples"), translated_file("examples.md", language))]
    if book.spec.phases:
        found.append(link(wording("try_it"), translated_file("try.md", language)))
    return " · ".join(found)


def _block(block: Block, book: Book) -> list[str]:
    wording = book.wording
    match block:
        case Prose(title, sentences):
            said = " ".join(_sentence(each, wording) for each in sentences)
            if title is None:
                return [said, ""]
            if not sentences:
                return [f"### {heading(title, title)}", ""]
            end = "" if title[-1:] in ".?!:" else "."
            return [f"**{plain(title)}{end}** {said}", ""]
        case Listing(lines):
            return [*(f"- {plain(each)}" for each in lines), ""]
        case DataTable():
            return _table(block)
        case Pictures(pictures):
            return [_scene(pictures), ""]
        case ExampleBox():
            return _example(block, book)
        case Question(name, asked, answers):
            shown = [
                f"- {plain(each.words)}" + (f" *({wording('usual')})*" if each.usual else "")
                for each in answers
            ]
            more = link(SIGN, "questions.md", f"reading-{name}")
            return [f"**{plain(asked)}** {_quiet(more, wording)}", "", *shown, ""]
        case _:
            assert_never(block)


def _sentence(said: Sentence, wording: Wording) -> str:
    if said.clause is None:
        return plain(said.words)
    return f"{plain(said.words)}{_quiet(link(SIGN, 'rules.md', f'clause-{said.clause}'), wording)}"


def _quiet(sign: str, wording: Wording) -> str:
    return f'&#8288;<span class="rw-sign" title="{plain(wording("evidence"))}">{sign}</span>'


def _table(data: DataTable) -> list[str]:
    """A table with its caption; a first column of headings is bold."""
    rows = [[plain(each) for each in row] for row in data.rows]
    if data.row_heads:
        rows = [[f"**{row[0]}**" if row[0] else "", *row[1:]] for row in rows]
    head, body = (rows[0], rows[1:]) if data.column_heads else ([""] * len(rows[0]), rows)
    shown = [f"*{heading(data.caption, data.caption)}:*", *table(head, body)]
    if data.column_heads and not data.row_heads:
        return ['<div class="rw-strip" markdown="1">', "", *shown, "</div>", ""]
    return shown


def _example(box: ExampleBox, book: Book) -> list[str]:
    """A box; its words are read as Markdown where that is asked for."""
    wording = book.wording
    file = translated_file(example_file(book.spec, box.name), wording.language)
    said = " ".join(_sentence(each, wording) for each in box.sentences)
    where = _quiet(link(SIGN, file, f"example-{box.name}"), wording)
    lines = ['<div class="rw-example" markdown="1">', ""]
    lines += [f"**{wording('example')}: {heading(box.title, box.name)}**{where}", ""]
    lines += [said, ""] if said else []
    lines += [_scene(box.pictures), ""] if box.pictures else []
    return [*lines, "</div>", ""]


def _scene(pictures: tuple[Picture, ...]) -> str:
    return f'<div class="rw-scene">{"".join(each.html() for each in pictures)}</div>'
