"""A rulebook as plain data for the typesetter. Words travel as strings of JSON, which a template
shows and never reads as its own language; pictures travel as SVG text."""

from __future__ import annotations

from typing import Any, assert_never

from rulewright.hidden_characters import in_line
from rulewright.site.draw.picture import Picture
from rulewright.site.rulebook.content import (
    Block,
    BookSection,
    DataTable,
    ExampleBox,
    Listing,
    Pictures,
    Prose,
    Question,
    Rulebook,
    Sentence,
)
from rulewright.translate.wording import Wording

FONT = "Libertinus Serif"
"""It comes with the typesetter, so that a rulebook looks the same everywhere."""


def as_data(book: Rulebook, wording: Wording) -> dict[str, Any]:
    """All that is printed, with the fixed words that the templates need."""
    return {
        "title": in_line(book.title),
        "summary": in_line(book.summary),
        "sections": [_section(each) for each in book.sections],
        "reference": [_section(each) for each in book.reference],
        "strips": [
            _block(each)
            for section in book.sections
            for each in section.blocks
            if isinstance(each, DataTable) and each.column_heads and not each.row_heads
        ],
        "sheets": [_picture(each) for each in book.sheets],
        "words": {
            "play": wording("play", title=in_line(book.title)),
            "reference": wording("reference", title=in_line(book.title)),
            **{each: wording(each) for each in
               ("example", "usual", "contents", "round", "total", "points")},
        },
    }  # fmt: skip


def _section(section: BookSection) -> dict[str, Any]:
    return {
        "heading": _capital(section.heading),
        "blocks": [_block(each) for each in section.blocks],
    }


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Prose(title, sentences):
            return {"kind": "prose", "title": in_line(title or ""), "said": _said(sentences)}
        case Listing(lines):
            return {"kind": "listing", "lines": [in_line(each) for each in lines]}
        case DataTable():
            return {
                "kind": "table", "caption": _capital(block.caption),
                "rows": [[in_line(each) for each in row] for row in block.rows],
                "row_heads": block.row_heads, "column_heads": block.column_heads,
            }  # fmt: skip
        case Pictures(pictures):
            return {
                "kind": "pictures", "pictures": [_picture(each) for each in pictures],
                "sheets": all(each.is_sheet for each in pictures),
            }  # fmt: skip
        case ExampleBox():
            return {
                "kind": "example", "title": _capital(block.title),
                "said": _said(block.sentences),
                "pictures": [_picture(each) for each in block.pictures],
            }  # fmt: skip
        case Question(_, asked, answers):
            shown = [{"words": in_line(each.words), "usual": each.usual} for each in answers]
            return {"kind": "question", "asked": in_line(asked), "answers": shown}
        case _:
            assert_never(block)


def _said(sentences: tuple[Sentence, ...]) -> str:
    return " ".join(in_line(each.words) for each in sentences)


def _picture(picture: Picture) -> dict[str, Any]:
    svg = picture.svg.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" '
                              f'font-family="{FONT}" color="#1a1a1a" ', 1)  # fmt: skip
    return {"caption": _capital(picture.caption), "svg": svg, "key": in_line(picture.key)}


def _capital(words: str) -> str:
    shown = in_line(words).removesuffix(".")
    return shown[:1].upper() + shown[1:]
