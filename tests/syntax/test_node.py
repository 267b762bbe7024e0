"""Records: frozen, and changed only in what they have."""

from __future__ import annotations

import pytest

from rulewright.syntax.node import NOWHERE, replace
from rulewright.syntax.tree import Path


def test_a_changed_copy_has_only_fields_that_there_are():
    path = Path(NOWHERE, ("a",))
    assert replace(path, parts=("b",)) == Path(NOWHERE, ("b",))
    with pytest.raises(TypeError, match="Path has no colour"):
        replace(path, colour="red")


def test_a_record_never_changes():
    with pytest.raises(AttributeError):
        Path(NOWHERE, ("a",)).parts = ("b",)  # type: ignore[misc]
