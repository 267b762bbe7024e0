"""All that the pages of one game are made from: the spec, its evidence, its verdicts, its examples.

Says what is so; how it is worded and laid out is left to the pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from textwrap import dedent

from rulewright.frontend import LoadedSpec
from rulewright.meaning import core as c
from rulewright.meaning.checks.clause_evidence import Citation, citations
from rulewright.meaning.traversal import walk
from rulewright.play.explain.examples import PlayedExample, play_examples
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import TakenTransition
from rulewright.play.semantics.values import Position
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.site.draw.position import PositionPicture
from rulewright.site.model.verdicts import EarnedEvidence, PublishedStatus, Verdicts
from rulewright.syntax import tree
from rulewright.syntax.node import Node, Span
from rulewright.system.limits import most
from rulewright.system.whole_file import TooLargeError, whole
from rulewright.translate.catalogue import path_of
from rulewright.translate.translated import in_language, languages
from rulewright.translate.wording import Wording


class ClauseCarrier(Node):
    """Something that carries a clause out: a requirement, a labelled effect, a move, data."""

    label: str
    prose: str
    kind: str


class Book:
    """One game, ready to be published."""

    def __init__(
        self, checked: LoadedSpec, verdicts: Verdicts, wording: Wording | None = None
    ) -> None:
        assert checked.spec is not None and checked.text is not None
        self.checked = checked
        self.spec: c.Spec = checked.spec
        self.verdicts = verdicts
        self.wording = wording or Wording()
        self.hash: str = checked.hash or ""
        self._games: dict[object, CompiledGame] = {}

    @property
    def name(self) -> str:
        return self.spec.name

    @cached_property
    def version(self) -> str:
        """Names all that is said here, as far as it does not come from the program."""
        assert self.checked.text is not None
        told = self.verdicts.about(self.name, self.hash)
        made = sha256(f"{self.checked.text.text}\0{told}".encode())
        for language in self.languages[1:]:
            made.update(f"\0{language}\0".encode() + _content(self.checked.file, language))
        return made.hexdigest()

    @cached_property
    def languages(self) -> list[str]:
        """The languages in which the rulebook can be read, its own first."""
        return languages(self.checked)

    def in_language(self, language: str) -> Book:
        """The same game, told in a language."""
        if language == self.wording.language:
            return self
        told, wording, found = in_language(self.checked, language)
        wrong = next((each for each in found if each.severity == "error"), None)
        if wrong is not None:
            raise UsageError(
                f"its translation cannot be read: {wrong.file}:{wrong.line}: {wrong.message}",
                wrong.help,
            )
        return Book(told, self.verdicts, wording)

    @cached_property
    def played(self) -> list[PlayedExample]:
        """How each worked example went."""
        return list(play_examples(self.spec, self.checked.variant))

    @cached_property
    def citations(self) -> dict[str, list[Citation]]:
        """Who cites each clause."""
        found: dict[str, list[Citation]] = {each.name: [] for each in self.spec.clauses}
        for citation in dict.fromkeys(citations(self.spec)):
            found.setdefault(citation.clause, []).append(citation)
        return found

    def cited_by(self, clause: str, *kinds: str) -> list[str]:
        """The names of what cites a clause, of some kinds."""
        found = self.citations.get(clause, [])
        return list(dict.fromkeys(each.name for each in found if each.kind in kinds))

    @cached_property
    def carried(self) -> dict[str, ClauseCarrier]:
        """Everything with a name and a sentence that can carry out a clause."""
        spec = self.spec
        found: dict[str, ClauseCarrier] = {}
        named: list[tuple[str, Iterable[c.Function | c.Effect | c.TableData | c.Constant]]] = [
            ("function", spec.functions), ("effect", spec.effects), ("table", spec.tables),
            ("constant", spec.constants),
        ]  # fmt: skip
        for kind, declarations in named:
            for each in declarations:
                found[each.name] = ClauseCarrier(each.name, each.prose or "", kind)
        for effect in spec.effects:
            _label(effect.body, found)
        for transition in spec.transitions:
            prose = transition.prose or ""
            found[transition.name] = ClauseCarrier(transition.name, prose, transition.kind)
            _label(transition.body, found)
            for needed in transition.requirements:
                found[needed.label] = ClauseCarrier(needed.label, needed.prose or "", "requirement")
        for needed in spec.start:
            found[needed.label] = ClauseCarrier(needed.label, needed.prose or "", "requirement")
        return found

    def status(
        self, name: str, readings: Mapping[str, str] | None = None, variant: str | None = None
    ) -> PublishedStatus:
        """How a property stands."""
        return self.verdicts.of(self.spec, self.hash, name, readings, variant)

    def earned(self, clause: str) -> EarnedEvidence | None:
        """What a clause has earned; None if that is not known."""
        return self.verdicts.earned(self.hash, clause)

    def says_nothing(self, claim: str, clause: str | None = None) -> bool:
        """Whether a claim says nothing, or nothing about a clause that it cites."""
        trivial = self.verdicts.trivial(self.hash)
        return (claim, None) in trivial or (claim, clause) in trivial

    @cached_property
    def claims(self) -> dict[str, c.Property | c.Ends]:
        """Everything that is to be proved, by name."""
        return {each.name: each for each in claims_of(self.spec)}

    @cached_property
    def exercised(self) -> dict[str, list[str]]:
        """The examples that make use of each clause: by a move, an effect or a refusal."""
        found: dict[str, list[str]] = {}
        for played in self.played:
            clauses = {clause for each in played.happened for clause in _used(each)}
            clauses |= {clause for each in played.refusals for clause in each.clauses}
            for clause in clauses if played.passed else ():
                found.setdefault(clause, []).append(played.example.name)
        return found

    @cached_property
    def clauses_of(self) -> dict[str, list[str]]:
        """The clauses that each requirement, effect or move carries out, by its label."""
        found: dict[str, list[str]] = {}
        for clause, cited in self.citations.items():
            for each in cited:
                if each.kind in ("rule", "move"):
                    found.setdefault(each.name, []).append(clause)
        return found

    def used_in_proofs(self, clause: str) -> list[str]:
        """The properties whose proofs needed something that carries out the clause."""
        labels = set(self.cited_by(clause, "rule", "move"))
        return [name for name in self.claims if labels & set(self.status(name).uses)]

    @cached_property
    def signs(self) -> dict[str, dict[str, str]]:
        """The legends of the tables: the sign for each value."""
        written = {
            words.replace(" ", ""): member
            for enum in self.spec.enums
            for words, member in zip(enum.written or enum.members, enum.members)
        }
        found: dict[str, dict[str, str]] = {}
        assert self.checked.tree is not None
        for declaration in self.checked.tree.declarations:
            if isinstance(declaration, tree.Table):
                cells = [each.text for each in declaration.legend]
                pairs = zip(cells[::2], cells[1::2])
                found[declaration.declarator.name.text] = {
                    written.get(value, value): sign for sign, value in pairs
                }
        return found

    def is_told(self, example: c.Example) -> bool:
        """Whether an example is one of the rulebook: it plays a sentence that tells of one."""
        told = {each.name for each in self.spec.clauses if each.kind == "example"}
        return not told.isdisjoint(example.clauses)

    def is_filled_in(self, example: c.Example) -> bool:
        """Whether an example that the rulebook tells has data of our own, which an assumption
        says."""
        assumed = {name for each in self.spec.assumptions for name in each.clauses}
        told = {each.name for each in self.spec.clauses if each.kind == "example"}
        return not (assumed & told).isdisjoint(example.clauses)

    def scene(
        self, instance: Instance, seats: tuple[str, ...] = (), on_table: bool = False
    ) -> PositionPicture:
        """Draws positions of an instance; `on_table` as players see them."""
        return PositionPicture(instance, self.signs, seats, self.wording, on_table)

    def beginning(self, variant: str | None = None) -> tuple[Instance, Position]:
        """The game with the fewest players, at its start."""
        spec = self.spec if variant is None else self.checked.variant(variant)
        instance = Instance(spec, spec.least)
        return instance, initial_position(instance)

    def game(
        self, players: int | None, readings: Mapping[str, str], variant: str | None
    ) -> CompiledGame:
        """What plays the game in a moment, with so many players and these readings."""
        key = (players, *sorted(readings.items()), variant)
        if key not in self._games:
            spec = self.spec if variant is None else self.checked.variant(variant)
            self._games[key] = CompiledGame(Instance(spec, players, dict(readings)))
        return self._games[key]

    def excerpt(self, span: Span) -> list[str]:
        """What stands in the spec at a place, line by line."""
        assert self.checked.text is not None
        text = self.checked.text.text
        line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
        indented = line[: len(line) - len(line.lstrip())]
        return dedent(indented + text[span.start : span.end]).splitlines()

    def written(self, span: Span) -> str:
        """What stands in the spec at a place, in one line."""
        assert self.checked.text is not None
        lines = self.checked.text.text[span.start : span.end].splitlines()
        return " ".join(line.split("  #")[0].strip() for line in lines)


def _content(file: str, language: str) -> bytes:
    try:
        return whole(path_of(file, language), most("bytes"))
    except (OSError, TooLargeError):
        return b""


def claims_of(spec: c.Spec) -> list[c.Property | c.Ends]:
    """Everything that a spec claims."""
    return [*spec.properties, *spec.ends]


def _label(body: tuple[c.Statement, ...], found: dict[str, ClauseCarrier]) -> None:
    for statement in body:
        for node in walk(statement):
            if isinstance(node, c.Labelled):
                found[node.label] = ClauseCarrier(node.label, node.prose, "effect")


def _used(happened: TakenTransition) -> Iterable[str]:
    """The clauses that a transition carried out."""
    yield from happened.transition.clauses
    for needed in happened.transition.requirements:
        yield from needed.clauses
    for done in happened.done:
        yield from done.clauses
