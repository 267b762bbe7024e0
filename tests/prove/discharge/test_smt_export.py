"""`--smtlib`: every question is a file of its own, and any solver that reads it says the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.cli.main import run_safely
from rulewright.frontend import check_text
from rulewright.kernel.refutation import Problem
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge.goal_slicing import _Search
from rulewright.prove.run.job import SECOND, Job, Worker
from rulewright.prove.run.prover_options import ProverOptions, SecondSolverTally
from rulewright.resources import bundled_specs
from rulewright.smt.solver.solver import SolverAnswer

ASKED = ["--players", "2", "--only", "one_winner", "--only", "goes_on", "--jobs", "1"]


def answers(folder: Path) -> dict[str, str]:
    """What z3 says of each file."""
    import z3

    found = {}
    for path in sorted(folder.glob("*.smt2")):
        context = z3.Context()
        said = z3.Z3_eval_smtlib2_string(context.ref(), path.read_text("utf-8"))
        found[path.name] = said.strip()
    return found


def test_each_question_has_its_file_and_the_same_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_safely(["prove", "pig", *ASKED, "--smtlib", str(tmp_path)]) == 0
    capsys.readouterr()
    found = answers(tmp_path)
    assert set(found.values()) == {"unsat"}
    names = [re.sub(r"-[0-9a-f]{8}\.smt2$", "", each) for each in found]
    assert "2-players-hold-p=1-one_winner-part-1" in names
    assert "2-players-goes_on-goes_on-part-1" in names
    assert len(set(names)) == len(names)


def test_a_file_says_what_it_asks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_safely(["prove", "pig", *ASKED, "--smtlib", str(tmp_path)])
    capsys.readouterr()
    (path,) = tmp_path.glob("2-players-hold-p=1-one_winner-*")
    head = [line for line in path.read_text("utf-8").splitlines() if line.startswith(";")]
    assert head[:3] == [
        "; pig, 2 players",
        "; hold p=1: one_winner",
        "; unsat means: part 1 of the goal follows",
    ]
    assert any(re.fullmatch(r"; h\d+ is won_with_100", line) for line in head)
    assert head[-1].endswith("is that part 1 of the goal fails")


BOARD = """
game tiles "Tiles"
    players 1..1

type Square = grid 6 x 6

phase play

state
    board[Square]: 0..3 = 0

move raise_one(at: Square) by p in play
    needs low "there is room": board[at] < 2
    does board[at] += 1

invariant never_three "no square has three": all s: Square: board[s] < 3
"""


def test_what_is_written_is_what_was_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a board, z3 is asked for instances of what holds everywhere, not for that itself."""
    (tmp_path / "tiles.rules").write_text(BOARD)
    asked = ["prove", str(tmp_path / "tiles.rules"), "--only", "never_three"]
    assert run_safely([*asked, "--smtlib", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "out").glob("*.smt2")}
    assert any("raise_one" in name and "-part-" in name for name in written)
    assert not any("forall" in text for name, text in written.items() if "-part-" in name)
    assert set(answers(tmp_path / "out").values()) == {"unsat"}


class Contrary:
    """A second solver that never agrees."""

    def __init__(self, text: str) -> None:
        pass

    def check(self, switches: list[str], timeout: float) -> SolverAnswer:
        return SolverAnswer("sat")


HOLD = Job(Configuration(2, (), None), "preserved", "hold", (("p", 1),), ("one_winner",))


def worker(effort: ProverOptions, text: str | None = None) -> Worker:
    spec = check_text("game", text or bundled_specs()["pig"].read_text("utf-8")).spec
    assert spec is not None
    return Worker({None: spec}, effort, Cache(None))


def test_a_second_solver_that_says_otherwise_leaves_nothing_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rulewright.prove.discharge.smt_export.Cvc5", Contrary)
    found, told = worker(ProverOptions(5, second=SecondSolverTally())).run(HOLD)
    assert found.result == "unknown"
    assert (told.kind, told.depth, told.note) == (SECOND, 1, "0")
    assert found.reason == "z3 says unsat, cvc5 says sat: a bug of ours"


SHIFT = """
game shift "Shift"
    players 2..2

phase play

state
    spare: 0..2 = 0
    each Player
        count: 0..9 = 0

move shift by p in play
    needs own "there is room": count[p] + spare < 5
    needs next "there is room on the left": count[left_of(p)] + spare < 5
    does
        count[p] += 1
        count[left_of(p)] += 1

invariant few "nobody has more than five": all p: Player: count[p] <= 5
"""


@pytest.mark.parametrize("small", [0, 1])
def test_what_rules_out_a_part_counts_for_the_whole(
    small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of a goal is asked at once; its proof rests on both."""
    group, parts = _Search._group, []

    def only_one(search: _Search, part: Problem) -> bool:
        parts.append(part)
        return len(parts) == small + 1 and group(search, part)

    monkeypatch.setattr(_Search, "_group", only_one)
    job = Job(Configuration(2, (), None), "preserved", "shift", (("p", 1),), ("few",))
    (found,) = worker(ProverOptions(5), SHIFT).run(job)
    assert found.result == "unsat"
    assert len(parts) == 2 and parts[1 - small].used() is None
    assert parts[small].used() == (("shift.own",), ("shift.next",))[small]
    assert set(found.used) == {"shift.own", "shift.next"}


def test_moves_by_different_players_have_different_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rulewright.prove.run.job.seats_alike", lambda spec: False)
    run_safely(["prove", "pig", *ASKED, "--smtlib", str(tmp_path)])
    capsys.readouterr()
    holds = sorted(tmp_path.glob("*hold-p=*-one_winner-*"))
    assert [re.search(r"p=(\d)", path.name)[1] for path in holds] == ["1", "2"]  # type: ignore[index]


def test_a_question_with_a_model_is_satisfiable_in_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rules = (
        'game g "G"\n    players 1..1\n\nphase play\n\nstate\n    n: 0..9 = 0\n\n'
        'move up by p in play\n    needs room "room": n < 9\n    does n += 1\n\n'
        'invariant small "stays small": n <= 5\n'
    )
    (tmp_path / "g.rules").write_text(rules)
    asked = ["prove", "g.rules", "--only", "small", "--smtlib", str(tmp_path / "out")]
    assert run_safely(asked) == 1
    capsys.readouterr()
    found = answers(tmp_path / "out")
    assert "sat" in {said for name, said in found.items() if "-up-" in name}
