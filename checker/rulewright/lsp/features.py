"""Which request of the protocol is answered by what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from rulewright.lsp import game_view
from rulewright.lsp.answers import (
    call_context,
    completion,
    edits,
    hover,
    lenses,
    navigation,
    outline,
)
from rulewright.lsp.server import RulesServer
from rulewright.lsp.text.document import Document
from rulewright.lsp.text.workspace import specs_in

MOST_SYMBOLS = 500


def create() -> RulesServer:
    """A server that answers everything."""
    server = RulesServer()
    _texts(server)
    _names(server)
    _changes(server)
    _commands(server)
    return server


def _texts(server: RulesServer) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        server.settings = server.settings.read(params.initialization_options)

    @server.feature(lsp.SHUTDOWN)
    def shutdown(*_: Any) -> None:
        server.end_runs()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: lsp.DidChangeConfigurationParams) -> None:
        server.settings = server.settings.read(params.settings)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        text = params.text_document
        server.open(text.uri, text.text, text.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        document = server.documents.get(params.text_document.uri)
        if document is not None:
            document.change(params.content_changes, params.text_document.version)
            server.changed(document)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return
        server.recall(document)
        server.publish(document)
        server.refresh_lenses()
        if server.settings.test_on_save:
            await server.play_examples(document)
        if server.settings.prove_on_save:
            await server.prove(document)


def _names(server: RulesServer) -> None:
    def answer(method: str, options: Any = None) -> Callable[[Callable[..., Any]], None]:
        """Registers what answers a request about a document; a file that is not open has none."""

        def register(respond: Callable[..., Any]) -> None:
            def handler(params: Any) -> Any:
                document = server.documents.get(params.text_document.uri)
                return None if document is None else respond(document, params)

            if options is None:
                server.feature(method)(handler)
            else:
                server.feature(method, options)(handler)

        return register

    def at(function: Callable[[Document, lsp.Position], Any]) -> Callable[..., Any]:
        return lambda document, params: function(document, params.position)

    answer(lsp.TEXT_DOCUMENT_HOVER)(at(hover.hover))
    answer(lsp.TEXT_DOCUMENT_DEFINITION)(at(navigation.definition))
    answer(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(at(navigation.highlights))
    answer(lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)(at(navigation.prepare_calls))
    answer(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(lambda document, _: outline.symbols(document))
    answer(lsp.TEXT_DOCUMENT_FOLDING_RANGE)(lambda document, _: outline.folding(document))
    answer(lsp.TEXT_DOCUMENT_REFERENCES)(
        lambda document, params: navigation.references(
            document, params.position, params.context.include_declaration
        )
    )
    answer(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "["]))(
        at(completion.completion)
    )
    answer(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","])
    )(at(call_context.signature_help))
    legend = lsp.SemanticTokensLegend(outline.TOKEN_TYPES, outline.TOKEN_MODIFIERS)
    answer(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)(
        lambda document, _: outline.semantic_tokens(document)
    )
    answer(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)(
        lambda document, params: outline.semantic_tokens(document, params.range)
    )

    @server.feature(lsp.CALL_HIERARCHY_INCOMING_CALLS)
    def incoming(params: lsp.CallHierarchyIncomingCallsParams) -> Any:
        document = server.documents.get(params.item.uri)
        return None if document is None else navigation.incoming(document, params.item)

    @server.feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS)
    def outgoing(params: lsp.CallHierarchyOutgoingCallsParams) -> Any:
        document = server.documents.get(params.item.uri)
        return None if document is None else navigation.outgoing(document, params.item)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def workspace_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        folders = [each.uri for each in server.workspace.folders.values()]
        found: list[lsp.SymbolInformation] = []
        for document in specs_in(folders or [server.workspace.root_uri or ""], server.documents):
            for each in outline.symbols(document):
                for symbol in (each, *(each.children or ())):
                    if params.query.lower() in symbol.name.lower():
                        place = lsp.Location(document.uri, symbol.selection_range)
                        found.append(lsp.SymbolInformation(place, symbol.name, symbol.kind))
        return found[:MOST_SYMBOLS]


def _changes(server: RulesServer) -> None:
    def document_of(params: Any) -> Document | None:
        return server.documents.get(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        document = document_of(params)
        if document is None:
            return None
        try:
            return navigation.rename(document, params.position, params.new_name)
        except navigation.RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        document = document_of(params)
        return None if document is None else navigation.prepare_rename(document, params.position)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
    )
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = document_of(params)
        if document is None:
            return []
        found = server.found.get(document.uri, [])
        only = [str(getattr(each, "value", each)) for each in params.context.only or ()]
        offered: list[lsp.CodeAction] = []
        if not only or "quickfix" in only:
            offered += edits.fix_actions(document, params.range, found)
        if any(each in ("source", "source.fixAll", "source.fixAll.rulewright") for each in only):
            offered += edits.fix_all(document, found)
        return offered

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        document = document_of(params)
        return None if document is None else edits.formatting(document)

    @server.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    def range_formatting(params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit] | None:
        document = document_of(params)
        return None if document is None else edits.formatting(document, params.range)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))
    def code_lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        document = document_of(params)
        return None if document is None else lenses.lenses(document, server.book, server.marks)


def _commands(server: RulesServer) -> None:
    def page_or_message(title: str, page: str | None, otherwise: str) -> dict[str, Any]:
        """Hands a page to an editor that shows it, or has it opened; or says why there is none."""
        if page is None:
            server.tell(otherwise)
        elif not server.settings.returns_pages:
            server.show_page(page)
        return {"title": title, "html": page, "message": None if page else otherwise}

    @server.command(lenses.PROVE)
    async def prove(uri: str, name: str | None = None) -> dict[str, Any]:
        document = server.documents.get(uri)
        report = None if document is None else await server.prove(document)
        if document is None or report is None:
            server.tell("there is nothing to prove: the spec cannot be used, or has changed")
            return {"verdicts": {}}
        names = [name] if name else [each.name for each in document.full().spec.properties]  # type: ignore[union-attr]
        return {"verdicts": {each: server.book.status(document, each).word for each in names}}

    @server.command(lenses.EVIDENCE)
    async def evidence(uri: str, clause: str | None = None) -> dict[str, Any]:
        document = server.documents.get(uri)
        if document is None or await server.test_evidence(document) is None:
            server.tell("no evidence can be tested: the spec cannot be used, or has changed")
            return {"marks": {}}
        asked = [clause] if clause else sorted(server.marks.read(uri) or {})
        return {"marks": {each: server.marks.mark(document, each) for each in asked}}

    @server.command(lenses.SHOW_GAME)
    async def show_game(uri: str, name: str) -> dict[str, Any]:
        document = server.documents.get(uri)
        if document is None:
            return {"html": None}
        page = await asyncio.get_running_loop().run_in_executor(
            None,
            game_view.verdict_page,
            document.uri,
            document.content,
            server.book.verdicts(uri),
            name,
        )
        return page_or_message(name, page, f"no game is known for `{name}`")

    @server.command(lenses.PLAY_EXAMPLE)
    async def play_example(uri: str, name: str) -> dict[str, Any]:
        document = server.documents.get(uri)
        if document is None:
            return {"html": None}
        report = await server.play_examples(document)
        results = [] if report is None else report.get("results", [])
        mine = next((each for each in results if each.get("name") == name), None)
        if mine is None:
            return page_or_message(name, None, f"`{name}` cannot be played: the spec has errors")
        page = await asyncio.get_running_loop().run_in_executor(
            None, game_view.example_page, document.uri, document.content, name
        )
        return {**page_or_message(name, page, "it cannot be drawn"), "verdict": mine["verdict"]}

    @server.command(lenses.WHY)
    async def why(uri: str, name: str) -> dict[str, Any]:
        document = server.documents.get(uri)
        report = None
        if document is not None:
            report = await server.run(document, "why", "--move", name, "--by", "1")
        result = (report or {}).get("results") or [None]
        if result[0] is None:
            said = "it cannot be told: the spec has errors, or the game has no fixed start"
        elif result[0].get("verdict") == "refused":
            labels = ", ".join(f"`{each['label']}`" for each in result[0]["failing"])
            said = f"player 1 cannot `{name}` at the start: {labels} refuses it"
        else:
            ways = len(result[0].get("moves", [None]))
            said = (
                f"player 1 can `{name}` at the start, in {ways} ways"
                if ways != 1
                else (f"player 1 can `{name}` at the start")
            )
        server.tell(said)
        return {"answer": said, "result": result[0]}
