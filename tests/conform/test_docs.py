"""The how-to shows what really happens: every command in it is run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys

import pytest

from tests.conform.conftest import ROOT

PAGE = (ROOT / "docs" / "howto" / "check-your-engine.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```text\n\$ rulewright (.*?)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[each[0][:60] for each in SHOWN])
def test_the_commands_show_what_they_print(command, output):
    if "node" in command and shutil.which("node") is None:
        pytest.skip("node is not installed")
    ran = subprocess.run(
        [sys.executable, "-m", "checker", *shlex.split(command)],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    pattern = re.escape(output).replace("…\\\n", ".*\\\n").replace("…", ".*?")
    assert re.fullmatch(pattern, ran.stdout + ran.stderr, re.DOTALL), ran.stdout + ran.stderr


def test_commands_are_shown():
    assert len(SHOWN) == 3
