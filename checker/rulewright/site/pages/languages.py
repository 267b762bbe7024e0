"""Pages in the language of their readers: marked as such, with links to the same page in the other
languages."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.site.words.links import translated_file
from rulewright.site.words.markdown import link, page, plain
from rulewright.translate.wording import SOURCE, Wording, called


def in_their_language(
    title: str, lines: Sequence[str], file: str, languages: Sequence[str], wording: Wording
) -> str:
    """A page with its title; `file` is what it is called in the language of the program."""
    language = wording.language
    switch = [_switch(file, languages, wording), ""] if len(languages) > 1 else []
    if language == SOURCE:
        return page([f"# {title}", "", *switch, *lines])
    begin = [f'# <span lang="{language}">{title}</span>', "",
             f'<div lang="{language}" markdown="1">', ""]  # fmt: skip
    return page([*begin, *switch, *lines, "", "</div>"])


def _switch(file: str, languages: Sequence[str], wording: Wording) -> str:
    """Links to the page in the other languages, each called as its readers call it."""
    shown = [
        f'<strong lang="{each}">{called(each)}</strong>'
        if each == wording.language
        else f'<span lang="{each}">{link(called(each), translated_file(file, each))}</span>'
        for each in languages
    ]
    group = f'class="rw-languages" role="group" aria-label="{plain(wording("language"))}"'
    return f"<span {group}>{' · '.join(shown)}</span>"
