"""Finding the files of recorded games, as a task: for whoever has them."""

from __future__ import annotations

import json

from rulewright.simulate.tasks.trace_files import pieces


def perform(shared: str, task: str) -> str:
    """The pieces of the files that some arguments name."""
    return json.dumps([[each.file, each.start, each.end] for each in pieces(json.loads(task))])
