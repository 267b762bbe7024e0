"""The server: hears what an editor says, and answers with what the other modules know.

Texts are kept here and not by pygls, whose lines end at characters where an editor's do not. A
keystroke is answered by the quick look at the text; the full one follows when typing pauses.
Examples and proofs run as processes of their own, when a file is saved or somebody asks.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from rulewright import __version__
from rulewright.diagnostics import Diagnostic
from rulewright.lsp.background import BackgroundRun
from rulewright.lsp.clause_marks import EvidenceBook
from rulewright.lsp.text.document import Document
from rulewright.lsp.verdicts import VerdictBook, findings_in
from rulewright.syntax.node import Node, replace

PAUSE = 0.4
"""Seconds without a keystroke that count as a pause."""


class Settings(Node):
    """What an editor may choose, in `initializationOptions` or its settings."""

    prove_on_save: bool = False
    test_on_save: bool = True
    returns_pages: bool = False
    """Whether the editor shows pages itself, that commands return to it."""

    def read(self, given: Any) -> Settings:
        """The settings with those changed that are given."""
        inner = given.get("rulewright", given) if isinstance(given, Mapping) else {}
        if not isinstance(inner, Mapping):
            return self
        names = {
            "proveOnSave": "prove_on_save",
            "testOnSave": "test_on_save",
            "returnsPages": "returns_pages",
        }
        chosen = {ours: bool(inner[theirs]) for theirs, ours in names.items() if theirs in inner}
        return replace(self, **chosen)


class Protocol(LanguageServerProtocol):
    """The protocol without pygls' own copies of the texts."""

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> _Handled:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> _Handled:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> _Handled:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None


_Handled = Generator[Any, Any, None]


def _is_no_refusal(record: logging.LogRecord) -> bool:
    """Whether something belongs into the log of the editor: what we refuse is told where it was
    asked, and is no fault that somebody has to trace."""
    return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcInvalidParams))


class RulesServer(LanguageServer):
    """The open files, what was found in them, and what runs in the background."""

    def __init__(self) -> None:
        super().__init__("rulewright", __version__, protocol_cls=Protocol)
        logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_no_refusal)
        self.documents: dict[str, Document] = {}
        self.book = VerdictBook()
        self.marks = EvidenceBook()
        self.settings = Settings()
        self.found: dict[str, list[Diagnostic]] = {}
        """What was last shown of each file."""
        self.failures: dict[str, tuple[str, list[Diagnostic]]] = {}
        """Examples that failed, with the text they failed in."""
        self._pauses: dict[str, asyncio.TimerHandle] = {}
        self._runs: dict[tuple[str, str], BackgroundRun] = {}
        self._pages: tempfile.TemporaryDirectory[str] | None = None
        """Where pages lie that a browser shows; gone with the server."""

    # ---- texts

    def open(self, uri: str, text: str, version: int) -> None:
        """A file is shown in the editor."""
        encoding = self.protocol.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
        document = Document(uri, text, version, encoding)
        self.documents[uri] = document
        document.full()
        self.recall(document)
        self.publish(document)

    def recall(self, document: Document) -> None:
        """Takes what was found out about this very version before."""
        self.book.recall(document)
        self.marks.recall(document)

    def changed(self, document: Document) -> None:
        """Something was typed: the quick look now, the full one after a pause."""
        self.end_runs(document.uri)
        self._publish(document, document.quick())
        waiting = self._pauses.pop(document.uri, None)
        if waiting is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._pauses[document.uri] = loop.call_later(PAUSE, self._paused, document.uri)

    def close(self, uri: str) -> None:
        """A file is no longer shown."""
        self.end_runs(uri)
        waiting = self._pauses.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        if self.documents.pop(uri, None) is not None:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        self.book.forget(uri)
        self.marks.forget(uri)
        self.found.pop(uri, None)
        self.failures.pop(uri, None)

    def _paused(self, uri: str) -> None:
        self._pauses.pop(uri, None)
        document = self.documents.get(uri)
        if document is not None:
            document.full()
            self.publish(document)

    # ---- findings

    def publish(self, document: Document) -> None:
        """Shows everything that is known to be wrong with a file."""
        found = [*document.full().diagnostics, *self.book.findings(document)]
        content, failed = self.failures.get(document.uri, ("", []))
        if content == document.content:
            found += failed
        self._publish(document, found)

    def _publish(self, document: Document, found: list[Diagnostic]) -> None:
        self.found[document.uri] = found
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                document.uri, [_shown(document, each) for each in found], document.version
            )
        )

    # ---- runs of the program

    async def run(
        self, document: Document, command: str, *arguments: str
    ) -> Mapping[str, Any] | None:
        """What a command says of a text as it is now; None if the text has changed meanwhile."""
        spec = document.full().spec
        if spec is None or not document.full().usable:
            return None
        key = (document.uri, command)
        earlier = self._runs.pop(key, None)
        if earlier is not None:
            earlier.end()
        run = self._runs[key] = BackgroundRun(spec.name, document.content, command, *arguments)
        version = document.version
        report = await asyncio.get_running_loop().run_in_executor(None, run.answer)
        if self._runs.get(key) is run:
            del self._runs[key]
        current = self.documents.get(document.uri)
        return report if current is document and document.version == version else None

    async def play_examples(self, document: Document) -> Mapping[str, Any] | None:
        """Plays all examples of a file, and shows which fail."""
        content = document.content
        report = await self.run(document, "test")
        if report is not None:
            self.failures[document.uri] = content, findings_in(report, document.uri, "RW510")
            self.publish(document)
        return report

    async def prove(self, document: Document) -> Mapping[str, Any] | None:
        """Proves a file, and shows the verdicts."""
        hash = document.full().hash
        report = await self.run(document, "prove", "--defaults")
        if report is not None:
            self.book.note(document.uri, hash, report)
            self.publish(document)
            self.refresh_lenses()
        return report

    async def test_evidence(self, document: Document) -> Mapping[str, Any] | None:
        """Breaks the rules of a file on purpose, and shows what each clause has earned."""
        hash = document.full().hash
        report = await self.run(document, "evidence", "--clauses")
        if report is not None:
            self.marks.note(document.uri, hash, report)
            self.refresh_lenses()
        return report

    def refresh_lenses(self) -> None:
        """Has the editor ask for the lenses again, if it can."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None, callback=lambda _: None)

    def end_runs(self, uri: str | None = None) -> None:
        """Ends what runs for a file, or for any."""
        for key in [each for each in self._runs if uri is None or each[0] == uri]:
            self._runs.pop(key).end()

    # ---- telling people

    def show_page(self, page: str) -> None:
        """Shows a page in whatever the editor opens pages with."""
        window = self.client_capabilities.window
        if window is None or window.show_document is None or not window.show_document.support:
            self.tell("the editor cannot show pages")
            return
        if self._pages is None:
            self._pages = tempfile.TemporaryDirectory(prefix="rulewright-game-")
        file = Path(self._pages.name, "game.html")
        file.write_text(page, encoding="utf-8")
        self.window_show_document(
            lsp.ShowDocumentParams(file.as_uri(), external=True), callback=lambda _: None
        )

    def tell(self, message: str) -> None:
        """Shows a message."""
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, message))


def _shown(document: Document, found: Diagnostic) -> lsp.Diagnostic:
    severity = lsp.DiagnosticSeverity
    return lsp.Diagnostic(
        range=document.range_of(found),
        message=found.message + (f"\nhelp: {found.help}" if found.help else ""),
        severity=severity.Error if found.severity == "error" else severity.Warning,
        code=found.code,
        source="rulewright",
        tags=[lsp.DiagnosticTag.Unnecessary] if found.code == "RW108" else None,
    )
