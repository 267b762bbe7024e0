"""What a proof rests on: a verdict is only as good as what was taken for granted on the way.

An induction uses invariants, and that nothing leaves its range. Where games are written down as
terms, steps are taken to stop and simultaneous players to act in seat order. All of these are
proved too, or what rests on them is not.
"""

from __future__ import annotations

from collections.abc import Mapping

from checker.meaning import core as c
from checker.prove.verdict import BOUNDED, PROVED, REFUTED, UNKNOWN, Outcome, Verdict, changed

GROUNDLESS = ("theorem", "start", "sanity")
"""Kinds of verdicts that rest on nothing."""
BUILT_IN = {"safe": "safety", "order": "order", "steps_stop": "steps"}
"""What else proofs rest on, with its kind."""

Key = tuple[str, str]


def needed(spec: c.Spec, groups: Mapping[Key, list[Outcome]]) -> set[str]:
    """The names of all that must be proved too, if these answers are to count."""
    invariants = {each.name for each in spec.properties if each.kind == "invariant"}
    used = {label for group in groups.values() for each in group for label in each.used}
    names = {"safe", *(used & invariants)}
    for (_, kind), outcomes in groups.items():
        if kind == "ends" or any(each.result != each.wants for each in outcomes):
            names |= {name for name, _ in _played(spec)}  # then games are looked for
    return names


def _played(spec: c.Spec) -> set[Key]:
    """What is taken for granted where games are written down as terms."""
    steps = any(each.kind == "step" for each in spec.transitions)
    simultaneous = any(each.simultaneous for each in spec.phases)
    names = [*(["steps_stop"] if steps else []), *(["order"] if simultaneous else [])]
    return {(name, BUILT_IN[name]) for name in names}


def resting(spec: c.Spec, verdicts: list[Verdict]) -> list[Verdict]:
    """The verdicts, those taken back that rest on something that is not proved."""
    found = list(verdicts)
    invariants = {each.name for each in found if each.kind == "invariant"}
    while True:
        proved = {(each.name, each.kind) for each in found if each.verdict == PROVED}
        again = False
        for number, each in enumerate(found):
            missing = sorted(_rests(spec, each, invariants) - proved)
            if missing:
                reason = f"the proof rests on `{missing[0][0]}`, which is not proved"
                found[number] = changed(
                    each, verdict=UNKNOWN, reason=reason, depth=None, rests_on_unproved=True
                )
                again = True
        if not again:
            return found


def _rests(spec: c.Spec, verdict: Verdict, invariants: set[str]) -> set[Key]:
    """What a verdict rests on; a game speaks for itself."""
    possible = verdict.kind == "possible"
    by_proof = verdict.verdict in ((REFUTED,) if possible else (PROVED, BOUNDED))
    alone = verdict.game is not None or verdict.explored or verdict.kind in GROUNDLESS
    if not by_proof or alone:
        return set()
    found = {(name, "invariant") for name in verdict.used if name in invariants}
    found.add(("safe", "safety"))
    if verdict.kind == "ends" or verdict.by_playing:
        found |= _played(spec)
    return found - {(verdict.name, verdict.kind)}
