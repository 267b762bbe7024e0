"""The page that leads to the sheet or board to try moves on: to its beginning, to every example,
hole and open question; and how to have it on a site of one's own."""

from __future__ import annotations

from urllib.parse import quote

from rulewright.site.model.book import Book
from rulewright.site.tryout.page import TRY_PAGE, try_starts
from rulewright.site.tryout.starts import Start
from rulewright.site.words.markdown import code, heading, link, page, plain

INTRODUCTION = (
    "The game to press on, in this browser: throw the dice, make moves for every seat, take them "
    "back. What is allowed is offered; what is not is refused with the sentence of the rulebook. "
    "The rules are the ones that were checked, compiled to WebAssembly."
)
KINDS = {
    "example": ("From a worked example", "examples.md", "example"),
    "hole": ("From a hole in the rules", "holes.md", "hole"),
    "parting": ("Where the answers to an open question part", "questions.md", "reading"),
}
"""The heading of each kind of start, and where it is explained."""


def try_page_links(book: Book, playable: bool) -> str:
    """Links to the try page, with each of its starts; whether there is one is known."""
    lines = [f"# Try {plain(book.spec.title)}", ""]
    how = f"{link('Setup and turn', 'turn.md')} says how it goes."
    if not playable:
        lines += ["This game cannot be played in a browser: its rules need more than the player "
                  f"there has. {how}"]  # fmt: skip
        return page(lines)
    lines += [f"{INTRODUCTION} {how}", ""]
    lines += [f"**{link('▶ Play from the beginning', TRY_PAGE)}**", ""]
    found = try_starts(book)
    for kind, (title, *_) in KINDS.items():
        mine = [each for each in found if each.kind == kind]
        if mine:
            lines += [f"## {title}", "", *(f"- {to_start(each)}" for each in mine), ""]
    frame = f'<iframe src="{TRY_PAGE}" title="A game to try" width="100%" height="900"></iframe>'
    lines += ["## On your own site", "", "The page is one file that loads nothing. It works "
              "without a network, and in a page of your own with one tag:", "", code(frame), "",
              "A link that is copied on it carries the position."]  # fmt: skip
    return page(lines)


def to_start(start: Start) -> str:
    """A link to one start by what it is about, and to where that is explained."""
    said = heading(start.title, start.name)
    if start.kind == "parting":
        said += f" &ndash; {plain(start.note)}"
    _, file, prefix = KINDS[start.kind]
    more = link("explained", file, f"{prefix}-{start.name.split()[0]}")
    return f"{link(said, f'{TRY_PAGE}#{quote(start.address)}')} ({more})"
