"""The program as a whole: help, mistakes in the arguments, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from types import SimpleNamespace

import pytest

from rulewright import __version__
from rulewright.cli.registry import COMMANDS, summaries


def test_help_lists_every_command_with_what_it_does(rulewright):
    ran = rulewright("--help")
    assert (ran.exit, ran.err) == (0, "")
    for name, does in summaries().items():
        assert f"  {name}" in ran.out
        assert does in ran.out
    assert max(map(len, ran.out.splitlines())) <= 88


@pytest.mark.parametrize("arguments", [["help"], ["-h"], ["--help"]])
def test_there_are_three_ways_to_ask_for_help(rulewright, arguments):
    assert rulewright(*arguments) == rulewright("--help")


def test_without_a_command_the_help_is_an_error(rulewright):
    ran = rulewright()
    assert (ran.exit, ran.out, ran.err) == (2, "", rulewright("--help").out)


@pytest.mark.parametrize("name", summaries())
def test_every_command_explains_itself(rulewright, name):
    ran = rulewright(name, "--help")
    assert (ran.exit, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: rulewright {name}")
    module = import_module(f"rulewright.cli.commands.{name}")
    assert (module.__doc__ or "").splitlines()[0] in ran.out
    assert rulewright("help", name) == ran


def test_no_command_is_listed_twice():
    assert len(summaries()) == sum(map(len, COMMANDS.values()))


def test_version(rulewright):
    assert rulewright("--version") == (0, f"rulewright {__version__}\n", "")


@pytest.mark.parametrize(
    ("written", "message", "help"),
    [
        ("chekc", "there is no command `chekc`", "did you mean `check`?"),
        ("Verify", "there is no command `Verify`", "did you mean `verify`?"),
        ("zzz", "there is no command `zzz`", "`rulewright --help` lists the commands"),
        ("--zzz", "there is no option `--zzz`", "`rulewright --help` lists the commands"),
    ],
)
def test_a_misspelt_command(rulewright, written, message, help):
    assert rulewright(written) == (2, "", f"error: {message}\nhelp: {help}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check"], "the following arguments are required: SPEC"),
        (["check", "--nonsense", "x"], "unrecognized arguments: --nonsense"),
        (["check", "--form", "json", "x"], "unrecognized arguments: --form"),
        (["check", "--format", "pdf", "x"], "argument --format: invalid choice: `pdf`"),
    ],
)
def test_a_mistake_in_the_options(rulewright, arguments, message):
    ran = rulewright(*arguments)
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {message}")
    assert ran.err.endswith("help: `rulewright check --help` shows how it is used\n")


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch):
    """A `check` that ends with an exception."""

    def fail_with(error: BaseException) -> None:
        def run(options: object) -> int:
            raise error

        command = SimpleNamespace(__doc__="", configure=lambda parser: None, run=run)
        monkeypatch.setitem(sys.modules, "rulewright.cli.commands.check", command)

    return fail_with


def test_a_bug_of_ours_is_owned_up_to(rulewright, failing, monkeypatch):
    monkeypatch.delenv("RULEWRIGHT_DEBUG", raising=False)
    failing(ValueError("no such row"))
    ran = rulewright("check")
    assert (ran.exit, ran.out) == (4, "")
    assert ran.err.startswith("internal error: `rulewright check` failed at test_main.py:")
    assert "no such row" in ran.err
    assert "please report" in ran.err
    assert "Traceback" not in ran.err


def test_a_bug_of_ours_can_be_looked_into(rulewright, failing, monkeypatch):
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    failing(KeyError())
    ran = rulewright("check")
    assert ran.exit == 4
    assert "Traceback" in ran.err


def test_an_interrupt_is_told_in_a_word(rulewright, failing):
    failing(KeyboardInterrupt())
    assert rulewright("check") == (3, "", "nothing was decided: it was interrupted\n")


def test_a_reader_that_goes_away_is_no_mistake():
    program = (
        "import sys; from rulewright.cli.main import main\n"
        "sys.stdin.read(); sys.argv[1:] = ['--help']; sys.exit(main())"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert child.stdin is not None
    child.stdin.close()  # and only now it goes on
    assert child.stderr.read() == b""
    assert child.wait() == 141
    child.stderr.close()


def test_it_runs_as_a_process_of_its_own_on_the_plainest_of_terminals(process):
    ran = process("check", "gøne.rules", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert ran.returncode == 2
    assert "there is no such file" in ran.stdout
    assert ran.stderr == "checked 1 spec: 1 error\n"


def test_help_does_not_import_what_it_does_not_need():
    program = (
        "import sys; before = set(sys.modules)\n"
        "from rulewright.cli.main import run_safely; run_safely(['--help'])\n"
        "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    imported = ran.stderr.split()
    assert [name for name in imported if not name.startswith("rulewright")] == ["__future__"]


def test_rules_that_give_up_are_no_bug_of_ours(rulewright, monkeypatch):
    from rulewright.play.semantics.errors import EvaluationError, UsageError
    from rulewright.syntax.node import NOWHERE

    def fail(error):
        def run(_):
            raise error

        monkeypatch.setattr("rulewright.cli.commands.check.run", run)
        return rulewright("check", "pig")

    given_up = fail(EvaluationError("`n` is 9, outside 0..3", NOWHERE))
    assert given_up.exit == 1
    assert given_up.err.startswith("error: the rules give up: `n` is 9, outside 0..3\nhelp: ")
    assert fail(UsageError("too many", "name one"))[::2] == (2, "error: too many\nhelp: name one\n")
    assert fail(KeyError("x")).exit == 4
