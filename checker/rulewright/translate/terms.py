"""Whether a catalogue says the terms of the glossary by their agreed words.

The agreed word of a term is the translation of its entry: forms that are divided by `|`, of which
the first is the word itself; an asterisk at the end of a word stands for any ending. A text in
which the term stands, or its plural, is to have one of the forms in its translation. Where a text
means something else by the word, a translator's comment says so: `# not the term: set`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.meaning.core import Spec, Term
from rulewright.syntax.node import Node
from rulewright.translate.catalogue import Catalogue
from rulewright.translate.merge import term_word
from rulewright.translate.po import Entry

EXEMPT = "not the term:"


class StrayTerm(Node):
    """An entry that does not say a term as agreed; `agreed` is empty where the glossary's own word
    is not the first of the forms."""

    entry: Entry
    term: str
    agreed: str
    declared: str | None = None


def stray_terms(spec: Spec, catalogue: Catalogue) -> Iterator[StrayTerm]:
    """Every place where a term is not said by its agreed word."""
    said = {each.context: each for each in catalogue.entries if each.is_done}
    for term in spec.terms:
        agreed = said.get(f"term {term.name}")
        if agreed is None:
            continue
        forms = [each.strip() for each in agreed.translation.split("|") if each.strip()]
        declared = dict(term.words).get(catalogue.language)
        first = forms[0].rstrip("*") if forms else ""
        if declared is not None and first != declared:
            yield StrayTerm(agreed, term_word(term), first, declared)
        wanted = _any_of(forms)
        meant, longer = _said_in_source(term), _longer_terms(spec, term)
        for entry in catalogue.entries:
            if not entry.is_done or not entry.text or entry.context.startswith(("term ", "name")):
                continue
            text = longer.sub(" ", entry.text) if longer else entry.text
            if not meant.search(text) or wanted.search(entry.translation):
                continue
            if not _is_exempt(entry, term_word(term)):
                yield StrayTerm(entry, term_word(term), first)


def _any_of(forms: list[str]) -> re.Pattern[str]:
    """Any of some forms, as whole words; an asterisk stands for any ending."""
    shown = [r"\w*".join(map(re.escape, each.split("*"))) for each in forms]
    return re.compile(rf"\b(?:{'|'.join(shown)})(?!\w)", re.IGNORECASE)


def _said_in_source(term: Term) -> re.Pattern[str]:
    """The term as the spec says it, perhaps in the plural."""
    return re.compile(rf"\b{re.escape(term_word(term))}(?:e?s)?(?!\w)", re.IGNORECASE)


def _longer_terms(spec: Spec, term: Term) -> re.Pattern[str] | None:
    """The terms that have this one in their name: an action tile is not called a tile."""
    own = term_word(term)
    found = [
        _said_in_source(each).pattern
        for each in spec.terms
        if own != term_word(each) and re.search(rf"\b{re.escape(own)}\b", term_word(each))
    ]
    return re.compile("|".join(found), re.IGNORECASE) if found else None


def _is_exempt(entry: Entry, term: str) -> bool:
    notes = [each.partition(EXEMPT)[2] for each in entry.notes if EXEMPT in each]
    return any(term in [each.strip() for each in note.split(",")] for note in notes)
