"""Certificates: what they say, and that nothing in them is trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.certify.claim import HELPER, Claim, Hints
from tests.certify.asking import certified, checked_of
from tests.conftest import Ran

SPEC = """game small "Small"
    players 2..2
phase play, over final
state
    n: 0..3 = 0
    twice: 0..6 = 0
move up by p in play "up"
    needs low "low": n < 3
    does
        n += 1
        twice = 2 * n
move stop by p in play "stop"
    does phase = over
invariant even "even": twice % 2 == 0
invariant most "most": n <= 3
possible three "three": n == 3
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "small.rules"
    path.write_text(SPEC)
    return path


def written(rulewright: Callable[..., Ran], spec: Path) -> tuple[Path, Ran]:
    path = spec.with_suffix(".json")
    arguments = ("--certify", "--certificate", str(path), "--jobs", "1", "--no-cache")
    return path, rulewright("prove", str(spec), *arguments)


def test_a_certificate_is_written_and_checked(rulewright: Callable[..., Ran], spec: Path):
    path, ran = written(rulewright, spec)
    assert ran.exit == 0
    assert "certified: " in ran.out + ran.err
    whole = json.loads(path.read_text())
    assert whole["spec"] == "small" and len(whole["spec_hash"]) == 16
    (configuration,) = whole["settings"]
    claims = {each["name"]: each for each in configuration["claims"]}
    assert claims["even"]["certified"] and claims["safe"]["obligations"]
    checked = rulewright("prove", str(spec), "--certificate", str(path))
    assert checked.exit == 0
    assert "certified: " in checked.out + checked.err


def test_what_a_certificate_says_is_not_believed(rulewright: Callable[..., Ran], spec: Path):
    path, _ = written(rulewright, spec)
    whole = json.loads(path.read_text())
    claim = {"name": "three", "kind": "possible", "depth": None, "certified": True, "used": [],
             "obligations": [{"where": "start", "used": ["even"], "confirmed": True}]}  # fmt: skip
    whole["settings"][0]["claims"].append(claim)
    whole["settings"][0]["claims"].append({**claim, "name": "nobody", "kind": "invariant"})
    path.write_text(json.dumps(whole))
    ran = rulewright("prove", str(spec), "--certificate", str(path))
    assert ran.exit == 3
    assert "`three` is not certified" in ran.out
    assert "`nobody` is not certified" in ran.out


def test_a_certificate_of_other_rules_is_refused(rulewright: Callable[..., Ran], spec: Path):
    path, _ = written(rulewright, spec)
    spec.write_text(SPEC.replace("n < 3", "n < 2"))
    ran = rulewright("prove", str(spec), "--certificate", str(path))
    assert ran.exit == 2 and "another version" in ran.err


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", '{"rulewright_certificate": 2}', '{"rulewright_certificate": 1}', "[" * 9999,
        '{"rulewright_certificate": 1, "spec_hash": "x", "settings": [{"players": "2"}]}',
        '{"rulewright_certificate": 1, "spec_hash": 3, "settings": []}',
    ],
)  # fmt: skip
def test_a_file_that_is_no_certificate(rulewright: Callable[..., Ran], spec: Path, text: str):
    path = spec.with_suffix(".json")
    path.write_text(text)
    ran = rulewright("prove", str(spec), "--certificate", str(path))
    assert ran.exit == 2 and "no certificate" in ran.err


def test_what_cannot_be_played_is_refused(rulewright: Callable[..., Ran], spec: Path):
    path, _ = written(rulewright, spec)
    whole = json.loads(path.read_text())
    whole["settings"][0]["players"] = 9
    path.write_text(json.dumps(whole))
    ran = rulewright("prove", str(spec), "--certificate", str(path))
    assert ran.exit == 2 and "9" in ran.err


def test_a_helper_is_certified_like_an_invariant():
    text = SPEC.replace("twice = 2 * n", "twice = min(6, twice + 2)")
    text += 'invariant bound "bound": n <= 2 or twice >= 6\n'
    without = certified(checked_of(text), [Claim("bound", "invariant")])
    assert not without["bound"].certified
    hints = Hints(("twice == 2 * n",))
    found = certified(checked_of(text), [Claim("bound", "invariant")], hints)
    assert found["bound"].certified and found[HELPER + "twice == 2 * n"].certified
    assert HELPER + "twice == 2 * n" in found["bound"].rests_on


@pytest.mark.parametrize(
    "helper",
    [
        "n == 0", "n <", 'true\ninvariant other "x": n == 0', "true # and more", "nobody == 3",
        'true\n\nmove cheat by p in play "cheat"\n    does n = 0',
    ],
)  # fmt: skip
def test_a_helper_that_is_false_or_says_something_else(helper: str):
    hints = Hints((helper,), {"most": (HELPER + helper,)})
    found = certified(checked_of(SPEC), [Claim("most", "invariant")], hints)
    assert not found[HELPER + helper].certified
    assert found["most"].certified


def test_wrong_hints_do_no_harm():
    hints = Hints((), {"even": ("nobody", "most"), "safe": ()})
    claims = [Claim("even", "invariant"), Claim("safe", "safety")]
    found = certified(checked_of(SPEC), claims, hints)
    assert found["even"].certified and found["safe"].certified
