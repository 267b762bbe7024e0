"""Runs of the program that take longer than an editor waits: examples and proofs.

Each is a process of its own on a copy of the text, ended when the text changes, when the file is
closed or with the server. Nothing of a spec runs in the server itself but the checks.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.system.atomic_write import short_name
from rulewright.system.processes import ChildProcess, own_environment, own_program


class BackgroundRun:
    """One run of a command on a text. `answer` waits for it, from any thread; `end` ends it."""

    def __init__(self, name: str, content: str, command: str, *arguments: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="rulewright-editor-")
        self._ended = False
        file = Path(self._folder.name) / f"{short_name(name)}.rules"
        file.write_text(content, encoding="utf-8", errors="replace", newline="\n")
        self._child = ChildProcess(
            [*own_program(), command, str(file), *arguments, "--format", "json"],
            environment=own_environment(),
        )

    def answer(self) -> Mapping[str, Any] | None:
        """The report that the command printed; None if it was ended, or there is none."""
        try:
            printed, _ = self._child.process.communicate()
            report = json.loads(printed.decode("utf-8", "replace"))
        except (ValueError, OSError, subprocess.SubprocessError):
            report = None
        finally:
            self._child.end()
            self._folder.cleanup()
        return report if isinstance(report, dict) and not self._ended else None

    def end(self) -> None:
        """Ends the run; whoever waits for it gets no answer."""
        self._ended = True
        self._child.end()
