"""All pages of a game by their file name, in the order in which one would read them."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.site.model.book import Book
from rulewright.site.model.page_cache import PageCache
from rulewright.site.pages.evidence_page import evidence_page
from rulewright.site.pages.examples_page import examples_page
from rulewright.site.pages.play_page import file_of, play_page
from rulewright.site.pages.properties_page import properties_page
from rulewright.site.pages.questions_page import holes, holes_page, questions_page
from rulewright.site.pages.rules_page import ABOUT, front_page, rules_page
from rulewright.site.pages.try_page import try_page_links
from rulewright.site.pages.turn_page import turn_page
from rulewright.site.pages.variants_page import glossary_page, variants_page
from rulewright.site.tryout.page import TRY_PAGE, try_page
from rulewright.translate.wording import Wording, called

FRONT = "index.md"


def titles(book: Book, about: bool = False) -> dict[str, str]:
    """The pages that this game has, by file: those with nothing to say are left out; `about` says
    whether there is one that is written by hand."""
    spec = book.spec
    wanted = {
        "play.md": ("How to play", True),
        "try.md": ("Try it", bool(spec.phases)),
        "rules.md": ("The rules", bool(spec.clauses)),
        "turn.md": ("Setup and turn", True),
        "examples.md": ("Worked examples", bool(spec.examples)),
        "holds.md": ("What always holds", bool(book.claims)),
        "questions.md": ("Open questions", bool(spec.readings)),
        "holes.md": ("Holes found", bool(holes(book))),
        "variants.md": ("Variants", bool(spec.variants)),
        "trace.md": ("Traceability", bool(spec.clauses)),
        "glossary.md": ("Glossary", bool(spec.terms)),
        ABOUT: ("About this spec", about),
    }
    shown = {file: words for file, (words, there) in wanted.items() if there}
    told = {
        file_of(each): f"{Wording(each)('how_to_play')} ({called(each)})"
        for each in book.languages[1:]
    }
    return {"play.md": shown.pop("play.md")} | told | shown


def kept_pages(book: Book, page_cache: PageCache, about: bool = False) -> dict[str, str]:
    """The text of every page that is made, from a shelf if it is there."""
    what = f"pages {'with' if about else 'without'} {ABOUT}"
    return page_cache.take(book, what, lambda: all_pages(book, about))


def all_pages(book: Book, about: bool = False) -> dict[str, str]:
    """All pages, with the one to try moves on if the game can be played in a browser."""
    tried = try_page(book) if book.spec.phases else None
    made = pages(book, about, tried is not None)
    return made if tried is None else {**made, TRY_PAGE: tried}


def pages(book: Book, about: bool = False, playable: bool = True) -> dict[str, str]:
    """The text of every page that is read; `playable` says whether moves can be tried."""
    wanted = titles(book, about)
    made: dict[str, Callable[[Book], str]] = {
        "play.md": play_page,
        "try.md": lambda book: try_page_links(book, playable),
        "rules.md": rules_page,
        "turn.md": turn_page,
        "examples.md": examples_page,
        "holds.md": properties_page,
        "questions.md": questions_page,
        "holes.md": holes_page,
        "variants.md": variants_page,
        "trace.md": evidence_page,
        "glossary.md": glossary_page,
    }
    translated = {file_of(each): each for each in book.languages[1:]}
    return {FRONT: front_page(book, wanted)} | {
        file: play_page(book.in_language(translated[file]))
        if file in translated
        else made[file](book)
        for file in wanted
        if file in translated or file in made
    }
