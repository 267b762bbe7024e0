"""What a page of the site gets when it is finished: names for screen readers where the theme gives
none, no table heads with nothing in them, and a small script.

Reads the markup that Material and Markdown write. In another theme there is nothing to find, and
the page stays as it is.
"""

from __future__ import annotations

import re

_SEARCH = re.compile(r'(<div class="md-search"[^>]*role="dialog")(?=>)')
_SEARCH_NAME = re.compile(r'class="md-search__input"[^>]*?(aria-label="[^"]*")')
_INNER_NAV = re.compile(r'<nav class="md-nav" data-md-level="(?!0")\d+"[^>]*>')
_SAID = re.compile(r' aria-(?:expanded|labelledby|label)="[^"]*"')
_EMPTY_HEAD = re.compile(r"<thead>\s*<tr>(?:\s*<th[^>]*></th>)+\s*</tr>\s*</thead>\s*")
_EMPTY_CELL = re.compile(r"<th((?: [^>]*)?)></th>")


def finished(page: str, script: str) -> str:
    """The page with all that; `script` is the address of the script from there."""
    page = _EMPTY_CELL.sub(r"<td\1></td>", _EMPTY_HEAD.sub("", page))
    page = _INNER_NAV.sub(_within, page)
    name = _SEARCH_NAME.search(page)
    if name is not None:
        page = _SEARCH.sub(rf"\1 {name[1]}", page)
    return page.replace("</head>", f'<script src="{script}"></script></head>', 1)


def _within(nav: re.Match[str]) -> str:
    """A part of the navigation is no landmark of its own: its heading is the link before it."""
    return _SAID.sub("", nav.group()).replace("<nav ", '<nav role="none" ', 1)
