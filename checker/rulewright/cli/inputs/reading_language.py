"""A spec in the language that somebody asked for with `--language`."""

from __future__ import annotations

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_status import counted
from rulewright.frontend import LoadedSpec
from rulewright.translate.merge import sources
from rulewright.translate.translated import TranslatedSpec, in_language, languages
from rulewright.translate.wording import Wording


def told_in(checked: LoadedSpec, language: str) -> tuple[LoadedSpec, Wording, tuple[str, ...]]:
    """The spec and the fixed words in a language, and a note where something is not translated;
    refuses if there is no such translation, or none that can be read."""
    known = languages(checked)
    if checked.spec is None:
        return checked, Wording(), ()
    if language not in known:
        raise RefusalError(
            f"`{checked.file}` has no translation to `{language}`",
            f"it speaks {', '.join(known)}; `rulewright translate --language TAG` begins another",
        )
    told, wording, found = in_language(checked, language)
    wrong = next((each for each in found if each.severity == "error"), None)
    if wrong is not None:
        raise RefusalError(
            f"{wrong.file}:{wrong.line}:{wrong.column}: {wrong.code} {wrong.message}",
            wrong.help or "mend the catalogue",
        )
    if not isinstance(told, TranslatedSpec) or told.catalogue is None:
        return told, wording, ()
    said = told.catalogue.translations()
    lacking = sum((each.context, each.text) not in said for each in sources(checked))
    note = f"note: {counted(lacking, 'text')} without a current translation, told as in the spec"
    return told, wording, (note,) if lacking else ()
