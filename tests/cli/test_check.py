"""`rulewright check`: what it finds, and what its exit code says of it."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import HASH


@pytest.mark.parametrize(
    ("codes", "strict", "exit_code"),
    [
        ((), False, 0),
        (("RW501?",), False, 0),
        (("RW501?",), True, 1),
        (("RW501",), False, 1),
        (("RW001",), False, 2),
        (("RW102",), False, 2),
        (("RW204",), False, 2),
        (("RW501", "RW204"), True, 2),
    ],
)
def test_exit_code(rulewright, reading, codes, strict, exit_code):
    reading(pig=codes)
    ran = rulewright("check", "pig.rules", *(["--strict"] if strict else []))
    assert ran.exit == exit_code


@pytest.mark.parametrize(
    ("findings", "closing"),
    [
        ({"pig": ()}, "checked 1 spec: no problems"),
        ({"pig": (), "cow": ()}, "checked 2 specs: no problems"),
        ({"pig": ("RW001",), "cow": ("RW501?", "RW502?")}, "checked 2 specs: 1 error, 2 warnings"),
        ({"pig": ("RW501?",)}, "checked 1 spec: 1 warning"),
    ],
)
def test_the_closing_line_counts(rulewright, reading, findings, closing):
    reading(**findings)
    ran = rulewright("check", *(f"{name}.rules" for name in findings))
    assert ran.err == closing + "\n"


def test_every_file_is_reported(rulewright, reading):
    reading(pig=("RW001",), hen=("RW501?",), cow=("RW204",))
    ran = rulewright("check", "pig.rules", "hen.rules", "cow.rules", "--format", "concise")
    assert ran.exit == 2
    assert ran.out.splitlines() == [
        "pig.rules:1:6: error RW001 `pig` has RW001",
        "hen.rules:1:6: warning RW501 `pig` has RW501",
        "cow.rules:1:6: error RW204 `pig` has RW204",
    ]


def test_a_file_named_twice_is_checked_once(rulewright, reading):
    reading(pig=("RW001",))
    ran = rulewright("check", "pig.rules", "pig.rules", "--format", "concise")
    assert len(ran.out.splitlines()) == 1


def test_a_missing_file_comes_with_what_there_is(rulewright):
    ran = rulewright("check", "gone.rules")
    assert ran.exit == 2
    assert ran.out.startswith(
        "error RW011: there is no such file\n --> gone.rules\nhelp: the bundled"
    )
    assert "`qwixx`" in ran.out


def test_a_misspelt_game_is_recognised(rulewright):
    assert "help: did you mean the bundled game `qwixx`?" in rulewright("check", "qwix").out


def test_a_bundled_game_goes_by_its_name(rulewright):
    ran = rulewright("check", "qwixx")
    assert (ran.exit, ran.out) == (0, "")


def test_whatever_the_file_is_there_is_a_message_and_no_more(rulewright, tmp_path):
    (tmp_path / "folder.rules").mkdir()
    (tmp_path / "latin.rules").write_bytes(b"game caf\xe9\n")
    (tmp_path / "binary.rules").write_bytes(b"\0\1\2")
    (tmp_path / "empty.rules").touch()
    names = ["folder.rules", "latin.rules", "binary.rules", "empty.rules"]
    ran = rulewright("check", *names, "--format", "concise")
    assert ran.exit == 2
    assert [line.split(":")[0] for line in ran.out.splitlines()] == names


def test_json_for_one_spec_names_it(rulewright, reading):
    reading(pig=("RW501",))
    ran = rulewright("check", "pig.rules", "--format", "json")
    read = json.loads(ran.out)
    assert (read["command"], read["spec"], read["spec_hash"]) == ("check", "pig.rules", HASH)
    assert read["summary"] == {"specs": 1, "errors": 1, "warnings": 0}
    assert read["exit"] == ran.exit == 1
    assert ran.err == ""


def test_json_for_several_specs_names_them_in_the_results(rulewright, reading):
    reading(pig=("RW001",), cow=())
    read = json.loads(rulewright("check", "pig.rules", "cow.rules", "--format", "json").out)
    assert (read["spec"], read["spec_hash"]) == (None, None)
    assert [(each["spec"], each["verdict"]) for each in read["results"]] == [
        ("pig.rules", "unusable"),
        ("cow.rules", "holds"),
    ]
    assert len(read["diagnostics"]) == 1
