"""The how-to shows what really happens: every command in it is run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from typing import Any

import pytest

from rulewright.play.io.json_codec import decode, encode
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import DENSE
from tests.conform.conftest import ROOT, oracles

PAGE = (ROOT / "docs" / "howto" / "check-your-engine.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```text\n\$ rulewright (.*?)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[each[0][:60] for each in SHOWN])
def test_the_commands_show_what_they_print(command, output):
    if "node" in command and shutil.which("node") is None:
        pytest.skip("node is not installed")
    ran = subprocess.run(
        [sys.executable, "-m", "rulewright", *shlex.split(command)],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    pattern = re.escape(output).replace("…\\\n", ".*\\\n").replace("…", ".*?")
    assert re.fullmatch(pattern, ran.stdout + ran.stderr, re.DOTALL), ran.stdout + ran.stderr


def test_commands_are_shown():
    assert len(SHOWN) == 3


def test_values_are_written_as_the_protocol_page_shows():
    """The page has an example for each type; the games that have such values read it."""
    page = (ROOT / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")
    table = page.partition("## How values are written")[2].partition("\n## ")[0]
    kubbar = Instance(oracles("kubbar").spec, 2, {})
    types: dict[str, Any] = {variable.name: variable.type for variable in kubbar.spec.variables}
    for shown, type in ((["red 5"], types["bag"]), (["G7"], types["home"].value)):
        assert json.dumps(shown[0]) in table
        assert encode(decode(shown, type, kubbar), type, kubbar) == shown
    assert f"more than {DENSE} keys" in table
