"""All pages of a game by their file name, in the order in which one would read them."""

from __future__ import annotations

from collections.abc import Callable

from checker.site.book import Book
from checker.site.evidence_page import (
    glossary_page,
    holds_page,
    holes,
    holes_page,
    questions_page,
    trace_page,
    variants_page,
)
from checker.site.examples_page import examples_page
from checker.site.rules_page import front_page, rules_page, turn_page

FRONT = "index.md"


def titles(book: Book) -> dict[str, str]:
    """The pages that this game has, by file: those with nothing to say are left out."""
    spec = book.spec
    wanted = {
        "rules.md": ("The rules", bool(spec.clauses)),
        "turn.md": ("Setup and turn", True),
        "examples.md": ("Worked examples", bool(spec.examples)),
        "holds.md": ("What always holds", bool(book.claims)),
        "questions.md": ("Open questions", bool(spec.readings)),
        "holes.md": ("Holes found", bool(holes(book))),
        "variants.md": ("Variants", bool(spec.variants)),
        "trace.md": ("Traceability", bool(spec.clauses)),
        "glossary.md": ("Glossary", bool(spec.terms)),
    }
    return {file: words for file, (words, there) in wanted.items() if there}


def pages(book: Book) -> dict[str, str]:
    """The text of every page."""
    made: dict[str, Callable[[Book], str]] = {
        "rules.md": rules_page,
        "turn.md": turn_page,
        "examples.md": examples_page,
        "holds.md": holds_page,
        "questions.md": questions_page,
        "holes.md": holes_page,
        "variants.md": variants_page,
        "trace.md": trace_page,
        "glossary.md": glossary_page,
    }
    wanted = titles(book)
    return {FRONT: front_page(book, wanted)} | {file: made[file](book) for file in wanted}
