"""Try pages of the games that come with the program, made once for all tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import Verdicts
from rulewright.site.tryout.page import try_page
from tests.site.conftest import checked

GAMES = ("qwixx", "kubbar", "matte_kryss", "twenty_one")


@cache
def opened(name: str) -> Book:
    return Book(checked(name), Verdicts())


@cache
def page(name: str) -> str:
    made = try_page(opened(name))
    assert made is not None
    return made


def written(name: str, folder: Path) -> str:
    """The address of a page on the disk."""
    path = folder / f"{name}.html"
    path.write_text(page(name), encoding="utf-8")
    return path.as_uri()
