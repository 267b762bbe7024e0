"""The Content-Security-Policy of pages: a browser runs the scripts of the theme and no others.

What a page says is escaped where it is written; should a script get onto a page all the same, the
browser will not run it. The scripts of the theme are known by where they come from: each `<script>`
that is written in a template is marked before anything is put into the template, and only what
bears the mark has its hash in the policy. The mark is made from all that comes from specs, so that
none of them can hold it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig

_SCRIPT = re.compile(r"<script(?=[\s>])")
_HEAD = re.compile(r"<head[^>]*>\s*(?:<meta charset=[^>]*>)?")
_DATA = re.compile(r"""\btype=["']?application/(?:ld\+)?json""")
FONTS = ("https://fonts.googleapis.com", "https://fonts.gstatic.com")
REPOSITORIES = ("https://api.github.com", "https://gitlab.com")


class Policy:
    """Marks the scripts of a theme, and writes the policy of pages made with it."""

    def __init__(self, versions: Iterable[str]) -> None:
        self._mark = f' data-rw-theme="{sha256(chr(0).join(versions).encode()).hexdigest()}"'
        self._marked = re.compile(
            rf"<script{re.escape(self._mark)}(?P<given>[^>]*)>(?P<text>.*?)</script>", re.DOTALL
        )

    def watch(self, environment: Any) -> None:
        """Has every script in a template marked when the template is read."""
        load, mark = environment.loader.get_source, self._mark

        def get_source(*given: Any) -> Any:
            source, *rest = load(*given)
            return (_SCRIPT.sub(f"<script{mark}", source), *rest)

        environment.loader.get_source = get_source

    def unmarked(self, page: str) -> str:
        """A page as it is published."""
        return page.replace(self._mark, "")

    def with_policy(self, page: str, config: MkDocsConfig) -> str:
        """A page with its policy, unmarked."""
        hashes = [
            f"'sha256-{b64encode(sha256(found['text'].encode()).digest()).decode()}'"
            for found in self._marked.finditer(page)
            if " src=" not in found["given"] and not _DATA.search(found["given"])
        ]
        rule = "; ".join(
            f"{kind} {' '.join(dict.fromkeys(sources))}"
            for kind, sources in _sources(config, hashes).items()
        )
        meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(rule)}">'
        return _HEAD.sub(lambda head: head.group() + meta, self.unmarked(page), count=1)


def _sources(config: MkDocsConfig, hashes: Iterable[str]) -> dict[str, list[str]]:
    """From where each kind of thing may come: this site, and what its owner has named."""
    scripts = _origins(str(each) for each in config.extra_javascript)
    styles = _origins(str(each) for each in config.extra_css)
    fonts = list(FONTS) if config.theme.get("font", None) else []
    asked = list(REPOSITORIES) if config.repo_url else []
    return {
        "default-src": ["'none'"],
        "script-src": ["'self'", *scripts, *hashes],
        "style-src": ["'self'", "'unsafe-inline'", *styles, *fonts],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'", "data:", *fonts],
        "connect-src": ["'self'", *asked],
        "worker-src": ["'self'"],
        "manifest-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
    }


def _origins(addresses: Iterable[str]) -> list[str]:
    parts = (urlsplit(each) for each in addresses)
    return [f"{each.scheme or 'https'}://{each.netloc}" for each in parts if each.netloc]
