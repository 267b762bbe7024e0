"""Whatever changes in the program, its grammar or a spec, nothing that was kept before is used."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.frontend import check_text
from rulewright.system import store
from rulewright.system.toolchain import LIBRARIES, libraries, name_of, sources, toolchain
from tests.conftest import ROOT, Ran

PIG = (ROOT / "spec" / "tutorial" / "pig.rules").read_text(encoding="utf-8")


def test_every_module_counts(tmp_path: Path):
    """Each of them, the grammar apart: a line more in any module is another program."""
    copy = tmp_path / "checker"
    shutil.copytree(ROOT / "checker", copy, ignore=shutil.ignore_patterns("__pycache__"))
    modules = sorted(copy.rglob("*.py"))
    assert len(modules) > 300 and {str(each) for each in modules} <= set(sources(str(copy)))
    seen = {name_of(str(copy))}
    for each in modules[:: len(modules) // 40]:
        with each.open("a", encoding="utf-8") as file:
            file.write("\n")
        seen.add(name_of(str(copy)))
    assert len(seen) == 1 + len(modules[:: len(modules) // 40])


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "a.py").write_text("2"),
        lambda folder: (folder / "a.py").rename(folder / "c.py"),
        lambda folder: (folder / "b" / "a.py").unlink(),
        lambda folder: (folder / "b" / "new.css").write_text(""),
        lambda folder: (folder / "b").rename(folder / "d"),
    ],
)
def test_a_file_changed_renamed_gone_or_new(tmp_path: Path, change: Callable[[Path], object]):
    (tmp_path / "b").mkdir()
    for name in ("a.py", "b/a.py"):
        (tmp_path / name).write_text("1")
    before = name_of(str(tmp_path))
    assert name_of(str(tmp_path)) == before
    change(tmp_path)
    assert name_of(str(tmp_path)) != before


def test_the_grammar_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from rulewright.system import toolchain as module

    module._program.cache_clear()
    before = toolchain(), toolchain("syntax/parsing/parse_tables.py")
    other = tmp_path / "rules.lark"
    other.write_bytes((ROOT / "grammar" / "rules.lark").read_bytes() + b"\n")
    monkeypatch.setattr(module, "grammar_path", lambda: str(other))
    module._program.cache_clear()
    try:
        after = toolchain(), toolchain("syntax/parsing/parse_tables.py")
    finally:
        module._program.cache_clear()
    assert not set(before) & set(after)


def test_bounds_count_if_they_can_lead_to_another_answer(monkeypatch: pytest.MonkeyPatch):
    before = toolchain()
    monkeypatch.setenv("RULEWRIGHT_BOUNDS", "steps=50")
    assert toolchain() != before
    monkeypatch.setenv("RULEWRIGHT_BOUNDS", "memory=5000")
    assert toolchain() == before, "it can only leave something undecided, which is not kept"


def test_every_library_that_the_program_needs_counts():
    with (ROOT / "pyproject.toml").open("rb") as file:
        needed = tomllib.load(file)["project"]["dependencies"]
    names = {re.split(r"[<>=]", each)[0].replace("-", "_") for each in needed}
    optional = {"lark", "pygraphviz"}
    assert names | optional == set(LIBRARIES), "parse tables and diagrams are made with these two"
    assert len(libraries()) == len(LIBRARIES), "each is found, with its version"


def test_everything_that_is_kept_names_program_and_spec(
    rulewright: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What commands keep of a spec, none finds that asks about another."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    kept: list[str] = []
    save = store.Store.save

    def noted(self: store.Store, key: str, content: object) -> None:
        kept.append(key)
        save(self, key, content)

    monkeypatch.setattr(store.Store, "save", noted)
    (tmp_path / "old.rules").write_text(PIG, encoding="utf-8")
    (tmp_path / "new.rules").write_text(PIG.replace("= 100", "= 60"), encoding="utf-8")
    assert check_text("a", PIG).hash != check_text("a", PIG.replace("= 100", "= 60")).hash

    def asked(spec: str) -> set[str]:
        kept.clear()
        for command in (
            ("prove", spec, "--players", "2", "--jobs", "1"),
            ("vectors", spec, "--out", "v.jsonl"),
            ("readings", spec, "--players", "2"),
        ):
            assert rulewright(*command).exit in (0, 3)
        return set(kept)

    first, second = asked("old.rules"), asked("new.rules")
    programs = toolchain(), toolchain("syntax/parsing/parse_tables.py")
    assert first and all(any(each in key for each in programs) for key in first | second)
    vectors = [{key for key in keys if key.startswith("vectors ")} for keys in (first, second)]
    assert all(vectors) and vectors[0].isdisjoint(vectors[1])
