"""What the GitHub Action and the pre-commit hooks run, run here as the shell runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

PIG = (ROOT / "spec" / "tutorial" / "pig.rules").read_text(encoding="utf-8")
STRICTER = PIG.replace("[turn.first]: total > 0", "[turn.first]: total > 5")


class Repository:
    """A repository with `games/pig.rules` committed, and the program on the path."""

    def __init__(self, folder: Path, cache: Path, installed: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ, "XDG_CACHE_HOME": str(cache),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(installed),
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
    installed = tmp_path_factory.mktemp("runner")
    (installed / "rulewright").mkdir()
    (installed / "rulewright" / "bin").symlink_to(Path(sys.executable).parent)
    return Repository(tmp_path, tmp_path_factory.getbasetemp() / "cache", installed)


def test_the_action_says_what_a_pull_request_does(repository):
    assert repository.action(quick="true").stdout == ""
    repository.file.write_text(STRICTER, encoding="utf-8")
    ran = repository.action(quick="true", allow="equal,looser")
    assert ran.returncode == 1
    assert "::error file=games/pig.rules" in ran.stdout and "`hold` is stricter" in ran.stdout
    (page,) = (repository.folder / "rulewright-report").iterdir()
    assert page.name.startswith("games-pig.rules-")
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


# ---- what a stranger may try


def test_names_of_files_are_never_options_nor_commands(repository):
    names = ["-h.rules", "--html=owned.rules", "$(touch owned).rules", "`touch owned`.rules",
             "a b\n::error::c.rules", "; touch owned;.rules", "%0A::error::x.rules"]  # fmt: skip
    for name in names:
        (repository.folder / name).write_text(PIG, encoding="utf-8")
    repository.commit()
    for name in names:
        (repository.folder / name).write_text(STRICTER, encoding="utf-8")
    ran = repository.action(quick="true")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    pages = list((repository.folder / "rulewright-report").iterdir())
    assert len(pages) == len(names)
    assert not any(each.name == "owned" for each in repository.folder.rglob("*"))
    started = [line for line in ran.stdout.splitlines() if line.startswith("::")]
    assert all(line.startswith(("::group::", "::stop-commands::", "::endgroup", "::notice file="))
               or len(line) == 68 for line in started), started  # fmt: skip


def test_every_file_has_a_page_of_its_own(repository):
    names = ["a/b.rules", "a-b.rules", "a/b-c.rules", "a-b/c.rules", "é.rules", "è.rules"]
    for name in names:
        file = repository.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(PIG, encoding="utf-8")
    repository.commit()
    for name in names:
        (repository.folder / name).write_text(STRICTER, encoding="utf-8")
    assert repository.action(quick="true").returncode == 0
    assert len(list((repository.folder / "rulewright-report").iterdir())) == len(names)


def test_a_link_is_not_followed(repository, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("a secret of this machine", encoding="utf-8")
    repository.file.unlink()
    repository.file.symlink_to(secret)
    (repository.folder / "new.rules").symlink_to(secret)
    repository.git("add", "-A")
    ran = repository.action(quick="true")
    assert ran.returncode == 1
    assert "a secret" not in ran.stdout + ran.stderr
    assert ran.stdout.count("must be a file, not a link") == 2


@pytest.mark.parametrize("how", ["folder", "link", "link in it", "link above"])
def test_what_a_pull_request_puts_in_the_place_of_the_pages_is_not_kept_as_ours(
    repository, tmp_path_factory, how
):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    report = "out/report" if how == "link above" else "rulewright-report"
    folder = repository.folder / report
    if how == "link":
        folder.symlink_to(elsewhere)
    elif how == "link above":
        folder.parent.symlink_to(elsewhere)
    else:
        folder.mkdir()
        (folder / "page.html").write_text("<script>alert(1)</script>")
        if how == "link in it":
            (folder / "secrets").symlink_to(elsewhere)
    repository.commit()
    repository.file.write_text(STRICTER, encoding="utf-8")
    ran = repository.action(quick="true", report=report)
    assert ran.returncode == 1
    assert "the folder for the report is part of the repository, or a link" in ran.stdout
    assert list(elsewhere.iterdir()) == []


def test_a_folder_that_looks_like_a_repository_configures_nothing(repository):
    """Its configuration could have git run programs."""
    bare = repository.folder / "games" / "bare"
    repository.git("clone", "-q", "--bare", ".", str(bare))
    program = Path(sys.executable).with_name("rulewright")
    asked = [str(program), "diff", "--quick", "HEAD:games/pig.rules", "pig"]
    ran = subprocess.run(
        asked, cwd=bare, env=repository.environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert "`HEAD:games/pig.rules` cannot be read" in ran.stderr


def test_hostile_content_gives_no_command_and_runs_nothing(repository):
    hostile = PIG.replace('"Pig"', '"x\r::error::y"').replace("[turn.first]: total > 0", ": true")
    repository.file.write_text(hostile, encoding="utf-8")
    ran = repository.action(quick="true")
    assert ran.returncode == 1 and "RW015" in ran.stdout
    assert "\r" not in ran.stdout


ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def test_actions_are_pinned_by_commit_and_what_they_install_by_hash():
    for step in ACTION["runs"]["steps"]:
        if "uses" in step:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
        else:
            assert "${{" not in step["run"], "nothing is put into the text of a script"
    (install,) = (each for each in ACTION["runs"]["steps"] if each.get("name") == "Install")
    assert "--require-hashes" in install["run"]
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)", read("constraints.txt"), re.MULTILINE))
    locked = re.findall(r"^([\w.-]+)==(\S+) \\\n    --hash=sha256:", read("requirements.txt"), re.M)
    needed = {
        re.split(r"[<>=]", each)[0]
        for each in tomllib.loads(read("pyproject.toml"))["project"]["dependencies"]
    }
    assert {*needed, "hatchling", "lark"} <= {name for name, _ in locked}
    assert all(pins[name] == version for name, version in locked)
    for hook in HOOKS.values():
        given = dict(each.split("==") for each in hook["additional_dependencies"])
        assert given.keys() == needed
        assert all(pins[name] == version for name, version in given.items())


def test_the_action_refuses_to_run_with_the_rights_of_the_base():
    first = ACTION["runs"]["steps"][0]
    assert "pull_request_target" in first["if"] and "exit 1" in first["run"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_page_shows_the_matrix_of_shards():
    page = read("docs/howto/many-machines.md")
    assert f"```yaml\n{read('examples/shards/prove.yml')}```" in page


def test_a_linter_for_workflows_finds_nothing():
    zizmor = Path(sys.executable).with_name("zizmor")
    if not zizmor.exists():
        pytest.skip("zizmor is not installed")
    files = [ROOT / "action.yml", *sorted((ROOT / "examples").rglob("*.yml"))]
    ran = subprocess.run(
        [zizmor, "--offline", "--no-progress", "--min-severity", "low", *files],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
