"""Part of building a wheel: the parse tables are made now, so that Lark is not needed to run."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "rulewright/_data/grammar/tables.json"


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    """Puts the tables into the wheel. A checkout that is installed as it is has none: there the
    grammar may change at any time."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version != "standard":
            return
        sys.path.insert(0, os.path.join(self.root, "checker"))
        try:
            from rulewright.syntax.parsing.parse_tables import shipped_tables
        finally:
            sys.path.pop(0)
        with open(os.path.join(self.root, "grammar", "rules.lark"), encoding="utf-8") as opened:
            made = shipped_tables(opened.read())
        handle, self._file = tempfile.mkstemp(suffix=".json")
        with open(handle, "w", encoding="utf-8") as file:
            json.dump(made, file, sort_keys=True, separators=(",", ":"))
        build_data["force_include"][self._file] = PLACE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_file"):
            os.unlink(self._file)
