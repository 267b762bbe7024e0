"""A spec as it travels to whoever plays or tests it: the text of its file."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from rulewright.frontend import LoadedSpec, check_text


def with_spec(checked: LoadedSpec, **more: Any) -> str:
    """What tasks on a spec share: its text, and whatever else."""
    assert checked.text is not None
    return json.dumps({"file": checked.file, "text": checked.text.text, **more})


@lru_cache(maxsize=1)
def opened(shared: str) -> tuple[LoadedSpec, dict[str, Any]]:
    """The spec, read and checked here, and whatever else came with it."""
    found = json.loads(shared)
    checked = check_text(found.pop("file"), found.pop("text"))
    if checked.spec is None:
        raise ValueError("a spec that cannot be used was sent")
    return checked, found
