"""Specs as books, with and without verdicts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.frontend import LoadedSpec, read
from rulewright.meaning.core import Spec
from rulewright.resources import bundled_specs
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import PublishedVerdict, Verdicts

ROOT = Path(__file__).parent.parent.parent
SPECS = {name: ROOT / path for name, path in bundled_specs().items()}
_READ: dict[str, LoadedSpec] = {}


def checked(name: str) -> LoadedSpec:
    """A bundled spec, read once."""
    if name not in _READ:
        _READ[name] = read(SPECS[name])
    return _READ[name]


def core(name: str) -> Spec:
    """The core of a bundled spec."""
    spec = checked(name).spec
    assert spec is not None
    return spec


def tree(folder: Path) -> dict[str, bytes]:
    """All files of a folder; what is packed has the time in it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".gz"
    }


def verdict(name: str, players: int | None, word: str = "proved", **more) -> PublishedVerdict:
    """A verdict of some version of Pig."""
    values: dict[str, Any] = {
        "kind": "invariant",
        "readings": {},
        "variant": None,
        "depth": None,
        "uses": (),
        "trace": None,
        "position": None,
        "start": None,
        "spec": "pig",
        "spec_hash": checked("pig").hash,
    }
    return PublishedVerdict(name=name, players=players, verdict=word, **(values | more))


def examples(pages: dict[str, str]) -> str:
    """All pages of examples of a game; the one that lists them all is the last."""
    found = [file for file in pages if re.fullmatch(r"examples(-\d+)?\.md", file)]
    return "".join(pages[file] for file in reversed(found))


@pytest.fixture
def book() -> Callable[..., Book]:
    """The book of a bundled spec, with these verdicts."""

    def opened(name: str, *verdicts: PublishedVerdict) -> Book:
        return Book(checked(name), Verdicts(verdicts))

    return opened


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called nothing can be played, compiled or drawn."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was played, compiled or drawn")

    def forbid() -> None:
        needed = (
            "play.semantics.instance.Instance",
            "simulate.compiled.compiled_game.CompiledGame",
            "site.draw.svg.Drawing",
        )
        for each in needed:
            monkeypatch.setattr(f"rulewright.{each}.__init__", refuse)

    return forbid
