"""Reads the specs that a command is given, and begins its report with what reading them found."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from rulewright import __version__
from rulewright.diagnostics import Diagnostic
from rulewright.frontend import LoadedSpec, read
from rulewright.report.model import Report, Result, Table
from rulewright.resources import bundled_specs, find_spec, library_games
from rulewright.syntax.node import replace


def read_specs(arguments: Sequence[str]) -> list[LoadedSpec]:
    """Each spec once, read as far as it can be; what is wrong with one is in its diagnostics."""
    return [_read(argument) for argument in dict.fromkeys(arguments)]


def report_on(
    command: str,
    specs: Sequence[LoadedSpec],
    results: Sequence[Result],
    summary: Mapping[str, object],
    exit: int,
    found: Sequence[Diagnostic] = (),
    table: Table | None = None,
    closing: str | None = None,
) -> Report:
    """The report of a command on some specs; `found` is what it found besides reading them."""
    only = specs[0] if len(specs) == 1 else None
    return Report(
        command=command,
        version=__version__,
        spec=only.file if only else None,
        spec_hash=only.hash if only else None,
        results=tuple(results),
        diagnostics=tuple(each for spec in specs for each in spec.diagnostics) + tuple(found),
        summary=summary,
        exit=exit,
        texts=tuple(spec.text for spec in specs if spec.text is not None),
        table=table,
        closing=closing,
    )


def _read(argument: str) -> LoadedSpec:
    path = argument if os.path.isfile(argument) else find_spec(argument)
    checked = read(path)
    if os.path.exists(path):
        return checked
    advice = _which_was_meant(argument)
    advised = tuple(replace(found, help=advice) for found in checked.diagnostics)
    return replace(checked, diagnostics=advised)


def _which_was_meant(argument: str) -> str:
    """Advice for somebody whose spec is neither a file nor a bundled game."""
    from difflib import get_close_matches

    names = list(bundled_specs())
    near = get_close_matches(argument, [*names, *library_games()], n=1)
    if near:
        return f"did you mean the bundled game `{near[0]}`?"
    return f"the bundled games are {', '.join(f'`{name}`' for name in names)}"
