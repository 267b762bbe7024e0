"""Applies the fixes that diagnostics carry, as often as that mends something.

Fixes that overlap are applied one after the other, in rounds with a check in between. A round after
which no less is wrong is not kept: a fix that does not fix is left to the author.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.diagnostics import Diagnostic, Fix, Text
from rulewright.frontend import LoadedSpec, check_text

ROUNDS = 50


def apply(text: str, fixes: Iterable[Fix]) -> tuple[str, int]:
    """The text with the fixes made, and how many were: of two that overlap only the first."""
    lines = Text("", text)
    changes = sorted(
        {
            (lines.offset(fix.line, fix.column), lines.offset(fix.end_line, fix.end_column), fix)
            for fix in fixes
        },
        key=lambda change: (change[:2], change[2].text),
    )
    parts: list[str] = []
    reached = count = 0
    last = -1
    for start, end, fix in changes:
        if start < reached or start == last:
            continue
        parts += [text[reached:start], fix.text]
        reached, last, count = end, start, count + 1
    return "".join([*parts, text[reached:]]), count


def mend(file: str, content: str) -> tuple[str, int, LoadedSpec]:
    """A spec with all fixes made that mend something, how many, and what is left to say of it.
    Where they do not mend it together, the first is tried alone."""
    checked = check_text(file, content)
    total = 0
    for _ in range(ROUNDS):
        assert checked.text is not None
        for offered in (_fixes(checked.diagnostics), _fixes(checked.diagnostics)[:1]):
            changed, count = apply(checked.text.text, offered)
            after = check_text(file, changed) if count else checked
            if count and _measure(after) < _measure(checked):
                total += count
                checked = after
                break
        else:
            break
    assert checked.text is not None
    return checked.text.text, total, checked


def _fixes(diagnostics: tuple[Diagnostic, ...]) -> list[Fix]:
    return [found.fix for found in diagnostics if found.fix is not None]


def _measure(checked: LoadedSpec) -> tuple[int, int, int, int, int]:
    """How much is wrong, less being better: declarations that cannot be read, errors in names and
    types, which hide what is looked for after them, other errors, findings; then how far the first
    can be read, for one mistake in a declaration hides those after it."""
    found = checked.diagnostics
    unreadable = [each for each in found if each.code.startswith("RW0")]
    errors = sum(each.severity == "error" for each in found)
    early = sum(each.severity == "error" and each.code < "RW3" for each in found)
    reached = sum(each.line * 1_000_000 + each.column for each in unreadable)
    return len(unreadable), early, errors, len(found), -reached
