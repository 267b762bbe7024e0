"""Reads a version of a spec: a file, a bundled game, `REV:PATH` of git, any of them `@VARIANT`."""

from __future__ import annotations

import subprocess
from pathlib import Path

from rulewright.cli.errors import RefusalError, UnusableError
from rulewright.cli.inputs.open_game import core_of, read_spec
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning.core import Spec
from rulewright.meaning.variants import with_variant
from rulewright.syntax import tree
from rulewright.syntax.node import Node

_NO_STRANGERS = ("-c", "safe.bareRepository=explicit")
"""A folder of a checkout can look like a repository and bring a configuration, which git would do
as it says there."""


class SpecVersion(Node):
    """A spec, or one of its variants, as somebody named it."""

    shown: str
    checked: LoadedSpec
    variant: str | None
    core: Spec
    tree: tree.Spec


def read_version(argument: str, variant: str | None = None) -> SpecVersion:
    """The version that somebody means; what cannot be used is refused with the reason."""
    name, at, named = argument.rpartition("@")
    if at and name and named.isidentifier() and not Path(argument).exists():
        argument_of_spec, variant = name, named
    else:
        argument_of_spec = argument
    checked = _checked(argument_of_spec)
    core = core_of(checked, variant)
    assert checked.tree is not None
    written = checked.tree if variant is None else with_variant(checked.tree, variant)
    return SpecVersion(argument, checked, variant, core, written)


def _checked(argument: str) -> LoadedSpec:
    revision, colon, path = argument.partition(":")
    if not colon or not revision or not path or Path(argument).exists():
        return read_spec(argument)
    try:
        shown = subprocess.run(
            ["git", *_NO_STRANGERS, "show", "--no-textconv", "--end-of-options", argument],
            capture_output=True,
            check=False,
        )
    except OSError as error:
        message = f"`{argument}` cannot be read: git does not run"
        raise RefusalError(message, "install git, or name two files") from error
    if shown.returncode != 0:
        lines = shown.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1].removeprefix("fatal: ") if lines else "git does not say why"
        raise RefusalError(
            f"`{argument}` cannot be read: {reason}",
            "REV:PATH is a commit and a path from the top of the repository",
        )
    checked = check_text(argument, shown.stdout.decode("utf-8", "replace"))
    if checked.spec is None:
        raise UnusableError(checked)
    return checked
