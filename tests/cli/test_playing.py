"""`test` and `why` as a user meets them."""

import json
import re
from pathlib import Path

import pytest

from rulewright.cli.main import run_safely
from rulewright.frontend import check_text
from rulewright.play.explain.examples import play_examples
from rulewright.resources import bundled_games

QWIXX = bundled_games()["qwixx"].read_text()
FIRST = {"phase": "first_action", "white": [[1, 6], [2, 6]]}


def rows(**crossed: list[int]) -> dict[str, list[int]]:
    return {colour: crossed.get(colour, []) for colour in ("red", "yellow", "green", "blue")}


def ask(capsys, tmp_path: Path, state: dict, move: str, by: int) -> tuple[int, str]:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(state))
    code = run_safely(["why", "qwixx", "--position", str(file), "--move", move, "--by", str(by)])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("game", bundled_games())
def test_every_worked_example_plays(game, capsys):
    assert run_safely(["test", game]) == 0
    assert "all as expected" in capsys.readouterr().err


EXPECTATIONS = [
    match.span() for match in re.finditer(r"^    expect .*$", QWIXX, re.MULTILINE)
    if re.search(r"\d", match[0])
]  # fmt: skip


@pytest.mark.parametrize("place", EXPECTATIONS, ids=str)
def test_a_changed_number_in_an_expectation_turns_it_red(place):
    start, end = place
    line = QWIXX[start:end]
    number = list(re.finditer(r"\d+", line))[-1]
    changed = line[: number.start()] + str(int(number[0]) + 1) + line[number.end() :]
    found = check_text("qwixx.rules", QWIXX[:start] + changed + QWIXX[end:])
    if found.spec is not None:
        assert not all(each.passed for each in play_examples(found.spec, found.variant)), changed


def test_a_failing_example_shows_what_was_expected_and_the_position(tmp_path, capsys):
    file = tmp_path / "qwixx.rules"
    file.write_text(QWIXX.replace("expect score(laura) == 70", "expect score(laura) == 71"))
    assert run_safely(["test", str(file)]) == 1
    shown = capsys.readouterr()
    assert "error RW510" in shown.out and "expected == 71, got" in shown.out
    assert "player laura" in shown.out and "[ 2]" in shown.out
    assert "1 failed" in shown.err


def test_a_spec_without_examples_was_not_tested(tmp_path, capsys):
    file = tmp_path / "tiny.rules"
    file.write_text(
        'game tiny "Tiny"\n    players 2..2\nphase play, over final\n'
        'move stop by p in play "stop"\n    does phase = over\n'
    )
    assert run_safely(["test", str(file)]) == 1
    assert "no worked examples" in capsys.readouterr().out


def test_an_unusable_spec_is_reported_beside_those_that_play(tmp_path, capsys):
    file = tmp_path / "broken.rules"
    file.write_text("phse\n")
    assert run_safely(["test", "qwixx", str(file)]) == 2
    shown = capsys.readouterr()
    assert "RW009" in shown.out and "1 spec cannot be used" in shown.err
    assert "all as the rulebook" not in shown.err


@pytest.mark.parametrize(
    ("state", "move", "by", "label", "clause"),
    [
        ({**FIRST, "white": [[1, 1], [2, 2]], "crossed": [[1, rows(red=[4])], [2, rows()]]},
         "cross_sum(row=red, at=2)", 1, "may_cross.left_to_right", "cross.order"),
        ({**FIRST, "crossed": [[1, rows(red=[1, 2, 3, 4])], [2, rows()]]},
         "cross_sum(row=red, at=11)", 1, "may_cross.five_first", "close.five"),
        ({**FIRST, "closed": ["red"], "white": [[1, 1], [2, 2]]},
         "cross_sum(row=red, at=2)", 1, "may_cross.row_open", "close.all"),
        ({**FIRST, "white": [[1, 1], [2, 2]]},
         "cross_sum(row=red, at=3)", 1, "cross_sum.is_sum", "play.sum"),
        ({**FIRST, "phase": "second_action", "active": 1},
         "cross_colour(row=red, at=6, white_die=1, die=red)", 2, "own_turn.is_active",
         "play.second_only"),
    ],
    ids=["back to the left", "last number with four", "closed row", "wrong sum", "passive player"],
)  # fmt: skip
def test_why_names_the_clause_of_the_classic_mistakes(
    capsys, tmp_path, state, move, by, label, clause
):
    code, shown = ask(capsys, tmp_path, state, move, by)
    assert code == 1
    assert label in shown and clause in shown


def test_why_says_what_a_legal_move_will_change(capsys, tmp_path):
    state = {**FIRST, "crossed": [[1, rows(red=[1, 2, 3, 4, 5])], [2, rows()]]}
    code, shown = ask(capsys, tmp_path, state, "cross_sum(red, 11)", 1)
    assert code == 0
    assert "allowed: cross_sum(row = red, at = 11)" in shown
    assert "locked[1]" in shown and "close.lock" in shown


def test_why_lists_the_ways_to_fill_in_what_is_left_open(capsys, tmp_path):
    code, shown = ask(capsys, tmp_path, FIRST, "cross_sum(row=green)", 1)
    assert code == 0
    assert "cross_sum(row = green, at = 1)" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--move", "cross_sum(row=rde, at=1)", "--by", "1"], "`rde` is not a value of `Colour`"),
        (["--move", "corss(row=red)", "--by", "1"], "no move `corss`"),
        (["--move", "cross_sum(row=red", "--by", "1"], "should have"),
        (["--move", "pass_sum", "--by", "9"], "no player 9"),
        (["--move", "pass_sum", "--by", "1", "--position", "nowhere.json"], "cannot be read"),
        (["--move", "pass_sum", "--by", "1", "--players", "9"], "players"),
        (["--move", "pass_sum", "--by", "1", "--reading", "ties=none"], "`none`"),
        (["--move", "pass_sum", "--by", "1", "--variant", "mixed"], "no variant `mixed`"),
    ],
)
def test_why_refuses_what_it_cannot_read(capsys, arguments, message):
    assert run_safely(["why", "qwixx", *arguments]) == 2
    shown = capsys.readouterr().err
    assert message in shown and "help:" in shown and "Traceback" not in shown


def test_why_ends_where_an_answer_would_take_for_ever(capsys, tmp_path):
    (tmp_path / "x.rules").write_text("""game endless "Endless"
    players 2..2
phase play, over final
move go() by p in play "go"
    needs vast "as far as one can count": all a: 0..999999: all b: 0..999999: a + b >= 0
    does
        phase = over
""")
    asked = ["why", str(tmp_path / "x.rules"), "--move", "go", "--by", "1", "--limit", "0.1"]
    assert run_safely(asked) == 3
    assert "nothing was decided: it was not decided within 0.1 seconds" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_why_reads_no_position_without_end(capsys, tmp_path):
    (tmp_path / "p.json").symlink_to("/dev/zero")
    asked = ["why", "pig", "--move", "roll", "--by", "1", "--position", str(tmp_path / "p.json")]
    assert run_safely(asked) == 2
    assert "cannot be read: it is too large" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[1, 2]", '{"active": "me"}', '{"wite": 1}', "{" * 3000])
def test_why_says_what_is_wrong_with_a_position(capsys, tmp_path, text):
    file = tmp_path / "position.json"
    file.write_text(text)
    arguments = ["why", "qwixx", "--move", "pass_sum", "--by", "1", "--position", str(file)]
    assert run_safely(arguments) == 2
    assert "help:" in capsys.readouterr().err


def test_why_notes_a_position_that_no_game_reaches(capsys, tmp_path):
    state = {**FIRST, "closed": ["red", "yellow", "green", "blue"]}
    _, shown = ask(capsys, tmp_path, state, "pass_sum", 1)
    assert "no game reaches this position" in shown
