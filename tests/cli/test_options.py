"""The options that commands share."""

from __future__ import annotations

import pytest

from rulewright.cli.options import (
    Parser,
    add_limit,
    add_players,
    add_readings,
    add_timeout,
    add_variant,
)


@pytest.fixture
def parser() -> Parser:
    parser = Parser("rulewright prove")
    add_players(parser)
    add_readings(parser)
    add_variant(parser)
    add_timeout(parser, 10.0, "for each question")
    add_limit(parser)
    return parser


@pytest.mark.parametrize(("text", "numbers"), [("3", [3]), ("2..4", [2, 3, 4]), ("1..1", [1])])
def test_numbers_of_players(parser, text, numbers):
    assert list(parser.parse_args(["--players", text]).players) == numbers


@pytest.mark.parametrize("text", ["", "x", "4..2", "0", "0..3", "2..", "..3", "2-4", "-1"])
def test_what_is_no_number_of_players(parser, text, capsys):
    with pytest.raises(SystemExit) as ending:
        parser.parse_args([f"--players={text}"])
    assert ending.value.code == 2
    assert f"`{text}` is not a number of players like 3 or 2..4" in capsys.readouterr().err


def test_readings_add_up(parser):
    options = parser.parse_args(["--reading", "tie=shared", "--reading", "end=at_once"])
    assert options.readings == {"tie": "shared", "end": "at_once"}
    assert parser.parse_args([]).readings == {}


@pytest.mark.parametrize("text", ["tie", "tie=", "=shared", ""])
def test_what_is_no_reading(parser, text, capsys):
    with pytest.raises(SystemExit):
        parser.parse_args([f"--reading={text}"])
    assert f"`{text}` is not of the form R=OPTION" in capsys.readouterr().err


def test_two_answers_to_one_question_are_refused(parser, capsys):
    with pytest.raises(SystemExit):
        parser.parse_args(["--reading", "tie=shared", "--reading", "tie=open"])
    assert "`tie` is both `shared` and `open`" in capsys.readouterr().err


def test_variant(parser):
    assert parser.parse_args(["--variant", "mixed"]).variant == "mixed"
    assert parser.parse_args([]).variant is None


def test_times(parser):
    assert parser.parse_args([]).timeout == 10.0
    assert parser.parse_args(["--timeout", "0.5"]).timeout == 0.5


@pytest.mark.parametrize(("option", "most"), [("--timeout", "900"), ("--limit", "a day")])
@pytest.mark.parametrize("text", ["", "soon", "0", "-1", "86401", "inf", "nan"])
def test_what_is_no_time(parser, option, most, text, capsys):
    with pytest.raises(SystemExit):
        parser.parse_args([f"{option}={text}"])
    assert f"`{text}` is not a number of seconds up to {most}" in capsys.readouterr().err
