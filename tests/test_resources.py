"""What somebody means by SPEC."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import resources


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with one game and one tutorial spec, and a working folder elsewhere."""
    data = tmp_path / "program"
    (data / "spec" / "tutorial").mkdir(parents=True)
    (data / "spec" / "qwixx.rules").touch()
    (data / "spec" / "notes.txt").touch()
    (data / "spec" / "tutorial" / "pig.rules").touch()
    (data / "spec" / "library").mkdir()
    (data / "spec" / "library" / "othello.rules").touch()
    monkeypatch.setattr(resources, "_data", lambda: data)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return data


def test_a_bare_name_is_a_bundled_game(bundle: Path):
    assert resources.find_spec("qwixx") == bundle / "spec" / "qwixx.rules"
    assert resources.find_spec("pig") == bundle / "spec" / "tutorial" / "pig.rules"
    assert resources.find_spec("othello") == bundle / "spec" / "library" / "othello.rules"


def test_only_the_games_themselves_are_games(bundle: Path):
    assert list(resources.bundled_games()) == ["qwixx"]
    assert list(resources.bundled_specs()) == ["qwixx", "pig"]
    assert list(resources.library_games()) == ["othello"]


def test_a_file_of_that_name_comes_first(bundle: Path):
    Path("qwixx").touch()
    assert resources.find_spec("qwixx") == Path("qwixx")


def test_a_folder_of_that_name_does_not(bundle: Path):
    Path("qwixx").mkdir()
    assert resources.find_spec("qwixx") == bundle / "spec" / "qwixx.rules"


@pytest.mark.parametrize("written", ["./qwixx", "qwixx.rules", "no/such", "nothing"])
def test_anything_else_is_a_path(bundle: Path, written: str):
    assert resources.find_spec(written) == Path(written)


def test_bundled_games_are_shown_as_one_would_type_them(bundle: Path, monkeypatch):
    monkeypatch.chdir(bundle)
    assert resources.find_spec("qwixx") == Path("spec/qwixx.rules")


def test_the_cache_is_where_its_owner_wants_it(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert resources.cache_directory() == tmp_path / "rulewright"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resources.cache_directory() == tmp_path / ".cache" / "rulewright"
    monkeypatch.setenv("XDG_CACHE_HOME", "in/the/working/folder")
    assert resources.cache_directory() == tmp_path / ".cache" / "rulewright"


def test_the_grammar_is_there():
    assert Path(resources.grammar_path()).is_file()
