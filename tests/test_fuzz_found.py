"""Inputs that `make fuzz` broke the program with once, each as small as it could be made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran

Rulewright = Callable[..., Ran]

STOP = """game tiny "A tiny game"
    players 2..3
phase play, over final
move stop(x: 0..9) by p in play "stop"
    does phase = over
"""


def test_vectors_of_a_game_in_which_nothing_but_the_phase_changes(
    rulewright: Rulewright, tmp_path: Path
):
    (tmp_path / "x.rules").write_text(STOP)
    ran = rulewright("vectors", "x.rules", "--out", "v.jsonl")
    assert ran.exit in (0, 3), ran.err


def test_a_parameter_of_quite_another_kind(rulewright: Rulewright, tmp_path: Path):
    """What one side chooses is no choice of the other, and neither is asked about it."""
    (tmp_path / "old.rules").write_text(STOP)
    colours = STOP.replace(
        "move stop(x: 0..9)", "type Colour = red | green\nmove stop(x: Set[Colour])"
    )
    needs = colours.replace("    does", '    needs n "red": red in x\n    does')
    (tmp_path / "new.rules").write_text(needs)
    ran = rulewright("diff", "old.rules", "new.rules", "--quick", "--jobs", "1")
    assert ran.exit in (0, 1, 3), ran.err
    assert "its parameter `x` has another type" in ran.out


def test_a_variant_by_which_a_value_is_never_in_its_range(rulewright: Rulewright, tmp_path: Path):
    """What a variant brings is right where it stands, but something that uses it no longer is."""
    (tmp_path / "x.rules").write_text(
        STOP.replace("phase play", "const most = 2\nstate\n    n: 0..2 = 0\nphase play").replace(
            "does phase = over", "does\n        n = most\n        phase = over"
        )
        + 'variant more "more"\n    const most = 3\n'
    )
    for command in ("check", "prove"):
        ran = rulewright(command, "x.rules")
        assert ran.exit in (1, 2), ran.err
        assert "in the variant `more`, `n` lies in 0..2, but this is 3" in ran.out + ran.err
        assert "Traceback" not in ran.err


@pytest.mark.parametrize("use", ["b = {}", "some = b == {}", "b = {} if some else b"])
def test_a_map_with_other_numbers_as_keys(rulewright: Rulewright, tmp_path: Path, use: str):
    """It was taken for one with the same keys, and a question about it could not be written."""
    state = "state\n    b[1..2]: 0..1 = 0\n    some: Bool = true\nphase play"
    does = use.format("[each k: 1..33: 1]")
    (tmp_path / "x.rules").write_text(
        STOP.replace("phase play", state).replace(
            "does phase = over", f"does\n        {does}\n        phase = over"
        )
    )
    ran = rulewright("check", "x.rules")
    assert ran.exit == 2 and "RW201" in ran.out, ran.out
