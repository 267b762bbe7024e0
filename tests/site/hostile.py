"""Games whose every sentence tries to get out of the page it stands on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from rulewright.frontend import check_text
from rulewright.syntax.node import replace
from rulewright.translate.merge import merged, sources
from rulewright.translate.po import write_po
from tests.site.conftest import SPECS

OWN = "document.documentElement.setAttribute('data-owned',1)"
PAYLOADS = (
    f"<script>{OWN}</script>",
    f"<img src=x onerror={OWN}>",
    f"<svg/onload={OWN}>",
    f"</title></textarea></style></script>--><script>{OWN}</script>",
    f"[zqx](javascript:{OWN})",
    f"![zqx](javascript:{OWN}) ![x](x){{: onerror={OWN} }}",
    f"`</code></pre><script>{OWN}</script>`",
    "```",
    f"{{: onmouseover={OWN} }} **zqx** _zqx_ ~~zqx~~",
    "{{ 7191 * 7193 }} {% raw %} {# zqx #}",
    "--8<-- 'mkdocs.yml' ;--8<-- https://example.org",
    f"' onfocus={OWN} autofocus x='",
    f"&lt;script&gt;{OWN}&lt;/script&gt; &#60;script&#62;{OWN}",
    f"<a href=javascript:{OWN}>zqx</a><iframe srcdoc='<script>parent.{OWN}</script>'>",
    "[[clause zqx zqx]] [zqx]: javascript:x <javascript:zqx> :zqx: $$zqx$$ | zqx |",
    f"<span data-rw-aside='0'></span><svg class='rw-picture '>{OWN}</svg>",
    "- zqx",
    "    zqx",
    "# zqx",
    "1. zqx",
    "> zqx",
    "!!! zqx",
    f"<math><mtext></math><script>{OWN}</script>",
    f"<meta http-equiv=refresh content=0;url=javascript:{OWN}><base href=//example.org>",
)
SIGN = "<b>&{{zqx}}</b><svg/onload=x>"


def hostile(name: str, round: int = 0) -> str:
    """A bundled spec with every sentence made hostile, each in another way."""
    number = round

    def payload(_: re.Match[str]) -> str:
        nonlocal number
        number += 1
        return f'"{PAYLOADS[number % len(PAYLOADS)]} {number}"'

    text = re.sub(r'"[^"\n]*"', payload, SPECS[name].read_text("utf-8"))
    if name == "matte_kryss":  # the sign of a square may be any text without blanks
        text = text.replace("T triple", f"{SIGN} triple")
        rows = re.compile(r"(?m)^ +\d+(?: [.DTx/+\d-])+$")
        text = rows.sub(lambda row: row[0].replace("T", SIGN), text)
    return text


def translation(name: str, text: str) -> str:
    """A catalogue in which every sentence, name and term of a spec is said in a hostile way."""
    checked = check_text(f"{name}.rules", text)
    assert checked.spec is not None and checked.text is not None
    wanted = sources(checked)
    lines = [checked.text.place(each.span.start)[0] for each in wanted]
    begin, *entries = merged((), wanted, checked.spec, f"{name}.rules", "is", lines)
    told = [
        replace(each, forms=(f"{PAYLOADS[(7 * number) % len(PAYLOADS)]} {{players}} {number}",))
        for number, each in enumerate(entries)
    ]
    return write_po([begin, *told])


def verdicts(name: str, text: str) -> dict[str, str]:
    """Files of verdicts on a spec that say something hostile wherever they can."""
    checked = check_text("x.rules", text)
    assert checked.spec is not None
    claims = [each.name for each in checked.spec.properties]
    words = ("proved", "unknown", "refuted", "bounded", "zqx<script>")
    results = [
        {
            "name": claim, "kind": "invariant", "verdict": words[number % len(words)],
            "players": None if number % 3 else 2, "reason": PAYLOADS[number % len(PAYLOADS)],
            "uses": [PAYLOADS[(number + 1) % len(PAYLOADS)]], "depth": 3,
            "accepted": PAYLOADS[(number + 2) % len(PAYLOADS)],
            "trace": [{"move": PAYLOADS[0], "by": 1, "args": {}}] if number % 5 == 2 else None,
        }
        for number, claim in enumerate(claims)
    ]  # fmt: skip
    stale = {**results[0], "spec_hash": PAYLOADS[0], "name": claims[-1]}
    report = {"command": "prove", "spec": name, "spec_hash": checked.hash,
              "results": [*results[:-1], stale]}  # fmt: skip
    return {f"{name}.json": json.dumps(report)}


class Structure(HTMLParser):
    """Everything in a page that could act: elements, attributes, addresses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def wrong(self) -> Iterator[str]:
        """What nobody but the content can have put there."""
        for tag, given in self.found:
            if tag in ("iframe", "math", "base", "object", "embed", "b") and "zqx" in str(given):
                yield f"<{tag}>"
            for name, value in given.items():
                if name.startswith("on") or name in ("srcdoc", "autofocus"):
                    yield f"<{tag} {name}>"
                if value.strip().lower().startswith("javascript:") and tag != "a":
                    yield f"<{tag} {name}={value}>"
                if value.startswith("javascript:") and value != "javascript:void(0)":
                    yield f"<{tag} {name}={value}>"
            if tag in ("iframe", "math", "base", "object", "embed"):
                yield f"<{tag}>"
