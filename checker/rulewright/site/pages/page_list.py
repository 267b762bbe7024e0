"""All pages of a game by their file name, in the order in which one would read them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulewright.site.model.book import Book
from rulewright.site.model.page_cache import PageCache
from rulewright.site.pages.evidence_page import evidence_page
from rulewright.site.pages.examples_page import examples_page
from rulewright.site.pages.play_page import play_page
from rulewright.site.pages.properties_page import properties_page
from rulewright.site.pages.questions_page import holes, holes_page, questions_page
from rulewright.site.pages.rules_page import ABOUT, front_page, rules_page
from rulewright.site.pages.try_page import try_page_links
from rulewright.site.pages.turn_page import turn_page
from rulewright.site.pages.variants_page import glossary_page, variants_page
from rulewright.site.tryout.page import try_file, try_page
from rulewright.site.words.links import example_pages, translated_file
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
        **{
            file: ("Worked examples" + (f", page {number}" if number > 1 else ""), True)
            for number, file in enumerate(example_pages(spec), 1)
            if spec.examples
        },
        "holds.md": ("What always holds", bool(book.claims)),
        "questions.md": ("Open questions", bool(spec.readings)),
        "holes.md": ("Holes found", bool(holes(book))),
        "variants.md": ("Variants", bool(spec.variants)),
        "trace.md": ("Traceability", bool(spec.clauses)),
        "glossary.md": ("Glossary", bool(spec.terms)),
        ABOUT: ("About this spec", about),
    }
    return {file: words for file, (words, there) in wanted.items() if there}


def translated_titles(book: Book, language: str) -> dict[str, str]:
    """The pages that are there in another language, by file, as its readers call them."""
    wording = Wording(language)
    wanted = {"play.md": wording("how_to_play")}
    if book.spec.phases:
        wanted["try.md"] = wording("try_it")
    for number, file in enumerate(example_pages(book.spec) if book.spec.examples else (), 1):
        page = f", {wording('page', page=number)}" if number > 1 else ""
        wanted[file] = wording("worked_examples") + page
    return {translated_file(file, language): words for file, words in wanted.items()}


def kept_pages(book: Book, page_cache: PageCache, about: bool = False) -> dict[str, str]:
    """The text of every page that is made, from a shelf if it is there."""
    what = f"pages {'with' if about else 'without'} {ABOUT}"
    return page_cache.take(book, what, lambda: all_pages(book, about))


def all_pages(book: Book, about: bool = False) -> dict[str, str]:
    """All pages in all languages, with those to try moves on if the game can be played in a
    browser."""
    made: dict[str, str] = {}
    for language in book.languages:
        told = book.in_language(language)
        tried = try_page(told) if book.spec.phases else None
        if language == book.languages[0]:
            made |= pages(told, about, tried is not None)
        else:
            made |= _told(told, tried is not None)
        if tried is not None:
            made[try_file(language)] = tried
    return made


def pages(book: Book, about: bool = False, playable: bool = True) -> dict[str, str]:
    """The text of every page that is read; `playable` says whether moves can be tried."""
    wanted = titles(book, about)
    made: dict[str, Callable[[Book], str]] = {
        "play.md": play_page,
        "try.md": lambda book: try_page_links(book, playable),
        "rules.md": rules_page,
        "turn.md": turn_page,
        **{file: partial(examples_page, file=file) for file in example_pages(book.spec)},
        "holds.md": properties_page,
        "questions.md": questions_page,
        "holes.md": holes_page,
        "variants.md": variants_page,
        "trace.md": evidence_page,
        "glossary.md": glossary_page,
    }
    told = {
        file: f"{words} ({called(language)})"
        for language in book.languages[1:]
        for file, words in translated_titles(book, language).items()
    }
    front = {FRONT: front_page(book, wanted | told)}
    return front | {file: made[file](book) for file in wanted if file in made}


def _told(book: Book, playable: bool) -> dict[str, str]:
    """The pages of a book in another language."""
    language = book.wording.language
    made = {"play.md": play_page(book)}
    if book.spec.phases:
        made["try.md"] = try_page_links(book, playable)
    for file in example_pages(book.spec) if book.spec.examples else ():
        made[file] = examples_page(book, file)
    return {translated_file(file, language): text for file, text in made.items()}
