"""The sections of the rulebook people play from: which sentences stand where, under which heading.

A path in a section is the name of a clause, or the first part of the names of several: a group. A
group leaves out the clauses that are placed by their own names, wherever that is.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Messages
from rulewright.meaning import core as c
from rulewright.meaning.names.symbol_table import SymbolTable, suggestion
from rulewright.syntax import tree as t


class SectionElaborator:
    """Finds the clauses of the sections of a spec."""

    def __init__(self, names: SymbolTable) -> None:
        self._names = names
        self._clauses = names.of("clause")
        self._groups: dict[str, list[str]] = {}
        for name in self._clauses:
            self._groups.setdefault(name.partition(".")[0], []).append(name)
        self._places: dict[str, t.Path] = {}
        self._named = {
            path.text
            for section in names.of("section").values()
            for paragraph in section.paragraphs
            for path in paragraph.clauses
        }

    def all(self) -> Iterator[c.Section]:
        """The sections in their order."""
        for section in self._names.of("section").values():
            paragraphs = tuple(self._paragraph(each) for each in section.paragraphs)
            yield c.Section(section.span, section.name.text, section.heading.text, paragraphs)

    def _paragraph(self, each: t.Paragraph) -> c.Paragraph:
        title: str | None = None
        phases: tuple[str, ...] = ()
        if each.title is not None:
            title = each.title.words.text
            for phase in each.title.phases:
                self._names.require("phase", phase)
            phases = tuple(phase.text for phase in each.title.phases)
        clauses = tuple(clause for path in each.clauses for clause in self._meant(path))
        return c.Paragraph(each.span, title, phases, clauses)

    def _meant(self, path: t.Path) -> list[str]:
        """The clauses that a path stands for."""
        messages, text = self._names.messages, path.text
        if text in self._places:
            line, _ = messages.text.place(self._places[text].span.start)
            messages.error(
                "RW102", path.span, f"`{text}` is placed twice",
                f"it is first placed in line {line}; remove one",
            )  # fmt: skip
            return []
        self._places[text] = path
        if text in self._clauses:
            self._names.references.use(path.span, "clause", text)
            return [text]
        if text in self._groups:
            return [each for each in self._groups[text] if each not in self._named]
        messages.error(
            "RW106", path.span, f"there is no clause or group of clauses `{text}`",
            suggestion(text, [*self._clauses, *self._groups], "declare it with `clause`"),
        )  # fmt: skip
        return []


def check_placed(spec: c.Spec, messages: Messages) -> None:
    """Warns of rules that a spec with sections leaves out of all of them."""
    if not spec.sections:
        return
    placed = {
        clause
        for section in spec.sections
        for paragraph in section.paragraphs
        for clause in paragraph.clauses
    }
    for clause in spec.clauses:
        if clause.kind not in ("example", "aside") and clause.name not in placed:
            messages.warning(
                "RW519", clause.span, f"the clause `{clause.name}` stands in no section",
                "name it, or its group, in a `section`",
            )  # fmt: skip
