"""What somebody gets who installs the program: it runs anywhere, with its grammar and its games."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rulewright.resources import bundled_specs

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


def run(*command: object, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command in a folder, free of what this checkout puts in its way."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout by way of the source archive."""
    out = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, folder=out)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, installed with what it needs and nothing else."""
    home = tmp_path_factory.mktemp("home")
    made = run(sys.executable, "-m", "venv", home / "venv", folder=home)
    assert made.returncode == 0, made.stderr
    python = home / "venv" / "bin" / "python"
    done = run(
        python, "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", wheel,
        folder=home,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return python.with_name("rulewright")


def test_the_wheel_holds_what_the_program_needs_and_no_more(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert "rulewright/_data/grammar/rules.lark" in names
    assert "rulewright/_data/grammar/tables.json" in names
    assert {
        "rulewright/cli/templates/starter.rules",
        "rulewright/cli/templates/starter_engine.py",
    } <= set(names)
    assert "rulewright/py.typed" in names
    assert {"rulewright/wasm/browser/game.js", "rulewright/wasm/browser/manifest.js"} <= set(names)
    for name, path in bundled_specs().items():
        assert any(each.endswith(f"/{name}.rules") for each in names), path
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "rulewright",
        "rulewright_engines",
    }


def test_the_installed_program_works_from_an_empty_folder(installed: Path, tmp_path: Path):
    shown = run(installed, "--help", folder=tmp_path)
    assert shown.returncode == 0
    assert "verify" in shown.stdout

    checked = run(installed, "check", "qwixx", folder=tmp_path)
    assert (checked.returncode, checked.stderr) == (0, "checked 1 spec: no problems\n"), checked

    started = run(installed, "new", "mine", folder=tmp_path)
    assert started.returncode == 0, started.stderr
    assert run(installed, "check", "mine.rules", folder=tmp_path).returncode == 0


def test_the_installed_program_needs_no_lark(installed: Path, tmp_path: Path):
    python = installed.with_name("python")
    assert run(python, "-c", "import lark", folder=tmp_path).returncode != 0
    checked = run(
        python, "-c", "import sys; from rulewright.frontend import read;"
        "from rulewright.resources import find_spec; spec = read(find_spec('kubbar'));"
        "assert spec.spec is not None and 'lark' not in sys.modules",
        folder=tmp_path,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr
    kept = list((tmp_path / "cache").rglob("*")) if (tmp_path / "cache").exists() else []
    assert not [each for each in kept if "grammar" in each.parts]


def test_a_grammar_that_is_newer_than_the_tables_is_made_anew(installed: Path, tmp_path: Path):
    """Tables of another grammar are never used."""
    found = run(
        installed.with_name("python"), "-c",
        "from rulewright.resources import grammar_path; print(grammar_path())",
        folder=tmp_path,
    )  # fmt: skip
    grammar = Path(found.stdout.strip())
    before = grammar.read_text("utf-8")
    try:
        grammar.write_text(before + "\n// newer\n", "utf-8")
        asked = run(
            installed.with_name("python"), "-c",
            "from rulewright.syntax.parsing.parse_tables import load_tables; load_tables()",
            folder=tmp_path,
        )  # fmt: skip
        assert "No module named 'lark'" in asked.stderr
    finally:
        grammar.write_text(before, "utf-8")
