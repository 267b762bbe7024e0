"""HTML report of a change, as one page: nothing to load, readable in light and dark and on a phone,
to attach to a review. What differs stands first; games and what is as before can be unfolded."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape

from rulewright.change.impact.examples import OTHERWISE, AffectedExample
from rulewright.change.impact.property_status import PropertyDiff
from rulewright.change.impact.recorded_games import SAME
from rulewright.change.output.difference_view import LONGEST_GAME, SIDES, journey, position
from rulewright.change.output.histogram import plot
from rulewright.change.output.text import (
    ChangeReport,
    PlayComparison,
    aside,
    by_verdict,
    examples_rest,
    headline,
    in_short,
    length,
    play_title,
    properties_title,
    rules_title,
    sort_out,
    verdict_in,
)
from rulewright.change.semantic.verdict import ComparisonResult, ComparisonVerdict, Difference
from rulewright.change.semantic.witness import says
from rulewright.change.text.text_diff import TextDiff
from rulewright.hidden_characters import visible
from rulewright.play.explain.game_view import event_lines
from rulewright.play.io.notation import write_line

_IN_PARENTHESES = re.compile(r"\((?!hidden\))[^()\n]*\)")
"""What an event would do, in a picture."""
STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #6b6b6b; --line: #ddd;
  --old: #b5541c; --new: #1f6fb2; --card: #f6f6f4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181a; --faint: #9a9a9a;
  --line: #3a3d40; --old: #f0915a; --new: #6fb3ec; --card: #1f2225; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; } h3 { margin: 1.5rem 0 .5rem; }
pre, code { font: 13px/1.4 ui-monospace, monospace; }
pre { background: var(--card); padding: .8rem; overflow-x: auto; border-radius: 6px;
  margin: .5rem 0; overflow-wrap: normal; }
pre.position { font-size: clamp(8.5px, 2.2vw, 13px); }
mark { color: var(--paper); background: var(--new); }
pre.events { white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: .8rem; }
.sides div { border-left: 4px solid var(--old); background: var(--card); padding: .5rem .8rem; }
.sides div + div { border-color: var(--new); }
details { margin: .5rem 0; } summary { cursor: pointer; }
del { color: var(--old); text-decoration: none; } ins { color: var(--new); text-decoration: none; }
.summary { font-size: 1.15rem; } .faint { color: var(--faint); }
.looser, .changed, .incomparable, .refuted { color: var(--old); } .stricter { color: var(--new); }
svg { width: 100%; height: auto; }
svg:not(.rw-picture) text { font: 11px sans-serif; fill: var(--ink); }
.edition svg { width: auto; max-width: 100%; } .edition table { width: auto; }
.edition { border: 1px solid var(--line); border-radius: 6px; padding: 0 1rem 1rem; }
.edition > h2 { margin-top: 1rem; } .rw-scroll { overflow-x: auto; }
.rw-example { border-left: 4px solid var(--new); padding: .1rem .8rem .5rem; margin: 1rem 0; }
.rw-scene { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: flex-start; }
.rw-part { max-width: 100%; } .rw-part p { margin: 0; } .rw-name { font-weight: bold; }
svg .title { font-weight: bold; } svg .axis { stroke: var(--faint); }
svg polygon.old { fill: var(--old); fill-opacity: .35; stroke: var(--old); }
svg polygon.new { fill: var(--new); fill-opacity: .35; stroke: var(--new); }
svg tspan.old { fill: var(--old); } svg tspan.new { fill: var(--new); }
"""

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    f"{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
)
"""A browser loads nothing and runs nothing for this page, and takes no style but this."""


def shown(text: str) -> str:
    """Words of a spec, of a game or of the program as they may stand in a page."""
    return escape(visible(text))


def page(change: ChangeReport, for_readers: str = "") -> str:
    """The whole page; `for_readers` is HTML that says what is new to those who play."""
    title = f"{change.old} → {change.new}"
    parts = [
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{shown(title)}</title>", f"<style>{STYLE}</style>", "</head>", "<body>",
        f"<h1>{shown(title)}</h1>", *_body(change, for_readers), "</body>", "</html>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _body(change: ChangeReport, for_readers: str) -> Iterator[str]:
    yield f'<p class="summary">{shown(in_short(change))}</p>'
    if for_readers:
        yield for_readers
    yield "<h2>The text</h2>"
    yield from _story(change.story)
    yield _heading(rules_title(change.compared))
    yield from _verdicts(change.compared)
    yield from (f"<p>{_code(each)}</p>" for each in aside(change))
    for verdict in change.compared.verdicts:
        for difference in verdict.differences:
            yield f"<h3>{shown(headline(verdict, difference))}</h3>"
            yield from _difference(difference)
    if change.properties is not None:
        yield _heading(properties_title(change))
        yield from _properties(change.properties)
    yield "<h2>Worked examples</h2>"
    affected = [each for each in change.examples if each.what != OTHERWISE]
    if affected:
        yield _table(("example", "", "why"), (_example(each) for each in affected))
    yield from (f"<p>{shown(line)}</p>" for line in examples_rest(change))
    if change.games is not None:
        yield "<h2>Recorded games</h2>"
        parted = [each for each in change.games if each.fate != SAME]
        if parted:
            yield _table(("game", "", "why"), (
                (shown(f"{each.file}:{each.line}"), shown(each.fate), shown(each.message))
                for each in parted
            ))  # fmt: skip
        yield f"<p>{len(change.games) - len(parted)} of {len(change.games)} go as before</p>"
    if change.play is not None:
        yield from _play(change.play)


def _heading(title: str) -> str:
    return f"<h2>{shown(title[0].upper() + title[1:])}</h2>"


def _story(chapters: Iterable[TextDiff]) -> Iterator[str]:
    lines = []
    for chapter in chapters:
        for line in chapter.lines():
            mark = {"  - ": "del", "  + ": "ins"}.get(line[:4])
            text = shown(line)
            lines.append(f"<{mark}>{text}</{mark}>" if mark else text)
    yield f"<pre>{chr(10).join(lines) or 'nothing but layout'}</pre>"


def _verdicts(compared: ComparisonResult) -> Iterator[str]:
    listed, equal = by_verdict(compared)
    if listed:
        yield _table(("", "verdict", "how sure"), (_verdict(each) for each in listed))
    if equal:
        names = ", ".join(f"<code>{shown(each)}</code>" for each in equal)
        yield f"<p>equal, proved: {names}</p>"


def _verdict(verdict: ComparisonVerdict) -> tuple[str, str, str]:
    notes = "".join(f'<br><span class="faint">{_code(each)}</span>' for each in verdict.notes)
    said = shown(verdict.verdict)
    word = f'<span class="{said}">{said}</span>'
    return f"<code>{shown(verdict.subject.name)}</code>{notes}", word, shown(verdict.proof)


def _difference(difference: Difference) -> Iterator[str]:
    """What is played and what either side says of it; below, where, and how a game gets there."""
    witness = difference.witness
    if witness.event is not None:
        yield f"<p><code>{shown(write_line(witness.event, witness.speaker))}</code></p>"
    boxes = (
        f"<div><strong>{word}</strong> {'<br>'.join(map(shown, says(witness, side)))}</div>"
        for side, word in enumerate(SIDES)
    )
    yield f'<div class="sides">{"".join(boxes)}</div>'
    where, drawn = position(difference)
    yield f"<p>{shown(where)}</p>"
    text = _IN_PARENTHESES.sub(r"<mark>\g<0></mark>", shown("\n".join(drawn)))
    yield f'<pre class="position">{text}</pre>'
    lines = list(journey(difference))
    while lines and not lines[0].endswith(":"):
        yield f"<p>{_code(lines.pop(0))}</p>"
    if lines:
        yield _folded(lines[0].rstrip(":"), lines[1:])


def _folded(title: str, lines: Iterable[str]) -> str:
    text = shown("\n".join(lines))
    return f'<details><summary>{shown(title)}</summary><pre class="events">{text}</pre></details>'


def _properties(fates: Iterable[PropertyDiff]) -> Iterator[str]:
    sorted_out = sort_out(list(fates))
    if sorted_out.listed:
        yield _table(("", "old", "new"), (_fate(each) for each in sorted_out.listed))
    for title, names in sorted_out.gathered:
        codes = ", ".join(f"<code>{shown(each)}</code>" for each in names)
        yield f"<p>{shown(title)}: {codes}</p>"
    if not sorted_out.listed and not sorted_out.gathered:
        yield "<p>none</p>"


def _fate(fate: PropertyDiff) -> tuple[str, str, str]:
    old, new = shown(verdict_in(fate.old)), shown(verdict_in(fate.new))
    name = f"<code>{shown(fate.name)}</code> {shown(fate.prose)}"
    if fate.new is not None and fate.new.events is not None and fate.new.instance is not None:
        lines = event_lines(fate.new.instance, fate.new.events, LONGEST_GAME)
        name += _folded(f"{fate.new.note}{length(fate)}", lines)
    elif fate.new is not None and fate.new.note:
        name += f'<br><span class="faint">{shown(fate.new.note)}</span>'
    return name, old, f'<span class="{new}">{new}</span>'


def _example(each: AffectedExample) -> tuple[str, str, str]:
    return f"<code>{shown(each.name)}</code>", shown(each.what), _code(each.message)


def _code(text: str) -> str:
    """Words with what stands in backticks as code."""
    parts = shown(text).split("`")
    return "".join(
        f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts)
    )


def _play(play: PlayComparison) -> Iterator[str]:
    yield f"<h2>{shown(play_title(play).capitalize())}</h2>"
    yield _table(("", "old", "new", ""), (
        (shown(row.name), row.old.shown(row.percent), row.new.shown(row.percent),
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
