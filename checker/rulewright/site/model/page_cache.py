"""Page cache: keeps what was made of a book, so that it is made once: its pages, and what
directives put in.

What is kept is used only for a book that is the same in all that pages are made from: the text of
the spec, what was answered about it, and the program, whole and with its grammar. Each thing has
one place for each spec; what is made of a newer version takes the place of the older one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rulewright.resources import cache_directory
from rulewright.site.model.book import Book
from rulewright.system.store import Store
from rulewright.system.toolchain import toolchain

Made = TypeVar("Made", str, dict[str, str])


class PageCache:
    """What was made of books, in a folder; None keeps nothing."""

    def __init__(self, folder: Path | None = None) -> None:
        self._store = Store(None if folder is None else str(folder))

    def take(self, book: Book, what: str, make: Callable[[], Made]) -> Made:
        """Something of a book by its name, made only if it is not kept."""
        place = f"{what} of {Path(book.checked.file).absolute()}"
        version = f"{toolchain()} {book.version}"
        kept: Made | None = self._store.load(place, lambda each: _read(each, version))
        if kept is not None:
            return kept
        made = make()
        self._store.save(place, {"version": version, "made": made})
        return made


def _read(kept: Any, version: str) -> Any:
    """What was made, if of this version; raises where it is not, for it is of no more use."""
    made = kept["made"]
    texts = made.values() if isinstance(made, dict) else [made]
    if kept["version"] != version or not all(isinstance(each, str) for each in texts):
        raise ValueError(version)
    return made


def usual_page_cache() -> PageCache:
    """Where everybody keeps what was made."""
    return PageCache(cache_directory() / "pages")
