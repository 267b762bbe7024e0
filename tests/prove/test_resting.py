"""A proof is only as good as what it rests on."""

from __future__ import annotations

from checker.prove.prover import _resting
from checker.prove.verdict import PROVED, UNKNOWN, Verdict


def _verdict(name: str, verdict: str, *used: str, kind: str = "invariant") -> Verdict:
    return Verdict(name, kind, verdict, None, 0.0, used)


def test_what_rests_on_an_unproved_invariant_is_not_proved() -> None:
    found = _resting(
        [
            _verdict("safe", PROVED, kind="safety"),
            _verdict("a", UNKNOWN),
            _verdict("b", PROVED, "a"),
            _verdict("c", PROVED, "b"),
            _verdict("d", PROVED, "d"),
        ],
        simultaneous=False,
    )
    assert [each.verdict for each in found] == [PROVED, UNKNOWN, UNKNOWN, UNKNOWN, PROVED]


def test_nothing_is_proved_where_ranges_are_not_safe() -> None:
    found = _resting([_verdict("safe", UNKNOWN, kind="safety"), _verdict("a", PROVED)], False)
    assert [each.verdict for each in found] == [UNKNOWN, UNKNOWN]
