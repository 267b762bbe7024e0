"""Specs as books, with and without verdicts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.front import Checked, read
from checker.meaning.core import Spec
from checker.resources import bundled_specs
from checker.site.book import Book
from checker.site.verdicts import Verdict, Verdicts

ROOT = Path(__file__).parent.parent.parent
SPECS = {name: ROOT / path for name, path in bundled_specs().items()}
_READ: dict[str, Checked] = {}


def checked(name: str) -> Checked:
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


def verdict(name: str, players: int | None, word: str = "proved", **more) -> Verdict:
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
    return Verdict(name=name, players=players, verdict=word, **(values | more))


@pytest.fixture
def book() -> Callable[..., Book]:
    """The book of a bundled spec, with these verdicts."""

    def opened(name: str, *verdicts: Verdict) -> Book:
        return Book(checked(name), Verdicts(verdicts))

    return opened


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called nothing can be played, compiled or drawn."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was played, compiled or drawn")

    def forbid() -> None:
        for needed in ("play.instance.Instance", "play.compiled.Machine", "site.svg.Drawing"):
            monkeypatch.setattr(f"checker.{needed}.__init__", refuse)

    return forbid
