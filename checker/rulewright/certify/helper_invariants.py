"""Helper invariants: read from their text, as if they stood in the spec.

A text comes with a proof or from a file, so it may say anything. It is put at the end of the spec
as an invariant, and all else must be as it was before.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.certify.claim import HELPER
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning import core as c
from rulewright.syntax.node import replace

NAME = "helper_of_a_proof_"


def with_helpers(
    checked: LoadedSpec, variant: str | None, texts: Sequence[str]
) -> tuple[c.Spec, list[str]]:
    """The core with the helpers among its properties, and the names of those that are none."""
    spec = _core(checked, variant)
    refused = []
    for text in texts:
        name = HELPER + text
        found = _read(checked, variant, text)
        if found is None:
            refused.append(name)
        else:
            helper = replace(found, name=name)
            spec = replace(spec, properties=(*spec.properties, helper))
    return spec, refused


def _read(checked: LoadedSpec, variant: str | None, text: str) -> c.Property | None:
    """A helper as a property; None if it is no expression, or changes anything else."""
    assert checked.text is not None
    if "\n" in text or '"' in text or "#" in text:
        return None
    written = f'{checked.text.text}\n\ninvariant {NAME} "a helper":\n    {text}\n'
    more = check_text(checked.file, written)
    if more.spec is None:
        return None
    before, after = _core(checked, variant), _core(more, variant)
    if not after.properties or after.properties[-1].name != NAME:
        return None
    if replace(after, properties=after.properties[:-1]) != before:
        return None
    found: c.Property = after.properties[-1]
    return found


def _core(checked: LoadedSpec, variant: str | None) -> c.Spec:
    assert checked.spec is not None
    return checked.spec if variant is None else checked.variant(variant)
