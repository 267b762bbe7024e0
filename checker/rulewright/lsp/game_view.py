"""A game drawn as a page: what a verdict shows, or how an example goes."""

from __future__ import annotations

from html import escape
from pathlib import Path

from rulewright import site
from rulewright.frontend import check_text
from rulewright.play.explain.examples import play_example
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import Verdicts
from rulewright.site.model.witness import listing, shown_game

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""A page of a stranger's spec loads nothing and runs nothing."""


def verdict_page(uri: str, content: str, verdicts: Verdicts, name: str) -> str | None:
    """The game behind a verdict on a property; None if there is none."""
    checked = check_text(uri, content)
    if checked.spec is None:
        return None
    book = Book(checked, verdicts)
    shown = shown_game(book, verdicts.of(checked.spec, checked.hash, name))
    if not shown:
        return None
    return _page(name, "".join(shown).replace("<details>", "<details open>"))


def example_page(uri: str, content: str, name: str) -> str | None:
    """How an example goes, and the position it ends in; None if there is no such example."""
    checked = check_text(uri, content)
    spec = checked.spec
    example = next((each for each in spec.examples if each.name == name), None) if spec else None
    if spec is None or example is None:
        return None
    if example.variant is not None:
        spec = checked.variant(example.variant)
        example = next(each for each in spec.examples if each.name == name)
    played = play_example(spec, example)
    picture = Book(checked, Verdicts()).scene(played.instance, example.seats)
    events = [each.event for each in played.happened if each.event is not None]
    parts = [f"<p>{escape(example.prose)}</p>"] if example.prose else []
    if played.failure is None:
        parts.append("<p>It goes as expected.</p>")
    else:
        parts.append(f"<p><strong>It fails:</strong> {escape(played.failure.message)}</p>")
    parts.append(listing(events, played.instance))
    if played.position is not None:
        parts.append(picture.show(played.position))
    return _page(name, "".join(parts))


def _page(title: str, body: str) -> str:
    style = Path(site.__path__[0], "mkdocs", "style.css").read_text("utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>"
    )
