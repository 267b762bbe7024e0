"""Lines above declarations: verdicts, and what can be asked with a click."""

from __future__ import annotations

from lsprotocol import types as lsp

from rulewright.lsp.clause_marks import EvidenceBook
from rulewright.lsp.text.document import Document
from rulewright.lsp.verdicts import VerdictBook, in_words
from rulewright.meaning.checks.clause_evidence import citations
from rulewright.site.model.verdicts import REFUTED, WITNESSED
from rulewright.syntax import tree as t

PROVE, SHOW_GAME, PLAY_EXAMPLE, WHY, EVIDENCE = (
    "rulewright.prove", "rulewright.showGame", "rulewright.playExample", "rulewright.why",
    "rulewright.evidence",
)  # fmt: skip


def lenses(document: Document, book: VerdictBook, marks: EvidenceBook) -> list[lsp.CodeLens]:
    """A verdict over each property, `play` over each example, `why` over each move, and over each
    clause what it has earned: a click on how often it is cited finds out."""
    analysis = document.full()
    cited: dict[str, int] = {}
    if analysis.spec is not None:
        for each in citations(analysis.spec):
            cited[each.clause] = cited.get(each.clause, 0) + 1
    found: list[lsp.CodeLens] = []
    for each_ in analysis.syntax.declarations:
        match each_:
            case t.Property(name=name) | t.Ends(name=name):
                found += _verdict(document, book, name)
            case t.Example(name=name):
                found.append(_lens(document, name, "▶ play", PLAY_EXAMPLE))
            case t.Move(name=name):
                found.append(_lens(document, name, "why?", WHY))
            case t.Clause(name=path, kind=kind) if kind.text != "aside":
                number = cited.get(path.text, 0)
                said = f"cited {number} times" if number != 1 else "cited once"
                said = marks.mark(document, path.text) or said
                asked = EVIDENCE if number else ""
                found.append(_lens(document, path, said if number else "no evidence", asked))
            case _:
                pass
    return found


def _verdict(document: Document, book: VerdictBook, name: t.Ident) -> list[lsp.CodeLens]:
    status = book.status(document, name.text)
    found = [_lens(document, name, in_words(status), PROVE)]
    if status.word in (REFUTED, WITNESSED) and any(each.trace for each in status.verdicts):
        found.append(_lens(document, name, "show the game", SHOW_GAME))
    return found


def _lens(
    document: Document, name: t.Ident | t.Path, title: str, command: str
) -> lsp.CodeLens:  # fmt: skip
    asked = lsp.Command(title, command, arguments=[document.uri, name.text] if command else None)
    return lsp.CodeLens(document.range(name.span), asked)
