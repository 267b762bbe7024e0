"""Imports point one way, as ARCHITECTURE.md says they do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

BASE = (
    "checker", "checker.characters", "checker.children", "checker.message", "checker.syntax.node",
    "checker.resources", "checker.codes", "checker.supervisor", "checker.budget",
    "checker.limits", "checker.stopping", "checker.store",
)  # fmt: skip
"""Modules that anybody may import."""
DOOR = {"checker": {"checker.play.game"}}
"""What `from checker import load` opens, when it is called."""
LAYERS = (
    ("syntax",),
    ("meaning",),
    ("front",),
    ("play", "smt"),
    ("kernel", "vc"),
    ("prove", "certify", "change", "conform", "site"),
    ("cli", "__main__"),
)
"""Each may import its own and those before it; `report` stands aside and needs only the base."""


def layer_of(module: str) -> int | None:
    """The layer's number; None for the base and the report."""
    if module in BASE or module.startswith("checker.report"):
        return None
    part = module.split(".")[1]
    return next(number for number, layer in enumerate(LAYERS) if part in layer)


def imports_of(path: Path) -> set[str]:
    """The modules of the checker that a file imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in inside if is_module(name)}
            found |= modules or {node.module}
    return {name for name in found if name.split(".")[0] == "checker"}


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def modules_of(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", modules_of("checker"), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_module_imports_what_comes_after_it(path: Path):
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    imported = imports_of(path)
    if module in BASE:
        assert imported <= set(BASE) | DOOR.get(module, set())
    elif module.startswith("checker.report"):
        assert {name for name in imported if not name.startswith("checker.report")} <= set(BASE)
    else:
        own = layer_of(module)
        assert own is not None
        for name in imported:
            assert (layer_of(name) or 0) <= own, f"{module} imports {name}"


@pytest.mark.parametrize("path", modules_of("engines"), ids=lambda p: str(p.relative_to(ROOT)))
def test_engines_know_nothing_of_the_checker(path: Path):
    assert imports_of(path) == set()
