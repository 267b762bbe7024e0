"""Types, deletes and pastes at random through the protocol: the server never goes, never errs, and
knows the same in the end as if it had read the text at once."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from rulewright.frontend import check_text
from tests.lsp.client import Client

SPEC = Path(__file__).parents[2] / "spec"
EDITS = int(os.environ.get("RULEWRIGHT_LSP_EDITS", "60"))
PASTED = (
    "(", ")", "[", "]", "{", '"', "#", "\n", "    ", "\t", "\r\n", "\r", " = ", ":", ",", ".", "..",
    "all p: Player: ", "rule ", "phase", "x", "0", "1..0", "none", "\u2028", "\U0001f3b2", "é",
    "\x00", "fun f(): Bool = f()\n", "type T = T\n", 'game g "G"\n    players 2..4\n',
    'accept unused x ""\n',
)  # fmt: skip
QUESTIONS = (
    "textDocument/hover", "textDocument/definition", "textDocument/completion",
    "textDocument/signatureHelp", "textDocument/documentHighlight", "textDocument/prepareRename",
    "textDocument/prepareCallHierarchy",
)  # fmt: skip
WHOLE = (
    "textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/codeLens",
    "textDocument/semanticTokens/full",
)  # fmt: skip


class Typist:
    """Changes a text at random, and tells an editor the same in its own units."""

    def __init__(self, text: str, seed: int) -> None:
        self.text = text
        self.random = random.Random(seed)

    def edit(self) -> dict[str, object]:
        """A change, as the protocol tells it; the text is changed, too."""
        start = self.random.randrange(len(self.text) + 1)
        start = self._boundary(start)
        length = self.random.choice((0, 0, 0, 1, 1, 2, 5, 40, 400))
        end = self._boundary(min(start + length, len(self.text)))
        new = self._new()
        place = {"start": self.position(start), "end": self.position(end)}
        self.text = self.text[:start] + new + self.text[end:]
        return {"range": place, "text": new}

    def _boundary(self, at: int) -> int:
        """Between `\\r` and `\\n` there is no place."""
        return at - 1 if 0 < at < len(self.text) and self.text[at - 1 : at + 1] == "\r\n" else at

    def _new(self) -> str:
        kind = self.random.random()
        if kind < 0.3:
            return ""
        if kind < 0.8:
            return self.random.choice(PASTED)
        start = self.random.randrange(len(self.text) + 1)
        return self.text[start : start + self.random.choice((3, 30, 300))]

    def position(self, offset: int) -> dict[str, int]:
        """The place of an offset as editors count: three ends of line, units of UTF-16."""
        before = self.text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        line = before[before.rfind("\n") + 1 :]
        return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


@pytest.mark.parametrize("name", ["qwixx", "tutorial/pig", "matte_kryss"])
def test_anything_may_be_typed(name: str):
    files = [SPEC / f"{name}.rules", *sorted((SPEC / "tutorial").glob("*.rules"))]
    source = next(each for each in files if each.exists()).read_text()
    typist = Typist(source, seed=len(name))
    with Client() as client:
        uri = client.open(source)
        for count in range(EDITS):
            if count % 15 == 14:
                typist.text = source
                client.change(uri, {"text": source})
            client.change(uri, typist.edit())
            place = typist.position(typist.random.randrange(len(typist.text) + 1))
            asked = client.place(uri, place["line"], place["character"])
            client.ask(typist.random.choice(QUESTIONS), asked)
            if count % 5 == 0:
                client.about(uri, typist.random.choice(WHOLE))
                options = {"tabSize": 4, "insertSpaces": True}
                client.about(uri, "textDocument/formatting", options=options)
            if count % 20 == 19:
                assert findings(client, uri) == directly(typist.text)
        assert client.close() == 0
        assert "Traceback" not in "".join(client.errors), "".join(client.errors)[-3000:]


def findings(client: Client, uri: str) -> list[tuple[int, str, str]]:
    """What the server finds wrong, once it has looked at everything."""
    shown = client.shown(uri, settled=True)
    return sorted(
        (each["range"]["start"]["line"], each["code"], each["message"].partition("\nhelp:")[0])
        for each in shown
    )


def directly(text: str) -> list[tuple[int, str, str]]:
    """What the program finds wrong with a text that it reads at once."""
    found = check_text("x.rules", text).diagnostics
    content = text.replace("\r\n", "\n")
    lines = content.split("\n")
    return sorted(
        (each.line - 1 + "\n".join(lines[: each.line - 1]).count("\r")
         + lines[each.line - 1][: each.column - 1].count("\r"), each.code, each.message)
        for each in found
    )  # fmt: skip
