"""What is new in an edition as HTML: a page of its own for those who play, which loads nothing, or
a part of the report for editors."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import assert_never

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
    Sentence,
)
from rulewright.site.words.markdown import in_html
from rulewright.translate.wording import Wording

STYLE = """
:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; color: #1c1c1c; background: #fff;
  max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h2 { margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .3rem 0 1rem; }
td, th { border: 1px solid #8888; padding: .15rem .45rem; text-align: left; font-weight: 400; }
th { font-weight: 700; }
.rw-scroll { overflow-x: auto; }
.rw-example { border: 1px solid #8888; border-left-width: 4px; border-radius: .3rem;
  padding: .1rem .8rem .5rem; margin: 1em 0; }
.rw-scene { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: flex-start; }
.rw-part { max-width: 100%; } .rw-part p { margin: 0; }
.rw-name, .rw-key { font-size: .8rem; } .rw-name { font-weight: 700; }
.rw-picture { display: block; max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #16181a; } }
@media print { .rw-example { break-inside: avoid; } }
"""
POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    f"{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
)
"""A browser loads nothing and runs nothing for this page, and takes no style but this."""
_LEAST = re.compile(r' style="min-width:\d+px"')


def edition_page(title: str, sections: Sequence[BookSection], wording: Wording) -> str:
    """The page for readers."""
    name = in_html(wording("edition_title", title=title))
    return "\n".join([
        "<!doctype html>", f'<html lang="{wording.language}">', "<head>", '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}</title>", f"<style>{STYLE}</style>", "</head>", "<body>", "<main>",
        f"<h1>{name}</h1>", *_sections(sections, 2, wording), "</main>", "</body>", "</html>", "",
    ])  # fmt: skip


def edition_part(sections: Sequence[BookSection], wording: Wording) -> str:
    """The same within another page, whose language is English."""
    heading = in_html(wording("edition_section"))
    lines = [f'<section class="edition" lang="{wording.language}">', f"<h2>{heading}</h2>",
             *_sections(sections, 3, wording), "</section>"]  # fmt: skip
    return "\n".join(lines)


def _sections(sections: Sequence[BookSection], level: int, wording: Wording) -> Iterator[str]:
    for section in sections:
        yield f"<h{level}>{in_html(section.heading)}</h{level}>"
        for block in section.blocks:
            yield from _block(block, wording)


def _block(block: Block, wording: Wording) -> Iterator[str]:
    match block:
        case Prose(title, sentences):
            end = "" if title is None or title[-1:] in ".?!:" else ":"
            head = "" if title is None else f"<strong>{in_html(title)}{end}</strong> "
            yield f"<p>{head}{_said(sentences)}</p>"
        case Listing(lines):
            items = "".join(f"<li>{in_html(each)}</li>" for each in lines)
            yield f"<ul>{items}</ul>"
        case DataTable():
            yield _table(block)
        case Pictures(pictures):
            yield _scene(pictures)
        case ExampleBox(_, title, sentences, pictures):
            yield '<div class="rw-example">'
            yield f"<p><strong>{in_html(wording('example'))}: {in_html(title)}.</strong></p>"
            yield from (f"<p>{in_html(each.words)}</p>" for each in sentences)
            yield _scene(pictures)
            yield "</div>"
        case Question(_, asked, answers):
            yield f"<p><strong>{in_html(asked)}</strong></p>"
            items = "".join(f"<li>{in_html(each.words)}</li>" for each in answers)
            yield f"<ul>{items}</ul>"
        case _:
            assert_never(block)


def _said(sentences: Sequence[Sentence]) -> str:
    return "<br>".join(in_html(each.words) for each in sentences)


def _table(data: DataTable) -> str:
    """A table in a frame that scrolls where it is wider than the page."""
    rows = []
    for at, row in enumerate(data.rows):
        cells = [
            f"<{tag}>{in_html(cell)}</{tag}>"
            for place, cell in enumerate(row)
            for tag in ["th" if (data.column_heads and not at) or (data.row_heads and not place)
                        else "td"]
        ]  # fmt: skip
        rows.append(f"<tr>{''.join(cells)}</tr>")
    caption = data.caption[:1].upper() + data.caption[1:]
    return (
        f"<p><em>{in_html(caption)}:</em></p>"
        f'<div class="rw-scroll" tabindex="0" role="region" aria-label="{in_html(caption)}">'
        f"<table>{''.join(rows)}</table></div>"
    )


def _scene(pictures: Sequence[Picture]) -> str:
    drawn = "".join(_LEAST.sub("", each.html()) for each in pictures)
    return f'<div class="rw-scene">{drawn}</div>' if drawn else ""
