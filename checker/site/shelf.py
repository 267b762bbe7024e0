"""Keeps what was made of a book, so that it is made once: its pages, and what directives put in.

What is kept is used only for a book that is the same in all that pages are made from: the text of
the spec, what was answered about it, and the program, whole and with its grammar. Each thing has
one place for each spec; what is made of a newer version takes the place of the older one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from checker.prove.cache import Cache
from checker.prove.edition import edition
from checker.resources import cache_directory
from checker.site.book import Book

Made = TypeVar("Made", str, dict[str, str])


class Shelf:
    """What was made of books, in a folder; None keeps nothing."""

    def __init__(self, folder: Path | None = None) -> None:
        self._cache = Cache(folder)

    def take(self, book: Book, what: str, make: Callable[[], Made]) -> Made:
        """Something of a book by its name, made only if it is not kept."""
        place = f"{what} of {Path(book.checked.file).absolute()}"
        version = f"{program()} {book.version}"
        kept: Made | None = self._cache.load(place, lambda each: _read(each, version))
        if kept is not None:
            return kept
        made = make()
        self._cache.save(place, {"version": version, "made": made})
        return made


def _read(kept: Any, version: str) -> Any:
    """What was made, if of this version; raises where it is not, for it is of no more use."""
    made = kept["made"]
    texts = made.values() if isinstance(made, dict) else [made]
    if kept["version"] != version or not all(isinstance(each, str) for each in texts):
        raise ValueError(version)
    return made


def usual_shelf() -> Shelf:
    """Where everybody keeps what was made."""
    return Shelf(cache_directory() / "pages")


@cache
def program() -> str:
    """Names this version of the program: all of its text, and the grammar."""
    return edition("")
