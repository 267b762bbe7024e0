"""What findings amount to: the exit code for one, for several, and the status it goes with."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.cli.exit_codes import BUG, FAILS, HOLDS, UNDECIDED, UNUSABLE
from rulewright.diagnostics import Diagnostic
from rulewright.report.text_width import counted as counted

_GRAVEST_FIRST = (BUG, UNUSABLE, FAILS, UNDECIDED, HOLDS)
_UNUSABLE_CODES = ("RW0", "RW1", "RW2")

STATUS = {
    HOLDS: "holds",
    FAILS: "fails",
    UNUSABLE: "unusable",
    UNDECIDED: "undecided",
    BUG: "bug",
}
"""What a result with such an exit code is called."""


def gravest(exits: Iterable[int]) -> int:
    """The one exit code that speaks for several."""
    return min(exits, key=_GRAVEST_FIRST.index, default=HOLDS)


def exit_for(diagnostics: Iterable[Diagnostic], strict: bool = False) -> int:
    """What these findings amount to; `strict` counts warnings as failures."""
    return gravest(_exit_for_one(found, strict) for found in diagnostics)


def tally(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """How many errors and warnings there are."""
    severities = [found.severity for found in diagnostics]
    return {"errors": severities.count("error"), "warnings": severities.count("warning")}


def in_words(diagnostics: Iterable[Diagnostic]) -> str:
    """`2 errors, 1 warning`, or that there is nothing to complain of."""
    numbers = tally(diagnostics)
    parts = [
        counted(number, noun)
        for noun, number in (("error", numbers["errors"]), ("warning", numbers["warnings"]))
        if number
    ]
    return ", ".join(parts) or "no problems"


def _exit_for_one(found: Diagnostic, strict: bool) -> int:
    if found.severity == "error":
        return UNUSABLE if found.code.startswith(_UNUSABLE_CODES) else FAILS
    return FAILS if strict and found.severity == "warning" else HOLDS
