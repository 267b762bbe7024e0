"""Imports point one way, as ARCHITECTURE.md says they do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from rulewright.cli.registry import summaries

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "checker" / "rulewright"

LAYERS = (
    "syntax.node",
    "hidden_characters",
    "resources",
    "system",
    "distribute",
    "diagnostics",
    "codes",
    "report",
    "syntax",
    "meaning",
    "frontend",
    "fixes",
    "translate",
    "play",
    "certify",
    "wasm",
    "simulate",
    "smt",
    "kernel",
    "kernel.comparison",
    "vc",
    "kernel.ranking",
    "prove",
    "compare",
    "change",
    "conform",
    "evidence",
    "site",
    "lsp",
    "cli",
    "playground",
    "api",
    "__main__",
)
"""Each may import its own and those before it, never those after it. A module belongs to the
longest name that it begins with: the ranking rule of the kernel asks questions that `vc` writes
down, and its words for comparisons are for all."""
APART = {
    "report": {"syntax.node", "hidden_characters", "diagnostics", "codes", "system"},
    "certify": {"syntax.node", "meaning", "frontend", "play"},
    "site": {
        "syntax.node", "hidden_characters", "resources", "system", "diagnostics", "codes", "report",
        "syntax", "meaning", "frontend", "translate", "play", "wasm", "simulate",
        "kernel.comparison", "prove", "change",
    },
}  # fmt: skip
"""What a layer may import besides its own, where that is less than all before it: a report knows
nothing of rules, who checks the prover shares nothing with it, and pages ask the program as anybody
would: the page of an edition retells a comparison."""
DOOR = {"simulate", "api"}
"""What `import rulewright` opens when something of it is used."""
MOST_MODULES = 13
"""A folder with more has two ideas in it."""
COMMANDS = PACKAGE / "cli" / "commands"
"""Has one module for each command, and no other."""


def layer_of(module: str) -> str:
    """The layer of a module, which is named without `rulewright.`."""
    found = [layer for layer in LAYERS if module == layer or module.startswith(f"{layer}.")]
    assert found, f"{module} has no layer"
    return max(found, key=len)


def imports_of(path: Path, package: str = "rulewright") -> set[str]:
    """The modules of a package that a file imports anywhere in it, without the package's name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if is_module(name) else node.module for name in inside}
    names = {name.partition(".")[2] for name in found if name.split(".")[0] == package}
    return names - {""}


def is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def modules_of(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", modules_of(PACKAGE), ids=short)
def test_no_module_imports_what_comes_after_it(path: Path):
    module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
    imported = {name: layer_of(name) for name in imports_of(path)}
    if module == "__init__":
        assert set(imported.values()) <= DOOR
        return
    own = layer_of(module)
    for name, layer in imported.items():
        assert LAYERS.index(layer) <= LAYERS.index(own), f"{module} imports {name}"
        if own in APART and layer != own:
            assert layer in APART[own], f"{module} imports {name}"


@pytest.mark.parametrize("path", modules_of(ROOT / "engines"), ids=short)
def test_engines_know_nothing_of_the_program(path: Path):
    assert imports_of(path) == set()


def test_no_folder_is_crowded():
    folders = {path.parent for path in modules_of(PACKAGE)} - {COMMANDS}
    crowded = {
        short(folder): count
        for folder in folders
        if (count := sum(each.name != "__init__.py" for each in folder.glob("*.py"))) > MOST_MODULES
    }
    assert not crowded
    modules = {each.stem for each in COMMANDS.glob("*.py")} - {"__init__"}
    assert modules == set(summaries())


def test_every_layer_is_there():
    assert {layer for layer in LAYERS if not is_module(f"rulewright.{layer}")} == set()
