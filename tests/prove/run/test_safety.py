"""That nothing goes wrong on the way is proved of asking as well as of doing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.frontend import read
from rulewright.prove.run.configurations import proof_configurations
from rulewright.prove.run.prover import prove
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.verdict.verdict import Verdict

SPEC = """\
game lookup "Lookup"
    players 1..1

source en "a rulebook"

clause go must en:1 "One goes on where the table says so."

phase play, over final

state
    row: 0..3{begin}

table sign[1..3]: 0..1
    0 1 0

move go by p in play "go on" [go]
    needs good "the table says so" [go]: {asks}
    does phase = over

move rest by p in play "rest"
    does row = {does}

fun signed(at: 0..3): 0..1 = sign[at]

fun score(p: Player): 0..1 = {score}
"""

START = """start
    signed "a row with a sign" [go]"""

NEVER = "not (row > 0 and (row <= 0 and signed(row) == 1))"
"""That asks for the sign of a row only where nothing is ever asked."""


def _safe(folder: Path, **parts: str) -> Verdict:
    path = folder / "lookup.rules"
    path.write_text(
        SPEC.format(**{"begin": " = 1", "asks": "true", "does": "row", "score": "1"} | parts)
    )
    spec = read(path).spec
    assert spec is not None
    ways = proof_configurations(spec, None, None, None)
    run = Scheduler({None: spec}, ProverOptions(10.0), None, 1, lambda done, of: None)
    (proved,) = prove({None: spec}, ways, run, ())
    return {each.name: each for each in proved.verdicts}["safe"]


@pytest.mark.parametrize(
    ("parts", "safe"),
    [
        ({}, True),
        ({"asks": "row > 0 and sign[row] == 1"}, True),
        ({"asks": "sign[row] == 1"}, True),  # the row stays 1, which a helper says
        ({"asks": "sign[row] == 1", "does": "0"}, False),  # no row 0, where it would not hold
        ({"asks": "sign[row] == 1", "begin": " = 0"}, False),
        ({"asks": f"{NEVER} and signed(row) == 1", "does": "0"}, False),
        ({"asks": f"{NEVER} and row > 0 and signed(row) == 1", "does": "0"}, True),
        ({"score": "sign[row] if row > 0 else 0"}, True),
        ({"score": "sign[row]", "begin": " = 0"}, False),  # counted when the game is over
        ({"does": "row + 1"}, False),
        ({"does": "row + 1 if row < 3 else 0"}, True),
        ({"begin": f"\n\n{START}: row > 0 and sign[row] == 1"}, True),
        ({"begin": f"\n\n{START}: sign[row] == 1"}, False),
    ],
)
def test_a_requirement_has_a_value_also_where_it_does_not_hold(
    tmp_path: Path, parts: dict[str, str], safe: bool
) -> None:
    assert (_safe(tmp_path, **parts).verdict == "proved") == safe


def test_each_place_that_is_open_is_named(tmp_path: Path) -> None:
    found = _safe(tmp_path, asks="sign[row] == 1", does="row + 1")
    text = (tmp_path / "lookup.rules").read_text()
    assert [(text[slice(*each.span)], each.what) for each in found.places] == [
        ("sign[row]", "a key that is looked up is not in 1..3"),
        ("row = row + 1", "`row` leaves its range"),
    ]
    assert all(each.position is not None for each in found.places)
    assert found.verdict == "refuted" and found.waits_for is None


def test_what_a_place_asks_is_settled_by_what_stands_before_it(tmp_path: Path) -> None:
    asks = "row - 1 >= 1 and abs(row - 2) + 1 <= 3 and sign[abs(row - 2) + 1] == 1"
    found = _safe(tmp_path, asks=asks, begin="")
    assert (found.verdict, found.places) == ("proved", ())
