"""Small pieces of Markdown: what is read as it stands, links, tables, anchors.

Words of a spec pass through `plain` or `code` on their way to a page. Every sign of theirs that
Markdown, HTML, or an extension or a template language that a site may use could take for its own
becomes a character reference, which all of them leave alone; so the same words can stand in a line,
in a table, in a heading and within HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from rulewright.hidden_characters import in_line

_SPECIAL = re.compile(
    r"""[<>&"\\`*_\[\]{}#|~^$]|:(?=//)|(?<=:)[-\w+]+(?=:)|^[-+=!?]|^\d+(?=[.)])"""
)
_NAME = re.compile(r"[^\W_](?:[\w.]*[^\W_])?")
"""A name of a spec in which there is nothing to take for markup."""
_BRACKETS = re.compile(r"[][{}`]")
_LOOKALIKES = str.maketrans("<>\"'`", "‹›”’’")
_IN_NO_NAME = re.compile(r"[^\w.-]")


def plain(words: str) -> str:
    """Words of a spec, so that none of their signs is taken for markup."""
    return _SPECIAL.sub(_references, in_line(words))


def _references(found: re.Match[str]) -> str:
    return "".join(f"&#{ord(each)};" for each in found.group())


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


def in_navigation(words: str) -> str:
    """Words as the title of a page or of a part of a site. Themes write titles into HTML as they
    are, some after undoing what was escaped; so no sign of markup is left to undo."""
    return in_line(words).translate(_LOOKALIKES).replace("&", "&amp;")


def code(words: str) -> str:
    """Words in the letters of a spec, within a line or a table."""
    return f"<code>{words if _NAME.fullmatch(words) else plain(words)}</code>"


def in_html(words: str) -> str:
    """Words of a spec within HTML that Markdown does not read, such as a picture."""
    return _BRACKETS.sub(_references, escape(in_line(words)))


def link(words: str, page: str, anchor: str = "") -> str:
    """A link to a page, or to a place on it. The words are `plain` already."""
    return f"[{words}]({page}#{anchor})" if anchor else f"[{words}]({page})"


def as_html(words: str) -> str:
    """A line of ours within HTML, where emphasis has to be spelled out."""
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", words)


def fenced(kind: str, lines: Sequence[str]) -> list[str]:
    """Lines as they stand, in a fence that none of them can close."""
    runs = re.findall("`+", "\n".join(lines))
    fence = "`" * max(3, *(len(each) + 1 for each in runs), 3)
    return [f"{fence}{kind}", *lines, fence]


def anchor(name: str) -> str:
    """A place that links can name: letters, digits, dots, lines, and what else there is as a
    character reference."""
    return f'<a id="{_IN_NO_NAME.sub(_references, name)}"></a>'


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table, or nothing if it has no rows."""
    lines = [f"| {' | '.join(cell or ' ' for cell in row)} |" for row in rows]
    if not lines:
        return []
    return ["", f"| {' | '.join(headings)} |", "|" + "---|" * len(headings), *lines, ""]


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


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
    shown = code(name).replace(".", ".<wbr>")
    return shown.replace("_", "_<wbr>").replace(plain("_"), f"{plain('_')}<wbr>")


def folded(words: str, inside: str) -> str:
    """Something long, folded away until somebody wants it."""
    return f'<details class="rw-fold"><summary>{words}</summary> {inside}</details>'


def page(lines: Sequence[str]) -> str:
    """The text of a whole page."""
    return "\n".join(lines).rstrip("\n") + "\n"
