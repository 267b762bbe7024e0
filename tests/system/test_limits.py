"""Whatever a spec asks for, the program stays within bounds, and says which one was reached."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.frontend import LoadedSpec, check_text
from rulewright.system import work_budget
from rulewright.system.limits import BOUNDS, VARIABLE, most
from rulewright.system.memory_limit import Bounded
from rulewright.system.processes import ChildProcess

PAGE = (Path(__file__).parent.parent.parent / "docs" / "reference" / "limits.md").read_text("utf-8")
HEAD = """game bounds "Bounds"
    players 2..4

phase going, over final

"""
BODY = """
state
    active: Player
    count: 0..9 = 0{state}

move go{params} by p in going
    needs own: {needs}
    does
        phase = over
"""


def checked(before: str = "", state: str = "", params: str = "", needs: str = "true") -> LoadedSpec:
    return check_text("bounds.rules", HEAD + before + BODY.format(**locals()))


def complaints(found: LoadedSpec) -> list[tuple[str, str]]:
    """The errors that make a spec unusable: their codes and what to do."""
    return [
        (each.code, each.help or "")
        for each in found.diagnostics
        if each.severity == "error" and each.code < "RW300"
    ]


SQUARES = "const c0 = 99\n" + "".join(f"const c{n} = c{n - 1} * c{n - 1}\n" for n in range(1, 31))
DOUBLES = "const c0 = 1\n" + "".join(f"const c{n} = c{n - 1} + c{n - 1}\n" for n in range(1, 41))
BIG = "type Big = 0..99999999\n"
TOO_LARGE = {
    "squares of squares": ({"before": SQUARES}, "digits"),
    "a bound of squares": ({"before": SQUARES, "state": "\n    n: 0..c30 = 0"}, "digits"),
    "a sum of large numbers": (
        {"before": "fun f(n: 0..9): Int = sum x: 0..999: " + "9999999999 * " * 11 + "n\n"},
        "digits",
    ),
    "an index": ({"before": BIG, "state": "\n    m[Big]: 0..9 = 0"}, "values"),
    "a set": ({"before": BIG, "state": "\n    m: Set[Big] = {}"}, "values"),
    "a quantifier": ({"before": BIG, "needs": "all x: Big: x >= 0"}, "values"),
    "a parameter": ({"before": BIG, "params": "(k: Big)"}, "values"),
    "many parameters": ({"params": "(a: 0..999, b: 0..999, c: 0..999)"}, "choices"),
    "a parameter that is a map": ({"params": "(m[0..30]: 0..9)"}, "choices"),
    "a parameter that is a set": ({"params": "(s: Set[0..63])"}, "choices"),
    "a map of many indices": (
        {"state": "\n    m[" + ", ".join(["0..9"] * 12) + "]: 0..9 = 0"},
        "entries",
    ),
    "a table": (
        {"before": "table t[0..499, 0..499]: 0..9\n" + ("    " + "1 " * 500 + "\n") * 500},
        "cells",
    ),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_is_too_large_is_refused_with_the_bound(name: str) -> None:
    given, bound = TOO_LARGE[name]
    found = complaints(checked(**given))
    assert ("RW215", True) in {(code, f"{VARIABLE}={bound}=N" in help) for code, help in found}


def test_constants_are_worked_out_once() -> None:
    """Forty constants, each twice the one before, as the bound of a type."""
    assert complaints(checked(DOUBLES, "\n    n: 0..c40 = 0")) == []


def test_a_bound_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"params": "(a: 0..999, b: 0..999, c: 0..99)"}
    assert complaints(checked(**given))
    monkeypatch.setenv(VARIABLE, "digits=5, choices=100000000")
    assert most("choices") == 100_000_000 and complaints(checked(**given)) == []
    monkeypatch.setenv(VARIABLE, "choices=many,nothing=3,,=")
    assert most("choices") == BOUNDS["choices"].most, "what is not understood counts for nothing"


def test_a_list_of_errors_has_an_end() -> None:
    many = "".join(f"const e{number} = unknown{number}\n" for number in range(3000))
    for text in (HEAD + many, HEAD + "const = \n" * 3000):
        found = check_text("many.rules", text).diagnostics
        assert len(found) == BOUNDS["errors"].most + 1
        assert found[-1].code == "RW016" and f"{VARIABLE}=errors=N" in (found[-1].help or "")


def test_nesting_has_an_end() -> None:
    deep = f"const deep = {'(' * 3000}1{')' * 3000}\n"
    assert [code for code, _ in complaints(checked(deep))] == ["RW012"]


def test_a_number_has_an_end() -> None:
    assert [code for code, _ in complaints(checked(f"const long = {'9' * 100_000}\n"))] == ["RW004"]


def test_the_page_lists_every_bound() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (.*) \|$", PAGE, re.MULTILINE)
    assert rows == [(each.name, f"{each.most:,}", each.what) for each in BOUNDS.values()]


def test_the_page_says_what_work_costs() -> None:
    rows = dict(
        re.findall(r"^\| (.*?) \| ([\d,]+) \|$", PAGE.partition("## Work")[2], re.MULTILINE)
    )
    assert list(rows.values()) == [
        f"{each:,}"
        for each in (
            work_budget.SECOND,
            1,
            work_budget.LOOK,
            work_budget.EVENT,
            work_budget.SLOW_EVENT,
            work_budget.EVALUATED,
            work_budget.ANSWER,
        )
    ]


GREEDY = """
game greedy "Greedy"
    players 2..2
type Square = grid 1000 x 1000
phase play, over final
state
    board[Square]: 0..9 = 0
    other[Square]: 0..9 = 0
move go(x: Square) by p in play "go"
    does
        board[x] = 1
        other[x] = 1
        phase = over
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to a bound on memory")
@pytest.mark.parametrize("command", ["perft --depth 2", "vectors --out v.jsonl"])
def test_a_command_that_needs_too_much_memory_says_so(
    command: str, process: Callable[..., Any], tmp_path: Path
):
    (tmp_path / "greedy.rules").write_text(GREEDY)
    name, *options = command.split()
    bounds = {"RULEWRIGHT_BOUNDS": "memory=200"}
    ran = process(name, "greedy.rules", *options, "--format", "json", **bounds)
    assert ran.returncode == 3, ran.stderr
    report = json.loads(ran.stdout)
    assert report["exit"] == 3
    assert (
        "needs more than 200 megabytes; RULEWRIGHT_BOUNDS=memory=N" in report["summary"]["stopped"]
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to a bound on memory")
def test_what_the_program_starts_is_not_bound_by_it():
    """An engine may need what it needs."""
    import resource

    asked = "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0])"
    with Bounded(1 << 30):
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] == 1 << 30
        child = ChildProcess([sys.executable, "-c", asked])
        said, _ = child.process.communicate()
        child.end()
    before = resource.getrlimit(resource.RLIMIT_DATA)
    assert int(said) == before[1]
    assert before[0] != 1 << 30, "and neither is what comes after"
