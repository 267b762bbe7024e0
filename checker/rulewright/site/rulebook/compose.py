"""Composes the rulebook of a spec: its sections in their order, each sentence with the tables,
pictures and worked examples that belong to it.

Where a spec names sections, they are the order; else every group of clauses is a section. What only
tells an example stands in a box after the sentence before it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from rulewright.meaning import core as c
from rulewright.site.draw.picture import Picture
from rulewright.site.model.book import Book
from rulewright.site.model.turn_diagram import turn_diagram
from rulewright.site.rulebook.components import Components
from rulewright.site.rulebook.content import (
    Answer,
    Block,
    BookSection,
    DataTable,
    Pictures,
    Prose,
    Question,
    Rulebook,
    Sentence,
)
from rulewright.site.rulebook.data_tables import as_table, data_tables
from rulewright.site.rulebook.example_boxes import ExampleBoxes
from rulewright.syntax.node import NOWHERE
from rulewright.translate.wording import Wording

TOLD = ("example", "aside")
"""Kinds of clauses that no section needs to have."""


def rulebook(book: Book, wording: Wording) -> Rulebook:
    """The rulebook of a game."""
    return _Composer(book, wording).compose()


class _Composer:
    def __init__(self, book: Book, wording: Wording) -> None:
        self._book = book
        self._spec = book.spec
        self._wording = wording
        self._clauses = {each.name: each for each in book.spec.clauses}
        self._components = Components(book, wording)
        self._boxes = ExampleBoxes(book, wording)
        self._tables = list(data_tables(book.spec, wording))

    def compose(self) -> Rulebook:
        spec, wording = self._spec, self._wording
        number = wording.ranged(str(spec.least), str(spec.most))
        sections = [self._section(each) for each in self._ordered()]
        sections += [*self._house_rules(), *self._variants()]
        shown = tuple(each for each in sections if each.blocks)
        asides = {each.name for each in spec.clauses if each.kind == "aside"}
        return Rulebook(
            spec.title, wording("players", number=number), shown,
            tuple(_at_a_glance(shown, asides)), tuple(self._components.sheets()),
        )  # fmt: skip

    def _ordered(self) -> list[c.Section]:
        """The sections in reading order, with all that no section names."""
        sections = list(self._spec.sections) or list(self._by_group())
        placed = {name for s in sections for p in s.paragraphs for name in p.clauses}
        loose = [
            each.name
            for each in self._spec.clauses
            if each.name not in placed and each.kind not in TOLD
        ]
        if loose:
            paragraph = c.Paragraph(NOWHERE, None, (), tuple(loose))
            more = c.Section(NOWHERE, "other_rules", self._wording("other_rules"), (paragraph,))
            sections.append(more)
        sections = [self._with_examples(each, placed) for each in sections]
        names = [each.name for each in sections]
        at = names.index("aim") + 1 if "aim" in names else 0
        for missing in ("box", "setup", "turn"):
            if missing not in names:
                own = c.Section(NOWHERE, missing, self._wording(missing), ())
                sections.insert(at, own)
                names.insert(at, missing)
            at = max(at, names.index(missing) + 1)
        return sections

    def _by_group(self) -> Iterator[c.Section]:
        """A section for each group of clauses."""
        groups: dict[str, list[str]] = {}
        for name in self._clauses:
            groups.setdefault(name.partition(".")[0], []).append(name)
        for group, names in groups.items():
            words = self._wording.name(group)
            paragraph = c.Paragraph(NOWHERE, None, (), tuple(names))
            yield c.Section(NOWHERE, group, words[:1].upper() + words[1:], (paragraph,))

    def _with_examples(self, section: c.Section, placed: set[str]) -> c.Section:
        """A section with the examples that stand after its sentences in the rulebook and that no
        section names."""
        following: dict[str, list[str]] = {}
        last = ""
        for clause in self._spec.clauses:
            if clause.kind == "example" and clause.name not in placed:
                following.setdefault(last, []).append(clause.name)
            elif clause.kind != "example":
                last = clause.name
        paragraphs = tuple(
            c.Paragraph(
                each.span, each.title, each.phases,
                tuple(
                    name
                    for own in each.clauses
                    for name in (own, *following.get(own, ()))
                ),
            )
            for each in section.paragraphs
        )  # fmt: skip
        return c.Section(section.span, section.name, section.heading, paragraphs)

    def _section(self, section: c.Section) -> BookSection:
        blocks: list[Block] = []
        if section.name == "turn":
            diagram = turn_diagram(self._spec, self._wording)
            if diagram:
                blocks.append(Pictures((Picture(self._wording("turn_diagram"), diagram),)))
        for paragraph in section.paragraphs:
            blocks += self._paragraph(paragraph)
        if section.name == "box":
            blocks += self._components.blocks(listed=not any(isinstance(b, Prose) for b in blocks))
        if section.name == "setup":
            blocks += self._setup()
        return BookSection(section.name, section.heading, tuple(blocks))

    def _paragraph(self, paragraph: c.Paragraph) -> Iterator[Block]:
        clauses = [self._clauses[name] for name in paragraph.clauses]
        said = [each for each in clauses if each.kind != "example"]
        if said:
            sentences = tuple(Sentence(each.prose, each.name) for each in said)
            yield Prose(paragraph.title, sentences)
        yield from self._tables_by(clauses)
        told = list(self._boxes.told(clauses))
        yield from told or self._boxes.own(said)

    def _tables_by(self, clauses: Sequence[c.Clause]) -> Iterator[DataTable]:
        """The tables that belong to these sentences: the first that each of them cites."""
        names = {each.name for each in clauses}
        for table, drawn in self._tables:
            if table.clauses and table.clauses[0] in names:
                yield drawn

    def _setup(self) -> Iterator[Block]:
        """What begins a game and no sentence says, and what lies there then."""
        unsaid = [each.prose for each in self._spec.start if each.prose and not each.clauses]
        if unsaid:
            yield Prose(None, tuple(Sentence(_sentence(each)) for each in unsaid))
        instance, position = self._book.beginning()
        scene = self._book.scene(instance)
        drawn = [each for each in scene.sheet_pictures(position) if each.svg.startswith("<svg")]
        if drawn:
            yield Pictures(tuple(drawn))
        for table, shown in self._tables:
            if not table.clauses:
                yield shown

    def _house_rules(self) -> Iterator[BookSection]:
        if self._spec.readings:
            wording = self._wording
            why = Prose(None, (Sentence(wording("house_rules_why")),))
            asked = [
                Question(
                    each.name, each.prose,
                    tuple(Answer(o.prose, o.name == each.default) for o in each.options),
                )
                for each in self._spec.readings
            ]  # fmt: skip
            yield BookSection("house_rules", wording("house_rules"), (why, *asked))

    def _variants(self) -> Iterator[BookSection]:
        """The variants, each with the sheet, the board or the tables that are different in it."""
        blocks: list[Block] = []
        usual = {each.name: each.data for each in self._spec.tables}
        for variant in self._spec.variants:
            core = self._book.checked.variant(variant.name)
            cited = [self._clauses[name] for name in variant.clauses if name in self._clauses]
            sentences = tuple(Sentence(each.prose, each.name) for each in cited)
            blocks.append(Prose(variant.prose, sentences))
            changed = [each for each in core.tables if usual.get(each.name) != each.data]
            instance, position = self._book.beginning(variant.name)
            drawn = self._book.scene(instance).sheet_pictures(position)
            pictures = tuple(each for each in drawn if each.svg.startswith("<svg"))
            if changed and pictures:
                blocks.append(Pictures(pictures))
            else:
                tables = [as_table(each, self._wording) for each in changed]
                blocks += [each for each in tables if each is not None]
        if blocks:
            yield BookSection("variants", self._wording("variants"), tuple(blocks))


def _at_a_glance(
    sections: Sequence[BookSection], asides: Container[str | None]
) -> Iterator[BookSection]:
    """What one looks up in play: the turn, the tables, how it ends; no examples, and no sections
    that have only asides."""
    for section in sections:
        if section.name in ("house_rules", "variants", "aim", "box"):
            continue
        kept = [each for each in section.blocks if isinstance(each, Prose | DataTable)]
        titled = [each for each in kept if isinstance(each, DataTable) or each.sentences]
        said = [said for each in titled if isinstance(each, Prose) for said in each.sentences]
        if any(isinstance(each, DataTable) for each in titled) or any(
            each.clause not in asides for each in said
        ):
            yield BookSection(section.name, section.heading, tuple(titled))


def _sentence(words: str) -> str:
    end = "" if words[-1:] in ".?!" else "."
    return words[:1].upper() + words[1:] + end
