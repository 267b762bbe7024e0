"""The try page of a game: one HTML file that holds the game, what plays it and how it is drawn.

It loads nothing, so it works from a disk, without a network and in a frame of any site. Its policy
lets a browser run the script in it, known by its hash, and WebAssembly; nothing else.
"""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any
from zlib import compress

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.site.model.book import Book
from rulewright.site.tryout.bundle import bundle
from rulewright.site.tryout.open_readings import PREFIX, with_open_readings
from rulewright.site.tryout.starts import Start, starts
from rulewright.site.tryout.table_layout import table_layout
from rulewright.site.tryout.wording import try_words
from rulewright.site.words.markdown import in_navigation
from rulewright.translate.prose import DIRECTIONS, shown_names
from rulewright.translate.wording import SOURCE, called
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.export import export_instance

HERE = Path(__file__).with_name("browser")
TRY_PAGE = "tryout.html"
MOST_MODULES = 30
"""Numbers of players times variants; a game with more is offered with the fewest players."""

BLOCK = 2048
"""Bytes; blocks of all modules together have to fit into the window of the compression."""


def try_file(language: str) -> str:
    """What the page is called in a language."""
    return TRY_PAGE if language == SOURCE else TRY_PAGE.replace(".", f".{language}.")


def try_page(book: Book) -> str | None:
    """The page, or None for a game that the player cannot play."""
    try:
        given = _given(book)
    except (UsageError, EvaluationError, Unsupported):
        return None
    return _page(book, given)


def try_starts(book: Book) -> list[Start]:
    """Where the page can begin besides the beginning: with the numbers of players that it has."""
    most = _most_players(book.spec)
    return [each for each in starts(book) if each.players <= most]


def _most_players(spec: c.Spec) -> int:
    """All can be chosen, unless they and the variants are too many."""
    several = (spec.most - spec.least + 1) * (1 + len(spec.variants)) > MOST_MODULES
    return spec.least if several else spec.most


def _page(book: Book, given: dict[str, Any]) -> str:
    script, style = _script(), (HERE / "style.css").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src {_hash(script)} 'wasm-unsafe-eval'; "
        f"style-src {_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )
    language = book.wording.language
    words = try_words(language)
    title = in_navigation(words["title"].replace("{title}", book.spec.title))
    data = json.dumps(given, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        "<!doctype html>\n"
        f'<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<main id="tryout"><noscript><p>{escape(words["no_script"])}</p></noscript></main>\n'
        f'<script type="application/json" id="game">{data}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _given(book: Book) -> dict[str, Any]:
    """All that the page knows of the game."""
    spec = book.spec
    variants = [None, *(each.name for each in spec.variants)]
    games: list[dict[str, Any]] = []
    manifests, modules = _Archive(), _Archive()
    layouts: dict[str, str] = {}
    for variant in variants:
        core = spec if variant is None else book.checked.variant(variant)
        opened = with_open_readings(core)
        layouts[variant or ""] = _packed(
            _text(table_layout(Instance(core), book.signs, book.wording))
        )
        for players in range(spec.least, _most_players(spec) + 1):
            made = export_instance(book.checked, Instance(opened, players))
            games.append({
                "players": players, "variant": variant,
                "manifest": manifests.add(made.text.encode()), "module": modules.add(made.module),
            })  # fmt: skip
    return {
        "title": spec.title, "words": try_words(book.wording.language),
        "names": _names(book), "languages": _languages(book), "prefix": PREFIX, "games": games,
        "manifests": manifests.packed(), "modules": modules.packed(),
        "layouts": layouts, "starts": _packed(_text([each.json() for each in try_starts(book)])),
        "questions": [
            {"name": each.name, "prose": each.prose, "default": each.default,
             "options": [{"name": o.name, "prose": o.prose} for o in each.options]}
            for each in spec.readings
        ],
        "variants": [{"name": each.name, "prose": each.prose} for each in spec.variants],
    }  # fmt: skip


def _names(book: Book) -> dict[str, str]:
    """The names of the spec as they are said, where that is not as they are written."""
    names = [*(name for name, _ in shown_names(book.spec)), *DIRECTIONS]
    found = {name: book.wording.name(name) for name in names}
    return {name: said for name, said in found.items() if said != name.replace("_", " ")}


def _languages(book: Book) -> list[list[str]]:
    """The page in each language: its tag, what it is called, its file."""
    if len(book.languages) < 2:
        return []
    return [[each, called(each), try_file(each)] for each in book.languages]


class _Archive:
    """Parts in one piece: those for more players, and of the variants, are much alike."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def add(self, content: bytes) -> int:
        """The number of a part; the same content is kept once."""
        if content not in self._parts:
            self._parts.append(content)
        return self._parts.index(content)

    def packed(self) -> dict[str, Any]:
        """How long each part is, and all of them compressed: a block of each in turn, so that what
        is alike lies near each other."""
        lengths = list(map(len, self._parts))
        blocks = (
            part[at : at + BLOCK]
            for at in range(0, max(lengths), BLOCK)
            for part in self._parts
        )  # fmt: skip
        return {"lengths": lengths, "block": BLOCK, "content": _packed(b"".join(blocks))}


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _packed(content: bytes) -> str:
    """Compressed, as text."""
    return b64encode(compress(content, 9)).decode("ascii")


@cache
def _script() -> str:
    return bundle(HERE / "main.js")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"
