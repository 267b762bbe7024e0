"""What the GitHub Action and the pre-commit hooks run, run here as the shell runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

PIG = (ROOT / "spec" / "tutorial" / "pig.rules").read_text(encoding="utf-8")
STRICTER = PIG.replace("[turn.first]: total > 0", "[turn.first]: total > 5")


class Repository:
    """A repository with `games/pig.rules` committed, and the program on the path."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ, "XDG_CACHE_HOME": str(cache),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }  # fmt: skip
        self.file = folder / "games" / "pig.rules"
        self.file.parent.mkdir()
        self.file.write_text(PIG, encoding="utf-8")
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=self.folder, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "rules")

    def shell(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env={**self.environment, **environment}, text=True,
            capture_output=True, check=False,
        )  # fmt: skip

    def action(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """The step of the Action that looks at the files, with its inputs."""
        action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        (step,) = (each for each in action["runs"]["steps"] if "BASE" in each.get("env", {}))
        given = {name: str(each["default"]) for name, each in action["inputs"].items()}
        given |= {"base": "HEAD", **inputs}
        environment = {name.upper(): value for name, value in given.items()}
        assert set(step["env"]) <= environment.keys()
        return self.shell("bash", "-e", "-o", "pipefail", "-c", step["run"], **environment)


@pytest.fixture
def repository(tmp_path, tmp_path_factory):
    return Repository(tmp_path, tmp_path_factory.getbasetemp() / "cache")


def test_the_action_says_what_a_pull_request_does(repository):
    assert repository.action(quick="true").stdout == ""
    repository.file.write_text(STRICTER, encoding="utf-8")
    ran = repository.action(quick="true", allow="equal,looser")
    assert ran.returncode == 1
    assert "::error file=games/pig.rules" in ran.stdout and "`hold` is stricter" in ran.stdout
    page = repository.folder / "rulewright-report" / "games-pig.rules.html"
    assert "hold: the old rules allow what the new ones refuse" in page.read_text(encoding="utf-8")
    assert repository.action(quick="true", allow="equal,stricter").returncode == 0


def test_the_action_fails_for_a_file_that_is_wrong_or_not_laid_out(repository):
    repository.file.write_text(PIG.replace("type Pips = 1..6", "type Pips  = 1..6"), "utf-8")
    ran = repository.action(quick="true")
    assert ran.returncode == 1 and "games/pig.rules" in ran.stdout
    repository.file.write_text(PIG.replace("points[p] += total", "points[p] += totl"), "utf-8")
    ran = repository.action(quick="true")
    assert ran.returncode == 1 and "totl" in ran.stdout


def test_the_action_leaves_alone_what_is_new_or_gone(repository):
    new = repository.folder / "new.rules"
    new.write_text(STRICTER, encoding="utf-8")
    repository.git("add", "-A")
    ran = repository.action(quick="true", allow="equal")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    repository.commit()
    new.unlink()
    assert repository.action(quick="true", allow="equal").returncode == 0


def test_the_action_compares_a_file_that_has_another_name(repository):
    renamed = repository.folder / "renamed.rules"
    repository.file.rename(renamed)
    renamed.write_text(STRICTER, encoding="utf-8")
    repository.git("add", "-A")
    ran = repository.action(quick="true", allow="equal")
    assert ran.returncode == 1 and "::error file=renamed.rules" in ran.stdout


HOOKS = {
    each["id"]: each
    for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}


def test_the_hooks_pass_good_files_and_stop_bad_ones(repository):
    def run(hook: str):
        return repository.shell("bash", "-c", f'{HOOKS[hook]["entry"]} "$@"', "hook",
                                "games/pig.rules")  # fmt: skip

    assert [run(each).returncode for each in HOOKS] == [0, 0, 0]
    repository.file.write_text(STRICTER, encoding="utf-8")
    ran = run("rulewright-diff")
    assert ran.returncode == 0 and "hold" in ran.stdout and "stricter" in ran.stdout
    repository.file.write_text(PIG.replace("type Pips = 1..6", "type Pips  = 1..6"), "utf-8")
    assert run("rulewright-fmt").returncode == 1
    repository.file.write_text(PIG.replace("points[p] += total", "points[p] += totl"), "utf-8")
    assert run("rulewright-check").returncode == 2
