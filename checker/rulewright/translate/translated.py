"""A spec in the language of its readers: its sentences from a catalogue, where it has them, and the
words in which a page of it is written."""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic
from rulewright.frontend import LoadedSpec
from rulewright.meaning.core import Spec
from rulewright.syntax.node import Span
from rulewright.translate.catalogue import Catalogue, languages_of, path_of, read_catalogue
from rulewright.translate.prose import PROGRAM, retold, shown_names
from rulewright.translate.wording import SOURCE, Wording

NAME = "name"
"""The context of names that are shown as words."""


class TranslatedSpec(LoadedSpec):
    """A loaded spec that says its sentences in another language; its rules and its hash are those
    of the spec."""

    catalogue: Catalogue | None = None

    def variant(self, name: str) -> Spec:
        """The core of a variant, in the same language."""
        made = LoadedSpec.variant(self, name)
        return made if self.catalogue is None else _told_by(made, self.catalogue)


def languages(checked: LoadedSpec) -> list[str]:
    """The languages in which a spec can be read, its own first."""
    return [SOURCE, *(each for each in languages_of(checked.file) if each != SOURCE)]


def in_language(
    checked: LoadedSpec, language: str
) -> tuple[LoadedSpec, Wording, tuple[Diagnostic, ...]]:
    """The spec and the fixed words in a language, and what is wrong with its catalogue. Without a
    catalogue a spec speaks as it is written."""
    if checked.spec is None or language == SOURCE or language not in languages(checked):
        return checked, Wording(language), ()
    found = read_catalogue(path_of(checked.file, language), language)
    return told_by(checked, found), wording_of(checked.spec, found), found.diagnostics


def told_by(checked: LoadedSpec, catalogue: Catalogue) -> LoadedSpec:
    """A spec as a catalogue tells it."""
    assert checked.spec is not None
    spec = _told_by(checked.spec, catalogue)
    return TranslatedSpec(
        checked.file, checked.text, checked.diagnostics, checked.tree, spec, checked.hash, catalogue
    )


def wording_of(spec: Spec, catalogue: Catalogue) -> Wording:
    """The fixed words of a catalogue's language, with the names of the spec."""
    said = catalogue.translations()
    names = {
        name: said[NAME, name.replace("_", " ")]
        for name, _ in shown_names(spec)
        if (NAME, name.replace("_", " ")) in said
    }
    return Wording(catalogue.language, names)


def _told_by(spec: Spec, catalogue: Catalogue) -> Spec:
    said = catalogue.translations()
    wording = wording_of(spec, catalogue)

    def say(context: str, text: str, span: Span) -> str:
        if context.startswith(f"{PROGRAM} "):
            _, phrase, phase = text.rpartition(" the phase ")
            if not phrase:
                return wording("acts_once")
            phases = [wording.name(each) for each in phase.split(" or ")]
            return wording("in_phase", phase=f" {wording('or')} ".join(phases))
        return said.get((context, text), text)

    return retold(spec, say)
