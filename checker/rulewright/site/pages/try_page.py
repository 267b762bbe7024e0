"""The page that leads to the sheet or board to try moves on: to its beginning, to every example,
hole and open question; and how to have it on a site of one's own."""

from __future__ import annotations

from urllib.parse import quote

from rulewright.site.model.book import Book
from rulewright.site.pages.languages import in_their_language
from rulewright.site.tryout.page import try_file, try_starts
from rulewright.site.tryout.starts import Start
from rulewright.site.words.links import example_file, translated_file
from rulewright.site.words.markdown import code, heading, link, plain
from rulewright.translate.wording import SOURCE

KINDS = {
    "example": ("", "example"),
    "hole": ("holes.md", "hole"),
    "parting": ("questions.md", "reading"),
}
"""Where each kind of start is explained; examples are on several pages."""
TRY = "try.md"


def try_page_links(book: Book, playable: bool) -> str:
    """Links to the try page, with each of its starts; whether there is one is known."""
    say, language = book.wording, book.wording.language
    title = say("try_title", title=plain(book.spec.title))
    turn = link(say("setup_and_turn"), "turn.md")
    if language != SOURCE:
        turn = link(say("how_to_play"), translated_file("play.md", language))
    how = say("try_how", page=turn)
    if not playable:
        return in_their_language(title, [say("try_not"), how], TRY, book.languages, say)
    begin = link(f"▶ {say('try_begin')}", try_file(language))
    lines = [f"{plain(say('try_intro'))} {how}", "", f"**{begin}**", ""]
    found = try_starts(book)
    for kind in KINDS:
        mine = [each for each in found if each.kind == kind]
        if mine:
            lines += [f"## {say(f'try_{kind}')}", ""]
            lines += [*(f"- {to_start(book, each)}" for each in mine), ""]
    frame = (f'<iframe src="{try_file(language)}" title="{plain(title)}" width="100%" '
             'height="900"></iframe>')  # fmt: skip
    lines += [f"## {say('try_own_site')}", "", say("try_one_tag"), "", code(frame), "",
              say("try_link")]  # fmt: skip
    return in_their_language(title, lines, TRY, book.languages, say)


def to_start(book: Book, start: Start) -> str:
    """A link to one start by what it is about, and to where that is explained."""
    language = book.wording.language
    said = heading(start.title, start.name)
    if start.kind == "parting":
        said += f" &ndash; {plain(start.note)}"
    file, prefix = KINDS[start.kind]
    name = start.name.split()[0]
    if start.kind == "example":
        file = translated_file(example_file(book.spec, name), language)
    more = link(book.wording("try_explained"), file, f"{prefix}-{name}")
    return f"{link(said, f'{try_file(language)}#{quote(start.address)}')} ({more})"
