"""What readers see of a spec: every sentence of its rulebook, every name that is shown.

`retold` is the one list of it. Who extracts, translates or counts gives it a function that is asked
for each text, with the declaration it belongs to. What is proved is for editors and stays as it is;
what fails, and why, is shown to readers who try it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar, assert_never

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.sentences import plain
from rulewright.meaning.traversal import walk
from rulewright.syntax.node import Span, replace

PROGRAM = "program"
"""The kind of requirements that no spec writes: their words are the program's."""
OF_THE_PROGRAM = (".phase", ".once", ".in_order")
WORD = re.compile(r"[^\W\d_]{2}")
WINS = "wins"
"""Who wins is said in the program's words."""
DIRECTIONS = ("up", "right", "down", "left")

Claim = TypeVar("Claim", c.Property, c.Ends)

Say: TypeAlias = Callable[[str, str, Span], str]
"""What is said instead of a text, by its context and its place."""


def retold(spec: c.Spec, say: Say) -> c.Spec:
    """The spec with what readers see said anew."""
    return _Retelling(say).spec(spec)


def shown_names(spec: c.Spec) -> Iterator[tuple[str, Span]]:
    """The names that pages show as words, each once: values, variables, phases, parameters, throws,
    functions that examples speak of, and groups of clauses where they are the sections."""
    found: dict[str, Span] = {}
    for enum in spec.enums:
        for member in enum.members if enum.members != DIRECTIONS else ():
            found.setdefault(member, spec.span)
    for variable in spec.variables:
        if variable.name not in ("phase", "answered"):
            found.setdefault(variable.name, variable.span)
    for phase in spec.phases:
        found.setdefault(phase.name, phase.span)
    for transition in spec.transitions:
        if transition.kind == "chance" or transition.prose is None:
            found.setdefault(transition.name, transition.span)
        for param in transition.params:
            if transition.kind != "step" and not isinstance(param.type, y.Player):
                found.setdefault(param.name, transition.span)
    for example in spec.examples:
        for line in example.lines:
            if isinstance(line, c.Expectation):
                for node in walk(line.condition):
                    if isinstance(node, c.Call) and node.function != WINS:
                        found.setdefault(node.function, line.span)
    if not spec.sections:
        for clause in spec.clauses:
            found.setdefault(clause.name.partition(".")[0], clause.span)
    return ((name, span) for name, span in found.items() if _is_word(name))


def _is_word(name: str) -> bool:
    """Letters by themselves, squares and numbers are the same in every language."""
    return len(name) > 1 and not name[-1].isdigit()


class _Retelling:
    def __init__(self, say: Say) -> None:
        self._say = say

    def spec(self, spec: c.Spec) -> c.Spec:
        """In the order in which one would translate it: the rulebook first."""
        say = self._say
        failing = {each.subject for each in spec.acceptances if each.finding == "refuted"}

        def claim(each: Claim) -> Claim:
            if each.name not in failing:
                return each
            told: Claim = replace(each, prose=self._of("hole", each.name, each.prose, each.span))
            return told

        return replace(
            spec,
            title=say(f"game {spec.name}", spec.title, spec.span),
            sections=tuple(map(self._section, spec.sections)),
            clauses=tuple(
                replace(each, prose=say(f"clause {each.name}", each.prose, each.span))
                for each in spec.clauses
            ),
            readings=tuple(map(self._reading, spec.readings)),
            variants=tuple(
                replace(each, prose=say(f"variant {each.name}", each.prose, each.span))
                for each in spec.variants
            ),
            tables=tuple(
                replace(each, prose=self._of("table", each.name, each.prose, each.span))
                for each in spec.tables
            ),
            phases=tuple(
                replace(each, prose=self._of("phase", each.name, each.prose, each.span))
                for each in spec.phases
            ),
            views=tuple(map(self._view, spec.views)),
            start=tuple(map(self._requirement, spec.start)),
            effects=tuple(replace(each, body=self._body(each.body)) for each in spec.effects),
            transitions=tuple(map(self._transition, spec.transitions)),
            examples=tuple(
                replace(each, prose=self._of("example", each.name, each.prose, each.span))
                for each in spec.examples
            ),
            properties=tuple(map(claim, spec.properties)),
            ends=tuple(map(claim, spec.ends)),
            acceptances=tuple(map(self._accepted, spec.acceptances)),
        )

    def _accepted(self, found: c.Acceptance) -> c.Acceptance:
        """Why something fails, if that is what was found."""
        if found.finding != "refuted":
            return found
        reason = self._say(f"reason {found.subject}", found.reason, found.span)
        return replace(found, reason=reason)

    def _of(self, kind: str, name: str, prose: str | None, span: Span) -> str | None:
        return None if prose is None else self._say(f"{kind} {name}", prose, span)

    def _section(self, section: c.Section) -> c.Section:
        heading = self._say(f"section {section.name}", section.heading, section.span)
        paragraphs = []
        for each in section.paragraphs:
            name = f"{section.name} {each.clauses[0] if each.clauses else ''}".strip()
            title = self._of("paragraph", name, each.title, each.span)
            paragraphs.append(replace(each, title=title))
        return replace(section, heading=heading, paragraphs=tuple(paragraphs))

    def _view(self, view: c.View) -> c.View:
        """Labels that are words; signs are the same in every language."""
        faces = []
        for each in view.faces:
            label = each.label
            if label is not None and WORD.search(label):
                label = self._say(
                    f"view {view.subject} {y.value_name(each.value)}", label, each.span
                )
            faces.append(replace(each, label=label))
        label = self._of("view", view.subject, view.label, view.span)
        return replace(view, label=label, faces=tuple(faces))

    def _reading(self, reading: c.Reading) -> c.Reading:
        prose = self._say(f"reading {reading.name}", reading.prose, reading.span)
        options = tuple(
            replace(each, prose=self._say(f"option {reading.name}.{each.name}", each.prose,
                                          each.span))
            for each in reading.options
        )  # fmt: skip
        return replace(reading, prose=prose, options=options)

    def _requirement(self, needed: c.Requirement) -> c.Requirement:
        kind = "requirement"
        if needed.label.endswith(OF_THE_PROGRAM):
            kind = PROGRAM
        prose, template = self._filled(
            kind, needed.label, needed.prose, needed.template, needed.span
        )
        return replace(needed, prose=prose, template=template)

    def _filled(
        self, kind: str, name: str, prose: str | None, template: c.Template | None, span: Span
    ) -> tuple[str | None, c.Template | None]:
        """A sentence and the same with places for values, which is what is translated."""
        if template is None:
            return self._of(kind, name, prose, span), None
        said = self._say(f"{kind} {name}", template.text, span)
        return plain(said), replace(template, text=said)

    def _transition(self, made: c.Transition) -> c.Transition:
        prose, template = self._filled(made.kind, made.name, made.prose, made.template, made.span)
        return replace(
            made,
            prose=prose,
            template=template,
            requirements=tuple(map(self._requirement, made.requirements)),
            body=self._body(made.body),
        )

    def _body(self, body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
        return tuple(map(self._statement, body))

    def _statement(self, node: c.Statement) -> c.Statement:
        match node:
            case c.Labelled():
                prose = self._say(f"effect {node.label}", node.prose, node.span)
                return replace(node, prose=prose, body=self._body(node.body))
            case c.If():
                then, otherwise = self._body(node.then), self._body(node.otherwise)
                return replace(node, then=then, otherwise=otherwise)
            case c.For():
                return replace(node, body=self._body(node.body))
            case c.Assign() | c.Bind() | c.Perform():
                return node
            case _:
                assert_never(node)
