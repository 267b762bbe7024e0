"""A change as one page: nothing to load, readable in light and dark, to attach to a review."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from checker.change.plot import plot
from checker.change.properties import Fate
from checker.change.recorded import SAME
from checker.change.story import Chapter
from checker.change.telling import Change, Play, headline, play_title, shown
from checker.change.verdict import EQUAL, Verdict

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #6b6b6b; --line: #ddd;
  --old: #b5541c; --new: #1f6fb2; --card: #f6f6f4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181a; --faint: #9a9a9a;
  --line: #3a3d40; --old: #f0915a; --new: #6fb3ec; --card: #1f2225; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre, code { font: 13px/1.4 ui-monospace, monospace; }
pre { background: var(--card); padding: .8rem; overflow-x: auto; border-radius: 6px; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line);
  vertical-align: top; }
del { color: var(--old); text-decoration: none; } ins { color: var(--new); text-decoration: none; }
.faint { color: var(--faint); } .looser, .changed, .incomparable, .refuted { color: var(--old); }
.stricter { color: var(--new); }
svg { width: 100%; height: auto; } svg text { font: 11px sans-serif; fill: var(--ink); }
svg .title { font-weight: bold; } svg .axis { stroke: var(--faint); }
svg polygon.old { fill: var(--old); fill-opacity: .35; stroke: var(--old); }
svg polygon.new { fill: var(--new); fill-opacity: .35; stroke: var(--new); }
svg tspan.old { fill: var(--old); } svg tspan.new { fill: var(--new); }
"""


def page(change: Change) -> str:
    """The whole page."""
    title = f"{change.old} → {change.new}"
    parts = [
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", "</head>", "<body>",
        f"<h1>{escape(title)}</h1>", *_body(change), "</body>", "</html>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _body(change: Change) -> Iterator[str]:
    yield "<h2>The text</h2>"
    yield from _story(change.story)
    yield "<h2>The rules, in every position</h2>"
    yield _table(("", "verdict", "how sure"), (_verdict(each) for each in change.compared.verdicts))
    yield from (
        f'<p class="faint">{escape(each.shown())}</p>' for each in change.compared.mismatches
    )
    for verdict in change.compared.verdicts:
        for difference in verdict.differences:
            yield f"<h3>{escape(headline(verdict, difference))}</h3>"
            yield f"<pre>{escape(chr(10).join(shown(difference)))}</pre>"
    if change.properties is not None:
        yield "<h2>Properties that the change can touch</h2>"
        yield _table(("", "old", "new", ""), (_fate(each) for each in change.properties))
    yield "<h2>Worked examples</h2>"
    yield _table(("example", "", "why"), (
        (escape(each.name), each.what, escape(each.message)) for each in change.examples
    ))  # fmt: skip
    yield f'<p class="faint">{change.examples_played} were played by both rules.</p>'
    if change.games is not None:
        yield "<h2>Recorded games</h2>"
        yield _table(("game", "", "why"), (
            (escape(f"{each.file}:{each.line}"), each.fate, escape(each.message))
            for each in change.games
            if each.fate != SAME
        ))  # fmt: skip
    if change.play is not None:
        yield from _play(change.play)


def _story(chapters: Iterable[Chapter]) -> Iterator[str]:
    lines = []
    for chapter in chapters:
        for line in chapter.lines():
            mark = {"  - ": "del", "  + ": "ins"}.get(line[:4])
            text = escape(line)
            lines.append(f"<{mark}>{text}</{mark}>" if mark else text)
    yield f"<pre>{chr(10).join(lines) or 'nothing but layout'}</pre>"


def _verdict(verdict: Verdict) -> tuple[str, str, str]:
    notes = "".join(f'<br><span class="faint">{escape(each)}</span>' for each in verdict.notes)
    style = "faint" if verdict.verdict == EQUAL else verdict.verdict
    word = f'<span class="{style}">{verdict.verdict}</span>'
    return f"<code>{escape(verdict.subject.name)}</code>{notes}", word, verdict.proof


def _fate(fate: Fate) -> tuple[str, str, str, str]:
    old, new = (each.verdict if each is not None else "-" for each in (fate.old, fate.new))
    name = f"<code>{escape(fate.name)}</code> {escape(fate.prose)}"
    note = escape(fate.new.note) if fate.new is not None else ""
    return name, old, f'<span class="{new}">{new}</span>', note


def _play(play: Play) -> Iterator[str]:
    yield f"<h2>{escape(play_title(play).capitalize())}</h2>"
    yield _table(("", "old", "new", ""), (
        (escape(row.name), row.old.shown(row.percent), row.new.shown(row.percent),
         "" if row.clear else '<span class="faint">no clear difference</span>')
        for row in play.rows
    ))  # fmt: skip
    for title, field in (("events a game", "lengths"), ("score", "scores")):
        old, new = getattr(play.old, field), getattr(play.new, field)
        if old and new:
            yield plot(title, old, new)


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{each}</th>" for each in headings)
    body = "\n".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"
