"""Brings a catalogue up to date with its spec: every text of the spec in its order, each with what
there is of its translation.

A text that changed keeps its translation as a fuzzy one, with the text that it translates; it is
stale until somebody has looked at it. A declaration that was only renamed keeps its translation as
it is. What the spec has no longer is kept at the end, as obsolete, in case it comes back.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.frontend import LoadedSpec
from rulewright.meaning.core import Spec, Term
from rulewright.syntax.node import Node, Span, replace
from rulewright.translate.po import Entry, header
from rulewright.translate.prose import PROGRAM, retold, shown_names
from rulewright.translate.translated import NAME


class Source(Node):
    """A text of a spec: the declaration it belongs to, and where it stands."""

    context: str
    text: str
    span: Span


def sources(checked: LoadedSpec) -> list[Source]:
    """Everything that readers see of a spec and its variants, each once."""
    assert checked.spec is not None
    found: dict[tuple[str, str], Source] = {}

    def note(context: str, text: str, span: Span) -> str:
        if not context.startswith(f"{PROGRAM} "):
            found.setdefault((context, text), Source(context, text, span))
        return text

    cores = [checked.spec, *(checked.variant(each.name) for each in checked.spec.variants)]
    for term in checked.spec.terms:
        note(f"term {term.name}", term_word(term), term.span)
    for core in cores:
        retold(core, note)
    for core in cores:
        for name, span in shown_names(core):
            note(NAME, name.replace("_", " "), span)
    return list(found.values())


def term_word(term: Term) -> str:
    """A term of the glossary as the spec says it."""
    return term.name.replace("_", " ")


def merged(
    old: Iterable[Entry],
    wanted: Iterable[Source],
    spec: Spec,
    file: str,
    language: str,
    line_of: Iterable[int],
) -> list[Entry]:
    """The entries of the new catalogue, its header first."""
    entries = [each for each in old if each.text]
    begin = next((each for each in old if not each.text), None) or header(spec.title, language)
    exact = {(each.context, each.text): each for each in reversed(entries)}
    pairs = list(zip(wanted, line_of))
    keys = {(each.context, each.text) for each, _ in pairs}
    left = [each for each in entries if (each.context, each.text) not in keys]
    by_context = {each.context: each for each in left if each.context != NAME and any(each.forms)}
    by_text = {each.text: each for each in left if each.is_done or each.obsolete}
    used: set[tuple[str, str]] = set()
    made = [begin]
    for source, line in pairs:
        place = f"{file}:{line}"
        known = exact.get((source.context, source.text))
        if known is None and (moved := by_text.get(source.text)) and not moved.fuzzy:
            known = replace(moved, context=source.context)
            used.add((moved.context, moved.text))
        if known is not None:
            made.append(replace(known, place=place, obsolete=False))
            continue
        changed = by_context.get(source.context)
        if changed is None:
            made.append(Entry(source.context, source.text, ("",), source.span, place=place))
            continue
        used.add((changed.context, changed.text))
        before = changed.previous if changed.fuzzy and changed.previous else changed.text
        made.append(
            replace(
                changed, text=source.text, fuzzy=True, previous=before, place=place, obsolete=False
            )
        )
    kept = [
        replace(each, obsolete=True, place="")
        for each in left
        if (each.context, each.text) not in used and any(each.forms)
    ]
    return [*made, *kept]
