"""A proof is only as good as what it rests on."""

from __future__ import annotations

from checker.front import check_text
from checker.meaning.core import Spec
from checker.prove.resting import resting
from checker.prove.verdict import PROVED, UNKNOWN, Verdict
from checker.resources import bundled_specs

_PIG = check_text("pig", bundled_specs()["pig"].read_text("utf-8")).spec
assert _PIG is not None
PIG: Spec = _PIG


def _verdict(name: str, verdict: str, *used: str, kind: str = "invariant") -> Verdict:
    return Verdict(name, kind, verdict, None, 0.0, used)


def test_what_rests_on_an_unproved_invariant_is_not_proved() -> None:
    found = resting(
        PIG,
        [
            _verdict("safe", PROVED, kind="safety"),
            _verdict("a", UNKNOWN),
            _verdict("b", PROVED, "a"),
            _verdict("c", PROVED, "b"),
            _verdict("d", PROVED, "d"),
        ],
    )
    assert [each.verdict for each in found] == [PROVED, UNKNOWN, UNKNOWN, UNKNOWN, PROVED]


def test_nothing_is_proved_where_ranges_are_not_safe() -> None:
    found = resting(PIG, [_verdict("safe", UNKNOWN, kind="safety"), _verdict("a", PROVED)])
    assert [each.verdict for each in found] == [UNKNOWN, UNKNOWN]
