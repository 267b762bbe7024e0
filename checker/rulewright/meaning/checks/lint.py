"""What is allowed but probably not meant: names never used, phases never reached, requirements
that say nothing to a player, citations of clauses that do not exist."""

from __future__ import annotations

from rulewright.diagnostics import Messages, Suggestion
from rulewright.meaning import core as c
from rulewright.meaning.checks.information_flow import check_hidden
from rulewright.meaning.elaborate import Elaborated
from rulewright.meaning.names.citations import cited
from rulewright.meaning.names.sections import check_placed
from rulewright.meaning.names.symbol_table import (
    OBLIGATIONS,
    OF_USE,
    RESULTS,
    SymbolTable,
    suggestion,
)
from rulewright.meaning.traversal import walk
from rulewright.syntax import tree as t


def lint(elaborated: Elaborated, syntax: t.Spec, messages: Messages) -> None:
    """Reports all findings that need no proof."""
    _citations(elaborated.names, syntax, messages)
    if messages.failed:
        return
    _unused(elaborated, messages)
    _accepted(elaborated, syntax, messages)
    _phases(elaborated.spec, messages)
    _prose(elaborated.names, messages)
    check_placed(elaborated.spec, messages)
    check_hidden(elaborated.spec, messages)


def _citations(names: SymbolTable, syntax: t.Spec, messages: Messages) -> None:
    for path in cited(syntax):
        if path.text not in names.of("clause"):
            messages.error(
                "RW106", path.span, f"there is no clause `{path.text}`",
                suggestion(path.text, names.of("clause"), "declare it with `clause`"),
            )  # fmt: skip


def _accepted(elaborated: Elaborated, syntax: t.Spec, messages: Messages) -> None:
    """Findings that are accepted of what is not there, or that are not found. Whether something is
    refuted, vacuous or redundant is for `prove` to say; labels may come from variants."""
    names, spec = elaborated.names, elaborated.spec
    moves = [each.name for each in spec.transitions]
    labels = [each.label for move in spec.transitions for each in move.requirements]
    known = {
        "refuted": [*names.of("property"), *OBLIGATIONS],
        "vacuous": [*names.of("property"), *moves],
        "redundant": labels,
        "unused": [name for kind in OF_USE for name in names.of(kind)],
        "untested": [*_carriers(spec), *(each.name for each in spec.clauses)],
    }
    written = [each for each in syntax.declarations if isinstance(each, t.Accept)]
    for each, accept in zip(spec.acceptances, written):
        gone = messages.text.whole_lines(each.span), ""
        if not each.reason.strip():
            messages.error(
                "RW118", each.span, f"`{each.subject}` is accepted without a reason",
                "say why it is left as it is",
            )  # fmt: skip
        subjects = known[each.finding]
        if each.subject not in subjects and not (each.finding == "redundant" and spec.variants):
            help = suggestion(each.subject, subjects, "take the line out")
            messages.error(
                "RW117", each.span, f"there is no `{each.subject}` that could be {each.finding}",
                help,
                (accept.subject.span, help.text) if isinstance(help, Suggestion) else gone,
            )  # fmt: skip
        elif each.finding == "unused" and any(
            (kind, each.subject) in names.used for kind in OF_USE
        ):
            messages.warning(
                "RW117", each.span, f"`{each.subject}` is accepted as unused, but it is used",
                "take the line out", gone,
            )  # fmt: skip


def _carriers(spec: c.Spec) -> list[str]:
    """The names and labels of everything that can carry out a clause."""
    parts: list[c.Core] = [*spec.transitions, *spec.effects]
    labels = [
        node.label
        for part in parts
        for node in walk(part)
        if isinstance(node, c.Requirement | c.Labelled)
    ]
    named = [
        *(each.name for each in spec.transitions), *(each.name for each in spec.effects),
        *(each.name for each in spec.functions), *(each.name for each in spec.tables),
        *(each.name for each in spec.constants),
        *(each.name for each in spec.variables if each.hidden),
    ]  # fmt: skip
    return [*named, *labels, *(each.label for each in spec.start)]


def _unused(elaborated: Elaborated, messages: Messages) -> None:
    accepted = {each.subject for each in elaborated.spec.acceptances if each.finding == "unused"}
    names = elaborated.names
    for kind in OF_USE:
        for name, declaration in names.of(kind).items():
            if (kind, name) in names.used or name in accepted:
                continue
            if kind == "function" and name in RESULTS:
                continue
            ident = getattr(declaration, "name", None) or declaration.declarator.name
            messages.warning(
                "RW108", ident.span, f"the {kind} `{name}` is never used",
                f'use it, remove it, or say why it stays: `accept unused {name} "..."`',
            )  # fmt: skip


def _phases(spec: c.Spec, messages: Messages) -> None:
    """Phases that no transition leads to, and phases that nothing leads out of."""
    if not spec.phases:
        return
    effects = {effect.name: effect for effect in spec.effects}
    leads: dict[str, set[str]] = {phase.name: set() for phase in spec.phases}
    acts: set[str] = set()
    everywhere = set(leads)
    for transition in spec.transitions:
        targets = _targets(transition.body, effects, everywhere)
        for phase in transition.phases:
            leads[phase] |= targets
            acts.add(phase)
    reached: set[str] = set()
    waiting = [spec.phases[0].name]
    while waiting:
        phase = waiting.pop()
        if phase not in reached:
            reached.add(phase)
            waiting += leads[phase]
    for each in spec.phases:
        if each.name not in reached:
            messages.warning(
                "RW112", each.span, f"the phase `{each.name}` is never reached",
                f"lead to it with `phase = {each.name}`, or remove it",
            )  # fmt: skip
        elif each.name not in acts and not each.final:
            messages.warning(
                "RW116", each.span, f"nothing can happen in the phase `{each.name}`",
                "mark it `final`, or give it a move, chance event or step",
            )  # fmt: skip


def _targets(
    body: tuple[c.Statement, ...], effects: dict[str, c.Effect], everywhere: set[str]
) -> set[str]:
    found: set[str] = set()
    waiting: list[c.Statement] = list(body)
    performed: set[str] = set()
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, c.Assign) and node.variable == "phase":
                for value in walk(node.value):
                    if isinstance(value, c.StateVar | c.Local | c.Call):
                        return everywhere
                    if isinstance(value, c.Literal) and value.type == node.type:
                        found.add(str(value.value))
            elif isinstance(node, c.Perform) and node.effect not in performed:
                performed.add(node.effect)
                if node.effect in effects:
                    waiting.extend(effects[node.effect].body)
    return found


def _prose(names: SymbolTable, messages: Messages) -> None:
    for kind, field in (("rule", "items"), ("move", "needs")):
        for declaration in names.of(kind).values():
            for item in getattr(declaration, field):
                if isinstance(item, t.Requirement) and item.prose is None:
                    messages.warning(
                        "RW507", item.name.span,
                        f"the requirement `{item.name.text}` has no prose",
                        "say in quotes what a player should read when it refuses a move",
                    )  # fmt: skip
