"""Programs that answer one request after another about a text: an editor's and the playground's."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from fuzz.inputs.mutated import spec
from fuzz.inputs.running import Case
from fuzz.inputs.words import anything

AT = ("hover", "definition", "completion", "signatureHelp", "documentHighlight", "prepareRename",
      "prepareCallHierarchy", "references", "rename")  # fmt: skip
WHOLE = ("documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "formatting",
         "codeAction")  # fmt: skip
URI = "file:///x.rules"


def editors(random: Random) -> Case:
    """A session of an editor on a hostile text: questions about places in it, and changes."""
    text = spec(random)
    messages: list[tuple[str, Any]] = [
        ("initialize", {"processId": None, "rootUri": None, "capabilities": {}}),
        ("initialized", {}),
        ("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "rules", "version": 1,
                                                   "text": text}}),
    ]  # fmt: skip
    for version in range(2, random.randint(4, 12)):
        place = {"line": random.randint(0, text.count("\n")), "character": random.randint(0, 60)}
        about = {"textDocument": {"uri": URI, "version": version}}
        kind = random.random()
        if kind < 0.3:
            changes = [{"range": {"start": place, "end": place}, "text": anything(random)}]
            messages.append(("textDocument/didChange", {**about, "contentChanges": changes}))
        elif kind < 0.8:
            more = {"position": place, "newName": anything(random)}
            method = random.choice(AT)
            if method == "references":
                more["context"] = {"includeDeclaration": True}
            messages.append((f"textDocument/{method}", {**about, **more}))
        else:
            more = {"options": {"tabSize": 4, "insertSpaces": True}, "context": {"diagnostics": []},
                    "range": {"start": {"line": 0, "character": 0}, "end": place}}  # fmt: skip
            messages.append((f"textDocument/{random.choice(WHOLE)}", {**about, **more}))
    messages += [("shutdown", None), ("exit", None)]
    sent = ""
    for number, (method, params) in enumerate(messages):
        told = {"jsonrpc": "2.0", "method": method, "params": params}
        if "did" not in method and method not in ("initialized", "exit"):
            told["id"] = number
        body = json.dumps(told)
        sent += f"Content-Length: {len(body)}\r\n\r\n{body}"
    return Case("editors", ("lsp",), stdin=sent)


def pages(random: Random) -> Case:
    """A session of the playground: a link brings any text, and any request can follow."""
    text, seed = spec(random), random.randrange(100)
    asked: list[dict[str, Any]] = [
        {"ask": "check", "text": text},
        {"ask": "begin", "text": text, "players": random.choice((None, 2, 3)), "seed": seed},
        {"ask": "play", "move": random.choice(("a()", "hold()", anything(random))), "by": 1},
        {"ask": "chance"},
        {"ask": "random", "events": random.randint(0, 30)},
        {"ask": "why", "move": random.choice(("roll()", anything(random))), "by": 2},
        {"ask": "undo"},
        {"ask": "mend", "text": text},
        {"ask": "format", "text": text},
        {"ask": "test", "text": text},
        {"ask": "run", "text": text, "games": 2, "players": 2},
        {"ask": "perft", "text": text, "depth": 1},
    ]
    some = [asked[0], asked[1], *random.choices(asked, k=random.randint(1, 5))]
    return Case("pages", ("playground", "asked.json"), {"asked.json": json.dumps(some)})


def answer_all(file: str) -> int:
    """Answers the requests of a file one after the other, as in the page, and prints the
    answers."""
    from rulewright.playground.session import Session

    session = Session(lambda said: None)
    for each in json.loads(Path(file).read_text("utf-8")):
        found = json.loads(session.answer(json.dumps(each)))
        sys.stdout.write(f"{json.dumps(found)}\n")
        if found.get("exit") == 4:
            sys.stderr.write(f"{found.get('said')}\n")
            return 4
    return 0
