"""Small pieces of Markdown: what is read as it stands, links, tables, anchors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_SPECIAL = re.compile(r"([\\`*_\[\]{}#])")


def plain(words: str) -> str:
    """Words of a spec, so that none of their signs is taken for markup."""
    return _SPECIAL.sub(r"\\\1", escape(words, quote=False)).replace("|", "&#124;")


def sentence(words: str) -> str:
    """Prose as a sentence: with a capital and a full stop."""
    if not words:
        return ""
    end = "" if words[-1] in ".?!" else "."
    return plain(words[0].upper() + words[1:] + end)


def spoken(name: str) -> str:
    """A name of a spec as one would say it: `first_action` is `first action`."""
    return name.replace("_", " ")


def heading(prose: str | None, name: str) -> str:
    """A sentence of a spec as a heading; what has none is called by its name."""
    words = (prose or spoken(name)).removesuffix(".")
    return plain(words[:1].upper() + words[1:])


def title(name: str) -> str:
    """A name of a spec as a heading."""
    words = spoken(name)
    return plain(words[:1].upper() + words[1:])


def code(words: str) -> str:
    """Words in the letters of a spec, within a line or a table."""
    return f"<code>{escape(words, quote=False).replace('|', '&#124;')}</code>".replace("*", "&#42;")


def link(words: str, page: str, anchor: str = "") -> str:
    """A link to a page, or to a place on it."""
    return f"[{words}]({page}#{anchor})" if anchor else f"[{words}]({page})"


def as_html(words: str) -> str:
    """A line of ours within HTML, where emphasis has to be spelled out."""
    return re.sub(r"(?<!\\)\*([^*]+)\*", r"<em>\1</em>", words).replace("\\", "")


def anchor(name: str) -> str:
    """A place that links can name."""
    return f'<a id="{escape(name)}"></a>'


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table, or nothing if it has no rows."""
    lines = [f"| {' | '.join(cell or ' ' for cell in row)} |" for row in rows]
    if not lines:
        return []
    return ["", f"| {' | '.join(headings)} |", "|" + "---|" * len(headings), *lines, ""]


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def counted(number: int, noun: str) -> str:
    """`1 word`, `2 words`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ranged(numbers: Sequence[int]) -> str:
    """`2 to 5` for numbers that follow each other, else each of them."""
    if len(numbers) > 1 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return listed([str(each) for each in numbers])


def cited(clauses: Sequence[str]) -> str:
    """Links to clauses, on another page of the same game."""
    return listed([link(code(each), "rules.md", f"clause-{each}") for each in clauses])


def named(names: Sequence[str]) -> str:
    """Names of a spec, one after the other."""
    return ", ".join(breakable(each) for each in names)


def breakable(name: str) -> str:
    """A name that may go on in the next line after a dot or an underscore."""
    return code(name).replace(".", ".<wbr>").replace("_", "_<wbr>")


def folded(words: str, inside: str) -> str:
    """Something long, folded away until somebody wants it."""
    return f'<details class="rw-fold"><summary>{words}</summary> {inside}</details>'


def page(lines: Sequence[str]) -> str:
    """The text of a whole page."""
    return "\n".join(lines).rstrip("\n") + "\n"
